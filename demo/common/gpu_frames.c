/* SPDX-License-Identifier: MIT */
#include "gpu_frames.h"

#include "message.h"

#include <string.h>

static bool createFrame(Gpu *gpu, GpuFrame *frame) {
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = gpu->family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = GPU_TIMESTAMPS,
    };
    if (!gpuCheck(vkCreateCommandPool(gpu->device, &pool, NULL, &frame->commands),
                  "creating a command pool") ||
        !gpuCheck(vkCreateFence(gpu->device, &fence, NULL, &frame->fence), "creating a fence") ||
        !gpuCheck(vkCreateSemaphore(gpu->device, &semaphore, NULL, &frame->acquired),
                  "creating a semaphore") ||
        !gpuCheck(vkCreateQueryPool(gpu->device, &queries, NULL, &frame->queries),
                  "creating timestamps")) {
        return false;
    }
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = frame->commands,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return gpuCheck(vkAllocateCommandBuffers(gpu->device, &buffer, &frame->cmd),
                    "allocating a command buffer");
}

bool gpuCreateFrames(Gpu *gpu, GpuFrames *frames) {
    memset(frames, 0, sizeof *frames);
    frames->outerCmd = gpu->cmd;
    frames->outerQueries = gpu->queries;
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
        vkDestroyQueryPool(gpu->device, frame->queries, NULL);
        vkDestroySemaphore(gpu->device, frame->acquired, NULL);
        vkDestroyFence(gpu->device, frame->fence, NULL);
        vkDestroyCommandPool(gpu->device, frame->commands, NULL);
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
        gpu->device, frame->queries, 0, GPU_TIMESTAMPS, sizeof results, results, sizeof results[0],
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
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
    if (frame->used &&
        !gpuCheck(vkWaitForFences(gpu->device, 1, &frame->fence, VK_TRUE, UINT64_MAX),
                  "waiting for the device")) {
        return false;
    }
    readTimestamps(gpu, frames, frame);
    frames->awaited = frames->count + 1;
    return true;
}

bool gpuBeginFrame(Gpu *gpu, GpuFrames *frames) {
    GpuFrame *frame = &frames->frames[gpuFrameIndex(frames)];
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    if (!gpuCheck(vkResetCommandPool(gpu->device, frame->commands, 0), "resetting commands") ||
        !gpuCheck(vkBeginCommandBuffer(frame->cmd, &info), "recording commands")) {
        return false;
    }
    gpu->cmd = frame->cmd;
    gpu->queries = frame->queries;
    if (gpu->timestampMask) {
        vkCmdResetQueryPool(gpu->cmd, gpu->queries, 0, GPU_TIMESTAMPS);
    }
    gpuTimestamp(gpu, GPU_FRAME_BEGIN);
    return true;
}

bool gpuSubmitFrame(Gpu *gpu, GpuFrames *frames, VkSemaphore wait, VkSemaphore signal) {
    GpuFrame *frame = &frames->frames[gpuFrameIndex(frames)];
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = wait ? 1 : 0,
        .pWaitSemaphores = &wait,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &frame->cmd,
        .signalSemaphoreCount = signal ? 1 : 0,
        .pSignalSemaphores = &signal,
    };
    gpuTimestamp(gpu, GPU_FRAME_END);
    gpu->cmd = frames->outerCmd;
    gpu->queries = frames->outerQueries;
    if (gpu->failed || !gpuCheck(vkEndCommandBuffer(frame->cmd), "recording commands") ||
        !gpuCheck(vkResetFences(gpu->device, 1, &frame->fence), "resetting a fence") ||
        !gpuCheck(vkQueueSubmit(gpu->queue, 1, &info, frame->fence), "submitting commands")) {
        frame->used = false;
        return false;
    }
    frame->used = true;
    ++frames->count;
    return true;
}

double gpuFrameMilliseconds(const Gpu *gpu, const GpuFrames *frames, uint32_t from, uint32_t to) {
    if (!frames->known[from] || !frames->known[to]) {
        return -1;
    }
    const uint64_t ticks = (frames->ticks[to] - frames->ticks[from]) & gpu->timestampMask;
    return 1e-6 * (double)gpu->properties.limits.timestampPeriod * (double)ticks;
}
