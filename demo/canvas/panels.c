/* SPDX-License-Identifier: MIT */
#include "window_internal.h"

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
    {COMMAND_BRUSH, FOLD_BRUSH, "B", "brush", "paints with the colour"},
    {COMMAND_ERASER, FOLD_BRUSH, "E", "eraser", "erases the layer"},
    {COMMAND_SMALLER, FOLD_BRUSH, "[", "smaller", "a smaller brush"},
    {COMMAND_LARGER, FOLD_BRUSH, "]", "radius", "a larger brush"},
    {COMMAND_SOFTER, FOLD_BRUSH, ";", "softer", "a softer edge"},
    {COMMAND_HARDER, FOLD_BRUSH, "'", "hardness", "a harder edge"},
    {COMMAND_PALER, FOLD_BRUSH, "-", "paler", "less opacity of a stroke"},
    {COMMAND_DENSER, FOLD_BRUSH, "= +", "opacity", "more opacity of a stroke"},
    {COMMAND_LESS_FLOW, FOLD_BRUSH, ",", "less flow", "less paint of a dab"},
    {COMMAND_FLOW, FOLD_BRUSH, ".", "flow", "more paint; at 100% dabs do not add up"},
    {COMMAND_LAYER_FIRST, FOLD_BRUSH, "1", "layer 1", "paints on the lowest layer"},
    {COMMAND_LAYER_FIRST + 1, FOLD_BRUSH, "2", "layer 2", "on the second one"},
    {COMMAND_LAYER_FIRST + 2, FOLD_BRUSH, "3", "layer 3", "on the third one"},
    {COMMAND_LAYER_LAST, FOLD_BRUSH, "4", "layer 4", "on the highest one"},
    {COMMAND_LAYER_HIDE, FOLD_BRUSH, "L", "hide layer", "hides the layer, or shows it again"},
    {COMMAND_COLOR_PICK, 0, "C", "pick", "picks the colour under the cursor, as Ctrl + click does"},
    {COMMAND_COLOR_SWAP, 0, "X", "swap", "swaps the two colours"},
    {COMMAND_COLOR_TYPE, 0, "Ctrl+Shift+C", "type colour",
     "types the colour as #RRGGBB, as a click on it in the palette does"},
    {COMMAND_UNDO, FOLD_EDITS, "Ctrl+Z", "undo", "undoes the last stroke"},
    {COMMAND_REDO, FOLD_EDITS, "Ctrl+Y Ctrl+Shift+Z", "redo", "makes it again"},
    {COMMAND_ROOM, FOLD_EDITS, "F", "free undo's room",
     "the next stroke may take the room of the oldest half of undo"},
    {COMMAND_NEW, FOLD_FILE, "Ctrl+N", "new", "begins a new painting"},
    {COMMAND_OPEN, FOLD_FILE, "Ctrl+O", "open", "opens a painting"},
    {COMMAND_SAVE, FOLD_FILE, "Ctrl+S", "save", "saves"},
    {COMMAND_SAVE_AS, FOLD_FILE, "Ctrl+Shift+S", "save as", "saves under another name"},
    {COMMAND_EXPORT, FOLD_FILE, "Ctrl+E", "export view",
     "exports the view at its scale, with alpha"},
    {COMMAND_ALL, FOLD_VIEW, "Home", "show all", "shows the painted area; again: the whole canvas"},
    {COMMAND_ACTUAL, FOLD_VIEW, "0", "actual pixels", "shows the painting pixel by pixel"},
    {COMMAND_PANELS, FOLD_VIEW, "Tab", "panels", "hides the panels, or shows them"},
    {COMMAND_HELP, FOLD_VIEW, "F1", "all keys", "this help, page by page"},
    {COMMAND_CONFIRM, 0, "Enter", "yes", "yes, to a question"},
    {COMMAND_REFUSE, 0, "N", "no", "no, to a question"},
    {COMMAND_CANCEL, 0, "Esc", "cancel", "ends the stroke, or closes a question"},
    {COMMAND_PASTE, 0, "Ctrl+V", "paste", "pastes the clipboard into a question"},
    {COMMAND_BACK, 0, "Backspace", "back", "removes the letter that was typed last"},
    {COMMAND_DOWN, 0, "Down", "next", "the next row of a list"},
    {COMMAND_UP, 0, "Up", "before", "the row before"},
    {COMMAND_QUIT, 0, "Ctrl+Q", "quit", "leaves"},
    {COMMAND_NONE, 0, "left drag", NULL, "paints"},
    {COMMAND_NONE, 0, "Shift + left drag", NULL, "exports a rectangle, pixel by pixel"},
    {COMMAND_NONE, 0, "right, middle drag", NULL, "moves the view"},
    {COMMAND_NONE, 0, "wheel", NULL, "zooms at the cursor"},
    {0},
};

