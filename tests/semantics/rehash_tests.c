/* Rehashes and compactions: from tables of every size and state to tables of every size, by the
 * direct and by the streamed path.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

enum { OTHER_SEED = 0xBADC0DE };

typedef struct Move {
    const TableKind *kind, *toKind; /* NULL: the first type; for toKind the same type, but linear */
    uint32_t from, to;              /* capacities of source and destination; to 0: a compaction */
    uint32_t count, erased;         /* number of keys; the last `erased` of each ten are erased */
    Keys keys;
    bool extra;     /* the last inserted key is that of the first extra slot */
    bool newSeed;   /* the destination has another seed */
    uint64_t limit; /* probe limit of the destination, or of a compaction */
    Fit fit;
    Stream stream;   /* how the streamed path must end */
    bool withoutMap; /* the command returns neither slot map nor result */
} Move;

/* Adds rows that move the same entries by the direct and by the streamed path. The first command
 * fills the source without a probe limit. */
static void move(Rows *rows, const Move *test) {
    static const Way ways[] = {WAY_DIRECT, WAY_STREAM};
    const TableKind *kind = test->kind ? test->kind : &table_kinds[0];
    Sequence row = {
        .name = "move",
        .keys = test->keys,
        .tables = {{.kind = kind, .capacity = test->from, .probeLimit = test->to ? 0 : test->limit},
                   {.kind = test->toKind,
                    .capacity = test->to,
                    .seed = test->newSeed ? OTHER_SEED : 0,
                    .probeLimit = test->limit}},
        .commands = {{.kind = COMMAND_PUT,
                      .maxCount = test->count + test->extra,
                      .erased = test->erased},
                     {.kind = test->to ? COMMAND_REHASH : COMMAND_COMPACT,
                      .slots = !test->withoutMap,
                      .result = !test->withoutMap,
                      .fit = test->fit,
                      .stream = test->stream}},
    };
    row.keys.special = test->extra ? test->count : 0;
    for (uint32_t i = 0; i < 2; ++i) {
        row.commands[1].way = ways[i];
        row_add(rows, &row);
    }
}
#define MOVE(...) move(*rows, &(const Move){__VA_ARGS__})

static const Keys hard = {.style = KEYS_HARD};
static const Keys middle = {.style = KEYS_MIDDLE};

ROWS(rehash_takes_capacities_larger_equal_and_smaller) {
    static const uint32_t from[] = {100, 60, 7, 1000, 1, 4099};
    for (Layout layout = 0; layout < LAYOUT_COUNT; ++layout) {
        for (uint32_t i = sweep_first(); i < (test_full() ? 6 : 4); i = sweep_after(i)) {
            const uint32_t count = (from[i] + 1) / 2;
            const uint32_t to[] = {count, from[i] - from[i] / 3, from[i], 2 * from[i] + 1,
                                   9 * from[i]};
            for (uint32_t k = 0; k < sizeof to / sizeof to[0]; ++k) {
                if (test_full() || (layout + i / 2 + k) % 2 == 0) {
                    MOVE(.kind = layout_kind(layout, k % 2 == 0), .from = from[i], .to = to[k],
                         .count = count, .erased = 2, .keys = {.style = k % 3 ? KEYS_HARD : 0},
                         .newSeed = k == 3);
                }
            }
        }
    }
}

ROWS(rehash_takes_widths_empty_values_and_seeds) {
    for (uint32_t i = 0; i < 2 * KINDS_WITH_WIDTHS; ++i) {
        const TableKind *from = &table_kinds[i / 2];
        const bool newSeed = (i / 4 + i) % 2 == 1;
        MOVE(.kind = from, .toKind = i % 2 ? &table_kinds[i / 2 ^ 2] : from, .from = 3000,
             .to = 5000, .count = 2000, .erased = 3, .extra = true, .newSeed = newSeed,
             .stream = newSeed ? STREAM_ANY : STREAM_SPARSE);
    }
}

