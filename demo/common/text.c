/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "shaders/text_layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GPU_SPIRV(demo_spv_text);

/* Drawn by the build: see font/bake.c. */
extern const uint8_t demo_font[];
extern const size_t demo_font_size;

enum { GLYPHS = TEXT_LAST - TEXT_FIRST + 1, MAX_SIZES = 8, MAX_LINE = 512 };

typedef struct FontSize {
    uint32_t width, height;
    size_t at; /* byte of the atlas on the GPU, a multiple of 4 */
} FontSize;

static size_t cellBytes(const FontSize *size) {
    return ((size_t)GLYPHS * size->width * size->height + 3) & ~(size_t)3;
}

/* The sizes that there are, smallest first; atlas, unless NULL, gets the cells. Returns how
 * many. */
static uint32_t readFont(FontSize sizes[MAX_SIZES], uint8_t *atlas, size_t *bytes) {
    uint32_t count = 0;
    *bytes = 0;
    for (size_t at = 0; at + 2 <= demo_font_size && count < MAX_SIZES; ++count) {
        FontSize *size = &sizes[count];
        *size = (FontSize){demo_font[at], demo_font[at + 1], *bytes};
        const size_t length = (size_t)GLYPHS * size->width * size->height;
        if (atlas) {
            memcpy(atlas + *bytes, demo_font + at + 2, length);
        }
        *bytes += cellBytes(size);
        at += 2 + length;
    }
    return count;
}

bool textCreate(Gpu *gpu, Text *text) {
    FontSize sizes[MAX_SIZES];
    size_t bytes;
    memset(text, 0, sizeof *text);
    text->gpu = gpu;
    (void)readFont(sizes, NULL, &bytes);
    uint8_t *atlas = calloc(1, bytes);
    text->host = calloc(TEXT_CELLS, sizeof *text->host);
    bool made = (atlas && text->host) || sayError("no memory for text");
    if (made) {
        (void)readFont(sizes, atlas, &bytes);
        made = gpuUpload(gpu, atlas, bytes, "font", &text->font) &&
               gpuCreateBuffer(gpu, 4 * TEXT_CELLS, GPU_DEVICE, "text", &text->cells) &&
               gpuCreateKernel(gpu, "text", demo_spv_text, demo_spv_text_size, sizeof(TextPush),
                               &text->kernel);
    }
    free(atlas);
    return made;
}

void textDestroy(Text *text) {
    if (text->gpu) {
        gpuDestroyKernel(text->gpu, &text->kernel);
        gpuDestroyBuffer(text->gpu, &text->font);
        gpuDestroyBuffer(text->gpu, &text->cells);
    }
    free(text->host);
    *text = (Text){0};
}

void textBegin(Text *text, uint32_t width, uint32_t height, float scale) {
    FontSize sizes[MAX_SIZES] = {{0}};
    size_t bytes;
    const uint32_t count = readFont(sizes, NULL, &bytes);
    uint32_t size = 0;
    while (size + 1 < count && (float)sizes[size + 1].width <= scale * (float)sizes[0].width) {
        ++size;
    }
    text->used = text->panelCount = 0;
    text->cellWidth = sizes[size].width;
    text->cellHeight = sizes[size].height;
    text->letters = sizes[size].at;
    text->width = width;
    text->height = height;
}

void textPanel(Text *text, uint32_t columns, uint32_t rows, float left, float top) {
    const uint32_t cells = columns * rows;
    if (text->panelCount == TEXT_PANELS || cells > TEXT_CELLS - text->used) {
        return;
    }
    memset(text->host + text->used, 0, cells * sizeof *text->host);
    text->panels[text->panelCount++] = (TextPanel){
        .first = text->used, .columns = columns, .rows = rows, .left = left, .top = top};
    text->used += cells;
}

void textShorten(Text *text, uint32_t rows) {
    TextPanel *panel = text->panelCount ? &text->panels[text->panelCount - 1] : NULL;
    if (panel && rows < panel->rows) {
        text->used -= panel->columns * (panel->rows - rows);
        panel->rows = rows;
    }
}

/* The cells of the next row, or NULL; a margin of one column at either side stays free. */
static uint32_t *nextRow(Text *text, uint32_t *length) {
    TextPanel *panel = text->panelCount ? &text->panels[text->panelCount - 1] : NULL;
    if (!panel || panel->row == panel->rows || panel->columns < 3) {
        return NULL;
    }
    *length = panel->columns - 2;
    return text->host + panel->first + panel->columns * panel->row++ + 1;
}

