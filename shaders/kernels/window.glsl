// What a workgroup of tile_window.comp works on: a slice of the table and, before it, a bin of home
// slots whose pairs may reach into the slice. Slots and homes are counted from the window's first.
//
// SPDX-License-Identifier: MIT

#ifdef MUR_WINDOW_SPREAD
const uint SLICE = 1u << MUR_SPREAD_BITS;
const uint ITEMS = MUR_SPREAD_ITEMS; // pairs an invocation takes
#else
const uint SLICE = 1u << MUR_LISTED_BITS;
const uint ITEMS = MUR_LISTED_ITEMS;
#endif
const uint BEFORE = SLICE / 4u; // home slots
const uint HOMES = BEFORE + SLICE;
const uint ROOM = HOMES + MUR_BUILD_SPILL; // slots
const uint OWN = SLICE / MUR_WORKGROUP; // slots of the slice that an invocation writes
#ifdef MUR_WINDOW_SPREAD
const uint LANES = MUR_SPREAD_LANES; // invocations that share a tile
#else
const uint LANES = 1u;
#endif

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurFourOut {
    uvec4 words;
};

uint window_count() {
    return ((push.table.capacity - 1u) / SLICE) + 1u;
}

struct Window {
    uint home;  // the window's first, modulo 2^32: before slot 0, for the first window
    uint owned; // slots that the window writes, from slot BEFORE on: the last one has the padding, too
    uint end;   // of the slots that pairs may take
    bool last;
};

Window window_of(uint index) {
    Window window;
    window.home = index * SLICE - BEFORE;
    window.last = index + 1u == window_count();
    window.owned = window.last ? push.table.slotCount - index * SLICE : SLICE;
    window.end = window.last ? min(BEFORE + window.owned, ROOM) : ROOM;
    return window;
}

uint home_of(Window window, uint hash) {
    return mur_home(hash, push.table.capacity) - window.home;
}

// What this invocation takes of one tile: pairs first, first + step, ... before end, among all tiles'.
struct Share {
    uint first;
    uint end;
    uint step;
};

// step: invocations that share a tile. What tiles that the batch's count leaves out have is loaded,
// too, but not used: the loads need not wait for the count.
Share share_of(uint index, uint lane, uint step) {
    const uint bins = SLICE / BEFORE;
    uint tile = lane / step;
    Share share = Share(0u, 0u, step);
    if (tile * push.tile < push.maxCount) {
        MurWordsIn begins = MurWordsIn(tile_begins(tile));
        share.first = tile * push.tile + begins.words[index * bins - min(index, 1u)] + lane % step;
        share.end = tile * push.tile + begins.words[min(index * bins + bins, tile_bins())];
    }
    if (tile * push.tile >= tile_items()) {
        share.end = share.first;
    }
    return share;
}

shared uint crowded;  // not for the short way: see window_crowded.glsl
shared uint isClosed; // does no slot stay free in the last BEFORE slots of the slice?
shared uint isLost;   // has a pair found no slot?

// The slots: hashes; then values, unless there is room for both.
#ifdef MUR_WINDOW_SPREAD
shared uvec2 slots[ROOM];
#define WINDOW_HASH(slot) slots[slot].x
#else
shared uint slots[max(ROOM, ITEMS * MUR_WORKGROUP)];
#define WINDOW_HASH(slot) slots[slot]
#endif

void clear_slots(uint lane) {
    for (uint slot = lane; slot < ROOM; slot += MUR_WORKGROUP) {
#ifdef MUR_WINDOW_SPREAD
        slots[slot] = uvec2(MUR_EMPTY, mur_no_value(push.table));
#else
        slots[slot] = MUR_EMPTY;
#endif
    }
}

// Where slots of the slice are in the table, from the slice's first on.
uvec2 slice_address(uint index) {
    return mur_offset(mur_slots_address(push.table), index * SLICE, 3u);
}

// Everything that the workgroup has written, here or in the table, is there for all of it.
void window_barrier() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                   gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}
