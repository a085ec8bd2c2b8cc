/* The strip and the help: the table of widgets, as a user sees it.
 * SPDX-License-Identifier: MIT */
#include "hud.h"

#include <stdio.h>
#include <string.h>

enum { HELP = 76, KEYS = 20 }; /* columns */

uint32_t hudStrip(Hud *hud, Text *text, const void *shown, uint32_t section, uint32_t row) {
    const Widget *widget;
    const uint32_t first = row;
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        char words[32];
        if (widget->section != section) {
            continue;
        }
        if (text) {
            (void)snprintf(words, sizeof words, "%s", widget->words);
            const bool on = hud->layout->isOn(hud, shown, widget->command, words);
            const uint32_t color = on ? HUD_TITLE : HUD_DIM;
            textPut(text, row, 1, color, on ? ">" : " ");
            textPut(text, row, 2, color, words);
            textPut(text, row, HUD_STRIP - 1 - widgetKeyLength(widget->keys), color,
                    widgetSays("#", widget->command));
            hudArea(hud, text, row, 0, HUD_STRIP, widget->command, 0);
        }
        ++row;
    }
    return row - first;
}

/* Returns row i of all widgets in the order of the help: by sections, those of keys last. */
static const Widget *widgetOfHelp(uint32_t i) {
    for (uint32_t section = 1; section <= SECTIONS; ++section) {
        const Widget *widget;
        for (uint32_t k = 0; (widget = widgetAt(k)); ++k) {
            if (widget->section == section % SECTIONS && i-- == 0) {
                return widget;
            }
        }
    }
    return NULL;
}

/* Lines of the help from this one on, in columns of `rows` rows; returns how many there are. */
static uint32_t writeKeys(Text *text, uint32_t wide, uint32_t first, uint32_t rows) {
    const Widget *widget;
    uint32_t line = 0;
    for (uint32_t i = 0; (widget = widgetOfHelp(i)); ++i) {
        const char *help = widget->help;
        for (const char *keys = widget->keys; *help; ++line, keys = "") {
            char words[HELP + 1];
            const uint32_t length = textLineLength(help, wide - KEYS - 2);
            (void)snprintf(words, sizeof words, "%-*s%.*s", KEYS, keys, (int)length, help);
            if (rows && line >= first) {
                textPut(text, 1 + (line - first) % rows, 1 + (line - first) / rows * wide,
                        HUD_PLAIN, words);
            }
            help += length + (help[length] == ' ');
        }
    }
    return line;
}

/* All keys, in as many columns as there is room for; the rest on further pages. */
void hudHelp(Hud *hud, Text *text) {
    const uint32_t across = text->width / text->cellWidth;
    const uint32_t high = text->height / text->cellHeight;
    const uint32_t wide = across < 2 * KEYS ? 2 * KEYS : across < HELP ? across : HELP;
    const uint32_t down = high > 2 ? high - 1 : 1;
    const uint32_t lines = writeKeys(text, wide, 0, 0);
    uint32_t columns = (lines + down - 1) / down;
    char words[HELP];
    columns = columns < across / wide ? columns : across < wide ? 1 : across / wide;
    const uint32_t rows = lines < columns * down ? (lines + columns - 1) / columns : down;
    const uint32_t pages = (lines + rows * columns - 1) / (rows * columns);
    hud->help = hud->help > pages ? 0 : hud->help;
    if (!hud->help) {
        return;
    }
    textPanel(text, columns * wide, rows + 1, 0.5f, 0.5f);
    (void)snprintf(words, sizeof words, "%s: page %u of %u, %s", hud->layout->program, hud->help,
                   pages, widgetSays("# goes on, # closes", COMMAND_HELP, COMMAND_CANCEL));
    textPut(text, 0, 1, HUD_TITLE, words);
    (void)writeKeys(text, wide, (hud->help - 1) * rows * columns, rows);
    for (uint32_t row = 0; row <= rows; ++row) {
        hudArea(hud, text, row, 0, columns * wide, COMMAND_HELP, 0);
    }
}
