#version 450
#extension GL_GOOGLE_include_directive : require
// The picture: a workgroup a tile of 8 x 8 pixels.
// SPDX-License-Identifier: MIT
#include "trace.glsl"
#include "light.glsl"
#include "follow.glsl"
#include "edit_layout.h"
#include "guides.glsl"
#include "marks.glsl"
#include "modes.glsl"
#include "brush.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

void writePixel(uvec2 at, vec3 color) {
    uint packed = packUnorm4x8(vec4((viewFlags & VIEW_BLUE_FIRST) != 0u ? color.bgr : color, 1.0));
    uvec2 first = at * (1u + VIEW.larger);
    uvec2 end = min(first + 1u + VIEW.larger, uvec2(VIEW.width, VIEW.height));
    for (uint y = first.y; y < end.y; ++y) {
        for (uint x = first.x; x < end.x; ++x) {
            Words(VIEW.pixels).words[y * VIEW.width + x] = packed;
        }
    }
}

// The mean of a pixel's colours since nothing moves. Late pictures weigh more, since the cache is
// then more exact, and the colour of the cache before weighs as the first three.
vec3 mean(uint pixel, vec3 color) {
    SumList list = SumList(VIEW.sums);
    if (VIEW.still != 0u) {
        vec3 before = list.sums[pixel].rgb;
        color = before + (color - before) * (2.0 / float(VIEW.still + 4u));
    }
    if (VIEW.larger == 0u) {
        list.sums[pixel] = vec4(color, 0.0);
    }
    return color;
}

vec3 tracePixel(inout Cache cache, uvec2 at, uint pixel, float from) {
    uint mode = VIEW.mode;
    bool lit = mode == VIEW_SHADED || mode == VIEW_LOOKUPS; // not cells
    uint salt = mur_hash(pixel, 1u);
    vec2 offset = VIEW.still == 0u || !lit ? vec2(0.5) : even(viewLight.frame, salt + 2u);
    vec3 origin = VIEW.eye.xyz;
    vec3 direction = rayDirection(vec2(at) + offset);
    Path path = Path(origin, direction, ivec3(floor(origin)), from, true, VIEW.still == 0u,
                     (VIEW_LIT >> mode & 1u) != 0u, salt);
    Surface s;
    vec3 color = follow(cache, path, s);
    if (s.found && !lit) {
        color = showSurface(cache, s, mode);
    }
    if (s.found && (viewFlags & VIEW_GRID) != 0u && mode <= VIEW_NORMALS) {
        color = showGrid(color, s);
    }
    if (lit) {
        color = mean(pixel, s.found ? throughAir(color, direction, s) : color);
    }
    if (mode == VIEW_LOOKUPS) {
        color = heat(float(cache.lookups) / 24.0);
    }
    float end = s.found ? s.t : 1e6;
    if ((viewFlags & VIEW_ROOM) != 0u) {
        color = showRoom(color, origin, direction, end);
    }
    if (VIEW.mirror.w != 0.0) {
        color = showMirrors(color, origin, direction, end);
    }
    previewColor = VIEW.preview.color;
    if (previewColor.a != 0.0) {
        readPreview();
        bool voxel = s.found && s.index < GROUND;
        color = showPreview(color, voxel, s.voxel, origin, direction, s.t);
    }
    return mode == VIEW_FLAT ? pow(color, vec3(1.0 / 2.2)) : toneMap(color);
}

void main() {
    readView();
    uvec2 at = gl_GlobalInvocationID.xy + uvec2(0u, push.row);
    Cache cache = emptyCache();
    if (at.x < viewSize.x && at.y < viewSize.y) {
        uint tiles = (viewSize.x + TILE - 1u) / TILE;
        float from = FloatList(VIEW.starts).floats[at.y / TILE * tiles + at.x / TILE];
        uint pixel = at.y * viewSize.x + at.x;
        writePixel(at, VIEW.mode == VIEW_TABLE ? toneMap(showTable(at))
                                               : tracePixel(cache, at, pixel, from));
    }
    count(cache);
}
