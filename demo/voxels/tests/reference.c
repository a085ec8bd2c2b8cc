/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include "common/message.h"

GPU_SPIRV(voxels_spv_path);

enum { BAND = 1 << 19 /* pixels per submission: longer ones could look like a hang */ };

typedef struct Reference {
    Gpu *gpu;
    GpuKernel path;
    GpuBuffer view, sums;
    uint32_t width, height;
} Reference;

static bool create(Reference *reference, const View *view, Picture *picture) {
    Gpu *gpu = reference->gpu;
    const VkDeviceSize pixels = (VkDeviceSize)view->width * view->height;
    if (!gpuCreateKernel(gpu, GPU_CODE(voxels_spv_path), sizeof(TracePush), &reference->path) ||
        !gpuCreateBuffer(gpu, 4 * pixels, GPU_HOST, "picture", &picture->pixels) ||
        !gpuCreateBuffer(gpu, 16 * pixels, GPU_DEVICE, "sums of paths", &reference->sums)) {
        return false;
    }
    View filled = *view;
    filled.pixels = picture->pixels.address;
    filled.sums = reference->sums.address;
    if (!gpuUpload(gpu, &filled, sizeof filled, "view", &reference->view) || !gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, reference->sums.buffer, 0, VK_WHOLE_SIZE, 0);
    return gpuSubmit(gpu);
}

/* Adds a path to each pixel, some rows at a time. */
static bool addPaths(Reference *reference, TracePush *push, double *milliseconds) {
    Gpu *gpu = reference->gpu;
    const uint32_t across = (reference->width + TILE - 1) / TILE;
    const uint32_t down = BAND / (across * TILE * TILE) + 1; /* tiles */
    bool done = true;
    for (push->row = 0; push->row < reference->height && done; push->row += down * TILE) {
        const uint32_t rows = (reference->height - push->row + TILE - 1) / TILE;
        if (!gpuBegin(gpu)) {
            return false;
        }
        gpuFullBarrier(gpu);
        gpuTimestamp(gpu, TRACER_BEGIN);
        gpuDispatch(gpu, &reference->path, push, across, rows < down ? rows : down, 1);
        gpuTimestamp(gpu, TRACER_END);
        gpuHostBarrier(gpu);
        done = gpuSubmit(gpu);
        *milliseconds += gpuMilliseconds(gpu, TRACER_BEGIN, TRACER_END);
    }
    return done;
}

bool referencePicture(Gpu *gpu, const WorldRef *world, const View *view, uint32_t samples,
                      Picture *picture) {
    Reference reference = {.gpu = gpu, .width = view->width, .height = view->height};
    double milliseconds = 0;
    *picture = (Picture){.frames = samples};
    bool drawn = create(&reference, view, picture);
    TracePush push = {.world = *world, .view = reference.view.address};
    for (uint32_t i = 0; i < samples && drawn; ++i) {
        sayProgress("tracing paths", i, samples);
        push.path = i;
        drawn = addPaths(&reference, &push, &milliseconds);
    }
    sayProgress("tracing paths", samples, samples);
    picture->milliseconds = milliseconds / samples;
    gpuDestroyKernel(gpu, &reference.path);
    gpuDestroyBuffer(gpu, &reference.view);
    gpuDestroyBuffer(gpu, &reference.sums);
    return drawn;
}
