#version 450
#extension GL_GOOGLE_include_directive : require
// Copies a box of voxels to the clipboard, or those of it that are marked: an invocation four
// voxels along x of the copy.
// SPDX-License-Identifier: MIT
#include "edit.glsl"
#include "marks.glsl"

layout(local_size_x = 64) in;

void main() {
    BlockAt at = BlockAt(push.block);
    uint item = groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint row = item / at.block.clipRow;
    uint first = item % at.block.clipRow * 4u;
    if (row >= at.block.clipY * at.block.clipZ) {
        return;
    }
    uvec3 low = uvec3(at.block.edit.ax, at.block.edit.ay, at.block.edit.az);
    bool all = (at.block.edit.flags & EDIT_MARKED) == 0u;
    uint word = 0u;
    for (uint i = 0u; i < 4u && first + i < at.block.clipX; ++i) {
        uvec3 v = low + uvec3(first + i, row % at.block.clipY, row / at.block.clipY);
        bool wanted = all || isMarked(FloodAt(at.block.flood), v);
        word |= (wanted ? voxelColor(push.world, ivec3(v)) : 0u) << (8u * i);
    }
    Words(at.block.clipboard).words[item] = word;
}
