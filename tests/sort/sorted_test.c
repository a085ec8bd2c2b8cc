/* Insert, find and erase on batches that are sorted by home slot first, against the oracle: keys
 * come once in a batch, so that all but the slots of new keys is known beforehand.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

#include <kernels/push.h>

#include <stdlib.h>
#include <string.h>

enum { SEED = 5, MARGIN = 16, ARRAYS = 7, UNTOUCHED = 0xAB };
#define UNTOUCHED_WORD 0xABABABABu

typedef enum Verb { INSERT, FIND, ERASE } Verb;
typedef enum Output { VALUES = 1, STATUSES = 2, SLOTS = 4, BITS = 8, ALL = 15, OLDS = 16 } Output;

/* Keys number first, first + step, ... */
typedef struct Batch {
    Verb verb;
    uint32_t first, step;
    uint32_t gpuCount; /* 0: there is none */
    uint32_t outputs;  /* Output; VALUES: of finds and erases, OLDS: of inserts */
    MurInsertMode mode;
} Batch;

typedef struct Run {
    Gpu *gpu;
    Pair *pair;
    const Batch *batch;
    uint32_t count, done; /* items of the arrays, and of the batch */
    /* keys, values, statuses, slots, old values, bits, the count; then scratch memory */
    GpuBuffer arrays[ARRAYS], scratch;
    VkDeviceSize given; /* of the scratch memory */
    OracleResult *expected;
} Run;

static uint32_t mixed(uint32_t x) {
    return mur_hash(x, 0x2545F491);
}

/* Different keys; two that live in extra slots, in formats that have such. */
static uint64_t key_of(const TableKind *kind, uint32_t number) {
    const uint32_t extras = MUR_EXTRA_SLOTS(kind->format);
    if (kind->format != MUR_FORMAT_K64V32 && number >= 7 && number < 7 + extras) {
        return oracle_extra_key(kind->format, number - 7, SEED);
    }
    return mixed(number) | (MUR_IS_64(kind->format) ? (uint64_t)(mixed(number / 3) | 1) << 32 : 0);
}

static uint64_t item_key(const Run *run, uint32_t i) {
    return key_of(run->pair->kind, run->batch->first + i * run->batch->step);
}

/* Some are refused. */
static uint64_t item_value(const Run *run, uint32_t i) {
    const Oracle *oracle = &run->pair->oracle;
    const uint64_t value = mixed(i + 977 * run->batch->mode + run->batch->first) % 0xFFFFFFFE + 1;
    return kind_is_set(run->pair->kind)             ? 1
           : i % 17 == 3                            ? oracle->none
           : kind_value_words(run->pair->kind) == 2 ? value << 32 | i
                                                    : value;
}

static uint32_t words_of(const Run *run, uint32_t array) {
    const uint32_t values = kind_value_words(run->pair->kind);
    const uint32_t words[ARRAYS] = {kind_key_words(run->pair->kind), values, 1, 1, values};
    return words[array];
}

static void put(GpuBuffer *array, uint32_t i, uint32_t words, uint64_t number) {
    memcpy((char *)array->mapped + 4ull * words * i, &number, 4 * words);
}

static uint64_t get(const GpuBuffer *array, uint32_t i, uint32_t words) {
    uint64_t number = 0;
    memcpy(&number, (const char *)array->mapped + 4ull * words * i, 4 * words);
    return number;
}

/* What the oracle says, without the slots of inserts. */
static void expect(Run *run) {
    Oracle *oracle = &run->pair->oracle;
    for (uint32_t i = 0; i < run->done; ++i) {
        const uint64_t key = item_key(run, i);
        run->expected[i] = run->batch->verb == FIND ? oracle_find(oracle, key)
                           : run->batch->verb == ERASE
                               ? oracle_erase(oracle, key)
                               : oracle_insert(oracle, run->batch->mode, key, item_value(run, i));
        assert_true(run->expected[i].status != MUR_FULL);
    }
}

static MurArray array_of(const Run *run, uint32_t array, bool given) {
    return given ? gpu_array(&run->arrays[array]) : (MurArray){0, 0};
}

