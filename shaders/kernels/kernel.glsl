// What the library's kernels share: the workgroup, the arrays of a batch, the item an invocation
// owns.
//
// SPDX-License-Identifier: MIT

#include "push.h"

// What the pipeline says: invocations a workgroup, which of the kernels made of this shader it is,
// and, where the shader serves formats other than K32V32, the table's.
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint MUR_WORKGROUP = 256u;
layout(constant_id = 1) const uint MUR_VARIANT = 0u;
layout(constant_id = 2) const uint mur_constant_format = MUR_FORMAT_K32V32;

// Shared memory that scan.glsl needs.
const uint SCAN_WORDS = MUR_WORKGROUP + MUR_WORKGROUP / 8u + MUR_WORKGROUP / 64u;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer MurInput {
    uint word;
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer MurOutput {
    uint word;
};
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer MurPairOut {
    uvec2 pair;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurCounter {
    uint word;
};

bool mur_wanted(uvec2 array) {
    return (array.x | array.y) != 0u;
}

uint mur_input(uvec2 array, uint i) {
    return MurInput(mur_offset(array, i, 2u)).word;
}

// A number of items: the word at an address, most at most; without an address, most.
uint mur_count_at(uvec2 count, uint most) {
    return mur_wanted(count) ? min(mur_input(count, 0u), most) : most;
}

void mur_output(uvec2 array, uint i, uint word) {
    if (mur_wanted(array)) {
        MurOutput(mur_offset(array, i, 2u)).word = word;
    }
}

// Index of this workgroup. The host lays large grids out in two dimensions.
uint mur_workgroup() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// The item this invocation owns; false if there is none. The two-dimensional grid may have a few
// workgroups too many, whose items would wrap around 2^32 and be done twice: hence the first test.
bool mur_item(uint count, out uint item) {
    uint group = mur_workgroup();
    item = group * MUR_WORKGROUP + gl_LocalInvocationIndex;
    return group <= 0xFFFFFFFFu / MUR_WORKGROUP && item < count;
}
