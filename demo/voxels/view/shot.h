/* The readback of a frame, to be read when the frame is done: the tracer's counts, and a picture if
 * one is requested.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SHOT_H
#define MURVOXELS_SHOT_H

#include "common/gpu_frames.h"
#include "common/gpu_swapchain.h"
#include "tracer.h"

enum { SHOT_PATH = 1100 };

typedef struct Shot {
    GpuBuffer counts; /* a ViewCounts */
    GpuBuffer pixels; /* of the picture that is under way; else none */
    uint32_t width, height;
    bool blueFirst;
    char path[SHOT_PATH]; /* the picture's file */
} Shot;

typedef struct Shots {
    Gpu *gpu;
    Shot shots[GPU_FRAMES];
    ViewCounts counts; /* the last that arrived */
} Shots;

bool shotsCreate(Gpu *gpu, Shots *shots);
/* The device must be done with all frames; pictures still under way are written. */
void shotsDestroy(Shots *shots);

/* After gpuAwaitFrame: takes the frame's data. Writes its picture; path becomes its name,
 * or NULL. False: the picture could not be written. */
bool shotsTake(Shots *shots, uint32_t frame, const char **path);
/* Records the readback of the frame: counts, the window's picture. */
void shotsCmdCounts(Shots *shots, uint32_t frame, const Tracer *tracer);
bool shotsCmdPicture(Shots *shots, uint32_t frame, const GpuSwapchain *window, const char *path);

/* Writes a picture of 4 bytes a pixel. */
bool shotWrite(const char *path, uint8_t *pixels, uint32_t width, uint32_t height);

#endif
