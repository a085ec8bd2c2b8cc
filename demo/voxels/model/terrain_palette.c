/* Colours of the built-in terrain: two ends per material, and the colours between.
 * SPDX-License-Identifier: MIT */
#include "shaders/terrain_colors.h"
#include "source.h"

static const uint32_t ends[MATERIAL_COUNT][2] = {
    [MATERIAL_GRASS] = {0x47752C, 0x8CAA45},  [MATERIAL_DIRT] = {0x7A5233, 0x4F3524},
    [MATERIAL_SAND] = {0xD8C08A, 0xEFDFB0},   [MATERIAL_ROCK] = {0x7D746A, 0xB5A892},
    [MATERIAL_SNOW] = {0xE4ECF4, 0xFFFFFF},   [MATERIAL_WATER] = {0x3FA7A6, 0x14406E},
    [MATERIAL_TRUNK] = {0x4A3423, 0x6B4A2E},  [MATERIAL_PINE] = {0x1F4A33, 0x3E7048},
    [MATERIAL_LEAF] = {0x35692B, 0x6E9E38},   [MATERIAL_AUTUMN] = {0xB5481E, 0xEBA12F},
    [MATERIAL_CLAY] = {0x8F5A3C, 0xC99263},   [MATERIAL_SLATE] = {0x4C4A50, 0x77757A},
    [MATERIAL_SPHERE] = {0x5B1FA8, 0xE23A7A}, [MATERIAL_SPHERE + 1] = {0xEE4E62, 0xFFC247},
};

static uint8_t between(uint32_t a, uint32_t b, uint32_t shift, uint32_t step) {
    uint32_t from = a >> shift & 255;
    uint32_t to = b >> shift & 255;
    return (uint8_t)((from * (7 - step) + to * step + 3) / 7);
}

void terrainPalette(uint8_t palette[256][4]) {
    for (uint32_t material = 0; material < MATERIAL_COUNT; ++material) {
        for (uint32_t step = 0; step < 8; ++step) {
            uint8_t *entry = palette[1 + 8 * material + step];
            for (uint32_t channel = 0; channel < 3; ++channel) {
                entry[channel] = between(ends[material][0], ends[material][1], 16 - 8 * channel,
                                         step);
            }
            entry[3] = 255;
        }
    }
}
