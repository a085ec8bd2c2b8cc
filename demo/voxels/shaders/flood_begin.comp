#version 450
#extension GL_GOOGLE_include_directive : require
// Starts a flood, one invocation (pick.comp says why there are others): what colour is there, and
// the first brick.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 32) in;
layout(push_constant) uniform Push {
    EditPush push;
};
#include "marks.glsl"

void main() {
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    BlockAt at = BlockAt(push.block);
    FloodAt flood = FloodAt(at.block.flood);
    ivec3 v = ivec3(at.block.edit.ax, at.block.edit.ay, at.block.edit.az);
    uint color = voxelColor(push.world, v);
    if (color == 0u || flood.flood.kind == MARK_COLOR) {
        return; // nothing leads anywhere
    }
    flood.flood.target = flood.flood.kind == MARK_SAME ? color : 0u;
    uint slot;
    mur_insert(flood.flood.table, brickKey(uvec3(v) >> BRICK_SHIFT), 1u, slot);
    uint row = (uint(v.z) & 7u) * 8u + (uint(v.y) & 7u);
    Words(flood.flood.wanted).words[slot * FLOOD_MASK_WORDS + (row >> 2)] =
        1u << (8u * (row & 3u) + (uint(v.x) & 7u));
    Words(flood.flood.lists[0]).words[0] = slot;
    flood.flood.counts[0] = 1u;
    flood.flood.bricks = 1u;
}
