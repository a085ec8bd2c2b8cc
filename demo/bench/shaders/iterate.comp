#version 450
#extension GL_GOOGLE_include_directive : require
// A user's pass over all entries by mur_slot_entry, which sums keys and values. Each invocation
// strides over the slots, and each workgroup adds its sums to memory once.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH IteratePush
#include "murmuration.glsl"
#include "item.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Sums {
    IterateSums sums;
};

shared IterateSums group;

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        group = IterateSums(0u, 0u, 0u);
    }
    barrier();
    IterateSums own = IterateSums(0u, 0u, 0u);
    uint steps = push.table.slotCount / push.invocations + 1u;
    for (uint step = 0u; step < steps; ++step) {
        uint slot = step * push.invocations + item();
        uint key, value;
        if (slot <= push.table.slotCount && mur_slot_entry(push.table, slot, key, value)) {
            own.entries += 1u;
            own.keys += key;
            own.values += value;
        }
    }
    atomicAdd(group.entries, own.entries);
    atomicAdd(group.keys, own.keys);
    atomicAdd(group.values, own.values);
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        Sums to = Sums(push.sums);
        atomicAdd(to.sums.entries, group.entries);
        atomicAdd(to.sums.keys, group.keys);
        atomicAdd(to.sums.values, group.values);
    }
}
