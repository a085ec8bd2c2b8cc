/* SPDX-License-Identifier: MIT */
#include "palette.h"

#include <string.h>

static void take(const Source *source, uint32_t index, uint8_t entry[4]) {
    memcpy(entry, source->set.palette[index], 3);
    entry[COLOR_LIGHT] = source->set.glow[index][0];
}

/* Exchanges the values of the source and the change. */
static void swap(Palette *palette, Source *source, PaletteChange *change) {
    uint8_t now[4];
    take(source, change->index, now);
    memcpy(source->set.palette[change->index], change->entry, 3);
    source->set.glow[change->index][0] = change->entry[COLOR_LIGHT];
    memcpy(change->entry, now, sizeof now);
    palette->changed = true;
}

void paletteForget(Palette *palette, uint32_t stroke) {
    if (palette->redos && palette->changes[palette->undos].stroke < stroke) {
        palette->redos = 0;
    }
}

/* Components that RGB does not determine are as they were set last. */
static void toHsv(const Palette *palette, const Source *source, uint32_t index, float hsv[3]) {
    const bool known = palette->mixed == index;
    memcpy(hsv, known ? palette->hsv : (float[3]){0}, 3 * sizeof *hsv);
    colorToHsv(source->set.palette[index], hsv);
}

uint32_t paletteGet(const Palette *palette, const Source *source, uint32_t index,
                    uint32_t channel) {
    float hsv[3];
    uint8_t entry[4];
    take(source, index, entry);
    toHsv(palette, source, index, hsv);
    return channel == COLOR_LIGHT ? entry[channel] : colorGet(entry, hsv, channel);
}

void paletteSet(Palette *palette, Source *source, uint32_t index, uint32_t channel, uint32_t value,
                uint32_t stroke) {
    PaletteChange change = {.stroke = stroke, .index = (uint8_t)index};
    uint8_t now[4];
    take(source, index, now);
    memcpy(change.entry, now, sizeof now);
    if (channel == COLOR_LIGHT) {
        change.entry[channel] = (uint8_t)value;
    } else {
        float hsv[3];
        toHsv(palette, source, index, hsv);
        colorSet(change.entry, hsv, channel, value);
        if (channel >= COLOR_HUE && channel < COLOR_RGB) {
            memcpy(palette->hsv, hsv, sizeof hsv);
            palette->mixed = index;
        }
    }
    if (memcmp(change.entry, now, sizeof now) == 0) {
        return;
    }
    const PaletteChange *last = palette->undos ? &palette->changes[palette->undos - 1] : NULL;
    const bool goesOn = last && last->stroke == stroke && last->index == index;
    swap(palette, source, &change);
    source->set.palette[index][3] = 255;
    palette->redos = 0;
    if (!goesOn && palette->undos == PALETTE_CHANGES) {
        palette->forgotten = palette->changes[0].state;
        memmove(palette->changes, palette->changes + 1,
                (PALETTE_CHANGES - 1) * sizeof *palette->changes);
        --palette->undos;
    }
    if (!goesOn) {
        palette->changes[palette->undos++] = change;
    }
    palette->changes[palette->undos - 1].state = ++palette->states;
}

uint32_t paletteState(const Palette *palette) {
    return palette->undos ? palette->changes[palette->undos - 1].state : palette->forgotten;
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
