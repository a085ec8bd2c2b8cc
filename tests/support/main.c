/* For programs without a main of their own.
 *
 * SPDX-License-Identifier: MIT */
#include "cases.h"

int main(void) {
    return cases_run();
}
