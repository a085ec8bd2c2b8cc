/* SPDX-License-Identifier: MIT */
#include "tracer.h"

#include "common/message.h"
#include "common/clock.h"

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(voxels_spv_trace);
GPU_SPIRV(voxels_spv_beams);

enum { LEARNING = 48, FEW = 4, MANY = 64 }; /* frames */

_Static_assert(sizeof(TracePush) == sizeof(WorldRef) + 16, "push constants have no gaps");

bool tracerCreate(Gpu *gpu, uint32_t width, uint32_t height, Tracer *tracer) {
    memset(tracer, 0, sizeof *tracer);
    tracer->gpu = gpu;
    tracer->pace = paceStart();
    return gpuCreateKernel(gpu, GPU_CODE(voxels_spv_trace), sizeof(TracePush), &tracer->trace) &&
           gpuCreateKernel(gpu, GPU_CODE(voxels_spv_beams), sizeof(TracePush), &tracer->beams) &&
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
    tracer->shown = (View){0};
    if (pixels <= tracer->pixels.size && starts <= tracer->starts.size) {
        return true;
    }
    gpuDestroyBuffer(gpu, &tracer->pixels);
    gpuDestroyBuffer(gpu, &tracer->sums);
    gpuDestroyBuffer(gpu, &tracer->starts);
    return lightResize(&tracer->light, pixels / 4) &&
           gpuCreateBuffer(gpu, pixels, GPU_DEVICE, "pixels", &tracer->pixels) &&
           gpuCreateBuffer(gpu, 4 * pixels, GPU_DEVICE, "sums of pixels", &tracer->sums) &&
           gpuCreateBuffer(gpu, starts, GPU_DEVICE, "start distances", &tracer->starts);
}

/* Does it go on with the mean of the pictures before? Overlays do not count, and larger pixels are
 * no part of any. */
static bool goesOn(Tracer *tracer, const View *view) {
    View bare = *view;
    bare.width = tracer->width;
    bare.height = tracer->height;
    bare.preview = (Preview){.pad = 0};
    const bool same = !tracer->moved && memcmp(&bare, &tracer->last, sizeof bare) == 0;
    tracer->last = bare;
    tracer->moved = false;
    return same;
}

static Vec4 along(Vec4 a, float by, Vec4 b) {
    return (Vec4){a.x + by * b.x, a.y + by * b.y, a.z + by * b.z, a.w};
}

/* Larger pixels may reach over the picture's right and lower edge. */
static void reach(View *view, const Tracer *tracer, const Part *part) {
    const uint32_t across = (tracer->width + part->side - 1) / part->side;
    const float x = (float)(across * part->side) / (float)tracer->width - 1;
    const float y = (float)(part->rows * part->side) / (float)tracer->height - 1;
    view->forward = along(along(view->forward, x, view->right), -y, view->up);
    view->right = along(view->right, x, view->right);
    view->up = along(view->up, y, view->up);
}

static View fill(Tracer *tracer, const View *view, const Part *part) {
    View filled = *view;
    if (part->side == 1) {
        tracer->still = goesOn(tracer, view) ? tracer->still : 0;
        filled.still = tracer->still;
    } else {
        reach(&filled, tracer, part);
        filled.still = 0;
    }
    filled.width = tracer->width;
    filled.height = tracer->height;
    filled.larger = part->side - 1;
    filled.pixels = tracer->pixels.address;
    filled.sums = tracer->sums.address;
    filled.starts = tracer->starts.address;
    filled.counts = tracer->counts.address;
    return filled;
}

static bool isLit(const View *view) {
    return VIEW_LIT >> view->mode & 1;
}

static uint32_t pixelsOf(const Tracer *tracer, const Part *part) {
    return part->rows * ((tracer->width + part->side - 1) / part->side);
}

