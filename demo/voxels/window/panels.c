/* SPDX-License-Identifier: MIT */
#include "panels.h"

#include <stdio.h>

enum { LARGE = 28 }; /* rows of a window with large swatches */

typedef struct Shown {
    const HudNumbers *numbers;
    const Tools *tools;
    const Source *source;
    uint32_t mode;
} Shown;

/* The place of the mouse, and the size of the dragged box. */
static void writeMeasure(Text *text, const void *from) {
    const HudNumbers *numbers = ((const Shown *)from)->numbers;
    if (!numbers->measures) {
        return;
    }
    const int32_t *at = numbers->at;
    const int32_t *size = numbers->size;
    char words[80];
    int used = snprintf(words, sizeof words, "%d %d %d", at[0], at[1], at[2]);
    if (size[0] * size[1] * size[2] != 1) {
        used += snprintf(words + used, sizeof words - (size_t)used, "  size %d x %d x %d", size[0],
                         size[1], size[2]);
    }
    textPanel(text, (uint32_t)used + 2, 1, 0.5f, 1);
    textPut(text, 0, 1, HUD_PLAIN, words);
}

/* The words of a button and whether it is on, if the table does not determine them. */
static bool isOn(const Hud *hud, const void *from, Command command, char words[32]) {
    const Shown *shown = from;
    static const char *const modes[VIEW_MODES] = {VIEW_MODE_NAMES};
    static const char *const shapes[SHAPE_COUNT] = {"sphere", "cube", "dragged box"};
    static const char *const marks[MARK_COUNT] = {"one colour", "what touches", "a face",
                                                  "all of a colour"};
    const Tools *tools = shown->tools;
    switch (command) {
    case COMMAND_SHAPE:
        (void)snprintf(words, 32, "%s",
                       tools->tool == TOOL_SELECT ? marks[tools->mark] : shapes[tools->shape]);
        return true;
    case COMMAND_LARGER:
        (void)snprintf(words, 32, "larger (%u)", tools->radius);
        return false;
    case COMMAND_MIRROR_X:
    case COMMAND_MIRROR_Y:
    case COMMAND_MIRROR_Z:
        return tools->source->mirror >> (command - COMMAND_MIRROR_X) & 1;
    case COMMAND_VIEW:
        (void)snprintf(words, 32, "view: %s", modes[shown->mode]);
        return shown->mode != VIEW_SHADED;
    case COMMAND_NUMBERS:
        return hud->open & 1u << FOLD_NUMBERS;
    default:
        return command == COMMAND_TOOL_FIRST + tools->tool;
    }
}

static uint32_t writePalette(Hud *hud, Text *text, const void *from, uint32_t section,
                             uint32_t row) {
    const Shown *shown = from;
    const Tools *tools = shown->tools;
    uint32_t colors[256] = {0};
    uint32_t values[COLOR_BARS + 1] = {0};
    char words[8], other[8];
    for (uint32_t i = 1; text && i < 256; ++i) {
        colors[i] = paletteGet(&tools->palette, shown->source, i, COLOR_RGB);
    }
    if (section == FOLD_COLORS) {
        return hudSwatches(hud, text, row, colors, 1, 256, hud->down >= LARGE ? 2 : 1,
                           tools->color);
    }
    for (uint32_t i = 0; text && i <= COLOR_RGB; ++i) {
        values[i] = paletteGet(&tools->palette, shown->source, tools->color, i);
    }
    (void)snprintf(words, sizeof words, "%3u", tools->color);
    (void)snprintf(other, sizeof other, "%3u", tools->other);
    return hudColor(hud, text, row, values, 0, words, colors[tools->other], other);
}

static uint32_t writeNumbers(Hud *hud, Text *text, const void *shown, uint32_t section,
                             uint32_t row) {
    (void)hud;
    return numbersWrite(text, ((const Shown *)shown)->numbers, section, row);
}

void panelsWrite(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools,
                 const Source *source, uint32_t mode) {
    static const char *const titles[FOLDS] = {"Tools",   "Tool",  "Brush",   "Selection", "Edits",
                                              "File",    "View",  "Palette", "Colours",   "Colour",
                                              "Numbers", "Times", "Light",   "Tables"};
    static const HudPanel panels[] = {
        {FOLD_STRIP, FOLD_PALETTE, HUD_STRIP, false, hudStrip},
        {FOLD_NUMBERS, FOLDS, NUMBERS_COLUMNS, true, writeNumbers},
        {FOLD_PALETTE, FOLD_NUMBERS, HUD_PALETTE, false, writePalette},
    };
    static const HudLayout layout = {"murvoxels", panels, 3, titles, isOn, writeMeasure};
    const Shown shown = {numbers, tools, source, mode};
    hudWrite(hud, text, &layout, &shown, numbers->width, numbers->height, numbers->scale);
}
