#version 450
#extension GL_GOOGLE_include_directive : require
// One invocation runs the calls of one table in sequence, for the compiled format and atomics, on
// tables by device address, in a bound buffer, or in an array of bound buffers. Each call is
// inlined, which slows down compilers. Modules with CALL_FEW therefore compile only the overload
// with the most outputs of a call. Modules that write do the same for lookups. With MUR_MULTI, or
// without FORMAT for rows, all invocations run calls on one table.
// SPDX-License-Identifier: MIT
#include "calls.h"
#ifdef FORMAT
#include "format.glsl"
#endif
#include "murmuration.glsl"
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

layout(local_size_x = CALL_GROUP_TABLES) in;
layout(push_constant) uniform Push {
    CallPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Tables {
    MurTableRef refs[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Calls {
    Call calls[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Answers {
    Answer answers[];
};

#ifdef FORMAT
#include "key_calls.glsl"
#elif defined(MUR_MULTI)
#include "multi_calls.glsl"
#else
#include "row_calls.glsl"
#endif

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= push.tableCount) {
        return;
    }
#if defined(MUR_BUFFER_BINDING) || !defined(FORMAT)
    MurTableRef t = push.table;
#else
    MurTableRef t = Tables(push.tables).refs[index];
#endif
    for (uint i = 0u; i < push.callCount; ++i) {
        Call c = Calls(push.calls).calls[index * push.callCount + i];
        Answers(push.answers).answers[index * push.callCount + i] = make_call(t, c);
    }
}