void textLine(Text *text, uint32_t color, const char *format, ...) {
    char line[MAX_LINE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    uint32_t length;
    uint32_t *cells = nextRow(text, &length);
    for (uint32_t i = 0; cells && i < length && line[i]; ++i) {
        cells[i] = (uint8_t)line[i] | color << 8;
    }
}

static uint32_t *cellAt(Text *text, uint32_t row, uint32_t column) {
    TextPanel *panel = text->panelCount ? &text->panels[text->panelCount - 1] : NULL;
    return panel && row < panel->rows && column < panel->columns
               ? text->host + panel->first + panel->columns * row + column
               : NULL;
}

void textPut(Text *text, uint32_t row, uint32_t column, uint32_t color, const char *words) {
    uint32_t *cell = cellAt(text, row, column);
    for (uint32_t i = 0; cell && words[i]; ++i, cell = cellAt(text, row, column + i)) {
        *cell = (uint8_t)words[i] | color << 8;
    }
}

uint32_t textLineLength(const char *words, uint32_t columns) {
    uint32_t length = (uint32_t)strlen(words);
    if (length > columns) {
        for (length = columns; length > 0 && words[length] != ' '; --length) {
        }
        length = length ? length : columns;
    }
    return length;
}

uint32_t textWrap(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
                  const char *words) {
    uint32_t rows = 0;
    for (; *words; ++rows) {
        char line[MAX_LINE];
        const uint32_t length = textLineLength(words, columns);
        (void)snprintf(line, sizeof line, "%.*s", (int)length, words);
        if (text) {
            textPut(text, row + rows, column, color, line);
        }
        words += length + (words[length] == ' ');
    }
    return rows;
}

void textBar(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
             double filled) {
    enum { TRACK = 0x30343C };
    const double clamped = filled < 0 ? 0 : filled > 1 ? 1 : filled;
    const uint32_t eighths = (uint32_t)(clamped * columns * 8 + 0.5);
    for (uint32_t i = 0; i < columns; ++i) {
        const uint32_t here = eighths <= 8 * i ? 0 : eighths - 8 * i > 8 ? 8 : eighths - 8 * i;
        const char bar[2] = {(char)(here ? here : 8), '\0'};
        textPut(text, row, column + i, here ? color : TRACK, bar);
    }
}

void textSwatch(Text *text, uint32_t row, uint32_t column, uint32_t columns, uint32_t color,
                bool marked) {
    for (uint32_t i = 0; i < columns; ++i) {
        uint32_t *cell = cellAt(text, row, column + i);
        if (cell) {
            *cell = (marked ? TEXT_FRAMED + i % 2 : TEXT_FILLED) | color << 8;
        }
    }
}

/* Where a panel is, in pixels. */
static void panelPlace(const Text *text, const TextPanel *panel, uint32_t *x, uint32_t *y) {
    const uint32_t width = panel->columns * text->cellWidth;
    const uint32_t height = panel->rows * text->cellHeight;
    *x = (uint32_t)(panel->left * (float)(text->width > width ? text->width - width : 0));
    *y = (uint32_t)(panel->top * (float)(text->height > height ? text->height - height : 0));
}

bool textFind(const Text *text, float x, float y, uint32_t *panel, uint32_t *row, float *column) {
    for (uint32_t i = text->panelCount; i-- > 0;) {
        uint32_t left;
        uint32_t top;
        panelPlace(text, &text->panels[i], &left, &top);
        const float down = (y - (float)top) / (float)text->cellHeight;
        *column = (x - (float)left) / (float)text->cellWidth;
        if (*column >= 0 && *column < (float)text->panels[i].columns && down >= 0 &&
            down < (float)text->panels[i].rows) {
            *panel = i;
            *row = (uint32_t)down;
            return true;
        }
    }
    return false;
}

static void drawPanel(Text *text, const TextPanel *panel, TextPush push) {
    push.cells = text->cells.address + 4 * (VkDeviceAddress)panel->first;
    panelPlace(text, panel, &push.x, &push.y);
    push.columns = panel->columns;
    push.rows = panel->rows;
    gpuDispatch(text->gpu, &text->kernel, &push, (panel->columns * push.cellWidth + 7) / 8,
                (panel->rows * push.cellHeight + 7) / 8, 1);
}

void textCmdDraw(Text *text, const GpuBuffer *pixels, bool blueFirst) {
    if (text->used == 0) {
        return;
    }
    const TextPush push = {
        .pixels = pixels->address,
        .font = text->font.address + text->letters,
        .cellWidth = text->cellWidth,
        .cellHeight = text->cellHeight,
        .width = text->width,
        .height = text->height,
        .blueFirst = blueFirst,
    };
    gpuTransferBarrier(text->gpu);
    gpuUpdate(text->gpu, text->host, &text->cells, 0, 4 * (VkDeviceSize)text->used);
    gpuTransferBarrier(text->gpu);
    for (uint32_t i = 0; i < text->panelCount; ++i) {
        drawPanel(text, &text->panels[i], push);
        gpuComputeBarrier(text->gpu); /* panels may overlap */
    }
    gpuTransferBarrier(text->gpu);
}
