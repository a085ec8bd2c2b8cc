/* The point of view of a picture.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_CAMERA_H
#define MURVOXELS_CAMERA_H

#include <stdint.h>

/* Position in the world, in voxels. Angles in degrees: yaw 0 looks towards -z, 90 towards -x;
 * a positive pitch looks down. */
typedef struct Camera {
    double position[3];
    float yaw, pitch;
    float halfHeight; /* tangent of half the vertical field of view */
} Camera;

/* Looks at the whole world: angles in degrees; distance 1 shows everything just so. */
typedef struct Orbit {
    float yaw, pitch, distance;
} Orbit;

Camera cameraAround(const uint32_t low[3], const uint32_t high[3], const Orbit *orbit,
                    float halfHeight, float aspect);

/* The same in a part of the picture's width, from 0 to 1. */
Camera cameraBeside(const uint32_t low[3], const uint32_t high[3], const Orbit *orbit,
                    float halfHeight, float aspect, const float part[2]);

/* Unit vectors of a camera: along its view, to its right, and up in the picture. */
typedef struct CameraAxes {
    float forward[3], right[3], up[3];
} CameraAxes;

CameraAxes cameraAxes(const Camera *camera);

/* Flies: forward, right and up in voxels; up is the world's. */
void cameraMove(Camera *camera, float forward, float right, float up);
/* Looks around, in degrees. */
void cameraTurn(Camera *camera, float yaw, float pitch);
/* The same about a place, which stays where it is in the picture. */
void cameraOrbit(Camera *camera, const double pivot[3], float yaw, float pitch);
/* Goes to `times` the distance from a place, but not nearer than a voxel or two. */
void cameraZoom(Camera *camera, const double pivot[3], float times);
/* Moves objects as far away as a place by parts of the picture's height. */
void cameraPan(Camera *camera, const double pivot[3], float right, float down);

#endif
