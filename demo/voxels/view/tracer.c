/* SPDX-License-Identifier: MIT */
#include "tracer.h"

#include "common/say.h"

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(voxels_spv_trace);
GPU_SPIRV(voxels_spv_trace_fine);
GPU_SPIRV(voxels_spv_trace_fragment);
GPU_SPIRV(voxels_spv_beams);

/* Submissions a picture on a processor, so that it shows progress, and its watchdogs stay calm. */
enum { BANDS = 24 };

_Static_assert(sizeof(TracePush) == sizeof(WorldRef) + 16, "push constants have no gaps");

/* Those that are wanted alone: they are large, and take a compiler its time. */
static bool createKernels(Gpu *gpu, bool fine, Tracer *tracer) {
    return gpuCreateKernel(gpu, "trace", fine ? voxels_spv_trace_fine : voxels_spv_trace,
                           fine ? voxels_spv_trace_fine_size : voxels_spv_trace_size,
                           sizeof(TracePush), &tracer->trace) &&
           gpuCreateKernel(gpu, "beams", voxels_spv_beams, voxels_spv_beams_size, sizeof(TracePush),
                           &tracer->beams);
}

bool tracerCreate(Gpu *gpu, bool fragment, bool fine, uint32_t width, uint32_t height,
                  Tracer *tracer) {
    memset(tracer, 0, sizeof *tracer);
    tracer->gpu = gpu;
    tracer->fragment = fragment;
    tracer->fine = fine;
    return (fragment || createKernels(gpu, fine, tracer)) &&
           gpuCreateBuffer(gpu, sizeof(View), GPU_DEVICE, "view", &tracer->view) &&
           gpuCreateBuffer(gpu, sizeof(ViewCounts), GPU_DEVICE, "counts", &tracer->counts) &&
           tracerResize(tracer, width, height);
}

void tracerDestroy(Tracer *tracer) {
    Gpu *gpu = tracer->gpu;
    if (gpu) {
        gpuDestroyKernel(gpu, &tracer->trace);
        gpuDestroyKernel(gpu, &tracer->beams);
        gpuDestroyPass(gpu, &tracer->pass);
        gpuDestroyTarget(gpu, &tracer->target);
        gpuDestroyBuffer(gpu, &tracer->view);
        gpuDestroyBuffer(gpu, &tracer->counts);
        gpuDestroyBuffer(gpu, &tracer->pixels);
        gpuDestroyBuffer(gpu, &tracer->starts);
    }
    *tracer = (Tracer){0};
}

static uint32_t tilesAcross(uint32_t pixels) {
    return (pixels + TILE - 1) / TILE;
}

/* A pass works with every target of the same format, so it is made once. */
static bool resizeTarget(Tracer *tracer) {
    Gpu *gpu = tracer->gpu;
    gpuDestroyTarget(gpu, &tracer->target);
    return gpuCreateTarget(gpu, tracer->width, tracer->height, &tracer->target) &&
           (tracer->pass.pipeline ||
            gpuCreatePass(gpu, "trace", tracer->target.renderPass, voxels_spv_trace_fragment,
                          voxels_spv_trace_fragment_size, sizeof(TracePush), &tracer->pass));
}

bool tracerResize(Tracer *tracer, uint32_t width, uint32_t height) {
    Gpu *gpu = tracer->gpu;
    const VkDeviceSize pixels = 4 * (VkDeviceSize)width * height;
    const VkDeviceSize starts = 4 * (VkDeviceSize)tilesAcross(width) * tilesAcross(height);
    tracer->width = width;
    tracer->height = height;
    if (pixels > tracer->pixels.size || starts > tracer->starts.size) {
        gpuDestroyBuffer(gpu, &tracer->pixels);
        gpuDestroyBuffer(gpu, &tracer->starts);
        if (!gpuCreateBuffer(gpu, pixels, GPU_DEVICE, "pixels", &tracer->pixels) ||
            !gpuCreateBuffer(gpu, starts, GPU_DEVICE, "start distances", &tracer->starts)) {
            return false;
        }
    }
    return !tracer->fragment || resizeTarget(tracer);
}

