/* Murmuration: 64-bit keys for cells of space that are larger the farther away they are, the same
 * for C, GLSL and HLSL. Optional: it needs no table, and tables (MUR_FORMAT_K64V32, ...) need none
 * of it.
 *
 * A cell of level 0 is a cube of 1 / cellsPerUnit; one of level n is 2^n times as wide. A key names
 * a cell, its level and a face, so that one cell can hold something for each way that a surface
 * looks.
 *
 *     #include <murmuration/spatial.h>    C
 *     #include "murmuration/spatial.h"    GLSL, HLSL: behind murmuration.glsl, murmuration.hlsli
 *
 *     uint level = mur_spatial_level(distance(position, camera) / near);
 *     uvec2 key = mur_spatial_key_at(position, cellsPerUnit, level, mur_spatial_face(normal));
 *
 * Jitter is yours: of the position, within a cell, against visible edges; of the distance, between
 * levels.
 *
 * Range. Coordinates of cells are -2^17 ... 2^17 - 1 on each level, and clamped to that: positions
 * beyond share the outermost cells. Levels are 0 ... 31, and clamped. Of faces there are eight, of
 * which mur_spatial_face takes 0 ... 5. The two highest bits of a key are 0: yours.
 *
 * Precision. A position is scaled by one multiplication and rounded down, the same on every device
 * and the host: position * cellsPerUnit as a float (the level is a power of two and rounds
 * nothing). Where that product is a float, the cell is exact; otherwise a position within 2^-24 of
 * the product of a cell's edge, 1/128 of a cell at the end of the range, may count to the other
 * side. So within the range a cell's parent is the cell that its positions have one level up.
 * Positions nearer to 0 than 2^-126 cells may count as 0, NaN gives some cell.
 *
 * A cell that is new can start from its parent, which usually is there when the camera comes
 * closer:
 *
 *     if (mur_insert(table, key, 1u, slot) == MUR_INSERTED) {
 *         uint parent = mur_find_slot(table, mur_spatial_parent(key));
 *         payload[slot] = parent != MUR_NO_SLOT ? payload[parent] : nothing;
 *     }
 *
 * and from its children when the camera goes away (mur_spatial_child). Concurrent writes of another
 * invocation may be read in part: read payload of the frame before, or use atomics.
 *
 * Layout, from the lowest bit: x, y, z in 18 bits each, 2^17 added; the level in 5; the face in 3.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_SPATIAL_H
#define MUR_SPATIAL_H

#include "hash.h"

#define MUR_SPATIAL_BITS   18u /* of a coordinate */
#define MUR_SPATIAL_MASK   0x3FFFFu
#define MUR_SPATIAL_LEAST  (-131072) /* coordinates */
#define MUR_SPATIAL_MOST   131071
#define MUR_SPATIAL_LEVELS 32u

/* ---- Numbers: the same text. ---- */

/* Rounds down, within the range. */
MUR_INLINE int mur_spatial_floor(float scaled) {
    float least = MUR_CAST(float, MUR_SPATIAL_LEAST);
    float most = MUR_CAST(float, MUR_SPATIAL_MOST);
    float inside = scaled > least ? scaled : least;
    inside = inside < most ? inside : most;
    int whole = MUR_CAST(int, inside);
    return MUR_CAST(float, whole) > inside ? whole - 1 : whole;
}

/* A coordinate as it is stored. */
MUR_INLINE MUR_U32 mur_spatial_stored(int coordinate) {
    int inside = coordinate > MUR_SPATIAL_LEAST ? coordinate : MUR_SPATIAL_LEAST;
    inside = inside < MUR_SPATIAL_MOST ? inside : MUR_SPATIAL_MOST;
    return MUR_CAST(MUR_U32, inside - MUR_SPATIAL_LEAST);
}

MUR_INLINE int mur_spatial_coordinate(MUR_U32 stored) {
    return MUR_CAST(int, stored &MUR_SPATIAL_MASK) + MUR_SPATIAL_LEAST;
}

/* Half of it, rounded down; twice it, and one more if odd is 1. */
MUR_INLINE int mur_spatial_half(int coordinate) {
    return MUR_CAST(int, MUR_CAST(MUR_U32, coordinate - MUR_SPATIAL_LEAST) >> 1) +
           MUR_SPATIAL_LEAST / 2;
}

MUR_INLINE int mur_spatial_twice(int coordinate, MUR_U32 odd) {
    return 2 * coordinate + MUR_CAST(int, odd & 1u);
}

