/* A GLFW window that shows Vulkan's pictures. The program handles its events.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_WINDOW_H
#define DEMO_GPU_WINDOW_H

#include "gpu.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/* Event handlers, called in the order of events; NULL: ignored. */
typedef struct GpuWindowEvents {
    /* A key was pressed or is held. letter: its letter on the user's keyboard, in lower case, digit
     * or sign; 0: none. */
    void (*key)(void *user, int key, char letter, int mods);
    void (*character)(void *user, unsigned character); /* was typed */
    void (*button)(void *user, int button, bool pressed, int mods);
    void (*cursor)(void *user, double x, double y); /* moved by this distance */
    void (*scroll)(void *user, double steps);
    void (*drop)(void *user, const char *path);
} GpuWindowEvents;

typedef struct GpuWindow {
    GLFWwindow *handle;
    const GpuWindowEvents *events;
    void *user;
    /* In pixels. */
    uint32_t width, height;
    double cursor[2];
    float scale; /* the display's scale of text */
    bool came;   /* an event came; the program resets it */
    bool close;  /* the user wants to close it; the program resets it */
} GpuWindow;

/* Opens a window with handlers and user data, and adds the requirements of instance and device to
 * the options. Without a display, prints one line on stderr and returns false. otherwise: name of
 * the option that needs no window, for this message. */
bool gpuOpenWindow(GpuWindow *window, const char *title, uint32_t width, uint32_t height,
                   const char *otherwise, GpuOptions *options);
/* After gpuClose. */
void gpuCloseWindow(GpuWindow *window);

/* Calls handlers for all events. If wait is set or the window has no area, waits for an event
 * first. */
void gpuPollWindow(GpuWindow *window, bool wait);
/* Updates the cursor's position, after the program has hidden or shown it. */
void gpuFindCursor(GpuWindow *window);

#endif
