#version 450
#extension GL_GOOGLE_include_directive : require
// The picture, by a compute shader: a workgroup a tile of 8 x 8 pixels.
// SPDX-License-Identifier: MIT
#include "trace.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer FloatList {
    float floats[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer PixelList {
    uint pixels[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer CountBlock {
    ViewCounts counts;
};

shared uint sums[3];

void writePixel(uvec2 pixel, vec3 color) {
    uint packed = packUnorm4x8(vec4((viewFlags & VIEW_BLUE_FIRST) != 0u ? color.bgr : color, 1.0));
    PixelList(VIEW.pixels).pixels[pixel.y * viewSize.x + pixel.x] = packed;
}

// A workgroup's counts meet in shared memory.
void count(Cache cache) {
    atomicAdd(sums[0], cache.rays);
    atomicAdd(sums[1], cache.lookups);
    atomicAdd(sums[2], cache.steps);
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(CountBlock(VIEW.counts).counts.rays, sums[0]);
        atomicAdd(CountBlock(VIEW.counts).counts.lookups, sums[1]);
        atomicAdd(CountBlock(VIEW.counts).counts.steps, sums[2]);
    }
}

void main() {
    if (gl_LocalInvocationIndex < 3u) {
        sums[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    uvec2 pixel = gl_GlobalInvocationID.xy + uvec2(0u, push.row);
    Cache cache = emptyCache();
    if (pixel.x < VIEW.width && pixel.y < VIEW.height) {
        float from = 0.0;
        if ((VIEW.flags & VIEW_BEAMS) != 0u) {
            uint tiles = (VIEW.width + TILE - 1u) / TILE;
            uvec2 tile = pixel / TILE;
            from = FloatList(VIEW.starts).floats[tile.y * tiles + tile.x];
        }
        writePixel(pixel, tracePixel(pixel, from, cache));
    }
    if ((VIEW.flags & VIEW_COUNTS) != 0u) {
        count(cache);
    }
}
