/* Voxel bricks of a sphere's surface.
 *
 * SPDX-License-Identifier: MIT */
#include "sphere.h"

#include <math.h>
#include <stdlib.h>

enum { CENTRE = 512 };

/* One row along x: the bricks nearer than the outer radius and not nearer than the inner one. */
static uint32_t row(int outer, int inner, int y, int z, uint32_t *keys) {
    const int rest = outer * outer - y * y - z * z;
    const int hole = inner * inner - y * y - z * z;
    uint32_t count = 0;
    const int half = rest > 0 ? (int)ceil(sqrt((double)rest)) - 1 : -1;
    for (int x = -half; x <= half; ++x) {
        if (x * x < hole) {
            x = -x; /* the last one in the hole */
            continue;
        }
        if (keys) {
            keys[count] = (uint32_t)(x + CENTRE) | (uint32_t)(y + CENTRE) << 10 |
                          (uint32_t)(z + CENTRE) << 20;
        }
        ++count;
    }
    return count;
}

uint32_t sphereBricks(uint32_t radius, uint32_t *keys) {
    const int outer = (int)radius + 1;
    const int inner = (int)radius - 1;
    uint32_t count = 0;
    for (int z = -outer; z <= outer; ++z) {
        for (int y = -outer; y <= outer; ++y) {
            count += row(outer, inner, y, z, keys ? keys + count : NULL);
        }
    }
    return count;
}

/* Spreads 10 bits out to every third of 30. */
static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000FFu;
    bits = (bits | bits << 8) & 0x0300F00Fu;
    bits = (bits | bits << 4) & 0x030C30C3u;
    return (bits | bits << 2) & 0x09249249u;
}

static uint32_t morton(uint32_t key) {
    return spread(key & 1023) | spread(key >> 10 & 1023) << 1 | spread(key >> 20 & 1023) << 2;
}

static int compareMorton(const void *a, const void *b) {
    const uint32_t x = morton(*(const uint32_t *)a);
    const uint32_t y = morton(*(const uint32_t *)b);
    return (x > y) - (x < y);
}

void sphereSortMorton(uint32_t *keys, uint32_t count) {
    qsort(keys, count, sizeof *keys, compareMorton);
}
