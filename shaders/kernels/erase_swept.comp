#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
// murCmdErase, part of the table by part. Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
#define MUR_PLAIN_LOOKUPS
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "batch.glsl"
const uint SWEPT_STATUSES = MUR_ABSENT | MUR_ERASED << 8;
#include "swept.glsl"

uint swept_item(MurTableRef table, uint key, uint item) {
    uint value, slot;
    uint status = mur_erase(table, key, value, slot);
    mur_output(push.values, item, value);
    mur_output(push.slots, item, slot);
    return status;
}

void main() {
    sweep_batch();
}
