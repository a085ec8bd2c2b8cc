#version 450
#extension GL_GOOGLE_include_directive : require
// Partitioned builds and inserts, last step. After a complete build, marks the table as sorted.
// After an insert, inserts the pairs that found no slot in their slice. If some pair did not fit
// its bin or slice, inserts the whole batch directly. There is usually little to do, so the number
// of workgroups is bounded. Compiled once per atomic width.
// SPDX-License-Identifier: MIT
#include "slices.glsl"

// Inserts a pair. Each mode is a constant, which makes the code small.
void insert(uvec2 pair) {
    MurTableRef table = mur_kernel_table(push.table);
    uvec3 key = uvec3(mur_key(pair.x, table.seed), 0u, 0u);
    uvec2 value = uvec2(pair.y, 0u);
    uint slot;
    if (keeps()) {
        mur_insert_entry(table, KERNEL_FORMAT, key, value, MUR_MODE_INSERT, slot);
    } else {
        mur_insert_entry(table, KERNEL_FORMAT, key, value, MUR_MODE_ASSIGN, slot);
    }
}

// Inserts the overflow of all slices, with at least MUR_REST_LANES invocations per bin, or the
// whole batch, with one invocation per item.
void main() {
    uint first = mur_invocation();
    uint stride = mur_invocations();
    bool all = is_irregular();
    if (!all && builds() && first == 0u) {
        mur_output(push.table.address, MUR_HEADER_STATE, MUR_STATE_ORDERED);
    }
    uint none = mur_empty_value(push.table);
    uint each = max(stride / slice_total(), MUR_REST_LANES);
    uint lanes = all ? item_total() : builds() ? 0u : slice_total() * each;
    for (uint lane = first; lane < lanes; lane += stride) {
        uint slice = lane / each;
        uint end = all ? lane + 1u : slice_count(slice);
        for (uint i = all ? lane : lane % each; i < end; i += each) {
            uvec2 pair;
            if (all) {
                uint hash = mur_hash(mur_input(push.keys, i), push.table.seed);
                pair = uvec2(hash, mur_input(push.values, i));
            } else {
                pair = MurPairsIn(slice_bin(slice)).pairs[i];
            }
            if (pair.y != none) { // slices_split.comp has counted these
                insert(pair);
            }
        }
        if (lane > 0xFFFFFFFFu - stride) {
            break;
        }
    }
}
