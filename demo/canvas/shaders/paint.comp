#version 450
#extension GL_GOOGLE_include_directive : require
// A block of a touched tile: its texels stay in registers while all dabs of the batch that touch it
// are blended, in their order. What may be skipped is in loops: software devices skip those, but
// run through an if with all invocations masked.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = CANVAS_COLUMNS, local_size_y = CANVAS_ROWS) in;
const uint ACROSS = CANVAS_BLOCK / CANVAS_COLUMNS, DOWN = CANVAS_BLOCK / CANVAS_ROWS;
const uint INVOCATIONS = CANVAS_COLUMNS * CANVAS_ROWS, WORDS = CANVAS_DABS / 32u;

shared uint bits[WORDS]; // of the dabs that touch the block
uvec4 texels[ACROSS * DOWN];

void find_dabs(uvec2 first) {
    for (uint word = gl_LocalInvocationIndex; word < WORDS; word += INVOCATIONS) {
        bits[word] = 0u;
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < push.dabs; i += INVOCATIONS) {
        if (canvas_touches(Dabs(PART(DABS)).dabs[i], first.x, first.y, CANVAS_BLOCK)) {
            atomicOr(bits[i >> 5], 1u << (i & 31u));
        }
    }
    barrier();
}

void blend(CanvasDab dab, uvec2 pixel, uvec4 color) {
    uint across[ACROSS];
    [[unroll]] for (uint x = 0u; x < ACROSS; ++x) {
        across[x] = canvas_square(dab, canvas_way(dab.x, pixel.x + x * CANVAS_COLUMNS, 1u));
    }
    [[unroll]] for (uint y = 0u; y < DOWN; ++y) {
        uint down = canvas_square(dab, canvas_way(dab.y, pixel.y + y * CANVAS_ROWS, 1u));
        [[unroll]] for (uint x = 0u; x < ACROSS; ++x) {
            uint cover = canvas_cover(dab, across[x] + down), i = y * ACROSS + x;
            texels[i] = (color * cover + texels[i] * (CANVAS_ONE - cover) + CANVAS_HALF) >>
                        CANVAS_ONE_BITS;
        }
    }
}

void blend_all(uvec2 pixel) {
    uvec4 color = unpack(uvec2(push.color[0], push.color[1]));
    uint word = 0u, left = bits[0], words = (push.dabs + 31u) / 32u;
    while (true) {
        while (left == 0u && ++word < words) {
            left = bits[word];
        }
        if (left == 0u) {
            break;
        }
        blend(Dabs(PART(DABS)).dabs[32u * word + findLSB(left)], pixel, color);
        left &= left - 1u;
    }
}

uint index_of(uint at, uint i) {
    return at + i / ACROSS * CANVAS_ROWS * CANVAS_TILE + i % ACROSS * CANVAS_COLUMNS;
}

void main() {
    uint block = gl_WorkGroupID.y;
    uvec4 entry = touched(0u, gl_WorkGroupID.x);
    uvec2 corner = uvec2(block % CANVAS_BLOCK_ROW, block / CANVAS_BLOCK_ROW) * CANVAS_BLOCK;
    uvec2 first = tile_place(entry.x) * CANVAS_TILE + corner, local = gl_LocalInvocationID.xy;
    uint at = (corner.y + local.y) * CANVAS_TILE + corner.x + local.x;
    find_dabs(first);
    Texels from, to;
    uint seen = 0u;
    for (uint runs = find_texels(entry.z, entry.w, from, to) ? 1u : 0u; runs != 0u; --runs) {
        [[unroll]] for (uint i = 0u; i < ACROSS * DOWN; ++i) { texels[i] = uvec4(0u); }
        for (uint loads = entry.z != 0u ? 1u : 0u; loads != 0u; --loads) {
            [[unroll]] for (uint i = 0u; i < ACROSS * DOWN; ++i) {
                texels[i] = unpack(from.texels[index_of(at, i)]);
            }
        }
        blend_all(first + local);
        [[unroll]] for (uint i = 0u; i < ACROSS * DOWN; ++i) {
            to.texels[index_of(at, i)] = pack(texels[i]);
            seen |= texels[i].a;
        }
    }
    finish(entry, seen != 0u);
}
