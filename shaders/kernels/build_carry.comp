#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, exact path: how each slice shifts what comes in from the slice before it. A key that
// comes twice is found by a hash set in shared memory and struck from the slice's bin, unless the
// batch promises that there is none.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"

// Compiled twice: with MUR_BUILD_NO_REPEATS for batches that make the promise, which takes less
// shared memory and a third of the time.
#ifdef MUR_BUILD_NO_REPEATS
const uint SET = 600u; // only the shifts
#else
const uint SET = 2048u; // more than a bin's room, so there is always an empty place
#endif
const uint ITEMS = MUR_BUILD_ROOM / MUR_WORKGROUP;

shared uint set[SET]; // and then the shifts
#define SHIFT_MEMORY set
#include "build_shifts.glsl"
#include "build_homes.glsl"

#ifndef MUR_BUILD_NO_REPEATS
// Is it the first of its kind?
bool is_first(uint hash) {
    uint place = hash % SET;
    for (uint left = SET; left != 0u; --left) {
        uint seen = atomicCompSwap(set[place], MUR_EMPTY, hash);
        if (seen == MUR_EMPTY) {
            return true;
        }
        if (seen == hash) {
            return false;
        }
        place = (place + 1u) % SET;
    }
    return true;
}
#endif

void main() {
    uint slice = mur_workgroup();
    if (slice >= build_slices()) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = slice * MUR_BUILD_SLICE;
    uint count = slice_count(slice);
    uvec2 bin = slice_bin(slice);
    uint hashes[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        hashes[i] = MUR_EMPTY;
        if (item < count) {
            hashes[i] = MurPairsIn(bin).pairs[item].x;
        }
    }
    clear_homes();
#ifndef MUR_BUILD_NO_REPEATS
    for (uint place = lane; place < SET; place += MUR_WORKGROUP) {
        set[place] = MUR_EMPTY;
    }
#endif
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (hashes[i] != MUR_EMPTY) {
            count_home(mur_home(hashes[i], push.table.capacity) - first);
        }
    }
    barrier();
#ifndef MUR_BUILD_NO_REPEATS
    // Only a home with several pairs can have a key twice. Striking one leaves its twin, so whoever
    // has a twin sees a count above one.
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (hashes[i] != MUR_EMPTY) {
            uint home = mur_home(hashes[i], push.table.capacity) - first;
            if (home_word(home) > 1u && !is_first(hashes[i])) {
                uncount_home(home);
                MurPairsOut(bin).pairs[i * MUR_WORKGROUP + lane] = uvec2(MUR_EMPTY);
            }
        }
    }
    barrier();
#endif
    fold_shifts(shift_of_homes());
    if (lane == 0u) {
        ivec2 shift = folded_shift();
        mur_output(slice_word(slice, MUR_SLICE_ADD), 0u, uint(shift.x - int(MUR_BUILD_SLICE)));
        mur_output(slice_word(slice, MUR_SLICE_LEAST), 0u,
                   uint(max(shift.y - int(MUR_BUILD_SLICE), 0)));
    }
}
