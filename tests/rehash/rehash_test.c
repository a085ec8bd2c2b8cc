/* murCmdRehash: tables of every size and state into tables of every size; murCmdCompact.
 *
 * SPDX-License-Identifier: MIT */
#include "rehash_check.h"
#include "support/seed.h"

/* Of the cases of a sweep that are alike: all, or every second one in the normal tier. */
static uint32_t first_of(void) {
    return test_full() ? 0 : 1;
}

static uint32_t after(uint32_t i) {
    return i + (test_full() ? 1 : 2);
}

static void capacities(Gpu *gpu, Layout layout) {
    static const uint32_t from[] = {100, 60, 7, 1000, 1, 4099};
    for (uint32_t i = first_of(); i < (test_full() ? 6 : 4); i = after(i)) {
        const uint32_t count = (from[i] + 1) / 2;
        const uint32_t to[] = {count, from[i] - from[i] / 3, from[i], 2 * from[i] + 1, 9 * from[i]};
        for (uint32_t k = 0; k < sizeof to / sizeof to[0]; ++k) {
            REHASH(.name = "capacities", .kind = layout_kind(layout, k % 2 == 0), .from = from[i],
                   .to = to[k], .count = count, .erased = 2,
                   .keys = k % 3 ? KEYS_HARD : KEYS_RANDOM, .newSeed = k == 3);
        }
    }
}

GPU_TEST(capacities_larger_equal_and_smaller) {
    for (Layout layout = 0; layout < LAYOUT_COUNT; ++layout) {
        const TableKind *kind = layout_kind(layout, false);
        if (gpu_offers(gpu, kind->format, kind->width)) {
            capacities(gpu, layout);
        }
    }
}

GPU_TEST(both_widths_reserved_values_and_seeds) {
    for (uint32_t i = 0; i < 2 * KINDS_WITH_WIDTHS; ++i) {
        const TableKind *from = &table_kinds[i / 2];
        const TableKind *to = i % 2 ? &table_kinds[i / 2 ^ 2] : from;
        const bool newSeed = (i / 4 + i) % 2 == 1;
        const RehashCase test = {.name = "kinds",
                                 .kind = from,
                                 .toKind = to,
                                 .from = 3000,
                                 .to = 5000,
                                 .count = 2000,
                                 .erased = 3,
                                 .extra = true,
                                 .newSeed = newSeed,
                                 .end = newSeed ? END_ANY : END_SPARSE};
        if (gpu_offers(gpu, from->format, from->width) && gpu_offers(gpu, to->format, to->width)) {
            rehash_check(gpu, &test);
        }
    }
}

GPU_TEST(out_of_buckets) {
    for (uint32_t i = 0; i < 2 * (ALL_KINDS - TABLE_KINDS); ++i) {
        if (!test_full() && (i / 2 + i) % 2 != 0) {
            continue; /* a kind with the one capacity or with the other */
        }
        const TableKind *from = &table_kinds[TABLE_KINDS + i / 2], *to = kind_without_buckets(from);
        const RehashCase test = {.name = "out of buckets",
                                 .kind = from,
                                 .toKind = to,
                                 .from = 5000, /* where all keys fit */
                                 .to = i % 2 ? 3000 : 600,
                                 .count = 2000,
                                 .erased = 3,
                                 .keys = i / 2 % 2 ? KEYS_RANDOM : KEYS_HARD,
                                 .extra = i / 2 % 2 == 1,
                                 .newSeed = i / 4 % 2 == 1,
                                 .overfull = i % 2 == 0};
        if (gpu_offers(gpu, from->format, from->width) && gpu_offers(gpu, to->format, to->width)) {
            rehash_check(gpu, &test);
        }
    }
}

