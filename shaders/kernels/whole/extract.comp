#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdExtract: the entries that satisfy the predicates, densely. A workgroup ranks its entries in
// shared memory and reserves their output with one atomic; only 32-bit shared atomics are needed.
// Each invocation looks at one sector; one more looks at the extra slot.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#ifdef MUR_KERNEL_FORMAT
#include "../format_kernel.glsl"
#endif

layout(push_constant) uniform MurPush {
    MurExtractPush push;
};

shared uint shared_count;
shared uint shared_base;

bool holds(MurPredicatePush predicate, uint word) {
    uint masked = word & predicate.mask;
    switch (predicate.compare) {
    case MUR_COMPARE_EQUAL:
        return masked == predicate.reference;
    case MUR_COMPARE_NOT_EQUAL:
        return masked != predicate.reference;
    case MUR_COMPARE_LESS:
        return masked < predicate.reference;
    case MUR_COMPARE_GREATER_EQUAL:
        return masked >= predicate.reference;
    default:
        return true;
    }
}

bool satisfies(uint value, uvec2 key) {
    bool all = true;
    [[unroll]] for (uint i = 0u; i < MUR_MAX_PREDICATES; ++i) {
        uint word = push.predicates[i].word;
        all = all && holds(push.predicates[i], word == MUR_PREDICATE_VALUE     ? value
                                               : word == MUR_PREDICATE_KEY_LOW ? key.x
                                                                               : key.y);
    }
    return all;
}

// Hashes need to be turned into keys only where a predicate asks for them.
bool asks_for_keys() {
    return (push.predicates[0].word | push.predicates[1].word | push.predicates[2].word) != 0u;
}

// For each kind of slot: load() fetches a sector, or what the header's extra slots hold; present()
// says whether an entry lives in a lane of it, key_in() and value_in() which; write() writes it.
#ifdef MUR_KERNEL_FORMAT
const uint FORMAT = MUR_KERNEL_FORMAT;

uvec4 low, high;
uvec2 extra; // of a set: which of its extra slots hold their keys

void load(uint sector, bool last) {
    uvec2 none = mur_none_of(push.table, FORMAT);
    low = FORMAT == MUR_FORMAT_K64V32 ? uvec4(uvec2(MUR_EMPTY), none.x, 0u)
                                      : uvec4(uvec2(MUR_EMPTY), none);
    if (MUR_IS_SET(FORMAT)) {
        low = uvec4(MUR_EMPTY);
    }
    high = low;
    extra = uvec2(0u);
    if (!last) {
        mur_sector_halves(push.table, FORMAT, sector, low, high);
    } else if (MUR_IS_SET(FORMAT)) {
        extra = mur_set_extra(push.table);
    } else if (FORMAT == MUR_FORMAT_K64V64) {
        low = mur_slot_words(push.table, FORMAT, push.table.slotCount);
    }
}

bool in_extra(uint lane) {
    return (lane == 0u && extra.x != 0u) || (lane == 1u && extra.y != 0u);
}

bool present(uint lane) {
    uvec4 words = mur_lane(FORMAT, lane, low, high);
    if (MUR_IS_SET(FORMAT)) {
        return in_extra(lane) || (mur_is_claimed(FORMAT, words) && !mur_is_tomb(FORMAT, words));
    }
    return mur_value_in(FORMAT, words) != mur_none_of(push.table, FORMAT);
}

uvec2 key_in(uint lane) {
    uvec2 hash = mur_hash_in(FORMAT, mur_lane(FORMAT, lane, low, high));
    if (in_extra(lane)) {
        hash = uvec2(lane == 0u ? MUR_EMPTY : MUR_TOMB, MUR_EMPTY);
    }
    return mur_key_of(push.table, FORMAT, hash);
}

uvec2 value_in(uint lane) {
    return mur_value_in(FORMAT, mur_lane(FORMAT, lane, low, high));
}

void write(uint lane, uint at) {
    mur_output_key(push.keys, at, key_in(lane));
    mur_output_value(push.values, at, value_in(lane));
}
#else
const uint FORMAT = MUR_FORMAT_K32V32;

uvec4 keys, values;

void load(uint sector, bool last) {
    keys = uvec4(MUR_EMPTY);
    values = uvec4(mur_no_value(push.table));
    if (!last) {
        mur_sector(push.table, sector, keys, values);
    } else {
        values.x = mur_pair(push.table, push.table.slotCount).y;
    }
}

bool present(uint lane) {
    return values[lane] != mur_no_value(push.table);
}

uvec2 key_in(uint lane) {
    return uvec2(mur_key(keys[lane], push.table.seed), 0u);
}

uvec2 value_in(uint lane) {
    return uvec2(values[lane], 0u);
}

void write(uint lane, uint at) {
    mur_output(push.keys, at, key_in(lane).x);
    mur_output(push.values, at, values[lane]);
}
#endif

const uint SLOTS = MUR_SLOTS_OF(FORMAT);

bool kept(uint lane) {
    return present(lane) &&
           satisfies(value_in(lane).x, asks_for_keys() ? key_in(lane) : uvec2(0u));
}

void main() {
    uint sectors = push.table.slotCount / SLOTS;
    uint first = 0u;
    uint lanes = 0u;
    uint sector;
    if (mur_item(sectors + 1u, sector)) {
        load(sector, sector == sectors);
        [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
            lanes |= kept(lane) ? 1u << lane : 0u;
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        shared_count = 0u;
    }
    barrier();
    if (lanes != 0u) {
        first = atomicAdd(shared_count, uint(bitCount(lanes)));
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        shared_base = shared_count == 0u
                          ? 0u
                          : atomicAdd(MurCounter(push.count).word, shared_count);
    }
    barrier();

    uint at = shared_base + first;
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        if ((lanes & (1u << lane)) != 0u) {
            if (at < push.maxCount) {
                write(lane, at);
                mur_output(push.slots, at, SLOTS * sector + lane);
            }
            ++at;
        }
    }
}
