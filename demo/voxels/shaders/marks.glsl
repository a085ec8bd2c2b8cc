// Marked voxels, and copied ones.
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 8) buffer FloodAt {
    FloodBlock flood;
};

// The marks of a row of 8 voxels along x, z * 8 + y of the brick in that slot.
uint markedRow(FloodAt at, uint slot, uint row) {
    uint word = Words(at.flood.reached).words[slot * FLOOD_MASK_WORDS + (row >> 2)];
    return word >> (8u * (row & 3u)) & 255u;
}

bool isMarked(FloodAt at, uvec3 v) {
    uint slot = mur_find_slot(at.flood.table, brickKey(v >> BRICK_SHIFT));
    uint row = (v.z & 7u) * 8u + (v.y & 7u);
    return slot != MUR_NO_SLOT && (markedRow(at, slot, row) >> (v.x & 7u) & 1u) != 0u;
}

// The voxel of the copy, of this size, that a paste puts to a place; 0: none. The paste covers just
// the copy.
uint copiedColor(Words clipboard, uvec3 size, Edit paste, ivec3 v) {
    Spot from = pasteFrom(paste, Spot(v.x, v.y, v.z), Spot(int(size.x), int(size.y), int(size.z)));
    uint row = uint(from.z) * size.y + uint(from.y);
    uint word = clipboard.words[row * ((size.x + 3u) / 4u) + (uint(from.x) >> 2)];
    return word >> (8u * (uint(from.x) & 3u)) & 255u;
}
