// What the kernels of murCmdBuild's tiled and windowed paths share: push constants, scratch memory.
//
// Include after murmuration.glsl and kernel.glsl.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurTilePush push;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurPairsIn {
    uvec2 pairs[];
};
// Coherent, for what is written here may be read by other workgroups of the same step.
layout(buffer_reference, std430, buffer_reference_align = 8) coherent writeonly buffer MurPairsOut {
    uvec2 pairs[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer MurWordsIn {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer MurWordsOut {
    uint words[];
};

uint tile_items() {
    return mur_count_at(push.count, push.maxCount);
}

uint tile_bins() {
    return ((push.table.capacity - 1u) >> push.binBits) + 1u;
}

// Where the bins of a tile begin: then one for pairs that go into no bin, and the tile's end.
uvec2 tile_begins(uint tile) {
    uint word = MUR_TILE_BEGINS + tile * (tile_bins() + 2u);
    return mur_offset(push.scratch, word, 2u);
}

// All tiles' pairs, each tile's sorted by bin: {hash, value}.
uvec2 tile_pairs() {
    return mur_offset(push.scratch, push.pairs, 4u);
}

// What a slice pushes over its end: up to MUR_BUILD_SPILL pairs, the first empty one ends them.
uvec2 tile_spill(uint slice) {
    return mur_offset(mur_offset(push.scratch, push.spills, 4u), slice * MUR_BUILD_SPILL, 3u);
}

// Some slice had no place for some pairs.
void tile_lost() {
    MurCounter(mur_offset(push.scratch, MUR_TILE_LOST, 2u)).word = 1u;
}

// After a barrier for everything that the count is about. Returns the new sum.
uint tile_count_up(uint word, uint add) {
    return atomicAdd(MurCounter(mur_offset(push.scratch, word, 2u)).word, add) + add;
}
