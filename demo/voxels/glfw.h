/* GLFW, loaded when a window is opened: a machine without a display needs none of it, nor of what
 * it needs.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_GLFW_H
#define MURVOXELS_GLFW_H

#include <stdbool.h>

#define VK_NO_PROTOTYPES
#include <volk.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/* clang-format off */
#define GLFW_FUNCTIONS(X) \
    X(CreateWindow) \
    X(CreateWindowSurface) \
    X(DestroyWindow) \
    X(GetCursorPos) \
    X(GetFramebufferSize) \
    X(GetKey) \
    X(GetMouseButton) \
    X(GetPrimaryMonitor) \
    X(GetRequiredInstanceExtensions) \
    X(GetTime) \
    X(GetVideoMode) \
    X(GetWindowContentScale) \
    X(GetWindowMonitor) \
    X(GetWindowPos) \
    X(GetWindowSize) \
    X(GetWindowUserPointer) \
    X(Init) \
    X(PollEvents) \
    X(SetCursorPosCallback) \
    X(SetErrorCallback) \
    X(SetInputMode) \
    X(SetKeyCallback) \
    X(SetMouseButtonCallback) \
    X(SetScrollCallback) \
    X(SetWindowMonitor) \
    X(SetWindowTitle) \
    X(SetWindowUserPointer) \
    X(Terminate) \
    X(VulkanSupported) \
    X(WaitEventsTimeout) \
    X(WindowHint) \
    X(WindowShouldClose)
/* clang-format on */

/* glfw.Init() is glfwInit(), and so on. */
#define GLFW_POINTER(name) __typeof__(&glfw##name) name;
typedef struct Glfw {
    GLFW_FUNCTIONS(GLFW_POINTER)
} Glfw;
#undef GLFW_POINTER

extern Glfw glfw;

/* False: the library is not installed. */
bool glfwLoad(void);

#endif
