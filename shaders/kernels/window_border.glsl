// What a slice pushes over its end goes to the start of the next, where it belongs before everything
// else, and what is there moves on, until empty slots have taken all; the next slice has room for it.
// Of a border's two slices, the one that is done last sees to it, so that nobody waits.
//
// SPDX-License-Identifier: MIT

// A queue in shared memory that is free by now, a ring: what was pushed out, then what was displaced.
struct Ring {
    uint first; // of the words
    uint head;
    uint waiting;
};

void queue(inout Ring ring, uvec2 pair) {
    if (pair.x != MUR_EMPTY) {
        uint at = ring.first + 2u * ((ring.head + ring.waiting) % MUR_BUILD_SPILL);
        slots[at] = pair.x;
        slots[at + 1u] = pair.y;
        ++ring.waiting;
    }
}

// Whoever waits first takes the slot; what was there waits.
uvec2 exchange(inout Ring ring, uvec2 seen) {
    if (ring.waiting == 0u) {
        return seen;
    }
    uint at = ring.first + 2u * (ring.head % MUR_BUILD_SPILL);
    uvec2 pair = uvec2(slots[at], slots[at + 1u]);
    ++ring.head;
    --ring.waiting;
    queue(ring, seen);
    return pair;
}

void exchange_four(inout Ring ring, inout uvec4 low, inout uvec4 high) {
    low.xy = exchange(ring, low.xy);
    low.zw = exchange(ring, low.zw);
    high.xy = exchange(ring, high.xy);
    high.zw = exchange(ring, high.zw);
}

uvec2 slot_address(uint slot) {
    return mur_offset(mur_slots_address(push.table), slot, 3u);
}

// border: the one before the slice of this index.
void settle(uint border, uint firstWord) {
    Ring ring = Ring(firstWord, 0u, 0u);
    uint slot = border * SLICE; // slices and slotCount end between groups of four
    MurFour four = MurFour(slot_address(slot));
    uvec4 low = four.low;
    uvec4 high = four.high;
    for (uint i = 0u; i < MUR_BUILD_SPILL; i += 4u) {
        MurFour spill = MurFour(mur_offset(tile_spill(border - 1u), i, 3u));
        uvec4 first = spill.low;
        uvec4 second = spill.high;
        queue(ring, first.xy);
        queue(ring, first.zw);
        queue(ring, second.xy);
        queue(ring, second.zw);
        if (second.z == MUR_EMPTY) {
            break;
        }
    }
    while (ring.waiting != 0u && slot < push.table.slotCount) {
        four = MurFour(slot_address(slot));
        exchange_four(ring, low, high);
        four.low = low;
        four.high = high;
        slot += MUR_SECTOR_SLOTS;
        if (slot < push.table.slotCount) {
            low = MurFour(slot_address(slot)).low;
            high = MurFour(slot_address(slot)).high;
        }
    }
}

// A border's word counts the slices at it that are done, and says whether the one before pushes out
// anything, and whether the one after has no room for that.
const uint BORDER_SPILLED = 4u;
const uint BORDER_CLOSED = 8u;

// border: the one before the slice of this index. add: 1 and any of the above. After a barrier for
// what the slice has written.
void meet_at_border(uint border, uint add, uint firstWord) {
    if (tile_count_up(MUR_TILE_BORDERS + border, add) == 2u + BORDER_SPILLED) {
        memoryBarrierBuffer();
        settle(border, firstWord);
    }
}
