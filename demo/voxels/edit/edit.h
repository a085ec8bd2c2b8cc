/* Edits on the host: which make sense, and how many bricks they can touch. The struct itself and
 * what a brush covers are in shaders/brush.h, for C and GLSL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_EDIT_H
#define MURVOXELS_EDIT_H

#include "shaders/edit_layout.h"

/* "add", "dig", ...; "sphere", ... Never NULL. */
const char *editToolName(uint32_t tool);
const char *editShapeName(uint32_t shape);

/* NULL, or what is wrong with an edit: a radius, a line that is too long, a colour. */
const char *editObjection(const Edit *edit);

/* Bricks that the brush can meet at most, wherever it is. */
uint64_t editMaxBricks(const Edit *edit);

/* The voxels that it can cover, low and high included, those outside of the world too. */
void editBounds(const Edit *edit, int32_t low[3], int32_t high[3]);

#endif
