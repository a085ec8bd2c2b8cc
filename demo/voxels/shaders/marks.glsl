// Marked voxels.
//
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 8) buffer FloodAt {
    FloodBlock flood;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer MarksAt {
    uint words[];
};

// The marks of a row of 8 voxels along x, z * 8 + y of the brick in that slot.
uint markedRow(FloodAt at, uint slot, uint row) {
    uint word = MarksAt(at.flood.reached).words[slot * FLOOD_MASK_WORDS + (row >> 2)];
    return word >> (8u * (row & 3u)) & 255u;
}

bool isMarked(FloodAt at, uvec3 v) {
    uint slot = mur_find_slot(at.flood.table, brickKey(v >> BRICK_SHIFT));
    uint row = (v.z & 7u) * 8u + (v.y & 7u);
    return slot != MUR_NO_SLOT && (markedRow(at, slot, row) >> (v.x & 7u) & 1u) != 0u;
}
