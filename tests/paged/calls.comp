#version 450
#extension GL_GOOGLE_include_directive : require
// A user's shader: one call an invocation, of the formats that the macros say.
//
// SPDX-License-Identifier: MIT
#define MUR_PAGED
#include "murmuration.glsl"
#include "calls.h"

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

#define CALLS(FIND, KEY, VALUE)                                                    \
    switch (item.verb) {                                                           \
    case CALL_FIND:                                                                \
        return FIND(table, item.name, KEY, 7u, old);                               \
    case CALL_PEEK:                                                                \
        return FIND(table, item.name, KEY, MUR_NO_REQUEST, old);                   \
    case MUR_MODE_ASSIGN:                                                          \
        return mur_paged_upsert(table, item.name, KEY, VALUE, old);                \
    case MUR_MODE_KEEP:                                                            \
        return mur_paged_insert(table, item.name, KEY, VALUE, old);                \
    case MUR_MODE_ADD:                                                             \
        return mur_paged_add(table, item.name, KEY, VALUE, old);                   \
    case MUR_MODE_MIN:                                                             \
        return mur_paged_min(table, item.name, KEY, VALUE, old);                   \
    case MUR_MODE_MAX:                                                             \
        return mur_paged_max(table, item.name, KEY, VALUE, old);                   \
    case MUR_MODE_OR:                                                              \
        return mur_paged_or(table, item.name, KEY, VALUE, old);                    \
    case MUR_MODE_UPDATE:                                                          \
        return mur_paged_update(table, item.name, KEY, VALUE, old);                \
    default:                                                                       \
        return mur_paged_erase(table, item.name, KEY, old);                        \
    }

#if defined(CALLS_SETS)
uint call(MurPagedRef table, CallItem item, out uint old) {
    old = 0u;
#ifdef MUR_KEYS_64
    uvec2 key = uvec2(item.keyLow, item.keyHigh);
#else
    uint key = item.keyLow;
#endif
    switch (item.verb) {
    case CALL_FIND:
        return mur_paged_has(table, item.name, key, 7u);
    case CALL_PEEK:
        return mur_paged_has(table, item.name, key, MUR_NO_REQUEST);
    case MUR_PAGED_ERASE:
        return mur_paged_take(table, item.name, key);
    default:
        return mur_paged_put(table, item.name, key);
    }
}
#define OLD uint
#elif defined(MUR_VALUES_64)
uint call(MurPagedRef table, CallItem item, out uvec2 old) {
    CALLS(mur_paged_find, uvec2(item.keyLow, item.keyHigh), uvec2(item.valueLow, item.valueHigh))
}
#define OLD uvec2
#elif defined(MUR_KEYS_64)
uint call(MurPagedRef table, CallItem item, out uint old) {
    CALLS(mur_paged_find, uvec2(item.keyLow, item.keyHigh), item.valueLow)
}
#define OLD uint
#else
uint call(MurPagedRef table, CallItem item, out uint old) {
    CALLS(mur_paged_find, item.keyLow, item.valueLow)
}
#define OLD uint
#endif

void main() {
    CallPush push = arguments.push;
    if (gl_GlobalInvocationID.x >= push.count) {
        return;
    }
    Item item = Item(mur_offset(push.items, 10u * gl_GlobalInvocationID.x, 2u));
    OLD old;
    item.item.status = call(push.table, item.item, old);
#ifdef MUR_VALUES_64
    item.item.oldLow = old.x;
    item.item.oldHigh = old.y;
#else
    item.item.oldLow = old;
    item.item.oldHigh = 0u;
#endif
}
