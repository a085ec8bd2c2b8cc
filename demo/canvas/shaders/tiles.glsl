// What the shaders that paint share: tiles that are touched, free, undone.
// SPDX-License-Identifier: MIT
#define CANVAS_PUSH CanvasPush
#include "canvas.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quads { uvec4 quads[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Dabs {
    CanvasDab dabs[];
};
#define SLOTS   Quads(PART(SLOTS)).quads
#define TOUCHED Quads(PART(TOUCHED)).quads
#define LOG     Texels(PART(LOG)).texels

uvec2 tile_place(uint key) {
    return uvec2(key, key >> CANVAS_SIDE_BITS) & (CANVAS_SIDE - 1u);
}

// The entry of a level's touched tile.
uvec4 touched(uint level, uint ordinal) {
    return TOUCHED[level * CANVAS_MAX_TILES + ordinal];
}

// Where the texels of two tiles are, for which claim.comp has asked: one is read, if it is a tile,
// the other one written. That they are not there cannot be: nothing is painted then, and the host
// is told.
bool find_texels(uint tile, uint written, out Texels from, out Texels to) {
    uint frame, into;
    bool there = mur_page_peek(parts.pager, written, into);
    there = (mur_page_peek(parts.pager, tile, frame) || tile == 0u) && there;
    from = frame_texels(frame);
    to = frame_texels(into);
    if (gl_LocalInvocationIndex == 0u) {
        if (there) {
            mur_page_written(parts.pager, into);
        } else {
            atomicAdd(STATE[CANVAS_FAILED], 1u);
        }
    }
    return there;
}

// A tile becomes free, if it is one.
void give(uint tile) {
    if (tile != 0u) {
        Words(PART(FREE)).words[atomicAdd(STATE[CANVAS_FREE], 1u)] = tile;
    }
}

// The table gets what a stroke has made of a tile; what was there is for undo. Once a tile.
void publish(uvec4 entry) {
    if (entry.z == entry.w) {
        return;
    }
    mur_slot_exchange(push.table, entry.y, entry.w);
    if (SLOTS[entry.y].y != push.stroke) {
        SLOTS[entry.y].y = push.stroke;
        LOG[atomicAdd(STATE[CANVAS_LOGGED], 1u) & push.logMask] = entry.xz;
    }
}
