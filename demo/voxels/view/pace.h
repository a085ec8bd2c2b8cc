/* How much of a picture a frame draws, so that a slow device answers soon, too: while the picture
 * changes, all of it in larger pixels; afterwards some rows a frame. Nothing of Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PACE_H
#define MURVOXELS_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of a picture, each of whose pixels covers side * side of the window's. */
typedef struct Part {
    uint32_t side, row, rows;
} Part;

typedef struct Pace {
    double fits;   /* pixels that a frame has time for */
    uint32_t calm; /* frames since the picture changed */
    uint32_t side; /* of the last part */
    uint32_t row;  /* at which the picture goes on */
    bool whole;    /* all of it was drawn since it changed, each pixel */
} Pace;

/* Nothing is known of the device. */
Pace paceStart(void);
/* The part of a picture that a frame draws; changes: another one than the frame before. Rows
 * come in multiples of TILE, from the top; in larger pixels, all at once. */
Part paceNext(Pace *pace, uint32_t width, uint32_t height, bool changes);
/* Notes a frame's pixels and time; negative: no timestamps, the device is assumed to be quick. */
void paceTook(Pace *pace, double pixels, double milliseconds);

#endif
