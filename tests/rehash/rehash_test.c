/* murCmdRehash: tables of every size and state into tables of every size; murCmdCompact.
 *
 * SPDX-License-Identifier: MIT */
#include "rehash_check.h"
#include "support/seed.h"

#include <string.h>

/* Of the cases of a sweep that are alike: all, or every second one in the normal tier. */
static uint32_t first_of(void) {
    return test_full() ? 0 : 1;
}

static uint32_t after(uint32_t i) {
    return i + (test_full() ? 1 : 2);
}

static void capacities_larger_equal_and_smaller(void **state) {
    static const uint32_t from[] = {1, 7, 100, 1000, 10007, 4096};
    for (uint32_t i = first_of(); i < sizeof from / sizeof from[0]; i = after(i)) {
        const uint32_t count = (from[i] + 1) / 2;
        const uint32_t to[] = {count,           from[i] - from[i] / 3, from[i],
                               2 * from[i] + 1, 3 * from[i] + 5,       16 * from[i]};
        for (uint32_t k = 0; k < sizeof to / sizeof to[0]; ++k) {
            const RehashCase test = {.name = "capacities",
                                     .from = from[i],
                                     .to = to[k],
                                     .count = count,
                                     .erased = 2,
                                     .extra = k % 2 == 1};
            print_message("  from %u to %u\n", from[i], to[k]);
            rehash_check(*state, &test);
        }
    }
}

static void both_widths_reserved_values_and_seeds(void **state) {
    for (uint32_t i = 0; i < 16; ++i) {
        const bool newSeed = (i & 8) != 0;
        const RehashCase test = {.name = "kinds",
                                 .from = 3000,
                                 .to = 5000,
                                 .count = 2000,
                                 .erased = 3,
                                 .extra = true,
                                 .zero = (i & 1) != 0,
                                 .fromWide = (i & 2) != 0,
                                 .toWide = (i & 4) != 0,
                                 .newSeed = newSeed,
                                 .end = newSeed ? END_ANY : END_SPARSE};
        rehash_check(*state, &test);
    }
}

static void loads_up_to_exactly_full(void **state) {
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
        print_message("  load %u%%\n", percent[i]);
        rehash_check(*state, &test);
        test.name = "twice the capacity";
        test.to = 2 * capacity;
        test.end = percent[i] <= 95 ? END_SPARSE : END_DIRECT; /* clusters are too long */
        rehash_check(*state, &test);
        if (percent[i] <= 50) {
            test.name = "half the capacity";
            test.to = capacity / 2;
            test.end = percent[i] < 25 ? END_SPARSE : percent[i] <= 40 ? END_DENSE : END_DIRECT;
            rehash_check(*state, &test);
        }
    }
}

/* Full ones, too: what they read is no reason to give up. */
static void many_slices(void **state) {
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
        const RehashCase test = {.name = "many slices",
                                 .from = 100000 * times,
                                 .to = cases[i].to * times,
                                 .count = cases[i].count * times,
                                 .erased = cases[i].erased,
                                 .end = cases[i].end};
        rehash_check(*state, &test);
    }
}

static void erased_entries_are_left_behind(void **state) {
    for (uint32_t erased = 1; erased <= 10; erased += 3) {
        const RehashCase test = {.name = "erased",
                                 .from = 12000,
                                 .to = 12000,
                                 .count = 11000,
                                 .erased = erased,
                                 .end = erased < 4   ? END_DENSE
                                        : erased > 4 ? END_SPARSE
                                                     : END_ANY}; /* by chance */
        rehash_check(*state, &test);
    }
}

/* Sampled as loosely filled, and yet nothing for the sparse stream; the dense one counts, up to a
 * limit. */
static void slices_that_depend_on_each_other(void **state) {
    const RehashCase row = {.name = "row",
                            .from = 20000,
                            .to = 20000,
                            .count = 9000,
                            .keys = KEYS_ROW,
                            .end = END_DIRECT};
    rehash_check(*state, &row);
    const RehashCase longer = {.name = "longer row",
                               .from = 10000,
                               .to = 10000,
                               .count = 7000,
                               .keys = KEYS_ROW,
                               .end = END_DENSE};
    rehash_check(*state, &longer);
    const RehashCase pile = {.name = "pile",
                             .from = 20000,
                             .to = 20000,
                             .count = 13000,
                             .extra = true,
                             .keys = KEYS_PILE,
                             .end = END_DIRECT};
    rehash_check(*state, &pile);
    const RehashCase half = {.name = "half",
                             .from = 20000,
                             .to = 20000,
                             .count = 8500,
                             .extra = true,
                             .keys = KEYS_HALF,
                             .end = END_DIRECT};
    rehash_check(*state, &half);
    const RehashCase cut = {.name = "cut",
                            .from = 20000,
                            .to = 20000,
                            .count = MUR_REHASH_BEFORE + 50,
                            .keys = KEYS_CUT,
                            .end = END_DIRECT};
    rehash_check(*state, &cut);
}

