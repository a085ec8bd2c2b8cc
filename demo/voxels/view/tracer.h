/* Makes pictures of the world by rays, in a compute shader or a fragment shader.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_TRACER_H
#define MURVOXELS_TRACER_H

#include "common/gpu.h"
#include "view.h"

typedef struct Tracer {
    Gpu *gpu;
    bool fragment; /* by a fragment shader */
    uint32_t width, height;
    bool fine; /* with VIEW_FINE */
    GpuKernel trace;
    GpuKernel beams;
    GpuTarget target; /* of the fragment shader */
    GpuPass pass;
    GpuBuffer view;   /* a View */
    GpuBuffer counts; /* a ViewCounts */
    GpuBuffer pixels; /* width * height of four bytes, for all sizes up to this buffer's */
    GpuBuffer starts; /* a float a tile */
    double prepared;  /* milliseconds that the start distances took in the last picture */
} Tracer;

bool tracerCreate(Gpu *gpu, bool fragment, bool fine, uint32_t width, uint32_t height,
                  Tracer *tracer);
void tracerDestroy(Tracer *tracer);
/* Pictures of another size from now on; the device must not be working on any. */
bool tracerResize(Tracer *tracer, uint32_t width, uint32_t height);

/* Records a picture of the world into tracer->pixels, after all that gpu->cmd has done to the
 * world; compute shaders and transfers may follow without a barrier. With VIEW_COUNTS, the counts
 * are the picture's. The view's addresses and size are filled in. */
void tracerCmdDraw(Tracer *tracer, const WorldRef *world, const View *view);

/* A picture on the host. */
typedef struct Picture {
    GpuBuffer pixels;    /* host-visible, red first */
    double milliseconds; /* that tracing took; negative if the device cannot tell */
    double prepared;     /* of them, for start distances, in the last picture */
    ViewCounts counts;
} Picture;

/* Draws one and waits, as often as repeat says; milliseconds is the median. */
bool tracerPicture(Tracer *tracer, const WorldRef *world, const View *view, uint32_t repeat,
                   Picture *picture);
void pictureDestroy(Gpu *gpu, Picture *picture);

#endif
