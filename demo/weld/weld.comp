#version 450
#extension GL_GOOGLE_include_directive : require
// Merges vertices that are equal by the rule below. SPDX-License-Identifier: MIT
#include "murmuration.glsl"
#include "weld.h"
layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    WeldPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint at[];
};

// A tolerance is not transitive: a may be near b and b near c only. Snapped values are equal or
// not.
int snapped(uint vertex, uint i) {
    uint value = Words(push.buffers[WELD_INPUT]).at[WELD_FLOATS * vertex + i];
    return int(floor(uintBitsToFloat(value) * WELD_GRID + 0.5));
}

uint vertex_hash(uint vertex) {
    uint hash = 0u;
    for (uint i = 0u; i < WELD_FLOATS; ++i) {
        hash = mur_hash_word(hash, uint(snapped(vertex, i)));
    }
    return hash;
}

bool vertex_equal(uint a, uint b) {
    uint i = 0u;
    for (; i < WELD_FLOATS && snapped(a, i) == snapped(b, i); ++i) {}
    return i == WELD_FLOATS;
}

#define MUR_ROW_COUNT       push.vertexCount
#define MUR_ROW_HASH(row)   vertex_hash(row)
#define MUR_ROW_EQUAL(a, b) vertex_equal(a, b)
#include "murmuration/rows.glsl" // mur_insert

void main() {
    uint vertex = gl_GlobalInvocationID.x, first;
    if (push.phase != 0u) { // all indices are assigned
        first = Words(push.buffers[WELD_FIRSTS]).at[vertex];
        Words(push.buffers[WELD_INDICES]).at[vertex] = Words(push.buffers[WELD_PLACES]).at[first];
        return;
    }
    if (mur_insert(MurRowsRef(push.table), vertex, first) == MUR_INSERTED) {
        uint place = atomicAdd(Words(push.buffers[WELD_COUNTER]).at[0], 1u);
        Words(push.buffers[WELD_PLACES]).at[vertex] = place;
        for (uint i = 0u; i < WELD_FLOATS; ++i) {
            uint value = Words(push.buffers[WELD_INPUT]).at[WELD_FLOATS * vertex + i];
            Words(push.buffers[WELD_MESH]).at[WELD_FLOATS * place + i] = value;
        }
    }
    Words(push.buffers[WELD_FIRSTS]).at[vertex] = first;
}
