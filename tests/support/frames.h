/* Frames in flight. Each has a command buffer, a fence, and memory that the GPU shares with the
 * host. Frame numbers ascend. When a frame is completed, its model checks it; frames are checked in
 * order.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_FRAMES_H
#define MUR_TEST_FRAMES_H

#include "gpu.h"

enum { FRAMES_MAX = 4 };

typedef struct Flight {
    Gpu lane; /* command buffer and fence of this frame */
    GpuBuffer memory;
    uint64_t frame;
} Flight;

typedef struct Frames {
    Flight flights[FRAMES_MAX];
    uint32_t inFlight;       /* frame N begins after frame N - inFlight is complete */
    uint32_t first, pending; /* the oldest incomplete flight; the number of incomplete ones */
    /* Checks a completed frame. at: index of its flight, at which models store data. */
    void (*judge)(void *model, uint32_t at);
    void *model;
} Frames;

void frames_open(Frames *frames, Gpu *gpu, uint32_t inFlight, VkDeviceSize memorySize);
/* Does not check frames that are still pending. */
void frames_close(Frames *frames);
/* Completes the frames that must be complete before this frame, and begins its command buffer.
 * Returns the index of its flight. To submit it, call gpu_send with the flight's lane. */
uint32_t frames_begin(Frames *frames, uint64_t frame);
/* Waits for the oldest pending frame and checks it. */
void frames_complete(Frames *frames);
void frames_drain(Frames *frames);
/* Returns the number of the newest completed frame. At least one frame must be pending. */
uint64_t frames_completed(const Frames *frames);

#endif
