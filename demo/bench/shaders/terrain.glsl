// A terrain of 2^side x 2^side columns with a brick on top of each. The 64-bit key of a brick
// contains its cube of 64^3 bricks, and in the low 18 bits the position in it. Columns are numbered
// in tiles of 64 x 64. Included after murmuration.glsl. SPDX-License-Identifier: MIT

// Returns 0 ... 255, smooth between points that are 2^octave apart.
uint terrain_noise(uint octave, uint x, uint y) {
    uint width = 1u << octave, fx = x & (width - 1u), fy = y & (width - 1u);
    uint west = x >> octave, south = (y >> octave) * 65536u, north = ((y >> octave) + 1u) * 65536u;
    uint low = (mur_hash(west + south, octave) & 255u) * (width - fx) +
               (mur_hash(west + 1u + south, octave) & 255u) * fx;
    uint high = (mur_hash(west + north, octave) & 255u) * (width - fx) +
                (mur_hash(west + 1u + north, octave) & 255u) * fx;
    return (low * (width - fy) + high * fy) >> (2u * octave);
}

uint terrain_height(uvec2 column) {
    uint height = 0u;
    for (uint octave = 4u; octave < 11u; ++octave) {
        height += terrain_noise(octave, column.x, column.y) << (octave - 2u);
    }
    return height;
}

uint terrain_side(uint mask) {
    return uint(bitCount(mask)) >> 1u;
}

uvec2 terrain_column(uint side, uint i) {
    uint tile = i >> 12u;
    uint row = side - 6u;
    return uvec2((tile & ((1u << row) - 1u)) << 6u | i & 63u, tile >> row << 6u | i >> 6u & 63u);
}

uint terrain_index(uint side, uvec2 column) {
    uint tile = (column.y >> 6u) << (side - 6u) | column.x >> 6u;
    return tile << 12u | (column.y & 63u) << 6u | column.x & 63u;
}

uvec2 terrain_brick(uvec2 column) {
    uvec3 at = uvec3(column, terrain_height(column) >> 8u); // 0 to 507
    uint cube = at.x >> 6u | at.y >> 6u << 8u | at.z >> 6u << 16u;
    uint place = at.x & 63u | (at.y & 63u) << 6u | (at.z & 63u) << 12u;
    return uvec2(cube << 18u | place, cube >> 14u);
}
