/* murcache: a radiance cache in spatial cells, as in engines for global illumination. See
 * README.md. SPDX-License-Identifier: MIT */
#include "cache.h"
#include "common/gpu.h"
#include "common/png_file.h"
#include "common/message.h"

#include <murmuration/buckets.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 24576, MAX_FRAMES = 100000, REBUILD = 8 };

GPU_SPIRV(cache_glsl);
GPU_SPIRV(cache_hlsl);

typedef struct Output { /* counts of a frame, and its picture */
    uint32_t counts[CACHE_COUNTS], picture[CACHE_PIXELS];
    MurStats stats;
} Output;

typedef struct Cache {
    Gpu gpu;
    MurTable table;
    GpuKernel kernel;
    GpuBuffer cells, output;
    uint32_t slots, live, refused, reserved;
} Cache;

static bool openCache(Cache *cache, const GpuOptions *options, bool hlsl) {
    const MurTableCreateInfo info = {
        .capacity = CAPACITY, .type = murTypeBucketsK64(), .atomicWidth = MUR_ATOMIC_WIDTH_32};
    Gpu *gpu = &cache->gpu;
    if (!gpuOpen(gpu, options) ||
        !gpuCheck(murCreateTable(gpu->context, &info, &cache->table), "a table")) {
        return false;
    }
    cache->slots = murGetMaxEntries(cache->table);
    if (!gpuCreateBuffer(gpu, CACHE_CELL * cache->slots, GPU_DEVICE, "cells", &cache->cells) ||
        !gpuCreateBuffer(gpu, sizeof(Output), GPU_HOST, "output", &cache->output)) {
        return false;
    }
    const MurBufferRange table = murGetTableMemory(cache->table);
    const VkDescriptorBufferInfo bound[] = {{table.buffer, table.offset, table.size},
                                            {cache->cells.buffer, 0, VK_WHOLE_SIZE},
                                            {cache->output.buffer, 0, VK_WHOLE_SIZE}};
    if (!gpuCreateBoundKernel(gpu, "cache", hlsl ? cache_hlsl : cache_glsl,
                              hlsl ? cache_hlsl_size : cache_glsl_size, sizeof(CachePush), bound, 3,
                              &cache->kernel) ||
        !gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, cache->cells.buffer, 0, VK_WHOLE_SIZE, 0);
    return gpuCheck(murCmdClear(gpu->cmd, cache->table), "clearing") && gpuSubmit(gpu);
}

static void run(Cache *cache, uint32_t frame, uint32_t phase, uint32_t items) {
    const CachePush push = {{murGetTableRef(cache->table)}, frame, phase, cache->reserved, 0};
    gpuFullBarrier(&cache->gpu); /* engines name stages: murCmdBarrier */
    gpuDispatch(&cache->gpu, &cache->kernel, &push, (items + CACHE_GROUP - 1) / CACHE_GROUP, 1, 1);
}

/* Every REBUILD frames, the pass over all slots also rebuilds the filter. An engine draws every
 * frame. */
static bool runFrame(Cache *cache, uint32_t frame, bool drawn) {
    const MurArray stats = {cache->output.address + offsetof(Output, stats), sizeof(MurStats)};
    const bool rebuild = frame % REBUILD == REBUILD - 1;
    Gpu *gpu = &cache->gpu;
    memset(cache->output.mapped, 0, 4 * CACHE_COUNTS);
    if (!gpuBegin(gpu)) {
        return false;
    }
    run(cache, frame, CACHE_UPDATE, CACHE_PIXELS / CACHE_RUN);
    bool done = !rebuild || gpuCheck(murCmdBeginEviction(gpu->cmd, cache->table), "filters");
    run(cache, frame, CACHE_RESOLVE, cache->slots);
    gpuFullBarrier(gpu);
    done = done && (!rebuild || gpuCheck(murCmdEndEviction(gpu->cmd, cache->table), "filters"));
    if (drawn) {
        run(cache, frame, CACHE_QUERY, CACHE_PIXELS);
    }
    done = done && gpuCheck(murCmdStats(gpu->cmd, cache->table, stats), "statistics");
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu) && done;
}

