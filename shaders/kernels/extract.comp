#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdExtract: the entries that satisfy a predicate, densely. A workgroup ranks its entries in
// shared memory and reserves their output with one atomic; only 32-bit shared atomics are needed.
// Each invocation looks at one sector; one more looks at the extra slot.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"

layout(push_constant) uniform MurPush {
    MurExtractPush push;
};

shared uint shared_count;
shared uint shared_base;

bool satisfies(uint value) {
    uint masked = value & push.mask;
    switch (push.compare) {
    case MUR_COMPARE_EQUAL:
        return masked == push.reference;
    case MUR_COMPARE_NOT_EQUAL:
        return masked != push.reference;
    case MUR_COMPARE_LESS:
        return masked < push.reference;
    case MUR_COMPARE_GREATER_EQUAL:
        return masked >= push.reference;
    default:
        return true;
    }
}

void main() {
    MurTableRef table = push.table;
    uint none = mur_no_value(table);
    uint sectors = table.slotCount / MUR_SECTOR_SLOTS;

    uvec4 keys = uvec4(MUR_EMPTY);
    uvec4 values = uvec4(none);
    uint sector;
    if (mur_item(sectors + 1u, sector)) {
        if (sector < sectors) {
            mur_sector(table, sector, keys, values);
        } else {
            values.x = mur_pair(table, table.slotCount).y;
        }
    }

    uint first = 0u;
    uint kept = 0u;
    [[unroll]] for (uint lane = 0u; lane < MUR_SECTOR_SLOTS; ++lane) {
        if (values[lane] != none && satisfies(values[lane])) {
            kept |= 1u << lane;
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        shared_count = 0u;
    }
    barrier();
    if (kept != 0u) {
        first = atomicAdd(shared_count, uint(bitCount(kept)));
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        shared_base = shared_count == 0u
                          ? 0u
                          : atomicAdd(MurCounter(push.count).word, shared_count);
    }
    barrier();

    uint at = shared_base + first;
    [[unroll]] for (uint lane = 0u; lane < MUR_SECTOR_SLOTS; ++lane) {
        if ((kept & (1u << lane)) != 0u) {
            if (at < push.maxCount) {
                mur_output(push.keys, at, mur_key(keys[lane], table.seed));
                mur_output(push.values, at, values[lane]);
                mur_output(push.slots, at, MUR_SECTOR_SLOTS * sector + lane);
            }
            ++at;
        }
    }
}
