/* Edits of the palette, which are undone and redone in their order among edits of the world.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PALETTE_H
#define MURVOXELS_PALETTE_H

#include "model/source.h"

enum { PALETTE_CHANGES = 128, PALETTE_LIGHT = 3 };

typedef struct PaletteChange {
    uint64_t moment;  /* of the world: edits up to it came before */
    uint8_t index;    /* of the entry that is */
    uint8_t entry[4]; /* red, green, blue, light: what it was, or, of what can be redone, becomes */
} PaletteChange;

typedef struct Palette {
    PaletteChange changes[PALETTE_CHANGES]; /* the oldest are forgotten */
    uint32_t undos, redos;                  /* the first can be undone, those behind them redone */
    bool changed; /* for whoever draws: since this was last set to false */
} Palette;

/* Sets a channel of an entry: red, green, blue (0 to 255) or light (0 to 100). goes on: the same
 * change as the last call's. moment: worldMoment. */
void paletteSet(Palette *palette, Source *source, uint32_t index, uint32_t channel, uint8_t value,
                bool goesOn, uint64_t moment);
/* Undoes, or redoes, a change of the palette if one comes before any of the world's. False: it is
 * the world's turn. */
bool paletteUndo(Palette *palette, Source *source, uint64_t moment);
bool paletteRedo(Palette *palette, Source *source, uint64_t moment);
/* What was undone cannot be redone: another edit was made. */
void paletteForget(Palette *palette);

#endif
