/* SPDX-License-Identifier: MIT */
#include "tracer.h"

#include "common/say.h"

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(voxels_spv_trace);
GPU_SPIRV(voxels_spv_beams);

_Static_assert(sizeof(TracePush) == sizeof(WorldRef) + 16, "push constants have no gaps");

bool tracerCreate(Gpu *gpu, uint32_t width, uint32_t height, Tracer *tracer) {
    memset(tracer, 0, sizeof *tracer);
    tracer->gpu = gpu;
    return gpuCreateKernel(gpu, "trace", voxels_spv_trace, voxels_spv_trace_size, sizeof(TracePush),
                           &tracer->trace) &&
           gpuCreateKernel(gpu, "beams", voxels_spv_beams, voxels_spv_beams_size, sizeof(TracePush),
                           &tracer->beams) &&
           lightCreate(gpu, &tracer->light) &&
           gpuCreateBuffer(gpu, sizeof(View), GPU_DEVICE, "view", &tracer->view) &&
           gpuCreateBuffer(gpu, sizeof(ViewCounts), GPU_DEVICE, "counts", &tracer->counts) &&
           tracerResize(tracer, width, height);
}

void tracerDestroy(Tracer *tracer) {
    Gpu *gpu = tracer->gpu;
    if (gpu) {
        gpuDestroyKernel(gpu, &tracer->trace);
        gpuDestroyKernel(gpu, &tracer->beams);
        lightDestroy(&tracer->light);
        gpuDestroyBuffer(gpu, &tracer->view);
        gpuDestroyBuffer(gpu, &tracer->counts);
        gpuDestroyBuffer(gpu, &tracer->pixels);
        gpuDestroyBuffer(gpu, &tracer->sums);
        gpuDestroyBuffer(gpu, &tracer->starts);
    }
    *tracer = (Tracer){0};
}

static uint32_t tilesAcross(uint32_t pixels) {
    return (pixels + TILE - 1) / TILE;
}

bool tracerResize(Tracer *tracer, uint32_t width, uint32_t height) {
    Gpu *gpu = tracer->gpu;
    const VkDeviceSize pixels = 4 * (VkDeviceSize)width * height;
    const VkDeviceSize starts = 4 * (VkDeviceSize)tilesAcross(width) * tilesAcross(height);
    tracer->width = width;
    tracer->height = height;
    if (pixels <= tracer->pixels.size && starts <= tracer->starts.size) {
        return true;
    }
    gpuDestroyBuffer(gpu, &tracer->pixels);
    gpuDestroyBuffer(gpu, &tracer->sums);
    gpuDestroyBuffer(gpu, &tracer->starts);
    return gpuCreateBuffer(gpu, pixels, GPU_DEVICE, "pixels", &tracer->pixels) &&
           gpuCreateBuffer(gpu, 4 * pixels, GPU_DEVICE, "sums of pixels", &tracer->sums) &&
           gpuCreateBuffer(gpu, starts, GPU_DEVICE, "start distances", &tracer->starts);
}

/* Pictures of the same from the same place before this one; what lies over them does not count. */
static uint32_t countStill(Tracer *tracer, const View *view, bool moves) {
    View bare = *view;
    bare.width = tracer->width;
    bare.height = tracer->height;
    bare.brushShape = BRUSH_NONE;
    bare.brush = bare.brushHalf = bare.brushColor = (Vec4){0, 0, 0, 0};
    bare.clipboard = 0;
    bare.clipX = bare.clipY = bare.clipZ = bare.clipTurn = 0;
    const bool same = !moves && memcmp(&bare, &tracer->last, sizeof bare) == 0;
    tracer->still = same ? tracer->still + 1 : 0;
    tracer->last = bare;
    return tracer->still;
}

