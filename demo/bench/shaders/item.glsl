// What most kernels share: the item that an invocation owns, in grids of two dimensions, and a word
// in memory. After murmuration.glsl. SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

uint item() {
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u +
           gl_LocalInvocationIndex;
}
