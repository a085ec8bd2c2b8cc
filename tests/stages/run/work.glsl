// What an invocation does with the item that it is given, the same in each stage that is run.
// target.h has the push constants for C.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

#define WORK_FIND   0u // the value of the item's key
#define WORK_UPSERT 1u // insert the item's key; then its value as this invocation sees it
#define WORK_COUNT  2u // add one to the key of the item's group; then the status
#define WORK_RUN    4u // neighbours that have a group in common, for them to combine

layout(push_constant) uniform Push {
    MurTableRef table;
    uint width; // of the image
    uint height;
    uint factor; // from item to key
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
    if (push.work == WORK_UPSERT) {
        mur_upsert(push.table, key_of(item), item + 1u);
    }
#endif
    mur_find(push.table, key_of(item), value);
    return value;
}
