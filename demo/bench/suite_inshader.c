/* A user's shader that calls the include, against the library's command for the same work.
 * SPDX-License-Identifier: MIT */
#include "operations.h"
#include "shaders/push.h"

GPU_SPIRV(bench_spv_in_find_plain);
GPU_SPIRV(bench_spv_in_find_coherent);
GPU_SPIRV(bench_spv_in_insert_32);
GPU_SPIRV(bench_spv_in_insert_64);
GPU_SPIRV(bench_spv_in_add_32);
GPU_SPIRV(bench_spv_in_add_64);
GPU_SPIRV(bench_spv_in_combine_32);
GPU_SPIRV(bench_spv_in_combine_64);

typedef enum Shader { FIND_PLAIN, FIND_COHERENT, INSERT, SHADERS } Shader;

typedef struct InShader {
    Trial trial;
    GpuKernel kernels[SHADERS];
    const GpuKernel *kernel; /* the one to run */
    uint32_t first;          /* key that bulk finds begin with: 0, or the first absent one */
    const char *state;
    InShaderPush push;
} InShader;

static bool setupEmpty(Bench *bench, void *user) {
    const InShader *in = user;
    (void)bench;
    return trialRecordClear(&in->trial);
}

static bool runFind(Bench *bench, void *user) {
    const InShader *in = user;
    (void)bench;
    return trialRecordFind(&in->trial, in->first);
}

static bool runInsert(Bench *bench, void *user) {
    const InShader *in = user;
    const MurBatch items = trialBatch(&in->trial, 0, in->trial.pairs);
    return gpuCheck(murCmdInsert(bench->gpu.cmd, in->trial.table, MUR_MODE_KEEP, &items),
                    "inserting");
}

static bool runShader(Bench *bench, void *user) {
    const InShader *in = user;
    benchDispatch(bench, in->kernel, &in->push, in->push.count);
    return true;
}

/* Adds the row of one run, after its results were verified; gives its rate. bulk: 0 for the command
 * itself. */
static bool addRow(InShader *in, const char *operation, const char *variant, Timing timing,
                   double bulk, double *rate) {
    const Trial *trial = &in->trial;
    Row row = trialRow(trial, operation, in->state, trial->pairs, timing);
    snprintf(row.variant, sizeof row.variant, "%s, %d-bit atomics", variant, (int)trial->width);
    row.bulk = bulk;
    *rate = row.rate;
    return benchRow(trial->bench, &row);
}

static bool timeInsert(InShader *in, bool (*run)(Bench *, void *), Timing *timing) {
    Trial *trial = &in->trial;
    return trialState(trial, setupEmpty, in, &in->state) &&
           benchTime(trial->bench, &(Timed){setupEmpty, run, in}, timing) &&
           trialHoldsPairs(trial, "inshader insert");
}

/* Of keys that are there already. */
static bool insertsAgain(InShader *in) {
    Trial *trial = &in->trial;
    bool (*const runs[])(Bench *, void *) = {runInsert, runShader};
    double bulk = 0;
    in->kernel = &in->kernels[INSERT];
    for (int i = 0; i < 2; ++i) {
        Timing timing;
        if (!trialState(trial, NULL, NULL, &in->state) ||
            !benchTime(trial->bench, &(Timed){NULL, runs[i], in}, &timing) ||
            !trialHoldsPairs(trial, "inshader insert") ||
            !addRow(in, "keep there", i ? "mur_insert" : "bulk command", timing, bulk, &bulk)) {
            return false;
        }
    }
    return true;
}

static bool inserts(InShader *in) {
    Timing timing;
    double bulk, rate;
    in->kernel = &in->kernels[INSERT];
    in->push.keys = in->trial.source.keys.address;
    in->push.values = in->trial.source.values.address;
    return timeInsert(in, runInsert, &timing) &&
           addRow(in, "insert", "bulk command", timing, 0, &bulk) &&
           timeInsert(in, runShader, &timing) &&
           addRow(in, "insert", "mur_insert", timing, bulk, &rate) && insertsAgain(in);
}

