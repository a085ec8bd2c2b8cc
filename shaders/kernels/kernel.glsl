// All kernels of the library include this file. It defines the workgroup, access to the arrays and
// items of a batch, and a table reference whose type and atomic width are compile-time constants.
// SPDX-License-Identifier: MIT

#include "../murmuration.glsl"
#include "push.h"

// The pipeline sets these constants: the invocations per workgroup, the variant of the kernel, and
// the table's format, which a shader that serves all formats reads.
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint MUR_WORKGROUP = 256u;
layout(constant_id = 1) const uint MUR_VARIANT = 0u;
layout(constant_id = 2) const uint mur_constant_format = MUR_FORMAT_K32V32;

// The format of the table's slots. The build defines MUR_KERNEL_FORMAT if a shader has only one,
// and the other flags of the table's type as MUR_KERNEL_FLAGS.
#ifdef MUR_KERNEL_FORMAT
const uint KERNEL_FORMAT = MUR_KERNEL_FORMAT;
#else
const uint KERNEL_FORMAT = mur_constant_format;
#define MUR_KERNEL_FLAGS 0u
#endif

// Whether the table's type has the capability MUR_TYPE_EVICTS, and the format of its key words.
const bool KERNEL_EVICTS = MUR_EVICTS(MUR_KERNEL_FLAGS);
const uint KERNEL_KEYS = KERNEL_EVICTS ? MUR_KEY_FORMAT(KERNEL_FORMAT) : KERNEL_FORMAT;

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
    return MurWordPlain(mur_offset(array, i, 2u)).word;
}

// Returns the number of items: the word at `count`, but at most `most`; without an address, `most`.
uint mur_count_at(uvec2 count, uint most) {
    return mur_wanted(count) ? min(mur_input(count, 0u), most) : most;
}

void mur_output(uvec2 array, uint i, uint word) {
    if (mur_wanted(array)) {
        MurOutput(mur_offset(array, i, 2u)).word = word;
    }
}

// Read and write keys and values, as words or pairs of words. Sets have no values.
uvec2 mur_input_key(uvec2 array, uint i) {
    if (MUR_IS_64(KERNEL_FORMAT)) {
        return MurPairPlain(mur_offset(array, i, 3u)).pair;
    }
    return uvec2(mur_input(array, i), 0u);
}

uvec2 mur_input_value(uvec2 array, uint i) {
    if (MUR_IS_SET(KERNEL_FORMAT)) {
        return uvec2(0u);
    }
    if (MUR_HAS_WIDE_VALUES(KERNEL_FORMAT)) {
        return MurPairPlain(mur_offset(array, i, 3u)).pair;
    }
    return uvec2(mur_input(array, i), 0u);
}

void mur_output_pair(uvec2 array, uint i, bool both, uvec2 pair) {
    if (!both) {
        mur_output(array, i, pair.x);
    } else if (mur_wanted(array)) {
        MurPairOut(mur_offset(array, i, 3u)).pair = pair;
    }
}

void mur_output_key(uvec2 array, uint i, uvec2 key) {
    mur_output_pair(array, i, MUR_IS_64(KERNEL_FORMAT), key);
}

void mur_output_value(uvec2 array, uint i, uvec2 value) {
    if (!MUR_IS_SET(KERNEL_FORMAT)) {
        mur_output_pair(array, i, MUR_HAS_WIDE_VALUES(KERNEL_FORMAT), value);
    }
}

MurTableRef mur_kernel_table(MurTableRef table) {
    table.flags &= MUR_TABLE_ZERO | (KERNEL_EVICTS ? MUR_TABLE_AGES : 0u);
    table.flags |= KERNEL_FORMAT << MUR_TABLE_FORMAT_SHIFT | MUR_KERNEL_FLAGS;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    return table;
}

// Returns the index of this workgroup, also in large grids, which have two dimensions.
uint mur_workgroup() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// Return the number of this invocation in the grid, and the number of the grid's invocations.
uint mur_invocation() {
    return mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
}

uint mur_invocations() {
    return gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
}

// Sets item to this invocation's item, and returns whether there is one. The first test excludes
// the surplus workgroups of a two-dimensional grid: their items would wrap and be processed twice.
bool mur_item(uint count, out uint item) {
    item = mur_invocation();
    return mur_workgroup() <= 0xFFFFFFFFu / MUR_WORKGROUP && item < count;
}

#ifdef PUSH
layout(push_constant) uniform MurPush {
    PUSH push;
};
#endif
