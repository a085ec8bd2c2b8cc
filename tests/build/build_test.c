/* murCmdBuild each way, and finds in ordered and unordered tables.
 *
 * SPDX-License-Identifier: MIT */
#include "build_check.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

static const Way ways[] = {WAY_DIRECT, WAY_SLICES, WAY_EXACT};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* The case, each way; order: what the paths other than the direct one give. */
static void each_way(Gpu *gpu, BuildCase test, BuildOrder order) {
    for (int i = 0; i < WAYS; ++i) {
        test.way = ways[i];
        test.order = ways[i] == WAY_DIRECT ? ORDER_NO : order;
        print_message("  capacity %u, count %u, keys %d, %s\n", test.capacity, test.count,
                      (int)test.keys, way_name(ways[i]));
        build_check(gpu, &test);
    }
}

#define EACH_WAY(order, ...) each_way(gpu, (BuildCase){__VA_ARGS__}, order)

GPU_TEST(both_widths_and_reserved_values) {
    for (int i = 0; i < 4; ++i) {
        EACH_WAY(ORDER_YES, .capacity = 10000, .count = 7000, .keys = KEYS_WITH_SPECIAL,
                 .mode = i & 1 ? MUR_MODE_KEEP : MUR_MODE_ASSIGN, .kind = &table_kinds[i]);
    }
}

GPU_TEST(other_modes_insert_directly) {
    const BuildCase test = {.capacity = 5000,
                            .count = 3000,
                            .way = WAY_SLICES,
                            .order = ORDER_NO,
                            .mode = MUR_MODE_ADD,
                            .kind = layout_kind(LAYOUT_k32v32_64, true)};
    build_check(gpu, &test);
}

GPU_TEST(capacities_from_one_up) {
    static const uint32_t capacities[] = {1,    2,    3,    4,    5,    7,    100,  1023,
                                          1024, 1025, 2047, 2048, 2049, 5000, 32768};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        EACH_WAY(ORDER_YES, .capacity = capacities[i], .count = (capacities[i] + 1) / 2);
    }
}

/* The exact way must stay ordered at every load that it is chosen for, the sliced one too. */
GPU_TEST(loads_up_to_exactly_full) {
    static const uint32_t percent[] = {1, 60, 75, 70, 90, 80, 95, 99, 100};
    const uint32_t unit = test_full() ? 200 : 100;
    for (size_t i = 0; i < sizeof percent / sizeof percent[0]; i += test_full() ? 1 : 2) {
        BuildCase test = {.capacity = 100 * unit, .count = unit * percent[i]};
        each_way(gpu, test, percent[i] <= 75 ? ORDER_YES : ORDER_ANY);
        if (percent[i] <= 95) {
            test.way = WAY_EXACT;
            test.order = ORDER_YES;
            build_check(gpu, &test);
        }
    }
}

GPU_TEST(tiny_tables_exactly_full) {
    for (uint32_t capacity = 1; capacity < 40; ++capacity) {
        EACH_WAY(ORDER_ANY, .capacity = capacity, .count = capacity, .probeLimit = UINT32_MAX);
    }
}

GPU_TEST(overfull_batches_are_counted) {
    EACH_WAY(ORDER_NO, .capacity = 1000, .count = 1500, .overfull = true);
}

GPU_TEST(empty_batches) {
    EACH_WAY(ORDER_NO, .capacity = 5000);
    EACH_WAY(ORDER_YES, .capacity = 5000, .maxCount = 2000);
}

GPU_TEST(counts_from_the_gpu) {
    static const uint32_t counts[] = {1, 1234, 2048, 2999, 3000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        EACH_WAY(ORDER_YES, .capacity = 5000, .count = counts[i], .maxCount = 3000);
    }
}

GPU_TEST(repeated_keys) {
    EACH_WAY(ORDER_YES, .capacity = 20000, .count = 18000, .keys = KEYS_TWICE);
    EACH_WAY(ORDER_YES, .capacity = 16384, .count = 8000, .keys = KEYS_REPEATED);
    EACH_WAY(ORDER_YES, .capacity = 1024, .count = 1000, .keys = KEYS_EQUAL);
    /* Too many for a bin. */
    EACH_WAY(ORDER_ANY, .capacity = 32768, .count = 16384, .keys = KEYS_EQUAL);
}

GPU_TEST(skewed_keys) {
    EACH_WAY(ORDER_ANY, .capacity = 32768, .count = 500, .keys = KEYS_ONE_SLICE);
    EACH_WAY(ORDER_ANY, .capacity = 32768, .count = 2500, .keys = KEYS_ONE_SLICE);
    /* What inserts then take grows with the square. */
    const uint32_t many = test_full() ? 16384 : 4000;
    EACH_WAY(ORDER_NO, .capacity = 32768, .count = many, .keys = KEYS_ONE_SLICE);
    EACH_WAY(ORDER_YES, .capacity = 32768, .count = 16384, .keys = KEYS_SLICE_ENDS);
}

GPU_TEST(clusters_at_the_end) {
    EACH_WAY(ORDER_YES, .capacity = 4096, .count = 50, .keys = KEYS_TABLE_END);
    EACH_WAY(ORDER_ANY, .capacity = 4096, .count = 200, .keys = KEYS_TABLE_END);
    EACH_WAY(ORDER_NO, .capacity = 4096, .count = 1500, .keys = KEYS_TABLE_END);
    EACH_WAY(ORDER_ANY, .capacity = 1500, .count = 300, .keys = KEYS_TABLE_END);
}

