/* Tests of sizes that only a real GPU can process: tables beyond 4 GiB and beyond 2^31 slots,
 * batches of many workgroups, a full table.
 * SPDX-License-Identifier: MIT */
#include "tier.h"

#include "oracle/keys.h"

#include <time.h>

static MurTable open_table(Gpu *gpu, uint64_t capacity, MurAtomicWidth width) {
    const MurTableCreateInfo info = {.capacity = capacity,
                                     .seed = 99,
                                     .atomicWidth = width,
                                     .kernels = {murKernelsLargeBatches()}};
    return gpu_table(gpu, &info);
}

static void require_stats(Gpu *gpu, MurTable table, uint32_t live, uint32_t erased) {
    MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, live);
    assert_int_equal(stats.erased, erased);
    assert_int_equal((uint64_t)live + erased + stats.freeSlots,
                     (uint64_t)murGetTableRef(table).slotCount + 1);
}

/* Inserts keys all over the table, then keys whose slots are at least `lowest`. Counts the keys,
 * finds them by the command and by a shader, and erases them. */
static void use_far_slots(Gpu *gpu, uint64_t capacity, uint32_t lowest, MurAtomicWidth width) {
    const uint32_t count = tier_size(1 << 22);
    MurTable table = open_table(gpu, capacity, width);
    Items items;
    items_open(gpu, &items, count);
    /* The first hash with a home of at least lowest. One set of keys has even hashes, one odd. */
    uint32_t first = first_word(capacity, lowest) | 1u;
    const struct {
        uint32_t first, step, lowest;
    } sets[] = {{2, (UINT32_MAX - 2) / count & ~1u, 0},
                {first, (UINT32_MAX - first) / count & ~1u, lowest}};
    uint32_t live = 0;
    for (uint32_t i = 0; i < 2; ++i) {
        ItemsExpected expected = {ITEMS_JUDGE, sets[i].first, sets[i].step, MUR_INSERTED,
                                  sets[i].lowest};
        items_make(&items, table, expected.first, expected.step);
        items_run(&items, table, ITEMS_INSERT, &expected, "insert");
        live += count;
        require_stats(gpu, table, live, 0);
        expected.status = MUR_FOUND;
        items_run(&items, table, ITEMS_FIND, &expected, "find");
        gpu_begin(gpu);
        expected.task = ITEMS_LOOKUP;
        items_record_judging(&items, table, &expected);
        gpu_submit(gpu);
        items_require(&items, "find in a shader");
    }
    ItemsExpected erased = {ITEMS_JUDGE, sets[1].first, sets[1].step, MUR_ERASED, lowest};
    items_run(&items, table, ITEMS_ERASE, &erased, "erase");
    erased.status = MUR_ABSENT;
    items_run(&items, table, ITEMS_FIND, &erased, "find what was erased");
    require_stats(gpu, table, live - count, count);
    items_close(&items);
    murDestroyTable(table);
}

GPU_TEST(table_above_4_gib) {
    use_far_slots(gpu, tier_size(600000000), tier_size(1ull << 29), MUR_ATOMIC_WIDTH_32);
    use_far_slots(gpu, tier_size(600000000), tier_size(1ull << 29), MUR_ATOMIC_WIDTH_64);
}

GPU_TEST(table_above_2_31_slots) {
    use_far_slots(gpu, tier_size(2300000000), tier_size(1ull << 31), MUR_ATOMIC_WIDTH_32);
    use_far_slots(gpu, tier_size(2300000000), tier_size(1ull << 31), MUR_ATOMIC_WIDTH_64);
}

