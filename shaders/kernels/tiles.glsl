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
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer MurPairsOut {
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

// Something does not fit.
void tile_irregular() {
    MurCounter(mur_offset(push.scratch, MUR_TILE_IRREGULAR, 2u)).word = 1u;
}
