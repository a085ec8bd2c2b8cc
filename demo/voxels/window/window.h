/* The window and what the user does in it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_WINDOW_H
#define MURVOXELS_WINDOW_H

#include "input.h"

#define VK_NO_PROTOTYPES
#include <volk.h>

typedef struct Window Window;

/* NULL, after one line on stderr, if there is no display. */
Window *windowOpen(const char *title, uint32_t width, uint32_t height);
void windowClose(Window *window);

/* What the instance needs, and the surface, as GpuOptions wants them; user is the window. */
const char *const *windowExtensions(uint32_t *count);
VkResult windowSurface(void *user, VkInstance instance, VkSurfaceKHR *surface);

/* Takes what happened since the last call. Waits a while for an event first if the window has no
 * area, or if wait is set. */
void windowPoll(Window *window, bool wait, Input *input);
void windowTitle(Window *window, const char *title);

#endif
