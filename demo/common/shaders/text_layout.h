/* Shared by text.c and text.comp.
 * SPDX-License-Identifier: MIT */
#ifndef TEXT_LAYOUT_H
#define TEXT_LAYOUT_H

#include "murmuration/layout.h"

#define TEXT_FIRST  32u /* smaller numbers are bars: 1 to 8: this many eighths are filled */
#define TEXT_FILLED 9u  /* filled completely */
#define TEXT_FRAMED 10u /* filled, in a frame: 10 is its left end, 11 its right end, 12 between */
#define TEXT_LAST   126u

MUR_STRUCT(TextPush) {
    MUR_ADDRESS pixels;
    MUR_ADDRESS cells; /* characters of the panel */
    MUR_ADDRESS font;  /* a font with cells of this size: one byte per pixel, cell after cell */
    MUR_U32 x, y;      /* upper left corner, in pixels */
    MUR_U32 columns, rows;
    MUR_U32 cellWidth, cellHeight;
    MUR_U32 width, height; /* size of the picture */
    MUR_U32 blueFirst;
    MUR_U32 pad;
};

#endif
