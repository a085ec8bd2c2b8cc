/* SPDX-License-Identifier: MIT */
#include "input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/* Flying is by place: W A S D on a US keyboard, Z Q S D on a French one. */
static bool flies(int key) {
    return key == GLFW_KEY_W || key == GLFW_KEY_A || key == GLFW_KEY_S || key == GLFW_KEY_D ||
           key == GLFW_KEY_E || key == GLFW_KEY_Q;
}

Command inputCommand(int key, char letter, bool control, bool shift) {
    return flies(key) && !control ? COMMAND_NONE : widgetCommand(key, letter, control, shift);
}
