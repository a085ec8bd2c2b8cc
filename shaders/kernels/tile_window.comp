#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
// murCmdBuild, windowed path, second and last: each workgroup gathers the pairs of one window from all
// tiles, puts them in order of hash in shared memory and writes the window's slice. How many pairs
// each home slot has tells where they begin; they are put there as they come, then into order.
//
// A window begins as if nothing reached into it. That is true from some slot before the slice on if
// the slice before leaves a slot free there, which the workgroup of that slice sees. Whoever is the
// last to be done looks whether all saw one; if not, it clears the table and inserts everything.
//
// Compiled twice: see MUR_SPREAD_BITS.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_SUBGROUP
#ifdef MUR_WINDOW_SPREAD
#define MUR_LARGE_WORKGROUP
#endif
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"
#include "tile_others.glsl"
#include "window.glsl"
#ifdef MUR_WINDOW_SPREAD
#include "subgroup.glsl"
#else
#define SCAN_MEMORY slots
#include "scan.glsl"
#endif
#include "window_homes.glsl"
#include "window_order.glsl"
#include "window_crowded.glsl"
#include "window_alone.glsl"

// Takes the pairs and clears the slots, before a barrier. True: there are more than fit.
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
bool read_pairs(Share share, uint lane) {
    const uint most = ITEMS * MUR_WORKGROUP;
    uint total;
    uint place = workgroup_sum_before(share.end - share.first, total);
    for (uint item = share.first; item < share.end && place < most; ++item) {
        slots[place++] = item;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        pairs[i] = uvec2(MUR_EMPTY);
        if (item < total) {
            pairs[i] = MurPairsIn(tile_pairs()).pairs[slots[item]];
        }
    }
    barrier();
    clear_slots(lane);
    return total > most;
}
#endif

// Two slots at once; slotCount is a multiple of four.
void write_two(uint index, Window window, uint slot, uvec4 two) {
    uint none = mur_no_value(push.table);
    two.y = two.x == MUR_EMPTY ? none : two.y;
    two.w = two.z == MUR_EMPTY ? none : two.w;
    if (slot < window.owned) {
        MurFourOut(mur_offset(slice_address(index), slot / 2u, 4u)).words = two;
    }
}

void write_slots(uint index, Window window, uint lane) {
#ifdef MUR_WINDOW_SPREAD
    [[unroll]] for (uint i = 0u; i < OWN; i += 2u) {
        uint slot = i * MUR_WORKGROUP + 2u * lane;
        write_two(index, window, slot, uvec4(slots[BEFORE + slot], slots[BEFORE + slot + 1u]));
    }
    for (uint slot = SLICE + 2u * lane; slot < window.owned; slot += 2u * MUR_WORKGROUP) {
        uvec4 two = uvec4(MUR_EMPTY);
        if (BEFORE + slot < ROOM) {
            two = uvec4(slots[BEFORE + slot], slots[BEFORE + slot + 1u]);
        }
        write_two(index, window, slot, two);
    }
#else
    uint hashes[OWN];
    [[unroll]] for (uint i = 0u; i < OWN; ++i) {
        hashes[i] = slots[BEFORE + i / 2u * 2u * MUR_WORKGROUP + 2u * lane + i % 2u];
    }
    uint beyond = HOMES + lane < ROOM ? slots[HOMES + lane] : MUR_EMPTY;
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint slot = places[i] & ~SETTLED;
        if (slot < ROOM) {
            slots[slot] = pairs[i].y;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < OWN; i += 2u) {
        uint slot = i * MUR_WORKGROUP + 2u * lane;
        write_two(index, window, slot,
                  uvec4(hashes[i], slots[BEFORE + slot], hashes[i + 1u],
                        slots[BEFORE + slot + 1u]));
    }
    for (uint slot = SLICE + lane; slot < window.owned; slot += MUR_WORKGROUP) {
        uvec2 pair = uvec2(MUR_EMPTY, mur_no_value(push.table));
        if (BEFORE + slot < ROOM && beyond != MUR_EMPTY) {
            pair = uvec2(beyond, slots[BEFORE + slot]);
        }
        MurPairsOut(slice_address(index)).pairs[slot] = pair;
    }
#endif
}

// Is this the last window to be done, and has any of them failed?
bool must_insert(Window window, uint lane) {
    window_barrier();
    if (lane == 0u) {
        uint done = isLost != 0u || (isClosed != 0u && !window.last) ? 0x10001u : 1u;
        memoryBarrierBuffer();
        uvec2 counter = mur_offset(push.scratch, MUR_TILE_WINDOWS, 2u);
        uint all = atomicAdd(MurCounter(counter).word, done) + done;
        crowded = (all & 0xFFFFu) == window_count() ? all >> 16 : 0u;
    }
    barrier();
    return crowded != 0u;
}

void build_window(uint index) {
    uint lane = scan_lane();
    Window window = window_of(index);
    Share share = share_of(index, lane, LANES);
    clear_homes(lane);
    if (lane == 0u) {
        crowded = 0u;
        isClosed = 1u;
        isLost = 0u;
    }
    bool excess = read_pairs(share, lane);
    barrier();
    if (excess) {
        crowded = 1u;
    }
    count_pairs(window);
    barrier();
    if (begin_homes(lane, SLICE, HOMES)) {
        isClosed = 0u;
    }
    barrier();
    place_pairs(window);
    barrier();
    order_pairs(window);
    if (crowded != 0u) {
        build_crowded(index, window, lane);
    } else {
        write_slots(index, window, lane);
    }
    if (must_insert(window, lane)) {
        insert_all_alone(lane);
    }
}

// There is one workgroup more than windows. What is rarely done comes last: code that lies between
// makes instructions come late, which counts where all takes some microseconds.
void main() {
    uint index = gl_WorkGroupID.x; // there are few
    if (index < window_count()) {
        build_window(index);
    } else {
        settle_others();
    }
}
