/* Insert and find by the distribution of the keys. SPDX-License-Identifier: MIT */
#include "checks.h"
#include "common/say.h"
#include "operations.h"
#include "shaders/push.h"
#include "sphere.h"

#include <stdlib.h>

enum { SEED = 0x6B657973 };

typedef struct Kind {
    const char *name;
    uint32_t keys; /* KEYS_* */
    SphereOrder order;
    bool distinct;
} Kind;

static const Kind kinds[] = {
    {"random", KEYS_RANDOM, 0, true},
    {"sequential", KEYS_SEQUENTIAL, 0, true},
    {"sphere bricks, scan order", KEYS_GIVEN, SPHERE_SCAN, true},
    {"sphere bricks, Morton order", KEYS_GIVEN, SPHERE_MORTON, true},
    {"Zipf duplicates", KEYS_ZIPF, 0, false},
    {"one key", KEYS_ONE, 0, false},
    {"64 keys a home slot", KEYS_COLLIDING, 0, true},
};

typedef struct Keyed {
    Trial trial; /* its source: these keys, all of them present ones */
    Checks checks;
    const Kind *kind;
} Keyed;

static bool uploadBricks(Keyed *keyed, uint32_t radius) {
    uint32_t *keys = malloc(keyed->trial.pairs * sizeof *keys);
    if (!keys) {
        return sayError("no memory for the bricks of a sphere");
    }
    (void)sphereBricks(radius, keys);
    if (keyed->kind->order == SPHERE_MORTON) {
        sphereSortMorton(keys, keyed->trial.pairs);
    }
    bool done = gpuUpload(&keyed->trial.bench->gpu, keys,
                          keyed->trial.pairs * (VkDeviceSize)sizeof *keys, "bricks",
                          &keyed->trial.source.keys);
    free(keys);
    return done;
}

static bool open(Keyed *keyed, Bench *bench, uint32_t radius, uint32_t count) {
    Gpu *gpu = &bench->gpu;
    const VkDeviceSize size = 4 * (VkDeviceSize)count;
    const bool wide = (gpu->features & MUR_FEATURE_INT64_ATOMICS) != 0;
    Trial *trial = &keyed->trial;
    trial->bench = bench;
    trial->suite = "keys";
    trial->width = wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
    trial->capacity = 2 * (uint64_t)count;
    trial->pairs = count;
    trial->source.count = count;
    const MurTableCreateInfo info = {
        .capacity = trial->capacity,
        .seed = SEED,
        .atomicWidth = trial->width,
        .pName = "keys",
    };
    return checksOpen(&keyed->checks, bench) &&
           gpuCheck(murCreateTable(gpu->context, &info, &trial->table), "creating a table") &&
           (keyed->kind->keys != KEYS_GIVEN || uploadBricks(keyed, radius)) &&
           checksMakeKeys(&keyed->checks, keyed->kind->keys, SEED, &trial->source) &&
           gpuCreateBuffer(gpu, size, GPU_DEVICE, "results", &trial->values) &&
           gpuCreateBuffer(gpu, size, GPU_DEVICE, "statuses", &trial->statuses) &&
           gpuCreateBuffer(gpu, sizeof(MurStats), GPU_HOST, "stats", &trial->stats);
}

static MurBatch batch(const Trial *trial) {
    return (MurBatch){
        .maxCount = trial->pairs,
        .keys = {trial->source.keys.address, trial->source.keys.size},
        .values = {trial->source.values.address, trial->source.values.size},
    };
}

static bool clear(Bench *bench, void *user) {
    const Trial *trial = user;
    return gpuCheck(murCmdClear(bench->gpu.cmd, trial->table), "clearing");
}

static bool insert(Bench *bench, void *user) {
    const Trial *trial = user;
    const MurBatch items = batch(trial);
    return gpuCheck(murCmdInsert(bench->gpu.cmd, trial->table, MUR_INSERT_ASSIGN, &items),
                    "inserting");
}