/* Uploads the view, empties the counts, finds the start distances. */
static void prepare(Tracer *tracer, const TracePush *push, const View *view) {
    Gpu *gpu = tracer->gpu;
    View filled = *view;
    filled.width = tracer->width;
    filled.height = tracer->height;
    filled.pixels = tracer->pixels.address;
    filled.starts = tracer->starts.address;
    filled.counts = tracer->counts.address;
    filled.flags &= ~(VIEW_BEAMS | VIEW_FINE);
    filled.flags |= (tracer->fragment ? 0 : VIEW_BEAMS) | (tracer->fine ? VIEW_FINE : 0);
    gpuTransferBarrier(gpu);
    vkCmdUpdateBuffer(gpu->cmd, tracer->view.buffer, 0, sizeof filled, &filled);
    vkCmdFillBuffer(gpu->cmd, tracer->counts.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(gpu);
    if (!tracer->fragment) {
        gpuDispatch(gpu, &tracer->beams, push, (tilesAcross(tracer->width) + 7) / 8,
                    (tilesAcross(tracer->height) + 7) / 8, 1);
        gpuComputeBarrier(gpu);
    }
}

/* Rows from first on, a multiple of TILE. */
static void drawRows(Tracer *tracer, TracePush *push, uint32_t first, uint32_t count) {
    Gpu *gpu = tracer->gpu;
    push->row = first;
    if (tracer->fragment) {
        gpuDrawRows(gpu, &tracer->target, &tracer->pass, push, first, count);
    } else {
        gpuDispatch(gpu, &tracer->trace, push, tilesAcross(tracer->width), tilesAcross(count), 1);
    }
}

static void finish(Tracer *tracer) {
    if (tracer->fragment) {
        gpuCopyTarget(tracer->gpu, &tracer->target, &tracer->pixels);
    }
    gpuTransferBarrier(tracer->gpu);
}

static TracePush pushOf(const Tracer *tracer, const WorldRef *world) {
    return (TracePush){.world = *world, .view = tracer->view.address};
}

void tracerCmdDraw(Tracer *tracer, const WorldRef *world, const View *view) {
    Gpu *gpu = tracer->gpu;
    TracePush push = pushOf(tracer, world);
    gpuBeginLabel(gpu, "trace");
    prepare(tracer, &push, view);
    if (tracer->fragment) {
        gpuClearTarget(gpu, &tracer->target);
        gpuFragmentBarrier(gpu);
    }
    drawRows(tracer, &push, 0, tracer->height);
    finish(tracer);
    gpuEndLabel(gpu);
}

static bool submitBand(Tracer *tracer, TracePush *push, const View *view, uint32_t first,
                       uint32_t count, double *milliseconds) {
    Gpu *gpu = tracer->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    gpuTimestamp(gpu, 0);
    if (first == 0) {
        prepare(tracer, push, view);
        if (tracer->fragment) {
            gpuClearTarget(gpu, &tracer->target);
            gpuFragmentBarrier(gpu);
        }
    }
    gpuTimestamp(gpu, 2);
    drawRows(tracer, push, first, count);
    gpuTimestamp(gpu, 1);
    if (first + count == tracer->height) {
        finish(tracer);
    }
    if (!gpuSubmit(gpu)) {
        return false;
    }
    const double band = gpuMilliseconds(gpu, 0, 1);
    *milliseconds = band < 0 ? -1 : *milliseconds + band;
    tracer->prepared = first == 0 ? gpuMilliseconds(gpu, 0, 2) : tracer->prepared;
    return true;
}

static bool drawOnce(Tracer *tracer, const WorldRef *world, const View *view,
                     double *milliseconds) {
    const bool slow = tracer->gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const uint32_t height = tracer->height;
    const uint32_t band = slow ? tilesAcross((height + BANDS - 1) / BANDS) * TILE : height;
    TracePush push = pushOf(tracer, world);
    bool drawn = true;
    *milliseconds = 0;
    for (uint32_t first = 0; first < height && drawn; first += band) {
        sayProgress("drawing", first, height);
        drawn = submitBand(tracer, &push, view, first,
                           height - first < band ? height - first : band, milliseconds);
    }
    sayProgress("drawing", height, height);
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

bool tracerPicture(Tracer *tracer, const WorldRef *world, const View *view, uint32_t repeat,
                   Picture *picture) {
    double *times = calloc(repeat, sizeof *times);
    bool drawn = times || sayError("no memory");
    View timed = *view;
    timed.flags &= repeat > 1 ? ~VIEW_COUNTS : ~0u; /* counting takes time too */
    for (uint32_t i = 0; i < repeat && drawn; ++i) {
        drawn = drawOnce(tracer, world, &timed, &times[i]);
    }
    if (repeat > 1 && (view->flags & VIEW_COUNTS)) {
        double ignored;
        drawn = drawn && drawOnce(tracer, world, view, &ignored);
    }
    drawn = drawn && fetch(tracer, picture);
    if (drawn) {
        qsort(times, repeat, sizeof *times, compareTimes);
        picture->milliseconds = times[repeat / 2];
        picture->prepared = tracer->prepared;
    }
    free(times);
    return drawn;
}

void pictureDestroy(Gpu *gpu, Picture *picture) {
    gpuDestroyBuffer(gpu, &picture->pixels);
}
