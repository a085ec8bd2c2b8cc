/* murCmdRehash, murCmdCompact and murCmdMerge for the formats other than K32V32, against their
 * model: made by the model, moved by the GPU, read back and checked slot by slot.
 *
 * SPDX-License-Identifier: MIT */
#include "formats.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

typedef struct FormatCase {
    const FormatKind *from, *to; /* the same format */
    uint32_t fromCapacity, toCapacity, count;
    uint32_t erased; /* of ten keys */
    bool zero, newSeed, overfull;
    bool compact;        /* the source, in place */
    uint64_t probeLimit; /* of the destination */
    MurInsertMode mode;  /* of a merge */
    uint32_t there;      /* merge: keys that the destination has before, from count / 2 on */
    uint32_t stream;     /* how a stream must end, MUR_STREAM_*; ANY_STREAM: as it likes */
    bool oneHome;        /* all keys have one home slot, in the middle */
    uint32_t sharing;    /* so many keys each share the high half of their hashes */
} FormatCase;

enum { SEED = 0x5EED, OTHER_SEED = 0xBADC0DE, ANY_STREAM = 99 };

typedef struct FormatRun {
    Gpu *gpu;
    const FormatCase *test;
    Pair from, to; /* compact: to is from */
    Model source;  /* before the command */
    GpuBuffer map, result, scratch;
    uint32_t live, dropped;
} FormatRun;

static uint64_t key_of(const FormatCase *test, uint32_t i) {
    const uint32_t format = test->from->format;
    if (test->oneHome) {
        const uint64_t high = 0x80000000u + i % 2;
        return model_key(format, format == MUR_FORMAT_K32 ? 0x80000000u + i : high << 32 | i, SEED);
    }
    if (test->sharing) {
        const uint64_t high = mur_hash(i / test->sharing, 9);
        return model_key(format, high << 32 | mur_hash(i, 3), SEED);
    }
    return i < HARD_KEYS ? hard_key(format, SEED, i) : 7919ull * i;
}

static uint64_t value_of(const Model *model, uint32_t i, uint32_t salt) {
    const uint64_t value = 1 + mur_hash(i, salt) % 1000;
    return model_is_set(model->config.format)          ? 1
           : model->config.format == MUR_FORMAT_K64V64 ? value << 33 | value
                                                       : value;
}

static void fill(const FormatCase *test, Pair *pair, uint32_t first, uint32_t last, uint32_t salt) {
    for (uint32_t i = first; i < last; ++i) {
        const uint64_t key = key_of(test, i);
        const ModelResult result = model_insert(&pair->model, MUR_MODE_ASSIGN, key,
                                                value_of(&pair->model, i, salt));
        assert_int_equal(result.status, MUR_INSERTED);
        if ((i + salt) % 10 < test->erased) {
            model_erase(&pair->model, key);
        }
    }
    model_image(&pair->model, pair->memory.mapped);
}

static Model copy_model(const Model *model) {
    Model copy = *model;
    copy.slot = malloc(copy.slots * sizeof *copy.slot);
    assert_non_null(copy.slot);
    memcpy(copy.slot, model->slot, copy.slots * sizeof *copy.slot);
    return copy;
}

static bool is_live(const Model *model, uint32_t slot) {
    uint64_t key, value;
    return model_entry(model, slot, &key, &value);
}

static FormatRun open_run(Gpu *gpu, const FormatCase *test) {
    FormatRun run = {.gpu = gpu, .test = test};
    const PairOptions from = {.capacity = test->fromCapacity,
                              .seed = SEED,
                              .zero = test->zero,
                              .moves = true,
                              .probeLimit = test->compact ? test->probeLimit : 0};
    const PairOptions to = {.capacity = test->toCapacity,
                            .seed = test->newSeed ? OTHER_SEED : SEED,
                            .probeLimit = test->probeLimit,
                            .zero = test->zero,
                            .moves = true};
    pair_open(gpu, &run.from, test->from, &from);
    fill(test, &run.from, 0, test->count, 0);
    run.source = copy_model(&run.from.model);
    for (uint32_t slot = 0; slot < run.source.slots; ++slot) {
        const bool live = is_live(&run.source, slot);
        run.live += live;
        run.dropped += !live && slot < run.source.config.slotCount &&
                       run.source.slot[slot].state != MODEL_FREE;
    }
    if (!test->compact) {
        pair_open(gpu, &run.to, test->to, &to);
        memset(run.to.memory.mapped, 0x37, run.to.memory.size); /* rubbish */
    }
    run.map = gpu_buffer(gpu, 4ull * run.source.slots);
    run.result = gpu_buffer(gpu, sizeof(MurRehashResult));
    run.scratch = gpu_buffer(gpu, murGetCompactScratchSize(run.from.table));
    memset(run.map.mapped, 0xA5, run.map.size);
    memset(run.result.mapped, 0xA5, run.result.size);
    return run;
}