/* Uploads the view, empties the counts, finds the start distances, sends the cells' rays. */
static void prepare(Tracer *tracer, const TracePush *push, const View *view, bool moves) {
    Gpu *gpu = tracer->gpu;
    View filled = *view;
    filled.still = countStill(tracer, view, moves);
    filled.width = tracer->width;
    filled.height = tracer->height;
    filled.pixels = tracer->pixels.address;
    filled.sums = tracer->sums.address;
    filled.starts = tracer->starts.address;
    filled.counts = tracer->counts.address;
    gpuFullBarrier(gpu);
    lightBegin(&tracer->light, &filled);
    vkCmdUpdateBuffer(gpu->cmd, tracer->view.buffer, 0, sizeof filled, &filled);
    vkCmdFillBuffer(gpu->cmd, tracer->counts.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuFullBarrier(gpu);
    gpuDispatch(gpu, &tracer->beams, push, (tilesAcross(tracer->width) + 7) / 8,
                (tilesAcross(tracer->height) + 7) / 8, 1);
    gpuTimestamp(gpu, TRACER_BEAMS);
    lightCmdRays(&tracer->light, push);
    gpuTimestamp(gpu, TRACER_RAYS);
    gpuFullBarrier(gpu);
}

bool tracerCmdDraw(Tracer *tracer, const WorldRef *world, const View *view, bool moves) {
    Gpu *gpu = tracer->gpu;
    const TracePush push = {.world = *world, .view = tracer->view.address};
    gpuBeginLabel(gpu, "trace");
    gpuTimestamp(gpu, TRACER_BEGIN);
    prepare(tracer, &push, view, moves);
    gpuDispatch(gpu, &tracer->trace, &push, tilesAcross(tracer->width), tilesAcross(tracer->height),
                1);
    gpuTimestamp(gpu, TRACER_TRACED);
    const bool done = lightCmdLearn(&tracer->light, &push);
    gpuTransferBarrier(gpu);
    gpuTimestamp(gpu, TRACER_END);
    gpuEndLabel(gpu);
    return done;
}

bool tracerFrame(Tracer *tracer, const WorldRef *world, const View *view, bool moves,
                 double *milliseconds) {
    Gpu *gpu = tracer->gpu;
    bool drawn = gpuBegin(gpu);
    drawn = drawn && tracerCmdDraw(tracer, world, view, moves);
    drawn = gpuSubmit(gpu) && drawn;
    *milliseconds = gpuMilliseconds(gpu, TRACER_BEGIN, TRACER_END);
    return drawn;
}

/* The picture and the counts come to the host. */
static bool fetch(Tracer *tracer, Picture *picture) {
    Gpu *gpu = tracer->gpu;
    const VkDeviceSize bytes = 4 * (VkDeviceSize)tracer->width * tracer->height;
    const VkBufferCopy pixels = {0, 0, bytes};
    const VkBufferCopy counts = {0, bytes, sizeof(ViewCounts)};
    if (!gpuCreateBuffer(gpu, bytes + sizeof(ViewCounts), GPU_HOST, "picture", &picture->pixels) ||
        !gpuBegin(gpu)) {
        return false;
    }
    vkCmdCopyBuffer(gpu->cmd, tracer->pixels.buffer, picture->pixels.buffer, 1, &pixels);
    vkCmdCopyBuffer(gpu->cmd, tracer->counts.buffer, picture->pixels.buffer, 1, &counts);
    gpuHostBarrier(gpu);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    memcpy(&picture->counts, (char *)picture->pixels.mapped + bytes, sizeof picture->counts);
    return true;
}

static int compareTimes(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

bool tracerPicture(Tracer *tracer, const WorldRef *world, const View *view, uint32_t frames,
                   Picture *picture) {
    Gpu *gpu = tracer->gpu;
    const bool slow = gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    frames = frames ? frames : slow ? 4 : 64;
    double *times = calloc(frames, sizeof *times);
    bool drawn = times || sayError("no memory");
    for (uint32_t i = 0; i < frames && drawn; ++i) {
        sayProgress("drawing", i, frames);
        drawn = tracerFrame(tracer, world, view, i == 0, &times[i]);
    }
    sayProgress("drawing", frames, frames);
    if (drawn) {
        qsort(times, frames, sizeof *times, compareTimes);
        picture->milliseconds = times[frames / 2];
        picture->frames = frames;
        for (uint32_t i = 0; i < TRACER_PASSES; ++i) {
            picture->passes[i] = gpuMilliseconds(gpu, TRACER_BEGIN + i, TRACER_BEGIN + i + 1);
        }
    }
    free(times);
    return drawn && fetch(tracer, picture);
}

void pictureDestroy(Gpu *gpu, Picture *picture) {
    gpuDestroyBuffer(gpu, &picture->pixels);
}
