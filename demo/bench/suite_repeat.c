/* Keys that are there already, and the same key from many: what frames insert. Keys and counts are
 * made on the host, which knows what must come of them.
 *
 * SPDX-License-Identifier: MIT */
#include "common/say.h"
#include "trial.h"

#include <murmuration/hash.h>

#include <math.h>
#include <stdlib.h>

enum { SEED = 0x6D75726D, KEYS_SEED = 0x51ED270B };

/* ---- Keys that are there -------------------------------------------------------------------- */

typedef struct Again {
    Trial trial;
    MurInsertMode mode;
    bool statuses, scratch;
} Again;

static MurBatch againBatch(const Again *again) {
    const Trial *trial = &again->trial;
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    if (again->statuses) {
        items.statuses = trialArray(&trial->statuses);
    }
    if (again->scratch) {
        trialLend(trial, MUR_COMMAND_INSERT, &items);
    }
    return items;
}

static bool insertAgain(Bench *bench, void *user) {
    const Again *again = user;
    const MurBatch items = againBatch(again);
    return gpuCheck(murCmdInsert(bench->gpu.cmd, again->trial.table, again->mode, &items),
                    "inserting");
}

static bool measureAgain(Again *again, const char *operation) {
    Trial *trial = &again->trial;
    const char *state;
    Timing timing;
    if (!trialForget(trial) || !trialState(trial, NULL, NULL, &state) ||
        !benchTime(trial->bench, &(Timed){NULL, insertAgain, again}, &timing) ||
        (again->statuses && !benchVerify(trial->bench, operation, &trial->statuses, 0, trial->pairs,
                                         EXPECT_CONSTANT, MUR_EXISTED)) ||
        !trialHoldsPairs(trial, operation)) {
        return false;
    }
    Row row = trialRow(trial, operation, state, trial->pairs, timing);
    row.scratch = againBatch(again).scratch.size;
    snprintf(row.variant, sizeof row.variant, "%u-bit atomics%s%s", trial->width,
             again->statuses ? ", statuses" : "", row.scratch ? ", scratch" : "");
    return benchCeiling(trial->bench, CEILING_READ_8, 8 * trial->capacity, &row) &&
           benchRow(trial->bench, &row);
}

static bool keysThatAreThere(Bench *bench, uint32_t pairs, MurAtomicWidth width) {
    Again again = {.trial = {.uses = TRIAL_SCRATCH}};
    Trial *trial = &again.trial;
    bool done = trialOpen(trial, bench, "repeat", width, 2ull * pairs, pairs) && trialFill(trial);
    for (int i = 0; i < 8 && done; ++i) {
        again.mode = i & 4 ? MUR_MODE_ASSIGN : MUR_MODE_KEEP;
        again.statuses = i & 1;
        again.scratch = i & 2;
        if (!again.scratch || againBatch(&again).scratch.size) {
            done = measureAgain(&again, i & 4 ? "assign there" : "keep there");
        }
    }
    trialClose(trial);
    return done;
}

/* ---- The same key from many ----------------------------------------------------------------- */

typedef struct Kind {
    const char *name;
    uint32_t (*rank)(uint32_t item, uint32_t count); /* of the key, below count */
    uint32_t share; /* items for each slot of the capacity, halved */
} Kind;

static uint32_t uniformRank(uint32_t item, uint32_t count) {
    return mur_hash(item * 0x9E3779B1u, KEYS_SEED) % (count / 16);
}

/* Exponent 1: ranks are evenly spread by their logarithm. */
static uint32_t zipfRank(uint32_t item, uint32_t count) {
    const double place = (double)mur_hash(item, KEYS_SEED) / 4294967296.0;
    return (uint32_t)exp2(place * log2(count));
}

static uint32_t oneRank(uint32_t item, uint32_t count) {
    (void)item;
    return count / 3;
}

static uint32_t ownRank(uint32_t item, uint32_t count) {
    (void)count;
    return item;
}

static const Kind kinds[] = {{"16 a key", uniformRank, 16},
                             {"Zipf", zipfRank, 1},
                             {"one key", oneRank, 1},
                             {"distinct", ownRank, 1}};

typedef struct Many {
    Again again;
    const Kind *kind;
    uint32_t entries;
    uint32_t *expected; /* sum by item: how many items have its key */
    GpuBuffer found;    /* host-visible */
} Many;

static bool clearMany(Bench *bench, void *user) {
    (void)bench;
    return trialRecordClear(&((Many *)user)->again.trial);
}

static bool insertMany(Bench *bench, void *user) {
    return insertAgain(bench, &((Many *)user)->again);
}

