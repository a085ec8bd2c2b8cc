#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiRetrieve, last step, one value per invocation: finds the value's key by the offsets,
// and the value by its ordinal. multi_offsets.comp has written the values of keys with holes.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "multi_retrieve.glsl"
#include "multi.glsl"

// Indices of the keys to which a workgroup's first and last value belong.
shared uint group_keys[2];

// Returns the last of the keys first to last whose offset is at most `at`. Key first must be one.
uint key_at(uint first, uint last, uint at) {
    while (first < last) {
        uint middle = last - (last - first) / 2u;
        if (mur_input(push.offsets, middle) <= at) {
            first = middle;
        } else {
            last = middle - 1u;
        }
    }
    return first;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint keys = multi_keys();
    uint end = min(mur_input(push.offsets, keys), push.maxValues);
    uint at;
    bool own = mur_item(end, at);
    uint begin = at - lane;
    if (begin >= end || keys == 0u) {
        return;
    }
    if (lane < 2u) {
        uint there = lane == 0u ? begin : begin + min(MUR_WORKGROUP, end - begin) - 1u;
        group_keys[lane] = key_at(0u, keys - 1u, there);
    }
    barrier();
    if (!own) {
        return;
    }
    uint item = key_at(group_keys[0], group_keys[1], at);
    if ((mur_input(push.scratch, item) & MUR_MULTI_HOLES) == 0u) {
        uint value;
        uint ordinal = at - mur_input(push.offsets, item);
        mur_multi_get(multi_table(push.table), multi_input_key(item), ordinal, value);
        multi_output(at, value, item);
    }
}
