/* The main function of programs that have no other.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

int main(void) {
    return cases_run();
}