static void what_does_not_fit_is_counted(void **state) {
    static const uint32_t to[] = {1, 100, 2990, 9000};
    const bool full = test_full();
    for (uint32_t i = 0; i < (full ? 4 : 3); ++i) { /* the last takes longest */
        const RehashCase test = {.name = "overfull",
                                 .from = full ? 20000 : 6000,
                                 .to = to[i],
                                 .count = full ? 15000 : 4500,
                                 .extra = true,
                                 .toWide = i % 2 == 1,
                                 .overfull = true};
        rehash_check(*state, &test);
    }
}

static void long_and_wrapped_clusters(void **state) {
    static const RehashKeys keys[] = {KEYS_ONE_HOME, KEYS_TABLE_END, KEYS_CLUMPS};
    static const uint32_t counts[] = {40, 700, 2500, 7500};
    for (uint32_t i = 0; i < 12; ++i) {
        if (counts[i % 4] > 700 && ((Gpu *)*state)->software && !test_full()) {
            continue; /* it takes long there */
        }
        RehashCase test = {.name = "clusters",
                           .from = 8000,
                           .to = 16000,
                           .count = counts[i % 4],
                           .erased = i % 2 ? 5 : 0,
                           .keys = keys[i / 4],
                           .end = counts[i % 4] == 40 ? END_SPARSE : END_DIRECT};
        print_message("  keys %d, count %u\n", (int)test.keys, test.count);
        rehash_check(*state, &test);
        test.to = 8000;
        test.zero = true;
        rehash_check(*state, &test);
    }
}

/* Too few slots behind the last home, though the source had enough. */
static void what_wraps_only_in_the_destination(void **state) {
    const RehashCase test = {.name = "wraps",
                             .from = 80,
                             .to = 40,
                             .count = 17,
                             .keys = KEYS_TABLE_END,
                             .end = END_DIRECT};
    rehash_check(*state, &test);
}

static void short_probe_limits_are_kept(void **state) {
    const RehashCase random = {
        .name = "short limit", .from = 9000, .to = 18000, .count = 8000, .limit = 32};
    rehash_check(*state, &random);
    const RehashCase test = {.name = "short limit, one home",
                             .from = 9000,
                             .to = 18000,
                             .count = 600,
                             .limit = 64,
                             .keys = KEYS_ONE_HOME,
                             .overfull = true};
    rehash_check(*state, &test);
}

static void nothing_besides_need_be_given(void **state) {
    const RehashCase test = {
        .name = "without map", .from = 5000, .to = 9000, .count = 4000, .withoutMap = true};
    rehash_check(*state, &test);
}

/* ---- Compaction ----------------------------------------------------------------------------- */

static void erased_slots_become_free(void **state) {
    for (uint32_t i = 0; i < 8; ++i) {
        const RehashCase test = {.name = "compact",
                                 .compact = true,
                                 .from = 10000,
                                 .count = i & 4 ? 9500 : 5000,
                                 .erased = 5,
                                 .extra = true,
                                 .zero = (i & 1) != 0,
                                 .fromWide = (i & 2) != 0,
                                 .end = END_SPARSE};
        rehash_check(*state, &test);
    }
}

/* Clusters far longer than what a workgroup fills or reads at once. */
static void clusters_longer_than_a_tile(void **state) {
    static const uint32_t percent[] = {95, 98};
    for (uint32_t i = first_of(); i < 2; ++i) {
        const RehashCase random = {.name = "compact, full of erased keys",
                                   .compact = true,
                                   .from = 60000,
                                   .count = 60000 / 100 * percent[i],
                                   .erased = 6,
                                   .end = END_SPARSE};
        rehash_check(*state, &random);
    }
    const uint32_t capacity = test_full() ? 16000 : 5000;
    const RehashCase one = {.name = "compact, one home",
                            .compact = true,
                            .from = capacity,
                            .count = capacity / 16 * 7,
                            .erased = 9,
                            .keys = KEYS_ONE_HOME,
                            .end = END_DIRECT};
    rehash_check(*state, &one);
    const RehashCase wrapped = {.name = "compact, wrapped",
                                .compact = true,
                                .from = capacity,
                                .count = capacity / 16 * 7,
                                .erased = 9,
                                .keys = KEYS_TABLE_END,
                                .end = END_DIRECT};
    rehash_check(*state, &wrapped);
}

static void tables_without_a_free_slot(void **state) {
    for (uint32_t capacity = 1; capacity <= 4096; capacity *= 8) {
        const MurTableCreateInfo info = {.capacity = capacity};
        MurTableRequirements needs;
        gpu_require(murGetTableRequirements(((Gpu *)*state)->context, &info, &needs));
        for (uint32_t erased = 0; erased <= 10; erased += 5) {
            const RehashCase test = {.name = "compact, no free slot",
                                     .compact = true,
                                     .from = capacity,
                                     .count = needs.slotCount,
                                     .erased = erased,
                                     .extra = true};
            rehash_check(*state, &test);
        }
    }
}

