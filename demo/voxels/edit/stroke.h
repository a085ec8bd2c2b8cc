/* Strokes of a brush: from the hits of rays to edits without gaps. And the hits of rays that meet
 * no voxel. Nothing of Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_STROKE_H
#define MURVOXELS_STROKE_H

#include "edit.h"

typedef struct Ray {
    float origin[3], direction[3]; /* in voxels of the world; of length 1 */
} Ray;

/* The places to begin on without a voxel: the ground under a box, and its walls from
 * within. */
typedef struct Room {
    int32_t low[3], high[3]; /* the box; high is excluded */
    float around;            /* how far the ground goes around its middle */
    bool walls;
} Room;

/* Finds the ray's hit in a room within the limit; returns its distance, without a hit the limit. */
float roomPick(const Room *room, const Ray *ray, float limit, Pick *pick);

/* The voxel that a tool works at: the hit one, or the one before its face. False: no hit. */
bool strokePlace(uint32_t tool, const Pick *pick, int32_t at[3]);

enum { STROKE_STAMPS = 128 };

typedef struct Stroke {
    bool active;
    bool joined; /* the next stamp goes on from last */
    Edit brush;
    int32_t last[3];
    float depth;    /* of last */
    int32_t axis;   /* of the face that the stroke is on: x, y or z, */
    int32_t normal; /* -1 or 1, */
    int32_t level;  /* the voxel that is worked at there, */
    int32_t face;   /* and the place of the face itself */
    Edit stamps[STROKE_STAMPS];
    uint32_t stampCount; /* of which the last ones are kept */
} Stroke;

/* brush: tool, shape, radius, colours. */
void strokeBegin(Stroke *stroke, const Edit *brush);
/* Goes on to the place that a ray points at. moved: the mouse's movement, as an angle. The stroke
 * ignores its own voxels: there it goes on in the plane of the face before, so that it does not
 * climb towards the eye or dig away from it. True: edit is to be made. */
bool strokeTo(Stroke *stroke, const Ray *ray, const Pick *pick, float moved, Edit *edit);

/* The hit of a ray with the plane of the stroke. False: there is none within 8192 voxels. */
bool strokeOnPlane(const Stroke *stroke, const Ray *ray, int32_t at[3]);

/* How far along the normal of that plane a ray passes from another ray's hit. */
float strokePull(const Stroke *stroke, const Ray *from, const Ray *ray);

#endif
