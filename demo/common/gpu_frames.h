/* Overlapping frames: while the device processes one frame, the host records the next. The host
 * waits only for the frame before the last one.
 *
 * Between gpuBeginFrame and gpuSubmitFrame, gpu->cmd and gpu->queries belong to the frame, so code
 * that records into gpu->cmd works as it does between gpuBegin and gpuSubmit.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_FRAMES_H
#define DEMO_GPU_FRAMES_H

#include "gpu.h"

enum { GPU_FRAMES = 2 };

/* Timestamps at the beginning and the end of each frame. */
enum { GPU_FRAME_BEGIN, GPU_FRAME_END };

typedef struct GpuFrame {
    GpuCommands commands;
    VkSemaphore acquired; /* signaled when the swapchain's image can be written */
    bool used;            /* was submitted before */
} GpuFrame;

typedef struct GpuFrames {
    GpuFrame frames[GPU_FRAMES];
    uint64_t count;   /* submitted frames */
    uint64_t awaited; /* 1 + count at the last gpuAwaitFrame */
    /* Timestamps of the frame before the last one; valid after gpuBeginFrame. */
    uint64_t ticks[GPU_TIMESTAMPS];
    bool known[GPU_TIMESTAMPS];
} GpuFrames;

bool gpuCreateFrames(Gpu *gpu, GpuFrames *frames);
/* Destroys the frames, after it waited for the device. */
void gpuDestroyFrames(Gpu *gpu, GpuFrames *frames);

/* Returns the index of the current or next frame, below GPU_FRAMES. If data changes while the
 * device may read it, the program needs GPU_FRAMES copies. */
uint32_t gpuFrameIndex(const GpuFrames *frames);

/* Waits for the frame before the last one, and reads its timestamps. */
bool gpuAwaitFrame(Gpu *gpu, GpuFrames *frames);
/* Begins recording. Call gpuAwaitFrame before. */
bool gpuBeginFrame(Gpu *gpu, GpuFrames *frames);
/* Ends recording and submits. The commands' transfers wait for the semaphore `wait`, and their
 * completion signals `signal`. Both may be null. */
bool gpuSubmitFrame(Gpu *gpu, GpuFrames *frames, VkSemaphore wait, VkSemaphore signal);

/* Returns milliseconds between two timestamps of the frame of the last gpuAwaitFrame; negative if
 * it did not write both. */
double gpuFrameMilliseconds(const Gpu *gpu, const GpuFrames *frames, uint32_t from, uint32_t to);

#endif
