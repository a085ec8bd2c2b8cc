/* Text on a picture that is a buffer of pixels: panels of characters, drawn by a compute shader.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_TEXT_H
#define DEMO_TEXT_H

#include "gpu.h"
#include "message.h"

enum { TEXT_CELLS = 16000, TEXT_PANELS = 8 };

/* A rectangle of characters. */
typedef struct TextPanel {
    uint32_t first; /* cell */
    uint32_t columns, rows;
    uint32_t row;    /* written next */
    float left, top; /* 0: at the left (top) edge of the picture, 1: at the other one */
} TextPanel;

typedef struct Text {
    Gpu *gpu;
    GpuKernel kernel;
    GpuBuffer font;
    GpuBuffer cells;
    uint32_t *host; /* TEXT_CELLS: character | color << 8 */
    uint32_t used;
    TextPanel panels[TEXT_PANELS];
    uint32_t panelCount;
    /* Of a letter and of the picture, in pixels. */
    uint32_t cellWidth, cellHeight, width, height;
    size_t letters; /* where those of this size are in the font, in bytes */
} Text;

bool textCreate(Gpu *gpu, Text *text);
void textDestroy(Text *text);

/* Begins anew, without panels, for a picture of this size. scale: of the display, 1 for letters of
 * 15 pixels. */
void textBegin(Text *text, uint32_t width, uint32_t height, float scale);
/* Adds a panel; what is printed goes there. Panels and cells beyond the limits are left out. */
void textPanel(Text *text, uint32_t columns, uint32_t rows, float left, float top);
/* Prints a line; what is longer than the panel is cut off. color: red in the highest of three
 * bytes. */
SAY_LIKE_PRINTF(3, 4) void textLine(Text *text, uint32_t color, const char *format, ...);
/* Writes words anywhere in the panel; what does not fit is cut off. */
void textPut(Text *text, uint32_t row, uint32_t column, uint32_t color, const char *words);
/* How many letters of words stand on a line, which ends with a word where it can. */
uint32_t textLineLength(const char *words, uint32_t columns);
/* Writes words on as many lines as they need, and returns how many; text is NULL if they are only
 * counted. */
uint32_t textWrap(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
                  const char *words);
/* A bar, filled to 0 ... 1. */
void textBar(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
             double filled);
/* Fills cells with a colour; each two are framed, if it is marked. */
void textSwatch(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
                bool marked);
/* Of the panel, only the first rows stay. */
void textShorten(Text *text, uint32_t rows);

/* Where a place of the picture, in pixels, is since textBegin: the panel on top there,
 * its row, and the column with its fraction. False: no panel is there. */
bool textFind(const Text *text, float x, float y, uint32_t *panel, uint32_t *row, float *column);

/* Records the drawing on a picture, after compute shaders and transfers that wrote it; compute
 * shaders and transfers may follow. */
void textCmdDraw(Text *text, const GpuBuffer *pixels, bool blueFirst);

#endif
