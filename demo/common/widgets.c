/* SPDX-License-Identifier: MIT */
#include "widgets.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const Widget shared[] = {
    {COMMAND_UNDO, SECTION_EDITS, "Ctrl+Z", "undo", "undoes the last stroke"},
    {COMMAND_REDO, SECTION_EDITS, "Ctrl+Y Ctrl+Shift+Z", "redo", "makes it again"},
    {COMMAND_NEW, SECTION_FILE, "Ctrl+N", "new", "begins something new"},
    {COMMAND_OPEN, SECTION_FILE, "Ctrl+O", "open", "opens a file"},
    {COMMAND_SAVE, SECTION_FILE, "Ctrl+S", "save", "saves"},
    {COMMAND_SAVE_AS, SECTION_FILE, "Ctrl+Shift+S", "save as", "saves under another name"},
    {COMMAND_SHOW_ALL, SECTION_VIEW, "Home", "show all", "shows all that there is"},
    {COMMAND_PANELS, SECTION_VIEW, "Tab", "panels", "hides the panels, or shows them"},
    {COMMAND_HELP, SECTION_VIEW, "F1 H", "all keys", "this help, page by page"},
    {COMMAND_COLOR_PICK, SECTION_KEYS, "C", "pick", "picks the colour under the mouse"},
    {COMMAND_COLOR_SWAP, SECTION_KEYS, "X", "swap", "swaps the two colours"},
    {COMMAND_COLOR_TYPE, SECTION_KEYS, "Ctrl+Shift+C", "type colour",
     "types the colour as #RRGGBB, as a click on it in the palette does"},
    {COMMAND_CONFIRM, SECTION_KEYS, "Enter", "yes", "yes, to a question"},
    {COMMAND_REFUSE, SECTION_KEYS, "N", "no", "no, to a question"},
    {COMMAND_CANCEL, SECTION_KEYS, "Esc", "cancel", "cancels, ends a stroke, closes a question"},
    {COMMAND_PASTE, SECTION_KEYS, "Ctrl+V", "paste", "pastes what was copied"},
    {COMMAND_BACK, SECTION_KEYS, "Backspace", "back", "removes the letter that was typed last"},
    {COMMAND_QUIT, SECTION_KEYS, "Ctrl+Q", "quit", "leaves"},
};
enum { SHARED = sizeof shared / sizeof *shared };

const Widget *widgetAt(uint32_t index) {
    const Widget *own = &widgets[index < SHARED ? 0 : index - SHARED];
    return index < SHARED ? &shared[index] : own->keys ? own : NULL;
}

uint32_t widgetKeyLength(const char *keys) {
    return (uint32_t)strcspn(keys, " ");
}

const char *widgetNextKey(const char *keys) {
    return keys + widgetKeyLength(keys) + strspn(keys + widgetKeyLength(keys), " ");
}

typedef struct Key {
    int key; /* below 128: a character of the user's layout; else GLFW's code */
    bool control, shift;
} Key;

/* The first of some keys. */
static Key readKey(const char *keys) {
    static const struct {
        const char *name;
        int key;
    } named[] = {
        {"Del", GLFW_KEY_DELETE},     {"Home", GLFW_KEY_HOME},
        {"Tab", GLFW_KEY_TAB},        {"F1", GLFW_KEY_F1},
        {"F11", GLFW_KEY_F11},        {"Enter", GLFW_KEY_ENTER},
        {"Esc", GLFW_KEY_ESCAPE},     {"Left", GLFW_KEY_LEFT},
        {"Right", GLFW_KEY_RIGHT},    {"Up", GLFW_KEY_UP},
        {"Down", GLFW_KEY_DOWN},      {"PgUp", GLFW_KEY_PAGE_UP},
        {"PgDn", GLFW_KEY_PAGE_DOWN}, {"Backspace", GLFW_KEY_BACKSPACE},
    };
    Key key = {0};
    key.control = strncmp(keys, "Ctrl+", 5) == 0;
    keys += key.control ? 5 : 0;
    key.shift = strncmp(keys, "Shift+", 6) == 0;
    keys += key.shift ? 6 : 0;
    const uint32_t length = widgetKeyLength(keys);
    key.key = length == 1 ? tolower((unsigned char)*keys) : 0;
    for (size_t i = 0; i < sizeof named / sizeof *named; ++i) {
        const bool is = strlen(named[i].name) == length && !strncmp(keys, named[i].name, length);
        key.key = is ? named[i].key : key.key;
    }
    return key;
}

Command widgetCommand(int key, char letter, bool control, bool shift) {
    int said = key;
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) { /* if a layout has no such letter */
        said = key - 'A' + 'a';
    }
    /* Digits are digits, though some layouts need Shift for them. */
    said = letter && !(key >= '0' && key <= '9') ? letter : said;
    Command found = COMMAND_NONE; /* a row without Shift is for both if there is no other */
    const Widget *widget;
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        for (const char *keys = widget->keys; widget->command && *keys;
             keys = widgetNextKey(keys)) {
            const Key row = readKey(keys);
            const bool fits = row.key == said && row.control == control;
            if (fits && row.shift == shift) {
                return widget->command;
            }
            found = fits && !row.shift && !control ? widget->command : found;
        }
    }
    return found;
}

static const char *keysOf(Command command) {
    const Widget *widget;
    uint32_t i = 0;
    while ((widget = widgetAt(i)) && widget->command != command) {
        ++i;
    }
    return widget ? widget->keys : "";
}

const char *widgetSays(const char *words, ...) {
    static char said[4][160];
    static uint32_t next;
    char *to = said[next++ % 4];
    const char *end = to + sizeof *said - 32; /* room for a key and the end */
    va_list commands;
    va_start(commands, words);
    for (; *words && to < end; ++words) {
        if (*words == '#') {
            const char *keys = keysOf((Command)va_arg(commands, int));
            to += snprintf(to, 32, "%.*s", (int)widgetKeyLength(keys), keys);
        } else {
            *to++ = *words;
        }
    }
    va_end(commands);
    *to = '\0';
    return said[(next - 1) % 4];
}