static void close_run(FormatRun *run) {
    model_close(&run->source);
    pair_close(run->gpu, &run->from);
    if (!run->test->compact) {
        pair_close(run->gpu, &run->to);
    }
    gpu_free(run->gpu, &run->map);
    gpu_free(run->gpu, &run->result);
    gpu_free(run->gpu, &run->scratch);
}

static MurRehash arguments(const FormatRun *run) {
    return (MurRehash){.slotMap = gpu_array(&run->map),
                       .result = gpu_array(&run->result),
                       .scratch = gpu_array(&run->scratch)};
}

/* Each entry of the source is in the destination, where the map says; or nowhere, by both. */
static uint32_t check_entries(FormatRun *run, const Model *to, bool sameValues) {
    const uint32_t *map = run->map.mapped;
    uint32_t moved = 0;
    for (uint32_t slot = 0; slot < run->source.slots; ++slot) {
        uint64_t key, value;
        if (!model_entry(&run->source, slot, &key, &value)) {
            assert_int_equal(map[slot], MUR_NO_SLOT);
            continue;
        }
        const ModelResult found = model_find(to, key);
        if (map[slot] != found.slot || (sameValues && found.status == MUR_FOUND &&
                                        !model_is_set(to->config.format) && found.value != value)) {
            fail_msg("slot %u, key 0x%llx: mapped to %u, found in %u with 0x%llx, expected 0x%llx",
                     slot, (unsigned long long)key, map[slot], found.slot,
                     (unsigned long long)found.value, (unsigned long long)value);
        }
        moved += found.status == MUR_FOUND;
    }
    return moved;
}

static void check_source(const FormatRun *run) {
    const size_t words = model_image_words(&run->source);
    uint32_t *image = malloc(4 * words);
    assert_non_null(image);
    model_image(&run->source, image);
    assert_memory_equal(run->from.words, image, 4 * words);
    free(image);
}

/* In each cluster the high halves rise, the two largest counting as one. */
static void check_order(const Model *model) {
    uint32_t previous = 0;
    for (uint32_t slot = 0; slot < model->config.slotCount; ++slot) {
        const ModelSlot *it = &model->slot[slot];
        if (it->state == MODEL_FREE) {
            previous = 0;
            continue;
        }
        const uint64_t hash = model_hash(model->config.format, it->key, model->config.seed);
        const uint32_t high = (uint32_t)(hash >> 32);
        const uint32_t order = high < UINT32_MAX - 1 ? high : UINT32_MAX - 1;
        if (order < previous) {
            fail_msg("slot %u: 0x%x after 0x%x", slot, high, previous);
        }
        previous = order;
    }
}

static void check_moved(FormatRun *run) {
    const FormatCase *test = run->test;
    Pair *pair = test->compact ? &run->from : &run->to;
    const MurRehashResult *result = run->result.mapped;
    pair_adopt(pair);
    const uint32_t moved = check_entries(run, &pair->model, true);
    assert_int_equal(result->moved, moved);
    assert_int_equal(result->failed, run->live - moved);
    assert_int_equal(result->dropped, run->dropped);
    assert_int_equal(moved != run->live, test->overfull);
    MurStats stats;
    gpu_require(murBlockingStats(run->gpu->blocking, pair->table, &stats));
    assert_int_equal(stats.live, moved);
    assert_int_equal(stats.erased, 0);
    assert_int_equal(stats.full, run->live - moved);
    assert_int_equal(stats.refused, 0);
    /* An insert says before it claims a slot at the start that it wraps; another may be faster. */
    const uint32_t maybe = run->gpu->software ? 0 : stats.state & MUR_STATE_WRAPPED;
    assert_int_equal(stats.state, result->state | maybe);
    if (stats.state & MUR_STATE_ORDERED) {
        assert_int_equal(pair->model.config.format, MUR_FORMAT_K64V32);
        check_order(&pair->model);
    }
    if (!test->compact) {
        check_source(run);
    }
}

