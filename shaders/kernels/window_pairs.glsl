// How the pairs of a window come from the tiles to the invocations.
//
// SPDX-License-Identifier: MIT

// This invocation's pairs; MUR_EMPTY: none.
uvec2 pairs[ITEMS];
// Of each pair, at last, its slot, or ROOM.
uint places[ITEMS];

#ifndef MUR_WINDOW_SPREAD
// The pairs' indices take turns with the slots.
#define SCAN_MEMORY slots
#include "scan.glsl"
#endif

// Takes the pairs and clears the slots, before a barrier. True: there are more than the invocations
// take, or than most (which is no more).
#ifdef MUR_WINDOW_SPREAD
bool read_pairs(Share share, uint lane) {
    clear_slots(lane);
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = share.first + i * share.step;
        pairs[i] = uvec2(MUR_EMPTY);
        if (item < share.end) {
            pairs[i] = MurPairsIn(tile_pairs()).pairs[item];
        }
    }
    return share.first + ITEMS * share.step < share.end;
}
#else
bool read_pairs(Share share, uint lane, uint most) {
    uint total;
    uint place = workgroup_sum_before(share.end - share.first, total);
    for (uint item = share.first; item < share.end && place < most; ++item) {
        slots[place++] = item;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        pairs[i] = uvec2(MUR_EMPTY);
        if (item < min(total, most)) {
            pairs[i] = MurPairsIn(tile_pairs()).pairs[slots[item]];
        }
    }
    barrier();
    clear_slots(lane);
    return total > most;
}
#endif
