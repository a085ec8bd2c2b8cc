/* Murmuration, optional: 64-bit keys for cells of space, whose size grows with their distance. The
 * same text serves C, GLSL and HLSL. These keys need no table.
 *
 * A cell of level 0 is a cube with edges of 1 / cellsPerUnit; a cell of level n is 2^n times as
 * wide. A key contains a cell, its level and a face, so a cell can have one entry per direction of
 * a surface.
 *
 *     #include <murmuration/spatial.h>    C
 *     #include "murmuration/spatial.h"    GLSL, HLSL: after murmuration.glsl, murmuration.hlsli
 *
 *     uint level = mur_spatial_level(distance(position, camera) / near);
 *     uvec2 key = mur_spatial_key_at(position, cellsPerUnit, level, mur_spatial_face(normal));
 *
 * To hide edges between cells, jitter the position within a cell; to hide edges between levels,
 * jitter the distance. The functions do neither.
 *
 * Range. Coordinates of cells are -2^17 ... 2^17 - 1 on each level, and clamped: positions outside
 * of this range share the outermost cells. Levels are 0 ... 31, and clamped. Faces are 0 ... 7;
 * mur_spatial_face returns 0 ... 5. The two highest bits of a key are 0; you can use them.
 *
 * Precision. A position is scaled by one multiplication, position * cellsPerUnit as a float, and
 * rounded down; the level is a power of two, so it causes no rounding. All devices and the host
 * return the same cell. If the exact product is a float, the cell is exact. Otherwise a position
 * may be in the neighbour cell if it is closer to the border than 2^-24 of the product; this is
 * 1/128 of a cell at the end of the range. Within the range a cell's parent is the cell of its
 * positions one level up. Positions nearer to 0 than 2^-126 cells may count as 0. NaN returns an
 * undefined cell.
 *
 * A new cell can start with the payload of its parent, which usually exists when the camera comes
 * closer:
 *
 *     if (mur_insert(table, key, 1u, slot) == MUR_INSERTED) {
 *         uint parent = mur_find_slot(table, mur_spatial_parent(key));
 *         payload[slot] = parent != MUR_NO_SLOT ? payload[parent] : nothing;
 *     }
 *
 * or of its children when the camera moves away (mur_spatial_child). If another invocation writes
 * this payload at the same time, the read may return a part of it: read payload of the last frame,
 * or use atomics.
 *
 * Bits of a key, from the lowest: x, y, z plus 2^17 in 18 bits each; the level in 5; the face in 3.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_SPATIAL_H
#define MUR_SPATIAL_H

#include "hash.h"

#define MUR_SPATIAL_BITS   18u /* per coordinate */
#define MUR_SPATIAL_MASK   0x3FFFFu
#define MUR_SPATIAL_LEAST  (-131072) /* range of coordinates */
#define MUR_SPATIAL_MOST   131071
#define MUR_SPATIAL_LEVELS 32u

/* ---- Coordinates and words of keys, in all languages ---- */

/* Rounds down and clamps to the range of coordinates. */
MUR_INLINE int mur_spatial_floor(float scaled) {
    float least = MUR_CAST(float, MUR_SPATIAL_LEAST);
    float most = MUR_CAST(float, MUR_SPATIAL_MOST);
    float inside = scaled > least ? scaled : least;
    inside = inside < most ? inside : most;
    int whole = MUR_CAST(int, inside);
    return MUR_CAST(float, whole) > inside ? whole - 1 : whole;
}

/* Returns the bits of a coordinate in a key. */
MUR_INLINE MUR_U32 mur_spatial_stored(int coordinate) {
    int inside = coordinate > MUR_SPATIAL_LEAST ? coordinate : MUR_SPATIAL_LEAST;
    inside = inside < MUR_SPATIAL_MOST ? inside : MUR_SPATIAL_MOST;
    return MUR_CAST(MUR_U32, inside - MUR_SPATIAL_LEAST);
}

MUR_INLINE int mur_spatial_coordinate(MUR_U32 stored) {
    return MUR_CAST(int, stored &MUR_SPATIAL_MASK) + MUR_SPATIAL_LEAST;
}

