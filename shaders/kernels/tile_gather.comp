#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
// murCmdBuild, tiled path, second: each workgroup gathers the pairs of one slice from all tiles,
// puts them in order of hash in shared memory and writes the slice's slots. What is pushed over its
// end goes to scratch memory, and on into the next slice by whoever of the two is done last.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_LARGE_WORKGROUP
#define MUR_SUBGROUP
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"
#include "tile_others.glsl"
#include "window.glsl"
#include "window_pairs.glsl"
#include "window_push.glsl"
#include "window_write.glsl"
#include "window_crowded.glsl"
#include "window_border.glsl"

shared uint spills; // does the slice push out anything?

// More pairs than this, and the slice may lack free slots for what another pushes into it.
uint most_pairs(Window window) {
    uint room = min(window.owned, SLICE);
    return room - min(room, MUR_BUILD_SPILL);
}

void place_pairs(Window window) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            push_hash(window, pairs[i].x);
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        places[i] = pairs[i].x == MUR_EMPTY ? ROOM : pushed_slot(window, pairs[i].x);
    }
}

void note_spill(Window window) {
    if (gl_LocalInvocationIndex == 0u) {
        spills = !window.last && WINDOW_HASH(SLICE) != MUR_EMPTY ? 1u : 0u;
    }
}

void finish(uint index) {
    window_barrier();
    uint side = gl_LocalInvocationIndex;
    if (side > 1u) {
        return;
    }
    uint add = 1u;
    if (side == 1u) {
        add += spills != 0u ? BORDER_SPILLED : 0u;
    } else if (isLost != 0u) {
        tile_lost();
        add += BORDER_CLOSED;
    }
    memoryBarrierBuffer();
    meet_at_border(index + side, add, side * 2u * MUR_BUILD_SPILL);
}

void build_slice(uint index) {
    uint lane = scan_lane();
    Window window = window_of(index);
    Share share = share_of(index, lane, LANES);
    if (lane == 0u) {
        isLost = 0u;
    }
    bool excess = read_pairs(share, lane, most_pairs(window));
    barrier();
    if (!excess) {
        place_pairs(window);
        note_spill(window);
        barrier();
        write_slots(index, window, lane);
    } else {
        build_crowded(index, window, lane);
        note_spill(window);
    }
    finish(index);
}

// There is one workgroup more than slices.
void main() {
    uint index = gl_WorkGroupID.x; // there are few
    if (index < window_count()) {
        build_slice(index);
    } else {
        settle_others();
    }
}
