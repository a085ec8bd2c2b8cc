// Shared by most kernels: the item of an invocation in two-dimensional grids, a word in memory, and
// the push constants of the type that the kernel names. Include it after murmuration.glsl.
// SPDX-License-Identifier: MIT
#include "push.h"

#ifndef WORKGROUP
#define WORKGROUP 256u
#endif
layout(local_size_x = WORKGROUP) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

uint item() {
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * WORKGROUP +
           gl_LocalInvocationIndex;
}

#ifdef PUSH
layout(push_constant) uniform Push {
    PUSH push;
};
#endif
