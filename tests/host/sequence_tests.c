/* Seeded sequences of operations by one thread against the oracle: each result, and now and then
 * every byte of the image.
 *
 * SPDX-License-Identifier: MIT */
#include "host_test.h"

#include "oracle/oracle.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 1500, OPERATIONS = 160, BATCH = 40, KEYS = 256 };

typedef struct Run {
    uint64_t seed;
    uint64_t random;
    uint32_t step;
    MurTableCreateInfo info;
    Image image;
    Oracle oracle;
    uint32_t keyCount;
    uint32_t keys[KEYS];
} Run;

#define check(run, got, expected)                                                   \
    do {                                                                            \
        const uint64_t got_ = (got), expected_ = (expected);                        \
        if (got_ != expected_) {                                                    \
            fail_msg("sequence seed %llu, step %u, line %d, %s: %s is 0x%llx, not " \
                     "0x%llx",                                                      \
                     (unsigned long long)(run)->seed, (run)->step, __LINE__,        \
                     image_text(&(run)->info), #got, (unsigned long long)got_,      \
                     (unsigned long long)expected_);                                \
        }                                                                           \
    } while (0)

static uint32_t below(Run *run, uint32_t bound) {
    return image_below(&run->random, bound);
}

/* Keys of one sequence: anywhere, or in few homes, or at the table's end; and the odd ones. */
static void make_keys(Run *run) {
    const uint32_t capacity = (uint32_t)run->info.capacity;
    const uint32_t kind = below(run, 4);
    run->keyCount = 1 + below(run, capacity < KEYS / 2 ? 2 * capacity + 2 : KEYS);
    run->keyCount = run->keyCount > KEYS ? KEYS : run->keyCount;
    for (uint32_t i = 0; i < run->keyCount; ++i) {
        uint32_t hash = (uint32_t)image_random(&run->random);
        if (kind == 1) {
            hash = hash >> 8 | (hash & 0xC0) << 24;
        } else if (kind == 2) {
            hash = UINT32_MAX - hash % (1 + below(run, 1000));
        } else if (kind == 3 && i % 8 == 0) {
            hash = UINT32_MAX - i / 8 % 3;
        }
        run->keys[i] = oracle_key(hash, run->info.seed);
    }
}

static void open_run(Run *run, uint64_t seed) {
    static const uint64_t capacities[] = {1, 2, 3, 4, 5, 8, 17, 64, 100, 128};
    *run = (Run){.seed = seed, .random = seed};
    run->info = image_kind((int)below(run, IMAGE_KINDS), capacities[below(run, 10)]);
    run->info.seed = (uint32_t)image_random(&run->random);
    const uint64_t limits[] = {0, 1, 5, run->info.capacity};
    run->info.probeLimit = limits[below(run, 4)];
    run->image = image_open(&run->info);
    const OracleConfig config = {
        .capacity = (uint32_t)run->info.capacity,
        .slotCount = run->image.table.ref.slotCount,
        .seed = run->info.seed,
        .probeLimit = run->info.probeLimit,
        .zero = run->info.reservedValue == MUR_RESERVED_VALUE_ZERO,
        .wide = run->info.atomicWidth == MUR_ATOMIC_WIDTH_64,
    };
    oracle_open(&run->oracle, &config);
    make_keys(run);
}

static uint32_t any_key(Run *run) {
    return run->keys[below(run, run->keyCount)];
}

