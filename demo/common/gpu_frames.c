/* SPDX-License-Identifier: MIT */
#include "gpu_frames.h"

#include "message.h"

#include <string.h>

static bool createFrame(Gpu *gpu, GpuFrame *frame) {
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    return gpuCreateCommands(gpu, &frame->commands) &&
           gpuCheck(vkCreateSemaphore(gpu->device, &semaphore, NULL, &frame->acquired),
                    "creating a semaphore");
}

bool gpuCreateFrames(Gpu *gpu, GpuFrames *frames) {
    memset(frames, 0, sizeof *frames);
    bool made = true;
    for (uint32_t i = 0; i < GPU_FRAMES && made; ++i) {
        made = createFrame(gpu, &frames->frames[i]);
    }
    return made;
}

void gpuDestroyFrames(Gpu *gpu, GpuFrames *frames) {
    if (!gpu->device) {
        return;
    }
    (void)vkDeviceWaitIdle(gpu->device); /* a lost device also has nothing in flight */
    for (uint32_t i = 0; i < GPU_FRAMES; ++i) {
        GpuFrame *frame = &frames->frames[i];
        vkDestroySemaphore(gpu->device, frame->acquired, NULL);
        gpuDestroyCommands(gpu, &frame->commands);
    }
    *frames = (GpuFrames){0};
}

uint32_t gpuFrameIndex(const GpuFrames *frames) {
    return (uint32_t)(frames->count % GPU_FRAMES);
}

static void readTimestamps(Gpu *gpu, GpuFrames *frames, const GpuFrame *frame) {
    struct {
        uint64_t ticks, available;
    } results[GPU_TIMESTAMPS];
    memset(frames->known, 0, sizeof frames->known);
    if (!gpu->timestampMask || !frame->used) {
        return;
    }
    VkResult result = vkGetQueryPoolResults(
        gpu->device, frame->commands.queries, 0, GPU_TIMESTAMPS, sizeof results, results,
        sizeof results[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    for (uint32_t i = 0; i < GPU_TIMESTAMPS && result >= 0; ++i) {
        frames->ticks[i] = results[i].ticks;
        frames->known[i] = results[i].available != 0;
    }
}

bool gpuAwaitFrame(Gpu *gpu, GpuFrames *frames) {
    GpuFrame *frame = &frames->frames[gpuFrameIndex(frames)];
    if (frames->awaited == frames->count + 1) {
        return true;
    }
    if (frame->used && !gpuAwaitCommands(gpu, &frame->commands)) {
        return false;
    }
    readTimestamps(gpu, frames, frame);
    frames->awaited = frames->count + 1;
    return true;
}

bool gpuBeginFrame(Gpu *gpu, GpuFrames *frames) {
    if (!gpuBeginCommands(gpu, &frames->frames[gpuFrameIndex(frames)].commands)) {
        return false;
    }
    gpuTimestamp(gpu, GPU_FRAME_BEGIN);
    return true;
}

bool gpuSubmitFrame(Gpu *gpu, GpuFrames *frames, VkSemaphore wait, VkSemaphore signal) {
    GpuFrame *frame = &frames->frames[gpuFrameIndex(frames)];
    gpuTimestamp(gpu, GPU_FRAME_END);
    frame->used = gpuSubmitCommands(gpu, &frame->commands, wait, signal);
    frames->count += frame->used;
    return frame->used;
}

double gpuFrameMilliseconds(const Gpu *gpu, const GpuFrames *frames, uint32_t from, uint32_t to) {
    if (!frames->known[from] || !frames->known[to]) {
        return -1;
    }
    const uint64_t ticks = (frames->ticks[to] - frames->ticks[from]) & gpu->timestampMask;
    return 1e-6 * (double)gpu->properties.limits.timestampPeriod * (double)ticks;
}
