/* SPDX-License-Identifier: MIT */
#include "input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stddef.h>

typedef struct Key {
    int key;
    bool control, shift;
    Command command;
} Key;

static const Key keys[] = {
    {GLFW_KEY_1, false, false, COMMAND_TOOL_FIRST},
    {GLFW_KEY_2, false, false, COMMAND_TOOL_FIRST + 1},
    {GLFW_KEY_3, false, false, COMMAND_TOOL_FIRST + 2},
    {GLFW_KEY_4, false, false, COMMAND_TOOL_FIRST + 3},
    {GLFW_KEY_5, false, false, COMMAND_TOOL_FIRST + 4},
    {GLFW_KEY_6, false, false, COMMAND_TOOL_FIRST + 5},
    {GLFW_KEY_V, true, false, COMMAND_TOOL_FIRST + 5},
    {GLFW_KEY_B, false, false, COMMAND_SHAPE},
    {GLFW_KEY_LEFT_BRACKET, false, false, COMMAND_SMALLER},
    {GLFW_KEY_RIGHT_BRACKET, false, false, COMMAND_LARGER},
    {GLFW_KEY_MINUS, false, false, COMMAND_SMALLER},
    {GLFW_KEY_EQUAL, false, false, COMMAND_LARGER},
    {GLFW_KEY_COMMA, false, false, COMMAND_COLOR_BACK},
    {GLFW_KEY_PERIOD, false, false, COMMAND_COLOR_NEXT},
    {GLFW_KEY_C, false, false, COMMAND_COLOR_PICK},
    {GLFW_KEY_X, false, false, COMMAND_MARK},
    {GLFW_KEY_C, true, false, COMMAND_COPY},
    {GLFW_KEY_R, false, false, COMMAND_TURN},
    {GLFW_KEY_Z, true, false, COMMAND_UNDO},
    {GLFW_KEY_Z, true, true, COMMAND_REDO},
    {GLFW_KEY_Y, true, false, COMMAND_REDO},
    {GLFW_KEY_S, true, false, COMMAND_SAVE},
    {GLFW_KEY_P, false, false, COMMAND_SCREENSHOT},
    {GLFW_KEY_V, false, false, COMMAND_VIEW},
    {GLFW_KEY_TAB, false, false, COMMAND_HUD},
    {GLFW_KEY_H, false, false, COMMAND_HELP},
    {GLFW_KEY_F1, false, false, COMMAND_HELP},
    {GLFW_KEY_F11, false, false, COMMAND_FULL_SCREEN},
    {GLFW_KEY_ESCAPE, false, false, COMMAND_QUIT},
    {GLFW_KEY_Q, true, false, COMMAND_QUIT},
};

Command inputCommand(int key, bool control, bool shift) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        if (keys[i].key == key && keys[i].control == control &&
            (!control || keys[i].shift == shift)) {
            return keys[i].command;
        }
    }
    return COMMAND_NONE;
}

const char *inputHelp(uint32_t line) {
    static const char *const lines[] = {
        "W A S D\tfly; E and Q up and down, Shift faster, Alt slower",
        "right mouse\tlook around",
        "left mouse\tuse the tool, also while dragging",
        "Shift + left\ta straight line from the last place to here",
        "wheel, [ ]\tradius of the brush",
        "1 2 3 4 5\tadd, dig, paint, smooth, flood with colour",
        "B\tsphere or box",
        ", . C\tprevious and next colour; the colour under the mouse",
        "X\tmarks a corner of a box; twice: both",
        "Ctrl+C\tcopies the marked box",
        "6, Ctrl+V\tpastes with the left mouse; R turns the copy",
        "Ctrl+Z, Ctrl+Y\tundo, redo",
        "Ctrl+S\tsaves the world",
        "P\twrites a picture",
        "V\tshaded, normals, bricks, lookups, probes, table",
        "Tab\tnumbers on and off",
        "H, F1\tthis help",
        "F11\tfull screen",
        "Esc\tleaves",
    };
    return line < sizeof lines / sizeof *lines ? lines[line] : NULL;
}
