/* The panel of colours: swatches, and the bars of the chosen one.
 * SPDX-License-Identifier: MIT */
#include "hud.h"

#include <stdio.h>

uint32_t hudSwatches(Hud *hud, Text *text, uint32_t row, const uint32_t *colors, uint32_t first,
                     uint32_t count, uint32_t wide, uint32_t chosen) {
    for (uint32_t i = first; text && i < count; ++i) {
        const uint32_t down = row + i * wide / 32;
        const uint32_t column = 1 + i * wide % 32;
        textSwatch(text, down, column, wide, colors[i], i == chosen);
        hudArea(hud, text, down, column, wide, COMMAND_COLOR_SET, i);
    }
    return (count * wide + 31) / 32;
}

uint32_t hudColor(Hud *hud, Text *text, uint32_t row, const uint32_t values[COLOR_BARS + 1],
                  uint32_t without, const char *words, uint32_t other, const char *otherWords) {
    char line[40];
    uint32_t down = row + 1;
    if (text) {
        textSwatch(text, row, 1, 4, values[COLOR_RGB], true);
        (void)snprintf(line, sizeof line, "#%06X %s", values[COLOR_RGB], words);
        textPut(text, row, 6, HUD_TITLE, line);
        hudArea(hud, text, row, 0, 18, COMMAND_COLOR_TYPE, 0);
        textSwatch(text, row, 19, 2, other, false);
        (void)snprintf(line, sizeof line, "%s %s swaps", otherWords,
                       widgetSays("#", COMMAND_COLOR_SWAP));
        textPut(text, row, 22, HUD_DIM, line);
        hudArea(hud, text, row, 18, HUD_PALETTE - 18, COMMAND_COLOR_SWAP, 0);
    }
    for (uint32_t bar = 0; bar < COLOR_BARS; ++bar) {
        if (without >> bar & 1) {
            continue;
        }
        if (text) {
            colorWrite(text, down, bar, values[bar]);
            hudArea(hud, text, down, COLOR_BAR_FIRST, COLOR_BAR, COMMAND_CHANNEL, bar);
        }
        ++down;
    }
    return down - row;
}
