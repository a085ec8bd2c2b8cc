/* Edits of the palette, which are undone and redone in their order among edits of the world.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PALETTE_H
#define MURVOXELS_PALETTE_H

#include "common/color.h"
#include "model/source.h"

enum { PALETTE_CHANGES = 128 };

typedef struct PaletteChange {
    uint32_t stroke;  /* as of edits of the world: greater is later */
    uint32_t state;   /* of the palette after it */
    uint8_t index;    /* of the entry */
    uint8_t entry[4]; /* red, green, blue, light: before, or, of a change to redo, after */
} PaletteChange;

typedef struct Palette {
    PaletteChange changes[PALETTE_CHANGES]; /* the oldest are forgotten */
    uint32_t undos, redos;                  /* the first can be undone, those after them redone */
    uint32_t states, forgotten; /* that there have been; of the change before the first */
    uint32_t mixed;             /* the entry that was last set by its hue, saturation or value, */
    float hsv[3];               /* which are these: black and grey have lost them */
    bool changed;               /* for drawing code: since this was last set to false */
} Palette;

uint32_t paletteGet(const Palette *palette, const Source *source, uint32_t index, uint32_t channel);
/* Sets a channel of an entry: a bar of common/color.h or COLOR_RGB. All settings of an entry by one
 * stroke are one change. */
void paletteSet(Palette *palette, Source *source, uint32_t index, uint32_t channel, uint32_t value,
                uint32_t stroke);
/* Undoes, or redoes, a change of the palette if it is its turn. False: it is the world's, of which
 * this stroke (0: none) would be undone (redone) next. */
bool paletteUndo(Palette *palette, Source *source, uint32_t stroke);
bool paletteRedo(Palette *palette, Source *source, uint32_t stroke);
/* Identifies this state of the palette. */
uint32_t paletteState(const Palette *palette);
/* Drops the changes that were undone before the last stroke of the world. */
void paletteForget(Palette *palette, uint32_t stroke);

#endif
