/* Lookups that a subgroup does together find what lookups alone find.
 *
 * SPDX-License-Identifier: MIT */
#include "lookup.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return run_image_tests() + run_table_tests() + run_path_tests();
}
