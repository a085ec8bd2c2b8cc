/* Edits on the host: their validity, and how many bricks they can touch. The struct itself and
 * the voxels of a brush are in shaders/brush.h, for C and GLSL.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_EDIT_H
#define MURVOXELS_EDIT_H

#include "shaders/edit_layout.h"

/* "add", "dig", ...; "sphere", ... Never NULL. */
const char *editToolName(uint32_t tool);
const char *editShapeName(uint32_t shape);

/* NULL, or the fault of an edit: a radius, a line that is too long, a colour. */
const char *editObjection(const Edit *edit);

void editSetEnds(Edit *edit, const int32_t a[3], const int32_t b[3]);

/* Bricks that the brush can meet at most, wherever it is. */
uint64_t editMaxBricks(const Edit *edit);

/* The voxels that it can cover, low and high included, those outside of the world too. */
void editBounds(const Edit *edit, int32_t low[3], int32_t high[3]);

/* Orientations of a paste, 0 to BRUSH_TURNS - 1: after a further quarter turn about an axis of the
 * world (0 x, 1 y, 2 z), clockwise seen against it; and flipped along one. */
uint32_t editTurned(uint32_t turn, int axis);
uint32_t editFlipped(uint32_t turn, int axis);

/* The size of a paste: that of the copy, turned. And a paste that covers it; other edits stay. */
void editPasteSize(const uint32_t copied[3], uint32_t turn, int32_t size[3]);
Edit editPasted(const Edit *edit, const uint32_t copied[3]);

/* Pulls a marked face out by `by` layers or, if it is negative, digs -by layers away. low, high:
 * the box of the marks; side: theirs. A column has the colour of its voxel of the face and does not
 * replace solid voxels. */
Edit editExtruded(const int32_t low[3], const int32_t high[3], uint32_t side, int32_t by);

/* The edit and its mirror images, in mirrors of the axes whose bits are set: 1 x, 2 y, 4 z. A
 * mirror's sum is twice its plane's coordinate: even between two voxels, odd through their middle.
 * A paste must be a result of editPasted. Returns how many of edits are set. */
uint32_t editMirrored(const Edit *edit, uint32_t axes, const int32_t sums[3], Edit edits[8]);

#endif