static MurBatch open_arrays(Run *run) {
    const Batch *batch = run->batch;
    const bool set = kind_is_set(run->pair->kind), insert = batch->verb == INSERT;
    for (uint32_t array = 0; array < ARRAYS; ++array) {
        const uint32_t words = array == 5   ? (run->count + 31) / 32
                               : array == 6 ? 1
                                            : run->count * words_of(run, array);
        run->arrays[array] = gpu_buffer(run->gpu, words ? 4ull * words : 4);
        memset(run->arrays[array].mapped, UNTOUCHED, run->arrays[array].size);
    }
    for (uint32_t i = 0; i < run->count; ++i) {
        put(&run->arrays[0], i, words_of(run, 0), item_key(run, i));
        if (insert) {
            put(&run->arrays[1], i, words_of(run, 1), item_value(run, i));
        }
    }
    put(&run->arrays[6], 0, 1, batch->gpuCount);
    return (MurBatch){
        .maxCount = run->count,
        .countAddress = batch->gpuCount ? run->arrays[6].address : 0,
        .keys = array_of(run, 0, true),
        .values = array_of(run, 1, !set && (insert || batch->outputs & VALUES)),
        .statuses = array_of(run, 2, batch->outputs & STATUSES),
        .slots = array_of(run, 3, batch->outputs & SLOTS),
        .oldValues = array_of(run, 4, !set && batch->outputs & OLDS),
        .statusBits = array_of(run, 5, batch->outputs & BITS),
    };
}

/* Inserts that keep, or into slots of 16 bytes, are faster directly. */
static bool is_sorted(const Run *run) {
    const bool large = oracle_slot_words(run->pair->kind->format) == 4;
    return run->batch->verb != INSERT || !(large || run->batch->mode == MUR_MODE_KEEP);
}

/* missing: bytes by which the scratch memory is smaller than what suffices for any batch. */
static void record(Run *run, MurBatch *items, VkDeviceSize missing) {
    static const MurCommand commands[] = {MUR_COMMAND_INSERT, MUR_COMMAND_FIND, MUR_COMMAND_ERASE};
    Gpu *gpu = run->gpu;
    const MurTable table = run->pair->table;
    const Batch *batch = run->batch;
    assert_int_equal(murGetScratchSize(table, commands[batch->verb], batch->mode, items), 0);
    gpu_take(gpu, WAY_SORTED);
    const VkDeviceSize size = murGetScratchSize(table, commands[batch->verb], batch->mode, items);
    assert_int_equal(size != 0, is_sorted(run));
    if (batch->verb == INSERT) { /* a build, made for no more, sorts what an insert does */
        assert_int_equal(murGetScratchSize(table, MUR_COMMAND_BUILD, batch->mode, items), size);
    }
    run->scratch = gpu_buffer(gpu, size + MARGIN);
    run->given = size ? size - missing : 0;
    memset(run->scratch.mapped, UNTOUCHED, run->scratch.size);
    items->scratch = (MurArray){size ? run->scratch.address : 0, run->given};
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_require(batch->verb == INSERT ? murCmdInsert(gpu->cmd, table, batch->mode, items)
                : batch->verb == FIND ? murCmdFind(gpu->cmd, table, items)
                                      : murCmdErase(gpu->cmd, table, items));
    gpu_submit(gpu);
    gpu_take(gpu, WAY_DIRECT);
}

/* Has the command written to its scratch memory, as it does if it sorts? It must not beyond what it
 * was given. */
static void check_scratch(const Run *run, bool sorts) {
    const unsigned char *bytes = run->scratch.mapped;
    bool written = false;
    for (VkDeviceSize i = 0; i < run->scratch.size; ++i) {
        written = written || bytes[i] != UNTOUCHED;
        if (bytes[i] != UNTOUCHED && i >= run->given) {
            fail_msg("byte %llu of scratch memory of %llu was written", (unsigned long long)i,
                     (unsigned long long)run->given);
        }
    }
    assert_int_equal(written, sorts);
}

/* The table has what the oracle says; slots of new keys are the table's own. */
static void check_table(Run *run) {
    Pair *pair = run->pair;
    if (run->batch->verb == INSERT) {
        Oracle expected = oracle_copy(&pair->oracle);
        pair_adopt(pair);
        for (uint32_t i = 0; i < run->done; ++i) {
            const uint64_t key = item_key(run, i);
            assert_true(oracle_value(&pair->oracle, key) == oracle_value(&expected, key));
            if (run->expected[i].slot != MUR_NO_SLOT) {
                run->expected[i].slot = oracle_claimed(&pair->oracle, key);
            }
        }
        assert_int_equal(oracle_stats(&pair->oracle).live, oracle_stats(&expected).live);
        assert_int_equal(pair->oracle.refused, expected.refused);
        oracle_close(&expected);
    }
    pair_require_same(run->gpu, pair);
}

static void check_array(const Run *run, uint32_t array, uint32_t i, uint64_t expected) {
    const uint32_t words = words_of(run, array);
    const uint64_t untouched = (uint64_t)UNTOUCHED_WORD << 32 | UNTOUCHED_WORD;
    const uint64_t right = i < run->done ? expected : words == 2 ? untouched : UNTOUCHED_WORD;
    const uint64_t got = get(&run->arrays[array], i, words);
    if (got != right) {
        fail_msg("%s, verb %d, mode %d: item %u of %u, array %u: 0x%llx, expected 0x%llx",
                 run->pair->kind->name, (int)run->batch->verb, (int)run->batch->mode, i, run->done,
                 array, (unsigned long long)got, (unsigned long long)right);
    }
}

