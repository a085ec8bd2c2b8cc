#version 450
#extension GL_GOOGLE_include_directive : require
// A block of a touched tile. Registers gather all dabs of the stroke that touch it, texel by texel.
// Then the colour is blended once, over the tile before the stroke. Code to skip is in loops:
// software devices skip those, but run an if with all invocations masked.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = CANVAS_LANES, local_size_y = CANVAS_LANES) in;
const uint SIDE = CANVAS_BLOCK / CANVAS_LANES; // texels of an invocation, each way
const uint INVOCATIONS = CANVAS_LANES * CANVAS_LANES, WORDS = CANVAS_DABS / 32u;

shared uint bits[WORDS]; // of the dabs that touch the block
uint gathered[SIDE * SIDE];

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

void meet(CanvasDab dab, uvec2 pixel) {
    [[unroll]] for (uint i = 0u; i < SIDE * SIDE; ++i) {
        uvec2 at = pixel + uvec2(i % SIDE, i / SIDE) * CANVAS_LANES;
        gathered[i] = canvas_gather(
            dab, gathered[i],
            canvas_squares(dab, canvas_way(dab.x, at.x, 1u), canvas_way(dab.y, at.y, 1u)));
    }
}

void meet_all(uvec2 pixel, CanvasDab any) {
    [[unroll]] for (uint i = 0u; i < SIDE * SIDE; ++i) { gathered[i] = canvas_nothing(any); }
    for (uint word = 0u; word < (push.dabs + 31u) / 32u; ++word) {
        for (uint left = bits[word]; left != 0u; left &= left - 1u) {
            CanvasDab dab = Dabs(PART(DABS)).dabs[32u * word + findLSB(left)];
            dab.flow = any.flow; // one branch for all dabs
            meet(dab, pixel);
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
        CanvasDab dab = Dabs(PART(DABS)).dabs[0]; // all of a stroke are alike
        uvec4 color = unpack(uvec2(push.color[0], push.color[1]));
        uint loads = entry.z != 0u ? 1u : 0u;
        meet_all(first + local, dab);
        [[unroll]] for (uint i = 0u; i < SIDE * SIDE; ++i) {
            uvec4 texel = uvec4(0u);
            for (uint load = loads; load != 0u; --load) {
                texel = unpack(from.texels[index_of(at, i)]);
            }
            uint cover = canvas_cover(dab, gathered[i]);
            texel = (color * cover + texel * (CANVAS_ONE - cover) + CANVAS_HALF) >> CANVAS_ONE_BITS;
            to.texels[index_of(at, i)] = pack(texel);
            seen |= texel.a;
        }
    }
    finish(entry, seen != 0u);
}