/* Filled when probes went further than they now may. */
static void what_would_not_fit_stays_as_it_is(void **state) {
    Gpu *gpu = *state;
    const RehashCase test = {.name = "compact, short limit",
                             .compact = true,
                             .from = 9000,
                             .count = 1200,
                             .erased = 5,
                             .limit = 64,
                             .keys = KEYS_ONE_HOME};
    RehashRun run = rehash_open(gpu, &test);
    const MurRehash arguments = rehash_arguments(&run);
    gpu_begin(gpu);
    gpu_require(murCmdCompact(gpu->cmd, run.from, &arguments));
    gpu_submit(gpu);
    const MurRehashResult *result = run.result.mapped;
    assert_true(result->failed > 0);
    assert_int_equal(result->moved + result->failed, run.live);
    rehash_download(&run, run.from);
    assert_memory_equal(run.download.mapped, run.sourceImage, 4 * run.imageWords);
    rehash_close(&run);
}

static void refuse(Gpu *gpu, VkResult result, const char *word) {
    assert_int_equal(result, MUR_ERROR_INVALID_ARGUMENT);
    if (!strstr(gpu->lastLog, word)) {
        fail_msg("the log says \"%s\", not \"%s\"", gpu->lastLog, word);
    }
}

static void bad_arguments_are_refused(void **state) {
    Gpu *gpu = *state;
    const RehashCase test = {.name = "arguments", .from = 100, .to = 200, .count = 50};
    RehashRun run = rehash_open(gpu, &test);
    const MurTableCreateInfo info = {.capacity = 100, .reservedValue = MUR_RESERVED_VALUE_ZERO};
    MurTable zero = gpu_table(gpu, &info);
    MurRehash bad = rehash_arguments(&run);
    const MurRehash good = bad;
    VkCommandBuffer cmd = gpu_begin(gpu);
    assert_int_equal(murCmdRehash(cmd, NULL, NULL, NULL), MUR_ERROR_INVALID_ARGUMENT);
    refuse(gpu, murCmdRehash(cmd, NULL, run.to, NULL), "source is NULL");
    refuse(gpu, murCmdRehash(cmd, run.from, NULL, NULL), "destination is NULL");
    refuse(gpu, murCmdRehash(NULL, run.from, run.to, NULL), "cmd is NULL");
    refuse(gpu, murCmdRehash(cmd, run.from, run.from, NULL), "one table");
    refuse(gpu, murCmdRehash(cmd, zero, run.to, NULL), "reserved");
    refuse(gpu, murCmdMerge(cmd, zero, run.to, MUR_MODE_KEEP, NULL), "reserved");
    refuse(gpu, murCmdMerge(cmd, run.from, run.to, MUR_MODE_ADD, NULL), "mode");
    bad.pNext = &bad;
    refuse(gpu, murCmdRehash(cmd, run.from, run.to, &bad), "pNext");
    bad = good;
    bad.slotMap.size -= 4;
    refuse(gpu, murCmdRehash(cmd, run.from, run.to, &bad), "slotMap");
    bad.slotMap.size += 4;
    bad.result.address += 2;
    refuse(gpu, murCmdMerge(cmd, run.from, run.to, MUR_MODE_KEEP, &bad), "result");
    bad = good;
    bad.result.size = 15;
    refuse(gpu, murCmdRehash(cmd, run.from, run.to, &bad), "result");
    bad = good;
    refuse(gpu, murCmdCompact(cmd, run.from, NULL), "pRehash is NULL");
    refuse(gpu, murCmdCompact(NULL, run.from, &good), "cmd is NULL");
    assert_int_equal(murCmdCompact(cmd, NULL, &good), MUR_ERROR_INVALID_ARGUMENT);
    bad.scratch.address += 16;
    refuse(gpu, murCmdCompact(cmd, run.from, &bad), "scratch");
    bad.scratch.address = 0;
    refuse(gpu, murCmdCompact(cmd, run.from, &bad), "scratch");
    bad = good;
    bad.scratch.size -= 1;
    refuse(gpu, murCmdCompact(cmd, run.from, &bad), "scratch");
    assert_int_equal(murGetCompactScratchSize(NULL), 0);
    gpu_submit(gpu);
    murDestroyTable(zero);
    rehash_close(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(capacities_larger_equal_and_smaller),
        gpu_test(both_widths_reserved_values_and_seeds),
        gpu_test(loads_up_to_exactly_full),
        gpu_test(many_slices),
        gpu_test(slices_that_depend_on_each_other),
        gpu_test(erased_entries_are_left_behind),
        gpu_test(what_does_not_fit_is_counted),
        gpu_test(long_and_wrapped_clusters),
        gpu_test(what_wraps_only_in_the_destination),
        gpu_test(short_probe_limits_are_kept),
        gpu_test(nothing_besides_need_be_given),
        gpu_test(erased_slots_become_free),
        gpu_test(clusters_longer_than_a_tile),
        gpu_test(tables_without_a_free_slot),
        gpu_test(what_would_not_fit_stays_as_it_is),
        gpu_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("rehash", tests, gpu_group_setup, gpu_group_teardown);
}