static bool find(Bench *bench, void *user) {
    const Trial *trial = user;
    MurBatch items = batch(trial);
    items.values = (MurArray){trial->values.address, trial->values.size};
    return gpuCheck(murCmdFind(bench->gpu.cmd, trial->table, &items), "finding");
}

/* The same insert with statuses: as many are "inserted" as there are entries, the rest "existed",
 * and where keys are distinct all are. Leaves the table full. */
static bool verifyInsert(Keyed *keyed, MurStats *stats) {
    Trial *trial = &keyed->trial;
    Gpu *gpu = &trial->bench->gpu;
    MurBatch items = batch(trial);
    items.statuses = (MurArray){trial->statuses.address, trial->statuses.size};
    uint32_t tally[TALLY_KINDS];
    if (!trialStats(trial, stats) || !gpuBegin(gpu) || !clear(trial->bench, trial)) {
        return false;
    }
    const uint32_t live = stats->live; /* after the timed inserts */
    gpuComputeBarrier(gpu);
    if (!gpuCheck(murCmdInsert(gpu->cmd, trial->table, MUR_INSERT_ASSIGN, &items), "inserting") ||
        !gpuSubmit(gpu) || !trialStats(trial, stats) ||
        !checksTally(&keyed->checks, &trial->statuses, trial->pairs, tally)) {
        return false;
    }
    const uint32_t inserted = tally[MUR_INSERTED];
    return (live == stats->live && inserted == live && inserted > 0 &&
            inserted + tally[MUR_EXISTED] == trial->pairs &&
            (!keyed->kind->distinct || inserted == trial->pairs) &&
            (keyed->kind->keys != KEYS_ONE || inserted == 1)) ||
           sayError("keys, %s: %u and %u entries, %u of %u inserted, %u existed", keyed->kind->name,
                    live, stats->live, inserted, trial->pairs, tally[MUR_EXISTED]);
}

static bool addRow(Keyed *keyed, const char *operation, double milliseconds, Ceiling ceiling,
                   const MurStats *stats) {
    const Trial *trial = &keyed->trial;
    Row row = {.suite = "keys",
               .operation = operation,
               .pairs = trial->pairs,
               .capacity = trial->capacity,
               .load = (double)stats->live / (double)trial->capacity,
               .milliseconds = milliseconds,
               .rate = 1e-6 * trial->pairs / milliseconds,
               .unit = "G/s",
               .probeMean = (double)stats->probeSum / (double)stats->live,
               .probeMax = stats->probeMax};
    snprintf(row.variant, sizeof row.variant, "%s", keyed->kind->name);
    /* Duplicates stay in caches, so no figure for random places bounds them. */
    return (!keyed->kind->distinct ||
            benchCeiling(trial->bench, ceiling, 8 * trial->capacity, &row.ceiling)) &&
           benchRow(trial->bench, &row);
}

static bool oneKind(Bench *bench, const Kind *kind, uint32_t radius, uint32_t count) {
    Keyed keyed = {.kind = kind};
    Trial *trial = &keyed.trial;
    MurStats stats;
    double inserting = 0;
    double finding = 0;
    bool done = open(&keyed, bench, radius, count) &&
                benchTime(bench, &(Timed){clear, insert, trial}, &inserting) &&
                verifyInsert(&keyed, &stats) &&
                addRow(&keyed, "insert", inserting,
                       trial->width == MUR_ATOMIC_WIDTH_64 ? CEILING_CAS_64 : CEILING_CAS_32,
                       &stats) &&
                benchTime(bench, &(Timed){NULL, find, trial}, &finding) &&
                checksValues(&keyed.checks, kind->name, &trial->source, &trial->values) &&
                addRow(&keyed, "find hit", finding, CEILING_READ_8, &stats);
    checksClose(&keyed.checks);
    trialClose(trial);
    return done;
}

/* As many keys of each kind as the sphere has bricks. */
bool suiteKeys(Bench *bench) {
    const uint32_t radius = bench->options.quick ? 12 : 408; /* about 2^22 bricks */
    const uint32_t count = sphereBricks(radius, NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (!oneKind(bench, &kinds[i], radius, count)) {
            return false;
        }
    }
    return true;
}
