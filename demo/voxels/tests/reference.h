/* The reference picture: path tracing without the cache of light.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REFERENCE_H
#define MURVOXELS_REFERENCE_H

#include "view/tracer.h"

/* Maximum values. More paths per pixel would make sums of floats inexact. */
enum { REFERENCE_SAMPLES = 1 << 16, REFERENCE_SEEDS = 1 << 16 };

/* Draws the reference picture with `samples` paths per pixel, from 1 to REFERENCE_SAMPLES, and
 * waits. Pictures with different seeds, below REFERENCE_SEEDS, share no path. A frame is one path
 * per pixel. */
bool referencePicture(Gpu *gpu, const WorldRef *world, const View *view, uint32_t samples,
                      uint32_t seed, Picture *picture);

#endif
