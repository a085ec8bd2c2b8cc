/* SPDX-License-Identifier: MIT */
#include "input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stddef.h>

typedef struct Key {
    int key; /* below 128: a character of the user's layout; else GLFW's code */
    bool control, shift;
    Command command;
} Key;

static const Key keys[] = {
    {'1', false, false, COMMAND_TOOL_FIRST},
    {'2', false, false, COMMAND_TOOL_FIRST + 1},
    {'3', false, false, COMMAND_TOOL_FIRST + 2},
    {'4', false, false, COMMAND_TOOL_FIRST + 3},
    {'5', false, false, COMMAND_TOOL_FIRST + 4},
    {'6', false, false, COMMAND_TOOL_FIRST + 5},
    {'7', false, false, COMMAND_TOOL_FIRST + 6},
    {'v', true, false, COMMAND_TOOL_FIRST + 5},
    {'b', false, false, COMMAND_SHAPE},
    {'[', false, false, COMMAND_SMALLER},
    {']', false, false, COMMAND_LARGER},
    {'-', false, false, COMMAND_SMALLER},
    {'=', false, false, COMMAND_LARGER},
    {'+', false, false, COMMAND_LARGER},
    {',', false, false, COMMAND_COLOR_BACK},
    {'.', false, false, COMMAND_COLOR_NEXT},
    {'c', false, false, COMMAND_COLOR_PICK},
    {'x', false, false, COMMAND_COLOR_SWAP},
    {'m', false, false, COMMAND_MIRROR_X},
    {'m', false, true, COMMAND_MIRROR_Z},
    {'c', true, false, COMMAND_COPY},
    {'x', true, false, COMMAND_CUT},
    {'d', true, false, COMMAND_DUPLICATE},
    {'g', false, false, COMMAND_MOVE},
    {GLFW_KEY_DELETE, false, false, COMMAND_DELETE},
    {'r', false, false, COMMAND_TURN},
    {'k', false, false, COMMAND_BANDS},
    {'z', true, false, COMMAND_UNDO},
    {'z', true, true, COMMAND_REDO},
    {'y', true, false, COMMAND_REDO},
    {'s', true, false, COMMAND_SAVE},
    {'e', true, false, COMMAND_EXPORT},
    {'p', false, false, COMMAND_PICTURE},
    {'p', false, true, COMMAND_SCREENSHOT},
    {'v', false, false, COMMAND_VIEW},
    {'f', false, false, COMMAND_FRAME_PICK},
    {GLFW_KEY_HOME, false, false, COMMAND_FRAME_ALL},
    {GLFW_KEY_TAB, false, false, COMMAND_PANELS},
    {'i', false, false, COMMAND_NUMBERS},
    {'-', true, false, COMMAND_TEXT_SMALLER},
    {'=', true, false, COMMAND_TEXT_LARGER},
    {'+', true, false, COMMAND_TEXT_LARGER},
    {'h', false, false, COMMAND_HELP},
    {GLFW_KEY_F1, false, false, COMMAND_HELP},
    {GLFW_KEY_F11, false, false, COMMAND_FULL_SCREEN},
    {GLFW_KEY_ENTER, false, false, COMMAND_CONFIRM},
    {'n', false, false, COMMAND_REFUSE},
    {GLFW_KEY_ESCAPE, false, false, COMMAND_CANCEL},
    {'q', true, false, COMMAND_QUIT},
};

/* Flying is by place: W A S D on a US keyboard, Z Q S D on a French one. */
static bool flies(int key) {
    return key == GLFW_KEY_W || key == GLFW_KEY_A || key == GLFW_KEY_S || key == GLFW_KEY_D ||
           key == GLFW_KEY_E || key == GLFW_KEY_Q;
}

Command inputCommand(int key, char letter, bool control, bool shift) {
    int said = key;
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) { /* where a layout has no such letter */
        said = key - 'A' + 'a';
    }
    /* Digits are digits, though some layouts want Shift for them. */
    said = letter && !(key >= '0' && key <= '9') ? letter : said;
    if (flies(key) && !control) {
        return COMMAND_NONE;
    }
    Command found = COMMAND_NONE; /* a row without Shift is for both where there is no other */
    for (size_t i = sizeof keys / sizeof *keys; i-- > 0;) {
        const Key *row = &keys[i];
        const bool fits = row->key == said && row->control == control;
        if (fits && row->shift == shift) {
            return row->command;
        }
        found = fits && !row->shift && !control ? row->command : found;
    }
    return found;
}

const char *inputHelp(uint32_t line) {
    static const char *const lines[] = {
        "W A S D, E Q\tfly, up and down (by place on the keyboard); Shift fast, Alt slow",
        "right mouse\tlook around",
        "middle, Alt+left\torbit about what is under the mouse; Shift+middle moves",
        "wheel\tzoom to what is under the mouse",
        "Home, F\tshow all; go to what is under the mouse",
        "left mouse\tuse the tool; drag for a stroke, which is one undo",
        "Shift + left\ta straight line from the last place to here",
        "1 2 3 4 5\tadd, dig, paint, smooth, fill a colour",
        "B\tsphere, cube, or a box by dragging: the wheel gives it depth, out or in",
        "[ ], Ctrl+wheel\tradius of the brush; 0 is one voxel",
        "M, Shift+M\tmirror strokes and boxes in x, in z; not what is filled or pasted",
        ", . C X\tprevious and next colour; pick one; swap the two",
        "K\tone colour, or bands of 2, 4, 8 or 16 by height",
        "7\tselect a box by dragging and the wheel; Del empties it",
        "Ctrl+C, X, D\tcopy, cut, duplicate what is selected; G moves it",
        "6, Ctrl+V\tpaste with the left mouse; R turns it",
        "Ctrl+Z, Ctrl+Y\tundo, redo",
        "Ctrl+S, Ctrl+E\tsave; export a .vox file. A file dropped here is opened",
        "P, Shift+P\ta fine picture; one of the window as it is",
        "V\tshaded, flat, normals, bricks, lookups, probes, table; light's cells: levels, learnt",
        "Tab, I, H\tpanels, numbers, this help; Ctrl + and - for larger text",
        "Esc\tcancels; then leaves. F11: full screen",
    };
    return line < sizeof lines / sizeof *lines ? lines[line] : NULL;
}