/* A key's words. */
MUR_INLINE MUR_U32 mur_spatial_low(int x, int y) {
    return mur_spatial_stored(x) | mur_spatial_stored(y) << MUR_SPATIAL_BITS;
}

MUR_INLINE MUR_U32 mur_spatial_high(int y, int z, MUR_U32 level, MUR_U32 face) {
    MUR_U32 most = MUR_SPATIAL_LEVELS - 1u;
    return mur_spatial_stored(y) >> 14 | mur_spatial_stored(z) << 4 |
           (level < most ? level : most) << 22 | (face & 7u) << 27;
}

/* The axis that a normal looks along most, of equal ones the first: +x 0, -x 1, +y 2, -y 3, +z 4,
 * -z 5. */
MUR_INLINE MUR_U32 mur_spatial_face_of_normal(float x, float y, float z) {
    float ax = x < 0.0f ? -x : x;
    float ay = y < 0.0f ? -y : y;
    float az = z < 0.0f ? -z : z;
    if (ax >= ay && ax >= az) {
        return x < 0.0f ? 1u : 0u;
    }
    return ay >= az ? (y < 0.0f ? 3u : 2u) : (z < 0.0f ? 5u : 4u);
}

#ifdef MUR_C

/* ---- C: see the GLSL versions below for descriptions. Vectors are arrays of three. ---- */

MUR_INLINE uint32_t mur_spatial_level(float ratio) {
    uint32_t level = 0;
    for (; level + 1 < MUR_SPATIAL_LEVELS && ratio >= 2.0f; ++level) {
        ratio *= 0.5f;
    }
    return level;
}

MUR_INLINE uint32_t mur_spatial_face(const float *normal) {
    return mur_spatial_face_of_normal(normal[0], normal[1], normal[2]);
}

MUR_INLINE uint64_t mur_spatial_key(const int *cell, uint32_t level, uint32_t face) {
    return mur_spatial_low(cell[0], cell[1]) |
           MUR_CAST(uint64_t, mur_spatial_high(cell[1], cell[2], level, face)) << 32;
}

MUR_INLINE uint64_t mur_spatial_key_at(const float *position, float cellsPerUnit, uint32_t level,
                                       uint32_t face) {
    const uint32_t inside = level < MUR_SPATIAL_LEVELS ? level : MUR_SPATIAL_LEVELS - 1u;
    const float scale = cellsPerUnit / MUR_CAST(float, 1u << inside);
    const int cell[3] = {mur_spatial_floor(position[0] * scale),
                         mur_spatial_floor(position[1] * scale),
                         mur_spatial_floor(position[2] * scale)};
    return mur_spatial_key(cell, inside, face);
}

MUR_INLINE void mur_spatial_cell_of(uint64_t key, int *cell) {
    cell[0] = mur_spatial_coordinate(MUR_CAST(uint32_t, key & MUR_SPATIAL_MASK));
    cell[1] = mur_spatial_coordinate(MUR_CAST(uint32_t, (key >> 18) & MUR_SPATIAL_MASK));
    cell[2] = mur_spatial_coordinate(MUR_CAST(uint32_t, (key >> 36) & MUR_SPATIAL_MASK));
}

MUR_INLINE uint32_t mur_spatial_level_of(uint64_t key) {
    return MUR_CAST(uint32_t, key >> 54) & 31u;
}

MUR_INLINE uint32_t mur_spatial_face_of(uint64_t key) {
    return MUR_CAST(uint32_t, key >> 59) & 7u;
}

MUR_INLINE void mur_spatial_center(uint64_t key, float cellSize, float *center) {
    const float size = cellSize * MUR_CAST(float, 1u << mur_spatial_level_of(key));
    int cell[3];
    mur_spatial_cell_of(key, cell);
    for (int i = 0; i < 3; ++i) {
        center[i] = (MUR_CAST(float, cell[i]) + 0.5f) * size;
    }
}

MUR_INLINE uint64_t mur_spatial_parent(uint64_t key) {
    const uint32_t level = mur_spatial_level_of(key);
    int cell[3];
    mur_spatial_cell_of(key, cell);
    for (int i = 0; i < 3; ++i) {
        cell[i] = mur_spatial_half(cell[i]);
    }
    return level + 1 < MUR_SPATIAL_LEVELS
               ? mur_spatial_key(cell, level + 1, mur_spatial_face_of(key))
               : key;
}

