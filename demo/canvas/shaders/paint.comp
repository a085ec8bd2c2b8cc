#version 450
#extension GL_GOOGLE_include_directive : require
// A block of a touched tile: its texels stay in registers while all dabs of the batch that touch it
// are blended, in their order. What may be skipped is in loops: software devices skip those, but
// run through an if with all invocations masked.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = CANVAS_LANES, local_size_y = CANVAS_LANES) in;
const uint SIDE = CANVAS_BLOCK / CANVAS_LANES; // texels of an invocation, each way
const uint INVOCATIONS = CANVAS_LANES * CANVAS_LANES, WORDS = CANVAS_DABS / 32u;

shared uint bits[WORDS]; // of the dabs that touch the block
uvec4 texels[SIDE * SIDE];

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
    uint across[SIDE];
    [[unroll]] for (uint x = 0u; x < SIDE; ++x) {
        across[x] = canvas_square(dab, canvas_way(dab.x, pixel.x + x * CANVAS_LANES, 1u));
    }
    [[unroll]] for (uint y = 0u; y < SIDE; ++y) {
        uint down = canvas_square(dab, canvas_way(dab.y, pixel.y + y * CANVAS_LANES, 1u));
        [[unroll]] for (uint x = 0u; x < SIDE; ++x) {
            uint cover = canvas_cover(dab, across[x] + down), i = y * SIDE + x;
            texels[i] = (color * cover + texels[i] * (CANVAS_ONE - cover) + CANVAS_HALF) >>
                        CANVAS_ONE_BITS;
        }
    }
}

void blend_all(uvec2 pixel) {
    uvec4 color = unpack(uvec2(push.color[0], push.color[1]));
    for (uint word = 0u; word < (push.dabs + 31u) / 32u; ++word) {
        for (uint left = bits[word]; left != 0u; left &= left - 1u) {
            blend(Dabs(PART(DABS)).dabs[32u * word + findLSB(left)], pixel, color);
        }
    }
}

uint index_of(uint at, uint i) {
    return at + (i / SIDE * CANVAS_TILE + i % SIDE) * CANVAS_LANES;
}

void main() {
    uint block = gl_WorkGroupID.y;
    uvec4 entry = TOUCHED(0u, gl_WorkGroupID.x);
    uvec2 corner = uvec2(block % CANVAS_BLOCK_ROW, block / CANVAS_BLOCK_ROW) * CANVAS_BLOCK;
    uvec2 first = tile_place(entry.x) * CANVAS_TILE + corner, local = gl_LocalInvocationID.xy;
    uint at = (corner.y + local.y) * CANVAS_TILE + corner.x + local.x;
    find_dabs(first);
    Texels from, to;
    uint seen = 0u;
    for (uint runs = find_texels(entry.z, entry.w, from, to) ? 1u : 0u; runs != 0u; --runs) {
        [[unroll]] for (uint i = 0u; i < SIDE * SIDE; ++i) { texels[i] = uvec4(0u); }
        for (uint loads = entry.z != 0u ? 1u : 0u; loads != 0u; --loads) {
            [[unroll]] for (uint i = 0u; i < SIDE * SIDE; ++i) {
                texels[i] = unpack(from.texels[index_of(at, i)]);
            }
        }
        blend_all(first + local);
        [[unroll]] for (uint i = 0u; i < SIDE * SIDE; ++i) {
            to.texels[index_of(at, i)] = pack(texels[i]);
            seen |= texels[i].a;
        }
    }
    finish(entry, seen != 0u);
}
