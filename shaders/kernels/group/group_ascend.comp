#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdGroup with MUR_GROUP_ASCENDING, last step: sorts the values of groups whose pairs were cut
// into tiles. push.slots lists the slots of their keys. MUR_GROUP_SORT_BINS has sorted all other
// groups. One invocation sorts a small group; the whole workgroup sorts a larger one.
// SPDX-License-Identifier: MIT
#include "group.glsl"

shared uint sorted[MUR_GROUP_SORTED];
#define SORTED sorted
#include "group_sort.glsl"
shared uint larges[MUR_GROUP_CHUNK];
shared uint largeCount;

// Sorts the values of a group in the array of groups, by insertion.
void sort_small(uint first, uint count) {
    for (uint i = 1u; i < count; ++i) {
        uint value = GROUPS(first + i), at = i;
        for (; at != 0u && GROUPS(first + at - 1u) > value; --at) {
            GROUPS(first + at) = GROUPS(first + at - 1u);
        }
        GROUPS(first + at) = value;
    }
}

void sort_large(uint first, uint count) {
    for (uint i = gl_LocalInvocationIndex; i < count; i += MUR_WORKGROUP) {
        sorted[i] = GROUPS(first + i);
    }
    sort_words(0u, count);
    for (uint i = gl_LocalInvocationIndex; i < count; i += MUR_WORKGROUP) {
        GROUPS(first + i) = sorted[i];
    }
    barrier();
}

void main() {
    uint total = mur_input(push.scratch, MUR_GROUP_KEYS);
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_GROUP_CHUNK;
    for (uint first = mur_workgroup() * MUR_GROUP_CHUNK; first < total; first += stride) {
        uint key = first + gl_LocalInvocationIndex;
        if (gl_LocalInvocationIndex == 0u) {
            largeCount = 0u;
        }
        barrier();
        if (gl_LocalInvocationIndex < MUR_GROUP_CHUNK && key < total) {
            uint slot = mur_input(push.slots, key);
            uint begin = MUR_SLOT_WORD(push.table, KERNEL_FORMAT, slot, VALUE);
            bool there = begin != mur_empty_value(push.table) && group_fits(begin, 1u);
            uint count = there ? GROUPS(begin) : 0u;
            count = count < push.maxWords - begin ? count : 0u;
            if (count <= MUR_GROUP_SMALL / 4u) {
                sort_small(begin + 1u, count);
            } else if (count <= MUR_GROUP_SORTED) {
                larges[atomicAdd(largeCount, 1u)] = begin;
            }
        }
        barrier();
        for (uint i = 0u; i < largeCount; ++i) {
            sort_large(larges[i] + 1u, GROUPS(larges[i]));
        }
        barrier();
    }
}
