/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "common/gpu_window.h"
#include "common/message.h"
#include "events.h"

#include <stdlib.h>
#include <string.h>

struct Window {
    GpuWindow gpu;
    double time;
    double last[2]; /* of the mouse, while it moves the view */
    Drag drag;
    Events events;
    char dropped[INPUT_PATH];
    int restore[4]; /* place and size before full screen */
};

static bool isDown(Window *window, int key) {
    return glfwGetKey(window->gpu.handle, key) == GLFW_PRESS;
}

static bool isShift(Window *window) {
    return isDown(window, GLFW_KEY_LEFT_SHIFT) || isDown(window, GLFW_KEY_RIGHT_SHIFT);
}

/* An event at the mouse's place. */
static void add(Window *window, Event event) {
    event.shift = isShift(window);
    event.x = window->gpu.cursor[0];
    event.y = window->gpu.cursor[1];
    eventsAdd(&window->events, &event);
}

static void toggleFullScreen(Window *window) {
    GLFWwindow *handle = window->gpu.handle;
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    int *at = window->restore;
    if (glfwGetWindowMonitor(handle)) {
        glfwSetWindowMonitor(handle, NULL, at[0], at[1], at[2], at[3], GLFW_DONT_CARE);
    } else if (monitor) {
        const GLFWvidmode *mode = glfwGetVideoMode(monitor);
        glfwGetWindowPos(handle, &at[0], &at[1]);
        glfwGetWindowSize(handle, &at[2], &at[3]);
        glfwSetWindowMonitor(handle, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
}

static void addCommand(Window *window, Command command) {
    if (command == COMMAND_FULL_SCREEN) { /* the window's own */
        toggleFullScreen(window);
    } else if (command != COMMAND_NONE) {
        add(window, (Event){.command = command});
    }
}

static void onKey(void *user, int key, char letter, int mods) {
    addCommand(user, inputCommand(key, letter, (mods & GLFW_MOD_CONTROL) != 0,
                                  (mods & GLFW_MOD_SHIFT) != 0));
}

static void onCharacter(void *user, unsigned character) {
    add(user, (Event){.character = character});
}

static void setDrag(Window *window, Drag drag) {
    window->drag = drag;
    glfwSetInputMode(window->gpu.handle, GLFW_CURSOR,
                     drag ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
    gpuFindCursor(&window->gpu);
    memcpy(window->last, window->gpu.cursor, sizeof window->last);
}

static void onButton(void *user, int button, bool pressed, int mods) {
    Window *window = user;
    const bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    const Drag drag = button == GLFW_MOUSE_BUTTON_RIGHT ? DRAG_LOOK
                      : button == GLFW_MOUSE_BUTTON_MIDDLE
                          ? (mods & GLFW_MOD_SHIFT ? DRAG_PAN : DRAG_ORBIT)
                      : left && mods & GLFW_MOD_CONTROL ? DRAG_ORBIT
                                                        : DRAG_NONE;
    if (!pressed && window->drag) {
        setDrag(window, DRAG_NONE);
    } else if (pressed && drag) {
        setDrag(window, drag);
    } else if (left && pressed) {
        addCommand(window, COMMAND_PRESS);
    }
    if (left && !pressed) {
        addCommand(window, COMMAND_RELEASE);
    }
}

static void onDrop(void *user, const char *path) {
    Window *window = user;
    if (strlen(path) < INPUT_PATH) {
        (void)strcpy(window->dropped, path);
    }
}

static void onScroll(void *user, double steps) {
    Window *window = user;
    eventsAdd(&window->events, &(Event){.wheel = (float)steps});
}

Window *windowOpen(const char *title, uint32_t width, uint32_t height, GpuOptions *options) {
    static const GpuWindowEvents events = {.key = onKey,
                                           .character = onCharacter,
                                           .button = onButton,
                                           .scroll = onScroll,
                                           .drop = onDrop};
    Window *window = calloc(1, sizeof *window);
    if (!window) {
        return NULL;
    }
    window->gpu = (GpuWindow){.events = &events, .user = window};
    if (!gpuOpenWindow(&window->gpu, title, width, height, "--headless", options)) {
        free(window);
        return NULL;
    }
    window->time = glfwGetTime();
    return window;
}

void windowClose(Window *window) {
    if (window) {
        gpuCloseWindow(&window->gpu);
        free(window);
    }
}

static float between(Window *window, int less, int more) {
    return (float)isDown(window, more) - (float)isDown(window, less);
}

static void readMovement(Window *window, Input *input) {
    const bool control = isDown(window, GLFW_KEY_LEFT_CONTROL) ||
                         isDown(window, GLFW_KEY_RIGHT_CONTROL);
    if (!control) { /* with it, the same keys are commands */
        input->move[0] = between(window, GLFW_KEY_S, GLFW_KEY_W);
        input->move[1] = between(window, GLFW_KEY_A, GLFW_KEY_D);
        input->move[2] = between(window, GLFW_KEY_Q, GLFW_KEY_E);
    }
    input->shift = isShift(window);
    input->slow = isDown(window, GLFW_KEY_LEFT_ALT);
    input->control = control;
}

static void readMouse(Window *window, Input *input) {
    const GpuWindow *gpu = &window->gpu;
    double place[2] = {gpu->cursor[0], gpu->cursor[1]};
    if (input->width && input->height) { /* else no frame would have them */
        eventsTake(&window->events, place, input);
    }
    input->drag = window->drag;
    if (window->drag && gpu->height > 0) {
        input->turn[0] = (float)((gpu->cursor[0] - window->last[0]) / gpu->height);
        input->turn[1] = (float)((gpu->cursor[1] - window->last[1]) / gpu->height);
        memcpy(window->last, gpu->cursor, sizeof window->last);
    } else if (gpu->width > 0 && gpu->height > 0) {
        input->cursor[0] = (float)(place[0] / gpu->width);
        input->cursor[1] = (float)(place[1] / gpu->height);
    }
    memcpy(input->dropped, window->dropped, sizeof input->dropped);
    window->dropped[0] = '\0';
}

void windowPoll(Window *window, bool wait, Input *input) {
    GpuWindow *gpu = &window->gpu;
    gpuPollWindow(gpu, wait && window->events.count == 0);
    const double now = glfwGetTime();
    *input = (Input){
        .quit = gpu->close,
        .came = gpu->came || window->events.count,
        .seconds = now - window->time,
        .width = gpu->width,
        .height = gpu->height,
        .scale = gpu->scale,
    };
    window->time = now;
    gpu->came = gpu->close = false;
    readMovement(window, input);
    readMouse(window, input);
}

const char *windowClipboard(Window *window) {
    return gpuClipboard(&window->gpu);
}

void windowTitle(Window *window, const char *name, bool unsaved) {
    gpuTitleWindow(&window->gpu, "murvoxels", name, unsaved);
}
