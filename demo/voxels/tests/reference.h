/* The reference picture: path tracing without the cache of light.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REFERENCE_H
#define MURVOXELS_REFERENCE_H

#include "view/tracer.h"

/* Limits. With more paths per pixel, sums in floats would not be exact enough. */
enum { REFERENCE_SAMPLES = 1 << 16, REFERENCE_SEEDS = 1 << 16 };

/* Draws the reference picture with `samples` paths per pixel, 1 to REFERENCE_SAMPLES, and waits.
 * Different seeds, below REFERENCE_SEEDS, have no path in common. A frame is one path per pixel. */
bool referencePicture(Gpu *gpu, const WorldRef *world, const View *view, uint32_t samples,
                      uint32_t seed, Picture *picture);

#endif
