/* A window that Vulkan shows pictures in, by GLFW. What happens in it is the program's matter.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_WINDOW_H
#define DEMO_GPU_WINDOW_H

#include "gpu.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/* Opens one, and puts what the instance and the device need for it into the options. NULL, after
 * one line on stderr, without a display; otherwise: the option that needs none. */
GLFWwindow *gpuOpenWindow(const char *title, uint32_t width, uint32_t height, const char *otherwise,
                          GpuOptions *options);
/* After gpuClose. NULL: no effect. */
void gpuCloseWindow(GLFWwindow *window);

/* The letter, digit or sign that a key has on the user's keyboard, in lower case; 0: none. */
char gpuKeyLetter(int key, int scancode);

#endif
