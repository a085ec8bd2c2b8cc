/* Erasing pairs and keys of a multi-value table.
 *
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include <stdlib.h>

/* Erases short keys, a long key, an absent key, and one key twice. Then inserts all pairs again. */
BOTH_WIDTHS(erased_keys) {
    enum { LONG = 1000, PAIRS = LONG + 300 };
    static const uint32_t keys[] = {5, 0, UINT32_MAX, 1234, 5, 17};
    MultiPair *pairs = test_allocate(PAIRS * sizeof *pairs);
    for (uint32_t i = 0; i < PAIRS; ++i) {
        pairs[i] = (MultiPair){i < LONG ? UINT32_MAX : i % 20, i};
    }
    Multi multi;
    multi_open(gpu, &multi, PAIRS + 21, width, 0);
    uint32_t rest[20];
    for (uint32_t i = 0; i < 20; ++i) {
        rest[i] = i;
    }
    for (uint32_t round = 0; round < 3; ++round) {
        /* Later rounds reuse the slots of erased pairs, so no insert reports full. */
        multi_insert(&multi, PAIRS, pairs);
        assert_int_equal(multi.full, 0);
        multi_erase(&multi, 200, pairs + 900);
        multi_erase_keys(&multi, 6, keys);
        multi_require_same(&multi, 6, keys);
        multi_require_same(&multi, 20, rest);
        multi_erase_keys(&multi, 20, rest);
        assert_int_equal(multi.count, 0);
    }
    multi_close(&multi);
    free(pairs);
}

/* If a batch erases a pair more often than it exists, exactly one erase per copy succeeds. */
BOTH_WIDTHS(copies_of_a_pair) {
    enum { COPIES = 300, ERASERS = 700 };
    MultiPair pairs[ERASERS];
    for (uint32_t i = 0; i < ERASERS; ++i) {
        pairs[i] = (MultiPair){3, 33};
    }
    const uint32_t key = 3;
    Multi multi;
    multi_open(gpu, &multi, 500, width, 0);
    multi_insert(&multi, COPIES, pairs);
    multi_insert(&multi, 1, &(MultiPair){3, 34});
    multi_require_same(&multi, 1, &key);
    multi_erase(&multi, 100, pairs);
    assert_int_equal(multi.count, COPIES - 100 + 1);
    multi_require_same(&multi, 1, &key);
    multi_erase(&multi, ERASERS, pairs);
    assert_int_equal(multi.count, 1);
    multi_require_same(&multi, 1, &key);
    multi_close(&multi);
}

/* Keys with fewer and with more values than the limit above which a whole workgroup processes one
 * key. Some of the values are erased. */
BOTH_WIDTHS(long_keys_with_holes) {
    static const uint32_t lengths[] = {15, 16, 17, 255, 256, 257, 600, 1, 2};
    enum { KEYS = 9 };
    MultiPair pairs[600], gone[600];
    uint32_t keys[KEYS + 3];
    Multi multi;
    multi_open(gpu, &multi, 4000, width, 0);
    for (uint32_t k = 0; k < KEYS; ++k) {
        keys[k] = 100 + k;
        uint32_t erased = 0;
        for (uint32_t i = 0; i < lengths[k]; ++i) {
            pairs[i] = (MultiPair){keys[k], 1000 * k + i};
            if (i % 3 == 0 || i == lengths[k] - 1) {
                gone[erased++] = pairs[i];
            }
        }
        multi_insert(&multi, lengths[k], pairs);
        multi_erase(&multi, erased, gone);
    }
    keys[KEYS] = keys[5]; /* two long keys are twice in the batch; nothing of this key is erased */
    keys[KEYS + 1] = keys[6];
    keys[KEYS + 2] = 99;
    multi_insert(&multi, 3, (const MultiPair[]){{99, 1}, {99, 2}, {100, 3}});
    multi_require_same(&multi, KEYS + 3, keys);
    multi_close(&multi);
}

BOTH_WIDTHS(random_sequences) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        Multi multi;
        multi_open(gpu, &multi, 20000, width, 0);
        multi_random_sequence(&multi, seed);
        multi_close(&multi);
    }
}

BOTH_WIDTHS(rehash_and_compact) {
    enum { KEYS = 50, PAIRS = 900 };
    MultiPair pairs[PAIRS];
    uint32_t keys[KEYS];
    multi_take_turns(pairs, PAIRS, keys, KEYS);
    Multi multi, other;
    multi_open(gpu, &multi, PAIRS + KEYS, width, 0);
    multi_open(gpu, &other, 5000, width, 0);
    multi_insert(&multi, PAIRS, pairs);
    multi_erase(&multi, 130, pairs);
    GpuBuffer scratch = gpu_device_buffer(
        gpu, murGetScratchSize(multi.table, MUR_COMMAND_COMPACT, 0, NULL));
    const MurRehash arguments = {.scratch = gpu_array(&scratch)};
    gpu_begin(gpu);
    gpu_require(murCmdCompact(gpu->cmd, multi.table, &arguments));
    gpu_require(murCmdBarrier(gpu->cmd, multi.table));
    gpu_require(murCmdRehash(gpu->cmd, multi.table, other.table, NULL));
    gpu_submit(gpu);
    multi_require_same(&multi, KEYS, keys);
    /* From here on, the test uses a second table with the same content. */
    const MurTable table = multi.table;
    multi.table = other.table;
    other.table = table;
    multi_require_same(&multi, KEYS, keys);
    multi_insert(&multi, 300, pairs);
    multi_require_same(&multi, KEYS, keys);
    gpu_free(gpu, &scratch);
    multi_close(&multi);
    multi_close(&other);
}
