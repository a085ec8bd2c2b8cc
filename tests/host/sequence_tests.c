/* Runs random sequences of host operations in one thread and in the oracle, for every table type.
 * Compares each result, and regularly every byte of table memory.
 * SPDX-License-Identifier: MIT */
#include "support/image.h"

#include "oracle/bulk.h"
#include "oracle/oracle.h"
#include "property/sequence.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 2000, OPERATIONS = 160, BATCH = 40, KEYS = 256 };

typedef struct Run {
    uint64_t seed;
    Random random;
    uint32_t step;
    const TableKind *kind;
    MurTableCreateInfo info;
    Image image;
    Oracle oracle;
    uint32_t keyCount;
    uint64_t keys[KEYS];
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
    return random_below(&run->random, bound);
}

static void open_run(Run *run, uint64_t seed) {
    *run = (Run){.seed = seed, .random = {seed * 0xD1342543DE82EF95ull}};
    run->kind = &table_kinds[below(run, ALL_KINDS)];
    const ProbeLimit limit = (ProbeLimit)below(run, LIMIT_COUNT);
    const TableSpec spec = random_table(&run->random, run->kind, limit);
    run->info = table_info(&spec);
    run->image = image_open(&run->info);
    const MurTableRef *ref = &run->image.table.ref;
    const OracleConfig config = table_config(&spec);
    check(run, ref->slotCount, config.slotCount);
    oracle_open(&run->oracle, &config);
    check(run, ref->probeSectors, run->oracle.probeSectors);
    if (spec.ordered) {
        run->oracle.ordered = true;
        ((uint32_t *)run->image.table.pImage)[MUR_HEADER_STATE] = MUR_STATE_ORDERED;
    }
    run->keyCount = random_keys(&run->random, &spec, run->keys, KEYS);
}

static uint64_t any_key(Run *run) {
    return run->keys[below(run, run->keyCount)];
}

static uint64_t any_value(Run *run) {
    return random_value(&run->random, run->kind);
}

static void check_image(Run *run) {
    const size_t words = oracle_image_words(&run->oracle);
    check(run, 4 * words, run->image.size);
    uint32_t *expected = test_allocate(4 * words);
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
    uint32_t entries = 0;
    for (MurHostEntry entry = {0}, last = {0}; murHostNextEntry(&run->image.table, &entry);
         ++entries) {
        uint64_t key, value;
        assert_true(entries == 0 || entry.slot > last.slot);
        assert_true(oracle_entry(&run->oracle, entry.slot, &key, &value));
        check(run, entry.key, key);
        check(run, entry.value, value);
        last = entry;
    }
    check(run, entries, model.live);
}

/* ---- Steps of a sequence --------------------------------------------------------------------- */

typedef enum Verb { INSERT, FIND, ERASE, VERBS } Verb;

static OracleResult expect(Run *run, Verb verb, uint32_t mode, uint64_t key, uint64_t value) {
    return verb == INSERT ? oracle_insert(&run->oracle, mode, key, value)
           : verb == FIND ? oracle_find(&run->oracle, key)
                          : oracle_erase(&run->oracle, key);
}

static void run_one(Run *run, Verb verb) {
    const MurHostTable *table = &run->image.table;
    const uint32_t mode = below(run, MUR_MODE_UPDATE + 1);
    const uint64_t key = any_key(run), value = any_value(run);
    const OracleResult expected = expect(run, verb, mode, key, value);
    const MurHostResult got = verb == INSERT ? murHostInsert(table, (MurInsertMode)mode, key, value)
                              : verb == FIND ? murHostFind(table, key)
                                             : murHostErase(table, key);
    check(run, got.status, expected.status);
    check(run, got.slot, expected.slot);
    check(run, got.value, expected.value);
}

static void exchange_one(Run *run) {
    const uint32_t slot = below(run, run->oracle.slots + 2);
    const uint64_t value = any_value(run);
    const uint64_t expected = kind_is_set(run->kind) ? 0
                                                     : oracle_exchange(&run->oracle, slot, value);
    check(run, murHostSlotExchange(&run->image.table, slot, value), expected);
}

