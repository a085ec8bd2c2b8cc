/* The panel of the palette: its colours, and the bars of the one that is chosen.
 *
 * SPDX-License-Identifier: MIT */
#include "hud_internal.h"
#include "widgets.h"

#include <stdio.h>

enum { CHANNELS = 4, BAR = 20, LARGE = 28 }; /* letters; rows of a window with large swatches */

static uint32_t colorOf(const Source *source, uint32_t index) {
    const uint8_t *entry = source->palette[index];
    return (uint32_t)entry[0] << 16 | (uint32_t)entry[1] << 8 | entry[2];
}

/* A channel of the colour, which a click on its bar sets. */
static void writeChannel(Hud *hud, Text *text, const Shown *shown, uint32_t row, uint32_t channel) {
    static const char *const names[4] = {"red", "green", "blue", "light"};
    static const uint32_t colors[4] = {0xFF5040, 0x50E050, 0x5080FF, 0xFFE080};
    const uint32_t color = shown->tools->color;
    const bool light = channel == PALETTE_LIGHT;
    const uint32_t value = light ? shown->source->glow[color][0]
                                 : shown->source->palette[color][channel];
    char words[8];
    textPut(text, row, 1, HUD_PLAIN, names[channel]);
    textBar(text, row, 7, BAR, colors[channel], (double)value / (light ? 100 : 255));
    (void)snprintf(words, sizeof words, "%4u", value);
    textPut(text, row, 7 + BAR, HUD_PLAIN, words);
    hudArea(hud, text, row, 7, BAR, COMMAND_CHANNEL, channel);
}

/* The colour that is chosen, the other one, and the bars. */
static uint32_t writeChannels(Hud *hud, Text *text, const Shown *shown, uint32_t row) {
    const Tools *tools = shown->tools;
    char words[32];
    if (text) {
        const uint32_t color = colorOf(shown->source, tools->color);
        textSwatch(text, row, 1, 4, color, true);
        (void)snprintf(words, sizeof words, "%3u", tools->color);
        textPut(text, row, 6, HUD_TITLE, words);
        textSwatch(text, row, 12, 2, colorOf(shown->source, tools->other), false);
        (void)snprintf(words, sizeof words, "%3u  %s swaps", tools->other,
                       widgetSays("#", COMMAND_COLOR_SWAP));
        textPut(text, row, 15, HUD_DIM, words);
        hudArea(hud, text, row, 0, PALETTE_COLUMNS, COMMAND_COLOR_SWAP, 0);
        for (uint32_t channel = 0; channel < CHANNELS; ++channel) {
            writeChannel(hud, text, shown, row + 1 + channel, channel);
        }
    }
    return 1 + CHANNELS;
}

uint32_t colorsWrite(Hud *hud, Text *text, const Shown *shown, Fold section, uint32_t row) {
    const bool large = shown->down >= LARGE;
    const uint32_t wide = large ? 2 : 1;
    if (section == FOLD_CHANNELS) {
        return writeChannels(hud, text, shown, row);
    }
    for (uint32_t i = 1; text && i < 256; ++i) {
        const uint32_t down = row + i * wide / 32;
        const uint32_t column = 1 + i * wide % 32;
        textSwatch(text, down, column, wide, colorOf(shown->source, i), i == shown->tools->color);
        hudArea(hud, text, down, column, wide, COMMAND_COLOR_SET, i);
    }
    return 8 * wide;
}
