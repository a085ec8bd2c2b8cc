/* SPDX-License-Identifier: MIT */
#include "window.h"

#include <stdio.h>
#include <string.h>

enum { COLORS = 24 };

/* From dark to light, and round the colours. */
static const uint32_t colors[COLORS] = {0x000000, 0x404040, 0x808080, 0xC0C0C0, 0xFFFFFF, 0x5A3420,
                                        0x8C5A30, 0xD2A070, 0x7A1010, 0xC02020, 0xF05030, 0xF09030,
                                        0xF0D040, 0xA0C030, 0x409030, 0x105020, 0x108080, 0x30B0C0,
                                        0x3070D0, 0x2040A0, 0x201860, 0x603090, 0xB040A0, 0xF090B0};

const Places places = {"recent-paintings", {".murcanvas"}};

const Widget widgets[] = {
    {COMMAND_BRUSH, SECTION_TOOLS, "B", "brush", "paints with the colour"},
    {COMMAND_ERASER, SECTION_TOOLS, "E", "eraser", "erases the layer"},
    {COMMAND_SCALE_FIRST, SECTION_BRUSH, "[", "smaller", "a smaller brush"},
    {COMMAND_SCALE_FIRST + 1, SECTION_BRUSH, "]", "radius", "a larger brush"},
    {COMMAND_SCALE_FIRST + 2, SECTION_BRUSH, ";", "softer", "a softer edge"},
    {COMMAND_SCALE_FIRST + 3, SECTION_BRUSH, "'", "hardness", "a harder edge"},
    {COMMAND_SCALE_FIRST + 4, SECTION_BRUSH, "-", "paler", "less opacity of a stroke"},
    {COMMAND_SCALE_FIRST + 5, SECTION_BRUSH, "= +", "opacity", "more opacity of a stroke"},
    {COMMAND_SCALE_FIRST + 6, SECTION_BRUSH, ",", "less flow", "less paint of a dab"},
    {COMMAND_SCALE_LAST, SECTION_BRUSH, ".", "flow", "more paint; at 100% dabs do not add up"},
    {COMMAND_LAYER_FIRST, SECTION_OWN, "1", "layer 1", "paints on the lowest layer"},
    {COMMAND_LAYER_FIRST + 1, SECTION_OWN, "2", "layer 2", "on the second one"},
    {COMMAND_LAYER_FIRST + 2, SECTION_OWN, "3", "layer 3", "on the third one"},
    {COMMAND_LAYER_LAST, SECTION_OWN, "4", "layer 4", "on the highest one"},
    {COMMAND_LAYER_HIDE, SECTION_OWN, "L", "hide layer", "hides the layer, or shows it again"},
    {COMMAND_ROOM, SECTION_EDITS, "F", "free undo's room",
     "the next stroke may take the room of the oldest half of undo"},
    {COMMAND_EXPORT, SECTION_FILE, "Ctrl+E", "export view",
     "exports the view at its scale, with alpha"},
    {COMMAND_ACTUAL, SECTION_VIEW, "0", "actual pixels", "shows the painting pixel by pixel"},
    {COMMAND_DOWN, SECTION_KEYS, "Down", "next", "the next row of a list"},
    {COMMAND_UP, SECTION_KEYS, "Up", "before", "the row before"},
    {COMMAND_NONE, SECTION_KEYS, "left drag", NULL, "paints; with Ctrl picks the colour"},
    {COMMAND_NONE, SECTION_KEYS, "Shift + left drag", NULL, "exports a rectangle, pixel by pixel"},
    {COMMAND_NONE, SECTION_KEYS, "right, middle drag", NULL, "moves the view"},
    {COMMAND_NONE, SECTION_KEYS, "wheel", NULL, "zooms at the cursor"},
    {COMMAND_NONE, SECTION_KEYS, "Home Home", NULL,
     "shows the painted area, then the whole canvas"},
    {0},
};

