#version 450
#extension GL_GOOGLE_include_directive : require
// The trace in GLSL: see trace.h. FORMAT: 0 K32V32, 1 K64V32, 2 K32. BY_ADDRESS: not bound.
// SPDX-License-Identifier: MIT
#ifndef BY_ADDRESS
#define MUR_BUFFER_BINDING 0
#endif
#if FORMAT == 1
#define MUR_KEYS_64
#define KEY uvec2(op.y, op.z)
#elif FORMAT == 2
#define MUR_SETS
#define KEY op.y
#else
#define KEY op.y
#endif
#include "murmuration.glsl"
#include "murmuration/spatial.h"
#include "trace.h"

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

#ifndef MUR_READ_ONLY
void write(MurTableRef t, uvec4 op, inout uvec4 answer) {
    uint value = op.x >> 8;
    value = value == 0xFFFFFFu ? 0xFFFFFFFFu : value;
    switch (TRACE_KIND(op.x)) {
#if FORMAT == 2
    case TRACE_INSERT: answer.x = mur_insert_slot(t, KEY, answer.z); break;
    case TRACE_NAMED: answer.x = mur_insert(t, KEY); break;
    case TRACE_ERASE: answer.x = mur_erase_slot(t, KEY, answer.z); break;
#else
    case TRACE_NAMED: // by name: tests/formats, tests/property
    case TRACE_INSERT:
        answer.x = mur_insert_mode(t, KEY, value, op.w, answer.z, answer.y);
        break;
    case TRACE_ERASE: answer.x = mur_erase(t, KEY, answer.y, answer.z); break;
    case TRACE_EXCHANGE: answer.y = mur_slot_exchange(t, op.y, value); break;
    case TRACE_COMPARE: answer.y = mur_slot_compare_exchange(t, op.y, op.z, value); break;
#endif
    case TRACE_ERASE_ONLY: answer.x = mur_erase(t, KEY); break;
    }
}
#endif

void operate(MurTableRef t, uint i) {
    uint at = TRACE_FIRST + 4u * i;
    uvec4 op = uvec4(operations.words[at], operations.words[at + 1u], operations.words[at + 2u],
                     operations.words[at + 3u]);
    uvec4 answer = uvec4(0u);
    switch (TRACE_KIND(op.x)) {
    case TRACE_FIND:
#if FORMAT == 2
        answer.x = mur_find(t, KEY) ? 1u : 0u;
#else
        answer.x = mur_find(t, KEY, answer.y) ? 1u : 0u;
#endif
        answer.z = mur_find_slot(t, KEY);
        break;
#if FORMAT == 2
    case TRACE_ENTRY: answer.x = mur_slot_entry(t, op.y, answer.z) ? 1u : 0u; break;
#else
    case TRACE_FIND_VALUE: answer.z = mur_find_slot(t, KEY, answer.y); break;
    case TRACE_SLOT_VALUE: answer.y = mur_slot_value(t, op.y); break;
    case TRACE_ENTRY: {
#if FORMAT == 1
        uvec2 key;
        answer.x = mur_slot_entry(t, op.y, key, answer.y) ? 1u : 0u;
        answer.zw = key;
#else
        answer.x = mur_slot_entry(t, op.y, answer.z, answer.y) ? 1u : 0u;
#endif
        break;
    }
#endif
    case TRACE_SPATIAL: {
        vec3 position = uintBitsToFloat(op.yzw);
        uint level = mur_spatial_level(position.x);
        uvec2 key = mur_spatial_key_at(position, TRACE_SCALE, level, mur_spatial_face(position));
        answer = uvec4(key, mur_spatial_parent(key) ^ mur_spatial_child(key, op.w & 7u));
        break;
    }
    case TRACE_CENTER:
        answer = uvec4(floatBitsToUint(mur_spatial_center(op.yz, 1.0 / TRACE_SCALE)),
                       mur_spatial_face_of(op.yz) | mur_spatial_level_of(op.yz) << 3);
        break;
#ifndef MUR_READ_ONLY
    default: write(t, op, answer); break;
#endif
    }
    answer.zw = op.x == TRACE_ENTRY && answer.x == 0u ? uvec2(0u) : answer.zw;
    answers[i] = answer;
}

// One call, which compilers inline: alone, the first invocation does all.
void main() {
    MurTableRef t = table();
    uint self = gl_GlobalInvocationID.x;
    bool alone = operations.words[TRACE_ALONE] != 0u;
    uint end = operations.words[TRACE_COUNT];
    end = alone ? (self == 0u ? end : 0u) : min(self + 1u, end);
    for (uint i = self; i < end; ++i) {
        operate(t, i);
    }
}
