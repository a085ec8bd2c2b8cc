/* The cases of multi_test. SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MULTI_CASES_H
#define MUR_TEST_MULTI_CASES_H

/* clang-format off */
#define MULTI_CASES(X) \
    X(nothing_is_there) X(pairs_spread_evenly) X(one_hot_key) X(equal_keys_in_a_workgroup) \
    X(too_little_room) X(fewer_keys_by_count) X(very_many_queries) X(full_table) \
    X(full_of_ordinals) X(full_keys_stay_full) X(last_ordinals_of_a_key) X(batches_by_count) \
    X(erased_pairs) X(erased_keys) X(copies_of_a_pair) X(long_keys_with_holes) \
    X(random_sequences) X(rehash_and_compact) X(hashes_that_are_markers) \
    X(hashes_that_are_equal) X(keys_that_share_a_half) X(rehash_of_wide_keys) \
    X(extract_of_wide_keys) X(host_and_gpu_in_turns) X(moves_and_snapshots) \
    X(moves_of_equal_hashes) X(damaged_tags) X(host_edges) X(host_threads) X(wrong_tables) \
    X(wrong_moves) X(wrong_commands_of_wide_keys) X(wrong_wide_keys) X(wrong_batches) \
    X(wrong_retrieves)
/* clang-format on */

#define MULTI_DECLARE(name) void name(void **state);
MULTI_CASES(MULTI_DECLARE)

#endif
