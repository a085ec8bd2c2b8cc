#version 450
#extension GL_GOOGLE_include_directive : require
// The trace in GLSL: see trace.h and trace.glsl. BY_ADDRESS: without a bound buffer.
// SPDX-License-Identifier: MIT
#ifndef BY_ADDRESS
#define MUR_BUFFER_BINDING 0
#endif
#if (FORMAT & 1) != 0
#define MUR_KEYS_64
#endif
#if (FORMAT & 2) != 0
#define MUR_SETS
#endif
#if (FORMAT & 4) != 0
#define MUR_BUCKETS (1 + (FORMAT & 1)) // some 64-bit tables are not bucketed
#endif
#include "murmuration.glsl"
#include "murmuration/spatial.h"
#include "trace.h"
#define TABLE(ref) ref
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

// Calls operate() only once, because compilers inline calls. alone: invocation 0 runs all items.
void main() {
    REF t;
    PLAIN = table();
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