/* Times finds by the command or by a shader, and verifies them. */
static bool timeFind(InShader *in, bool (*run)(Bench *, void *), Timing *timing) {
    Trial *trial = &in->trial;
    return trialForget(trial) && benchTime(trial->bench, &(Timed){NULL, run, in}, timing) &&
           benchVerify(trial->bench, "inshader find", &trial->values, 0, trial->pairs,
                       in->first ? EXPECT_CONSTANT : EXPECT_VALUES, UINT32_MAX);
}

static bool finds(InShader *in, const char *operation, uint32_t first) {
    static const char *const names[] = {"mur_find, MUR_READ_ONLY", "mur_find, coherent"};
    Timing timing;
    double bulk, rate;
    in->first = first;
    in->push.keys = in->trial.source.keys.address + 4 * (VkDeviceAddress)first;
    in->push.values = in->trial.values.address;
    if (!timeFind(in, runFind, &timing) ||
        !addRow(in, operation, "bulk command", timing, 0, &bulk)) {
        return false;
    }
    for (Shader shader = FIND_PLAIN; shader <= FIND_COHERENT; ++shader) {
        in->kernel = &in->kernels[shader];
        if (!timeFind(in, runShader, &timing) ||
            !addRow(in, operation, names[shader], timing, bulk, &rate)) {
            return false;
        }
    }
    return true;
}

static bool inState(InShader *in, Fill fill) {
    Trial *trial = &in->trial;
    trial->fill = fill;
    return trialFill(trial) && trialState(trial, NULL, NULL, &in->state) &&
           finds(in, "find hit", 0) && finds(in, "find miss", trial->pairs);
}

static bool open(InShader *in, Bench *bench, MurAtomicWidth width, uint32_t pairs) {
    Gpu *gpu = &bench->gpu;
    const bool wide = width == MUR_ATOMIC_WIDTH_64;
    const uint32_t push = sizeof(InShaderPush);
    if (!trialOpen(&in->trial, bench, "inshader", width, 2 * (uint64_t)pairs, pairs) ||
        !gpuCreateKernel(gpu, "find plain", bench_spv_in_find_plain, bench_spv_in_find_plain_size,
                         push, &in->kernels[FIND_PLAIN]) ||
        !gpuCreateKernel(gpu, "find coherent", bench_spv_in_find_coherent,
                         bench_spv_in_find_coherent_size, push, &in->kernels[FIND_COHERENT]) ||
        !gpuCreateKernel(gpu, "insert", wide ? bench_spv_in_insert_64 : bench_spv_in_insert_32,
                         wide ? bench_spv_in_insert_64_size : bench_spv_in_insert_32_size, push,
                         &in->kernels[INSERT])) {
        return false;
    }
    in->push = (InShaderPush){
        .table = murGetTableRef(in->trial.table),
        .count = pairs,
        .keyMask = UINT32_MAX,
    };
    return true;
}

static bool oneTable(Bench *bench, MurAtomicWidth width, uint32_t pairs) {
    InShader in = {.trial = {.uses = TRIAL_BUILD}};
    bool done = open(&in, bench, width, pairs) && inserts(&in) && inState(&in, FILL_DIRECT) &&
                (!trialCanOrder(&in.trial) || inState(&in, FILL_ORDERED));
    for (Shader shader = 0; shader < SHADERS; ++shader) {
        gpuDestroyKernel(&bench->gpu, &in.kernels[shader]);
    }
    trialClose(&in.trial);
    return done;
}

/* ---- One key -------------------------------------------------------------------------------- */

typedef struct OneKey {
    Trial trial;
    GpuKernel kernel;
    InShaderPush push;
} OneKey;

static bool setupOneKey(Bench *bench, void *user) {
    (void)bench;
    return trialRecordClear(&((OneKey *)user)->trial);
}

static bool runOneKey(Bench *bench, void *user) {
    const OneKey *one = user;
    benchDispatch(bench, &one->kernel, &one->push, one->push.count);
    return true;
}

static bool verifySum(OneKey *one) {
    Trial *trial = &one->trial;
    const MurBatch items = trialBatch(trial, 0, 1);
    Gpu *gpu = &trial->bench->gpu;
    return trialForget(trial) && gpuBegin(gpu) &&
           gpuCheck(murCmdFind(gpu->cmd, trial->table,
                               &(MurBatch){.maxCount = 1,
                                           .keys = items.keys,
                                           .values = trialArray(&trial->values)}),
                    "finding") &&
           gpuSubmit(gpu) &&
           benchVerify(trial->bench, "mur_add, one key", &trial->values, 0, 1, EXPECT_CONSTANT,
                       trial->pairs);
}

