// What murCmdAge does besides sectors: the extra slots, what becomes of ages, and which of them
// stay where only the youngest entries do.
//
// Include after reclaim.glsl.
//
// SPDX-License-Identifier: MIT

const uint BINS = MUR_AGE_BINS;
const uint EXTRA = MUR_EXTRA_SLOTS(FORMAT);

shared uint bins[BINS];
shared uint shared_limit;
#define SCAN_MEMORY bins
#include "../scan.glsl"

// ---- The extra slots.

// The words that tell that there is an entry: a value, or a 1.
const uint EXTRA_WORDS = FORMAT == MUR_FORMAT_K64V64 ? 2u : 1u;

uvec2 extra_at(uint i) {
    if (MUR_IS_SET(FORMAT)) {
        return mur_offset(push.table.address, MUR_HEADER_EXTRA + i, 2u);
    }
    return mur_offset(mur_slot_address(push.table, FORMAT, push.table.slotCount + i),
                      MUR_IS_64(FORMAT) ? 2u : 1u, 2u);
}

uint extra_none() {
    return MUR_IS_SET(FORMAT) ? 0u : mur_no_value(push.table);
}

// In K64V32 they are not used. They are nobody's spare slots: what becomes of them concerns no
// probe.
Sector load_extra() {
    Sector s = no_sector();
    s.first = push.table.slotCount;
    uint old = old_lanes(s.first, EXTRA, s.untouched);
    for (uint i = 0u; i < EXTRA && FORMAT != MUR_FORMAT_K64V32; ++i) {
        for (uint word = 0u; word < EXTRA_WORDS; ++word) {
            s.live |= word_at(extra_at(i), word) != extra_none() ? 1u << i : 0u;
        }
    }
    s.gone = s.live & old;
    s.live &= ~old;
    return s;
}

void erase_extra(Sector s) {
    uint lanes = s.first == push.table.slotCount ? s.gone : 0u;
    for (; lanes != 0u; lanes &= lanes - 1u) {
        for (uint word = 0u; word < EXTRA_WORDS; ++word) {
            mur_output(extra_at(uint(findLSB(lanes))), word, extra_none());
        }
    }
}

// ---- Ages.

// Entries that nobody has touched are of this frame. Slots without an entry are untouched, which is
// written once, not in each call.
void set_ages(Sector s, uint count) {
    if (s.gone != 0u) {
        memoryBarrierBuffer(); // slots before ages
    }
    uint lanes = ~(s.live ^ s.untouched) & ((1u << count) - 1u);
    for (; lanes != 0u; lanes &= lanes - 1u) {
        uint lane = uint(findLSB(lanes));
        bool stays = (s.live >> lane & 1u) != 0u;
        mur_output(push.ages, s.first + lane, stays ? push.frame : MUR_AGE_UNTOUCHED);
    }
}

// ---- The youngest.

void add_to_bin(uint bin, uint count) {
    if (count != 0u) {
        atomicAdd(bins[bin], count);
    }
}

// Of entries that are not too old. Neighbours are often of one age, which is added once.
void count_sector(Sector s, uint slots) {
    uint bin = 0u;
    uint count = 0u;
    [[unroll]] for (uint lane = 0u; lane < slots; ++lane) {
        bool untouched;
        if ((s.live >> lane & 1u) != 0u) {
            uint its = min(age_of(s.first + lane, untouched), BINS - 1u);
            add_to_bin(bin, its == bin ? 0u : count);
            count = its == bin ? count + 1u : 1u;
            bin = its;
        }
    }
    add_to_bin(bin, count);
}

// By the workgroup that was the last to count. Reads what the others have added.
void choose_ages() {
    const uint EACH = BINS / MUR_WORKGROUP;
    uint first = EACH * gl_LocalInvocationIndex;
    uint own[EACH];
    uint sum = 0u;
    for (uint i = 0u; i < EACH; ++i) {
        own[i] = atomicOr(MurCounter(mur_offset(push.scratch, 1u + first + i, 2u)).word, 0u);
        sum += own[i];
    }
    uint total;
    uint upTo = workgroup_sum_before(sum, total);
    for (uint i = 0u; i < EACH; ++i) {
        upTo += own[i];
        if (upTo <= push.maxEntries) {
            atomicMax(shared_limit, first + i + 1u);
        }
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        mur_output(push.scratch, 0u, shared_limit);
    }
}

// How many entries there are of each age; the first word of scratch counts the workgroups that are
// done, until the last of them replaces it.
void count_entries() {
    for (uint i = gl_LocalInvocationIndex; i < BINS; i += MUR_WORKGROUP) {
        bins[i] = 0u;
    }
    shared_limit = 0u;
    barrier();
    limit = BINS;
    uint sectors = push.table.slotCount / SLOTS;
    for (uint i = gl_GlobalInvocationID.x; i < sectors; i += gl_NumWorkGroups.x * MUR_WORKGROUP) {
        count_sector(load(i, 0u, false), SLOTS);
    }
    if (gl_GlobalInvocationID.x == 0u) {
        count_sector(load_extra(), EXTRA);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < BINS; i += MUR_WORKGROUP) {
        if (bins[i] != 0u) {
            atomicAdd(MurCounter(mur_offset(push.scratch, 1u + i, 2u)).word, bins[i]);
        }
    }
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        uint done = atomicAdd(MurCounter(push.scratch).word, 1u) + 1u;
        bins[0] = done == gl_NumWorkGroups.x ? 1u : 0u;
    }
    barrier();
    bool last = bins[0] != 0u;
    barrier();
    if (last) {
        choose_ages();
    }
}
