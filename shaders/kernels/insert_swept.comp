#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
// murCmdInsert, part of the table by part. Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
shared uint claims; // as in insert.comp
#define MUR_FIRST_CLAIM (atomicExchange(claims, 1u) == 0u)
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "batch.glsl"
const uint SWEPT_STATUSES = MUR_INSERTED | MUR_EXISTED << 4 | MUR_REFUSED << 8 | MUR_FULL << 12;
#include "swept.glsl"

uint swept_item(MurTableRef table, uint key, uint item) {
    uint slot;
    uint value = mur_input(push.values, item);
    uint status = mur_insert_mode(table, key, value, push.mode & MUR_MODE_MASK, slot);
    mur_output(push.slots, item, slot);
    return status;
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        claims = 0u;
    }
    barrier();
    sweep_batch();
}