static uint32_t any_value(Run *run) {
    static const uint32_t values[] = {0, 1, 2, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
    return below(run, 4) == 0 ? values[below(run, 6)] : below(run, 50);
}

static void check_image(Run *run) {
    const size_t words = oracle_image_words(&run->oracle);
    check(run, 4 * words, run->image.size);
    uint32_t *expected = malloc(4 * words);
    assert_non_null(expected);
    oracle_image(&run->oracle, expected);
    const uint32_t *got = run->image.table.pImage;
    for (size_t i = 0; i < words; ++i) {
        if (got[i] != expected[i]) {
            fail_msg("sequence seed %llu, step %u, %s: word %zu of the image is 0x%x, not 0x%x",
                     (unsigned long long)run->seed, run->step, image_text(&run->info), i, got[i],
                     expected[i]);
        }
    }
    free(expected);
    MurStats stats;
    murHostStats(&run->image.table, &stats);
    const MurStats model = oracle_stats(&run->oracle);
    assert_memory_equal(&stats, &model, sizeof stats);
    uint32_t slot = 0;
    for (MurHostEntry entry = {0}; murHostNext(&run->image.table, &entry); ++slot) {
        while (run->oracle.slots[slot].value == run->oracle.none) {
            ++slot;
        }
        check(run, entry.slot, slot);
        check(run, entry.key, run->oracle.slots[slot].key);
        check(run, entry.value, run->oracle.slots[slot].value);
    }
    for (; slot <= run->oracle.config.slotCount; ++slot) {
        check(run, run->oracle.slots[slot].value, run->oracle.none);
    }
}

/* ---- Operations ------------------------------------------------------------------------------ */

static void insert_one(Run *run) {
    const uint32_t mode = below(run, 6);
    const uint32_t key = any_key(run);
    const uint32_t value = any_value(run);
    const uint32_t before = oracle_value(&run->oracle, key);
    const OracleResult expected = oracle_insert(&run->oracle, mode, key, value);
    const MurHostResult got = murHostInsert(&run->image.table, (MurInsertMode)mode, key, value);
    check(run, got.status, expected.status);
    check(run, got.slot, expected.slot);
    check(run, got.value, expected.status == MUR_EXISTED ? before : run->oracle.none);
}

static void find_one(Run *run) {
    const uint32_t key = any_key(run);
    const OracleResult expected = oracle_find(&run->oracle, key);
    const MurHostResult got = murHostFind(&run->image.table, key);
    check(run, got.status, expected.status);
    check(run, got.slot, expected.slot);
    check(run, got.value, expected.value);
}

static void erase_one(Run *run) {
    const uint32_t key = any_key(run);
    const OracleResult expected = oracle_erase(&run->oracle, key);
    const MurHostResult got = murHostErase(&run->image.table, key);
    check(run, got.status, expected.status);
    check(run, got.slot, expected.slot);
    check(run, got.value, expected.value);
}

static void exchange_one(Run *run) {
    const uint32_t slot = below(run, run->oracle.config.slotCount + 3);
    const uint32_t value = any_value(run);
    const uint32_t expected = oracle_exchange(&run->oracle, slot, value);
    check(run, murHostSlotExchange(&run->image.table, slot, value), expected);
}

/* A batch runs in order, so the oracle can follow. Some arrays are left out. */
static void run_batch(Run *run) {
    const MurHostTable *table = &run->image.table;
    uint32_t keys[BATCH], given[BATCH], values[BATCH], statuses[BATCH], slots[BATCH];
    const uint32_t count = below(run, BATCH + 1);
    const uint32_t mode = below(run, 6);
    const uint32_t verb = below(run, 3);
    const uint32_t done[] = {MUR_INSERTED, MUR_FOUND, MUR_ERASED};
    const bool withStatuses = below(run, 4) != 0;
    const bool withSlots = below(run, 4) != 0;
    OracleResult expected[BATCH];
    size_t told = 0;
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = any_key(run);
        given[i] = any_value(run);
        expected[i] = verb == 0   ? oracle_insert(&run->oracle, mode, keys[i], given[i])
                      : verb == 1 ? oracle_find(&run->oracle, keys[i])
                                  : oracle_erase(&run->oracle, keys[i]);
        told += expected[i].status == done[verb];
    }
    uint32_t *pStatuses = withStatuses ? statuses : NULL;
    uint32_t *pSlots = withSlots ? slots : NULL;
    const size_t got = verb == 0 ? murHostInsertBatch(table, (MurInsertMode)mode, count, keys,
                                                      given, NULL, pStatuses, pSlots)
                       : verb == 1
                           ? murHostFindBatch(table, count, keys, values, pStatuses, pSlots)
                           : murHostEraseBatch(table, count, keys, values, pStatuses, pSlots);
    check(run, got, told);
    for (uint32_t i = 0; i < count; ++i) {
        if (withStatuses) {
            check(run, statuses[i], expected[i].status);
        }
        if (withSlots) {
            check(run, slots[i], expected[i].slot);
        }
        if (verb != 0) {
            check(run, values[i], expected[i].value);
        }
    }
}

static void run_step(Run *run) {
    const uint32_t choice = below(run, 100);
    if (choice < 40) {
        insert_one(run);
    } else if (choice < 60) {
        find_one(run);
    } else if (choice < 80) {
        erase_one(run);
    } else if (choice < 88) {
        exchange_one(run);
    } else if (choice < 99) {
        run_batch(run);
    } else if (below(run, 4) == 0) {
        murHostClear(&run->image.table);
        oracle_clear(&run->oracle);
    }
    if (run->step % 16 == 0) {
        check_image(run);
    }
}

static void every_result_and_byte_is_the_oracles(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SEQUENCES; ++seed) {
        Run run;
        open_run(&run, test_seed(seed));
        for (run.step = 0; run.step < OPERATIONS; ++run.step) {
            run_step(&run);
        }
        check_image(&run);
        oracle_close(&run.oracle);
        image_close(&run.image);
    }
}

int sequence_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_result_and_byte_is_the_oracles)};
    return cmocka_run_group_tests_name("host: sequences", tests, NULL, NULL);
}
