/* Replays: strokes and what else a painter does, a line each. README.md has the list.
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_REPLAY_H
#define CANVAS_REPLAY_H

#include "painter.h"

/* A view by its middle, in pixels of the painting, and pixels from pixel to pixel. */
typedef struct ReplayView {
    double x, y, step;
} ReplayView;

typedef struct Replay {
    Painter *painter;
    ReplayView view; /* the last one that was named */
    CanvasBrush brush;
} Replay;

/* A texel of a colour, red in the highest of three bytes. */
void replayColor(uint32_t rgb, uint32_t color[2]);

/* A replay that begins with this view. */
Replay replayBegin(Painter *painter, ReplayView view);
/* Plays a line, which is cut into words. False after a line on stderr. */
bool replayLine(Replay *replay, char *line);
/* Plays a file to its end. False, after lines on stderr that name file and line, if it cannot be
 * read, or not be played. */
bool replayRun(Replay *replay, const char *path);

#endif