static void use_many(Gpu *gpu, uint32_t count, bool scratch) {
    MurTable table = open_table(gpu, 2 * (uint64_t)count, MUR_ATOMIC_WIDTH_DEFAULT);
    Items items;
    items_open(gpu, &items, count);
    assert_true(!scratch || items_lend(&items, table) || tier_rehearsal() || gpu->software);
    ItemsExpected expected = {ITEMS_JUDGE, 7, UINT32_MAX / count, MUR_INSERTED, 0};
    items_make(&items, table, expected.first, expected.step);
    items_run(&items, table, ITEMS_INSERT, &expected, "insert");
    require_stats(gpu, table, count, 0);
    expected.status = MUR_FOUND;
    items_run(&items, table, ITEMS_FIND, &expected, "find");
    expected.status = MUR_ERASED;
    items_run(&items, table, ITEMS_ERASE, &expected, "erase");
    require_stats(gpu, table, 0, count);
    items_close(&items);
    murDestroyTable(table);
}

/* 2^26 items are 262,144 workgroups. */
GPU_TEST(batch_of_many_workgroups) {
    use_many(gpu, tier_size(1 << 26), false);
}

/* By default the library sorts this batch. 2^28 items are 131,072 tiles in two workgroup rows. */
GPU_TEST(sorted_batch_of_many_workgroups) {
    use_many(gpu, tier_size(1 << 28), true);
}

/* Inserts one key per home slot, then fills the padding. All keys end at their home slot. */
static void fill_up(Gpu *gpu, MurTable table) {
    MurTableRef ref = murGetTableRef(table);
    const uint32_t perHome = (uint32_t)((1ull << 32) / ref.capacity); /* hashes per home slot */
    const uint32_t padding = ref.slotCount - ref.capacity;
    const struct {
        uint32_t count, first, step;
    } sets[] = {{ref.capacity, 0, perHome}, {padding, UINT32_MAX - 2 * padding, 2}};
    assert_true(perHome % 2 == 0 && sets[1].first % 2 == 1);
    for (uint32_t i = 0; i < 2; ++i) {
        Items items;
        items_open(gpu, &items, sets[i].count);
        const ItemsExpected expected = {ITEMS_JUDGE, sets[i].first, sets[i].step, MUR_INSERTED, 0};
        items_make(&items, table, sets[i].first, sets[i].step);
        items_run(&items, table, ITEMS_INSERT, &expected, i ? "fill the padding" : "fill");
        items_close(&items);
    }
    MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, ref.slotCount);
    assert_int_equal(stats.freeSlots, 1); /* the sentinel slot */
}

/* Inserts absent keys into a full table. Each insert must stop at the probe limit, quickly. */
static void full_table(Gpu *gpu, MurAtomicWidth width) {
    MurTable table = open_table(gpu, tier_size(1 << 24), width);
    fill_up(gpu, table);
    const uint32_t count = tier_size(65536);
    const uint32_t step = (uint32_t)((1ull << 32) / count);
    Items items;
    items_open(gpu, &items, count);
    items_make(&items, table, 64, step); /* absent keys with home slots everywhere */
    const ItemsExpected expected = {ITEMS_JUDGE, 64, step, MUR_FULL, 0};
    const MurBatch batch = items_batch(&items);
    struct timespec begin, end;
    timespec_get(&begin, TIME_UTC);
    GPU_RUN(gpu, murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &batch));
    timespec_get(&end, TIME_UTC);
    gpu_begin(gpu);
    gpu_barrier(gpu);
    vkCmdFillBuffer(gpu->cmd, items.values.buffer, 0, VK_WHOLE_SIZE, UINT32_MAX);
    gpu_barrier(gpu);
    items_record_judging(&items, table, &expected);
    gpu_submit(gpu);
    items_require(&items, "insert into a full table");
    MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.failedInserts, count);
    assert_int_equal(stats.live, murGetTableRef(table).slotCount);
    if (!tier_rehearsal()) {
        assert_in_range(1000 * (end.tv_sec - begin.tv_sec) +
                            (end.tv_nsec - begin.tv_nsec) / 1000000,
                        0, 500); /* milliseconds */
    }
    items_close(&items);
    murDestroyTable(table);
}

GPU_TEST(full_table_reports_full_soon) {
    full_table(gpu, MUR_ATOMIC_WIDTH_32);
    full_table(gpu, MUR_ATOMIC_WIDTH_64);
}

int main(int argc, char **argv) {
    tier_arguments(argc, argv);
    return cases_run();
}
