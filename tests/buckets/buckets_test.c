/* Tables in buckets, by bulk commands: what is refused and counted, passes, the filter, ages.
 *
 * SPDX-License-Identifier: MIT */
#include "../support/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4096, SEED = 77 };

typedef struct Kind {
    const char *name;
    MurFormat format;
    MurAtomicWidth width;
} Kind;

static const Kind kinds[] = {
    {"K32V32, 32-bit atomics", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32},
    {"K32V32, 64-bit atomics", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64},
    {"K64V32, 32-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32},
    {"K64V32, 64-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64},
    {"K32", MUR_FORMAT_K32, MUR_ATOMIC_WIDTH_32},
    {"K64, 32-bit atomics", MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_32},
    {"K64, 64-bit atomics", MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct Trial {
    Gpu *gpu;
    const Kind *kind;
    MurTable table;
    uint32_t slotCount;
} Trial;

/* Key i: of 64-bit ones many share a half, and have halves that mean something else as words. */
static uint64_t key_of(const Kind *kind, uint32_t i) {
    if (!MUR_IS_64(kind->format)) {
        const uint32_t marked[] = {MUR_EMPTY, MUR_TOMB, 0};
        return i < 3 ? mur_key(marked[i], SEED) : i * 2654435761u;
    }
    const uint32_t halves[] = {MUR_EMPTY, MUR_TOMB, 0, 1, 0x80000000u};
    const uint32_t low = i % 7 < 5 && i < 140 ? halves[i % 7] : i * 0x85EBCA6Bu;
    const uint32_t high = i < 35 ? halves[i / 7] : i * 2654435761u;
    return mur_key64((uint64_t)high << 32 | low, SEED);
}

static void fill_keys(const Kind *kind, void *keys, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = key_of(kind, first + i);
        if (MUR_IS_64(kind->format)) {
            ((uint64_t *)keys)[i] = key;
        } else {
            ((uint32_t *)keys)[i] = (uint32_t)key;
        }
    }
}

static Trial begin(Gpu *gpu, const Kind *kind, uint32_t flags) {
    const MurTableCreateInfo info = {.capacity = SLOTS,
                                     .seed = SEED,
                                     .format = kind->format,
                                     .atomicWidth = kind->width,
                                     .flags = MUR_TABLE_BUCKETS | flags};
    const MurTable table = gpu_table(gpu, &info);
    return (Trial){gpu, kind, table, murGetTableRef(table).slotCount};
}

static uint64_t keys[2 * SLOTS];
static uint32_t values[2 * SLOTS], statuses[2 * SLOTS], slots[2 * SLOTS];
static bool there[2 * SLOTS];

/* Inserts keys first, ...; there: those that are in the table by now. */
static uint32_t insert(const Trial *trial, uint32_t first, uint32_t count) {
    uint32_t refused = 0;
    fill_keys(trial->kind, keys, first, count);
    for (uint32_t i = 0; i < count; ++i) {
        values[i] = first + i;
    }
    gpu_require(murBlockingInsert(trial->gpu->blocking, trial->table, MUR_MODE_KEEP, count, keys,
                                  MUR_IS_SET(trial->kind->format) ? NULL : values, statuses,
                                  slots));
    for (uint32_t i = 0; i < count; ++i) {
        const bool full = statuses[i] == MUR_FULL;
        assert_int_equal(statuses[i], full               ? MUR_FULL
                                      : there[first + i] ? MUR_EXISTED
                                                         : MUR_INSERTED);
        assert_true(full == (slots[i] == MUR_NO_SLOT));
        there[first + i] = !full;
        refused += full;
    }
    return refused;
}

static void check(const Trial *trial, uint32_t count) {
    static bool taken[SLOTS + 2];
    memset(taken, 0, sizeof taken);
    fill_keys(trial->kind, keys, 0, count);
    const bool set = MUR_IS_SET(trial->kind->format);
    gpu_require(murBlockingFind(trial->gpu->blocking, trial->table, count, keys,
                                set ? NULL : values, statuses, slots));
    uint32_t live = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (statuses[i] != (there[i] ? MUR_FOUND : MUR_ABSENT)) {
            fail_msg("%s: key %u has status %u", trial->kind->name, i, statuses[i]);
        }
        assert_true(set || values[i] == (there[i] ? i : UINT32_MAX));
        if (there[i]) {
            assert_true(slots[i] < trial->slotCount + 2 && !taken[slots[i]]);
            taken[slots[i]] = true;
            ++live;
        }
    }
    MurStats stats;
    gpu_require(murBlockingStats(trial->gpu->blocking, trial->table, &stats));
    assert_int_equal(stats.live, live);
    uint32_t buckets = 0, taken16 = 0;
    for (uint32_t i = 0; i <= MUR_BUCKET_SLOTS; ++i) {
        buckets += stats.probeHistogram[i];
        taken16 += i * stats.probeHistogram[i];
    }
    assert_int_equal(buckets, SLOTS / MUR_BUCKET_SLOTS);
    const uint32_t extra = MUR_EXTRA_SLOTS(trial->kind->format);
    assert_int_equal(stats.live + stats.erased + stats.free, SLOTS + extra);
    assert_in_range(stats.live + stats.erased - taken16, 0, extra);
    assert_in_range(stats.probeSum, stats.live, 2 * (uint64_t)stats.live);
    static uint64_t extracted[2 * SLOTS];
    static uint32_t extractedSlots[2 * SLOTS];
    uint32_t found;
    gpu_require(murBlockingExtract(trial->gpu->blocking, trial->table, 0, NULL, SLOTS + 2,
                                   extracted, NULL, extractedSlots, &found));
    assert_int_equal(found, live);
    for (uint32_t i = 0; i < found; ++i) {
        assert_true(taken[extractedSlots[i]]);
        taken[extractedSlots[i]] = false;
    }
}

static uint32_t erase(const Trial *trial, uint32_t first, uint32_t count) {
    fill_keys(trial->kind, keys, first, count);
    gpu_require(
        murBlockingErase(trial->gpu->blocking, trial->table, count, keys, NULL, statuses, slots));
    uint32_t erased = 0;
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(statuses[i], there[first + i] ? MUR_ERASED : MUR_ABSENT);
        there[first + i] = false;
        erased += statuses[i] == MUR_ERASED;
    }
    return erased;
}

static void churn(Gpu *gpu, const Kind *kind) {
    memset(there, 0, sizeof there);
    Trial trial = begin(gpu, kind, 0);
    uint32_t refused = insert(&trial, 0, SLOTS / 2);
    assert_in_range(refused, 0, 4); /* of keys that share halves */
    refused += insert(&trial, SLOTS / 4, SLOTS);
    assert_in_range(refused, SLOTS / 4 - 2, SLOTS / 3);
    check(&trial, 2 * SLOTS);
    assert_true(erase(&trial, 0, SLOTS / 2) > 0);
    check(&trial, 2 * SLOTS);
    GPU_RUN(gpu, murCmdRebuildFilter(gpu->cmd, trial.table));
    check(&trial, 2 * SLOTS);
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, trial.table, &stats));
    assert_int_equal(stats.erased, 0);
    assert_true(stats.full >= refused);
    insert(&trial, 0, SLOTS / 2);
    check(&trial, 2 * SLOTS);
    murDestroyTable(trial.table);
}

static void test_churn(void **state) {
    Gpu *gpu = *state;
    for (uint32_t i = 0; i < KINDS; ++i) {
        if (gpu_offers(gpu, kinds[i].format == MUR_FORMAT_K64 ? MUR_FORMAT_K64V32 : kinds[i].format,
                       kinds[i].width)) {
            churn(gpu, &kinds[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {gpu_test(test_churn)};
    return cmocka_run_group_tests_name("buckets", tests, gpu_group_setup, gpu_group_teardown);
}
