#version 450
#extension GL_GOOGLE_include_directive : require
// A pass over a table in buckets, one slot an invocation: murCmdEvict frees what is too old, and
// both it and murCmdRebuildFilter free the slots of erased keys and tell the other filter what
// stays. Compiled once a format.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS // nobody else writes the table
#define PUSH MurEvictPush
#include "../kernel.glsl"

shared uint counts[2];
shared uint bases[2];

// Does the entry stay? What nobody has touched since it came is as old as this frame.
bool stays(MurTableRef table, uint slot) {
    if (push.ages == 0u) {
        return true;
    }
    uint age = mur_word(table, MUR_AGES_START(KERNEL_FORMAT, table.flags, table.slotCount) + slot);
    if (age == MUR_AGE_UNTOUCHED) {
        mur_touch(table, slot, push.frame);
        return true;
    }
    return push.frame - age <= push.maxAge;
}

void main() {
    MurTableRef table = mur_kernel_table(push.table);
    uint slot, at = 0u;
    bool wanted = mur_item(table.slotCount + MUR_EXTRA_SLOTS(KERNEL_FORMAT), slot);
    uvec3 key;
    uvec2 value;
    bool entry = wanted && mur_slot_entry(table, KERNEL_FORMAT, slot, key, value);
    bool live = entry && stays(table, slot);
    if (gl_LocalInvocationIndex < 2u) {
        counts[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    uint list = live ? 0u : 1u;
    if (entry) {
        at = atomicAdd(counts[list], 1u);
    }
    if (live) {
        mur_retain(table, KERNEL_FORMAT, slot);
    } else if (wanted) {
        mur_evict(table, KERNEL_FORMAT, slot);
    }
    barrier();
    if (gl_LocalInvocationIndex < 2u && mur_wanted(push.result) &&
        counts[gl_LocalInvocationIndex] != 0u) {
        uint word = 4u * gl_LocalInvocationIndex + 3u;
        MurCounter total = MurCounter(mur_offset(push.result, word, 2u));
        bases[gl_LocalInvocationIndex] = atomicAdd(total.word, counts[gl_LocalInvocationIndex]);
    }
    barrier();
    at += bases[list];
    if (entry && at < (live ? push.maxLive : push.maxErased)) {
        mur_output(live ? push.live : push.erased, at, slot);
    }
}
