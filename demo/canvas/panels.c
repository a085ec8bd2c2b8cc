/* SPDX-License-Identifier: MIT */
#include "window_internal.h"

#include <stdio.h>
#include <string.h>

enum { COLORS = 24, DIM = 0xA0A8B0, YELLOW = 0xF0D060 };
enum { SWATCHES, BRUSH }; /* the first panels */

/* From dark to light, and round the colours. */
static const uint32_t colors[COLORS] = {0x000000, 0x404040, 0x808080, 0xC0C0C0, 0xFFFFFF, 0x5A3420,
                                        0x8C5A30, 0xD2A070, 0x7A1010, 0xC02020, 0xF05030, 0xF09030,
                                        0xF0D040, 0xA0C030, 0x409030, 0x105020, 0x108080, 0x30B0C0,
                                        0x3070D0, 0x2040A0, 0x201860, 0x603090, 0xB040A0, 0xF090B0};

static const char *const help[][2] = {
    {"left drag", "paint"},
    {"right, middle drag", "move"},
    {"wheel", "zoom at the cursor"},
    {"Ctrl + click", "pick the colour under the cursor"},
    {"C", "mix a colour; a click on its number types it"},
    {"Ctrl+Shift+C", "type the colour as #RRGGBB; Ctrl+V pastes it"},
    {"B E", "brush, eraser"},
    {"[ ]", "smaller, larger"},
    {"; '", "softer, harder"},
    {"- =", "opacity of a stroke"},
    {"1 2 3 4", "the layer to paint on"},
    {"Ctrl+Z Ctrl+Y", "undo, redo"},
    {"Esc", "end the stroke, or close the question"},
    {"F", "the next stroke may take the room of the oldest half of undo"},
    {"Home", "the painted area; again: the whole canvas"},
    {"0", "pixel by pixel"},
    {"Ctrl+S Ctrl+Shift+S", "save, save under another name"},
    {"Ctrl+E", "export the view at its scale, with alpha"},
    {"Shift + left drag", "export a rectangle, pixel by pixel"},
    {"Ctrl+Q", "leave"},
    {"F1", "this help"},
};
enum { HELP = sizeof help / sizeof *help };

static void writeBrush(Window *window, Text *text) {
    enum { WHITE = 0xF0F0F0, ORANGE = 0xF0C080 };
    const Painter *painter = window->painter;
    const CanvasContent *now = &painter->canvas.now;
    const CanvasBrush *brush = &window->brush;
    const CanvasPlace place = windowPlace(window, window->gpu.cursor);
    textPanel(text, 66, 2, 0, 1);
    textLine(text, window->erases ? ORANGE : WHITE,
             "    %s  radius %.1f  hardness %u%%  opacity %u%%  layer %u",
             window->erases ? "eraser" : "brush", brush->radius / (double)CANVAS_FRACTION,
             brush->hardness * 100 / CANVAS_ONE, brush->opacity * 100 / CANVAS_ONE,
             brush->layer + 1);
    textSwatch(text, 0, 1, 3, mixerColor(&window->color), false);
    textLine(text, DIM, "%.0f, %.0f  %.4g%%  %u of %u tiles  undo %u%s",
             place.at[0] / (double)CANVAS_FRACTION, place.at[1] / (double)CANVAS_FRACTION,
             100 / windowStep(window), canvasTiles(&painter->canvas), now->tiles - 1,
             now->applied - now->dropped, strokesWait(&painter->strokes) ? "  painting" : "");
}

void panelsWrite(Window *window) {
    Text *text = &window->text;
    textBegin(text, window->swapchain.width, window->swapchain.height, window->gpu.scale);
    textPanel(text, 6, COLORS / 2, 0, 0.5f);
    for (uint32_t i = 0; i < COLORS; ++i) {
        textSwatch(text, i / 2, 1 + i % 2 * 2, 2, colors[i],
                   colors[i] == mixerColor(&window->color));
    }
    writeBrush(window, text);
    window->color.panel = 0;
    if (window->mixes) {
        mixerWrite(&window->color, text);
    }
    if (window->helps) {
        textPanel(text, 84, HELP, 0.5f, 0.5f);
        for (uint32_t i = 0; i < HELP; ++i) {
            textPut(text, i, 1, YELLOW, help[i][0]);
            textPut(text, i, 22, TEXT_PLAIN, help[i][1]);
        }
    }
    if (window->message) {
        textMessage(text, YELLOW, 0.9f, window->message);
    }
    dialogWrite(&window->dialog, text, "Enter accepts, Esc cancels");
}

bool panelsPress(Window *window) {
    const double *at = window->gpu.cursor;
    uint32_t panel, row;
    float column;
    panelsWrite(window); /* the last frame may have been drawn before another event */
    if (!textFind(&window->text, (float)at[0], (float)at[1], &panel, &row, &column)) {
        return false;
    }
    if (panel == SWATCHES) {
        windowColor(window, colors[row * 2 + (column >= 3)]);
    } else if (panel == BRUSH && row == 0 && column < 4) {
        window->mixes = !window->mixes;
    } else if (panel + 1 == window->color.panel && row == 0) {
        windowAsk(window, false);
    } else if (mixerDrag(&window->color, &window->text, at, true)) {
        window->drag = DRAG_MIX;
        window->erases = false;
    }
    return true;
}

void panelsTitle(Window *window) {
    const Painter *painter = window->painter;
    char title[sizeof window->title];
    (void)snprintf(title, sizeof title, "murcanvas: %s%s%s",
                   painter->path ? painter->path : "new painting",
                   painter->reads ? " (read only)" : "", window->changed ? " *" : "");
    if (strcmp(title, window->title) != 0) {
        (void)strcpy(window->title, title);
        glfwSetWindowTitle(window->gpu.handle, title);
    }
}