static void check_arrays(const Run *run) {
    const Batch *batch = run->batch;
    const bool set = kind_is_set(run->pair->kind);
    const uint32_t done = batch->verb == FIND              ? MUR_FOUND
                          : batch->verb == ERASE           ? MUR_ERASED
                          : batch->mode == MUR_MODE_UPDATE ? MUR_EXISTED
                                                           : MUR_INSERTED;
    for (uint32_t i = 0; i < run->count; ++i) {
        const OracleResult none = {0}, *expected = i < run->done ? &run->expected[i] : &none;
        if (batch->outputs & VALUES && batch->verb != INSERT && !set) {
            check_array(run, 1, i, expected->value);
        }
        if (batch->outputs & STATUSES) {
            check_array(run, 2, i, expected->status);
        }
        if (batch->outputs & SLOTS) {
            check_array(run, 3, i, expected->slot);
        }
        if (batch->outputs & OLDS && !set) {
            check_array(run, 4, i, expected->value);
        }
    }
    /* Bits of no item are 0, and words of none are not written. */
    for (uint32_t word = 0; batch->outputs & BITS && word < (run->count + 31) / 32; ++word) {
        uint32_t expected = 32 * word < run->done ? 0 : UNTOUCHED_WORD;
        for (uint32_t i = 32 * word; i < 32 * word + 32 && i < run->done; ++i) {
            expected |= (uint32_t)(run->expected[i].status == done) << i % 32;
        }
        assert_int_equal(get(&run->arrays[5], word, 1), expected);
    }
}

static void run(Gpu *gpu, Pair *pair, const Batch *batch, uint32_t count, VkDeviceSize missing) {
    const bool fewer = batch->gpuCount && batch->gpuCount < count;
    Run run = {.gpu = gpu,
               .pair = pair,
               .batch = batch,
               .count = count,
               .done = fewer ? batch->gpuCount : count,
               .expected = calloc(count, sizeof(OracleResult))};
    assert_non_null(run.expected);
    MurBatch items = open_arrays(&run);
    expect(&run);
    record(&run, &items, missing);
    check_scratch(&run, is_sorted(&run) && !missing);
    check_table(&run);
    check_arrays(&run);
    for (uint32_t i = 0; i < ARRAYS; ++i) {
        gpu_free(gpu, &run.arrays[i]);
    }
    gpu_free(gpu, &run.scratch);
    free(run.expected);
}

static Pair open_pair(Gpu *gpu, const TableKind *kind, uint32_t capacity) {
    gpu_skip_unless_it_sorts(gpu);
    Pair pair;
    pair_open(gpu, &pair, kind,
              &(PairOptions){.capacity = capacity, .seed = SEED, .uses = {murUseScratch()}});
    gpu_take(gpu, WAY_DIRECT);
    return pair;
}

static void life(Gpu *gpu, const TableKind *kind, uint32_t capacity, uint32_t count) {
    const MurInsertMode own = kind_is_set(kind) ? MUR_MODE_KEEP
                              : kind->zero      ? MUR_MODE_ADD
                                                : MUR_MODE_MIN;
    const MurInsertMode last = kind_is_set(kind) ? MUR_MODE_KEEP : MUR_MODE_UPDATE;
    const Batch batches[] = {
        {INSERT, 0, 2, 0, STATUSES | SLOTS, MUR_MODE_ASSIGN},
        {INSERT, 1, 3, 0, 0, MUR_MODE_ASSIGN},
        {INSERT, 0, 2, count / 2 + 1, SLOTS | OLDS, MUR_MODE_KEEP},
        {INSERT, 1, 3, 0, STATUSES | OLDS | BITS, own},
        {FIND, 0, 2, 0, ALL, 0},
        {FIND, 1, 3, count / 3 + 1, ALL, 0},
        {ERASE, 1, 3, count / 2 + 1, ALL, 0},
        {FIND, 0, 2, 0, kind_is_set(kind) ? SLOTS : VALUES, 0},
        {ERASE, 0, 2, UINT32_MAX, 0, 0},
        {ERASE, 1, 3, 0, BITS, 0},
        {INSERT, 1, 3, count / 3 + 1, STATUSES | BITS, MUR_MODE_ASSIGN},
        {INSERT, 1, 3, 0, STATUSES | BITS | OLDS, last},
        {INSERT, 0, 2, 0, STATUSES | SLOTS, MUR_MODE_ASSIGN},
    };
    Pair pair = open_pair(gpu, kind, capacity);
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; ++i) {
        run(gpu, &pair, &batches[i], count, 0);
    }
    pair_close(gpu, &pair);
}

