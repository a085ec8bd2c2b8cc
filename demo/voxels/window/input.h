/* The user's input, independent of keys and windows; and the keys for each command.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_INPUT_H
#define MURVOXELS_INPUT_H

#include "common/widgets.h"

enum {
    COMMAND_NUDGE_FIRST = COMMAND_ARROW_FIRST, /* right, left, up, down, towards the user, away */
    COMMAND_NUDGE_LAST = COMMAND_UP,
    COMMAND_TOOL_FIRST = COMMAND_OWN, /* and more, in the order of TOOL_*; then two of tools.h */
    COMMAND_TOOL_SELECT = COMMAND_TOOL_FIRST + 5,
    COMMAND_TOOL_LAST,
    COMMAND_SHAPE,
    COMMAND_COLOR_BACK,
    COMMAND_COLOR_NEXT,
    COMMAND_SMALLER,
    COMMAND_LARGER,
    COMMAND_MIRROR_X,
    COMMAND_MIRROR_Y,
    COMMAND_MIRROR_Z,
    COMMAND_MIRROR_HERE,
    COMMAND_COPY,
    COMMAND_CUT,
    COMMAND_DUPLICATE,
    COMMAND_MOVE,
    COMMAND_DELETE,
    COMMAND_FILL,
    COMMAND_TURN_FIRST, /* about an axis of the picture: right, up, towards the user */
    COMMAND_TURN_LAST = COMMAND_TURN_FIRST + 2,
    COMMAND_FLIP_FIRST, /* along one */
    COMMAND_FLIP_LAST = COMMAND_FLIP_FIRST + 2,
    COMMAND_EXPORT_MESH,
    COMMAND_PICTURE,
    COMMAND_VIEW,
    COMMAND_SIDE_FIRST, /* views along the axes */
    COMMAND_SIDE_LAST = COMMAND_SIDE_FIRST + 5,
    COMMAND_GRID,
    COMMAND_FRAME_PICK,
    COMMAND_NUMBERS,
    COMMAND_TEXT_SMALLER,
    COMMAND_TEXT_LARGER,
    COMMAND_FULL_SCREEN,
    COMMAND_PRESS, /* the brush button goes down, and up */
    COMMAND_RELEASE
};

enum { INPUT_COMMANDS = 256, INPUT_PATH = 1024 };

/* A character that was typed, in Unicode, and how many of the commands came before it. */
typedef struct Typed {
    uint32_t character, after;
} Typed;

/* The drags of the mouse. */
typedef enum Drag { DRAG_NONE, DRAG_LOOK, DRAG_ORBIT, DRAG_PAN } Drag;

typedef struct Input {
    bool quit;              /* the window is to be closed */
    bool came;              /* the user did something, or the window must be drawn again */
    double seconds;         /* since the call before */
    uint32_t width, height; /* of the picture, in pixels; 0: the window has no area */
    float scale;            /* of the display: 1, or 2 if pixels are half as large */
    float move[3];          /* forward, right, up: -1 ... 1 */
    bool shift, slow, control;
    Drag drag;       /* the mouse moves the view and points nowhere */
    float turn[2];   /* rotation of the view: right and down, in heights of the window */
    float cursor[2]; /* the mouse's place: 0 ... 1 from the left and from the top */
    bool held;       /* the brush button is down, or was in this frame */
    float wheel;     /* notches, up is positive */
    Command commands[INPUT_COMMANDS]; /* in the user's order */
    uint32_t commandCount;
    Typed typed[INPUT_COMMANDS];
    uint32_t typedCount;
    char dropped[INPUT_PATH]; /* a file that was dropped on the window; empty: none */
} Input;

/* The command of a key. key: GLFW's code, which is a place on the keyboard; letter: the
 * letter of the user's layout, a printable character of ASCII in lower case, or 0. */
Command inputCommand(int key, char letter, bool control, bool shift);

#endif
