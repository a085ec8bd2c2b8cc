#version 450
#extension GL_GOOGLE_include_directive : require
// Exact builds: computes the shift of each slice (build_shifts.glsl). Only distinct keys count, so
// a hash set in shared memory finds duplicate keys. These are removed from the slice's bin.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "slices.glsl"

const uint SET = 2048u; // larger than a bin, so there is always an empty position
const uint ITEMS = MUR_SLICE_ROOM / MUR_WORKGROUP;

shared uint set[SET]; // later the shifts
#define SHIFT_MEMORY set
#include "build_shifts.glsl"
const uint HOME_WORDS = MUR_SLICE / 2u;
#include "build_homes.glsl"

// Inserts a hash into the set. Returns false if it is a duplicate.
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

void main() {
    uint slice = mur_workgroup();
    if (slice >= slice_total()) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = slice * MUR_SLICE;
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
    for (uint place = lane; place < SET; place += MUR_WORKGROUP) {
        set[place] = MUR_EMPTY;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (hashes[i] != MUR_EMPTY) {
            count_home(mur_home(hashes[i], push.table.capacity) - first);
        }
    }
    barrier();
    // Only home slots with several pairs have duplicates. Of equal pairs, one is removed after the
    // other is in the set; the count is above 1 until then, so both check the set.
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
    fold_shifts(shift_of_homes());
    if (lane == 0u) {
        ivec2 shift = folded_shift();
        mur_output(slice_word(slice, SLICE_ADD), 0u, uint(shift.x - int(MUR_SLICE)));
        mur_output(slice_word(slice, SLICE_LEAST), 0u,
                   uint(max(shift.y - int(MUR_SLICE), 0)));
    }
}
