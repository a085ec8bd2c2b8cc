#version 450
#extension GL_GOOGLE_include_directive : require
// A frame of a cache: finds or inserts keys and touches them (shader_test.c).
// SPDX-License-Identifier: MIT
#define MUR_AGES
#include "murmuration.glsl"
#include "layout.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    FramePush push;
};
layout(set = 0, binding = 0, std430) buffer Ages {
    uint ages[];
};

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item >= 4u * push.count) {
        return;
    }
    uint slot;
    uint key = push.first + item % push.count; // each several times
    mur_insert(push.table, uvec2(key, 7u), key + 1u, slot);
    uint none = slot | MUR_NO_SLOT;
#ifdef AGES_BOUND
    MUR_TOUCH(ages, slot, push.frame);
    MUR_TOUCH(ages, none, push.frame);
#else
    mur_touch(push.ages, slot, push.frame);
    mur_touch(push.ages, none, push.frame);
#endif
}
