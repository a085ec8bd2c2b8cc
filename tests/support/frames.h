/* Frames in flight. Each has a command buffer, a fence, and memory that the GPU shares with the
 * host. Frame numbers ascend. A model judges each frame when the frame is completed, in order.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_FRAMES_H
#define MUR_TEST_FRAMES_H

#include "gpu.h"

enum { FRAMES_MAX = 4 };

typedef struct Flight {
    Gpu lane; /* its command buffer and fence */
    GpuBuffer memory;
    uint64_t frame;
} Flight;

typedef struct Frames {
    Flight flights[FRAMES_MAX];
    uint32_t inFlight;       /* frame N begins after frame N - inFlight is completed */
    uint32_t first, pending; /* flights that are not completed, the oldest first */
    /* at: index of the completed flight, for what a model has per flight */
    void (*judge)(void *model, uint32_t at);
    void *model;
} Frames;

void frames_open(Frames *frames, Gpu *gpu, uint32_t inFlight, VkDeviceSize memorySize);
/* Does not judge frames that are still pending. */
void frames_close(Frames *frames);
/* Completes the frames that must be completed before this one, and begins its command buffer.
 * Returns the index of its flight. gpu_send of the lane submits it. */
uint32_t frames_begin(Frames *frames, uint64_t frame);
/* Waits for the oldest pending frame and judges it. */
void frames_complete(Frames *frames);
void frames_drain(Frames *frames);
/* Returns the number below the oldest pending frame's. At least one frame must be pending. */
uint64_t frames_completed(const Frames *frames);

#endif
