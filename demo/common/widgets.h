/* All commands of a program, each defined once: in the table of the program, or in the table of
 * those that all programs have. Keys, place on the strip, words, help: keys, buttons, help and the
 * keys in messages come from these tables.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_WIDGETS_H
#define DEMO_WIDGETS_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Command;

/* Commands that more than one program has. A program's other commands begin at COMMAND_OWN. */
enum {
    COMMAND_NONE,
    COMMAND_FOLD,      /* a click on a title; the value is its panel or section */
    COMMAND_CHANNEL,   /* a bar of the colour: COLOR_RED and so on */
    COMMAND_COLOR_SET, /* a swatch; the value is its number */
    COMMAND_COLOR_PICK,
    COMMAND_COLOR_SWAP,
    COMMAND_COLOR_TYPE,
    COMMAND_UNDO,
    COMMAND_REDO,
    COMMAND_NEW,
    COMMAND_OPEN,
    COMMAND_SAVE,
    COMMAND_SAVE_AS,
    COMMAND_EXPORT, /* its row is the program's */
    COMMAND_SHOW_ALL,
    COMMAND_PANELS,
    COMMAND_HELP,
    COMMAND_CONFIRM,
    COMMAND_REFUSE,
    COMMAND_CANCEL,
    COMMAND_PASTE,
    COMMAND_BACK,                           /* removes the last typed letter */
    COMMAND_ARROW_FIRST,                    /* right, left, page up, page down, down, up */
    COMMAND_DOWN = COMMAND_ARROW_FIRST + 4, /* in a list */
    COMMAND_UP,
    COMMAND_QUIT,
    COMMAND_OWN
};

/* Sections of the strip, from top to bottom. */
enum {
    SECTION_KEYS, /* not on the strip */
    SECTION_TOOLS,
    SECTION_BRUSH,
    SECTION_OWN, /* the program's */
    SECTION_EDITS,
    SECTION_FILE,
    SECTION_VIEW,
    SECTIONS
};

typedef struct Widget {
    Command command; /* COMMAND_NONE: for the help alone */
    uint32_t section;
    const char *keys;  /* with a space between two: "Ctrl+Shift+Z Ctrl+Y"; the first is shown */
    const char *words; /* on its button; NULL of COMMAND_NONE */
    const char *help;
} Widget;

/* The program defines it, in the order of strip and help. The last row has no keys. */
extern const Widget widgets[];

/* Returns a row of the program, then of all programs, or NULL after the last. Call it for each
 * number from 0 on. */
const Widget *widgetAt(uint32_t index);

/* Of keys: the length of the first, and the begin of the next. */
uint32_t widgetKeyLength(const char *keys);
const char *widgetNextKey(const char *keys);

/* Returns the command of a key. key: GLFW's code, which is a place on the keyboard; letter: the
 * letter of the user's layout, a printable character of ASCII in lower case, or 0. */
Command widgetCommand(int key, char letter, bool control, bool shift);

/* Returns a message: each # of the words becomes the first key of the next of these commands. It
 * is valid until the fourth call after it. */
const char *widgetSays(const char *words, ...);

#endif
