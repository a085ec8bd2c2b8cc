/* Text over a picture in a pixel buffer: panels of characters, drawn by a compute shader.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_TEXT_H
#define DEMO_TEXT_H

#include "gpu.h"
#include "message.h"

enum { TEXT_CELLS = 16000, TEXT_PANELS = 8 };
/* Colours of text. */
enum { TEXT_PLAIN = 0xD8DEE8, TEXT_WARNING = 0xFFB347, TEXT_GOOD = 0x8FE38F };

/* A rectangle of characters. */
typedef struct TextPanel {
    uint32_t first; /* index of its first cell */
    uint32_t columns, rows;
    float left, top; /* 0: left (top) edge of the picture, 1: right (bottom) edge */
} TextPanel;

typedef struct Text {
    Gpu *gpu;
    GpuKernel kernel;
    GpuBuffer font;
    GpuBuffer cells;
    uint32_t *host; /* TEXT_CELLS cells: character | color << 8 */
    uint32_t used;
    TextPanel panels[TEXT_PANELS];
    uint32_t panelCount;
    /* Size of a character and of the picture, in pixels. */
    uint32_t cellWidth, cellHeight, width, height;
    size_t letters; /* offset of this size in the font, in bytes */
} Text;

bool textCreate(Gpu *gpu, Text *text);
void textDestroy(Text *text);

/* Removes all panels for a picture of this size. scale: of the display; 1: 15-pixel characters. */
void textBegin(Text *text, uint32_t width, uint32_t height, float scale);
/* Adds a panel, to which later calls write. Panels and cells beyond the limits are omitted. */
void textPanel(Text *text, uint32_t columns, uint32_t rows, float left, float top);
/* Writes text at any place of the panel, clipped to it. color: 0xRRGGBB. */
void textPut(Text *text, uint32_t row, uint32_t column, uint32_t color, const char *words);
/* Returns how many characters of the text fit on a line, which ends after a word if possible. */
uint32_t textLineLength(const char *words, uint32_t columns);
/* Writes text on as many lines as needed, and returns their number. If text is NULL, only counts
 * them. */
uint32_t textWrap(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
                  const char *words);
/* Adds a panel with text on as many lines as needed, in the middle. top: as of a panel. */
void textMessage(Text *text, uint32_t color, float top, const char *words);
/* Draws a bar. filled: the filled fraction, 0 to 1. */
void textBar(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
             double filled);
/* Fills cells with a colour, two at a time. A marked pair has a frame. */
void textSwatch(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
                bool marked);
/* Removes the rows of the panel after the first `rows`. */
void textShorten(Text *text, uint32_t rows);

/* Finds the topmost panel at a position in pixels, the row, and the column with its fraction.
 * Returns false if there is no panel. */
bool textFind(const Text *text, float x, float y, uint32_t *panel, uint32_t *row, float *column);

/* Records the drawing on a picture, after compute shaders and transfers that wrote it; compute
 * shaders and transfers may follow. */
void textCmdDraw(Text *text, const GpuBuffer *pixels, bool blueFirst);

#endif
