#version 450
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
#include "murmuration.glsl" // mur_insert, mur_slot_exchange, ...: the same table as in C
layout(local_size_x = 64) in;

// The pool of payloads belongs to the program, not to the library.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Pool {
    uint newCount;     // slots claimed in the first dispatch
    uint payloadCount; // payloads allocated in the second
    uint newSlots[];
};
layout(push_constant) uniform Push {
    MurTableRef cells; // from murGetTableRef
    uvec2 pool;
    uint points;
    uint phase;
} push;

// Marks a claimed cell without a payload. (0xFFFFFFFF is the empty value.)
const uint PENDING = 0xFFFFFFFEu;

void main() {
    uint i = gl_GlobalInvocationID.x;
    Pool pool = Pool(push.pool);
    if (push.phase == 0u && i < push.points) {
        // Claim: many points have the same cell; for exactly one of them mur_insert returns
        // MUR_INSERTED.
        uint cell = (i * 2654435761u) >> 22;
        uint slot;
        if (mur_insert(push.cells, cell, PENDING, slot) == MUR_INSERTED) {
            pool.newSlots[atomicAdd(pool.newCount, 1u)] = slot;
        }
    } else if (push.phase == 1u && i < pool.newCount) {
        // Allocate: one payload per new cell. No invocation waits for another.
        mur_slot_exchange(push.cells, pool.newSlots[i], atomicAdd(pool.payloadCount, 1u));
    }
}