/* By the library's own find: order, if the state claims it, is what that relies on. */
static void check_finds(FormatRun *run) {
    const Pair *pair = run->test->compact ? &run->from : &run->to;
    const uint32_t count = run->test->count + 500;
    Bulk bulk = bulk_open(run->test->from->format, count);
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&bulk, i, key_of(run->test, i), 0);
    }
    gpu_require(murBlockingFind(run->gpu->blocking, pair->table, count, bulk.keys,
                                bulk_values(&bulk), bulk.statuses, bulk.slots));
    for (uint32_t i = 0; i < count; ++i) {
        const ModelResult found = model_find(&pair->model, bulk_key(&bulk, i));
        if (bulk.statuses[i] != found.status || bulk.slots[i] != found.slot ||
            (bulk_values(&bulk) && bulk_value(&bulk, i) != found.value)) {
            fail_msg("find of key 0x%llx: %s in %u, expected %s in %u",
                     (unsigned long long)bulk_key(&bulk, i), murStatusName(bulk.statuses[i]),
                     bulk.slots[i], murStatusName(found.status), found.slot);
        }
    }
    bulk_close(&bulk);
}

static void move_by(Gpu *gpu, const FormatCase *test, Way way) {
    FormatRun run = open_run(gpu, test);
    const MurRehash besides = arguments(&run);
    gpu_take(gpu, way);
    gpu_begin(gpu);
    gpu_barrier(gpu);
    if (test->compact) {
        gpu_require(murCmdCompact(gpu->cmd, run.from.table, &besides));
    } else {
        gpu_require(murCmdRehash(gpu->cmd, run.from.table, run.to.table, &besides));
    }
    gpu_submit(gpu);
    gpu_take(gpu, WAY_DEFAULT);
    const Pair *pair = test->compact ? &run.from : &run.to;
    const uint32_t stream = pair->words[MUR_HEADER_STREAM];
    const bool ordered = (pair->words[MUR_HEADER_STATE] & MUR_STATE_ORDERED) != 0;
    if (way == WAY_STREAM && test->stream != ANY_STREAM &&
        (stream != test->stream || ordered != (stream != MUR_STREAM_FAILED))) {
        fail_msg("the stream ended as %u, ordered %d, expected %u", stream, ordered, test->stream);
    }
    check_moved(&run);
    check_finds(&run);
    close_run(&run);
}

static void move(Gpu *gpu, const FormatCase *test) {
    move_by(gpu, test, WAY_DIRECT);
    move_by(gpu, test, WAY_STREAM);
}

/* ---- Rehash and compact --------------------------------------------------------------------- */

static void capacities(Gpu *gpu, const FormatKind *kind) {
    static const uint32_t from[] = {60, 4099, 1000};
    for (uint32_t i = 0; i < 3; i += test_full() ? 1 : 2) {
        const uint32_t count = from[i] * 3 / 4 + 10;
        const uint32_t to[] = {count, from[i], 2 * from[i] + 1, 9 * from[i]};
        for (uint32_t k = 0; k < 4; ++k) {
            const FormatCase test = {.from = kind,
                                     .to = kind,
                                     .fromCapacity = from[i],
                                     .toCapacity = to[k],
                                     .count = count,
                                     .erased = 3 * (k % 2),
                                     .zero = k >= 2,
                                     .newSeed = k == 2,
                                     .stream = ANY_STREAM};
            move(gpu, &test);
        }
    }
}

static void tables_of_every_format_move(void **state) {
    for_each_kind(state, capacities);
}

static void loads(Gpu *gpu, const FormatKind *kind) {
    static const uint32_t percent[] = {0, 20, 50, 80, 95, 100};
    const bool full = test_full();
    for (uint32_t i = full ? 0 : 1; i < sizeof percent / sizeof percent[0]; i += full ? 1 : 2) {
        FormatCase test = {.from = kind,
                           .to = kind,
                           .fromCapacity = 9000,
                           .toCapacity = 9000,
                           .count = 90 * percent[i],
                           .erased = i % 2,
                           .stream = ANY_STREAM};
        move(gpu, &test);
        test.toCapacity = 18000;
        move(gpu, &test);
        test.compact = true;
        test.erased = 5;
        move(gpu, &test);
    }
}

static void loads_up_to_full_move(void **state) {
    for_each_kind(state, loads);
}