/* Rehashes to another seed and back. With the other seed, the key of the extra slot has a normal
 * slot. The entries that wrap are not always the last ones to move. */
static void there_and_back(Rows *rows, const TableKind *kind, Keys keys, uint32_t capacity,
                           uint32_t count) {
    row_add(rows, &(const Sequence){
                      .keys = keys,
                      .tables = {{.kind = kind, .capacity = capacity, .probeLimit = capacity},
                                 {.kind = kind, .capacity = capacity, .seed = OTHER_SEED}},
                      .commands = {{.kind = COMMAND_PUT, .maxCount = count},
                                   {.kind = COMMAND_REHASH, .slots = true, .result = true},
                                   {.kind = COMMAND_REHASH, .slots = true, .result = true}}});
}

ROWS_OF_EACH(rehash_and_back_changes_no_entry, for_each_layout) {
    there_and_back(*rows, kind, (Keys){.style = KEYS_RANGE_ENDS, .at = 64}, 64, 60);
    /* With 256 slots, the host processes the extra slot in a separate chunk. */
    there_and_back(*rows, kind, (Keys){.special = 99}, 224, 100);
}

ROWS(rehash_reads_tables_in_buckets) {
    for (uint32_t i = 0; i < 2 * (ALL_KINDS - TABLE_KINDS); ++i) {
        if (!test_full() && (i / 2 + i) % 2 != 0) {
            continue; /* each type runs with one of the two capacities */
        }
        MOVE(.kind = &table_kinds[TABLE_KINDS + i / 2], .from = 5000, .to = i % 2 ? 3000 : 600,
             .count = 2000, .erased = 3, .keys = {.style = i / 2 % 2 ? KEYS_RANDOM : KEYS_HARD},
             .extra = i / 2 % 2 == 1, .newSeed = i / 4 % 2 == 1,
             .fit = i % 2 == 0 ? FIT_SOME : FIT_ALL);
    }
}

ROWS(rehash_takes_loads_up_to_exactly_full) {
    static const uint32_t percent[] = {0, 1, 30, 50, 60, 80, 95, 100};
    for (uint32_t i = sweep_first(); i < sizeof percent / sizeof percent[0]; i = sweep_after(i)) {
        const uint32_t load = percent[i];
        const uint32_t capacity = test_full() || load == 100 ? 20000 : 8000;
        const uint32_t count = capacity / 100 * load;
        MOVE(.from = capacity, .to = capacity, .count = count,
             .stream = load <= 50   ? STREAM_SPARSE
                       : load <= 95 ? STREAM_DENSE
                                    : STREAM_FAILED);
        MOVE(.from = capacity, .to = 2 * capacity, .count = count, /* last: long clusters */
             .stream = load <= 95 ? STREAM_SPARSE : STREAM_FAILED);
        if (load <= 50) {
            MOVE(.from = capacity, .to = capacity / 2, .count = count,
                 .stream = load < 25    ? STREAM_SPARSE
                           : load <= 40 ? STREAM_DENSE
                                        : STREAM_FAILED);
        }
    }
}

ROWS_OF_EACH(rehash_takes_loads_of_every_type, for_each_layout) {
    static const uint32_t percent[] = {0, 20, 50, 80, 95, 100};
    const uint32_t unit = test_full() ? 90 : 30;
    for (uint32_t i = sweep_first(); i < sizeof percent / sizeof percent[0]; i = sweep_after(i)) {
        for (uint32_t to = 0; to <= 200; to += 100) { /* to 0: a compaction */
            MOVE(.kind = kind, .from = 100 * unit, .to = to * unit, .count = unit * percent[i],
                 .erased = to ? i % 2 : 5, .keys = hard);
        }
    }
}