/* Uploads the view, empties the counts, finds the start distances, sends the cells' rays. */
static void prepare(Tracer *tracer, const TracePush *push, const View *view, const Part *part) {
    Gpu *gpu = tracer->gpu;
    View filled = fill(tracer, view, part);
    gpuFullBarrier(gpu);
    if (isLit(view)) {
        lightBegin(&tracer->light, &filled);
    }
    const uint32_t pixels = pixelsOf(tracer, part);
    if (pixels < tracer->width * tracer->height && filled.light.budget > pixels / 8) {
        filled.light.budget = pixels / 8; /* of the time light gets its share; new cells more */
    }
    gpuUpdate(gpu, &filled, &tracer->view, 0, sizeof filled);
    vkCmdFillBuffer(gpu->cmd, tracer->counts.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuFullBarrier(gpu);
    /* No timestamp stands between beams and rays, which would keep them from running together. */
    if (part->row == 0) { /* for the parts after it, too */
        gpuDispatch(gpu, &tracer->beams, push, (tilesAcross(tracer->width) + 7) / 8,
                    (tilesAcross(tracer->height) + 7) / 8, 1);
    }
    if (isLit(view)) {
        lightCmdRays(&tracer->light, push);
    }
    gpuTimestamp(gpu, TRACER_RAYS);
    gpuFullBarrier(gpu);
}

static bool drawPart(Tracer *tracer, const WorldRef *world, const View *view, const Part *part) {
    Gpu *gpu = tracer->gpu;
    const TracePush push = {.world = *world, .view = tracer->view.address, .row = part->row};
    gpuBeginLabel(gpu, "trace");
    gpuTimestamp(gpu, TRACER_BEGIN);
    prepare(tracer, &push, view, part);
    gpuDispatch(gpu, &tracer->trace, &push,
                tilesAcross((tracer->width + part->side - 1) / part->side), tilesAcross(part->rows),
                1);
    gpuTimestamp(gpu, TRACER_TRACED);
    const bool done = !isLit(view) || lightCmdLearn(&tracer->light, &push);
    gpuTransferBarrier(gpu);
    gpuTimestamp(gpu, TRACER_END);
    gpuEndLabel(gpu);
    tracer->still += part->side == 1 && part->row + part->rows == tracer->height;
    return done;
}

bool tracerCmdDraw(Tracer *tracer, const WorldRef *world, const View *view, bool moves) {
    const Part all = {1, 0, tracer->height};
    tracer->moved = tracer->moved || moves;
    tracer->shown = (View){0};
    return drawPart(tracer, world, view, &all);
}

bool tracerCmdGoOn(Tracer *tracer, const GpuFrames *frames, const WorldRef *world, const View *view,
                   bool moves) {
    uint32_t *drawn = &tracer->drawn[gpuFrameIndex(frames)];
    paceTook(&tracer->pace, *drawn,
             gpuFrameMilliseconds(tracer->gpu, frames, TRACER_BEGIN, TRACER_END));
    const bool changes = moves || memcmp(view, &tracer->shown, sizeof *view) != 0;
    *drawn = 0;
    if (!changes && tracerIsDone(tracer)) {
        return true;
    }
    const Part part = paceNext(&tracer->pace, tracer->width, tracer->height, changes);
    *drawn = pixelsOf(tracer, &part);
    tracer->moved = tracer->moved || moves;
    tracer->shown = *view;
    return drawPart(tracer, world, view, &part);
}

bool tracerIsDone(const Tracer *tracer) {
    return tracer->pace.whole && (tracer->still >= tracer->enough || !isLit(&tracer->shown));
}

bool tracerIsSlow(const Tracer *tracer) {
    return tracer->pace.fits < (double)tracer->width * tracer->height;
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

/* A frame without a picture: rays of cells alone, a fifteenth of the time. */
static bool learnFrame(Tracer *tracer, const WorldRef *world, const View *view) {
    Gpu *gpu = tracer->gpu;
    const Part all = {1, 0, tracer->height};
    const TracePush push = {.world = *world, .view = tracer->view.address};
    if (!gpuBegin(gpu)) {
        return false;
    }
    prepare(tracer, &push, view, &all);
    const bool done = lightCmdLearn(&tracer->light, &push);
    return gpuSubmit(gpu) && done;
}

/* The first picture makes the cells. */
static bool learnFirst(Tracer *tracer, const WorldRef *world, const View *view) {
    double unused;
    bool done = tracerFrame(tracer, world, view, true, &unused);
    for (uint32_t i = 0; i < LEARNING && done; ++i) {
        sayProgress("learning the light", i, LEARNING);
        done = learnFrame(tracer, world, view);
    }
    return done;
}

/* The picture and the counts come to the host. */
static bool fetch(Tracer *tracer, Picture *picture) {
    Gpu *gpu = tracer->gpu;
    const VkDeviceSize bytes = 4 * (VkDeviceSize)tracer->width * tracer->height;
    if (!gpuCreateBuffer(gpu, bytes + sizeof(ViewCounts), GPU_HOST, "picture", &picture->pixels) ||
        !gpuBegin(gpu)) {
        return false;
    }
    gpuCopy(gpu, &tracer->pixels, 0, &picture->pixels, 0, bytes);
    gpuCopy(gpu, &tracer->counts, 0, &picture->pixels, bytes, sizeof(ViewCounts));
    gpuHostBarrier(gpu);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    memcpy(&picture->counts, (char *)picture->pixels.mapped + bytes, sizeof picture->counts);
    return true;
}

bool tracerPicture(Tracer *tracer, const WorldRef *world, const View *view, uint32_t frames,
                   Picture *picture) {
    Gpu *gpu = tracer->gpu;
    View own = *view;
    const bool few = !frames && gpuIsSlow(gpu);
    own.flags |= few ? VIEW_CACHED : 0;
    frames = few ? FEW : frames ? frames : MANY;
    double *times = calloc(frames, sizeof *times);
    bool drawn = (times || sayError("no memory")) &&
                 (!few || !isLit(view) || learnFirst(tracer, world, view));
    for (uint32_t i = 0; i < frames && drawn; ++i) {
        sayProgress("drawing", i, frames);
        drawn = tracerFrame(tracer, world, &own, i == 0, &times[i]);
    }
    sayProgress("drawing", frames, frames);
    if (drawn) {
        picture->milliseconds = secondsMedian(times, frames);
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
