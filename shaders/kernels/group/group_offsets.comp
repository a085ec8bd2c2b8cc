#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdGroup, for keys of bins that are cut into tiles, after all tiles have counted their pairs:
// allocates each key's group, and replaces the key's count by the index of its group.
// SPDX-License-Identifier: MIT
#include "group.glsl"
#include "../scan.glsl"
shared uint base;

void main() {
    MurTableRef table = push.table;
    uint none = mur_empty_value(table);
    uint total = mur_input(push.scratch, MUR_GROUP_KEYS);
    uint stride = mur_invocations();
    for (uint first = mur_workgroup() * MUR_WORKGROUP; first < total; first += stride) {
        uint key = first + gl_LocalInvocationIndex;
        uint slot = key < total ? mur_input(push.slots, key) : 0u;
        uint count = key < total ? MUR_SLOT_WORD(table, KERNEL_FORMAT, slot, VALUE) - none : 0u;
        uint words = key < total ? count + 1u : 0u;
        uint sum;
        uint begin = workgroup_sum_before(words, sum);
        if (gl_LocalInvocationIndex == 0u) {
            base = atomicAdd(GROUPS(0u), sum);
        }
        barrier();
        begin += base;
        if (key < total) {
            bool fits = group_fits(begin, words);
            MUR_SLOT_WORD(table, KERNEL_FORMAT, slot, VALUE) = fits ? begin : none;
            if (fits) {
                GROUPS(begin) = 0u;
            } else {
                mur_count(table, MUR_HEADER_FAILED_INSERTS, count);
            }
        }
    }
}
