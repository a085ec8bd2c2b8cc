/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "common/gpu_window.h"
#include "common/say.h"
#include "events.h"

#include <stdlib.h>
#include <string.h>

struct Window {
    GLFWwindow *handle;
    double time;
    double lastX, lastY; /* of the mouse, while it moves the view */
    double x, y;         /* of the mouse, as of the last event */
    Drag drag;
    bool came; /* anything */
    Events events;
    char dropped[INPUT_PATH];
    int restore[4]; /* place and size before full screen */
};

/* The callbacks' window, in which something came. */
static Window *awaken(GLFWwindow *handle) {
    Window *window = glfwGetWindowUserPointer(handle);
    window->came = true;
    return window;
}

/* What it showed is lost. */
static void onRefresh(GLFWwindow *handle) {
    (void)awaken(handle);
}

static void toggleFullScreen(Window *window) {
    GLFWwindow *handle = window->handle;
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
        eventsAdd(&window->events, &(Event){.command = command, .x = window->x, .y = window->y});
    }
}

static void onKey(GLFWwindow *handle, int key, int scancode, int action, int mods) {
    Window *window = awaken(handle);
    if (action != GLFW_RELEASE) {
        addCommand(window,
                   inputCommand(key, gpuKeyLetter(key, scancode), (mods & GLFW_MOD_CONTROL) != 0,
                                (mods & GLFW_MOD_SHIFT) != 0));
    }
}

static void onCharacter(GLFWwindow *handle, unsigned character) {
    Window *window = awaken(handle);
    eventsAdd(&window->events, &(Event){.character = character, .x = window->x, .y = window->y});
}

static void setDrag(Window *window, Drag drag) {
    window->drag = drag;
    glfwSetInputMode(window->handle, GLFW_CURSOR, drag ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
    glfwGetCursorPos(window->handle, &window->x, &window->y);
    window->lastX = window->x;
    window->lastY = window->y;
}

static void onButton(GLFWwindow *handle, int button, int action, int mods) {
    Window *window = awaken(handle);
    const bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    const Drag drag = button == GLFW_MOUSE_BUTTON_RIGHT ? DRAG_LOOK
                      : button == GLFW_MOUSE_BUTTON_MIDDLE
                          ? (mods & GLFW_MOD_SHIFT ? DRAG_PAN : DRAG_ORBIT)
                      : left && mods & GLFW_MOD_CONTROL ? DRAG_ORBIT
                                                        : DRAG_NONE;
    if (action == GLFW_RELEASE && window->drag) {
        setDrag(window, DRAG_NONE);
    } else if (action == GLFW_PRESS && drag) {
        setDrag(window, drag);
    } else if (left && action == GLFW_PRESS) {
        addCommand(window, COMMAND_PRESS);
    }
    if (left && action == GLFW_RELEASE) {
        addCommand(window, COMMAND_RELEASE);
    }
}

static void onDrop(GLFWwindow *handle, int count, const char **paths) {
    Window *window = awaken(handle);
    if (count > 0 && strlen(paths[0]) < INPUT_PATH) {
        (void)strcpy(window->dropped, paths[0]);
    }
}

static void onCursor(GLFWwindow *handle, double x, double y) {
    Window *window = awaken(handle);
    window->x = x;
    window->y = y;
}

static void onScroll(GLFWwindow *handle, double x, double y) {
    Window *window = awaken(handle);
    (void)x;
    eventsAdd(&window->events, &(Event){.wheel = (float)y});
}

Window *windowOpen(const char *title, uint32_t width, uint32_t height, GpuOptions *options) {
    GLFWwindow *handle = gpuOpenWindow(title, width, height, "--headless", options);
    Window *window = handle ? calloc(1, sizeof *window) : NULL;
    if (!window) {
        gpuCloseWindow(handle);
        return NULL;
    }
    window->handle = handle;
    window->time = glfwGetTime();
    glfwSetWindowUserPointer(handle, window);
    glfwSetKeyCallback(handle, onKey);
    glfwSetCharCallback(handle, onCharacter);
    glfwSetMouseButtonCallback(handle, onButton);
    glfwSetScrollCallback(handle, onScroll);
    glfwSetCursorPosCallback(handle, onCursor);
    glfwSetDropCallback(handle, onDrop);
    glfwSetWindowRefreshCallback(handle, onRefresh);
    glfwGetCursorPos(handle, &window->x, &window->y);
    return window;
}

void windowClose(Window *window) {
    if (window) {
        gpuCloseWindow(window->handle);
        free(window);
    }
}

static bool isDown(Window *window, int key) {
    return glfwGetKey(window->handle, key) == GLFW_PRESS;
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
    input->shift = isDown(window, GLFW_KEY_LEFT_SHIFT) || isDown(window, GLFW_KEY_RIGHT_SHIFT);
    input->slow = isDown(window, GLFW_KEY_LEFT_ALT);
    input->control = control;
}

static void readMouse(Window *window, Input *input) {
    int width, height;
    double place[2] = {window->x, window->y};
    glfwGetWindowSize(window->handle, &width, &height);
    if (input->width && input->height) { /* else no frame would have them */
        eventsTake(&window->events, place, input);
    }
    input->drag = window->drag;
    if (window->drag && height > 0) {
        input->turn[0] = (float)(window->x - window->lastX) / (float)height;
        input->turn[1] = (float)(window->y - window->lastY) / (float)height;
        window->lastX = window->x;
        window->lastY = window->y;
    } else if (width > 0 && height > 0) {
        input->cursor[0] = (float)(place[0] / width);
        input->cursor[1] = (float)(place[1] / height);
    }
    memcpy(input->dropped, window->dropped, sizeof input->dropped);
    window->dropped[0] = '\0';
}

void windowPoll(Window *window, bool wait, Input *input) {
    int width, height;
    float scaleX, scaleY;
    glfwGetFramebufferSize(window->handle, &width, &height);
    if ((wait && window->events.count == 0) || width == 0 || height == 0) {
        glfwWaitEventsTimeout(0.2);
    } else {
        glfwPollEvents();
    }
    const double now = glfwGetTime();
    glfwGetFramebufferSize(window->handle, &width, &height);
    glfwGetWindowContentScale(window->handle, &scaleX, &scaleY);
    *input = (Input){
        .quit = glfwWindowShouldClose(window->handle),
        .came = window->came || window->events.count || glfwWindowShouldClose(window->handle),
        .seconds = now - window->time,
        .width = (uint32_t)width,
        .height = (uint32_t)height,
        .scale = scaleY,
    };
    window->time = now;
    window->came = false;
    glfwSetWindowShouldClose(window->handle, GLFW_FALSE); /* the user may be asked first */
    readMovement(window, input);
    readMouse(window, input);
}

void windowTitle(Window *window, const char *title) {
    glfwSetWindowTitle(window->handle, title);
}
