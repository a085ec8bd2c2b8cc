// The item that an invocation owns, in grids of two dimensions. SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;

uint item() {
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u +
           gl_LocalInvocationIndex;
}
