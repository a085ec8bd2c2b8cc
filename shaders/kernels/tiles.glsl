// What the kernels of murCmdBuild's tiled path share: push constants, scratch memory.
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

uint tile_slices() {
    return ((push.table.capacity - 1u) >> push.sliceBits) + 1u;
}

// Where the bins of a tile begin: one for each slice, one for pairs that go into no slice, and the
// tile's end.
uvec2 tile_begins(uint tile) {
    uint word = MUR_TILE_BEGINS + tile * (tile_slices() + 2u);
    return mur_offset(push.scratch, word, 2u);
}

uvec2 tile_spills() {
    uint tiles = (push.maxCount - 1u) / push.tile + 1u;
    uint words = MUR_TILE_BEGINS + tiles * (tile_slices() + 2u);
    return mur_offset(push.scratch, (words + 3u) / 4u, 4u);
}

// What a slice pushes over its end: up to MUR_BUILD_SPILL pairs, the first empty one ends them.
uvec2 tile_spill(uint slice) {
    return mur_offset(tile_spills(), slice * MUR_BUILD_SPILL, 3u);
}

// A tile's pairs, sorted by bin: {hash, value}.
uvec2 tile_pairs(uint tile) {
    return mur_offset(tile_spills(), tile_slices() * MUR_BUILD_SPILL + tile * push.tile, 3u);
}

// Something does not fit.
void tile_irregular() {
    MurCounter(mur_offset(push.scratch, MUR_TILE_IRREGULAR, 2u)).word = 1u;
}