GPU_TEST(loads_up_to_exactly_full) {
    static const uint32_t percent[] = {0, 1, 30, 50, 60, 80, 95, 100};
    for (uint32_t i = first_of(); i < sizeof percent / sizeof percent[0]; i = after(i)) {
        const uint32_t capacity = test_full() || percent[i] == 100 ? 20000 : 8000;
        const uint32_t count = capacity / 100 * percent[i];
        RehashCase test = {.name = "same capacity",
                           .from = capacity,
                           .to = capacity,
                           .count = count,
                           .end = percent[i] <= 50   ? END_SPARSE
                                  : percent[i] <= 95 ? END_DENSE
                                                     : END_DIRECT};
        rehash_check(gpu, &test);
        test.name = "twice the capacity";
        test.to = 2 * capacity;
        test.end = percent[i] <= 95 ? END_SPARSE : END_DIRECT; /* clusters are too long */
        rehash_check(gpu, &test);
        if (percent[i] <= 50) {
            test.name = "half the capacity";
            test.to = capacity / 2;
            test.end = percent[i] < 25 ? END_SPARSE : percent[i] <= 40 ? END_DENSE : END_DIRECT;
            rehash_check(gpu, &test);
        }
    }
}

EACH_LAYOUT(loads_of_every_kind) {
    static const uint32_t percent[] = {0, 20, 50, 80, 95, 100};
    const uint32_t unit = test_full() ? 90 : 30;
    for (uint32_t i = first_of(); i < sizeof percent / sizeof percent[0]; i = after(i)) {
        RehashCase test = {.name = "loads",
                           .kind = kind,
                           .from = 100 * unit,
                           .to = 100 * unit,
                           .count = unit * percent[i],
                           .erased = i % 2,
                           .keys = KEYS_HARD};
        rehash_check(gpu, &test);
        test.to = 200 * unit;
        rehash_check(gpu, &test);
        test.compact = true;
        test.erased = 5;
        rehash_check(gpu, &test);
    }
}

EACH_LAYOUT(long_clusters_and_what_does_not_fit) {
    const bool full = test_full();
    RehashCase test = {.name = "crowds",
                       .kind = kind,
                       .from = full ? 6000 : 1800,
                       .to = full ? 7000 : 2100,
                       .count = full ? 2500 : 700,
                       .erased = 4,
                       .keys = KEYS_ONE_HOME};
    rehash_check(gpu, &test);
    test.compact = true;
    rehash_check(gpu, &test);
    test.compact = false;
    test.overfull = true;
    test.limit = 100;
    rehash_check(gpu, &test);
    test.keys = KEYS_HARD;
    test.limit = 0;
    test.to = full ? 300 : 90;
    rehash_check(gpu, &test);
}

/* ---- The stream of K64V32 ------------------------------------------------------------------- */

/* From 32-bit to 64-bit atomics; compacts, too, if the capacity stays. */
static void streams(Gpu *gpu, const RehashCase *test, bool zero) {
    RehashCase both = *test;
    both.kind = layout_kind(LAYOUT_k64v32_32, zero);
    both.toKind = layout_kind(LAYOUT_k64v32_64, zero);
    if (!gpu_offers(gpu, MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64)) {
        both.toKind = both.kind;
    }
    rehash_check(gpu, &both);
    both.compact = test->from == test->to && !test->newSeed;
    if (both.compact) {
        rehash_check(gpu, &both);
    }
}

/* Capacities and counts of large tables are multiples of it. */
static uint32_t large_unit(void) {
    return test_full() ? 1000 : 400;
}

GPU_TEST(large_tables_stream) {
    static const uint32_t to[] = {120, 60, 35, 24};
    const uint32_t unit = large_unit();
    for (uint32_t i = 0; i < 4; ++i) {
        const RehashCase test = {.name = "large",
                                 .from = 60 * unit,
                                 .to = to[i] * unit,
                                 .count = (i == 3 ? 20 : 28) * unit,
                                 .erased = i < 3 ? i : 0,
                                 .keys = KEYS_HARD,
                                 .end = i < 2 ? END_SPARSE : END_DENSE};
        streams(gpu, &test, i % 2 == 1);
    }
    const RehashCase reseeded = {.name = "large, another seed",
                                 .from = 30 * unit,
                                 .to = 60 * unit,
                                 .count = 20 * unit,
                                 .keys = KEYS_HARD,
                                 .newSeed = true};
    streams(gpu, &reseeded, false);
}

