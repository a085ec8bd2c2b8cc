/* What the user wants, free of keys and windows; and which keys say it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_INPUT_H
#define MURVOXELS_INPUT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Command {
    COMMAND_NONE,
    COMMAND_TOOL_FIRST, /* and the tools after it, in the order of TOOL_* */
    COMMAND_TOOL_LAST = COMMAND_TOOL_FIRST + 5,
    COMMAND_SHAPE,
    COMMAND_COLOR_BACK,
    COMMAND_COLOR_NEXT,
    COMMAND_COLOR_PICK,
    COMMAND_SMALLER,
    COMMAND_LARGER,
    COMMAND_MARK,
    COMMAND_COPY,
    COMMAND_TURN,
    COMMAND_UNDO,
    COMMAND_REDO,
    COMMAND_SAVE,
    COMMAND_SCREENSHOT,
    COMMAND_VIEW,
    COMMAND_HUD,
    COMMAND_HELP,
    COMMAND_FULL_SCREEN,
    COMMAND_QUIT
} Command;

enum { INPUT_COMMANDS = 32 };

typedef struct Input {
    bool quit;
    double seconds;         /* since the call before */
    uint32_t width, height; /* of the picture, in pixels; 0: the window has no area */
    float scale;            /* of the display: 1, or 2 where pixels are half as large */
    float move[3];          /* forward, right, up: -1 ... 1 */
    bool fast, slow;
    float turn[2];   /* yaw, pitch: by the mouse, in heights of the window */
    float cursor[2]; /* where the mouse points: 0 ... 1 from the left and from the top */
    bool looking;    /* the mouse turns the view and points nowhere */
    bool pressed;    /* the brush button went down since the last call */
    bool held;       /* it is down */
    bool straight;   /* lines from the last place */
    float wheel;     /* notches, up is positive */
    Command commands[INPUT_COMMANDS];
    uint32_t commandCount;
} Input;

/* The command that a key says; GLFW's codes. */
Command inputCommand(int key, bool control, bool shift);

/* Lines that list the keys and the mouse, "KEYS<tab>WHAT"; NULL after the last. */
const char *inputHelp(uint32_t line);

#endif
