/* Limits: capacities, probe lengths, special keys, counts, sizes, and memory that has been tampered
 * with. Each group opens a device of its own.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

int main(void) {
    int failed = run_size_tests();
    failed += run_hash_tests();
    failed += run_murmur_tests();
    failed += run_capacity_tests();
    failed += run_probe_tests();
    failed += run_key_tests();
    failed += run_count_tests();
    failed += run_counter_tests();
    failed += run_repeat_tests();
    failed += run_extract_tests();
    failed += run_corruption_tests();
    return failed;
}