/* Adds to the words: the value of the brush, or that a layer is hidden. */
static bool isOn(const Hud *hud, const void *from, Command command, char words[32]) {
    const Window *window = from;
    const CanvasBrush *brush = &window->brush;
    const double values[] = {(double)brush->radius / CANVAS_FRACTION,
                             100.0 * brush->hardness / CANVAS_ONE,
                             100.0 * brush->opacity / CANVAS_ONE, 100.0 * brush->flow / CANVAS_ONE};
    const uint32_t scale = command - COMMAND_SCALE_FIRST, layer = command - COMMAND_LAYER_FIRST;
    const size_t used = strlen(words);
    (void)hud;
    if (scale < 8 && scale % 2) {
        (void)snprintf(words + used, 32 - used, scale > 1 ? " %.0f%%" : " %.1f", values[scale / 2]);
    }
    if (layer < CANVAS_LAYERS && window->hidden & CANVAS_HIDES << layer) {
        (void)snprintf(words + used, 32 - used, ", hidden");
    }
    return command == (window->erases ? COMMAND_ERASER : COMMAND_BRUSH) || layer == brush->layer;
}

static uint32_t writePalette(Hud *hud, Text *text, const void *from, uint32_t section,
                             uint32_t row) {
    const Window *window = from;
    uint32_t values[COLOR_BARS + 1] = {0};
    uint32_t chosen = 0;
    for (uint32_t i = 0; i <= COLOR_RGB; ++i) {
        values[i] = i == COLOR_LIGHT ? 0 : colorGet(window->rgb, window->hsv, i);
    }
    while (chosen < COLORS && colors[chosen] != values[COLOR_RGB]) {
        ++chosen;
    }
    return section == FOLD_COLORS
               ? hudSwatches(hud, text, row, colors, 0, COLORS, 4, chosen)
               : hudColor(hud, text, row, values, 1u << COLOR_LIGHT, "", window->other, "");
}

static void writeMeasure(Text *text, const void *from) {
    const Window *window = from;
    const Painter *painter = window->painter;
    const CanvasContent *now = &painter->canvas.now;
    const CanvasPlace place = windowPlace(window, window->gpu.cursor);
    char words[120];
    const int used = snprintf(
        words, sizeof words, "%.0f, %.0f  %.4g%%  %u of %u tiles  undo %u%s",
        place.at[0] / (double)CANVAS_FRACTION, place.at[1] / (double)CANVAS_FRACTION,
        100 / windowStep(window), canvasTiles(&painter->canvas), now->tiles - 1,
        now->applied - now->dropped, strokesWait(&painter->strokes) ? "  painting" : "");
    textPanel(text, (uint32_t)used + 2, 1, 0.5f, 1);
    textPut(text, 0, 1, HUD_PLAIN, words);
}

void panelsWrite(Window *window) {
    static const char *const titles[] = {"Tools", "Tool", "Brush",   "Layer",   "Edits",
                                         "File",  "View", "Palette", "Colours", "Colour"};
    static const HudPanel panels[] = {{FOLD_STRIP, FOLD_PALETTE, HUD_STRIP, false, hudStrip},
                                      {FOLD_PALETTE, FOLD_OWN, HUD_PALETTE, false, writePalette}};
    static const HudLayout layout = {"murcanvas", panels, 2, titles, isOn, writeMeasure};
    hudWrite(&window->hud, &window->text, &layout, window, window->swapchain.width,
             window->swapchain.height, window->gpu.scale);
}

bool panelsCover(const Window *window) {
    return hudFind(&window->hud, &window->text, (float)window->gpu.cursor[0],
                   (float)window->gpu.cursor[1], &(HudArea){0});
}

bool panelsPress(Window *window) {
    HudArea area;
    panelsWrite(window); /* the last frame may have been drawn before another event */
    const bool over = hudPress(&window->hud, &window->text, (float)window->gpu.cursor[0],
                               (float)window->gpu.cursor[1], &area);
    if (area.command == COMMAND_CHANNEL) {
        window->drag = DRAG_BAR;
        commandColor(window, area.value, area.level);
    } else if (area.command == COMMAND_COLOR_SET) {
        commandColor(window, COLOR_RGB, colors[area.value]);
    } else {
        commandDo(window, area.command);
    }
    return over || window->hud.asked;
}

void panelsDrag(Window *window) {
    HudArea area;
    if (hudDrag(&window->hud, &window->text, (float)window->gpu.cursor[0],
                (float)window->gpu.cursor[1], &area)) {
        commandColor(window, area.value, area.level);
    }
}