/* Return the parent's coordinate: half, rounded down; a child's: twice, plus 1 if odd is 1. */
MUR_INLINE int mur_spatial_half(int coordinate) {
    return MUR_CAST(int, MUR_CAST(MUR_U32, coordinate - MUR_SPATIAL_LEAST) >> 1) +
           MUR_SPATIAL_LEAST / 2;
}

MUR_INLINE int mur_spatial_twice(int coordinate, MUR_U32 odd) {
    return 2 * coordinate + MUR_CAST(int, odd & 1u);
}

/* Return the low and the high word of a key. */
MUR_INLINE MUR_U32 mur_spatial_low(int x, int y) {
    return mur_spatial_stored(x) | mur_spatial_stored(y) << MUR_SPATIAL_BITS;
}

MUR_INLINE MUR_U32 mur_spatial_high(int y, int z, MUR_U32 level, MUR_U32 face) {
    MUR_U32 most = MUR_SPATIAL_LEVELS - 1u;
    return mur_spatial_stored(y) >> 14 | mur_spatial_stored(z) << 4 |
           (level < most ? level : most) << 22 | (face & 7u) << 27;
}

/* Returns the direction of the largest component of a normal, of equal components the first: +x 0,
 * -x 1, +y 2, -y 3, +z 4, -z 5. */
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

/* ---- C: the GLSL versions below describe the functions. Vectors are arrays of three. ---- */

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

/* Returns the level for a distance. ratio: the distance divided by half the distance at which level
 * 1 begins. The level is 0 below 2, 1 below 4, 2 below 8, ..., exactly; 0 for NaN. */
uint mur_spatial_level(float ratio) {
    uint exponent = MUR_BITS_OF(ratio) >> 23;
    return ratio >= 2.0 ? min(exponent - 127u, MUR_SPATIAL_LEVELS - 1u) : 0u;
}

uint mur_spatial_face(MUR_F32X3 normal) {
    return mur_spatial_face_of_normal(normal.x, normal.y, normal.z);
}

/* Returns the key of a cell, which is clamped to the range. */
MUR_U32X2 mur_spatial_key(MUR_I32X3 cell, uint level, uint face) {
    return MUR_U32X2(mur_spatial_low(cell.x, cell.y),
                     mur_spatial_high(cell.y, cell.z, level, face));
}

/* Returns the key of the cell of a position. */
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

/* Returns the center of a key's cell. cellSize: 1 / cellsPerUnit. */
MUR_F32X3 mur_spatial_center(MUR_U32X2 key, float cellSize) {
    float size = cellSize * MUR_NUMBER_OF((127u + mur_spatial_level_of(key)) << 23);
    return (MUR_F32X3(mur_spatial_cell_of(key)) + 0.5) * size;
}

/* Returns the key of the cell one level up that contains this cell; on the last level, of the cell
 * itself. The face stays; the two highest bits become 0. */
MUR_U32X2 mur_spatial_parent(MUR_U32X2 key) {
    uint level = mur_spatial_level_of(key);
    MUR_I32X3 cell = mur_spatial_cell_of(key);
    cell = MUR_I32X3(mur_spatial_half(cell.x), mur_spatial_half(cell.y), mur_spatial_half(cell.z));
    return level + 1u < MUR_SPATIAL_LEVELS
               ? mur_spatial_key(cell, level + 1u, mur_spatial_face_of(key))
               : key;
}

/* Returns the key of one of the eight cells one level down in this cell; on level 0, of the cell
 * itself. Bits of octant select the upper half: 1 in x, 2 in y, 4 in z. If a coordinate is outside
 * -2^16 ... 2^16 - 1, the child may be clamped to another cell's child. */
MUR_U32X2 mur_spatial_child(MUR_U32X2 key, uint octant) {
    uint level = mur_spatial_level_of(key);
    MUR_I32X3 cell = mur_spatial_cell_of(key);
    cell = MUR_I32X3(mur_spatial_twice(cell.x, octant), mur_spatial_twice(cell.y, octant >> 1),
                     mur_spatial_twice(cell.z, octant >> 2));
    return level > 0u ? mur_spatial_key(cell, level - 1u, mur_spatial_face_of(key)) : key;
}

#endif
#endif