MUR_INLINE uint64_t mur_spatial_child(uint64_t key, uint32_t octant) {
    const uint32_t level = mur_spatial_level_of(key);
    int cell[3];
    mur_spatial_cell_of(key, cell);
    for (int i = 0; i < 3; ++i) {
        cell[i] = mur_spatial_twice(cell[i], octant >> i);
    }
    return level > 0 ? mur_spatial_key(cell, level - 1, mur_spatial_face_of(key)) : key;
}

#else

/* ---- GLSL and HLSL ---- */

#ifdef MUR_HLSL
#define MUR_BITS_OF(number) asuint(number)
#define MUR_NUMBER_OF(bits) asfloat(bits)
#else
#define MUR_BITS_OF(number) floatBitsToUint(number)
#define MUR_NUMBER_OF(bits) uintBitsToFloat(bits)
#endif

/* The level for a distance, given over the one from which on cells double: 0 below 2, 1 below 4, 2
 * below 8, ... exactly. Below 0 and NaN: 0. */
uint mur_spatial_level(float ratio) {
    uint exponent = MUR_BITS_OF(ratio) >> 23;
    return ratio >= 2.0 ? min(exponent - 127u, MUR_SPATIAL_LEVELS - 1u) : 0u;
}

uint mur_spatial_face(MUR_F32X3 normal) {
    return mur_spatial_face_of_normal(normal.x, normal.y, normal.z);
}

/* Of a cell, which is clamped to the range. */
MUR_U32X2 mur_spatial_key(MUR_I32X3 cell, uint level, uint face) {
    return MUR_U32X2(mur_spatial_low(cell.x, cell.y),
                     mur_spatial_high(cell.y, cell.z, level, face));
}

/* Of the cell that a position is in. */
MUR_U32X2 mur_spatial_key_at(MUR_F32X3 position, float cellsPerUnit, uint level, uint face) {
    uint inside = min(level, MUR_SPATIAL_LEVELS - 1u);
    float scale = cellsPerUnit * MUR_NUMBER_OF((127u - inside) << 23);
    MUR_F32X3 scaled = position * scale;
    return mur_spatial_key(MUR_I32X3(mur_spatial_floor(scaled.x), mur_spatial_floor(scaled.y),
                                     mur_spatial_floor(scaled.z)),
                           inside, face);
}

MUR_I32X3 mur_spatial_cell_of(MUR_U32X2 key) {
    return MUR_I32X3(mur_spatial_coordinate(key.x),
                     mur_spatial_coordinate(key.x >> MUR_SPATIAL_BITS | key.y << 14),
                     mur_spatial_coordinate(key.y >> 4));
}

uint mur_spatial_level_of(MUR_U32X2 key) {
    return key.y >> 22 & 31u;
}

uint mur_spatial_face_of(MUR_U32X2 key) {
    return key.y >> 27 & 7u;
}

/* The middle of a key's cell; cellSize: 1 / cellsPerUnit. */
MUR_F32X3 mur_spatial_center(MUR_U32X2 key, float cellSize) {
    float size = cellSize * MUR_NUMBER_OF((127u + mur_spatial_level_of(key)) << 23);
    return (MUR_F32X3(mur_spatial_cell_of(key)) + 0.5) * size;
}

/* The cell one level up that has this one in it; of the last level itself. The face stays, the two
 * highest bits are 0 again. */
MUR_U32X2 mur_spatial_parent(MUR_U32X2 key) {
    uint level = mur_spatial_level_of(key);
    MUR_I32X3 cell = mur_spatial_cell_of(key);
    cell = MUR_I32X3(mur_spatial_half(cell.x), mur_spatial_half(cell.y), mur_spatial_half(cell.z));
    return level + 1u < MUR_SPATIAL_LEVELS
               ? mur_spatial_key(cell, level + 1u, mur_spatial_face_of(key))
               : key;
}

/* One of the eight cells one level down that this one has in it, by the bits of octant: 1 the upper
 * half in x, 2 in y, 4 in z; of level 0 itself. Of a cell whose coordinates are not within -2^16
 * ... 2^16 - 1, a child may be outside the range: clamped, it is another's. */
MUR_U32X2 mur_spatial_child(MUR_U32X2 key, uint octant) {
    uint level = mur_spatial_level_of(key);
    MUR_I32X3 cell = mur_spatial_cell_of(key);
    cell = MUR_I32X3(mur_spatial_twice(cell.x, octant), mur_spatial_twice(cell.y, octant >> 1),
                     mur_spatial_twice(cell.z, octant >> 2));
    return level > 0u ? mur_spatial_key(cell, level - 1u, mur_spatial_face_of(key)) : key;
}

#endif
#endif
