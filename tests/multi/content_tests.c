/* Content of a multi-value table after random changes, and after inserts of special batches.
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include <stdlib.h>

BOTH_WIDTHS(random_sequences) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        Multi multi;
        multi_open(gpu, &multi, 20000, width, 0);
        multi_random_sequence(&multi, seed);
        multi_close(&multi);
    }
}

/* A workgroup stores keys in a hash set. All keys of this case get one offset in it. */
BOTH_WIDTHS(equal_keys_in_a_workgroup) {
    MultiPair pairs[1024];
    uint32_t keys[64];
    for (uint32_t i = 0; i < 64; ++i) {
        keys[i] = i * 0x0E8B2F51u; /* the hash set's multiplier maps all to offset 0 */
    }
    for (uint32_t i = 0; i < 1024; ++i) {
        pairs[i] = (MultiPair){keys[i * i % 64], i};
    }
    Multi multi;
    multi_open(gpu, &multi, 1100, width, 0);
    multi_insert(&multi, 1024, pairs);
    assert_int_equal(multi.count, 1024);
    multi_require_same(&multi, 64, keys);
    multi_close(&multi);
}

/* If results do not fit, values up to the array's end are complete. Later words are unchanged. */
BOTH_WIDTHS(too_small_results_are_cut_off) {
    enum { KEYS = 40, PAIRS = 700 };
    MultiPair pairs[PAIRS];
    uint32_t keys[KEYS];
    for (uint32_t i = 0; i < PAIRS; ++i) {
        pairs[i] = (MultiPair){i % 7 == 0 ? 5 : i % KEYS, i};
    }
    for (uint32_t i = 0; i < KEYS; ++i) {
        keys[i] = i;
    }
    Multi multi;
    multi_open(gpu, &multi, PAIRS + KEYS, width, 0);
    multi_insert(&multi, PAIRS, pairs);
    for (uint32_t holes = 0; holes < 2; ++holes) {
        MultiResult all = multi_retrieve(&multi, KEYS, keys, UINT32_MAX, PAIRS);
        assert_int_equal(all.total, multi.count);
        const uint32_t rooms[] = {0, 1, 2, 255, 256, 257, all.total - 1, all.total, PAIRS + 50};
        for (uint32_t r = 0; r < sizeof rooms / sizeof rooms[0]; ++r) {
            MultiResult some = multi_retrieve(&multi, KEYS, keys, UINT32_MAX, rooms[r]);
            assert_int_equal(some.total, all.total);
            assert_memory_equal(some.offsets, all.offsets, 4 * (KEYS + 1));
            for (uint32_t i = 0; i < rooms[r] + MULTI_MARGIN; ++i) {
                const bool written = i < rooms[r] && i < all.total;
                if (written
                        ? some.indices[i] != all.indices[i] ||
                              (!holes && some.values[i] != all.values[i])
                        : some.values[i] != MULTI_UNTOUCHED || some.indices[i] != MULTI_UNTOUCHED) {
                    fail_msg("room %u, value %u: %u of query %u", rooms[r], i, some.values[i],
                             some.indices[i]);
                }
            }
            multi_free(&some);
        }
        multi_free(&all);
        multi_erase(&multi, 50, pairs); /* the next round has ordinals without values */
    }
    multi_close(&multi);
}

BOTH_WIDTHS(fewer_keys_by_count) {
    Multi multi;
    multi_open(gpu, &multi, 200, width, 0);
    multi_insert(&multi, 5, (const MultiPair[]){{1, 10}, {2, 20}, {2, 21}, {3, 30}, {3, 31}});
    uint32_t keys[600];
    for (uint32_t i = 0; i < 600; ++i) {
        keys[i] = i % 3 + 1; /* keys with 1, 2 and 2 values */
    }
    static const uint32_t counts[] = {0, 1, 2, 255, 256, 257, 600, 601, UINT32_MAX - 1};
    for (uint32_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        const uint32_t count = counts[c] < 600 ? counts[c] : 600;
        const uint32_t total = count / 3 * 5 + (count % 3 == 0 ? 0 : count % 3 == 1 ? 1 : 3);
        MultiResult result = multi_retrieve(&multi, 600, keys, counts[c], 2000);
        assert_int_equal(result.total, total);
        assert_int_equal(result.offsets[count], total);
        for (uint32_t i = count + 1; i <= 600; ++i) {
            assert_int_equal(result.offsets[i], MULTI_UNTOUCHED);
        }
        for (uint32_t i = 0; i < 2000; ++i) {
            const uint32_t query = result.indices[i];
            if (i < total ? query >= count || result.values[i] / 10 != keys[query]
                          : result.values[i] != MULTI_UNTOUCHED) {
                fail_msg("%u keys, value %u: %u of query %u", count, i, result.values[i], query);
            }
        }
        multi_free(&result);
    }
    multi_close(&multi);
}

