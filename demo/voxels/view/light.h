/* The cache of light on the device: a set of cells in buckets, and the data of each by slot.
 * shaders/light.glsl defines a cell.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_LIGHT_H
#define MURVOXELS_LIGHT_H

#include "edit/traffic.h"
#include "shaders/view_layout.h"

typedef struct Light {
    Gpu *gpu;
    MurTable table;
    GpuBuffer payload, list, counts;
    GpuKernel rays, learn;
    uint32_t slots;
    uint32_t pictures; /* frames that make a picture as fine as it gets */
    LightRef ref;
    int32_t low[3], high[3]; /* the box of changes since the last frame; empty: none */
} Light;

/* Before pictures of up to `pixels` pixels can be lit, lightResize makes the cells, of which
 * nothing is known. A software device gets fewer. */
bool lightCreate(Gpu *gpu, Light *light);
bool lightResize(Light *light, uint64_t pixels);
void lightDestroy(Light *light);
uint64_t lightBytes(const Light *light);

/* Discards the light of the faces that an edit made; after several edits at once, all light. */
void lightEdited(Light *light, const WorldReport *report);
void lightForget(Light *light);

/* A frame: lightBegin before the view is uploaded, lightCmdRays before or concurrent with lookups
 * of cells, lightCmdLearn after them. Between the three lie full barriers of the caller. */
void lightBegin(Light *light, View *view);
void lightCmdRays(Light *light, const TracePush *push);
bool lightCmdLearn(Light *light, const TracePush *push);

#endif
