/* Insert and find by the distribution of the keys. SPDX-License-Identifier: MIT */
#include "checks.h"
#include "common/say.h"
#include "shaders/push.h"
#include "sphere.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

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
    uint32_t entries; /* different keys */
    MurStats stats;   /* of the table when last verified */
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
    MurTableCreateInfo info = trialInfo(&keyed->trial, 2 * (uint64_t)count,
                                        MUR_ATOMIC_WIDTH_DEFAULT);
    info.seed = SEED;
    keyed->trial.source.count = count;
    return trialOpenTable(&keyed->trial, bench, "keys", &info, count) &&
           checksOpen(&keyed->checks, bench) &&
           (keyed->kind->keys != KEYS_GIVEN || uploadBricks(keyed, radius)) &&
           checksMakeKeys(&keyed->checks, keyed->kind->keys, SEED, &keyed->trial.source);
}

static bool clear(Bench *bench, void *user) {
    (void)bench;
    return trialRecordClear(user);
}

static bool insert(Bench *bench, void *user) {
    const Trial *trial = user;
    const MurBatch items = trialBatch(trial, 0, trial->pairs);
    (void)bench;
    return trialRecordInsert(trial, &items);
}

static MurBatch buildBatch(const Trial *trial) {
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    trialLend(trial, MUR_COMMAND_BUILD, &items);
    return items;
}

static bool build(Bench *bench, void *user) {
    const Trial *trial = user;
    const MurBatch items = buildBatch(trial);
    return gpuCheck(murCmdBuild(bench->gpu.cmd, trial->table, MUR_MODE_ASSIGN, &items), "building");
}

static bool find(Bench *bench, void *user) {
    (void)bench;
    return trialRecordFind(user, 0);
}

/* How many different keys there are: a plain insert with statuses counts them. As many are
 * "inserted" as there are entries, the rest "existed", and where keys are distinct all are. */
static bool countKeys(Keyed *keyed) {
    const Trial *trial = &keyed->trial;
    Gpu *gpu = &trial->bench->gpu;
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    items.statuses = trialArray(&trial->statuses);
    MurStats stats;
    uint32_t tally[TALLY_KINDS];
    if (!trialForget(trial) || !gpuBegin(gpu) || !trialRecordClear(trial) ||
        !trialRecordInsert(trial, &items) || !gpuSubmit(gpu) || !trialStats(trial, &stats) ||
        !checksTally(&keyed->checks, &trial->statuses, trial->pairs, tally)) {
        return false;
    }
    keyed->entries = tally[MUR_INSERTED];
    return (stats.live == keyed->entries && keyed->entries > 0 &&
            keyed->entries + tally[MUR_EXISTED] == trial->pairs &&
            (!keyed->kind->distinct || keyed->entries == trial->pairs) &&
            (keyed->kind->keys != KEYS_ONE || keyed->entries == 1)) ||
           sayError("keys, %s: %u entries, %u of %u inserted, %u existed", keyed->kind->name,
                    stats.live, keyed->entries, trial->pairs, tally[MUR_EXISTED]);
}

/* The last run left one entry a key, and each is found with its value. */
static bool verify(Keyed *keyed, const char *operation, bool found) {
    const Trial *trial = &keyed->trial;
    Gpu *gpu = &trial->bench->gpu;
    if (!trialStats(trial, &keyed->stats)) {
        return false;
    }
    if (keyed->stats.live != keyed->entries) {
        return sayError("keys, %s, %s: %u entries instead of %u", keyed->kind->name, operation,
                        keyed->stats.live, keyed->entries);
    }
    return (found ||
            (trialForget(trial) && gpuBegin(gpu) && trialRecordFind(trial, 0) && gpuSubmit(gpu))) &&
           checksValues(&keyed->checks, keyed->kind->name, &trial->source, &trial->values);
}

typedef enum Step { STEP_INSERT, STEP_BUILD, STEP_FIND } Step;

static bool measure(Keyed *keyed, Step step) {
    static const struct {
        const char *name;
        bool (*setup)(Bench *bench, void *user);
        bool (*run)(Bench *bench, void *user);
    } steps[] = {{"insert", clear, insert}, {"build", NULL, build}, {"find hit", NULL, find}};
    Trial *trial = &keyed->trial;
    const bool reads = step == STEP_FIND;
    const char *state;
    Timing timing;
    /* Of the table that the step finds; that a build leaves. */
    if (!trialForget(trial) ||
        (step != STEP_BUILD && !trialState(trial, steps[step].setup, trial, &state)) ||
        !benchTime(trial->bench, &(Timed){steps[step].setup, steps[step].run, trial}, &timing) ||
        !verify(keyed, steps[step].name, reads) ||
        (step == STEP_BUILD && !trialState(trial, NULL, NULL, &state))) {
        return false;
    }
    Row row = trialRow(trial, steps[step].name, state, trial->pairs, timing);
    row.load = (double)keyed->entries / (double)trial->capacity;
    row.probeMean = (double)keyed->stats.probeSum / (double)keyed->stats.live;
    row.probeMax = keyed->stats.probeMax;
    row.scratch = step == STEP_BUILD ? buildBatch(trial).scratch.size : 0;
    snprintf(row.variant, sizeof row.variant, "%s", keyed->kind->name);
    const Ceiling ceiling = reads                                 ? CEILING_READ_8
                            : trial->width == MUR_ATOMIC_WIDTH_64 ? CEILING_CAS_64
                                                                  : CEILING_CAS_32;
    /* Duplicates stay in caches, so no figure for random places bounds them. */
    return (!keyed->kind->distinct ||
            benchCeiling(trial->bench, ceiling, 8 * trial->capacity, &row)) &&
           benchRow(trial->bench, &row);
}

/* Finds in order, where the default build did not leave that but keys and device allow it. */
static bool findOrdered(Keyed *keyed) {
    Trial *trial = &keyed->trial;
    const char *state;
    trial->fill = FILL_ORDERED;
    if (!keyed->kind->distinct || !trialCanOrder(trial)) {
        return true;
    }
    return trialState(trial, NULL, NULL, &state) &&
           (strcmp(state, "ordered") == 0 ||
            (trialFill(trial) && trialState(trial, NULL, NULL, &state) &&
             (strcmp(state, "ordered") != 0 || measure(keyed, STEP_FIND))));
}

/* Inserts, and finds in no order; a build, and finds in what it left. */
static bool oneKind(Bench *bench, const Kind *kind, uint32_t radius, uint32_t count) {
    Keyed keyed = {.trial = {.uses = TRIAL_BUILD}, .kind = kind};
    Trial *trial = &keyed.trial;
    bool done = open(&keyed, bench, radius, count) && countKeys(&keyed) &&
                measure(&keyed, STEP_INSERT) && measure(&keyed, STEP_FIND) &&
                measure(&keyed, STEP_BUILD) && measure(&keyed, STEP_FIND) && findOrdered(&keyed);
    checksClose(&keyed.checks);
    trialClose(trial);
    return done;
}

/* As many keys of each kind as the sphere has bricks. */
bool suiteKeys(Bench *bench) {
    const uint32_t radius = bench->options.quick ? 8 : 408; /* about 2^22 bricks */
    const uint32_t count = sphereBricks(radius, NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (!oneKind(bench, &kinds[i], radius, count)) {
            return false;
        }
    }
    return true;
}
