/* Keys of several kinds, and checks by key.
 *
 * SPDX-License-Identifier: MIT */
#include "checks.h"
#include "common/say.h"
#include "shaders/push.h"

#include <string.h>

GPU_SPIRV(bench_spv_keys);
GPU_SPIRV(bench_spv_check);

bool checksOpen(Checks *checks, Bench *bench) {
    Gpu *gpu = &bench->gpu;
    checks->bench = bench;
    return gpuCreateKernel(gpu, "keys", bench_spv_keys, bench_spv_keys_size, sizeof(KeysPush),
                           &checks->keys) &&
           gpuCreateKernel(gpu, "check", bench_spv_check, bench_spv_check_size, sizeof(CheckPush),
                           &checks->check) &&
           gpuCreateBuffer(gpu, TALLY_KINDS * sizeof(uint32_t), GPU_HOST, "counters",
                           &checks->counters);
}

void checksClose(Checks *checks) {
    Gpu *gpu = &checks->bench->gpu;
    gpuDestroyKernel(gpu, &checks->keys);
    gpuDestroyKernel(gpu, &checks->check);
    gpuDestroyBuffer(gpu, &checks->counters);
}

bool checksMakeKeys(Checks *checks, uint32_t kind, uint32_t seed, Pairs *pairs) {
    Gpu *gpu = &checks->bench->gpu;
    const VkDeviceSize size = 4 * (VkDeviceSize)pairs->count;
    if ((kind != KEYS_GIVEN && !gpuCreateBuffer(gpu, size, GPU_DEVICE, "keys", &pairs->keys)) ||
        !gpuCreateBuffer(gpu, size, GPU_DEVICE, "values", &pairs->values) || !gpuBegin(gpu)) {
        return false;
    }
    const KeysPush push = {
        .keys = pairs->keys.address,
        .values = pairs->values.address,
        .count = pairs->count,
        .kind = kind,
        .seed = seed,
    };
    benchDispatch(checks->bench, &checks->keys, &push, pairs->count);
    return gpuSubmit(gpu);
}

/* Runs the check kernel and leaves what it counted in the counters. */
static bool count(Checks *checks, VkDeviceAddress keys, const GpuBuffer *results, uint32_t items,
                  uint32_t check) {
    Gpu *gpu = &checks->bench->gpu;
    memset(checks->counters.mapped, 0, (size_t)checks->counters.size);
    const CheckPush push = {
        .keys = keys,
        .results = results->address,
        .counters = checks->counters.address,
        .count = items,
        .check = check,
    };
    if (!gpuBegin(gpu)) {
        return false;
    }
    benchDispatch(checks->bench, &checks->check, &push, items);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu);
}

bool checksValues(Checks *checks, const char *what, const Pairs *pairs, const GpuBuffer *results) {
    if (!count(checks, pairs->keys.address, results, pairs->count, CHECK_VALUES)) {
        return false;
    }
    const uint32_t wrong = *(const uint32_t *)checks->counters.mapped;
    return wrong == 0 || sayError("%s: %u of %u results are wrong", what, wrong, pairs->count);
}

bool checksTally(Checks *checks, const GpuBuffer *statuses, uint32_t items,
                 uint32_t tally[TALLY_KINDS]) {
    if (!count(checks, 0, statuses, items, CHECK_TALLY)) {
        return false;
    }
    memcpy(tally, checks->counters.mapped, TALLY_KINDS * sizeof *tally);
    return true;
}