ROWS_OF_EACH(rehash_takes_long_clusters_and_too_many_entries, for_each_layout) {
    const uint32_t unit = test_full() ? 100 : 30;
    MOVE(.kind = kind, .from = 60 * unit, .to = 70 * unit, .count = 24 * unit, .erased = 4,
         .keys = middle);
    MOVE(.kind = kind, .from = 60 * unit, .count = 24 * unit, .erased = 4, .keys = middle);
    MOVE(.kind = kind, .from = 60 * unit, .to = 70 * unit, .count = 24 * unit, .erased = 4,
         .keys = middle, .limit = 100, .fit = FIT_SOME);
    MOVE(.kind = kind, .from = 60 * unit, .to = 3 * unit, .count = 24 * unit, .erased = 4,
         .keys = hard, .fit = FIT_SOME);
}

/* Adds a rehash from 32-bit to 64-bit atomics, and a compaction if the capacity stays the same. */
static void stream(Rows *rows, Move test, bool zero) {
    const bool wide = gpu_offers(rows->gpu, MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64);
    test.kind = layout_kind(LAYOUT_k64v32_32, zero);
    test.toKind = wide ? layout_kind(LAYOUT_k64v32_64, zero) : NULL;
    move(rows, &test);
    if (test.from == test.to && !test.newSeed) {
        test.to = 0;
        move(rows, &test);
    }
}
#define STREAM(zero, ...) stream(*rows, (Move){__VA_ARGS__}, zero)

/* Unit of capacities and counts of large tables. */
static uint32_t large_unit(void) {
    return test_full() ? 1000 : 400;
}

ROWS(large_tables_of_64_bit_keys_stream) {
    static const uint32_t to[] = {120, 60, 35, 24};
    const uint32_t unit = large_unit();
    for (uint32_t i = 0; i < 4; ++i) {
        STREAM(i % 2 == 1, .from = 60 * unit, .to = to[i] * unit,
               .count = (i == 3 ? 20 : 28) * unit, .erased = i < 3 ? i : 0, .keys = hard,
               .stream = i < 2 ? STREAM_SPARSE : STREAM_DENSE);
    }
    STREAM(false, .from = 30 * unit, .to = 60 * unit, .count = 20 * unit, .keys = hard,
           .newSeed = true);
}

/* Neighbouring workgroups of a stream must agree on the slots of these keys. */
ROWS(keys_with_equal_high_halves_stream) {
    static const uint32_t sharing[] = {2, 7, 30};
    const uint32_t unit = large_unit();
    for (uint32_t i = 0; i < 3; i += test_full() ? 1 : 2) {
        const bool few = sharing[i] < 30;
        for (uint32_t to = 30; to <= 90; to += 60) {
            STREAM(false, .from = 60 * unit, .to = to * unit, .count = 25 * unit, .erased = 1,
                   .keys = {.sharing = sharing[i]},
                   .stream = !few      ? STREAM_ANY
                             : to < 60 ? STREAM_DENSE
                                       : STREAM_SPARSE);
        }
    }
}

ROWS(entries_without_a_stream_slot_are_inserted) {
    STREAM(false, .from = 20000, .to = 30000, .count = test_full() ? 3000 : 1000, .keys = middle,
           .stream = STREAM_FAILED);
    const uint32_t full = test_full() ? 20000 : 8000;
    STREAM(false, .from = full, .to = full, .count = full - full / 200, .keys = hard,
           .stream = STREAM_FAILED);
}

/* Streamed rehashes of nearly full tables, whose workgroups read many slots, must not abort. */
ROWS(rehash_streams_many_slices) {
    static const struct {
        uint32_t to, count, erased;
        Stream stream;
    } cases[] = {{200001, 97000, 0, STREAM_SPARSE},
                 {100000, 93000, 5, STREAM_SPARSE},
                 {57000, 27000, 0, STREAM_SPARSE},
                 {100000, 95700, 0, STREAM_DENSE},
                 {40000, 36700, 0, STREAM_DENSE}};
    const uint32_t times = test_full() ? 3 : 1;
    for (uint32_t i = sweep_first(); i < sizeof cases / sizeof cases[0]; i = sweep_after(i)) {
        MOVE(.from = 100000 * times, .to = cases[i].to * times, .count = cases[i].count * times,
             .erased = cases[i].erased, .stream = cases[i].stream);
    }
}