/* Runs a batch. The host processes items in order, so the oracle can do the same. Omits some
 * optional arrays. */
static void run_batch(Run *run) {
    const MurHostTable *table = &run->image.table;
    const uint32_t count = below(run, BATCH + 1), mode = below(run, MUR_MODE_UPDATE + 1);
    const Verb verb = (Verb)below(run, VERBS);
    const uint32_t done[VERBS] = {MUR_INSERTED, MUR_FOUND, MUR_ERASED};
    const bool set = kind_is_set(run->kind);
    Bulk bulk = bulk_open(run->kind->format, BATCH), olds = bulk_open(run->kind->format, BATCH);
    OracleResult expected[BATCH];
    size_t told = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = any_key(run), value = any_value(run);
        bulk_set(&bulk, i, key, value);
        expected[i] = expect(run, verb, mode, key, value);
        told += expected[i].status == done[verb];
    }
    uint32_t *statuses = below(run, 4) ? bulk.statuses : NULL;
    uint32_t *slots = below(run, 4) ? bulk.slots : NULL;
    const bool withOlds = verb == INSERT && below(run, 2);
    const size_t got = verb == INSERT
                           ? murHostInsertBatch(
                                 table, (MurInsertMode)mode, count, bulk.keys, bulk_values(&bulk),
                                 withOlds ? bulk_values(&olds) : NULL, statuses, slots)
                           : (verb == FIND ? murHostFindBatch : murHostEraseBatch)(
                                 table, count, bulk.keys, bulk_values(&bulk), statuses, slots);
    check(run, got, told);
    for (uint32_t i = 0; i < count; ++i) {
        check(run, statuses ? statuses[i] : expected[i].status, expected[i].status);
        check(run, slots ? slots[i] : expected[i].slot, expected[i].slot);
        if (!set && (verb != INSERT || withOlds)) {
            check(run, bulk_value(verb == INSERT ? &olds : &bulk, i), expected[i].value);
        }
    }
    bulk_close(&bulk);
    bulk_close(&olds);
}

/* Changes a bucketed table in one of three ways: rebuilds its filter by a host call; adds bits to
 * the back filter and swaps the filters; or writes ages to all slots. (Shaders do the last two.) */
static void run_step_of_buckets(Run *run) {
    Oracle *oracle = &run->oracle;
    const MurTableRef *ref = &run->image.table.ref;
    uint32_t *words = run->image.table.pImage;
    const uint32_t filterWords = oracle->config.slotCount / 32;
    const uint32_t choice = below(run, 4), now = oracle->filter;
    if (choice == 0) {
        murHostRebuildFilter(&run->image.table);
        oracle_rebuild(oracle);
    } else if (choice == 1) {
        uint32_t *filters = words + MUR_FILTER_START(type_format(run->info.type), ref->flags,
                                                     ref->slotCount);
        for (uint32_t i = 0; i < filterWords; ++i) {
            const uint32_t more = oracle->filters[now * filterWords + i] | 1u << i % 32;
            oracle->filters[(now ^ 1) * filterWords + i] = filters[(now ^ 1) * filterWords + i] =
                more;
            /* Clears the new back filter, which no lookup reads. */
            oracle->filters[now * filterWords + i] = filters[now * filterWords + i] = 0;
        }
        oracle->filter = now ^ 1;
        words[MUR_HEADER_STATE] ^= MUR_STATE_FILTER;
    } else if (run->info.flags & MUR_TABLE_AGES) {
        uint32_t *ages = words +
                         MUR_AGES_START(type_format(run->info.type), ref->flags, ref->slotCount);
        for (uint32_t slot = 0; slot < oracle->slots; ++slot) {
            oracle->ages[slot] = ages[slot] = below(run, 5);
        }
    }
}

static void run_step(Run *run) {
    const uint32_t choice = below(run, 100);
    if (run->kind->flags && choice < 6) {
        run_step_of_buckets(run);
    } else if (choice < 80) {
        run_one(run, choice < 40 ? INSERT : choice < 60 ? FIND : ERASE);
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

PLAIN_TEST(results_and_bytes_agree_with_the_oracle) {
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
