/* Tables in pages that are far larger than the GPU's share of them: what their rows share.
 *
 * SPDX-License-Identifier: MIT */
#include "large.h"

GPU_SPIRV(bench_spv_large);

static LargePush push_of(const LargeItems *items) {
    return (LargePush){.first = items->first,
                       .count = items->count,
                       .stride = items->stride,
                       .mask = items->mask,
                       .kind = items->kind};
}

void largeMake(const Large *large, const LargeItems *items, const GpuBuffer *keys,
               const GpuBuffer *values) {
    LargePush push = push_of(items);
    push.keys = keys->address;
    push.values = values->address;
    benchDispatch(large->bench, &large->pairs, &push, items->count);
    gpuComputeBarrier(&large->bench->gpu);
}

bool largeVerify(const Large *large, const char *operation, const LargeItems *items,
                 const GpuBuffer *values) {
    LargePush push = push_of(items);
    push.wrong = large->bench->wrong.address;
    push.values = values->address;
    push.check = 1;
    return benchCheck(large->bench, operation, &large->pairs, &push, items->count);
}

MurPagedBatch largeBatch(const LargeItems *items, const GpuBuffer *keys, const GpuBuffer *values,
                         const GpuBuffer *scratch) {
    const uint64_t count = items->count;
    return (MurPagedBatch){
        .maxCount = items->count,
        .keys = {keys->address, 8 * count},
        .values = {values->address, 4 * count},
        .scratch = {scratch->address, scratch->size},
    };
}

bool suiteLarge(Bench *bench) {
    Large large = {.bench = bench};
    const bool done = BENCH_KERNEL(bench, large, LargePush, &large.pairs) &&
                      linkRows(bench, "large", &large.link) && largeFlyRows(&large) &&
                      largeStreamRows(&large);
    gpuDestroyKernel(&bench->gpu, &large.pairs);
    return done;
}
