#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdAge: erases the entries that are too old, and lists those that went and those that stay;
// murCmdReclaim's kernel goes over the table after it. An invocation looks at a sector, one more at
// the extra slots.
//
// Where only the youngest stay, the entries are counted by age first, and one workgroup finds the
// youngest ages whose entries all fit.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_KEYS_64
#include "../../murmuration.glsl"
#include "../kernel.glsl"

layout(push_constant) uniform MurPush {
    MurAgePush push;
};

#include "reclaim.glsl"

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
void report(uint first, uint stay, uint gone) {
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

void erase_entries() {
    uint sectors = push.table.slotCount / SLOTS;
    uint limit = mur_wanted(push.scratch) ? word_at(push.scratch, 0u) : BINS;
    uint stay = 0u;
    uint gone = 0u;
    uint first = 0u;
    uint sector;
    if (mur_item(sectors + 1u, sector)) {
        bool extra = sector == sectors;
        uint live = live_lanes(sector, extra);
        first = SLOTS * sector;
        [[unroll]] for (uint lane = 0u; lane < max(SLOTS, EXTRA); ++lane) {
            if (lane >= (extra ? EXTRA : SLOTS)) {
                break;
            }
            uint age = age_of(first + lane);
            bool young = age <= push.maxAge && min(age, BINS - 1u) < limit;
            if ((live & (1u << lane)) == 0u || !young) {
                if (age != 0u) {
                    mur_output(push.ages, first + lane, push.frame);
                }
            } else {
                stay |= 1u << lane;
            }
        }
        gone = live & ~stay;
        for (uint lanes = gone; lanes != 0u; lanes &= lanes - 1u) {
            erase_slot(first + uint(findLSB(lanes)));
        }
    }
    if (mur_wanted(push.result)) {
        report(first, stay, gone);
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