/* Neighbouring workgroups must agree on which of them goes where. */
GPU_TEST(keys_with_one_high_half_stream) {
    static const uint32_t sharing[] = {2, 7, 30};
    const uint32_t unit = large_unit();
    for (uint32_t i = 0; i < 3; i += test_full() ? 1 : 2) {
        RehashCase test = {.name = "sharing",
                           .from = 60 * unit,
                           .to = 90 * unit,
                           .count = 25 * unit,
                           .erased = 1,
                           .sharing = sharing[i],
                           .end = sharing[i] < 30 ? END_SPARSE : END_ANY};
        streams(gpu, &test, false);
        test.to = 30 * unit;
        test.end = sharing[i] < 30 ? END_DENSE : END_ANY;
        streams(gpu, &test, false);
    }
}

GPU_TEST(what_no_stream_can_do_is_inserted) {
    RehashCase test = {.name = "no stream",
                       .from = 20000,
                       .to = 30000,
                       .count = test_full() ? 3000 : 1000,
                       .keys = KEYS_ONE_HOME,
                       .end = END_DIRECT};
    streams(gpu, &test, false);
    test.keys = KEYS_HARD;
    test.count = 19900;
    test.to = 20000;
    streams(gpu, &test, false);
}

/* ---- The streams of K32V32 ------------------------------------------------------------------ */

/* Full ones, too: what they read is no reason to give up. */
GPU_TEST(many_slices) {
    static const struct {
        uint32_t to, count, erased;
        RehashEnd end;
    } cases[] = {{200001, 97000, 0, END_SPARSE},
                 {100000, 93000, 5, END_SPARSE},
                 {57000, 27000, 0, END_SPARSE},
                 {100000, 95700, 0, END_DENSE},
                 {40000, 36700, 0, END_DENSE}};
    const uint32_t times = test_full() ? 3 : 1;
    for (uint32_t i = first_of(); i < sizeof cases / sizeof cases[0]; i = after(i)) {
        REHASH(.name = "many slices", .from = 100000 * times, .to = cases[i].to * times,
               .count = cases[i].count * times, .erased = cases[i].erased, .end = cases[i].end);
    }
}

GPU_TEST(erased_entries_are_left_behind) {
    for (uint32_t erased = 1; erased <= 10; erased += 3) {
        REHASH(.name = "erased", .from = 12000, .to = 12000, .count = 11000, .erased = erased,
               .end = erased < 4   ? END_DENSE
                      : erased > 4 ? END_SPARSE
                                   : END_ANY);
    }
}

/* Sampled as loosely filled, and yet nothing for the sparse stream; the dense one counts, up to a
 * limit. */
GPU_TEST(slices_that_depend_on_each_other) {
    static const struct {
        const char *name;
        uint32_t capacity, count;
        bool extra;
        RehashKeys keys;
        RehashEnd end;
    } cases[] = {{"row", 20000, 9000, false, KEYS_ROW, END_DIRECT},
                 {"longer row", 10000, 7000, false, KEYS_ROW, END_DENSE},
                 {"pile", 20000, 13000, true, KEYS_PILE, END_DIRECT},
                 {"half", 20000, 8500, true, KEYS_HALF, END_DIRECT},
                 {"cut", 20000, MUR_REHASH_BEFORE + 50, false, KEYS_CUT, END_DIRECT}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        REHASH(.name = cases[i].name, .from = cases[i].capacity, .to = cases[i].capacity,
               .count = cases[i].count, .extra = cases[i].extra, .keys = cases[i].keys,
               .end = cases[i].end);
    }
}

GPU_TEST(what_does_not_fit_is_counted) {
    static const uint32_t to[] = {1, 100, 2990, 9000};
    const bool full = test_full();
    for (uint32_t i = 0; i < (full ? 4 : 3); ++i) { /* the last takes longest */
        REHASH(.name = "overfull", .from = full ? 20000 : 6000, .to = to[i],
               .count = full ? 15000 : 4500, .extra = true, .toKind = &table_kinds[i % 2 * 2],
               .overfull = true);
    }
}

