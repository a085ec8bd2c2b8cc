#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdReclaim: slots of erased keys that no probe for a live key passes become free, as
// murCmdClear leaves them, the others holes. No key moves. Which slots those are, and why no
// others, is said in reclaim.glsl.
//
// murCmdAge: the same, with entries that are too old counted as erased from the start; and lists of
// the entries that went and that stay.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_KEYS_64
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../header.glsl"

layout(push_constant) uniform MurPush {
    MurReclaimPush push;
};

#include "reclaim.glsl"
#include "reclaim_window.glsl"
#include "reclaim_report.glsl"
#include "age.glsl"

void reset() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < (ages() ? MUR_AGE_WORDS : MUR_RECLAIM_WORDS)) {
        bool one = ages() && (lane == MUR_AGE_DISPATCH + 1u || lane == MUR_AGE_DISPATCH + 2u);
        mur_output(push.result, lane, one ? 1u : 0u);
    }
    for (uint i = lane; i < 1u + BINS; i += MUR_WORKGROUP) {
        mur_output(push.scratch, i, 0u);
    }
}

// Behind the last sector come the extra slots.
void reclaim() {
    uint count = push.table.slotCount / SLOTS;
    uint own = mur_workgroup() * MUR_WORKGROUP;
    uint lane = gl_LocalInvocationIndex;
    if (own > count) {
        return; // the whole workgroup
    }
    limit = mur_wanted(push.scratch) ? word_at(push.scratch, 0u) : BINS;
    uint mine = min(MUR_WORKGROUP, count - own);
    if (lane < 2u) {
        counts[lane] = 0u;
    }
    Sector s = no_sector();
    if (lane < mine) {
        s = load(own + lane, lane, false);
    } else if (lane == mine && ages()) {
        s = load_extra();
    }
    uint freed_lanes = decide(own, mine, s);
    erase_extra(s);
    report(s, freed_lanes);
    if (ages()) {
        set_ages(s, lane < mine ? SLOTS : lane == mine ? EXTRA : 0u);
    }
}

void main() {
    switch (push.phase) {
    case MUR_RECLAIM_RESET:
        reset();
        break;
    case MUR_RECLAIM_COUNT:
        count_entries();
        break;
    default:
        reclaim();
        break;
    }
}
