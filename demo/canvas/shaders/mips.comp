#version 450
#extension GL_GOOGLE_include_directive : require
// A block of a touched tile of a level above: means of four texels each of the tile below, where
// that was touched; else what it was.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = CANVAS_LANES, local_size_y = CANVAS_LANES) in;

// The mean of four texels, or the one that was there, or none.
uvec4 texel(Texels from, uint count, uvec2 at) {
    uvec2 first = count == 4u ? 2u * at % CANVAS_TILE : at;
    uvec4 sum = uvec4(0u);
    for (uint i = 0u; i < count; ++i) {
        sum += unpack(from.texels[(first.y + (i >> 1)) * CANVAS_TILE + first.x + (i & 1u)]);
    }
    return count == 4u ? (sum + 2u) >> 2 : sum;
}

void main() {
    uint block = gl_WorkGroupID.y, source;
    uvec4 entry = TOUCHED(push.level, gl_WorkGroupID.x);
    uvec2 corner = uvec2(block % CANVAS_BLOCK_ROW, block / CANVAS_BLOCK_ROW) * CANVAS_BLOCK;
    uvec2 child = 2u * tile_place(entry.x) + corner / (CANVAS_TILE / 2u);
    uint key = canvas_key(push.layer, push.level - 1u, child.x, child.y);
    uint slot = mur_find_slot(push.table, key, source);
    bool changed = slot != MUR_NO_SLOT && SLOTS[slot].x == push.batch;
    source = changed ? source : entry.z;
    uint count = source == 0u ? 0u : changed ? 4u : 1u;
    Texels from, to;
    // A tile that is painted where it is has something in it, unless it is erased.
    bool skip = !changed && entry.z == entry.w && push.color[1] != 0u;
    uint seen = skip ? 1u : 0u;
    uint end = find_texels(source, entry.w, from, to) && !skip ? CANVAS_BLOCK : 0u;
    for (uint y = gl_LocalInvocationID.y; y < end; y += CANVAS_LANES) {
        for (uint x = gl_LocalInvocationID.x; x < CANVAS_BLOCK; x += CANVAS_LANES) {
            uvec2 at = corner + uvec2(x, y);
            uvec4 sum = texel(from, count, at);
            to.texels[at.y * CANVAS_TILE + at.x] = pack(sum);
            seen |= sum.a;
        }
    }
    finish(entry, seen != 0u);
}
