#version 450
#extension GL_GOOGLE_include_directive : require
// A user's shader on a paged table: one find per invocation. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_PAGED
#include "murmuration.glsl"
#include "item.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    PagedFind find;
};
layout(push_constant) uniform Push {
    Arguments arguments;
};

void main() {
    PagedFind find = arguments.find;
    uint i = item();
    if (i >= find.count) {
        return;
    }
    uint key = Word(mur_offset(find.keys, i, 2u)).word;
    uint value;
    mur_paged_find(find.table, key, 1u, value);
    Word(mur_offset(find.values, i, 2u)).word = value;
}
