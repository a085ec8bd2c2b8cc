#version 450
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
#include "murmuration.glsl" // mur_insert, mur_slot_exchange, ...: the same table as in C
layout(local_size_x = 64) in;

// What we allocate from: ours, not the library's.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Pool {
    uint newCount;     // slots claimed in the first dispatch
    uint payloadCount; // payloads handed out in the second
    uint newSlots[];
};
layout(push_constant) uniform Push {
    MurTableRef cells; // from murGetTableRef
    uvec2 pool;
    uint points;
    uint phase;
} push;

// "Claimed, payload still to come". (0xFFFFFFFF is the empty value.)
const uint PENDING = 0xFFFFFFFEu;

void main() {
    uint i = gl_GlobalInvocationID.x;
    Pool pool = Pool(push.pool);
    if (push.phase == 0u && i < push.points) {
        // Claim: many points fall into one cell; exactly one of them is told MUR_INSERTED.
        uint cell = (i * 2654435761u) >> 22;
        uint slot;
        if (mur_insert(push.cells, cell, PENDING, slot) == MUR_INSERTED) {
            pool.newSlots[atomicAdd(pool.newCount, 1u)] = slot;
        }
    } else if (push.phase == 1u && i < pool.newCount) {
        // Allocate: one payload for each new cell. No one waits for anyone.
        mur_slot_exchange(push.cells, pool.newSlots[i], atomicAdd(pool.payloadCount, 1u));
    }
}
