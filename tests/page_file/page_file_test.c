/* SPDX-License-Identifier: MIT */
#include "page_file_test.h"

int main(void) {
    return random_tests() + crash_tests() + failure_tests() + damage_tests() + system_tests();
}