GPU_TEST(two_splitting_steps) {
    const uint32_t capacity = (MUR_SPLIT_BINS + 3) * MUR_SLICE;
    const bool full = test_full();
    BuildCase test = {.capacity = capacity,
                      .count = full ? capacity / 5 * 2 : capacity / 10,
                      .way = WAY_SLICES,
                      .order = ORDER_YES};
    build_check(gpu, &test);
    test.way = WAY_EXACT;
    test.count = capacity / (full ? 10 : 30);
    test.keys = KEYS_SLICE_ENDS;
    build_check(gpu, &test);
}

GPU_TEST(short_probe_limits_insert_directly) {
    BuildCase test = {.capacity = 8192, .count = 3000, .probeLimit = 64, .order = ORDER_NO};
    build_check(gpu, &test);
}

/* Upserts of keys that are there and erases keep the order; a new key ends it. */
GPU_TEST(order_until_a_new_key_comes) {
    const BuildCase test = {
        .capacity = 10000, .count = 5000, .way = WAY_SLICES, .order = ORDER_YES};
    BuildRun run = build_open(gpu, &test);
    uint32_t *keys = run.keys.mapped;
    uint32_t *values = run.values.mapped;
    gpu_require(murBlockingInsert(gpu->blocking, run.pair.table, MUR_MODE_ASSIGN, 1000, keys,
                                  values, NULL, NULL));
    build_check_table(&run);
    MurStats stats;
    gpu_require(murBlockingErase(gpu->blocking, run.pair.table, 1000, keys, NULL, NULL, NULL));
    gpu_require(murBlockingStats(gpu->blocking, run.pair.table, &stats));
    assert_int_equal(stats.state, MUR_STATE_ORDERED);
    assert_int_equal(stats.live, 4000);
    uint32_t found[2000];
    gpu_require(murBlockingFind(gpu->blocking, run.pair.table, 2000, keys, found, NULL, NULL));
    for (uint32_t i = 0; i < 2000; ++i) {
        assert_int_equal(found[i], i < 1000 ? UINT32_MAX : values[i]);
    }
    enum { NEW = 1000 };
    uint32_t fresh[NEW];
    for (uint32_t i = 0; i < NEW; ++i) {
        fresh[i] = mur_key(mur_hash(100000 + i, 77), 0x5EED);
    }
    gpu_require(murBlockingInsert(gpu->blocking, run.pair.table, MUR_MODE_ASSIGN, NEW, fresh,
                                  values, NULL, NULL));
    gpu_require(murBlockingStats(gpu->blocking, run.pair.table, &stats));
    assert_int_equal(stats.state, 0);
    gpu_require(murBlockingFind(gpu->blocking, run.pair.table, NEW, fresh, found, NULL, NULL));
    for (uint32_t i = 0; i < NEW; ++i) {
        assert_int_equal(found[i], values[i]);
    }
    gpu_require(murBlockingInsert(gpu->blocking, run.pair.table, MUR_MODE_ASSIGN, 1000, keys,
                                  values, NULL, NULL));
    build_close(&run);
}

/* With statuses or slots asked for, with too little scratch, or with few pairs: the direct way. */
GPU_TEST(what_the_direct_way_serves) {
    enum { COUNT = 1000 };
    MurTable table = GPU_TABLE(gpu, .capacity = 4096, .uses = {murUseBuild()});
    GpuBuffer arrays = gpu_buffer(gpu, 16 * COUNT);
    const MurBatch plain = {.maxCount = COUNT,
                            .keys = gpu_part(&arrays, 0, COUNT),
                            .values = gpu_part(&arrays, COUNT, COUNT)};
    assert_int_equal(murGetScratchSize(table, MUR_COMMAND_BUILD, MUR_MODE_ASSIGN, &plain), 0);
    assert_int_equal(murGetScratchSize(NULL, MUR_COMMAND_BUILD, MUR_MODE_ASSIGN, &plain), 0);
    gpu_take(gpu, WAY_SLICES);
    const VkDeviceSize size = murGetScratchSize(table, MUR_COMMAND_BUILD, MUR_MODE_ASSIGN, &plain);
    GpuBuffer scratch = gpu_device_buffer(gpu, size);
    uint32_t *words = arrays.mapped;
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        words[i] = 5 * i;
    }
    for (int i = 0; i < 4; ++i) {
        MurBatch batch = plain;
        batch.scratch = (MurArray){scratch.address, i == 2 ? size - 1 : size};
        if (i == 0) {
            batch.statuses = gpu_part(&arrays, 2 * COUNT, COUNT);
        }
        if (i == 1) {
            batch.slots = gpu_part(&arrays, 3 * COUNT, COUNT);
        }
        memset(words + 2 * COUNT, 0xFF, 8 * COUNT);
        GPU_RUN(gpu, murCmdBuild(gpu->cmd, table, MUR_MODE_ASSIGN, &batch));
        const MurStats stats = gpu_stats(gpu, table);
        assert_int_equal(stats.live, COUNT);
        assert_int_equal(stats.state, i < 3 ? 0 : MUR_STATE_ORDERED);
        for (uint32_t k = 0; k < COUNT; ++k) {
            assert_int_equal(words[2 * COUNT + k], i == 0 ? MUR_INSERTED : UINT32_MAX);
            assert_int_equal(words[3 * COUNT + k] < 4096 + 1024, i == 1);
        }
    }
    MurBatch odd = plain;
    odd.scratch = (MurArray){scratch.address + 4, size};
    gpu_begin(gpu);
    assert_refused(murCmdBuild(gpu->cmd, table, MUR_MODE_ASSIGN, &odd));
    odd.scratch.address = 0;
    odd.flags = 2;
    assert_refused(murCmdBuild(gpu->cmd, table, MUR_MODE_ASSIGN, &odd));
    gpu_submit(gpu);
    gpu_free(gpu, &arrays);
    gpu_free(gpu, &scratch);
    murDestroyTable(table);
}