static bool isOn(const Hud *hud, const void *from, Command command, char words[32]) {
    const Window *window = from;
    const CanvasBrush *brush = &window->brush;
    (void)hud;
    if (command == COMMAND_LARGER) {
        (void)snprintf(words, 32, "radius %.1f", brush->radius / (double)CANVAS_FRACTION);
    } else if (command == COMMAND_HARDER) {
        (void)snprintf(words, 32, "hardness %u%%", brush->hardness * 100 / CANVAS_ONE);
    } else if (command == COMMAND_DENSER) {
        (void)snprintf(words, 32, "opacity %u%%", brush->opacity * 100 / CANVAS_ONE);
    } else if (command == COMMAND_FLOW) {
        (void)snprintf(words, 32, "flow %u%%", brush->flow * 100 / CANVAS_ONE);
    }
    for (uint32_t layer = 0; layer < CANVAS_LAYERS; ++layer) {
        if (command == COMMAND_LAYER_FIRST + layer && window->hidden & CANVAS_HIDES << layer) {
            (void)snprintf(words, 32, "layer %u, hidden", layer + 1);
        }
    }
    return command == (window->erases ? COMMAND_ERASER : COMMAND_BRUSH) ||
           command == COMMAND_LAYER_FIRST + brush->layer;
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
    static const char *const titles[FOLDS] = {"Palette", "Colours", "Colour", "Tools",
                                              "Brush",   "Edits",   "File",   "View"};
    static const HudPanel panels[] = {{FOLD_STRIP, FOLDS, HUD_STRIP, false, hudStrip},
                                      {FOLD_PALETTE, FOLD_STRIP, HUD_PALETTE, false, writePalette}};
    static const HudLayout layout = {"murcanvas", panels, 2, titles, isOn, writeMeasure};
    hudWrite(&window->hud, &window->text, &layout, window, window->swapchain.width,
             window->swapchain.height, window->gpu.scale);
}

/* Returns whether the cursor is on a panel, and what it can click there. */
static bool findArea(const Window *window, HudArea *area, float *fraction) {
    return hudFind(&window->hud, &window->text, (float)window->gpu.cursor[0],
                   (float)window->gpu.cursor[1], area, fraction);
}

bool panelsCover(const Window *window) {
    return findArea(window, &(HudArea){0}, &(float){0});
}

bool panelsPress(Window *window) {
    HudArea area;
    float fraction;
    panelsWrite(window); /* the last frame may have been drawn before another event */
    const bool over = hudPress(&window->hud, &window->text, (float)window->gpu.cursor[0],
                               (float)window->gpu.cursor[1], &area, &fraction);
    if (area.command == COMMAND_CHANNEL) {
        window->drag = DRAG_BAR;
        window->bar = area.value;
        panelsDrag(window);
    } else if (area.command == COMMAND_COLOR_SET) {
        commandColor(window, COLOR_RGB, colors[area.value]);
    } else {
        commandDo(window, area.command);
    }
    return over || window->asked;
}

void panelsDrag(Window *window) {
    HudArea area;
    float fraction;
    if (findArea(window, &area, &fraction) && area.command == COMMAND_CHANNEL &&
        area.value == window->bar) {
        commandColor(window, window->bar, colorAt(window->bar, fraction));
    }
}
