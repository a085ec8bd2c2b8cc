#version 450
#extension GL_GOOGLE_include_directive : require
// The calls for tables with many values a key: one operation an invocation.
// SPDX-License-Identifier: MIT
#define MUR_MULTI
#include "murmuration.glsl"
#include "calls.h"
layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    CallsPush push;
};
layout(std430, binding = 1) buffer Data {
    CallsItem items[];
};

void visit(uint i, uint key) {
    uint value;
    MurMultiCursor cursor = mur_multi_begin(push.table, key);
    uint sum = 0u, visited = 0u;
    for (; mur_multi_next(push.table, cursor, value); ++visited) {
        sum += value;
    }
    bool found = mur_multi_find(push.table, key, value);
    items[i].status = (found ? MUR_FOUND : MUR_ABSENT) + (visited << 8);
    items[i].value = value;
    items[i].count = mur_multi_count(push.table, key);
    items[i].sum = sum;
    uint got = 0u;
    for (uint ordinal = 0u; ordinal < mur_multi_ordinals(push.table, key); ++ordinal) {
        got += mur_multi_get(push.table, key, ordinal, value) ? value : 0u;
    }
    items[i].got = got;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) {
        return;
    }
    uint key = items[i].key;
    if (push.operation == CALLS_VISIT) {
        visit(i, key);
    }
#ifndef MUR_READ_ONLY
    if (push.operation == CALLS_INSERT) {
        items[i].status = mur_multi_insert(push.table, key, items[i].value);
    } else if (push.operation == CALLS_ERASE) {
        items[i].status = mur_multi_erase(push.table, key, items[i].value);
    } else if (push.operation == CALLS_ERASE_KEY) {
        items[i].count = mur_multi_erase_key(push.table, key);
    }
#endif
}
