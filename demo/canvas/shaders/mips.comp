#version 450
#extension GL_GOOGLE_include_directive : require
// A block of a touched tile of a level above: means of four texels each of the tile below.
// SPDX-License-Identifier: MIT
#include "canvas.glsl"

layout(local_size_x = CANVAS_COLUMNS, local_size_y = CANVAS_ROWS) in;
shared uint below;
shared bool changed;

uvec4 mean(uvec2 at) {
    uvec2 from = 2u * at % CANVAS_TILE;
    uvec4 sum = uvec4(2u);
    for (uint i = 0u; i < 4u && below != 0u; ++i) {
        uint texel = (from.y + (i >> 1)) * CANVAS_TILE + from.x + (i & 1u);
        sum += unpack(tile_texels(below).texels[texel]);
    }
    return sum >> 2;
}

void main() {
    uint block = gl_WorkGroupID.y;
    uvec4 entry = touched(push.level, gl_WorkGroupID.x);
    uvec2 corner = uvec2(block % CANVAS_BLOCK_ROW, block / CANVAS_BLOCK_ROW) * CANVAS_BLOCK;
    if (gl_LocalInvocationIndex == 0u) {
        uvec2 child = 2u * tile_place(entry.x) + corner / (CANVAS_TILE / 2u);
        uint key = canvas_key(push.layer, push.level - 1u, child.x, child.y), tile;
        uint slot = mur_find_slot(push.table, key, tile);
        below = slot != MUR_NO_SLOT ? tile : 0u;
        changed = slot != MUR_NO_SLOT && SLOTS[slot].x == push.batch;
    }
    barrier();
    // as in paint.comp
    bool skip = entry.w == 0u || (!changed && entry.z == entry.w && push.color[1] != 0u);
    uint seen = skip ? 1u : 0u, end = skip ? 0u : CANVAS_BLOCK;
    for (uint y = gl_LocalInvocationID.y; y < end; y += CANVAS_ROWS) {
        for (uint x = gl_LocalInvocationID.x; x < CANVAS_BLOCK; x += CANVAS_COLUMNS) {
            uvec2 at = corner + uvec2(x, y);
            uvec4 texel = mean(at);
            tile_texels(entry.w).texels[at.y * CANVAS_TILE + at.x] = pack(texel);
            seen |= texel.a;
        }
    }
    if (seen != 0u) {
        SLOTS[entry.y].w = push.batch;
    }
    if (block == 0u && gl_LocalInvocationIndex == 0u) {
        publish(entry);
    }
}
