/* SPDX-License-Identifier: MIT */
#include "widgets.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const Widget *widgetAt(uint32_t index) {
    return widgets[index].keys ? &widgets[index] : NULL;
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
    const Widget *widget = widgets;
    while (widget->command != command && widget->keys) {
        ++widget;
    }
    return widget->keys ? widget->keys : "";
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
