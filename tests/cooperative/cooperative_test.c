/* Lookups that a subgroup does together find what lookups alone find.
 *
 * SPDX-License-Identifier: MIT */
#include "lookup.h"

int main(void) {
    return run_image_tests() + run_table_tests() + run_path_tests();
}
