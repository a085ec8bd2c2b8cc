/* The cases of multi_test. SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MULTI_CASES_H
#define MUR_TEST_MULTI_CASES_H

/* content_tests.c */
void nothing_is_there(void **state);
void pairs_spread_evenly(void **state);
void one_hot_key(void **state);
void equal_keys_in_a_workgroup(void **state);
void too_little_room(void **state);
void fewer_keys_by_count(void **state);
void very_many_queries(void **state);
void full_table(void **state);
void full_of_ordinals(void **state);
void full_keys_stay_full(void **state);
void last_ordinals_of_a_key(void **state);
void batches_by_count(void **state);

/* erase_tests.c */
void erased_pairs(void **state);
void erased_keys(void **state);
void copies_of_a_pair(void **state);
void long_keys_with_holes(void **state);
void random_sequences(void **state);
void rehash_and_compact(void **state);

/* wide_tests.c */
void hashes_that_are_markers(void **state);
void hashes_that_are_equal(void **state);
void keys_that_share_a_half(void **state);
void rehash_of_wide_keys(void **state);
void extract_of_wide_keys(void **state);

/* image_tests.c */
void host_and_gpu_in_turns(void **state);
void moves_and_snapshots(void **state);
void moves_of_equal_hashes(void **state);
void damaged_tags(void **state);
void host_edges(void **state);
void host_threads(void **state);

/* argument_tests.c */
void wrong_tables(void **state);
void wrong_moves(void **state);
void wrong_commands_of_wide_keys(void **state);
void wrong_wide_keys(void **state);
void wrong_batches(void **state);
void wrong_retrieves(void **state);

#endif
