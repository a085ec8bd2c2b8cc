// The work of an invocation on its item, for all stages. target.h has the push constants for C.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

#define WORK_FIND   0u // returns the value of the item's key
#define WORK_ASSIGN 1u // inserts the item's key; returns its value, found by the same invocation
#define WORK_COUNT  2u // adds one to the key of the item's group; returns the status
#define WORK_RUN    4u // neighbours have the same group, for MUR_SUBGROUP_COMBINE

layout(push_constant) uniform Push {
    MurTableRef table;
    uint width; // size of the image in pixels
    uint height;
    uint factor; // key of item i: factor * i
    uint groups;
    uint work;
} push;

uint key_of(uint item) {
    return item * push.factor;
}

uint work(uint item) {
    uint value;
#ifndef MUR_READ_ONLY
    if (push.work == WORK_COUNT) {
        return mur_add(push.table, key_of(item / WORK_RUN % push.groups), 1u);
    }
    if (push.work == WORK_ASSIGN) {
        mur_assign(push.table, key_of(item), item + 1u);
    }
#endif
    mur_find(push.table, key_of(item), value);
    return value;
}
