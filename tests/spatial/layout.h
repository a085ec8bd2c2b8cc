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

/* In this order, with the low word of each key first: the key, its parent, a child, the key of the
 * decoded cell at the given level; the level of the pixel ratio; the decoded cell, level and face;
 * the bits of the center. */
#define SPATIAL_WORDS 17
MUR_STRUCT(SpatialAnswer) {
    MUR_U32 words[SPATIAL_WORDS];
};

#endif
