/* Build tool: draws the printable characters of a monospaced font in some sizes and writes them as
 * C.
 *
 *     bake FONT.ttf OUTPUT.c SYMBOL PIXELS...
 *
 * For each size the array SYMBOL contains: cell width, cell height, then 95 cells (' ' to '~') of
 * coverage, one byte per pixel, rows from the top. SYMBOL_sizes is the number of sizes, SYMBOL_size
 * the number of bytes.
 * SPDX-License-Identifier: MIT */
#include <stb/stb_truetype.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 32, LAST = 126, MAX_CELL = 128 };

static unsigned char *readFile(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        return NULL;
    }
    const long size = ftell(file);
    unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(file);
    const int whole = bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    (void)fclose(file);
    return whole ? bytes : NULL;
}

/* Draws one character into a cell of width * height pixels, and clips it. */
static void drawCell(const stbtt_fontinfo *font, int code, float scale, int base, int width,
                     int height, unsigned char *cell) {
    int w, h, x, y;
    unsigned char *glyph = stbtt_GetCodepointBitmap(font, scale, scale, code, &w, &h, &x, &y);
    for (int row = 0; row < h && glyph; ++row) {
        for (int column = 0; column < w; ++column) {
            const int atX = x + column;
            const int atY = base + y + row;
            if (atX >= 0 && atX < width && atY >= 0 && atY < height) {
                cell[atY * width + atX] = glyph[row * w + column];
            }
        }
    }
    stbtt_FreeBitmap(glyph, NULL);
}

/* Returns the number of bytes written, or 0 if the size is unusable. */
static int bakeSize(const stbtt_fontinfo *font, int pixels, FILE *output) {
    static unsigned char cell[MAX_CELL * MAX_CELL];
    const float scale = stbtt_ScaleForPixelHeight(font, (float)pixels);
    int ascent, descent, gap, advance, bearing;
    stbtt_GetFontVMetrics(font, &ascent, &descent, &gap);
    stbtt_GetCodepointHMetrics(font, 'M', &advance, &bearing);
    const int width = (int)((float)advance * scale + 0.5f);
    const int height = pixels + pixels / 8;
    if (width < 1 || width > MAX_CELL || height > MAX_CELL) {
        return 0;
    }
    (void)fprintf(output, "    %d, %d,\n", width, height);
    for (int code = FIRST; code <= LAST; ++code) {
        memset(cell, 0, sizeof cell);
        drawCell(font, code, scale, (int)((float)ascent * scale + 0.5f) + pixels / 16, width,
                 height, cell);
        for (int i = 0; i < width * height; ++i) {
            (void)fprintf(output, "%d,%s", cell[i], i % 24 == 23 ? "\n" : "");
        }
        (void)fputc('\n', output);
    }
    return 2 + (LAST - FIRST + 1) * width * height;
}

int main(int argc, char **argv) {
    stbtt_fontinfo font;
    unsigned char *bytes = argc > 4 ? readFile(argv[1]) : NULL;
    if (!bytes || !stbtt_InitFont(&font, bytes, 0)) {
        (void)fputs("usage: bake FONT.ttf OUTPUT.c SYMBOL PIXELS...\n", stderr);
        return EXIT_FAILURE;
    }
    FILE *output = fopen(argv[2], "w");
    if (!output) {
        perror(argv[2]);
        return EXIT_FAILURE;
    }
    (void)fprintf(output, "#include <stddef.h>\n#include <stdint.h>\n");
    (void)fprintf(output, "extern const uint8_t %s[];\nextern const size_t %s_size;\n", argv[3],
                  argv[3]);
    (void)fprintf(output, "const uint8_t %s[] = {\n", argv[3]);
    int total = 0;
    int good = 1;
    for (int i = 4; i < argc && good; ++i) {
        const int size = bakeSize(&font, atoi(argv[i]), output);
        good = size > 0;
        total += size;
    }
    (void)fprintf(output, "};\nconst size_t %s_size = %d;\n", argv[3], total);
    good = fclose(output) == 0 && good;
    free(bytes);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
