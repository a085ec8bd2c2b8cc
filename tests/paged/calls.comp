#version 450
#extension GL_GOOGLE_include_directive : require
// The shader of a user: each invocation makes one call, for the format FORMAT.
// SPDX-License-Identifier: MIT
#define MUR_PAGED
#include "calls.h"
#include "format.glsl"
#include "murmuration.glsl"

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    CallPush push;
};
layout(push_constant) uniform Push {
    Arguments arguments;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Item {
    CallItem item;
};

// Calls the common function of all calls that are named after modes: shaders inline it once.
uint call(MurPagedRef table, CallItem item, out uvec2 old) {
    uvec2 key = uvec2(item.keyLow, item.keyHigh);
    uvec2 value = uvec2(item.valueLow, item.valueHigh);
    if (item.verb >= CALL_FIND) {
        uint priority = item.verb == CALL_PEEK ? MUR_NO_REQUEST : 7u;
        return mur_paged_lookup(table, FORMAT, item.name, key, priority, old);
    }
    return mur_paged_write(table, FORMAT, item.name, key, value, item.verb, old);
}

void main() {
    CallPush push = arguments.push;
    if (gl_GlobalInvocationID.x >= push.count) {
        return;
    }
    Item item = Item(mur_offset(push.items, 10u * gl_GlobalInvocationID.x, 2u));
    uvec2 old;
    item.item.status = call(push.table, item.item, old);
    item.item.oldLow = old.x;
    item.item.oldHigh = old.y;
}
