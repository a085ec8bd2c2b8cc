/* murcache: light in cells of space, as engines cache it for global illumination. README.md says
 * more. SPDX-License-Identifier: MIT */
#include "cache.h"
#include "common/gpu.h"
#include "common/png_file.h"
#include "common/say.h"

#include <murmuration/age.h>

#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 15, MOST = CAPACITY / 4 * 3, MAX_AGE = 8, EVERY = 24 };

GPU_SPIRV(cache_spv);

typedef struct Cache {
    Gpu gpu;
    MurTable table;
    GpuKernel kernel;
    GpuBuffer buffers[CACHE_BUFFERS + 1]; /* the last one: scratch memory */
    uint32_t slots, live, frames;
} Cache;

static bool openCache(Cache *cache, const GpuOptions *options) {
    const MurTableCreateInfo info = {.capacity = CAPACITY,
                                     .format = MUR_FORMAT_K64V32,
                                     .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                     .uses = {murUseReclaim()}};
    Gpu *gpu = &cache->gpu;
    if (!gpuOpen(gpu, options) ||
        !gpuCheck(murCreateTable(gpu->context, &info, &cache->table), "a table") ||
        !gpuCreateKernel(gpu, "cache", cache_spv, cache_spv_size, sizeof(CachePush),
                         &cache->kernel)) {
        return false;
    }
    /* All that slots index is so long. */
    cache->slots = murGetTableRef(cache->table).slotCount + MUR_EXTRA_SLOTS(info.format);
    const uint64_t bytes[CACHE_BUFFERS + 1] = {
        4ull * cache->slots, 16ull * cache->slots, 4ull * cache->slots,  4ull * cache->slots,
        4ull * CACHE_PIXELS, 4ull * CACHE_PIXELS,  sizeof(MurAgeResult), 32,
        MUR_AGE_SCRATCH_SIZE};
    for (uint32_t i = 0; i <= CACHE_BUFFERS; ++i) {
        if (!gpuCreateBuffer(gpu, bytes[i], i < CACHE_PICTURE ? GPU_DEVICE : GPU_HOST, "cache",
                             &cache->buffers[i])) {
            return false;
        }
    }
    if (!gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, cache->buffers[CACHE_LIGHT].buffer, 0, VK_WHOLE_SIZE, 0);
    return gpuCheck(murCmdClear(gpu->cmd, cache->table), "clearing") && gpuSubmit(gpu);
}

/* A barrier, and a dispatch of our shader. Updates: as many as murCmdAge says. */
static void run(Cache *cache, uint32_t frame, uint32_t phase, uint32_t groups) {
    Gpu *gpu = &cache->gpu;
    CachePush push = {.table = murGetTableRef(cache->table), .frame = frame, .phase = phase};
    for (uint32_t i = 0; i < CACHE_BUFFERS; ++i) {
        push.at[i] = cache->buffers[i].address;
    }
    gpuFullBarrier(gpu);
    vkCmdBindPipeline(gpu->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, cache->kernel.pipeline);
    vkCmdPushConstants(gpu->cmd, cache->kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push,
                       &push);
    if (phase == CACHE_UPDATE) {
        vkCmdDispatchIndirect(gpu->cmd, cache->buffers[CACHE_RESULT].buffer, 0);
    } else {
        vkCmdDispatch(gpu->cmd, groups, 1, 1);
    }
}

static MurArray array(const Cache *cache, uint32_t i) {
    return (MurArray){cache->buffers[i].address, cache->buffers[i].size};
}

static bool runFrame(Cache *cache, uint32_t frame) {
    const MurAge age = {.ages = array(cache, CACHE_AGES),
                        .frame = frame,
                        .maxAge = MAX_AGE,
                        .flags = MUR_AGE_YOUNGEST, /* room stays, whatever happens */
                        .maxEntries = MOST,
                        .live = array(cache, CACHE_LIVE),
                        .maxLive = cache->slots,
                        .groupEntries = CACHE_GROUP * CACHE_PARTS,
                        .erased = array(cache, CACHE_ERASED),
                        .maxErased = cache->slots,
                        .result = array(cache, CACHE_RESULT),
                        .scratch = array(cache, CACHE_BUFFERS)};
    Gpu *gpu = &cache->gpu;
    memset(cache->buffers[CACHE_COUNTS].mapped, 0, 32);
    if (!gpuBegin(gpu)) {
        return false;
    }
    run(cache, frame, CACHE_LOOK, CACHE_PIXELS / CACHE_GROUP);
    gpuFullBarrier(gpu);
    const bool aged = gpuCheck(murCmdAge(gpu->cmd, cache->table, &age), "ageing");
    run(cache, frame, CACHE_CLEAR, cache->slots / CACHE_GROUP + 1);
    run(cache, frame, CACHE_UPDATE, 0);
    if (frame + 1 == cache->frames) {
        run(cache, frame, CACHE_SHADE, CACHE_PIXELS / CACHE_GROUP);
    }
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu) && aged;
}

/* What came and went adds up. An engine would read these counts some frames later. */
static bool checkFrame(Cache *cache, uint32_t frame) {
    const uint32_t *counts = cache->buffers[CACHE_COUNTS].mapped, inserted = counts[MUR_INSERTED];
    const MurAgeResult *age = cache->buffers[CACHE_RESULT].mapped;
    const uint32_t live = cache->live + inserted - age->erased, hits = counts[MUR_EXISTED];
    cache->live = age->live;
    if ((frame + 1) % EVERY == 0 || frame + 1 == cache->frames) {
        printf("frame %u: %u live, %u hits, %u inserted (%u from a parent), %u erased, %u full\n",
               frame, live, hits, inserted, counts[0], age->erased, counts[MUR_FULL]);
    }
    return (live == age->live && live <= MOST && !counts[MUR_FULL] && hits > 9 * inserted) ||
           sayError("frame %u: %u entries instead of %u, %u hits", frame, age->live, live, hits);
}

int main(int argc, char **argv) {
    GpuOptions options = {.application = "murcache", .device = -1};
    Cache cache = {.frames = 240};
    FILE *png = NULL;
    bool done = true;
    sayProgram("murcache");
    for (int i = 1; i < argc && done; ++i) {
        options.validation = options.validation || strcmp(argv[i], "--validation") == 0;
        cache.frames = atoi(argv[i]) > 0 ? (uint32_t)atoi(argv[i]) : cache.frames;
        png = strstr(argv[i], ".png") ? fopen(argv[i], "wb") : png;
        done = options.validation || atoi(argv[i]) > 0 || png || sayError("what is %s?", argv[i]);
    }
    done = done && openCache(&cache, &options);
    for (uint32_t frame = 0; done && frame < cache.frames; ++frame) {
        done = runFrame(&cache, frame) && checkFrame(&cache, frame);
    }
    const uint8_t *picture = cache.buffers[CACHE_PICTURE].mapped;
    done = done && (!png || pngWrite(png, picture, CACHE_WIDTH, CACHE_HEIGHT));
    done = (!png || fclose(png) == 0) && done;
    done = done && (cache.gpu.messages == 0 || sayError("the validation layers complained"));
    for (uint32_t i = 0; i <= CACHE_BUFFERS; ++i) {
        gpuDestroyBuffer(&cache.gpu, &cache.buffers[i]);
    }
    gpuDestroyKernel(&cache.gpu, &cache.kernel);
    murDestroyTable(cache.table);
    gpuClose(&cache.gpu);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
