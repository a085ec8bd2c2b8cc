/* SPDX-License-Identifier: MIT */
#include "pace.h"

#include "shaders/view_layout.h"

#include <math.h>

enum {
    LONGEST = 80,    /* milliseconds: the user waits for the rest of a frame and for the next one */
    CALM = 3,        /* frames */
    FIRST = 1 << 15, /* pixels that fit, for all that is known */
    LEAST = 1 << 13, /* and in any case: with fewer, a frame is light's passes for the most part */
    LARGEST = 8      /* pixels a side */
};

Pace paceStart(void) {
    return (Pace){.fits = FIRST, .side = 1};
}

/* While the picture changes pixels become smaller only if there is much time left, lest they
 * change all the time. */
static uint32_t sideOf(const Pace *pace, double pixels) {
    if (pace->calm >= CALM || pace->fits >= (pace->side > 1 ? 2 : 1) * pixels) {
        return 1;
    }
    const double fits = fmin(ceil(sqrt(pixels / pace->fits)), LARGEST);
    return fits > pace->side ? (uint32_t)fits : pace->side;
}

Part paceNext(Pace *pace, uint32_t width, uint32_t height, bool changes) {
    pace->calm = changes ? 0 : pace->calm + 1;
    pace->whole = pace->whole && !changes;
    pace->row = changes ? 0 : pace->row;
    pace->side = sideOf(pace, (double)width * height);
    if (pace->side > 1) {
        pace->whole = false;
        pace->row = 0;
        return (Part){pace->side, 0, (height + pace->side - 1) / pace->side};
    }
    const uint32_t left = height - pace->row;
    const double fits = fmax(floor(fmax(pace->fits, 1.5 * LEAST) / width / TILE), 1) * TILE;
    const Part part = {1, pace->row, fits < left ? (uint32_t)fits : left};
    pace->row = part.rows < left ? part.row + part.rows : 0;
    pace->whole = pace->whole || pace->row == 0;
    return part;
}

void paceTook(Pace *pace, double pixels, double milliseconds) {
    const double fits = fmin(pixels * LONGEST / fmax(milliseconds, 1e-6), 2 * pace->fits);
    pace->fits = pixels <= 0 ? pace->fits : milliseconds < 0 ? INFINITY : fmax(fits, LEAST);
}
