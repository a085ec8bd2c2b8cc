/* A GLFW window that shows Vulkan's pictures. The program handles its events.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_WINDOW_H
#define DEMO_GPU_WINDOW_H

#include "gpu.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/* Event handlers, called in the order of events. NULL: the event is ignored. */
typedef struct GpuWindowEvents {
    /* A key was pressed or is held. letter: the letter (lower case), digit or sign of the key on
     * the user's keyboard; 0: none. */
    void (*key)(void *user, int key, char letter, int mods);
    void (*character)(void *user, unsigned character); /* a character was typed */
    void (*button)(void *user, int button, bool pressed, int mods);
    void (*cursor)(void *user, double x, double y); /* the cursor was moved by this distance */
    void (*scroll)(void *user, double steps);
    void (*drop)(void *user, const char *path);
} GpuWindowEvents;

typedef struct GpuWindow {
    GLFWwindow *handle;
    const GpuWindowEvents *events;
    void *user;
    /* Sizes and positions in pixels. */
    uint32_t width, height;
    double cursor[2];
    float scale; /* the display's scale of text */
    char title[256];
    bool came;  /* an event came; the program resets it */
    bool close; /* the user wants to close it; the program resets it */
} GpuWindow;

/* Opens a window with handlers and user data, and adds its requirements of instance and device to
 * the options. Without a display, prints one line on stderr and returns false. The line names the
 * option `otherwise`, which needs no window. */
bool gpuOpenWindow(GpuWindow *window, const char *title, uint32_t width, uint32_t height,
                   const char *otherwise, GpuOptions *options);
/* Closes the window. Call gpuClose before. */
void gpuCloseWindow(GpuWindow *window);

/* Calls handlers for all events. If wait is set or the window has no area, first waits for one. */
void gpuPollWindow(GpuWindow *window, bool wait);
/* Sets the title: the program, the name of the file, and a star if it has unsaved changes. */
void gpuTitleWindow(GpuWindow *window, const char *program, const char *name, bool unsaved);
/* Returns the text in the clipboard, or "". */
const char *gpuClipboard(GpuWindow *window);
/* Updates the cursor's position. Call it after the program has hidden or shown the cursor. */
void gpuFindCursor(GpuWindow *window);

#endif
