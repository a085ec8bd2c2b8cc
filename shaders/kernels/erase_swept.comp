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
    uint value, slot;
    uint at = mur_find_slot_cooperative(table, wanted, key, value);
    if (!wanted) {
        return MUR_ABSENT;
    }
    uint status = mur_erase_found(table, mur_hash(key, table.seed), at, value, slot);
    mur_output(push.values, item, value);
    mur_output(push.slots, item, slot);
    return status;
}

void main() {
    sweep_batch();
}
