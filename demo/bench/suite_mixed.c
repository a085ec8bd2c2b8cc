/* Finds, inserts and erases in one dispatch, by a user's shader on the include.
 *
 * The outcome of such a dispatch depends on the order that the device runs it in, so what is
 * checked is what holds in every order: see mixed_check.comp. SPDX-License-Identifier: MIT */
#include "common/say.h"
#include "trial.h"
#include "shaders/push.h"

GPU_SPIRV(bench_spv_mixed_32);
GPU_SPIRV(bench_spv_mixed_64);
GPU_SPIRV(bench_spv_mixed_check);

typedef struct Ratio {
    uint32_t finds, inserts, erases; /* of 256 */
} Ratio;

static const Ratio ratios[] = {{256, 0, 0}, {230, 13, 13}, {128, 64, 64}, {0, 128, 128}};

typedef struct Mixed {
    Trial trial; /* its pairs are the universe; the table starts with the first half of them */
    GpuKernel mix, check;
    GpuBuffer balance;
    MixedPush push;
} Mixed;

static bool setupHalf(Bench *bench, void *user) {
    const Mixed *mixed = user;
    (void)bench;
    return trialRecordFill(&mixed->trial, 0, mixed->push.filled);
}

static bool runMixed(Bench *bench, void *user) {
    const Mixed *mixed = user;
    benchDispatch(bench, &mixed->mix, &mixed->push, mixed->push.count);
    return true;
}

static bool verify(Bench *bench, Mixed *mixed) {
    Gpu *gpu = &bench->gpu;
    uint32_t *errors = bench->errors.mapped;
    *errors = 0;
    if (!gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, mixed->balance.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(gpu);
    mixed->push.phase = MIXED_ITEMS;
    benchDispatch(bench, &mixed->check, &mixed->push, mixed->push.count);
    gpuComputeBarrier(gpu);
    mixed->push.phase = MIXED_KEYS;
    benchDispatch(bench, &mixed->check, &mixed->push, mixed->push.universe);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu) &&
           (*errors == 0 || sayError("mixed: %u outcomes or keys are wrong", *errors));
}

static bool oneRatio(Bench *bench, Mixed *mixed, Ratio ratio) {
    const Trial *trial = &mixed->trial;
    mixed->push.finds = ratio.finds;
    mixed->push.inserts = ratio.inserts;
    const char *state;
    Timing timing;
    if (!trialForget(trial) || !trialState(trial, setupHalf, mixed, &state) ||
        !benchTime(bench, &(Timed){setupHalf, runMixed, mixed}, &timing) || !verify(bench, mixed)) {
        return false;
    }
    Row row = trialRow(trial, "mixed", state, mixed->push.count, timing);
    row.load = trial->load / 2;
    snprintf(row.variant, sizeof row.variant, "%u%% find, %u%% insert, %u%% erase, %d-bit atomics",
             (100 * ratio.finds + 128) / 256, (100 * ratio.inserts + 128) / 256,
             (100 * ratio.erases + 128) / 256, (int)trial->width);
    return benchCeiling(bench, CEILING_READ_8, 8 * trial->capacity, &row) && benchRow(bench, &row);
}

static bool open(Mixed *mixed, Bench *bench, MurAtomicWidth width, uint32_t universe) {
    Gpu *gpu = &bench->gpu;
    const bool wide = width == MUR_ATOMIC_WIDTH_64;
    if (!trialOpen(&mixed->trial, bench, "mixed", width, 2 * (uint64_t)universe, universe) ||
        !gpuCreateBuffer(gpu, 4 * (VkDeviceSize)universe, GPU_DEVICE, "balance", &mixed->balance) ||
        !gpuCreateKernel(gpu, "mixed", wide ? bench_spv_mixed_64 : bench_spv_mixed_32,
                         wide ? bench_spv_mixed_64_size : bench_spv_mixed_32_size,
                         sizeof(MixedPush), &mixed->mix) ||
        !gpuCreateKernel(gpu, "mixed check", bench_spv_mixed_check, bench_spv_mixed_check_size,
                         sizeof(MixedPush), &mixed->check)) {
        return false;
    }
    mixed->push = (MixedPush){
        .table = murGetTableRef(mixed->trial.table),
        .outcomes = mixed->trial.statuses.address,
        .balance = mixed->balance.address,
        .errors = bench->errors.address,
        .count = universe,
        .universe = universe,
        .filled = universe / 2,
    };
    return true;
}

static bool oneWidth(Bench *bench, MurAtomicWidth width) {
    Mixed mixed = {0};
    bool done = open(&mixed, bench, width, bench->options.quick ? 1u << 11 : 1u << 24);
    for (size_t i = 0; done && i < sizeof ratios / sizeof ratios[0]; ++i) {
        done = oneRatio(bench, &mixed, ratios[i]);
    }
    gpuDestroyKernel(&bench->gpu, &mixed.mix);
    gpuDestroyKernel(&bench->gpu, &mixed.check);
    gpuDestroyBuffer(&bench->gpu, &mixed.balance);
    trialClose(&mixed.trial);
    return done;
}

bool suiteMixed(Bench *bench) {
    bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    return (!wide || oneWidth(bench, MUR_ATOMIC_WIDTH_64)) && oneWidth(bench, MUR_ATOMIC_WIDTH_32);
}
