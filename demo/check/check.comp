#version 450
#extension GL_GOOGLE_include_directive : require
// Many calls for the same keys at the same time. SPDX-License-Identifier: MIT
#include "murmuration.glsl"
#include "check.h"
layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    CheckPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Results {
    CheckKey keys[];
};

void main() {
    uint call = gl_GlobalInvocationID.x;
    if (call >= push.count * CHECK_COPIES) {
        return;
    }
    uint index = call % push.count;
    uint key = index * 0x9E3779B1u;
    uint slot, value = 0u, status, expected, other;
    if (push.phase == CHECK_INSERT) {
        status = mur_insert(push.table, key, index + 1u, slot);
        expected = MUR_INSERTED;
        other = MUR_EXISTED;
    } else if (push.phase == CHECK_ADD) {
        status = mur_add(push.table, key, 1u, slot);
        expected = other = MUR_EXISTED;
    } else if (push.phase == CHECK_MIXED) {
        // The second half of the copies inserts keys that are not among the first ones.
        if (call >= push.count * CHECK_COPIES / 2u) {
            mur_insert(push.table, (push.count + call) * 0x9E3779B1u, 1u);
            return;
        }
        slot = mur_find_slot(push.table, key, value);
        status = slot != MUR_NO_SLOT && value == index + 1u + CHECK_COPIES ? MUR_FOUND : MUR_ABSENT;
        expected = other = MUR_FOUND;
    } else {
        status = mur_erase(push.table, key, value, slot);
        expected = MUR_ERASED;
        other = MUR_ABSENT;
    }
    Results results = Results(push.results);
    if (status == expected) {
        atomicAdd(results.keys[index].successes, 1u);
        atomicMin(results.keys[index].leastSlot, slot);
        atomicMax(results.keys[index].mostSlot, slot);
    } else if (status != other) {
        atomicAdd(results.keys[index].failures, 1u);
    }
}
