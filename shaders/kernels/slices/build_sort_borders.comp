#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, after the slices, one slice per invocation: writes the pairs beyond the slice's end
// to the first slots of the next slice, and displaces the pairs there, until each pair has a slot.
// A ring buffer is the queue of pairs that need a slot: first the pairs from the slice, then
// displaced pairs, in the order of their hashes. An invocation stops before the end of the next
// slice, so no two invocations access one slot.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "slices.glsl"

uvec2 ring[MUR_SLICE_SPILL];

void main() {
    uint slice;
    if (!mur_item(slice_total(), slice)) {
        return;
    }
    uint waiting = min(mur_input(slice_word(slice, SLICE_COUNT), 0u), MUR_SLICE_SPILL);
    if (waiting == 0u || is_irregular()) {
        return;
    }
    uint slot = (slice + 1u) * MUR_SLICE;
    for (uint i = 0u; i < waiting; ++i) {
        ring[i] = MurPairsIn(slice_bin(slice)).pairs[i];
    }
    uint end = slots_end(slot, slice + 1u == slice_total() ? 0xFFFFFFFFu : MUR_SLICE);
    MurSlots slots = MurSlots(mur_slots_address(push.table));
    uint head = 0u;
    while (slot < end && waiting != 0u) {
        uvec2 seen = slots.pairs[slot];
        slots.pairs[slot] = ring[head % MUR_SLICE_SPILL];
        if (seen.x == MUR_EMPTY) {
            --waiting;
        } else {
            ring[(head + waiting) % MUR_SLICE_SPILL] = seen;
        }
        ++head;
        ++slot;
    }
    if (waiting != 0u) {
        irregular();
    }
}
