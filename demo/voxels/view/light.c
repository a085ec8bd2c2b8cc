/* SPDX-License-Identifier: MIT */
#include "light.h"

#include <murmuration/buckets.h>

GPU_SPIRV(voxels_spv_light_rays);
GPU_SPIRV(voxels_spv_light_learn);

/* Cells, rays a frame, pictures to a mean; all of a cell's memory is 64 bytes and a half. */
enum {
    SLOTS = 1900032,
    SLOTS_SLOW = 1 << 18, /* at most, and least */
    SLOTS_LEAST = 1 << 14,
    BUDGET = 1 << 19,
    BUDGET_SLOW = 1 << 14,
    PICTURES = 600,
    PICTURES_SLOW = 64,
    REBUILD = 64 /* frames between filters */
};

static void lightUnchanged(Light *light) {
    for (int i = 0; i < 3; ++i) {
        light->low[i] = INT32_MAX;
        light->high[i] = INT32_MIN;
    }
}

/* Nothing is known of any cell. */
static bool clear(Light *light) {
    Gpu *gpu = light->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    const bool cleared = gpuCheck(murCmdClear(gpu->cmd, light->table), "cells of light");
    vkCmdFillBuffer(gpu->cmd, light->payload.buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, light->counts.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuFullBarrier(gpu);
    return gpuSubmit(gpu) && cleared;
}

bool lightCreate(Gpu *gpu, Light *light) {
    const bool slow = gpuIsSlow(gpu);
    *light = (Light){.gpu = gpu};
    light->ref.budget = slow ? BUDGET_SLOW : BUDGET;
    light->pictures = slow ? PICTURES_SLOW : PICTURES;
    return gpuCreateKernel(gpu, GPU_CODE(voxels_spv_light_rays), sizeof(TracePush), &light->rays) &&
           gpuCreateKernel(gpu, GPU_CODE(voxels_spv_light_learn), sizeof(TracePush), &light->learn);
}

static void destroyCells(Light *light) {
    murDestroyTable(light->table);
    gpuDestroyBuffer(light->gpu, &light->payload);
    gpuDestroyBuffer(light->gpu, &light->list);
    gpuDestroyBuffer(light->gpu, &light->counts);
    light->table = NULL;
}

/* A processor's pass over all cells takes as long as they are many. */
static uint64_t slotsFor(const Gpu *gpu, uint64_t pixels) {
    const uint64_t needed = SLOTS_LEAST + 4 * pixels;
    return !gpuIsSlow(gpu) ? SLOTS : needed < SLOTS_SLOW ? needed : SLOTS_SLOW;
}

bool lightResize(Light *light, uint64_t pixels) {
    Gpu *gpu = light->gpu;
    const MurTableCreateInfo info = {.capacity = slotsFor(gpu, pixels),
                                     .type = murTypeBucketsK64(),
                                     .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                     .pName = "cells of light"};
    destroyCells(light);
    lightUnchanged(light);
    if (!gpuCheck(murCreateTable(gpu->context, &info, &light->table), "cells of light")) {
        return false;
    }
    light->ref.cells.table = murGetTableRef(light->table);
    light->slots = murGetMaxEntries(light->table);
    const VkDeviceSize slots = light->slots;
    if (!gpuCreateBuffer(gpu, LIGHT_CELL * slots, GPU_DEVICE, "cells of light", &light->payload) ||
        !gpuCreateBuffer(gpu, 4 * slots, GPU_DEVICE, "cells that get rays", &light->list) ||
        !gpuCreateBuffer(gpu, 2 * sizeof(LightCounts), GPU_DEVICE, "counts of light",
                         &light->counts)) {
        return false;
    }
    light->ref.payload = light->payload.address;
    light->ref.list = light->list.address;
    light->ref.counts = light->counts.address;
    return clear(light);
}

void lightDestroy(Light *light) {
    if (light->gpu) {
        destroyCells(light);
        gpuDestroyKernel(light->gpu, &light->rays);
        gpuDestroyKernel(light->gpu, &light->learn);
    }
    *light = (Light){0};
}

uint64_t lightBytes(const Light *light) {
    return murGetTableMemory(light->table).size + light->payload.size + light->list.size +
           light->counts.size;
}

static void change(Light *light, const int32_t low[3], const int32_t high[3]) {
    for (int i = 0; i < 3; ++i) {
        light->low[i] = low[i] - 1 < light->low[i] ? low[i] - 1 : light->low[i];
        light->high[i] = high[i] + 1 > light->high[i] ? high[i] + 1 : light->high[i];
    }
}

void lightEdited(Light *light, const WorldReport *report) {
    int32_t low[3];
    int32_t high[3];
    if (report->changes > 0 && report->edits == 1) {
        editBounds(&report->edit, low, high);
        change(light, low, high);
    } else if (report->changes > 0) {
        lightForget(light);
    }
}

void lightForget(Light *light) {
    change(light, (const int32_t[3]){0, 0, 0},
           (const int32_t[3]){WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z});
}

void lightBegin(Light *light, View *view) {
    const LightCounts counts = {.groups = {0, 1, 1}};
    const VkDeviceSize next = light->ref.frame++ % 2 * sizeof counts;
    view->light = light->ref;
    view->changedLow = (Int4){light->low[0], light->low[1], light->low[2], 0};
    view->changedHigh = (Int4){light->high[0], light->high[1], light->high[2], 0};
    gpuUpdate(light->gpu, &counts, &light->counts, next, sizeof counts);
    lightUnchanged(light);
}

void lightCmdRays(Light *light, const TracePush *push) {
    gpuDispatchIndirect(light->gpu, &light->rays, push, &light->counts,
                        light->ref.frame % 2 * sizeof(LightCounts));
}

bool lightCmdLearn(Light *light, const TracePush *push) {
    Gpu *gpu = light->gpu;
    gpuFullBarrier(gpu);
    gpuDispatch(gpu, &light->learn, push, (light->slots + 255) / 256, 1, 1);
    if (light->ref.frame % REBUILD) {
        return true; /* the caller's barrier comes next */
    }
    gpuFullBarrier(gpu);
    return gpuCheck(murCmdRebuildFilter(gpu->cmd, light->table), "light's filter");
}
