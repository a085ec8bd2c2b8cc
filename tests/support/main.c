/* Of programs that have none of their own.
 *
 * SPDX-License-Identifier: MIT */
#include "cases.h"

int main(void) {
    return cases_run();
}
