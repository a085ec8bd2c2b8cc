/* A window to paint in.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_WINDOW_H
#define CANVAS_WINDOW_H

#include "replay.h"

typedef struct Window Window;

/* Adds the requirements of the device to the options. Without a display, returns NULL after one
 * line on stderr. */
Window *windowOpen(uint32_t width, uint32_t height, GpuOptions *options);
/* Closes the window and, before it, the painter, whose device shows pictures in it. window may be
 * NULL. */
void windowClose(Window *window, Painter *painter);
/* If the user opens another painting, closes this one and returns true. path: its file, or NULL. If
 * that file cannot be opened, the next call returns a new painting. */
bool windowNext(Window *window, Painter *painter, const char **path);
/* Runs until the user leaves. A view of step 0: the view of the last save. */
bool windowRun(Window *window, Painter *painter, const ReplayView *view);

#endif
