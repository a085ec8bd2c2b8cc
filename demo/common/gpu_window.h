/* A window that Vulkan shows pictures in, by GLFW. What happens in it is the program's matter.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_WINDOW_H
#define DEMO_GPU_WINDOW_H

#include "gpu.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/* What happens in a window, in its order; NULL: nobody asks. */
typedef struct GpuWindowEvents {
    /* A key is pressed, or held; letter: what it has on the user's keyboard, in lower case, a digit
     * or a sign; 0: none. */
    void (*key)(void *user, int key, char letter, int mods);
    void (*character)(void *user, unsigned character); /* is typed */
    void (*button)(void *user, int button, bool pressed, int mods);
    void (*cursor)(void *user, double x, double y); /* has moved so far */
    void (*scroll)(void *user, double steps);
    void (*drop)(void *user, const char *path);
} GpuWindowEvents;

typedef struct GpuWindow {
    GLFWwindow *handle;
    const GpuWindowEvents *events;
    void *user;
    /* In pixels of the picture. */
    uint32_t width, height;
    double cursor[2];
    float scale; /* of what is written in it, by the display */
    bool came;   /* anything, since somebody has set this to false */
    bool close;  /* is what the user wants, likewise */
} GpuWindow;

/* Opens one with its events and user, and puts what the instance and the device need for it into
 * the options. False, after one line on stderr, without a display; otherwise: the option that needs
 * none. */
bool gpuOpenWindow(GpuWindow *window, const char *title, uint32_t width, uint32_t height,
                   const char *otherwise, GpuOptions *options);
/* After gpuClose. */
void gpuCloseWindow(GpuWindow *window);

/* Tells what has happened. Waits a while for it first, if wait is set or the window has no area. */
void gpuPollWindow(GpuWindow *window, bool wait);
/* Where the cursor is now, for whoever has hidden or shown it. */
void gpuFindCursor(GpuWindow *window);

#endif
