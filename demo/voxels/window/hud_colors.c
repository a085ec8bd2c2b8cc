/* The panel of the palette: its colours, and the bars of the one that is chosen.
 *
 * SPDX-License-Identifier: MIT */
#include "hud_internal.h"
#include "widgets.h"

#include <stdio.h>

enum { LARGE = 28 }; /* rows of a window with large swatches */

static uint32_t colorOf(const Shown *shown, uint32_t index) {
    return paletteGet(&shown->tools->palette, shown->source, index, COLOR_RGB);
}

/* A channel of the colour, which a click on its bar sets. */
static void writeBar(Hud *hud, Text *text, const Shown *shown, uint32_t row, uint32_t channel) {
    const Tools *tools = shown->tools;
    colorWrite(text, row, channel,
               paletteGet(&tools->palette, shown->source, tools->color, channel));
    hudArea(hud, text, row, COLOR_BAR_FIRST, COLOR_BAR, COMMAND_CHANNEL, channel);
}

/* The colour that is chosen, the other one, and the bars. */
static uint32_t writeBars(Hud *hud, Text *text, const Shown *shown, uint32_t row) {
    const Tools *tools = shown->tools;
    char words[40];
    if (text) {
        const uint32_t color = colorOf(shown, tools->color);
        textSwatch(text, row, 1, 4, color, true);
        (void)snprintf(words, sizeof words, "#%06X %3u", color, tools->color);
        textPut(text, row, 6, HUD_TITLE, words);
        hudArea(hud, text, row, 0, 18, COMMAND_COLOR_TYPE, 0);
        textSwatch(text, row, 19, 2, colorOf(shown, tools->other), false);
        (void)snprintf(words, sizeof words, "%3u %s swaps", tools->other,
                       widgetSays("#", COMMAND_COLOR_SWAP));
        textPut(text, row, 22, HUD_DIM, words);
        hudArea(hud, text, row, 18, PALETTE_COLUMNS - 18, COMMAND_COLOR_SWAP, 0);
        for (uint32_t channel = 0; channel < COLOR_BARS; ++channel) {
            writeBar(hud, text, shown, row + 1 + channel, channel);
        }
    }
    return 1 + COLOR_BARS;
}

uint32_t colorsWrite(Hud *hud, Text *text, const Shown *shown, Fold section, uint32_t row) {
    const bool large = shown->down >= LARGE;
    const uint32_t wide = large ? 2 : 1;
    if (section == FOLD_CHANNELS) {
        return writeBars(hud, text, shown, row);
    }
    for (uint32_t i = 1; text && i < 256; ++i) {
        const uint32_t down = row + i * wide / 32;
        const uint32_t column = 1 + i * wide % 32;
        textSwatch(text, down, column, wide, colorOf(shown, i), i == shown->tools->color);
        hudArea(hud, text, down, column, wide, COMMAND_COLOR_SET, i);
    }
    return 8 * wide;
}
