/* Builds and partitioned inserts, by each path.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

/* Adds the row once per path of its first command, a build. order: the expected order of the table,
 * except after the direct path. */
static void each_way(Rows *rows, Sequence row, Order order) {
    static const Way ways[] = {WAY_DIRECT, WAY_SLICES, WAY_EXACT};
    Command *build = &row.commands[0];
    const bool partitions = build->mode <= MUR_MODE_INSERT && build->maxCount != 0 &&
                            build->maxCount <= row.tables[0].capacity &&
                            (row.tables[0].probeLimit == 0 ||
                             row.tables[0].probeLimit == UINT32_MAX);
    build->kind = COMMAND_BUILD;
    for (uint32_t i = 0; i < 3; ++i) {
        build->way = ways[i];
        build->order = i ? order : ORDER_NO;
        build->scratch = i && partitions ? SCRATCH_USED : SCRATCH_NONE;
        row_add(rows, &row);
    }
}
#define EACH_WAY(order, ...)   each_way(*rows, (Sequence){__VA_ARGS__}, order)
#define OF(...)                .tables = {{__VA_ARGS__}}
#define PAIRS(...)             .commands = {{.kind = COMMAND_BUILD, __VA_ARGS__}}
#define ALL_IN_RANGE(capacity) .keys = {.style = KEYS_AT, .at = (capacity) / 3}
#define ALL_AT_THE_END         .keys = {.style = KEYS_END}
#define RANGE_ENDS             .keys = {.style = KEYS_RANGE_ENDS, .at = MUR_SLICE}

ROWS(build_by_each_path_takes_widths_and_empty_values) {
    for (uint32_t i = 0; i < KINDS_OF_K32V32; ++i) {
        EACH_WAY(ORDER_YES, OF(.capacity = 10000, .kind = &table_kinds[i]),
                 .keys = {.special = 3500},
                 PAIRS(.maxCount = 7000, .mode = i & 1 ? MUR_MODE_INSERT : MUR_MODE_ASSIGN,
                       .invalid = 7));
    }
}

ROWS_OF_EACH(build_replaces_the_content, for_each_layout) {
    ROW(OF(.capacity = 1000, .kind = kind),
        .commands = {{.kind = COMMAND_BUILD, .maxCount = 1000},
                     {.kind = COMMAND_BUILD, .maxCount = 1000, .first = 500}});
}

ROWS(build_of_other_modes_is_direct) {
    EACH_WAY(ORDER_NO, OF(.capacity = 5000, .kind = layout_kind(LAYOUT_k32v32_64, true)),
             PAIRS(.maxCount = 3000, .mode = MUR_MODE_ADD));
}

ROWS(build_takes_capacities_from_one_up) {
    static const uint32_t capacities[] = {1,    2,    3,    4,    5,    7,    100,  1023,
                                          1024, 1025, 2047, 2048, 2049, 5000, 32768};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        EACH_WAY(ORDER_YES, OF(.capacity = capacities[i]),
                 PAIRS(.maxCount = (capacities[i] + 1) / 2));
    }
}

/* Exact builds leave a table that is sorted by hash, even if they are partitioned, at each load for
 * which the library selects them. */
ROWS(build_takes_loads_up_to_exactly_full) {
    static const uint32_t percent[] = {1, 60, 75, 70, 90, 80, 95, 99, 100};
    const uint32_t unit = test_full() ? 200 : 100;
    for (size_t i = 0; i < sizeof percent / sizeof percent[0]; i += test_full() ? 1 : 2) {
        EACH_WAY(percent[i] <= 75 ? ORDER_YES : ORDER_ANY, OF(.capacity = 100 * unit),
                 PAIRS(.maxCount = unit * percent[i]));
        if (percent[i] <= 95) {
            ROW(OF(.capacity = 100 * unit),
                PAIRS(.maxCount = unit * percent[i], .way = WAY_EXACT, .order = ORDER_YES));
        }
    }
    for (uint32_t capacity = 1; capacity < 40; ++capacity) {
        EACH_WAY(ORDER_ANY, OF(.capacity = capacity, .probeLimit = UINT32_MAX),
                 PAIRS(.maxCount = capacity));
    }
}

ROWS(build_counts_items_without_room) {
    EACH_WAY(ORDER_NO, OF(.capacity = 1000), PAIRS(.maxCount = 1500, .fit = FIT_SOME));
}

