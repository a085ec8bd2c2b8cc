// What murCmdAge looks at: the entries of one sector, or of the extra slots, and their ages; and
// which ages stay where only the youngest entries do.
//
// Include after murmuration.glsl, kernel.glsl, the push constants and reclaim.glsl.
//
// SPDX-License-Identifier: MIT

const uint BINS = MUR_AGE_BINS;
const uint EXTRA = MUR_EXTRA_SLOTS(FORMAT);

shared uint bins[BINS];
shared uint shared_limit;
#define SCAN_MEMORY bins
#include "../scan.glsl"

uint word_at(uvec2 array, uint i) {
    return MurCounter(mur_offset(array, i, 2u)).word;
}

uvec2 result_word(uint i) {
    return mur_offset(push.result, i, 2u);
}

// ---- Entries.

uvec2 extra_at(uint i) {
    return MUR_IS_SET(FORMAT) ? mur_offset(push.table.address, MUR_HEADER_EXTRA + i, 2u)
                              : mur_slot_address(push.table, FORMAT, push.table.slotCount + i);
}

// Where the value lies in a slot, in words.
const uint VALUE_WORD = MUR_IS_64(FORMAT) ? 2u : 1u;

bool extra_is_live(uint i) {
    if (MUR_IS_SET(FORMAT)) {
        return word_at(extra_at(i), 0u) != 0u;
    }
    return FORMAT != MUR_FORMAT_K64V32 &&
           word_at(extra_at(i), VALUE_WORD) != mur_none_of(push.table, FORMAT).x;
}

// Lanes of a sector, or extra slots, that have an entry.
uint live_lanes(uint sector, bool extra) {
    uint lanes = 0u;
    if (extra) {
        for (uint i = 0u; i < EXTRA; ++i) {
            lanes |= extra_is_live(i) ? 1u << i : 0u;
        }
        return lanes;
    }
    Sector s = load(0u, sector);
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        lanes |= is_live(words_in(s, lane)) ? 1u << lane : 0u;
    }
    return lanes;
}

// As an erase leaves it.
void erase_slot(uint slot) {
    uvec2 none = mur_none_of(push.table, FORMAT);
    bool extra = slot >= push.table.slotCount;
    uvec2 at = extra ? extra_at(slot - push.table.slotCount)
                     : mur_slot_address(push.table, FORMAT, slot);
    if (MUR_IS_SET(FORMAT)) {
        MurOutput(at).word = extra ? 0u : MUR_TOMB;
        if (MUR_IS_64(FORMAT) && !extra) {
            mur_output(at, 1u, MUR_EMPTY);
        }
        return;
    }
    mur_output(at, VALUE_WORD, none.x);
    if (FORMAT == MUR_FORMAT_K64V64) {
        mur_output(at, VALUE_WORD + 1u, none.y);
    }
}

uint age_of(uint slot) {
    return push.frame - word_at(push.ages, slot);
}

// ---- The youngest.

void add_to_bin(uint bin, uint count) {
    if (count != 0u) {
        atomicAdd(bins[bin], count);
    }
}

// Neighbours are often of one age, which is added once.
void count_sector(uint sector, bool extra) {
    uint lanes = live_lanes(sector, extra);
    uint first = extra ? push.table.slotCount : SLOTS * sector;
    uint bin = 0u;
    uint count = 0u;
    for (; lanes != 0u; lanes &= lanes - 1u) {
        uint age = age_of(first + uint(findLSB(lanes)));
        uint its = min(age, BINS - 1u);
        if (age <= push.maxAge) {
            add_to_bin(bin, its == bin ? 0u : count);
            count = its == bin ? count + 1u : 1u;
            bin = its;
        }
    }
    add_to_bin(bin, count);
}

void count_entries() {
    for (uint i = gl_LocalInvocationIndex; i < BINS; i += MUR_WORKGROUP) {
        bins[i] = 0u;
    }
    barrier();
    uint sectors = push.table.slotCount / SLOTS;
    for (uint i = gl_GlobalInvocationID.x; i <= sectors; i += gl_NumWorkGroups.x * MUR_WORKGROUP) {
        count_sector(i, i == sectors);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < BINS; i += MUR_WORKGROUP) {
        if (bins[i] != 0u) {
            atomicAdd(MurCounter(mur_offset(push.scratch, 1u + i, 2u)).word, bins[i]);
        }
    }
}

void choose_ages() {
    const uint EACH = BINS / MUR_WORKGROUP;
    uint first = EACH * gl_LocalInvocationIndex;
    if (gl_LocalInvocationIndex == 0u) {
        shared_limit = 0u;
    }
    uint sum = 0u;
    for (uint i = 0u; i < EACH; ++i) {
        sum += word_at(push.scratch, 1u + first + i);
    }
    uint total;
    uint upTo = workgroup_sum_before(sum, total);
    for (uint i = 0u; i < EACH; ++i) {
        upTo += word_at(push.scratch, 1u + first + i);
        if (upTo <= push.maxEntries) {
            atomicMax(shared_limit, first + i + 1u);
        }
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        mur_output(push.scratch, 0u, shared_limit);
    }
}
