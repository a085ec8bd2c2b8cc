/* SPDX-License-Identifier: MIT */
#include "gpu_window.h"

#include "say.h"

#include <ctype.h>

static void onError(int code, const char *description) {
    (void)sayError("window: %s (%#x)", description, (unsigned)code);
}

static VkResult createSurface(void *user, VkInstance instance, VkSurfaceKHR *surface) {
    return glfwCreateWindowSurface(instance, user, NULL, surface);
}

GLFWwindow *gpuOpenWindow(const char *title, uint32_t width, uint32_t height, const char *otherwise,
                          GpuOptions *options) {
    if (!glfwInit()) {
        (void)sayError("there is no display to open a window on; %s needs none", otherwise);
        return NULL;
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    GLFWwindow *window = glfwVulkanSupported()
                             ? glfwCreateWindow((int)width, (int)height, title, NULL, NULL)
                             : NULL;
    if (!window) {
        (void)sayError("cannot open a window that Vulkan can show pictures in; %s needs none",
                       otherwise);
        glfwTerminate();
        return NULL;
    }
    glfwSetErrorCallback(onError);
    options->extensions = glfwGetRequiredInstanceExtensions(&options->extensionCount);
    options->createSurface = createSurface;
    options->user = window;
    return window;
}

void gpuCloseWindow(GLFWwindow *window) {
    if (window) {
        glfwDestroyWindow(window);
        glfwTerminate();
    }
}

char gpuKeyLetter(int key, int scancode) {
    const char *name = key == GLFW_KEY_UNKNOWN ? NULL : glfwGetKeyName(key, scancode);
    const bool is = name && name[0] > ' ' && (unsigned char)name[0] < 127 && name[1] == '\0';
    return (char)(is ? tolower((unsigned char)name[0]) : 0);
}