ROWS(build_takes_counts_from_the_gpu) {
    static const uint32_t counts[] = {0, 1, 1234, 2048, 2999, 3000};
    EACH_WAY(ORDER_NO, OF(.capacity = 5000), PAIRS(.maxCount = 0));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        EACH_WAY(ORDER_YES, OF(.capacity = 5000),
                 PAIRS(.maxCount = 3000, .counted = true, .gpuCount = counts[i]));
    }
}

ROWS(build_takes_repeated_keys) {
    EACH_WAY(ORDER_YES, OF(.capacity = 20000), PAIRS(.maxCount = 18000, .times = 2));
    EACH_WAY(ORDER_YES, OF(.capacity = 16384), PAIRS(.maxCount = 8000, .times = 8));
    EACH_WAY(ORDER_YES, OF(.capacity = 1024), PAIRS(.maxCount = 1000, .times = 1000));
    EACH_WAY(ORDER_ANY, OF(.capacity = 32768),
             PAIRS(.maxCount = 16384, .times = 16384)); /* one partition overflows */
}

ROWS(build_takes_skewed_keys) {
    EACH_WAY(ORDER_ANY, OF(.capacity = 32768), ALL_IN_RANGE(32768), PAIRS(.maxCount = 500));
    EACH_WAY(ORDER_ANY, OF(.capacity = 32768), ALL_IN_RANGE(32768), PAIRS(.maxCount = 2500));
    /* There are few keys, because the time of inserts grows with the square of their number. */
    EACH_WAY(ORDER_NO, OF(.capacity = 32768), ALL_IN_RANGE(32768),
             PAIRS(.maxCount = test_full() ? 16384 : 4000));
    EACH_WAY(ORDER_YES, OF(.capacity = 32768), RANGE_ENDS, PAIRS(.maxCount = 16384));
}

ROWS(build_takes_clusters_at_the_end) {
    EACH_WAY(ORDER_YES, OF(.capacity = 4096), ALL_AT_THE_END, PAIRS(.maxCount = 50));
    EACH_WAY(ORDER_ANY, OF(.capacity = 4096), ALL_AT_THE_END, PAIRS(.maxCount = 200));
    EACH_WAY(ORDER_NO, OF(.capacity = 4096), ALL_AT_THE_END, PAIRS(.maxCount = 1500));
    EACH_WAY(ORDER_ANY, OF(.capacity = 1500), ALL_AT_THE_END, PAIRS(.maxCount = 300));
}

/* The table is so large that the batch is partitioned in two passes. */
ROWS(build_splits_in_two_steps) {
    const uint32_t capacity = (MUR_SPLIT_BINS + 3) * MUR_SLICE;
    const bool full = test_full();
    const uint32_t count = full ? capacity / 5 * 2 : capacity / 10;
    ROW(OF(.capacity = capacity), PAIRS(.maxCount = count, .way = WAY_SLICES, .order = ORDER_YES),
        .bare = true);
    ROW(OF(.capacity = capacity), RANGE_ENDS, .bare = true,
        PAIRS(.maxCount = capacity / (full ? 10 : 30), .way = WAY_EXACT, .order = ORDER_YES));
}

ROWS(build_with_a_short_probe_limit_is_direct) {
    EACH_WAY(ORDER_NO, OF(.capacity = 8192, .probeLimit = 64), PAIRS(.maxCount = 3000));
}

/* Builds are direct if scratch memory is too small, results are requested, or pairs are few. */
ROWS(build_with_results_or_little_scratch_is_direct) {
    ROW(OF(.capacity = 4096),
        PAIRS(.maxCount = 1000, .way = WAY_SLICES, .statuses = true, .order = ORDER_NO));
    ROW(OF(.capacity = 4096),
        PAIRS(.maxCount = 1000, .way = WAY_SLICES, .slots = true, .order = ORDER_NO));
    ROW(OF(.capacity = 4096),
        PAIRS(.maxCount = 1000, .way = WAY_SLICES, .scratch = SCRATCH_SHORT, .order = ORDER_NO));
    ROW(OF(.capacity = 4096), PAIRS(.maxCount = 1000, .scratch = SCRATCH_NONE, .order = ORDER_NO));
}

/* Erases and assigns of present keys keep the table sorted. A new key clears the flag "ordered". */
ROWS(order_lasts_until_a_new_key) {
    ROW(OF(.capacity = 10000),
        .commands = {{.kind = COMMAND_BUILD, .maxCount = 5000, .way = WAY_SLICES},
                     {.kind = COMMAND_INSERT, .maxCount = 1000, .order = ORDER_YES},
                     {.kind = COMMAND_ERASE, .maxCount = 1000, .order = ORDER_YES},
                     {.kind = COMMAND_FIND, .maxCount = 2000, .values = true},
                     {.kind = COMMAND_INSERT, .first = 5000, .maxCount = 1000, .order = ORDER_NO},
                     {.kind = COMMAND_FIND, .maxCount = 6000, .values = true}});
}

