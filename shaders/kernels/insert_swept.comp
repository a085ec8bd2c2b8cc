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

// Sectors. (With 1 as fast; with 4 and more, which nearly all probes end in, 2 to 4% slower.)
const uint AT_A_TIME = 2u;

uint swept_item(MurTableRef table, bool wanted, uint key, uint item, inout uint gone) {
    if (!wanted) {
        return SWEPT_ON;
    }
    uint slot;
    uint value = mur_input(push.values, item);
    uint most = gone > SWEPT_GONE_MOST - AT_A_TIME ? 0xFFFFFFFFu : AT_A_TIME;
    uint status = mur_insert_some(table, key, value, push.mode & MUR_MODE_MASK, gone, most, slot);
    if (status == MUR_ABSENT) {
        gone += AT_A_TIME;
        return SWEPT_ON;
    }
    mur_output(push.slots, item, slot);
    return status;
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        claims = 0u;
    }
    sweep_batch(); // begins with a barrier
}
