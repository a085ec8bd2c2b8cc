/* A window to paint in.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_WINDOW_H
#define CANVAS_WINDOW_H

#include "replay.h"

typedef struct Window Window;

/* NULL, after one line on stderr, without a display. Adds what the device needs to the options. */
Window *windowOpen(uint32_t width, uint32_t height, GpuOptions *options);
/* Closes the painter, too, whose device shows pictures in it. window may be NULL. */
void windowClose(Window *window, Painter *painter);
/* Until it is closed. */
bool windowRun(Window *window, Painter *painter, const ReplayView *view);

#endif
