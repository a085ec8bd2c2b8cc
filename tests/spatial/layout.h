/* Input and output of spatial.comp, in 32-bit words. SPDX-License-Identifier: MIT */
#ifndef SPATIAL_LAYOUT_H
#define SPATIAL_LAYOUT_H

#include "murmuration/layout.h"

MUR_STRUCT(SpatialItem) {
    float x, y, z;
    float normalX, normalY, normalZ;
    float ratio;
    float cellsPerUnit;
    MUR_U32 level;
    MUR_U32 octant;
};

MUR_STRUCT(SpatialAnswer) {
    MUR_U32 keyLow, keyHigh;
    MUR_U32 parentLow, parentHigh;
    MUR_U32 childLow, childHigh;
    MUR_U32 againLow, againHigh; /* key of the decoded cell, at the given level */
    MUR_U32 level;               /* for the ratio: the level of a pixel ratio */
    int cellX, cellY, cellZ;
    MUR_U32 levelOf, faceOf;
    MUR_U32 centerX, centerY, centerZ; /* the bits of three floats */
};

#endif
