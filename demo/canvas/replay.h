/* Replays: strokes and what else a painter does, a line each. README.md has the list.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_REPLAY_H
#define CANVAS_REPLAY_H

#include "painter.h"

/* A view by its middle, in pixels of the painting, and pixels from pixel to pixel. */
typedef struct ReplayView {
    double x, y, step;
} ReplayView;

/* A texel of a colour, red in the highest of three bytes. */
void replayColor(uint32_t rgb, uint32_t color[2]);

/* Who sees each line before it is done; *done: it was a line for who watches. False after a line
 * on stderr. */
typedef bool (*ReplayWatch)(void *user, const char *verb, const double *numbers, uint32_t count,
                            bool *done);

/* Plays a file to its end; *view is the last one that it names, watch may be NULL. False, after
 * lines on stderr that name file and line, if it cannot be read, or who watches says so. */
bool replayRun(Painter *painter, const char *path, ReplayView *view, ReplayWatch watch, void *user);

#endif