/* Fills the table and erases some keys. Then inserts a batch. Half of its keys are present. */
#define FILLED(capacity_, before, ...)                                                  \
    OF(.capacity = capacity_),                                                          \
        .commands = {{.kind = COMMAND_PUT, .maxCount = before, .erased = 3, .salt = 5}, \
                     {.kind = COMMAND_INSERT,                                           \
                      .first = (before) / 2,                                            \
                      .way = WAY_SLICES,                                                \
                      .invalid = 11,                                                    \
                      __VA_ARGS__}}
#define ORDERED(capacity_, before, ...)                                                        \
    OF(.capacity = capacity_),                                                                 \
        .commands = {                                                                          \
            {.kind = COMMAND_BUILD, .maxCount = before, .way = WAY_EXACT, .order = ORDER_YES}, \
            {.kind = COMMAND_INSERT, .first = (before) / 2, .way = WAY_SLICES, __VA_ARGS__}}
#define PARTITIONED .exclusive = true, .scratch = SCRATCH_USED

ROWS(partitioned_insert_takes_widths_modes_and_empty_values) {
    for (uint32_t i = 0; i < 2 * KINDS_OF_K32V32; ++i) {
        Sequence row = {.keys = {.special = 500},
                        FILLED(5000, 900, .maxCount = 1500, PARTITIONED,
                               .mode = i & 1 ? MUR_MODE_INSERT : MUR_MODE_ASSIGN)};
        row.tables[0].kind = &table_kinds[i / 2];
        row_add(*rows, &row);
    }
}

ROWS(partitioned_insert_takes_capacities_and_counts) {
    static const uint32_t capacities[] = {1, 5, 1023, 1024, 1025, 2049, 4096};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        const uint32_t half = (capacities[i] + 1) / 2;
        ROW(FILLED(capacities[i], half / 2, .maxCount = half, PARTITIONED));
    }
    ROW(FILLED(3000, 500, .maxCount = 1300, PARTITIONED, .counted = true, .gpuCount = 777));
}

ROWS(partitioned_insert_takes_high_loads) {
    ROW(FILLED(4096, 2000, .maxCount = 2800, PARTITIONED));
    ROW(ORDERED(4096, 3900, .maxCount = 1900, PARTITIONED));
}

ROWS(partitioned_insert_takes_repeated_keys) {
    ROW(FILLED(3000, 600, .maxCount = 1200, PARTITIONED, .times = 4));
    /* All items belong to one partition, which overflows, so the batch is inserted directly. */
    ROW(FILLED(8192, 600, .maxCount = 3000, PARTITIONED, .times = 3000, .mode = MUR_MODE_INSERT));
}

ROWS(partitioned_insert_takes_skewed_keys) {
    const Keys keys[] = {{.style = KEYS_AT, .at = 8192 / 3},
                         {.style = KEYS_END},
                         {.style = KEYS_RANGE_ENDS, .at = MUR_SLICE}};
    for (uint32_t i = 0; i < 3; ++i) {
        ROW(FILLED(8192, 300, .maxCount = 250, PARTITIONED, .mode = MUR_MODE_INSERT),
            .keys = keys[i]);
        ROW(FILLED(8192, 60, .maxCount = 1500, PARTITIONED), .keys = keys[i]);
    }
}

ROWS(order_ends_with_a_new_key_of_a_partitioned_insert) {
    ROW(ORDERED(6000, 2000, .maxCount = 1000, PARTITIONED, .order = ORDER_YES));
    ROW(ORDERED(6000, 2000, .maxCount = 1001, PARTITIONED, .order = ORDER_NO));
}

ROWS(partitioned_insert_splits_in_two_steps) {
    ROW(FILLED((MUR_SPLIT_BINS + 3) * MUR_SLICE, 3000, .maxCount = 9000, PARTITIONED),
        .bare = true);
}

ROWS(partitioned_insert_with_too_little_scratch_memory_is_direct) {
    ROW(FILLED(4096, 100, .maxCount = 1000, .exclusive = true, .scratch = SCRATCH_SHORT));
    ROW(FILLED(4096, 100, .maxCount = 1000, .scratch = SCRATCH_NONE));
}
