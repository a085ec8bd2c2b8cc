// What murCmdAge does besides sectors: the extra slots, and which ages stay where only the youngest
// entries do.
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

uvec2 result_word(uint i) {
    return mur_offset(push.result, i, 2u);
}

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

// In K64V32 they are not used.
uint live_extra() {
    uint lanes = 0u;
    for (uint i = 0u; i < EXTRA && FORMAT != MUR_FORMAT_K64V32; ++i) {
        for (uint word = 0u; word < EXTRA_WORDS; ++word) {
            lanes |= word_at(extra_at(i), word) != extra_none() ? 1u << i : 0u;
        }
    }
    return lanes;
}

uint old_extra() {
    uint lanes = 0u;
    for (uint i = 0u; i < EXTRA; ++i) {
        lanes |= is_old(age_of(push.table.slotCount + i)) ? 1u << i : 0u;
    }
    return lanes;
}

void erase_extra(uint i) {
    for (uint word = 0u; word < EXTRA_WORDS; ++word) {
        mur_output(extra_at(i), word, extra_none());
    }
}

// ---- The youngest.

void add_to_bin(uint bin, uint count) {
    if (count != 0u) {
        atomicAdd(bins[bin], count);
    }
}

// Of entries that are not too old. Neighbours are often of one age, which is added once.
void count_sector(uint sector, bool extra) {
    uint lanes = extra ? live_extra() & ~old_extra() : live_lanes(load(sector, 0u));
    uint first = SLOTS * sector;
    uint bin = 0u;
    uint count = 0u;
    for (; lanes != 0u; lanes &= lanes - 1u) {
        uint its = min(age_of(first + uint(findLSB(lanes))), BINS - 1u);
        add_to_bin(bin, its == bin ? 0u : count);
        count = its == bin ? count + 1u : 1u;
        bin = its;
    }
    add_to_bin(bin, count);
}

void count_entries() {
    for (uint i = gl_LocalInvocationIndex; i < BINS; i += MUR_WORKGROUP) {
        bins[i] = 0u;
    }
    barrier();
    limit = BINS;
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
