#version 450
#extension GL_GOOGLE_include_directive : require
// The trace in GLSL: see trace.h. FORMAT: 0 K32V32, 1 K64V32, 2 K32. BY_ADDRESS: not bound.
// SPDX-License-Identifier: MIT
#ifndef BY_ADDRESS
#define MUR_BUFFER_BINDING 0
#endif
#if FORMAT == 1
#define MUR_KEYS_64
#elif FORMAT == 2
#define MUR_SETS
#endif
#include "murmuration.glsl"
#include "murmuration/spatial.h"
#include "trace.h"
#if FORMAT == 2
#define TABLE           MurSetRef(t)
#define mur_insert_slot mur_insert // as HLSL has it
#define mur_erase_slot  mur_erase
#else
#define TABLE t
#endif
#include "trace.glsl"

layout(local_size_x = TRACE_WORKGROUP) in;
layout(set = 0, binding = 1, std430) readonly buffer Operations {
    uint words[];
} operations;
layout(set = 0, binding = 2, std430) writeonly buffer Answers {
    uvec4 answers[];
};

MurTableRef table() {
    return MurTableRef(uvec2(operations.words[0], operations.words[1]), operations.words[2],
                       operations.words[3], operations.words[4], operations.words[5],
                       operations.words[6], 0u);
}

// One call, which compilers inline: alone, the first invocation does all.
void main() {
    MurTableRef t = table();
    uint self = gl_GlobalInvocationID.x;
    bool alone = operations.words[TRACE_ALONE] != 0u;
    uint end = operations.words[TRACE_COUNT];
    end = alone ? (self == 0u ? end : 0u) : min(self + 1u, end);
    for (uint i = self; i < end; ++i) {
        uint at = TRACE_FIRST + 4u * i;
        uvec4 op = uvec4(operations.words[at], operations.words[at + 1u], operations.words[at + 2u],
                         operations.words[at + 3u]);
        answers[i] = operate(t, op);
    }
}
