// What a workgroup of tile_window.comp or tile_gather.comp works on: a slice of the table and, in
// windows, a bin of home slots before it whose pairs may reach into the slice. Slots and homes are
// counted from the window's first.
//
// SPDX-License-Identifier: MIT

// ITEMS: pairs that an invocation takes. BINS: in the slice. BEFORE: home slots.
#if defined(MUR_WINDOW_SPREAD)
const uint SLICE = 1u << MUR_SPREAD_BITS;
const uint ITEMS = MUR_SPREAD_ITEMS;
const uint BINS = 4u;
const uint BEFORE = SLICE / BINS;
#elif defined(MUR_WINDOW_LISTED)
const uint SLICE = 1u << MUR_LISTED_BITS;
const uint ITEMS = MUR_LISTED_ITEMS;
const uint BINS = 4u;
const uint BEFORE = SLICE / BINS;
#else
const uint SLICE = 1u << MUR_TILED_BITS;
const uint ITEMS = SLICE / MUR_WORKGROUP;
const uint BINS = 1u;
const uint BEFORE = 0u;
#define MUR_WINDOW_SPILLS // what reaches beyond the slice goes to scratch memory
#endif
const uint HOMES = BEFORE + SLICE;
const uint ROOM = HOMES + MUR_BUILD_SPILL; // slots
const uint OWN = SLICE / MUR_WORKGROUP;    // slots of the slice that an invocation writes
#ifdef MUR_WINDOW_SPREAD
const uint LANES = MUR_SPREAD_LANES; // invocations that share a tile
#else
const uint LANES = 1u;
#endif

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly coherent buffer MurFourOut {
    uvec4 words;
};

layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer MurFour {
    uvec4 low; // four slots, or four pairs
    uvec4 high;
};

uint window_count() {
    return ((push.table.capacity - 1u) / SLICE) + 1u;
}

struct Window {
    uint home; // the window's first, modulo 2^32: before slot 0, for the first window
    uint
        owned; // slots that the window writes, from slot BEFORE on: the last one has the padding, too
    uint end; // of the slots that pairs may take
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
    uint bin = index * BINS;
    uint tile = lane / step;
    Share share = Share(0u, 0u, step);
    if (tile * push.tile < push.maxCount) {
        MurWordsIn begins = MurWordsIn(tile_begins(tile));
        share.first = tile * push.tile + begins.words[bin - min(index, BEFORE == 0u ? 0u : 1u)] +
                      lane % step;
        share.end = tile * push.tile + begins.words[min(bin + BINS, tile_bins())];
    }
    if (tile * push.tile >= tile_items()) {
        share.end = share.first;
    }
    return share;
}

shared uint crowded;  // not for the short way: see window_crowded.glsl
shared uint isClosed; // windows: does no slot stay free in the last BEFORE slots of the slice?
shared uint isLost;   // has a pair found no slot?

// The slots: hashes; then values, unless there is room for both.
#ifdef MUR_WINDOW_SPREAD
shared uvec2 slots[ROOM + 1u];
#define WINDOW_HASH(slot) slots[slot].x
#else
shared uint slots[max(ROOM + 1u, ITEMS *MUR_WORKGROUP)];
#define WINDOW_HASH(slot) slots[slot]
#endif

void clear_slots(uint lane) {
    for (uint slot = lane; slot <= ROOM; slot += MUR_WORKGROUP) {
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
