#version 450
#extension GL_GOOGLE_include_directive : require
// A view of a painting: an invocation per pixel. The pixels of a workgroup see four tiles of a
// layer at most, so that one lookup for each of those is all. LOOK: a workgroup has an invocation
// for each of them, which asks for its page.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define CANVAS_PUSH CanvasViewPush
#include "canvas.glsl"

#ifdef LOOK
layout(local_size_x = 4u * CANVAS_LAYERS) in;
#else
layout(local_size_x = CANVAS_VIEW_GROUP, local_size_y = CANVAS_VIEW_GROUP) in;
#endif

shared uint frames[4u * CANVAS_LAYERS]; // pool pages of tiles
shared uint used[CANVAS_LAYERS], used_count; // first tiles of layers that have one here

uvec2 pair(uint words[2]) { return uvec2(words[0], words[1]); }

// In texels of the level, 16 bits of fraction, from the whole texel that the picture begins in.
uvec2 place(uvec2 pixel) { return pair(push.view.fraction) + pixel * push.view.step; }

ivec2 whole(uvec2 at) { return ivec2(push.view.first[0], push.view.first[1]) + ivec2(at >> 16); }

// The pool page of tile i of those of the workgroup, the first of which is named.
uint look_up(uint i, ivec2 first) {
    uint layer = i >> 2, tile, frame = MUR_NO_POOL_PAGE;
    ivec2 at = first + ivec2(i & 1u, i >> 1 & 1u);
    bool in_canvas = all(lessThan(uvec2(at), uvec2(CANVAS_SIDE >> push.view.level)));
    bool hidden = (push.view.flags & CANVAS_HIDES << layer) != 0u;
    if (in_canvas && !hidden &&
        mur_find(push.table, canvas_key(layer, push.view.level, at.x, at.y), tile) && tile != 0u) {
#ifdef LOOK
        mur_page_request(parts.pager, tile, 1u, frame);
#else
        if (!mur_page_peek(parts.pager, tile, frame)) { atomicAdd(STATE[CANVAS_FAILED], 1u); }
#endif
    }
    return frame;
}

// i: of the layer's first tile.
uvec4 texel(uint i, ivec2 first, ivec2 at) {
    ivec2 tile = (at >> CANVAS_TILE_BITS) - first;
    uint frame = frames[i + 2u * tile.y + tile.x];
    if (frame == MUR_NO_POOL_PAGE) { return uvec4(0u); }
    at &= int(CANVAS_TILE - 1u);
    return unpack(frame_texels(frame).texels[at.y * int(CANVAS_TILE) + at.x]);
}

// Software devices run through an if, and skip loops.
uvec4 filtered(uint i, ivec2 first, ivec2 at, uvec2 weight) {
    uvec2 rest = 256u - weight;
    uvec4 sum = texel(i, first, at) * (rest.x * rest.y);
    for (uint more = push.view.soft; more != 0u; more = 0u) {
        sum += texel(i, first, at + ivec2(1, 0)) * (weight.x * rest.y) +
               texel(i, first, at + ivec2(0, 1)) * (rest.x * weight.y) +
               texel(i, first, at + ivec2(1, 1)) * (weight.x * weight.y);
    }
    return (sum + 32768u) >> 16;
}

void main() {
    uvec2 corner = gl_WorkGroupID.xy * CANVAS_VIEW_GROUP;
    uvec2 pixel = corner + gl_LocalInvocationID.xy;
    ivec2 first = whole(place(corner)) >> CANVAS_TILE_BITS;
    uint local = gl_LocalInvocationIndex;
    if (local < 4u * CANVAS_LAYERS) { frames[local] = look_up(local, first); }
#ifdef LOOK
    return;
#endif
    barrier();
    if (local == 0u) {
        used_count = 0u;
        for (uint i = 0u; i < 4u * CANVAS_LAYERS; i += 4u) {
            if ((frames[i] & frames[i + 1u] & frames[i + 2u] & frames[i + 3u]) !=
                MUR_NO_POOL_PAGE) {
                used[used_count++] = i;
            }
        }
    }
    barrier();
    if (any(greaterThanEqual(pixel, pair(push.view.size)))) { return; }
    uvec2 at = place(pixel), weight = at >> 8 & push.view.soft;
    ivec2 there = whole(at);
    uvec4 color = uvec4(CANVAS_ONE);
    bool alpha = (push.view.flags & CANVAS_ALPHA) != 0u;
    // beside the canvas is no paper
    ivec2 nearest = there + ivec2(weight >> 7);
    if (any(greaterThanEqual(uvec2(nearest), uvec2(CANVAS_PIXELS >> push.view.level)))) {
        color = uvec4(CANVAS_ONE / 4u);
    }
    color *= alpha ? 0u : 1u;
    for (uint i = 0u; i < used_count; ++i) {
        uvec4 over = filtered(used[i], first, there, weight);
        color = over + ((color * (CANVAS_ONE - over.a) + CANVAS_HALF) >> CANVAS_ONE_BITS);
    }
    uint whole = alpha ? max(color.a, 1u) : CANVAS_ONE, shown = alpha ? color.a : CANVAS_ONE;
    color = min((color * 255u + whole / 2u) / whole, 255u);
    shown = (shown * 255u + CANVAS_HALF) >> CANVAS_ONE_BITS;
    // the brush's outline, an inverted circle
    vec2 way = vec2(ivec2(pixel) - ivec2(push.view.ringAt[0], push.view.ringAt[1]));
    if (push.view.ring != 0u && abs(length(way) - float(push.view.ring)) < 0.7) {
        color = color.g > 110u ? color / 3u : 255u - color / 3u;
    }
    if ((push.view.flags & CANVAS_BLUE_FIRST) != 0u) { color.rgb = color.bgr; }
    Words(push.picture).words[pixel.y * push.view.size[0] + pixel.x] =
        color.r | color.g << 8 | color.b << 16 | shown << 24;
}