/* The number of queries is so large that the sum over all workgroups needs several steps. */
GPU_TEST(very_many_queries) {
    enum { QUERIES = 2 * 2048 * 256 + 777 };
    Multi multi;
    multi_open(gpu, &multi, 3000, MUR_ATOMIC_WIDTH_32, 0);
    MultiPair pairs[2000];
    for (uint32_t i = 0; i < 2000; ++i) {
        pairs[i] = (MultiPair){i % 400, i}; /* 5 values per key */
    }
    multi_insert(&multi, 2000, pairs);
    uint32_t *keys = test_allocate(4 * (size_t)QUERIES);
    for (uint32_t i = 0; i < QUERIES; ++i) {
        keys[i] = i % 10 == 0 ? i / 10 % 400 : 1000 + i;
    }
    const uint32_t total = (QUERIES + 9) / 10 * 5;
    MultiResult result = multi_retrieve(&multi, QUERIES, keys, UINT32_MAX, total);
    assert_int_equal(result.total, total);
    for (uint32_t i = 0; i <= QUERIES; ++i) {
        if (result.offsets[i] != (i + 9) / 10 * 5) {
            fail_msg("offset %u is %u, expected %u", i, result.offsets[i], (i + 9) / 10 * 5);
        }
    }
    for (uint32_t i = 0; i < total; ++i) {
        const uint32_t query = result.indices[i];
        if (query != i / 5 * 10 || result.values[i] % 400 != keys[query]) {
            fail_msg("value %u is %u of query %u", i, result.values[i], query);
        }
    }
    multi_free(&result);
    free(keys);
    multi_close(&multi);
}

/* Some items find the table full. Exactly the items that reported MUR_INSERTED must be present. */
BOTH_WIDTHS(full_table) {
    MultiPair pairs[1000];
    uint32_t keys[300];
    for (uint32_t i = 0; i < 1000; ++i) {
        pairs[i] = (MultiPair){i / 3 % 250, i}; /* equal keys are adjacent */
    }
    for (uint32_t i = 0; i < 300; ++i) {
        keys[i] = i;
    }
    for (uint64_t limit = 4; limit <= 256; limit *= 64) {
        Multi multi;
        multi_open(gpu, &multi, 256, width, limit);
        multi_insert(&multi, 1000, pairs);
        assert_true(multi.full > 0 && multi.count > 0 && multi.count + multi.full == 1000);
        multi_require_same(&multi, 300, keys);
        multi_insert(&multi, 100, pairs);
        multi_require_same(&multi, 300, keys);
        multi_close(&multi);
    }
}

/* Each value of a key gets an ordinal: 0, 1, ... in the order of inserts. A key has at most as many
 * ordinals as the table has slots. Only an erase of the key frees ordinals. */
BOTH_WIDTHS(key_without_ordinals_reports_full) {
    Multi multi;
    multi_open(gpu, &multi, 8, width, 0);
    const uint32_t slots = murGetTableRef(multi.table).slotCount, key = 9;
    for (uint32_t i = 0; i < slots + 3; ++i) {
        multi_insert(&multi, 1, &(MultiPair){key, i});
        multi_erase(&multi, 1, &(MultiPair){key, i});
        multi_require_same(&multi, 1, &key);
    }
    assert_true(multi.full >= 3);
    assert_int_equal(multi.count, 0);
    multi_erase_keys(&multi, 1, &key);
    const uint64_t before = multi.full;
    multi_insert(&multi, 2, (const MultiPair[]){{key, 1}, {key, 2}});
    assert_int_equal(multi.full, before);
    multi_require_same(&multi, 1, &key);
    multi_close(&multi);
}

/* A key that was given as many ordinals as the table has slots rejects inserts permanently. Its
 * counter is not incremented any more, so it cannot wrap, and the key's values remain. Other keys
 * are not affected. */
