#version 450
#extension GL_GOOGLE_include_directive : require
// Visits the groups of keys, by address or in a bound buffer. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "visit.h"
layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    VisitPush push;
};
layout(std430, binding = 1) buffer Items {
    VisitItem items[];
};
#ifdef MUR_BUFFER_BINDING
layout(std430, binding = 2) readonly buffer Groups {
    uint groups[];
};
#define WORD(i)      groups[push.base + i]
#define COUNT(first) WORD(first)
#else
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words {
    uint words[];
};
#define WORD(i)      Words(push.groups).words[i]
#define COUNT(first) mur_group(push.groups, first)
#endif

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) {
        return;
    }
#ifdef MUR_KEYS_64
    uvec2 key = uvec2(items[i].key, items[i].keyHigh);
#else
    uint key = items[i].key;
#endif
    uint first, sum = 0u, count = 0xFFFFFFFFu;
    if (mur_find(push.table, key, first)) {
        count = COUNT(first);
        for (uint n = 1u; n <= count; ++n) {
            sum += WORD(first + n);
        }
    }
    items[i].count = count;
    items[i].sum = sum;
}
