// A pixel by rays through the brick table, for compute and fragment shaders alike. Lookups only, so
// that no stage needs a feature.
//
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "world.glsl"
#include "view_layout.h"
#include "brush.h"

layout(push_constant) uniform Push {
    TracePush push;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer ViewBlock {
    View view;
};

// Whole vectors, loaded once: Mesa 22.3's software driver mixes up single components of vectors
// that are read through an address.
vec4 viewSun;
vec4 viewGround;
vec4 viewBrush;
vec4 viewBrushHalf;
vec4 viewBrushColor;
ivec4 viewBase;
uvec2 viewSize;
uvec2 viewMasks;
uint viewFlags;
uint viewWater;
uint viewBrushShape;

#define VIEW ViewBlock(push.view).view

#include "march.glsl"
#include "sky.glsl"
#include "shade.glsl"
#include "modes.glsl"
#include "brush.glsl"

void readView() {
    viewSun = VIEW.sun;
    viewGround = VIEW.ground;
    viewBase = VIEW.base;
    viewSize = uvec2(VIEW.width, VIEW.height);
    viewMasks = VIEW.masks;
    viewFlags = VIEW.flags;
    viewWater = VIEW.waterFirst;
    viewBrushShape = VIEW.brushShape;
    if (viewBrushShape != BRUSH_NONE) {
        viewBrush = VIEW.brush;
        viewBrushHalf = VIEW.brushHalf;
        viewBrushColor = VIEW.brushColor;
    }
    readBox();
}

// at: in pixels, from the upper left.
vec3 rayDirection(vec2 at) {
    vec2 place = 2.0 * at / vec2(viewSize) - 1.0;
    return normalize(VIEW.forward.xyz + place.x * VIEW.right.xyz - place.y * VIEW.up.xyz);
}

// Views that light has no part in.
vec3 showHit(Cache cache, Hit hit, vec3 position, uint mode) {
    if (mode == VIEW_NORMALS) {
        return pow(0.5 + 0.5 * vec3(hit.normal), vec3(2.2));
    }
    if (mode == VIEW_PROBES) {
        return showProbes(hit);
    }
    uint index = colorOf(cache, hit.voxel);
    return mode == VIEW_FLAT ? flatColor(index)
                             : showBricks(hit, index, position,
                                          hit.t * length(VIEW.up.xyz) / float(viewSize.y));
}

vec3 trace(inout Cache cache, vec3 direction, float from, uint mode, uint salt) {
    vec3 origin = VIEW.eye.xyz;
    Hit hit = march(cache, origin, direction, ivec3(floor(origin)), from, 1e6);
    float ground = (viewFlags & VIEW_GROUND) != 0u && direction.y < 0.0
                       ? (viewGround.y - origin.y) / direction.y
                       : -1.0;
    bool onGround = ground > 0.0 && (!hit.found || hit.t >= ground);
    bool lit = mode == VIEW_SHADED || mode == VIEW_LOOKUPS;
    vec3 color;
    if (onGround && mode == VIEW_FLAT) {
        color = vec3(0.1);
    } else if (lit && (onGround || hit.found)) {
        color = shade(cache, hit, onGround ? ground : -1.0, origin, direction, salt);
    } else if (hit.found) {
        color = showHit(cache, hit, origin + direction * hit.t, mode);
    } else {
        color = skyColor(direction);
    }
    if ((viewFlags & VIEW_ROOM) != 0u) {
        color = showRoom(color, origin, direction, hit.found ? hit.t : 1e6);
    }
    if (viewBrushShape != BRUSH_NONE) {
        color = showBrush(color, hit.found, hit.voxel, origin, direction, hit.t);
    }
    return color;
}

// What is seen in a pixel, ready for the screen. cache: counts what it took.
vec3 tracePixel(uvec2 pixel, float from, out Cache cache) {
    readView();
    cache = emptyCache();
    uint mode = VIEW.mode;
    uint side = VIEW.samples;
    if (mode == VIEW_TABLE) {
        return toneMap(showTable(pixel));
    }
    vec3 sum = vec3(0.0);
    for (uint i = 0u; i < side * side; ++i) {
        vec2 offset = (vec2(i % side, i / side) + 0.5) / float(side);
        vec3 direction = rayDirection(vec2(pixel) + offset);
        sum += min(trace(cache, direction, from, mode, i), vec3(8.0));
    }
    vec3 color = sum / float(side * side);
    if (mode == VIEW_FLAT) {
        return pow(color, vec3(1.0 / 2.2));
    }
    if (mode == VIEW_LOOKUPS) {
        return toneMap(heat(float(cache.lookups) / float(side * side * VIEW.heatFull)));
    }
    vec2 aside = 2.0 * (vec2(pixel) + 0.5) / vec2(viewSize) - 1.0;
    float vignette = 1.0 - 0.22 * dot(aside, aside);
    return toneMap(mode == VIEW_SHADED ? vignette * color : color);
}
