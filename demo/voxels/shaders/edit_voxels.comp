#version 450
#extension GL_GOOGLE_include_directive : require
// Third dispatch of an edit: the voxels of the items.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

const uint GROUP_BRICKS = 8u;
layout(local_size_x = 256) in;
#include "edit_bricks.glsl"
#include "marks.glsl"

// A voxel that the brush covers, after the edit.
uint edited(BlockAt at, Edit edit, ivec3 v, uint old) {
    switch (edit.tool) {
    case TOOL_ADD:
        return brushColor(edit, v.x, v.y, v.z);
    case TOOL_PAINT:
        return old != 0u ? brushColor(edit, v.x, v.y, v.z) : 0u;
    case TOOL_PASTE: {
        uvec3 size = uvec3(at.block.clipX, at.block.clipY, at.block.clipZ);
        uint color = copiedColor(Words(at.block.clipboard), size, edit, v);
        return color != 0u || (edit.flags & EDIT_REPLACE) != 0u ? color : old;
    }
    case TOOL_EXTRUDE: {
        Spot from = extrudeFrom(edit, Spot(v.x, v.y, v.z));
        ivec3 face = ivec3(from.x, from.y, from.z);
        uint color = voxelColor(push.world, face);
        if (color == 0u || !isMarked(FloodAt(at.block.flood), uvec3(face))) {
            return old;
        }
        return (edit.flags & EDIT_INWARD) != 0u ? 0u : old != 0u ? old : color;
    }
    default:
        return 0u; // dig
    }
}

// This invocation's voxels lie in one layer: 4 rows of 4. If marked voxels are edited, item.w is
// the slot of the brick's marks.
void brushVoxels(BlockAt at, Edit edit, inout BrickWork work) {
    uvec3 brick = keyBrick(work.item.xy);
    uvec3 first = numberVoxel(16u * lane());
    ivec3 low = ivec3(brick * BRICK_WIDTH + first);
    bool marks = (edit.flags & EDIT_MARKED) != 0u;
    for (uint y = 0u; y < 4u; ++y) {
        uint row = first.z * 8u + first.y + y;
        uint bits = marks ? markedRow(FloodAt(at.block.flood), work.item.w, row) >> first.x : 0u;
        uint from = work.from[y];
        uint to = from;
        for (uint x = 0u; x < 4u; ++x) {
            ivec3 v = low + ivec3(x, y, 0u);
            uint old = from >> (8u * x) & 255u;
            if (marks ? (bits >> x & 1u) != 0u : brushHas(edit, v.x, v.y, v.z)) {
                to = bitfieldInsert(to, edited(at, edit, v, old), int(8u * x), 8);
                ++work.looked;
            }
        }
        work.to[y] = to;
    }
}

// Voxels from the host, which replace those that are there: item.w is the brick's number there.
void placedVoxels(BlockAt at, inout BrickWork work) {
    work.to = Quads(at.block.source).quads[BRICK_LANES * work.item.w + lane()];
    work.looked = 16u;
}

void newVoxels(BlockAt at, Edit edit, inout BrickWork work) {
    if (work.there) {
        work.from = valueVoxels(work.item.z);
        work.to = work.from;
        if (edit.tool == TOOL_PLACE) {
            placedVoxels(at, work);
        } else {
            brushVoxels(at, edit, work);
        }
    }
}
