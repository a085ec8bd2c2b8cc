/* SPDX-License-Identifier: MIT */
#include "gpu_window.h"

#include "message.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void onError(int code, const char *description) {
    (void)sayError("window: %s (%#x)", description, (unsigned)code);
}

static VkResult createSurface(void *user, VkInstance instance, VkSurfaceKHR *surface) {
    return glfwCreateWindowSurface(instance, user, NULL, surface);
}

/* Returns the window of a callback, and marks that an event came. */
static GpuWindow *awaken(GLFWwindow *handle) {
    GpuWindow *window = glfwGetWindowUserPointer(handle);
    window->came = true;
    return window;
}

/* The window's content was lost, so it must be drawn again. */
static void onRefresh(GLFWwindow *handle) {
    (void)awaken(handle);
}

static char letterOf(int key, int scancode) {
    const char *name = key == GLFW_KEY_UNKNOWN ? NULL : glfwGetKeyName(key, scancode);
    const bool is = name && name[0] > ' ' && (unsigned char)name[0] < 127 && name[1] == '\0';
    return (char)(is ? tolower((unsigned char)name[0]) : 0);
}

static void onKey(GLFWwindow *handle, int key, int scancode, int action, int mods) {
    GpuWindow *window = awaken(handle);
    if (window->events->key && action != GLFW_RELEASE) {
        window->events->key(window->user, key, letterOf(key, scancode), mods);
    }
}

static void onCharacter(GLFWwindow *handle, unsigned character) {
    GpuWindow *window = awaken(handle);
    if (window->events->character) {
        window->events->character(window->user, character);
    }
}

static void onButton(GLFWwindow *handle, int button, int action, int mods) {
    GpuWindow *window = awaken(handle);
    if (window->events->button) {
        window->events->button(window->user, button, action == GLFW_PRESS, mods);
    }
}

static void measure(GpuWindow *window) {
    int width, height;
    float across;
    glfwGetWindowContentScale(window->handle, &across, &window->scale);
    glfwGetFramebufferSize(window->handle, &width, &height);
    window->width = (uint32_t)width;
    window->height = (uint32_t)height;
}

/* GLFW uses screen coordinates, which may contain several pixels each. */
static void point(GpuWindow *window, double x, double y) {
    int width, height;
    measure(window);
    glfwGetWindowSize(window->handle, &width, &height);
    window->cursor[0] = x * window->width / (width > 0 ? width : 1);
    window->cursor[1] = y * window->height / (height > 0 ? height : 1);
}

static void onCursor(GLFWwindow *handle, double x, double y) {
    GpuWindow *window = awaken(handle);
    const double from[] = {window->cursor[0], window->cursor[1]};
    point(window, x, y);
    if (window->events->cursor) {
        window->events->cursor(window->user, window->cursor[0] - from[0],
                               window->cursor[1] - from[1]);
    }
}

static void onScroll(GLFWwindow *handle, double x, double y) {
    GpuWindow *window = awaken(handle);
    (void)x;
    if (window->events->scroll) {
        window->events->scroll(window->user, y);
    }
}

static void onDrop(GLFWwindow *handle, int count, const char **paths) {
    GpuWindow *window = awaken(handle);
    if (window->events->drop && count > 0) {
        window->events->drop(window->user, paths[0]);
    }
}

static void listen(GpuWindow *window) {
    glfwSetErrorCallback(onError);
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, onKey);
    glfwSetCharCallback(window->handle, onCharacter);
    glfwSetMouseButtonCallback(window->handle, onButton);
    glfwSetCursorPosCallback(window->handle, onCursor);
    glfwSetScrollCallback(window->handle, onScroll);
    glfwSetDropCallback(window->handle, onDrop);
    glfwSetWindowRefreshCallback(window->handle, onRefresh);
}

bool gpuOpenWindow(GpuWindow *window, const char *title, uint32_t width, uint32_t height,
                   const char *otherwise, GpuOptions *options) {
    if (!glfwInit()) {
        return sayError("there is no display to open a window on; %s needs none", otherwise);
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    window->handle = glfwVulkanSupported()
                         ? glfwCreateWindow((int)width, (int)height, title, NULL, NULL)
                         : NULL;
    if (!window->handle) {
        glfwTerminate();
        return sayError("cannot open a window that Vulkan can show pictures in; %s needs none",
                        otherwise);
    }
    listen(window);
    measure(window);
    gpuFindCursor(window);
    options->extensions = glfwGetRequiredInstanceExtensions(&options->extensionCount);
    options->createSurface = createSurface;
    options->user = window->handle;
    return true;
}

void gpuCloseWindow(GpuWindow *window) {
    if (window->handle) {
        glfwDestroyWindow(window->handle);
        glfwTerminate();
        window->handle = NULL;
    }
}

void gpuPollWindow(GpuWindow *window, bool wait) {
    measure(window);
    if (wait || window->width == 0 || window->height == 0) {
        glfwWaitEventsTimeout(0.2);
    } else {
        glfwPollEvents();
    }
    measure(window);
    if (glfwWindowShouldClose(window->handle)) {
        glfwSetWindowShouldClose(window->handle, GLFW_FALSE); /* the program decides */
        window->close = window->came = true;
    }
}

void gpuFindCursor(GpuWindow *window) {
    double x, y;
    glfwGetCursorPos(window->handle, &x, &y);
    point(window, x, y);
}

void gpuTitleWindow(GpuWindow *window, const char *program, const char *name, bool unsaved) {
    char title[sizeof window->title];
    (void)snprintf(title, sizeof title, "%s: %s%s", program, name, unsaved ? " *" : "");
    if (strcmp(title, window->title) != 0) {
        (void)strcpy(window->title, title);
        glfwSetWindowTitle(window->handle, title);
    }
}

const char *gpuClipboard(GpuWindow *window) {
    const char *text = glfwGetClipboardString(window->handle);
    return text ? text : "";
}
