/* Keys that are not distinct and random: present keys, and the same key in many items, as in
 * frames. The host creates them, so it knows the expected results.
 * SPDX-License-Identifier: MIT */
#include "operations.h"

#include <murmuration/hash.h>

#include <math.h>
#include <stdlib.h>

enum { KEYS_SEED = 0x51ED270B };

/* Adds rows with and without statuses and scratch memory, by four operations from `first` on. */
static bool rowsOfMode(Trial *trial, Operation first, MurInsertMode mode, const char *name) {
    const Operation list[] = {first, first + 1, first + 2, first + 3, OPERATION_COUNT};
    trial->mode = mode;
    trial->name = name;
    return operationRows(trial, list);
}

static bool keysThatAreThere(Bench *bench, uint32_t pairs, MurAtomicWidth width) {
    Trial trial = {0};
    const bool done = trialOpen(&trial, bench, "repeat",
                                trialInfo(2ull * pairs, width, TRIAL_SCRATCH), pairs) &&
                      trialFill(&trial) &&
                      rowsOfMode(&trial, OPERATION_AGAIN, MUR_MODE_INSERT, "keep there") &&
                      rowsOfMode(&trial, OPERATION_AGAIN, MUR_MODE_ASSIGN, "assign there");
    trialClose(&trial);
    return done;
}

/* A type of keys. A rank below count identifies a key, so that the host can count its items. */
typedef struct Kind {
    const char *name;
    uint32_t (*rank)(uint32_t item, uint32_t count); /* NULL: the item's number */
    uint32_t share;                                  /* the capacity is 2 * items / share */
} Kind;

static uint32_t uniformRank(uint32_t item, uint32_t count) {
    return mur_hash(item * 0x9E3779B1u, KEYS_SEED) % (count / 16);
}

/* Returns a Zipf rank of exponent 1: the logarithms of ranks are uniform. */
static uint32_t zipfRank(uint32_t item, uint32_t count) {
    const double place = (double)mur_hash(item, KEYS_SEED) / 4294967296.0;
    return (uint32_t)exp2(place * log2(count));
}

static uint32_t oneRank(uint32_t item, uint32_t count) {
    return count / 3;
}

static const Kind kinds[] = {
    {", 16 a key", uniformRank, 16},
    {", Zipf", zipfRank, 1},
    {", one key", oneRank, 1},
    {", distinct", NULL, 1},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct Many {
    uint32_t *values, *counts; /* per item: value of its key, and number of the key's items */
    GpuBuffer found;           /* host-visible */
} Many;

BENCH_STEP(copyFound, const Trial, trial) {
    benchCopy(bench, &trial->values, 0, 4ull * trial->pairs, &((Many *)trial->user)->found, 0);
    return true;
}

static bool foundMany(const Trial *trial, const char *what) {
    const Many *many = trial->user;
    const uint32_t *found = many->found.mapped;
    Trial from = *trial;
    uint32_t wrong = 0;
    if (!benchOnce(trial->bench, copyFound, &from)) {
        return false;
    }
    for (uint32_t i = 0; i < trial->pairs; ++i) {
        wrong += found[i] != many->values[i] * (trial->mode == MUR_MODE_ADD ? many->counts[i] : 1);
    }
    return !wrong || sayError("%s%s: %u wrong values", what, trial->keys, wrong);
}

/* Values are odd and below 2^31, so that neither a value nor a sum is the empty value. */
static bool makeMany(Trial *trial, Many *many, const Kind *kind) {
    Bench *bench = trial->bench;
    const uint32_t count = trial->pairs;
    const uint64_t size = 4ull * count;
    uint32_t *keys = malloc(size), *byRank = calloc(count, 4);
    many->values = malloc(size);
    many->counts = malloc(size);
    bool done = (keys && byRank && many->values && many->counts) ||
                sayError("no memory for %u keys", count);
    trial->entries = 0;
    for (uint32_t i = 0; i < count && done; ++i) {
        const uint32_t rank = kind->rank ? kind->rank(i, count) : i;
        keys[i] = mur_hash(rank, KEYS_SEED + 1);
        many->values[i] = (mur_hash(keys[i], KEYS_SEED) >> 1) | 1;
        trial->entries += byRank[rank]++ == 0;
    }
    for (uint32_t i = 0; i < count && done; ++i) {
        many->counts[i] = byRank[kind->rank ? kind->rank(i, count) : i];
    }
    done = done && gpuUpload(&bench->gpu, keys, size, "keys", &trial->source.keys) &&
           benchKeep(bench, (Made){.buffer = trial->source.keys}) &&
           gpuUpload(&bench->gpu, many->values, size, "values", &trial->source.values) &&
           benchKeep(bench, (Made){.buffer = trial->source.values}) &&
           benchBuffer(bench, size, GPU_HOST, "found values", &many->found);
    free(keys);
    free(byRank);
    trial->load = (double)trial->entries / (double)trial->capacity;
    return done;
}

/* Adds rows of all modes. */
static bool rowsOfModes(Trial *trial) {
    return rowsOfMode(trial, OPERATION_INSERT, MUR_MODE_INSERT, "keep") &&
           rowsOfMode(trial, OPERATION_INSERT, MUR_MODE_ASSIGN, "assign") &&
           rowsOfMode(trial, OPERATION_INSERT, MUR_MODE_ADD, "add");
}

static bool manyKeys(Bench *bench, const Kind *kind, uint32_t count, MurAtomicWidth width) {
    Many many = {0};
    Trial trial = {
        .keys = kind->name, .cached = kind->rank != NULL, .found = foundMany, .user = &many};
    MurTableCreateInfo info = trialInfo(2ull * count / kind->share, width, TRIAL_SCRATCH);
    info.emptyValue = MUR_EMPTY_VALUE_ZERO;
    const bool done = trialOpenTable(&trial, bench, "repeat", &info, count) &&
                      makeMany(&trial, &many, kind) && rowsOfModes(&trial);
    free(many.values);
    free(many.counts);
    trialClose(&trial);
    return done;
}

static bool oneWidth(Bench *bench, MurAtomicWidth width) {
    const bool quick = bench->options.quick;
    bool done = true;
    for (uint32_t log2 = quick ? 12 : 20; log2 <= (quick ? 12u : 26u) && done;
         log2 += log2 == 20 ? 4 : 2) {
        done = keysThatAreThere(bench, 1u << log2, width);
    }
    for (uint32_t i = 0; i < KINDS && done; ++i) {
        done = manyKeys(bench, &kinds[i], 1u << (quick ? 12 : 24), width);
    }
    return done;
}

bool suiteRepeat(Bench *bench) {
    return (!trialWide(bench) || oneWidth(bench, MUR_ATOMIC_WIDTH_64)) &&
           oneWidth(bench, MUR_ATOMIC_WIDTH_32);
}