/* The numbers of new and evicted cells must agree with the shader's counts and the table's. */
static bool checkFrame(Cache *cache, uint32_t frame) {
    const Output *told = cache->output.mapped;
    const uint32_t *counts = told->counts, came = counts[MUR_INSERTED];
    const uint32_t live = cache->live + came - counts[MUR_ERASED];
    cache->live = counts[MUR_FOUND];
    cache->refused += counts[MUR_FULL];
    printf("frame %u: %u live, %u new, %u evicted; %u samples, %u rejected\n", frame, live, came,
           counts[MUR_ERASED], counts[CACHE_SAMPLES], counts[MUR_FULL]);
    return (live == cache->live && live == told->stats.live &&
            cache->refused == told->stats.failedInserts &&
            counts[CACHE_SAMPLES] == came + counts[MUR_EXISTED]) ||
           sayError("frame %u: %u live; by the pass %u, the table %u", frame, live, cache->live,
                    told->stats.live);
}

int main(int argc, char **argv) {
    GpuOptions options = {.application = "murcache", .device = -1};
    Cache cache = {0};
    uint32_t frames = 120;
    bool done = true, hlsl = false;
    FILE *png = NULL;
    sayProgram("murcache");
    for (int i = 1; i < argc && done; ++i) {
        char *text = argv[i], *end;
        const long number = strtol(text, &end, 10);
        if (strcmp(text, "--help") == 0) {
            return puts("Usage: murcache [--validation] [--hlsl] [--reserve N] [FRAMES] "
                        "[FILE.png]\n"
                        "Caches light in spatial cells, without a window, and prints the number of "
                        "new and evicted cells.\n"
                        "--hlsl: the shader in HLSL; --validation: with Vulkan's layers; "
                        "--reserve: slots of each bucket that stay free, 0 to 8;\n"
                        "FRAMES: 1 to 100000, default 120; "
                        "FILE.png: the last frame: its cells, their light, and the lit scene.") < 0;
        }
        if (i + 1 < argc && strcmp(text, "--reserve") == 0 && argv[i + 1][0] >= '0' &&
            argv[i + 1][0] <= '8' && !argv[i + 1][1]) {
            cache.reserved = (uint32_t)(argv[++i][0] - '0');
        } else if (!*end && number > 0 && number <= MAX_FRAMES) {
            frames = (uint32_t)number;
        } else if (strcmp(text, "--hlsl") == 0 || strcmp(text, "--validation") == 0) {
            *(text[2] == 'h' ? &hlsl : &options.validation) = true;
        } else {
            png = !png && *text != '-' && strstr(text, ".png") ? fopen(text, "wb") : NULL;
            done = png || sayError("argument is %s, expected an option, 1 to %d or a new .png",
                                   text, MAX_FRAMES);
        }
    }
    done = done && openCache(&cache, &options, hlsl);
    for (uint32_t i = 0; i < frames && done; ++i) {
        done = runFrame(&cache, i, png && i == frames - 1) && checkFrame(&cache, i);
    }
    uint8_t *picture = (uint8_t *)cache.output.mapped + offsetof(Output, picture);
    done = done && (!png || pngWrite(png, picture, CACHE_WIDTH, CACHE_HEIGHT, false));
    done = (!png || fclose(png) == 0) && done;
    done = done && (cache.gpu.messages == 0 || sayError("the validation layers reported messages"));
    gpuDestroyBuffer(&cache.gpu, &cache.cells);
    gpuDestroyBuffer(&cache.gpu, &cache.output);
    gpuDestroyKernel(&cache.gpu, &cache.kernel);
    murDestroyTable(cache.table);
    gpuClose(&cache.gpu);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