ROWS(rehash_drops_erased_entries) {
    for (uint32_t erased = 1; erased <= 10; erased += 3) {
        MOVE(.from = 12000, .to = 12000, .count = 11000, .erased = erased,
             .stream = erased < 4   ? STREAM_DENSE
                       : erased > 4 ? STREAM_SPARSE
                                    : STREAM_ANY);
    }
}

/* The samples that a rehash reads here make it select the stream for sparse tables, which fails.
 * The stream for dense tables then succeeds up to a certain number of slots. */
ROWS(dependent_slices_end_the_stream) {
    const uint32_t cut = 2 * MUR_REHASH_WINDOW - 3 * MUR_REHASH_BEFORE - 5;
    MOVE(.from = 20000, .to = 20000, .count = 9000, .keys = {.style = KEYS_ROW},
         .stream = STREAM_FAILED);
    MOVE(.from = 10000, .to = 10000, .count = 7000, .keys = {.style = KEYS_ROW},
         .stream = STREAM_DENSE);
    MOVE(.from = 20000, .to = 20000, .count = 13000, .extra = true, .keys = {.style = KEYS_PILE},
         .stream = STREAM_FAILED);
    MOVE(.from = 20000, .to = 20000, .count = 8500, .extra = true, .keys = {.style = KEYS_HALF},
         .stream = STREAM_FAILED);
    /* All keys have one home. It is so far before a slice (a workgroup's range of slots) that the
     * slice's workgroup does not read these keys. */
    MOVE(.from = 20000, .to = 20000, .count = MUR_REHASH_BEFORE + 50,
         .keys = {.style = KEYS_AT, .at = cut}, .stream = STREAM_FAILED);
}

ROWS(rehash_counts_entries_without_room) {
    static const uint32_t to[] = {1, 100, 2990, 9000};
    const bool full = test_full();
    for (uint32_t i = 0; i < (full ? 4 : 3); ++i) { /* the last one is slow */
        MOVE(.from = full ? 20000 : 6000, .to = to[i], .count = full ? 15000 : 4500, .extra = true,
             .toKind = &table_kinds[i % 2 * 2], .fit = FIT_SOME);
    }
}

ROWS(rehash_takes_long_and_wrapped_clusters) {
    static const KeyStyle keys[] = {KEYS_MIDDLE, KEYS_END, KEYS_CLUMPS};
    static const uint32_t counts[] = {40, 700, 2500, 7500};
    for (uint32_t i = 0; i < 12; ++i) {
        if (counts[i % 4] > 700 && gpu->software && !test_full()) {
            continue; /* slow on software devices */
        }
        for (uint32_t to = 8000; to <= 16000; to *= 2) {
            MOVE(.kind = &table_kinds[to == 8000], .from = 8000, .to = to, .count = counts[i % 4],
                 .erased = i % 2 ? 5 : 0, .keys = {.style = keys[i / 4]},
                 .stream = counts[i % 4] == 40 ? STREAM_SPARSE : STREAM_FAILED);
        }
    }
    /* The destination has fewer slots after the last home than these keys need. */
    MOVE(.from = 80, .to = 40, .count = 17, .keys = {.style = KEYS_END}, .stream = STREAM_FAILED);
}

ROWS(rehash_keeps_short_probe_limits) {
    MOVE(.from = 9000, .to = 18000, .count = 8000, .limit = 32);
    for (uint32_t i = 0; i < 40; ++i) { /* from sorted tables to tables that lack slots */
        MOVE(.kind = &table_kinds[i % KINDS_OF_K32V32], .from = 200 + 8 * i, .to = 200 + 8 * i,
             .count = 150 + 4 * i, .limit = 4, .newSeed = true, .fit = FIT_PERHAPS);
    }
    MOVE(.from = 9000, .to = 18000, .count = 600, .limit = 64, .keys = middle, .fit = FIT_SOME);
}

