#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
// murCmdErase, part of the table by part. Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
#define MUR_PLAIN_LOOKUPS
#define MUR_SUBGROUP
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "batch.glsl"
const uint SWEPT_STATUSES = MUR_ABSENT | MUR_ERASED << 8;
#include "swept.glsl"

uint swept_item(MurTableRef table, bool wanted, uint key, uint item, inout uint gone) {
    uint none = mur_no_value(table);
    uint value;
    uint at = mur_find_slot_cooperative(table, wanted, key, value);
    if (wanted) {
        if (value != none) {
            value = mur_update(table, at, mur_hash(key, table.seed), none, MUR_MODE_ASSIGN);
        }
        mur_output(push.values, item, value);
        mur_output(push.slots, item, value == none ? MUR_NO_SLOT : at);
    }
    return value == none ? MUR_ABSENT : MUR_ERASED;
}

void main() {
    sweep_batch();
}