GPU_TEST(long_and_wrapped_clusters) {
    static const RehashKeys keys[] = {KEYS_ONE_HOME, KEYS_TABLE_END, KEYS_CLUMPS};
    static const uint32_t counts[] = {40, 700, 2500, 7500};
    for (uint32_t i = 0; i < 12; ++i) {
        if (counts[i % 4] > 700 && gpu->software && !test_full()) {
            continue; /* it takes long there */
        }
        RehashCase test = {.name = "clusters",
                           .from = 8000,
                           .to = 16000,
                           .count = counts[i % 4],
                           .erased = i % 2 ? 5 : 0,
                           .keys = keys[i / 4],
                           .end = counts[i % 4] == 40 ? END_SPARSE : END_DIRECT};
        rehash_check(gpu, &test);
        test.to = 8000;
        test.kind = &table_kinds[1];
        rehash_check(gpu, &test);
    }
}

/* Too few slots behind the last home, though the source had enough. */
GPU_TEST(what_wraps_only_in_the_destination) {
    REHASH(.name = "wraps", .from = 80, .to = 40, .count = 17, .keys = KEYS_TABLE_END,
           .end = END_DIRECT);
}

GPU_TEST(short_probe_limits_are_kept) {
    REHASH(.name = "short limit", .from = 9000, .to = 18000, .count = 8000, .limit = 32);
    REHASH(.name = "short limit, one home", .from = 9000, .to = 18000, .count = 600, .limit = 64,
           .keys = KEYS_ONE_HOME, .overfull = true);
}

GPU_TEST(nothing_besides_need_be_given) {
    RehashCase test = {
        .name = "alone", .from = 5000, .to = 9000, .count = 4000, .erased = 1, .withoutMap = true};
    rehash_check(gpu, &test);
    test.compact = true;
    rehash_check(gpu, &test);
}

/* ---- Compaction ----------------------------------------------------------------------------- */

/* Clusters far longer than what a workgroup fills or reads at once. */
GPU_TEST(clusters_longer_than_a_tile) {
    static const uint32_t percent[] = {95, 98};
    for (uint32_t i = first_of(); i < 2; ++i) {
        REHASH(.name = "compact, full of erased keys", .compact = true, .from = 60000,
               .count = 60000 / 100 * percent[i], .erased = 6, .end = END_SPARSE);
    }
    const uint32_t capacity = test_full() ? 16000 : 5000;
    RehashCase one = {.name = "compact, one home",
                      .compact = true,
                      .from = capacity,
                      .count = capacity / 16 * 7,
                      .erased = 9,
                      .keys = KEYS_ONE_HOME,
                      .end = END_DIRECT};
    rehash_check(gpu, &one);
    one.name = "compact, wrapped";
    one.keys = KEYS_TABLE_END;
    rehash_check(gpu, &one);
}

GPU_TEST(tables_without_a_free_slot) {
    for (uint32_t capacity = 1; capacity <= 4096; capacity *= 8) {
        for (uint32_t erased = 0; erased <= 10; erased += 5) {
            REHASH(.name = "compact, no free slot", .compact = true, .from = capacity,
                   .count = oracle_slot_count(MUR_FORMAT_K32V32, capacity), .erased = erased,
                   .extra = true, .keys = capacity == 512 ? KEYS_ONE_HOME : KEYS_RANDOM);
        }
    }
}

/* Filled when probes went further than they now may. */
GPU_TEST(what_would_not_fit_stays_as_it_is) {
    const RehashCase test = {.name = "compact, short limit",
                             .compact = true,
                             .from = 9000,
                             .count = 1200,
                             .erased = 5,
                             .limit = 56, /* ends with a chunk of 4 sectors */
                             .keys = KEYS_ONE_HOME};
    RehashRun run = rehash_open(gpu, &test);
    const MurRehash arguments = rehash_arguments(&run);
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_require(murCmdCompact(gpu->cmd, run.from.table, &arguments));
    gpu_submit(gpu);
    const MurRehashResult *result = run.result.mapped;
    assert_int_equal(result->moved, 60); /* in 15 sectors */
    assert_int_equal(result->moved + result->failed, run.live);
    rehash_check_source(&run);
    rehash_close(&run);
}
