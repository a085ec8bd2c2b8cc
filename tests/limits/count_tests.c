/* Batches without items, and grids of several rows of workgroups. (Other batch sizes are
 * tests/semantics', counts on the GPU tests/property's, 2^28 items tests/gpu_tier's.)
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"
#include "support/observe.h"

static void expect_statuses(const Bulk *items, uint32_t expected) {
    for (uint32_t i = 0; i < items->count; ++i) {
        assert_int_equal(items->statuses[i], expected);
    }
}

GPU_TEST(blocking_calls_take_no_items) {
    Pair pair;
    pair_open(gpu, &pair, &table_kinds[0], &(PairOptions){.capacity = 10});
    MurTable table = pair.table;
    uint32_t count = 7;
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_KEEP, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingFind(gpu->blocking, table, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingErase(gpu->blocking, table, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingExtract(gpu->blocking, table, 0, NULL, 0, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    pair_require_same(gpu, &pair);
    pair_close(gpu, &pair);
}

/* A device that says it dispatches few workgroups in a row: grids of several rows, the last of them
 * too long, are then small enough to look at every command closely. (Not at statistics: their
 * grid is a single row, which Vulkan's smallest limit guarantees.) */
enum { NARROW_GROUPS = 7, NARROW_COUNT = 20 * 256 - 3, KEYS = 1021 };

static void narrow(VkPhysicalDeviceProperties2 *properties) {
    properties->properties.limits.maxComputeWorkGroupCount[0] = NARROW_GROUPS;
}

static MurTable open_narrow(Observed *observed, Gpu *gpu, uint64_t capacity) {
    const MurContextCreateInfo info = observe(observed, gpu);
    interposition.bendProperties = narrow;
    gpu_require(murCreateContext(&info, &observed->context));
    const MurBlockingCreateInfo blocking = {.queue = gpu->queue, .queueFamilyIndex = gpu->family};
    gpu_require(murCreateBlocking(observed->context, &blocking, &observed->blocking));
    const MurTableCreateInfo table = {.capacity = capacity,
                                      .reservedValue = MUR_RESERVED_VALUE_ZERO};
    MurTable narrowTable;
    gpu_require(murCreateTable(observed->context, &table, &narrowTable));
    gpu_require(murBlockingClear(observed->blocking, narrowTable));
    return narrowTable;
}

static void close_narrow(Observed *observed, MurTable table) {
    murDestroyTable(table);
    observe_close(observed);
}

GPU_TEST(rows_of_workgroups_insert_every_item_once) {
    Observed observed;
    MurTable table = open_narrow(&observed, gpu, KEYS);
    Bulk items = bulk_open(MUR_FORMAT_K32V32, NARROW_COUNT);
    for (uint32_t i = 0; i < items.count; ++i) {
        bulk_set(&items, i, i % KEYS, 1);
    }
    gpu_require(murBlockingInsert(observed.blocking, table, MUR_MODE_ADD, items.count, items.keys,
                                  items.values, items.statuses, NULL));
    gpu_require(murBlockingFind(gpu->blocking, table, KEYS, items.keys, items.values, NULL, NULL));
    for (uint32_t i = 0; i < KEYS; ++i) {
        assert_int_equal(bulk_value(&items, i), NARROW_COUNT / KEYS + (i < NARROW_COUNT % KEYS));
    }
    bulk_close(&items);
    close_narrow(&observed, table);
}

/* Distinct keys, inserted by the wide device. */
static Bulk fill_narrow(Gpu *gpu, MurTable table, uint32_t count) {
    Bulk items = bulk_open(MUR_FORMAT_K32V32, count);
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&items, i, i * 0x9E3779B1u, i + 1);
    }
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_KEEP, count, items.keys,
                                  items.values, items.statuses, NULL));
    expect_statuses(&items, MUR_INSERTED);
    return items;
}

GPU_TEST(rows_of_workgroups_find_and_erase_every_item_once) {
    Observed observed;
    MurTable table = open_narrow(&observed, gpu, NARROW_COUNT);
    Bulk items = fill_narrow(gpu, table, NARROW_COUNT);
    static const uint32_t statuses[] = {MUR_FOUND, MUR_ERASED, MUR_ABSENT};
    for (int i = 0; i < 3; ++i) {
        gpu_require((i == 1 ? murBlockingErase : murBlockingFind)(
            observed.blocking, table, items.count, items.keys, NULL, items.statuses, NULL));
        expect_statuses(&items, statuses[i]);
    }
    bulk_close(&items);
    close_narrow(&observed, table);
}

GPU_TEST(rows_of_workgroups_clear_and_extract_every_slot_once) {
    enum { CAPACITY = 40000, LIVE = 30000 }; /* 44 rows of sectors */
    Observed observed;
    MurTable table = open_narrow(&observed, gpu, CAPACITY);
    Bulk items = fill_narrow(gpu, table, LIVE);
    Bulk out = bulk_open(MUR_FORMAT_K32V32, LIVE);
    uint32_t count, sum = 0;
    gpu_require(
        murBlockingExtract(observed.blocking, table, 0, NULL, LIVE, out.keys, NULL, NULL, &count));
    assert_int_equal(count, LIVE);
    for (uint32_t i = 0; i < LIVE; ++i) {
        sum += (uint32_t)(bulk_key(&items, i) - bulk_key(&out, i));
    }
    assert_int_equal(sum, 0);
    gpu_require(murBlockingClear(observed.blocking, table));
    bulk_close(&items);
    bulk_close(&out);
    items = fill_narrow(gpu, table, LIVE); /* as into a new table */
    bulk_close(&items);
    close_narrow(&observed, table);
}
