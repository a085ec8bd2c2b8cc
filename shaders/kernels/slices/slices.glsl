// Shared by the kernels of partitioned builds and inserts. A slice is MUR_SLICE consecutive slots
// of the table; its bin in scratch memory has the batch's pairs whose home slots are in the slice.
// A build is exact if some kernels count the pairs of each slice before another builds the slices.
// SPDX-License-Identifier: MIT

#define PUSH MurSlicesPush
#include "../kernel.glsl"

// Arrays with indices below 2^31: addresses by the compiler cost less than those by mur_offset.
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurPairsIn {
    uvec2 pairs[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer MurPairsOut {
    uvec2 pairs[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer MurSlots {
    uvec2 pairs[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer MurWordsIn {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurCounters {
    uint words[];
};

bool builds() {
    return (push.flags & MUR_SLICES_BUILD) != 0u;
}

bool keeps() {
    return (push.flags & MUR_SLICES_KEEP) != 0u;
}

uint item_total() {
    return mur_count_at(push.count, push.maxCount);
}

uint slice_total() {
    return (push.table.capacity - 1u) / MUR_SLICE + 1u;
}

uint coarse_total() {
    return ((slice_total() - 1u) >> push.fineBits) + 1u;
}

uvec2 scratch_word(uint word) {
    return mur_offset(push.scratch, word, 2u);
}

uvec2 slice_bins() {
    uint words = MUR_SLICES_COUNTS + 4u * slice_total();
    return mur_offset(push.scratch, (words + 3u) / 4u, 4u);
}

uvec2 coarse_bins() {
    bool fits = builds() && coarse_total() * push.coarseRoom <= push.table.capacity;
    return fits ? mur_slots_address(push.table)
                : mur_offset(slice_bins(), slice_total() * push.sliceRoom, 3u);
}

// Words per slice. Pairs enter a slice if the slices before it have no slot for them. Exact builds:
// if n pairs enter a slice, its pairs use max(n + ADD, LEAST) slots beyond its end.
#define SLICE_COUNT 0u // pairs in its bin; after the build or insert: pairs left in the bin
#define SLICE_ADD   1u
#define SLICE_LEAST 2u
#define SLICE_IN    3u // exact builds: number of pairs that enter the slice
uvec2 slice_word(uint slice, uint word) {
    return scratch_word(MUR_SLICES_COUNTS + word * slice_total() + slice);
}

uint slice_count(uint slice) {
    return min(mur_input(slice_word(slice, SLICE_COUNT), 0u), push.sliceRoom);
}

uvec2 slice_bin(uint slice) {
    return mur_offset(slice_bins(), slice * push.sliceRoom, 3u);
}

// Returns the end of the range of at most `count` slots from slot first on.
uint slots_end(uint first, uint count) {
    return first + min(count, push.table.slotCount - first);
}

// Called if a pair does not fit. Then slices_overflow.comp inserts the whole batch directly.
void irregular() {
    MurCounter(scratch_word(MUR_SLICES_IRREGULAR)).word = 1u;
}

// Exact builds: called if too many pairs enter some slice. Then no slice is built:
// build_slices.comp writes empty slots, and slices_overflow.comp inserts the whole batch.
void hopeless() {
    MurCounter(scratch_word(MUR_SLICES_IRREGULAR)).word = 2u;
}

bool is_hopeless() {
    return mur_input(push.scratch, MUR_SLICES_IRREGULAR) == 2u;
}

bool is_irregular() {
    return mur_input(push.scratch, MUR_SLICES_IRREGULAR) != 0u;
}
