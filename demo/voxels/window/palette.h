/* Edits of the palette, which are undone and redone in their order among edits of the world.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PALETTE_H
#define MURVOXELS_PALETTE_H

#include "model/source.h"

enum { PALETTE_CHANGES = 128, PALETTE_LIGHT = 3 };

typedef struct PaletteChange {
    uint32_t stroke;  /* as of edits of the world: greater is later */
    uint8_t index;    /* of the entry */
    uint8_t entry[4]; /* red, green, blue, light: what it was, or, of what can be redone, becomes */
} PaletteChange;

typedef struct Palette {
    PaletteChange changes[PALETTE_CHANGES]; /* the oldest are forgotten */
    uint32_t undos, redos;                  /* the first can be undone, those behind them redone */
    bool changed; /* for whoever draws: since this was last set to false */
} Palette;

/* Sets a channel of an entry: red, green, blue (0 to 255) or light (0 to 100). What is set of an
 * entry in one stroke is one change. */
void paletteSet(Palette *palette, Source *source, uint32_t index, uint32_t channel, uint8_t value,
                uint32_t stroke);
/* Undoes, or redoes, a change of the palette if it is its turn. False: it is the world's, of which
 * this stroke (0: none) would be undone (redone) next. */
bool paletteUndo(Palette *palette, Source *source, uint32_t stroke);
bool paletteRedo(Palette *palette, Source *source, uint32_t stroke);
/* What was undone before the last stroke of the world cannot be redone. */
void paletteForget(Palette *palette, uint32_t stroke);

#endif
