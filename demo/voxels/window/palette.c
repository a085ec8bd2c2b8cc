/* SPDX-License-Identifier: MIT */
#include "palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take(const Source *source, uint32_t index, uint8_t entry[4]) {
    memcpy(entry, source->set.palette[index], 3);
    entry[PALETTE_LIGHT] = source->set.glow[index][0];
}

/* Exchanges the values of the source and the change. */
static void swap(Palette *palette, Source *source, PaletteChange *change) {
    uint8_t now[4];
    take(source, change->index, now);
    memcpy(source->set.palette[change->index], change->entry, 3);
    source->set.glow[change->index][0] = change->entry[PALETTE_LIGHT];
    memcpy(change->entry, now, sizeof now);
    palette->changed = true;
}

void paletteForget(Palette *palette, uint32_t stroke) {
    if (palette->redos && palette->changes[palette->undos].stroke < stroke) {
        palette->redos = 0;
    }
}

static void toRgb(const float hsv[3], uint8_t rgb[3]) {
    for (int i = 0; i < 3; ++i) {
        const float k = fmodf((float)(5 - 2 * i) + hsv[0] / 60, 6);
        const float lack = fmaxf(fminf(fminf(k, 4 - k), 1), 0) * hsv[1] / 100;
        rgb[i] = (uint8_t)(2.55f * hsv[2] * (1 - lack) + 0.5f);
    }
}

/* Components that RGB does not determine are as they were set last. */
static void toHsv(const Palette *palette, const Source *source, uint32_t index, float hsv[3]) {
    const uint8_t *rgb = source->set.palette[index];
    const bool known = palette->mixed == index;
    uint8_t mixed[3];
    toRgb(palette->hsv, mixed);
    memcpy(hsv, known ? palette->hsv : (float[3]){0}, 3 * sizeof *hsv);
    if (known && memcmp(mixed, rgb, sizeof mixed) == 0) {
        return;
    }
    const int most = rgb[0] > rgb[1] ? (rgb[0] > rgb[2] ? 0 : 2) : rgb[1] > rgb[2] ? 1 : 2;
    const float high = rgb[most];
    const float range = high - fminf(fminf(rgb[0], rgb[1]), rgb[2]);
    if (range > 0) {
        const float turn = (float)(rgb[(most + 1) % 3] - rgb[(most + 2) % 3]) / range;
        hsv[0] = 60 * fmodf((float)(2 * most) + turn + 6, 6);
    }
    hsv[1] = high > 0 ? 100 * range / high : hsv[1];
    hsv[2] = high / 2.55f;
}

uint32_t paletteMost(uint32_t channel) {
    return channel < PALETTE_LIGHT ? 255 : channel == PALETTE_HUE ? 359 : 100;
}

uint32_t paletteGet(const Palette *palette, const Source *source, uint32_t index,
                    uint32_t channel) {
    float hsv[3];
    uint8_t entry[4];
    take(source, index, entry);
    toHsv(palette, source, index, hsv);
    return channel <= PALETTE_LIGHT ? entry[channel]
           : channel < PALETTE_BARS
               ? (uint32_t)(hsv[channel - PALETTE_HUE] + 0.5f) % (paletteMost(channel) + 1)
               : (uint32_t)entry[0] << 16 | (uint32_t)entry[1] << 8 | entry[2];
}

void paletteSet(Palette *palette, Source *source, uint32_t index, uint32_t channel, uint32_t value,
                uint32_t stroke) {
    PaletteChange change = {.stroke = stroke, .index = (uint8_t)index};
    uint8_t now[4];
    take(source, index, now);
    memcpy(change.entry, now, sizeof now);
    if (channel <= PALETTE_LIGHT) {
        change.entry[channel] = (uint8_t)value;
    } else if (channel == PALETTE_RGB) {
        for (int i = 0; i < 3; ++i) {
            change.entry[i] = (uint8_t)(value >> (16 - 8 * i));
        }
    } else {
        toHsv(palette, source, index, palette->hsv);
        palette->hsv[channel - PALETTE_HUE] = (float)value;
        palette->mixed = index;
        toRgb(palette->hsv, change.entry);
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

bool paletteRead(const char *words, uint32_t *rgb) {
    words += words[0] == '#';
    *rgb = (uint32_t)strtoul(words, NULL, 16);
    return strlen(words) == 6 && strspn(words, "0123456789abcdefABCDEF") == 6;
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