EACH_LINEAR_KIND(every_format_and_command) {
    life(gpu, kind, 20000, 5000);
}

GPU_TEST(counts_around_a_tile) {
    const uint32_t tile = MUR_SORT_ITEMS * 512;
    const uint32_t counts[] = {1, 2, tile - 1, tile, tile + 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        life(gpu, layout_kind(LAYOUT_k32v32_64, false), 4 * counts[i] + 50, counts[i]);
        life(gpu, layout_kind(LAYOUT_k64v64, false), 4 * counts[i] + 50, counts[i]);
    }
}

GPU_TEST(capacities_around_the_bins) {
    const uint32_t capacities[] = {4, MUR_SORT_BINS - 1, MUR_SORT_BINS, MUR_SORT_BINS + 1, 65537};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        const uint32_t count = capacities[i] / 4 < 500 ? capacities[i] / 4 : 500;
        life(gpu, layout_kind(LAYOUT_k32v32_64, false), capacities[i], count);
    }
}

/* The same key many times: one item inserts it, one erases it, and sums are exact, whichever item
 * comes first. */
static void repeat(Gpu *gpu, const TableKind *kind) {
    enum { COUNT = 6000, KEYS = 7 };
    static const MurInsertMode modes[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR, MUR_MODE_ASSIGN};
    const bool wide = MUR_IS_64(kind->format);
    Pair pair = open_pair(gpu, kind, 5000);
    GpuBuffer arrays = gpu_buffer(gpu, 20 * COUNT), scratch = gpu_buffer(gpu, 1 << 20);
    uint32_t *words = arrays.mapped;
    for (int m = 0; m < 4; ++m) {
        if (!kind_offers(kind, modes[m]) || kind_value_words(kind) == 2) {
            continue;
        }
        uint64_t expected[KEYS] = {0};
        uint32_t told[2] = {0};
        for (uint32_t i = 0; i < COUNT; ++i) {
            const uint32_t value = modes[m] == MUR_MODE_ASSIGN ? 9 : 1 + mixed(i) % 1000;
            const uint64_t key = key_of(kind, i % KEYS);
            memcpy(words + (wide ? 2 : 1) * i, &key, wide ? 8 : 4);
            words[2 * COUNT + i] = value;
            expected[i % KEYS] = oracle_combine(
                &pair.oracle, modes[m], i < KEYS ? pair.oracle.none : expected[i % KEYS], value);
        }
        MurBatch batch = {.maxCount = COUNT,
                          .keys = gpu_part(&arrays, 0, (wide ? 2 : 1) * COUNT),
                          .values = gpu_part(&arrays, 2 * COUNT, COUNT),
                          .statuses = gpu_part(&arrays, 3 * COUNT, COUNT),
                          .scratch = gpu_array(&scratch)};
        for (int erases = 0; erases < 2; ++erases) {
            gpu_take(gpu, WAY_SORTED);
            GPU_RUN(gpu, erases ? murCmdErase(gpu->cmd, pair.table, &batch)
                                : murCmdInsert(gpu->cmd, pair.table, modes[m], &batch));
            gpu_take(gpu, WAY_DIRECT);
            pair_adopt(&pair);
            for (uint32_t i = 0; i < COUNT; ++i) {
                told[erases] += words[3 * COUNT + i] == (erases ? MUR_ERASED : MUR_INSERTED);
            }
            for (uint32_t k = 0; k < KEYS; ++k) {
                assert_true(oracle_value(&pair.oracle, key_of(kind, k)) ==
                            (erases ? pair.oracle.none : expected[k]));
            }
            assert_int_equal(told[erases], KEYS);
            batch.values = (MurArray){0, 0};
        }
    }
    gpu_free(gpu, &arrays);
    gpu_free(gpu, &scratch);
    pair_close(gpu, &pair);
}

GPU_TEST(repeated_keys) {
    for (int i = 0; i < KINDS_WITH_WIDTHS; ++i) {
        if (gpu_offers(gpu, table_kinds[i].format, table_kinds[i].width)) {
            repeat(gpu, &table_kinds[i]);
        }
    }
}

/* Enough for this batch is enough, less is served directly. */
GPU_TEST(scratch_memory) {
    enum { COUNT = 112 }; /* a multiple of 4: arrays need no padding */
    Pair pair = open_pair(gpu, layout_kind(LAYOUT_k32v32_64, false), 1000);
    const Batch insert = {INSERT, 0, 1, 0, STATUSES, MUR_MODE_ASSIGN};
    const Batch erase = {ERASE, 0, 1, 0, ALL, 0};
    run(gpu, &pair, &insert, COUNT, 0);
    run(gpu, &pair, &insert, COUNT, 1);
    run(gpu, &pair, &erase, COUNT, 1);
    pair_close(gpu, &pair);
}
