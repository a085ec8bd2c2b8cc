#version 450
#extension GL_GOOGLE_include_directive : require
// Eviction pass, one slot per invocation: frees the slots of erased keys, and sets the bits of
// retained entries in the back filter. For murCmdEvict, also evicts entries that are too old.
// Compiled once per table type.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS // no other work writes the table
#define PUSH MurEvictPush
#include "../kernel.glsl"

shared uint counts[2];
shared uint bases[2];
shared uint ages[MUR_WORKGROUP]; // 0: no entry; otherwise the age of the entry plus 1
shared uint free_slots[MUR_WORKGROUP / MUR_BUCKET_SLOTS]; // free slots per bucket

// Returns the age of an entry in frames. An entry that was never touched is touched in this frame.
uint age_of(MurTableRef table, uint slot) {
    if (push.ages == 0u) {
        return 0u;
    }
    uint used = mur_word(table, MUR_AGES_START(KERNEL_FORMAT, table.flags, table.slotCount) + slot);
    if (used == MUR_AGE_UNTOUCHED) {
        mur_touch(table, slot, push.frame);
        return 0u;
    }
    return push.frame - used;
}

// Returns whether the entry is evicted early, to give its bucket the reserved slots. The oldest
// entries are evicted; of equally old ones, the entry in the lowest slot. Most buckets have enough
// free slots, so ages are compared only in the others. Call it in uniform control flow. Workgroups
// consist of whole buckets. Sentinel slots are too few to be evicted.
bool makes_room(bool live, uint age) {
    const uint lane = gl_LocalInvocationIndex, bucket = lane / MUR_BUCKET_SLOTS;
    if (lane % MUR_BUCKET_SLOTS == 0u) {
        free_slots[bucket] = 0u;
    }
    ages[lane] = live ? min(age, 0xFFFFFFFEu) + 1u : 0u;
    barrier();
    if (!live) {
        atomicAdd(free_slots[bucket], 1u);
    }
    barrier();
    if (free_slots[bucket] >= push.reserved) {
        return false;
    }
    uint older = 0u;
    for (uint i = bucket * MUR_BUCKET_SLOTS; i < (bucket + 1u) * MUR_BUCKET_SLOTS; ++i) {
        older += ages[i] > ages[lane] || (ages[i] == ages[lane] && i < lane) ? 1u : 0u;
    }
    return ages[lane] > 1u && older + free_slots[bucket] < push.reserved;
}

void main() {
    MurTableRef table = mur_kernel_table(push.table);
    uint slot, at = 0u;
    bool wanted = mur_item(table.slotCount + MUR_EXTRA_SLOTS(KERNEL_FORMAT), slot);
    uvec3 key;
    uvec2 value;
    bool entry = wanted && mur_slot_entry(table, KERNEL_FORMAT, slot, key, value);
    uint age = entry ? age_of(table, slot) : 0u;
    bool live = entry && age <= push.maxAge;
    if (push.reserved != 0u && makes_room(live, age)) {
        live = false;
    }
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
