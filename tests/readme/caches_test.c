/* The payload recipe of include/caches.md, with its shader unchanged. In each of 150 frames, every
 * wanted key must have its own payload. No payload may be lost, even if the table moves.
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <murmuration/growable.h>
#include <string.h>

GPU_SPIRV(manual_caches_1);

enum { PAYLOADS = 5000, WANTED = 1000, FRESH = 333, KEYS = 20000, FRAMES = 150, PHASES = 3 };

typedef struct Entry { /* must equal the shader's struct */
    uint32_t key[2], usedIn, payload;
} Entry;

typedef struct Cache {
    Gpu *gpu;
    GpuKernel kernel;
    GpuBuffer entries, unused, fresh, wanted, values;
    MurGrowable growable;
} Cache;

static void open_cache(Cache *cache, Gpu *gpu) {
    *cache = (Cache){.gpu = gpu,
                     .kernel = gpu_kernel(gpu, manual_caches_1, manual_caches_1_size, 40, 4),
                     .entries = gpu_buffer(gpu, sizeof(Entry[PAYLOADS])),
                     .unused = gpu_buffer(gpu, 4 * (1 + PAYLOADS)),
                     .fresh = gpu_buffer(gpu, 4 * (1 + WANTED)),
                     .wanted = gpu_buffer(gpu, 8 * WANTED),
                     .values = gpu_buffer(gpu, 4 * WANTED)};
    const GpuBuffer *bound[] = {&cache->entries, &cache->unused, &cache->fresh, &cache->wanted};
    for (uint32_t i = 0; i < 4; ++i) {
        gpu_bind(gpu, &cache->kernel, i,
                 (MurBufferRange){.buffer = bound[i]->buffer, .size = bound[i]->size});
    }
    memset(cache->entries.mapped, 0, sizeof(Entry[PAYLOADS]));
    uint32_t *unused = cache->unused.mapped;
    unused[0] = PAYLOADS;
    for (uint32_t i = 0; i < PAYLOADS; ++i) {
        unused[1 + i] = i;
    }
    const MurGrowableCreateInfo info = {
        .table = {.capacity = 2048, .type = murTypeK64V32(), .atomicWidth = MUR_ATOMIC_WIDTH_32},
        .framesInFlight = 1};
    gpu_require(murCreateGrowable(gpu->context, &info, &cache->growable));
}

static void close_cache(Cache *cache) {
    murDestroyGrowable(cache->growable);
    GpuBuffer *buffers[] = {&cache->entries, &cache->unused, &cache->fresh, &cache->wanted,
                            &cache->values};
    for (uint32_t i = 0; i < 5; ++i) {
        gpu_free(cache->gpu, buffers[i]);
    }
}

/* Runs the steps of the page, then a find of all wanted keys. */
static void run_frame(Cache *cache, uint32_t frame) {
    uint32_t *wanted = cache->wanted.mapped;
    for (uint32_t i = 0; i < WANTED; ++i) { /* some keys twice; all are wanted again later */
        wanted[2 * i] = (frame * FRESH + i * 7919u % 900) % KEYS;
        wanted[2 * i + 1] = 5;
    }
    *(uint32_t *)cache->fresh.mapped = 0;
    MurGrowableFrameTable use;
    const MurGrowableFrame begun = {
        .frame = frame, .completedFrame = frame - 1, .maxInserts = WANTED};
    VkCommandBuffer cmd = gpu_begin(cache->gpu);
    gpu_barrier(cache->gpu);
    gpu_require(murCmdBeginGrowableFrame(cmd, cache->growable, &begun, &use));
    gpu_require(use.growth);
    struct {
        MurTableRef table;
        uint32_t frame, phase;
    } push = {murGetTableRef(use.table), frame, 0};
    for (; push.phase < PHASES; ++push.phase) {
        gpu_barrier(cache->gpu);
        gpu_dispatch(cache->gpu, &cache->kernel, &push, (PAYLOADS + 63) / 64);
    }
    gpu_barrier(cache->gpu);
    const MurBatch batch = {.maxCount = WANTED,
                            .keys = {cache->wanted.address, 8 * WANTED},
                            .values = {cache->values.address, 4 * WANTED}};
    gpu_require(murCmdFind(cmd, use.table, &batch));
    gpu_submit(cache->gpu);
}

static void check_frame(const Cache *cache, uint32_t frame) {
    const uint32_t *unused = cache->unused.mapped, *wanted = cache->wanted.mapped;
    const uint32_t *values = cache->values.mapped;
    const Entry *entries = cache->entries.mapped;
    static bool isUnused[PAYLOADS];
    memset(isUnused, 0, sizeof isUnused);
    for (uint32_t i = 0; i < unused[0]; ++i) {
        assert_false(isUnused[unused[1 + i]]);
        isUnused[unused[1 + i]] = true;
    }
    for (uint32_t i = 0; i < PAYLOADS; ++i) {
        assert_int_equal(entries[i].usedIn == 0, isUnused[i]);
    }
    for (uint32_t i = 0; i < WANTED; ++i) {
        assert_in_range(values[i], 0, PAYLOADS - 1);
        assert_memory_equal(entries[values[i]].key, wanted + 2 * i, 8);
        assert_int_equal(entries[values[i]].usedIn, frame);
    }
}

GPU_TEST(wanted_keys_have_payloads_of_their_own) {
    Cache cache;
    open_cache(&cache, gpu);
    for (uint32_t frame = 1; frame <= FRAMES; ++frame) {
        run_frame(&cache, frame);
        check_frame(&cache, frame);
    }
    MurGrowableStatus status;
    murGetGrowableStatus(cache.growable, &status);
    assert_in_range(status.moves, 5, FRAMES / 5);
    assert_int_equal(status.lost, 0);
    close_cache(&cache);
}
