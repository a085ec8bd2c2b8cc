// The keys of suite cache: a cell of a grid of one level and the face of a surface in it. Key 0
// means "none". After item.glsl. SPDX-License-Identifier: MIT
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Key {
    uvec2 key;
};

struct Cell {
    uvec3 at; // 18 bits each
    uint face, level;
};

uvec2 cell_key(Cell cell) {
    uvec3 at = cell.at & 0x3FFFFu;
    return uvec2(at.x | at.z << 18u,
                 at.z >> 14u | at.y << 4u | cell.face << 22u | cell.level << 25u | 1u << 30u);
}

// Returns the key in 32 bits. Distant cells share a key, as in caches with 32-bit keys.
uvec2 cell_narrow_key(Cell cell) {
    return uvec2((cell.at.x & 511u) | (cell.at.z & 511u) << 9u | (cell.at.y & 63u) << 18u |
                     (cell.level & 15u) << 24u | 1u << 28u | cell.face << 29u, 0u);
}

// Returns the key of the cell of the next level that contains this key's cell.
uvec2 cell_coarser(uvec2 key) {
#ifdef CACHE_NARROW
    uvec3 low = uvec3(key.x, key.x >> 18u, key.x >> 9u) & uvec3(511u, 63u, 511u);
    return cell_narrow_key(Cell(low >> 1u, key.x >> 29u, (key.x >> 24u & 15u) + 1u));
#endif
    uvec3 at = uvec3(key.x, key.y >> 4u, key.x >> 18u | key.y << 14u) & 0x3FFFFu;
    return cell_key(Cell(at >> 1u, CACHE_FACE(key.y), (key.y >> 25u & 31u) + 1u));
}
