/* What a frame sends back to the host, to be read when the frame is done: the tracer's counts, and
 * a picture if one is wanted.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SHOT_H
#define MURVOXELS_SHOT_H

#include "common/gpu_frames.h"
#include "tracer.h"

typedef struct Shot {
    GpuBuffer counts; /* a ViewCounts */
    GpuBuffer pixels; /* of the picture that is under way */
    uint32_t width, height;
    bool blueFirst;
    char *path; /* where the picture goes; NULL: there is none */
} Shot;

typedef struct Shots {
    Gpu *gpu;
    Shot shots[GPU_FRAMES];
    ViewCounts counts; /* the last that arrived */
    const char *pattern;
    uint32_t number; /* of pictures so far */
} Shots;

/* pattern: a file name; pictures are called NAME-1.png and so on. */
bool shotsCreate(Gpu *gpu, const char *pattern, Shots *shots);
/* The device must be done with all frames; pictures still under way are written. */
void shotsDestroy(Shots *shots);

/* After gpuAwaitFrame: takes what the frame sent. Writes its picture; path (of 256 bytes) gets its
 * name, or is empty. False: the picture could not be written. */
bool shotsTake(Shots *shots, uint32_t frame, char path[256]);
/* Records what the frame sends. */
void shotsCmdCounts(Shots *shots, uint32_t frame, const Tracer *tracer);
bool shotsCmdPicture(Shots *shots, uint32_t frame, const Tracer *tracer, bool blueFirst);

/* Writes a picture that is made outside of frames, 4 bytes a pixel; path gets its name. */
bool shotsWrite(Shots *shots, void *pixels, uint32_t width, uint32_t height, char path[256]);

#endif
