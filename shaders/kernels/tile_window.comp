#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
// murCmdBuild, windowed path, second and last: each workgroup gathers the pairs of one window from all
// tiles, puts them in order of hash in shared memory and writes the window's slice. How many pairs each home slot
// has tells where they begin; they are put there as they come, then into order.
//
// A window begins as if nothing reached into it. That is true from some slot before the slice on if
// the slice before leaves a slot free there, which the workgroup of that slice sees. If one sees none,
// pairs may be missing in the table, and the last workgroup to be done inserts everything on top of it.
//
// Compiled twice, with MUR_WINDOW_SPREAD or MUR_WINDOW_LISTED: see MUR_SPREAD_BITS.
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
#endif
#include "window_pairs.glsl"
#include "window_homes.glsl"
#include "window_order.glsl"
#include "window_push.glsl"
#include "window_write.glsl"
#include "window_crowded.glsl"
#include "window_alone.glsl"

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
#ifdef MUR_WINDOW_SPREAD
    bool excess = read_pairs(share, lane);
#else
    bool excess = read_pairs(share, lane, ITEMS * MUR_WORKGROUP);
#endif
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
    window_barrier();
    bool lost = isLost != 0u || (isClosed != 0u && !window.last);
    if (ends_alone(lost, lane)) {
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
