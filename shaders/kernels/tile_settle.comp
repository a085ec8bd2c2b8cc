#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, tiled path, last: each invocation takes what one slice pushed over its end to the
// start of the next, where it belongs before everything else, and moves on what it finds, until
// empty slots have taken all. Its queue is a ring: what waits is what was pushed out, then what was
// displaced, in order. The next slice has room for all of it, so invocations never meet.
//
// But if something did not fit, it inserts the whole batch directly: what the slices wrote is then
// a table that lacks some pairs. Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"

// Four slots, or four pairs that were pushed out, at once.
layout(buffer_reference, std430, buffer_reference_align = 16) buffer MurFour {
    uvec4 low;
    uvec4 high;
};

const uint RING = MUR_BUILD_SPILL;

uvec2 ring[RING];
uint head = 0u;
uint waiting = 0u;

void queue(uvec2 pair) {
    if (pair.x != MUR_EMPTY) {
        ring[(head + waiting) % RING] = pair;
        ++waiting;
    }
}

// Whoever waits first takes the slot; what was there waits.
uvec2 exchange(uvec2 seen) {
    if (waiting == 0u) {
        return seen;
    }
    uvec2 pair = ring[head % RING];
    ++head;
    --waiting;
    queue(seen);
    return pair;
}

// The slice's first group of four in the next one, and the first four pairs that it pushed out: loaded
// while the word that tells whether anything did not fit is on its way, too.
struct Border {
    uvec4 low;
    uvec4 high;
    uvec4 first;
    uvec4 second;
};

uvec2 slot_address(uint slot) {
    return mur_offset(mur_slots_address(push.table), slot, 3u);
}

Border load_border(uint slice) {
    MurFour slots = MurFour(slot_address((slice + 1u) << push.binBits));
    MurFour spill = MurFour(tile_spill(slice));
    return Border(slots.low, slots.high, spill.low, spill.high);
}

void settle(uint slice, Border border) {
    uint slot = (slice + 1u) << push.binBits;
    uvec4 low = border.low;
    uvec4 high = border.high;
    uvec4 first = border.first;
    uvec4 second = border.second;
    for (uint i = 4u;; i += 4u) {
        queue(first.xy);
        queue(first.zw);
        queue(second.xy);
        queue(second.zw);
        if (second.z == MUR_EMPTY || i == MUR_BUILD_SPILL) {
            break;
        }
        MurFour spill = MurFour(mur_offset(tile_spill(slice), i, 3u));
        first = spill.low;
        second = spill.high;
    }
    // A slice and slotCount end between groups of four.
    while (waiting != 0u) {
        low.xy = exchange(low.xy);
        low.zw = exchange(low.zw);
        high.xy = exchange(high.xy);
        high.zw = exchange(high.zw);
        MurFour(slot_address(slot)).low = low;
        MurFour(slot_address(slot)).high = high;
        slot += MUR_SECTOR_SLOTS;
        if (slot >= push.table.slotCount) {
            return;
        }
        low = MurFour(slot_address(slot)).low;
        high = MurFour(slot_address(slot)).high;
    }
}

void insert_all(uint first) {
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint none = mur_no_value(table);
    uint count = tile_items();
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    for (uint item = first; item < count; item += stride) {
        uint value = mur_input(push.values, item);
        if (value != none) { // else it has been counted
            mur_upsert(table, mur_input(push.keys, item), value);
        }
    }
}

// Slices are dealt out to the workgroups, so that few of a subgroup's invocations have to wait for
// others.
void main() {
    uint groups = gl_NumWorkGroups.x; // there are few
    uint slice = gl_LocalInvocationIndex * groups + gl_WorkGroupID.x;
    bool settles = slice + 1u < tile_bins();
    Border border;
    if (settles) {
        border = load_border(slice);
    }
    if (mur_input(push.scratch, MUR_TILE_IRREGULAR) == 0u) {
        if (settles) {
            settle(slice, border);
        }
    } else {
        insert_all(slice);
    }
}
