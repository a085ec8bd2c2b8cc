/* The window and the user's input in it.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_WINDOW_H
#define MURVOXELS_WINDOW_H

#include "input.h"

#include "common/gpu.h"

typedef struct Window Window;

/* NULL, after one line on stderr, if there is no display. Options get the device's requirements. */
Window *windowOpen(const char *title, uint32_t width, uint32_t height, GpuOptions *options);
void windowClose(Window *window);

/* Takes the events since the last call. Waits a while for an event first if the window has no
 * area, or if wait is set. */
void windowPoll(Window *window, bool wait, Input *input);
/* The file's name, and a star if it has unsaved changes. */
void windowTitle(Window *window, const char *name, bool unsaved);
/* The text in the clipboard, or "". */
const char *windowClipboard(Window *window);

#endif