static void crowds(Gpu *gpu, const FormatKind *kind) {
    const bool full = test_full();
    FormatCase test = {.from = kind,
                       .to = kind,
                       .fromCapacity = full ? 6000 : 1800,
                       .toCapacity = full ? 7000 : 2100,
                       .count = full ? 2500 : 700,
                       .erased = 4,
                       .oneHome = true,
                       .stream = ANY_STREAM};
    move(gpu, &test);
    test.compact = true;
    move(gpu, &test);
    test.compact = false;
    test.overfull = true;
    test.probeLimit = 100;
    move(gpu, &test);
    test.oneHome = false;
    test.probeLimit = 0;
    test.toCapacity = full ? 300 : 90;
    move(gpu, &test);
}

static void long_clusters_and_what_does_not_fit(void **state) {
    for_each_kind(state, crowds);
}

static void widths_mix(void **state) {
    for (uint32_t i = 0; i < 4; ++i) {
        const FormatCase test = {.from = &format_kinds[i % 2],
                                 .to = &format_kinds[i / 2],
                                 .fromCapacity = 3000,
                                 .toCapacity = 5000,
                                 .count = 2000,
                                 .erased = 2,
                                 .stream = ANY_STREAM};
        assert_int_equal(test.from->format, MUR_FORMAT_K64V32);
        assert_int_equal(test.to->format, MUR_FORMAT_K64V32);
        move(*state, &test);
    }
}

/* ---- The stream of K64V32 ------------------------------------------------------------------- */

static void streams(Gpu *gpu, const FormatCase *test) {
    FormatCase both = *test;
    both.from = &format_kinds[0];
    both.to = &format_kinds[1];
    move(gpu, &both);
    both.compact = test->fromCapacity == test->toCapacity && !test->newSeed;
    move(gpu, &both);
}

/* Capacities and counts of large tables are multiples of it. */
static uint32_t large_unit(void) {
    return test_full() ? 1000 : 400;
}

static void large_tables_stream(void **state) {
    static const uint32_t to[] = {120, 60, 35, 24};
    const uint32_t unit = large_unit();
    for (uint32_t i = 0; i < 4; ++i) {
        const FormatCase test = {.fromCapacity = 60 * unit,
                                 .toCapacity = to[i] * unit,
                                 .count = (i == 3 ? 20 : 28) * unit,
                                 .erased = i < 3 ? i : 0,
                                 .zero = i % 2 == 1,
                                 .stream = i < 2 ? MUR_STREAM_SPARSE : MUR_STREAM_DENSE};
        streams(*state, &test);
    }
    const FormatCase reseeded = {.fromCapacity = 30 * unit,
                                 .toCapacity = 60 * unit,
                                 .count = 20 * unit,
                                 .newSeed = true,
                                 .stream = ANY_STREAM};
    streams(*state, &reseeded);
}

/* Neighbouring workgroups must agree on which of them goes where. */
static void keys_with_one_high_half_stream(void **state) {
    static const uint32_t sharing[] = {2, 7, 30};
    const uint32_t unit = large_unit();
    for (uint32_t i = 0; i < 3; i += test_full() ? 1 : 2) {
        FormatCase test = {.fromCapacity = 60 * unit,
                           .toCapacity = 90 * unit,
                           .count = 25 * unit,
                           .erased = 1,
                           .sharing = sharing[i],
                           .stream = sharing[i] < 30 ? MUR_STREAM_SPARSE : ANY_STREAM};
        streams(*state, &test);
        test.toCapacity = 30 * unit;
        test.stream = sharing[i] < 30 ? MUR_STREAM_DENSE : ANY_STREAM;
        streams(*state, &test);
    }
}

static void what_no_stream_can_do_is_inserted(void **state) {
    FormatCase test = {.fromCapacity = 20000,
                       .toCapacity = 30000,
                       .count = test_full() ? 3000 : 1000,
                       .oneHome = true,
                       .stream = MUR_STREAM_FAILED};
    streams(*state, &test);
    test.oneHome = false;
    test.count = 19900;
    test.toCapacity = 20000;
    streams(*state, &test);
}

/* ---- Merge ---------------------------------------------------------------------------------- */

