/* The content of the panels: tools, palette, numbers, help.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PANELS_H
#define MURVOXELS_PANELS_H

#include "common/hud.h"
#include "tools.h"
#include "view/tracer.h"

/* All of it may be frames old. */
typedef struct HudNumbers {
    double frame, trace, edit,
        host;                     /* milliseconds; the first three on the GPU, negative: unknown */
    double passes[TRACER_PASSES]; /* milliseconds on the GPU, negative: unknown */
    ViewCounts counts;
    WorldReport last; /* the last edit */
    bool hasLast;
    WorldUse use;
    const MurStats *table; /* NULL: not yet */
    uint64_t bytes;        /* of GPU memory */
    uint64_t dense;        /* bytes of an array of voxels instead */
    bool measures;         /* the result of toolsMeasure is known */
    int32_t at[3], size[3];
    uint32_t width, height; /* of the picture */
    float scale;            /* of the display */
    const char *device;
} HudNumbers;

/* The program's own panel, and its sections. */
enum { FOLD_NUMBERS = FOLD_OWN, FOLD_TIMES, FOLD_LIGHT, FOLD_TABLES, FOLDS };

/* Fills the text of a frame. */
void panelsWrite(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools,
                 const Source *source, uint32_t mode);

/* For panels.c: a section of the panel of numbers, which has NUMBERS_COLUMNS. */
enum { NUMBERS_COLUMNS = 40 };
uint32_t numbersWrite(Text *text, const HudNumbers *numbers, uint32_t section, uint32_t row);

#endif
