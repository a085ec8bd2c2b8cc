/* The picture that all others are held against: path tracing, without the cache of light.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REFERENCE_H
#define MURVOXELS_REFERENCE_H

#include "view/tracer.h"

/* More than so many paths a pixel floats do not add up exactly enough. */
enum { REFERENCE_SAMPLES = 1 << 16, REFERENCE_SEEDS = 1 << 16 };

/* Draws it with so many paths a pixel, 1 to REFERENCE_SAMPLES, and waits. Seeds, below
 * REFERENCE_SEEDS, have no path in common. A frame of the picture is a path a pixel. */
bool referencePicture(Gpu *gpu, const WorldRef *world, const View *view, uint32_t samples,
                      uint32_t seed, Picture *picture);

#endif
