/* SPDX-License-Identifier: MIT */
#include "snapshot_test.h"

int main(void) {
    return load_tests() + damage_tests() + file_tests();
}
