/* SPDX-License-Identifier: MIT */
#include "palette.h"

#include <string.h>

static void take(const Source *source, uint32_t index, uint8_t entry[4]) {
    memcpy(entry, source->palette[index], 3);
    entry[PALETTE_LIGHT] = source->glow[index][0];
}

/* Exchanges what the source has with what the change has. */
static void swap(Palette *palette, Source *source, PaletteChange *change) {
    uint8_t now[4];
    take(source, change->index, now);
    memcpy(source->palette[change->index], change->entry, 3);
    source->glow[change->index][0] = change->entry[PALETTE_LIGHT];
    memcpy(change->entry, now, sizeof now);
    palette->changed = true;
}

void paletteForget(Palette *palette, uint32_t stroke) {
    if (palette->redos && palette->changes[palette->undos].stroke < stroke) {
        palette->redos = 0;
    }
}

void paletteSet(Palette *palette, Source *source, uint32_t index, uint32_t channel, uint8_t value,
                uint32_t stroke) {
    uint8_t *at = channel < PALETTE_LIGHT ? &source->palette[index][channel]
                                          : &source->glow[index][0];
    if (*at == value) {
        return;
    }
    if (palette->undos == 0 || palette->changes[palette->undos - 1].stroke != stroke ||
        palette->changes[palette->undos - 1].index != index) {
        if (palette->undos == PALETTE_CHANGES) {
            memmove(palette->changes, palette->changes + 1,
                    (PALETTE_CHANGES - 1) * sizeof *palette->changes);
            --palette->undos;
        }
        PaletteChange *change = &palette->changes[palette->undos++];
        *change = (PaletteChange){.stroke = stroke, .index = (uint8_t)index};
        take(source, index, change->entry);
    }
    *at = value;
    source->palette[index][3] = 255;
    palette->redos = 0;
    palette->changed = true;
}

bool paletteUndo(Palette *palette, Source *source, uint32_t stroke) {
    PaletteChange *last = palette->undos ? &palette->changes[palette->undos - 1] : NULL;
    if (!last || last->stroke < stroke) {
        return false;
    }
    swap(palette, source, last);
    --palette->undos;
    ++palette->redos;
    return true;
}

bool paletteRedo(Palette *palette, Source *source, uint32_t stroke) {
    PaletteChange *next = &palette->changes[palette->undos];
    if (palette->redos == 0 || (stroke && next->stroke > stroke)) {
        return false;
    }
    swap(palette, source, next);
    ++palette->undos;
    --palette->redos;
    return true;
}
