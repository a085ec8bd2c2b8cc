/* A user's shader that calls the include, against the library's command for the same work.
 * SPDX-License-Identifier: MIT */
#include "common/say.h"
#include "operations.h"
#include "shaders/push.h"

GPU_SPIRV(bench_spv_in_find_plain);
GPU_SPIRV(bench_spv_in_find_coherent);
GPU_SPIRV(bench_spv_in_insert_32);
GPU_SPIRV(bench_spv_in_insert_64);

typedef enum Shader { FIND_PLAIN, FIND_COHERENT, INSERT, SHADERS } Shader;

typedef struct InShader {
    Trial trial;
    GpuKernel kernels[SHADERS];
    const GpuKernel *kernel; /* the one to run */
    InShaderPush push;
} InShader;

static bool setupEmpty(Bench *bench, void *user) {
    const InShader *in = user;
    return gpuCheck(murCmdClear(bench->gpu.cmd, in->trial.table), "clearing");
}

static MurBatch batch(const InShader *in, const GpuBuffer *values) {
    const VkDeviceSize size = 4 * (VkDeviceSize)in->trial.pairs;
    return (MurBatch){
        .maxCount = in->trial.pairs,
        .keys = {in->trial.source.keys.address, size},
        .values = {values->address, size},
    };
}

static bool runFind(Bench *bench, void *user) {
    const InShader *in = user;
    const MurBatch items = batch(in, &in->trial.values);
    return gpuCheck(murCmdFind(bench->gpu.cmd, in->trial.table, &items), "finding");
}

static bool runInsert(Bench *bench, void *user) {
    const InShader *in = user;
    const MurBatch items = batch(in, &in->trial.source.values);
    return gpuCheck(murCmdInsert(bench->gpu.cmd, in->trial.table, MUR_INSERT_KEEP, &items),
                    "inserting");
}

static bool runShader(Bench *bench, void *user) {
    const InShader *in = user;
    benchDispatch(bench, in->kernel, &in->push, in->push.count);
    return true;
}

/* Adds the row of one run, after its results were verified; gives its rate. bulk: 0 for the command
 * itself. */
static bool addRow(InShader *in, const char *operation, const char *variant, double milliseconds,
                   double bulk, double *rate) {
    const Trial *trial = &in->trial;
    Row row = {.suite = "inshader",
               .operation = operation,
               .pairs = trial->pairs,
               .capacity = trial->capacity,
               .load = trial->load,
               .milliseconds = milliseconds,
               .rate = 1e-6 * trial->pairs / milliseconds,
               .unit = "G/s",
               .bulk = bulk};
    snprintf(row.variant, sizeof row.variant, "%s, %d-bit atomics", variant, (int)trial->width);
    *rate = row.rate;
    return benchRow(trial->bench, &row);
}

/* The last run left all pairs in the table: their number, and then the value of each, tell. */
static bool holdsAll(InShader *in) {
    Bench *bench = in->trial.bench;
    MurStats stats;
    if (!trialStats(&in->trial, &stats)) {
        return false;
    }
    if (stats.live != in->trial.pairs) {
        return sayError("inshader: the table holds %u entries instead of %u", stats.live,
                        in->trial.pairs);
    }
    return gpuBegin(&bench->gpu) && runFind(bench, in) && gpuSubmit(&bench->gpu) &&
           benchVerify(bench, "inshader insert", &in->trial.values, 0, in->trial.pairs,
                       EXPECT_VALUES, 0);
}

static bool inserts(InShader *in) {
    Bench *bench = in->trial.bench;
    double milliseconds, bulk, rate;
    in->kernel = &in->kernels[INSERT];
    in->push.values = in->trial.source.values.address;
    return benchTime(bench, &(Timed){setupEmpty, runInsert, in}, &milliseconds) && holdsAll(in) &&
           addRow(in, "insert", "bulk command", milliseconds, 0, &bulk) &&
           benchTime(bench, &(Timed){setupEmpty, runShader, in}, &milliseconds) && holdsAll(in) &&
           addRow(in, "insert", "mur_insert", milliseconds, bulk, &rate);
}

/* Times finds by the command or by a shader, and verifies them. */
static bool timeFind(InShader *in, bool (*run)(Bench *, void *), double *milliseconds) {
    Bench *bench = in->trial.bench;
    Gpu *gpu = &bench->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, in->trial.values.buffer, 0, VK_WHOLE_SIZE, 0); /* no old results */
    gpuTransferBarrier(gpu);
    return gpuSubmit(gpu) && benchTime(bench, &(Timed){NULL, run, in}, milliseconds) &&
           benchVerify(bench, "inshader find", &in->trial.values, 0, in->trial.pairs, EXPECT_VALUES,
                       0);
}

static bool finds(InShader *in) {
    static const char *const names[] = {"mur_find, MUR_READ_ONLY", "mur_find, coherent"};
    double milliseconds, bulk, rate;
    in->push.values = in->trial.values.address;
    if (!timeFind(in, runFind, &milliseconds) ||
        !addRow(in, "find hit", "bulk command", milliseconds, 0, &bulk)) {
        return false;
    }
    for (Shader shader = FIND_PLAIN; shader <= FIND_COHERENT; ++shader) {
        in->kernel = &in->kernels[shader];
        if (!timeFind(in, runShader, &milliseconds) ||
            !addRow(in, "find hit", names[shader], milliseconds, bulk, &rate)) {
            return false;
        }
    }
    return true;
}

static bool open(InShader *in, Bench *bench, MurAtomicWidth width, uint32_t pairs) {
    Gpu *gpu = &bench->gpu;
    const bool wide = width == MUR_ATOMIC_WIDTH_64;
    const uint32_t push = sizeof(InShaderPush);
    if (!trialOpen(&in->trial, bench, "inshader", width, 2 * (uint64_t)pairs, pairs, 0) ||
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
        .keys = in->trial.source.keys.address,
        .count = pairs,
    };
    return true;
}

static bool oneTable(Bench *bench, MurAtomicWidth width, uint32_t pairs) {
    InShader in = {0};
    bool done = open(&in, bench, width, pairs) && inserts(&in) && finds(&in);
    for (Shader shader = 0; shader < SHADERS; ++shader) {
        gpuDestroyKernel(&bench->gpu, &in.kernels[shader]);
    }
    trialClose(&in.trial);
    return done;
}

/* A table that caches hold, and one that they do not. */
bool suiteInShader(Bench *bench) {
    const bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const uint32_t small = bench->options.quick ? 10 : 20;
    for (uint32_t log2 = small; log2 <= small + 4; log2 += 4) {
        if ((wide && !oneTable(bench, MUR_ATOMIC_WIDTH_64, 1u << log2)) ||
            !oneTable(bench, MUR_ATOMIC_WIDTH_32, 1u << log2)) {
            return false;
        }
    }
    return true;
}
