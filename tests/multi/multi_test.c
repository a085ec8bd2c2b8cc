/* Tables with many values a key: the commands, against a list of pairs.
 *
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include "cases.h"

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(nothing_is_there),
        gpu_test(pairs_spread_evenly),
        gpu_test(one_hot_key),
        gpu_test(equal_keys_in_a_workgroup),
        gpu_test(too_little_room),
        gpu_test(fewer_keys_by_count),
        gpu_test(very_many_queries),
        gpu_test(full_table),
        gpu_test(full_of_ordinals),
        gpu_test(full_keys_stay_full),
        gpu_test(last_ordinals_of_a_key),
        gpu_test(batches_by_count),
        gpu_test(erased_pairs),
        gpu_test(erased_keys),
        gpu_test(copies_of_a_pair),
        gpu_test(long_keys_with_holes),
        gpu_test(random_sequences),
        gpu_test(rehash_and_compact),
        gpu_test(hashes_that_are_markers),
        gpu_test(hashes_that_are_equal),
        gpu_test(keys_that_share_a_half),
        gpu_test(rehash_of_wide_keys),
        gpu_test(extract_of_wide_keys),
        gpu_test(host_and_gpu_in_turns),
        gpu_test(moves_and_snapshots),
        gpu_test(moves_of_equal_hashes),
        gpu_test(damaged_tags),
        gpu_test(host_edges),
        gpu_test(host_threads),
        gpu_test(wrong_tables),
        gpu_test(wrong_moves),
        gpu_test(wrong_commands_of_wide_keys),
        gpu_test(wrong_wide_keys),
        gpu_test(wrong_batches),
        gpu_test(wrong_retrieves),
    };
    return cmocka_run_group_tests_name("multi", tests, gpu_group_setup, gpu_group_teardown);
}