static void full_for_good(Gpu *gpu, MurAtomicWidth width, uint32_t number) {
    enum { FULL = 7, HAD = 10, ITEMS = 600 };
    Multi multi;
    multi_open(gpu, &multi, 2000, width, 0);
    MultiPair pairs[ITEMS];
    for (uint32_t i = 0; i < HAD; ++i) {
        pairs[i] = (MultiPair){FULL, 100 + i};
    }
    multi_insert(&multi, HAD, pairs);
    assert_int_equal(multi_number(&multi, FULL, NULL), HAD);
    multi_number(&multi, FULL, &number);
    /* Round 0 inserts many values for the key that becomes full. In round 1, only some items have
     * this key. In round 2, the batch has one item, with this key. */
    for (uint32_t round = 0; round < 3; ++round) {
        const uint32_t items = round == 2 ? 1 : ITEMS;
        uint32_t refused = 0;
        for (uint32_t i = 0; i < items; ++i) {
            const bool own = round != 1 || i % 50 == 0;
            pairs[i] = (MultiPair){own ? FULL : 1000 + i, i};
            refused += own;
        }
        const uint64_t full = multi.full;
        multi_insert(&multi, items, pairs);
        assert_int_equal(multi.full - full, refused);
        assert_int_equal(multi_model_count(&multi, FULL), HAD);
        assert_int_equal(multi_number(&multi, FULL, NULL), number);
        multi_require_same(&multi, 4, (const uint32_t[]){FULL, 1001, 1599, 5});
    }
    const MurStats stats = gpu_stats(gpu, multi.table);
    assert_int_equal(stats.failedInserts, multi.full);
    multi_erase_keys(&multi, 1, (const uint32_t[]){FULL});
    multi_insert(&multi, 1, &(MultiPair){FULL, 5});
    assert_int_equal(multi_model_count(&multi, FULL), 1);
    multi_require_same(&multi, 2, (const uint32_t[]){FULL, 1001});
    multi_close(&multi);
}

BOTH_WIDTHS(full_keys_stay_full) {
    const MurTableCreateInfo like = {.capacity = 2000, .type = murTypeK64V32()};
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &like, &needs));
    /* The test sets the flag MUR_MULTI_HOLES, as the first rejected insert would. Without this
     * flag, counts would include the key's unused ordinals. */
    const uint32_t numbers[] = {needs.slotCount, needs.slotCount + 1000, 0x7EFFFFFF, 0x7FFFFFFF};
    for (uint32_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        full_for_good(gpu, width, MUR_MULTI_HOLES | numbers[i]);
    }
}

/* Some items of one batch use the last ordinals of a key. The other items get no ordinal, although
 * the table has free slots. */
BOTH_WIDTHS(batch_takes_the_last_ordinals_of_a_key) {
    enum { LAST = 7, LEFT = 3, ITEMS = 300 };
    Multi multi;
    multi_open(gpu, &multi, 2000, width, 0);
    const uint32_t number = MUR_MULTI_HOLES | (murGetTableRef(multi.table).slotCount - LEFT);
    MultiPair pairs[ITEMS];
    for (uint32_t i = 0; i < ITEMS; ++i) {
        pairs[i] = (MultiPair){LAST, i};
    }
    multi_insert(&multi, 1, &(MultiPair){LAST, 1000});
    multi_number(&multi, LAST, &number);
    multi_insert(&multi, ITEMS, pairs);
    assert_int_equal(multi.full, ITEMS - LEFT);
    assert_int_equal(multi_model_count(&multi, LAST), 1 + LEFT);
    multi_require_same(&multi, 2, (const uint32_t[]){LAST, 5});
    multi_close(&multi);
}

BOTH_WIDTHS(inserts_need_no_statuses) {
    enum { KEYS = 7, PAIRS = 500 };
    Multi multi;
    multi_open(gpu, &multi, 2 * PAIRS, width, 0);
    GpuBuffer buffer = gpu_buffer(gpu, 4 * 3 * PAIRS);
    uint32_t *values = buffer.mapped, keys[PAIRS];
    for (uint32_t i = 0; i < PAIRS; ++i) {
        keys[i] = i % KEYS;
        values[i] = i;
        multi_model_add(&multi, (MultiPair){keys[i], i});
    }
    multi_write_keys(&multi, values + PAIRS, PAIRS, keys);
    const MurBatch batch = {.maxCount = PAIRS,
                            .keys = gpu_part(&buffer, PAIRS, 2 * PAIRS),
                            .values = gpu_part(&buffer, 0, PAIRS)};
    GPU_RUN(gpu, murCmdMultiInsert(gpu->cmd, multi.table, &batch));
    multi_require_same(&multi, KEYS, keys);
    gpu_free(gpu, &buffer);
    multi_close(&multi);
}
