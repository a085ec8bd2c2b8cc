#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdReclaim: slots of erased keys that no probe for a live key passes become free, as
// murCmdClear leaves them, the others holes. No key moves. Phase 0, one workgroup: zeroes the
// result. Phase 1: each workgroup decides a part of the table (reclaim_window.glsl).
//
// Which slots those are, and why no others, is said in reclaim.glsl.
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

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (push.phase == 0u) {
        if (lane < MUR_RECLAIM_WORDS) {
            mur_output(push.result, lane, 0u);
        }
        return;
    }
    uint count = push.table.slotCount / SLOTS;
    uint own = mur_workgroup() * MUR_RECLAIM_OWN;
    if (own >= count) {
        return; // the whole workgroup
    }
    Sector s;
    uint spare;
    uint lanes = decide(own, min(MUR_RECLAIM_OWN, count - own), s, spare);
    if (mur_wanted(push.result)) {
        report(push.result, push.slots, push.maxCount, s.first, lanes, spare & ~lanes);
    }
}
