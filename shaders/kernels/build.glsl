// What the kernels of murCmdBuild share: push constants, scratch memory, who owns which slots.
//
// Include after murmuration.glsl and kernel.glsl.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurBuildPush push;
};

// Arrays, indexed below 2^31: for the compiler to find the addresses, which costs less than
// mur_offset.
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurPairsIn {
    uvec2 pairs[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer MurPairsOut {
    uvec2 pairs[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer MurWordsIn {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurCounters {
    uint words[];
};

uint build_count() {
    return mur_count_at(push.count, push.maxCount);
}

uint build_slices() {
    return (push.table.capacity - 1u) / MUR_BUILD_SLICE + 1u;
}

uint fine_bits() {
    return push.fineBits & MUR_BUILD_FINE_BITS;
}

uint build_coarse_bins() {
    return ((build_slices() - 1u) >> fine_bits()) + 1u;
}

uvec2 scratch_word(uint word) {
    return mur_offset(push.scratch, word, 2u);
}

uvec2 slice_bins() {
    uint words = MUR_BUILD_SLICES + 4u * build_slices();
    return mur_offset(push.scratch, (words + 3u) / 4u, 4u);
}

uvec2 coarse_bins() {
    bool fits = (push.fineBits & MUR_BUILD_BINS_APART) == 0u &&
                build_coarse_bins() * push.coarseRoom <= push.table.capacity;
    return fits ? mur_slots_address(push.table)
                : mur_offset(slice_bins(), build_slices() * push.sliceRoom, 3u);
}

// One of a slice's words.
#define MUR_SLICE_COUNT 0u // items in its bin; sliced path, once built: pairs pushed over its end
// Exact path: how many slots past a slice's end its pairs reach is the larger of two words, one of
// them after adding how many come in from the slice before.
#define MUR_SLICE_ADD   1u
#define MUR_SLICE_LEAST 2u
#define MUR_SLICE_IN    3u // exact path: pairs that come in
uvec2 slice_word(uint slice, uint word) {
    return scratch_word(MUR_BUILD_SLICES + word * build_slices() + slice);
}

// Items in a slice's bin.
uint slice_count(uint slice) {
    return min(mur_input(slice_word(slice, MUR_SLICE_COUNT), 0u), push.sliceRoom);
}

uvec2 slice_bin(uint slice) {
    return mur_offset(slice_bins(), slice * push.sliceRoom, 3u);
}

// One past the last slot from slot first on, of at most count.
uint slots_end(uint first, uint count) {
    return first + min(count, push.table.slotCount - first);
}

// Something does not fit. The command then empties the table and inserts the batch directly.
void irregular() {
    MurCounter(scratch_word(MUR_BUILD_IRREGULAR)).word = 1u;
}

bool is_irregular() {
    return mur_input(push.scratch, MUR_BUILD_IRREGULAR) != 0u;
}