/* Each item's value is 1, so that sums count and everything else is 1. */
static bool makeMany(Many *many) {
    Trial *trial = &many->again.trial;
    Gpu *gpu = &trial->bench->gpu;
    const uint32_t count = trial->pairs;
    uint32_t *keys = malloc(4ull * count), *values = malloc(4ull * count);
    uint32_t *counts = calloc(count, 4);
    many->expected = malloc(4ull * count);
    bool done = keys && values && counts && many->expected;
    for (uint32_t i = 0; i < count && done; ++i) {
        const uint32_t rank = many->kind->rank(i, count);
        keys[i] = mur_hash(rank, KEYS_SEED + 1);
        values[i] = 1;
        many->entries += counts[rank]++ == 0;
    }
    for (uint32_t i = 0; i < count && done; ++i) {
        many->expected[i] = counts[many->kind->rank(i, count)];
    }
    done = done ? gpuUpload(gpu, keys, 4ull * count, "keys", &trial->source.keys) &&
                      gpuUpload(gpu, values, 4ull * count, "values", &trial->source.values) &&
                      gpuCreateBuffer(gpu, 4ull * count, GPU_HOST, "found values", &many->found)
                : sayError("no memory for %u keys", count);
    free(keys);
    free(values);
    free(counts);
    trial->source.count = count;
    return done;
}

static bool verifyMany(Many *many, const char *operation) {
    const Trial *trial = &many->again.trial;
    Gpu *gpu = &trial->bench->gpu;
    const bool sums = many->again.mode == MUR_MODE_ADD;
    MurStats stats;
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    items.values = trialArray(&many->found);
    if (!trialStats(trial, &stats) || !gpuBegin(gpu) ||
        !gpuCheck(murCmdFind(gpu->cmd, trial->table, &items), "finding")) {
        return false;
    }
    gpuHostBarrier(gpu);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    const uint32_t *found = many->found.mapped;
    uint32_t wrong = stats.live != many->entries;
    for (uint32_t i = 0; i < trial->pairs; ++i) {
        wrong += found[i] != (sums ? many->expected[i] : 1u);
    }
    return !wrong ||
           sayError("repeat, %s, %s: %u wrong values", many->kind->name, operation, wrong);
}

static bool measureMany(Many *many) {
    static const char *const names[] = {
        [MUR_MODE_ASSIGN] = "assign", [MUR_MODE_KEEP] = "keep", [MUR_MODE_ADD] = "add"};
    Trial *trial = &many->again.trial;
    const char *operation = names[many->again.mode];
    Timing timing;
    if (!trialForget(trial) ||
        !benchTime(trial->bench, &(Timed){clearMany, insertMany, many}, &timing) ||
        !verifyMany(many, operation)) {
        return false;
    }
    Row row = trialRow(trial, operation, "empty", trial->pairs, timing);
    row.load = (double)many->entries / (double)trial->capacity;
    row.scratch = againBatch(&many->again).scratch.size;
    snprintf(row.variant, sizeof row.variant, "%u-bit atomics, %s%s%s", trial->width,
             many->kind->name, many->again.statuses ? ", statuses" : "",
             row.scratch ? ", scratch" : "");
    return benchRow(trial->bench, &row);
}

static bool sameKeys(Bench *bench, const Kind *kind, uint32_t count, MurAtomicWidth width) {
    Many many = {.again = {.trial = {.uses = TRIAL_SCRATCH}}, .kind = kind};
    Trial *trial = &many.again.trial;
    MurTableCreateInfo info = trialInfo(trial, 2ull * count / kind->share, width);
    info.seed = SEED;
    info.reservedValue = MUR_RESERVED_VALUE_ZERO;
    bool done = trialOpenTable(trial, bench, "repeat", &info, count) && makeMany(&many);
    static const MurInsertMode modes[] = {MUR_MODE_KEEP, MUR_MODE_ASSIGN, MUR_MODE_ADD};
    for (uint32_t i = 0; i < 12 && done; ++i) {
        many.again.mode = modes[i / 4];
        many.again.statuses = i & 1;
        many.again.scratch = i & 2;
        if (!many.again.scratch || againBatch(&many.again).scratch.size) {
            done = measureMany(&many);
        }
    }
    free(many.expected);
    gpuDestroyBuffer(&bench->gpu, &many.found);
    trialClose(trial);
    return done;
}

bool suiteRepeat(Bench *bench) {
    const bool quick = bench->options.quick;
    const MurAtomicWidth own = trialWidth(bench);
    for (MurAtomicWidth width = own;; width = MUR_ATOMIC_WIDTH_32) {
        for (uint32_t log2 = quick ? 12 : 20; log2 <= (quick ? 12u : 26u);
             log2 += log2 == 20 ? 4 : 2) {
            if (!keysThatAreThere(bench, 1u << log2, width)) {
                return false;
            }
        }
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
            if (!sameKeys(bench, &kinds[i], 1u << (quick ? 12 : 24), width)) {
                return false;
            }
        }
        if (width == MUR_ATOMIC_WIDTH_32) {
            return true;
        }
    }
}
