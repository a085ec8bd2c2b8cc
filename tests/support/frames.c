/* SPDX-License-Identifier: MIT */
#include "frames.h"

void frames_open(Frames *frames, Gpu *gpu, uint32_t inFlight, VkDeviceSize memorySize) {
    assert_in_range(inFlight, 1, FRAMES_MAX);
    frames->inFlight = inFlight;
    frames->first = frames->pending = 0;
    for (uint32_t i = 0; i < frames->inFlight; ++i) {
        Flight *flight = &frames->flights[i];
        gpu_open_lane(gpu, &flight->lane, gpu->queue, gpu->family);
        flight->memory = gpu_buffer(gpu, memorySize);
    }
}

void frames_close(Frames *frames) {
    for (uint32_t i = 0; i < frames->inFlight; ++i) {
        gpu_free(&frames->flights[i].lane, &frames->flights[i].memory);
        gpu_close_lane(&frames->flights[i].lane);
    }
}

void frames_complete(Frames *frames) {
    const uint32_t at = frames->first;
    gpu_wait(&frames->flights[at].lane);
    frames->judge(frames->model, at);
    frames->first = (at + 1) % frames->inFlight;
    --frames->pending;
}

void frames_drain(Frames *frames) {
    while (frames->pending != 0) {
        frames_complete(frames);
    }
}

uint32_t frames_begin(Frames *frames, uint64_t frame) {
    while (frames->pending != 0 &&
           frame - frames->flights[frames->first].frame >= frames->inFlight) {
        frames_complete(frames);
    }
    const uint32_t at = (frames->first + frames->pending++) % frames->inFlight;
    frames->flights[at].frame = frame;
    (void)gpu_begin(&frames->flights[at].lane);
    return at;
}

uint64_t frames_completed(const Frames *frames) {
    return frames->flights[frames->first].frame - 1;
}
