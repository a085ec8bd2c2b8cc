/* The camera and the picture.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VIEW_H
#define MURVOXELS_VIEW_H

#include "source.h"
#include "world.h"

/* A camera that looks at the middle of what there is. Angles in degrees; yaw 0 looks from +z, 90
 * from +x; distance 1 shows everything just so. */
typedef struct Camera {
    float yaw, pitch, distance;
} Camera;

/* What the fragment shader needs to know, for a picture of this size. */
View viewMake(const Source *source, const Camera *camera, uint32_t width, uint32_t height);

typedef struct Picture {
    Gpu *gpu;
    GpuTarget target;
    GpuPass pass;
    GpuBuffer view;      /* a View */
    double milliseconds; /* of the last drawing; negative if the device cannot tell */
} Picture;

bool pictureCreate(Gpu *gpu, uint32_t width, uint32_t height, Picture *picture);
void pictureDestroy(Picture *picture);

/* Draws the world and waits; the pixels are in picture->target.pixels then. */
bool pictureDraw(Picture *picture, const World *world, const View *view);

#endif