static void merge(Gpu *gpu, const FormatCase *test) {
    FormatRun run = open_run(gpu, test);
    const MurRehash besides = arguments(&run);
    fill(test, &run.to, test->count / 2, test->count / 2 + test->there, 3);
    Model expected = copy_model(&run.to.model);
    for (uint32_t slot = 0; slot < run.source.slots; ++slot) {
        uint64_t key, value;
        if (model_entry(&run.source, slot, &key, &value)) {
            model_insert(&expected, (uint32_t)test->mode, key,
                         model_is_set(expected.config.format) ? 1 : value);
        }
    }
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_require(murCmdMerge(gpu->cmd, run.from.table, run.to.table, test->mode, &besides));
    gpu_submit(gpu);
    pair_adopt(&run.to);
    const MurRehashResult *result = run.result.mapped;
    const bool updates = test->mode == MUR_MODE_UPDATE;
    const uint32_t met = check_entries(&run, &run.to.model, updates);
    assert_true(updates ? met > 0 && met < run.live : met == run.live);
    assert_int_equal(result->moved, met);
    assert_int_equal(result->dropped, run.dropped);
    assert_int_equal(result->failed, 0);
    for (uint32_t i = 0; i < test->count + test->there; ++i) {
        const uint64_t key = key_of(test, i);
        const ModelResult found = model_find(&run.to.model, key);
        const ModelResult right = model_find(&expected, key);
        if (found.status != right.status || found.value != right.value) {
            fail_msg("mode %d, key 0x%llx: 0x%llx, expected 0x%llx", (int)test->mode,
                     (unsigned long long)key, (unsigned long long)found.value,
                     (unsigned long long)right.value);
        }
    }
    check_source(&run);
    model_close(&expected);
    close_run(&run);
}

static void modes(Gpu *gpu, const FormatKind *kind) {
    for (uint32_t zero = 0; zero < 2; ++zero) {
        for (uint32_t mode = 0; mode <= MUR_MODE_UPDATE; ++mode) {
            const bool common = mode <= MUR_MODE_KEEP || mode == MUR_MODE_UPDATE;
            if ((model_is_set(kind->format) && mode > MUR_MODE_KEEP) ||
                (!common && (zero != 0) == (mode == MUR_MODE_MIN))) {
                continue;
            }
            const FormatCase test = {.from = kind,
                                     .to = kind,
                                     .fromCapacity = 1000,
                                     .toCapacity = 2000,
                                     .count = 800,
                                     .erased = 3,
                                     .there = 700,
                                     .zero = zero != 0,
                                     .newSeed = mode == MUR_MODE_KEEP,
                                     .mode = (MurInsertMode)mode};
            merge(gpu, &test);
        }
    }
}

static void every_format_merges_by_every_mode(void **state) {
    for_each_kind(state, modes);
}

/* ---- Arguments ------------------------------------------------------------------------------ */

static void formats_do_not_mix(void **state) {
    Gpu *gpu = *state;
    MurTable tables[MUR_FORMAT_COUNT];
    for (uint32_t i = 0; i < MUR_FORMAT_COUNT; ++i) {
        const MurTableCreateInfo info = {.capacity = 100, .format = i, .uses = {murUseRehash()}};
        tables[i] = gpu_table(gpu, &info);
    }
    VkCommandBuffer cmd = gpu_begin(gpu);
    for (uint32_t i = 0; i < MUR_FORMAT_COUNT * MUR_FORMAT_COUNT; ++i) {
        MurTable from = tables[i / MUR_FORMAT_COUNT], to = tables[i % MUR_FORMAT_COUNT];
        if (from != to) {
            assert_int_equal(murCmdRehash(cmd, from, to, NULL), MUR_ERROR_INVALID_ARGUMENT);
            assert_non_null(strstr(gpu->lastLog, "formats"));
            assert_int_equal(murCmdMerge(cmd, from, to, MUR_MODE_KEEP, NULL),
                             MUR_ERROR_INVALID_ARGUMENT);
        }
    }
    gpu_submit(gpu);
    for (uint32_t i = 0; i < MUR_FORMAT_COUNT; ++i) {
        murDestroyTable(tables[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(tables_of_every_format_move),
        gpu_test(loads_up_to_full_move),
        gpu_test(long_clusters_and_what_does_not_fit),
        gpu_test(widths_mix),
        gpu_test(large_tables_stream),
        gpu_test(keys_with_one_high_half_stream),
        gpu_test(what_no_stream_can_do_is_inserted),
        gpu_test(every_format_merges_by_every_mode),
        gpu_test(formats_do_not_mix),
    };
    return cmocka_run_group_tests_name("rehash, formats", tests, gpu_group_setup,
                                       gpu_group_teardown);
}
