/* Makes pictures of the world by rays, and learns the light that is in it.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_TRACER_H
#define MURVOXELS_TRACER_H

#include "common/gpu.h"
#include "common/gpu_frames.h"
#include "light.h"
#include "pace.h"
#include "view.h"

/* Timestamps of a picture: at its begin, and when beams and rays of light, the picture itself and
 * the pass over all cells are done. */
enum { TRACER_BEGIN = 8, TRACER_RAYS, TRACER_TRACED, TRACER_END, TRACER_PASSES = 3 };

typedef struct Tracer {
    Gpu *gpu;
    uint32_t width, height;
    GpuKernel trace, beams;
    Light light;
    GpuBuffer view;   /* a View */
    GpuBuffer counts; /* a ViewCounts */
    GpuBuffer pixels; /* width * height of four bytes, for all sizes up to this buffer's */
    GpuBuffer sums;   /* width * height of four floats, for the same sizes */
    GpuBuffer starts; /* a float a tile */
    View last;        /* of the mean in sums, without overlays */
    uint32_t still;   /* pictures that it is of */
    bool moved;       /* the world may have changed since */
    View shown;       /* of the frame before, with all of it */
    Pace pace;
    uint32_t drawn[GPU_FRAMES]; /* pixels of each frame in flight */
    uint32_t enough;            /* pictures of which a mean is fine */
} Tracer;

bool tracerCreate(Gpu *gpu, uint32_t width, uint32_t height, Tracer *tracer);
void tracerDestroy(Tracer *tracer);
/* Pictures of another size from now on; the device must not be working on any. */
bool tracerResize(Tracer *tracer, uint32_t width, uint32_t height);

/* Records a picture of the world into tracer->pixels, after all that gpu->cmd has done to the
 * world; compute shaders and transfers may follow without a barrier. The more pictures of the same
 * follow each other, the finer they get. moves: the world may have changed since the last one. The
 * view's addresses and size are filled in. */
bool tracerCmdDraw(Tracer *tracer, const WorldRef *world, const View *view, bool moves);

/* The same in a loop of frames: draws as many rows as there is time for, at most until the picture
 * is done. After gpuAwaitFrame. */
bool tracerCmdGoOn(Tracer *tracer, const GpuFrames *frames, const WorldRef *world, const View *view,
                   bool moves);
/* The picture of the last frame is whole, and the mean of enough. */
bool tracerIsDone(const Tracer *tracer);
/* There is no time for all of a picture in a frame. */
bool tracerIsSlow(const Tracer *tracer);

/* The same alone: draws and waits. milliseconds: that it took, light and all; negative: not
 * known. */
bool tracerFrame(Tracer *tracer, const WorldRef *world, const View *view, bool moves,
                 double *milliseconds);

/* A picture on the host. */
typedef struct Picture {
    GpuBuffer pixels;    /* host-visible, red first */
    double milliseconds; /* that one frame of it took, light and all; negative: not known */
    uint32_t frames;
    ViewCounts counts;            /* of the last frame, */
    double passes[TRACER_PASSES]; /* and milliseconds of its passes */
} Picture;

/* Draws `frames` frames of one picture and waits; milliseconds is their median. The light is
 * also learnt in them. 0: as many as the device draws soon enough; on a software device these are
 * few, and the light is learnt before them. */
bool tracerPicture(Tracer *tracer, const WorldRef *world, const View *view, uint32_t frames,
                   Picture *picture);
void pictureDestroy(Gpu *gpu, Picture *picture);

#endif
