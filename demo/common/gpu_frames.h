/* Frames that overlap: while the device works on one, the host records the next. The only wait is
 * for the frame before the last one.
 *
 * Between gpuBeginFrame and gpuSubmitFrame, gpu->cmd and gpu->queries are the frame's own, so that
 * whatever records into gpu->cmd works in a frame as it does between gpuBegin and gpuSubmit.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_FRAMES_H
#define DEMO_GPU_FRAMES_H

#include "gpu.h"

enum { GPU_FRAMES = 2 };

/* Timestamps that each frame has, where it begins and where it ends. */
enum { GPU_FRAME_BEGIN, GPU_FRAME_END };

typedef struct GpuFrame {
    VkCommandPool commands;
    VkCommandBuffer cmd;
    VkFence fence;
    VkQueryPool queries;
    VkSemaphore acquired; /* the swapchain's image can be written */
    bool used;            /* was submitted before */
} GpuFrame;

typedef struct GpuFrames {
    GpuFrame frames[GPU_FRAMES];
    uint64_t count;   /* frames submitted */
    uint64_t awaited; /* of them when gpuAwaitFrame was called last, and 1 */
    /* Of the frame before the last one, after gpuBeginFrame. */
    uint64_t ticks[GPU_TIMESTAMPS];
    bool known[GPU_TIMESTAMPS];
    VkCommandBuffer outerCmd; /* what gpu has outside of frames */
    VkQueryPool outerQueries;
} GpuFrames;

bool gpuCreateFrames(Gpu *gpu, GpuFrames *frames);
/* Waits for the device first. */
void gpuDestroyFrames(Gpu *gpu, GpuFrames *frames);

/* Which of the GPU_FRAMES frames is recorded now or next: what changes from frame to frame while
 * the device may still read it exists that many times. */
uint32_t gpuFrameIndex(const GpuFrames *frames);

/* Waits until the frame before the last one is done, and reads its timestamps. */
bool gpuAwaitFrame(Gpu *gpu, GpuFrames *frames);
/* Begins to record; after gpuAwaitFrame. */
bool gpuBeginFrame(Gpu *gpu, GpuFrames *frames);
/* Ends recording and submits. wait: until this the commands' transfers wait, signal: what tells
 * that they are done; both may be null. */
bool gpuSubmitFrame(Gpu *gpu, GpuFrames *frames, VkSemaphore wait, VkSemaphore signal);

/* Milliseconds between two timestamps of the frame that gpuAwaitFrame waited for; negative if it
 * did not write both. */
double gpuFrameMilliseconds(const Gpu *gpu, const GpuFrames *frames, uint32_t from, uint32_t to);

#endif