ROWS(rehash_needs_no_map_and_no_result) {
    MOVE(.from = 5000, .to = 9000, .count = 4000, .erased = 1, .withoutMap = true);
    MOVE(.from = 5000, .count = 4000, .erased = 1, .withoutMap = true);
}

/* Clusters are much longer than a tile, the slots that a workgroup reads or fills at once. */
ROWS(compaction_takes_clusters_longer_than_a_tile) {
    static const uint32_t percent[] = {95, 98};
    const uint32_t capacity = test_full() ? 16000 : 5000;
    for (uint32_t i = sweep_first(); i < 2; ++i) {
        MOVE(.from = 60000, .count = 600 * percent[i], .erased = 6, .stream = STREAM_SPARSE);
    }
    MOVE(.from = capacity, .count = capacity / 16 * 7, .erased = 9, .keys = middle,
         .stream = STREAM_FAILED);
    MOVE(.from = capacity, .count = capacity / 16 * 7, .erased = 9, .keys = {.style = KEYS_END},
         .stream = STREAM_FAILED);
}

ROWS(compaction_takes_tables_without_a_free_slot) {
    for (uint32_t capacity = 1; capacity <= 4096; capacity *= 8) {
        for (uint32_t erased = 0; erased <= 10; erased += 5) {
            MOVE(.from = capacity, .count = oracle_slot_count(MUR_FORMAT_K32V32, capacity),
                 .erased = erased, .extra = true,
                 .keys = {.style = capacity == 512 ? KEYS_MIDDLE : KEYS_RANDOM});
        }
    }
}

/* The table was filled by probes longer than its limit. Only fifteen sectors have free slots. */
ROWS(compaction_without_room_moves_no_entry) {
    ROW(.bare = true, .keys = middle, .tables = {{.capacity = 9000, .probeLimit = 56}},
        .commands = {{.kind = COMMAND_PUT, .maxCount = 1200, .erased = 5},
                     {.kind = COMMAND_COMPACT,
                      .slots = true,
                      .result = true,
                      .fit = FIT_SOME,
                      .moved = 60}});
}

static void merge(Rows *rows, const TableKind *kind, const TableKind *to, MurInsertMode mode,
                  uint32_t capacity, Fit fit) {
    const uint32_t count = 800;
    row_add(
        rows,
        &(const Sequence){
            .keys = fit == FIT_ALL ? hard : (Keys){.style = KEYS_RANDOM},
            /* a capacity at which all keys fit */
            .tables = {{.kind = kind, .capacity = kind->flags ? 2000 : 1000},
                       {.kind = to, .capacity = capacity, .seed = mode % 2 ? OTHER_SEED : 0}},
            .commands = {
                {.kind = COMMAND_PUT, .maxCount = count, .erased = 3},
                {.kind = COMMAND_PUT,
                 .other = true,
                 .first = count / 2,
                 .maxCount = 700,
                 .erased = fit == FIT_ALL ? 3 : 0,
                 .salt = 3},
                {.kind = COMMAND_MERGE, .mode = mode, .slots = true, .result = true, .fit = fit}}});
}

/* If a format has both atomic widths, every second mode merges from one width into the other. */
ROWS_OF_EACH(merge_takes_every_mode, for_each_kind) {
    const uint32_t number = (uint32_t)(kind - table_kinds);
    for (MurInsertMode mode = 0; mode <= MUR_MODE_UPDATE; ++mode) {
        const bool other = mode % 2 && number < KINDS_WITH_WIDTHS;
        if (kind_offers(kind, mode)) {
            merge(*rows, kind, other ? &table_kinds[number ^ 2] : NULL, mode, 2000, FIT_ALL);
        }
    }
}

ROWS_OF_EACH(merge_counts_entries_without_room, for_each_layout) {
    merge(*rows, kind, NULL, MUR_MODE_INSERT, 800, FIT_SOME);
}
