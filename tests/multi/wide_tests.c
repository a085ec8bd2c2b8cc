/* Multi-value tables with 64-bit keys: keys with equal hashes, and moves between tables.
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include <stdlib.h>

enum { MOST = 128 };

/* Returns the key whose entry has this hash. Hash and index of an entry determine its key. */
static uint64_t key_with(const Multi *multi, uint64_t hash, uint32_t index) {
    return mur_key64(hash, mur_index_seed(murGetTableRef(multi->table).seed, index));
}

/* Inserts values of all keys, erases some values, erases some keys, and inserts again. */
static void come_and_go(Multi *multi, uint32_t keys) {
    MultiPair pairs[4 * MOST];
    uint32_t numbers[MOST];
    for (uint32_t i = 0; i < 4 * keys; ++i) {
        pairs[i] = (MultiPair){i % keys, i};
    }
    for (uint32_t i = 0; i < keys; ++i) {
        numbers[i] = i;
    }
    multi_insert(multi, 4 * keys, pairs);
    assert_int_equal(multi->full, 0);
    multi_require_same(multi, keys, numbers);
    multi_erase(multi, keys, pairs + keys / 2);
    multi_require_same(multi, keys, numbers);
    multi_erase_keys(multi, keys / 3, numbers);
    multi_require_same(multi, keys, numbers);
    multi_insert(multi, keys, pairs);
    multi_require_same(multi, keys, numbers);
}

/* Tests keys that have the hashes hash_of(0), ... with the indices 1, ...: one key per pair. */
static void keys_of_hashes(Gpu *gpu, MurAtomicWidth width, uint64_t (*hash_of)(uint32_t),
                           uint32_t hashes, uint32_t indices) {
    Multi multi;
    multi_open(gpu, &multi, 2000, width, 0);
    uint64_t keys[MOST];
    for (uint32_t i = 0; i < hashes * indices; ++i) {
        keys[i] = key_with(&multi, hash_of(i / indices), 1 + i % indices);
    }
    multi.keys = keys;
    come_and_go(&multi, hashes * indices);
    multi_close(&multi);
}

static uint64_t marker_hash(uint32_t i) {
    static const uint32_t halves[] = {0, MUR_EMPTY, MUR_TOMB, 1, 5};
    return (uint64_t)halves[i / 5] << 32 | halves[i % 5];
}

/* Hashes consist of sentinel words, in entries with numbers of ordinals and with values. */
BOTH_WIDTHS_OF_WIDE_KEYS(hashes_that_are_sentinels) {
    keys_of_hashes(gpu, width, marker_hash, 25, 4);
}

static uint64_t any_hash(uint32_t i) {
    return i % 4 == 0 ? (uint64_t)i << 32 : mur_hash64(i, 99);
}

/* Entries of many keys have the same 64-bit hash and differ only in their indices. */
BOTH_WIDTHS_OF_WIDE_KEYS(hashes_that_are_equal) {
    keys_of_hashes(gpu, width, any_hash, 20, 6);
}

/* An extract returns the key and the value word of each entry. Only the index in the slot
 * distinguishes a number of ordinals from a value. */
BOTH_WIDTHS_OF_WIDE_KEYS(extract_of_wide_keys) {
    Multi multi;
    multi_open(gpu, &multi, 300, width, 0);
    multi_insert(&multi, 3, (const MultiPair[]){{5, 10}, {5, 20}, {UINT32_MAX, 30}});
    uint64_t keys[8];
    uint32_t words[8], count = 0;
    gpu_require(
        murBlockingExtract(gpu->blocking, multi.table, 0, NULL, 8, keys, words, NULL, &count));
    assert_int_equal(count, 5);
    uint32_t of5 = 0, sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        of5 += keys[i] == multi_key(&multi, 5);
        assert_true(keys[i] == multi_key(&multi, 5) || keys[i] == UINT64_MAX);
        sum += words[i];
    }
    assert_int_equal(of5, 3);
    assert_int_equal(sum, 2 + ~10u + ~20u + 1 + ~30u);
    const MurPredicate numbers = {
        .word = MUR_PREDICATE_INDEX, .compare = MUR_COMPARE_EQUAL, .reference = 1};
    gpu_require(
        murBlockingExtract(gpu->blocking, multi.table, 1, &numbers, 8, keys, words, NULL, &count));
    assert_int_equal(count, 2);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(words[i], keys[i] == UINT64_MAX ? 1 : 2);
    }
    multi_close(&multi);
}
