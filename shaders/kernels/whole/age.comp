#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdAge: murCmdReclaim's kernel, with entries that are too old counted as erased from the
// start; and lists of the entries that went and that stay.
//
// Where only the youngest stay, the entries are counted by age first, and one workgroup finds the
// youngest ages whose entries all fit.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_KEYS_64
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../header.glsl"

layout(push_constant) uniform MurPush {
    MurAgePush push;
};

#define RECLAIM_AGES
#include "reclaim.glsl"
#include "reclaim_window.glsl"

#include "age.glsl"

shared uint shared_live, shared_erased, live_base, erased_base;

void reset() {
    uint lane = gl_LocalInvocationIndex;
    if (mur_wanted(push.result) && lane < MUR_AGE_WORDS) {
        bool one = lane == MUR_AGE_DISPATCH + 1u || lane == MUR_AGE_DISPATCH + 2u;
        mur_output(push.result, lane, one ? 1u : 0u);
    }
    for (uint i = lane; i < 1u + BINS; i += MUR_WORKGROUP) {
        mur_output(push.scratch, i, 0u);
    }
}

void write_list(uvec2 list, uint lanes, uint first, uint at, uint room) {
    for (; lanes != 0u && at < room; lanes &= lanes - 1u) {
        mur_output(list, at++, first + uint(findLSB(lanes)));
    }
}

// Workgroups for the entries listed so far: the last workgroup of this kernel to ask knows all.
void dispatch_for(uint live) {
    uint listed = mur_wanted(push.live) ? min(live, push.maxLive) : live;
    if (listed != 0u && push.groupEntries != 0u) {
        uint groups = (listed - 1u) / push.groupEntries + 1u;
        atomicMax(MurCounter(result_word(MUR_AGE_DISPATCH)).word, min(groups, MUR_AGE_ROW));
        if (groups > MUR_AGE_ROW) {
            atomicMax(MurCounter(result_word(MUR_AGE_DISPATCH + 1u)).word,
                      (groups - 1u) / MUR_AGE_ROW + 1u);
        }
    }
}

// In uniform control flow.
void report_entries(uint first, uint stay, uint gone) {
    if (gl_LocalInvocationIndex == 0u) {
        shared_live = 0u;
        shared_erased = 0u;
    }
    barrier();
    uint live_at = stay == 0u ? 0u : atomicAdd(shared_live, uint(bitCount(stay)));
    uint erased_at = gone == 0u ? 0u : atomicAdd(shared_erased, uint(bitCount(gone)));
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        if (shared_live != 0u) {
            live_base = atomicAdd(MurCounter(result_word(MUR_AGE_LIVE)).word, shared_live);
            dispatch_for(live_base + shared_live);
        }
        if (shared_erased != 0u) {
            erased_base = atomicAdd(MurCounter(result_word(MUR_AGE_ERASED)).word, shared_erased);
        }
    }
    barrier();
    if (mur_wanted(push.live)) {
        write_list(push.live, stay, first, live_base + live_at, push.maxLive);
    }
    if (mur_wanted(push.erased)) {
        write_list(push.erased, gone, first, erased_base + erased_at, push.maxErased);
    }
}

// Slots without an entry are as old as this frame.
void set_ages(uint first, uint count, uint stay) {
    for (uint i = 0u; i < count; ++i) {
        if ((stay >> i & 1u) == 0u) {
            mur_output(push.ages, first + i, push.frame);
        }
    }
}

// Whatever becomes of these slots concerns no probe.
void erase_extra_slots(uint gone) {
    for (; gone != 0u; gone &= gone - 1u) {
        erase_extra(uint(findLSB(gone)));
    }
}

void erase_entries() {
    uint sectors = push.table.slotCount / SLOTS;
    uint own = mur_workgroup() * MUR_RECLAIM_OWN;
    uint lane = gl_LocalInvocationIndex;
    if (own >= sectors) {
        return; // the whole workgroup
    }
    limit = mur_wanted(push.scratch) ? word_at(push.scratch, 0u) : BINS;
    uint mine = min(MUR_RECLAIM_OWN, sectors - own);
    Sector s;
    uint spare;
    uint freed_lanes = decide(own, mine, s, spare);
    uint first = s.first;
    uint stay = 0u;
    uint gone = 0u;
    if (lane < mine) {
        gone = s.gone;
        stay = live_lanes(s);
        if (gone != 0u) {
            memoryBarrierBuffer(); // slots before ages
        }
        set_ages(first, SLOTS, stay);
    } else if (own == 0u && lane == MUR_WORKGROUP - 1u) { // which has no sector of its own
        first = push.table.slotCount;
        gone = live_extra() & old_extra();
        stay = live_extra() & ~gone;
        erase_extra_slots(gone);
        set_ages(first, EXTRA, stay);
    }
    if (mur_wanted(push.result)) {
        report(result_word(MUR_AGE_RECLAIM), uvec2(0u), 0u, s.first, freed_lanes,
               spare & ~freed_lanes);
        report_entries(first, stay, gone);
    }
}

void main() {
    switch (push.phase) {
    case MUR_AGE_RESET:
        reset();
        break;
    case MUR_AGE_COUNT:
        count_entries();
        break;
    case MUR_AGE_CHOOSE:
        choose_ages();
        break;
    default:
        erase_entries();
        break;
    }
}