/* Against one atomic on one address a subgroup, or, without combining, an invocation. */
static bool addsTo(OneKey *one, bool combines, uint32_t subgroup) {
    Trial *trial = &one->trial;
    Bench *bench = trial->bench;
    Timing timing;
    if (!benchTime(bench, &(Timed){setupOneKey, runOneKey, one}, &timing) || !verifySum(one)) {
        return false;
    }
    Row row = trialRow(trial, "add one key", "empty", trial->pairs, timing);
    snprintf(row.variant, sizeof row.variant, "mur_add%s, %d-bit atomics",
             combines ? ", MUR_COMBINE" : "", (int)trial->width);
    if (!benchCeiling(bench, CEILING_CAS_32, 8, &row)) {
        return false;
    }
    row.ceiling *= combines ? subgroup : 1;
    return benchRow(bench, &row);
}

static bool oneKey(Bench *bench, MurAtomicWidth width, bool combines, uint32_t subgroup) {
    static const struct {
        const uint32_t *words;
        const size_t *size;
    } codes[2][2] = {
        {{bench_spv_in_add_32, &bench_spv_in_add_32_size},
         {bench_spv_in_add_64, &bench_spv_in_add_64_size}},
        {{bench_spv_in_combine_32, &bench_spv_in_combine_32_size},
         {bench_spv_in_combine_64, &bench_spv_in_combine_64_size}},
    };
    const bool wide = width == MUR_ATOMIC_WIDTH_64;
    const uint32_t count = 1u << (bench->options.quick ? 9 : 24);
    OneKey one = {0};
    MurTableCreateInfo info = trialInfo(&one.trial, 1024, width);
    info.reservedValue = MUR_RESERVED_VALUE_ZERO;
    bool done = trialOpenTable(&one.trial, bench, "inshader", &info, count) &&
                benchPairs(bench, count, &one.trial.source) &&
                gpuCreateKernel(&bench->gpu, "add", codes[combines][wide].words,
                                *codes[combines][wide].size, sizeof(InShaderPush), &one.kernel);
    if (done) {
        one.push = (InShaderPush){.table = murGetTableRef(one.trial.table),
                                  .keys = one.trial.source.keys.address,
                                  .count = count};
        done = addsTo(&one, combines, subgroup);
    }
    gpuDestroyKernel(&bench->gpu, &one.kernel);
    trialClose(&one.trial);
    return done;
}

/* Invocations of a subgroup; 0: it has not the operations that MUR_COMBINE needs. */
static uint32_t subgroupSize(const Bench *bench) {
    const VkSubgroupFeatureFlags needed = VK_SUBGROUP_FEATURE_BASIC_BIT |
                                          VK_SUBGROUP_FEATURE_BALLOT_BIT |
                                          VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
                                          VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    vkGetPhysicalDeviceProperties2(bench->gpu.physicalDevice, &properties);
    return (subgroup.supportedOperations & needed) == needed ? subgroup.subgroupSize : 0;
}

static bool allOneKey(Bench *bench, MurAtomicWidth width) {
    const uint32_t subgroup = subgroupSize(bench);
    return oneKey(bench, width, false, 1) && (!subgroup || oneKey(bench, width, true, subgroup));
}

/* A table that caches hold, and one that they do not. */
bool suiteInShader(Bench *bench) {
    const bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const uint32_t small = bench->options.quick ? 9 : 20;
    for (uint32_t log2 = small; log2 <= small + 4; log2 += 4) {
        if ((wide && !oneTable(bench, MUR_ATOMIC_WIDTH_64, 1u << log2)) ||
            !oneTable(bench, MUR_ATOMIC_WIDTH_32, 1u << log2)) {
            return false;
        }
    }
    return (!wide || allOneKey(bench, MUR_ATOMIC_WIDTH_64)) &&
           allOneKey(bench, MUR_ATOMIC_WIDTH_32);
}
