// Shared by the shaders that paint: touched tiles, free tiles, the log.
// SPDX-License-Identifier: MIT
#define CANVAS_PUSH CanvasPush
#include "canvas.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quads { uvec4 quads[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Dabs {
    CanvasDab dabs[];
};
#define SLOTS   Quads(PART(SLOTS)).quads
// The entry of a level's touched tile.
#define TOUCHED(level, ordinal) Quads(PART(TOUCHED)).quads[(level) * CANVAS_MAX_TILES + (ordinal)]
#define LOG     Texels(PART(LOG)).texels

uvec2 tile_place(uint key) {
    return uvec2(key, key >> CANVAS_SIDE_BITS) & (CANVAS_SIDE - 1u);
}

// Finds the texels of two tiles that claim.comp requested: one to read, if it is a tile, and one to
// write. If they are not resident, counts it and paints nothing. That is an error of the program,
// unless host memory is a cache: then the batch is painted again.
bool lost = false;
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
    lost = !there;
    return there;
}

// A tile becomes free, if it is one.
void give(uint tile) {
    if (tile != 0u) {
        Words(PART(FREE)).words[atomicAdd(STATE[CANVAS_FREE], 1u)] = tile;
    }
}

shared bool visible;

// The end of a block of a touched tile; whoever is the last one of the tile's publishes it. The
// table gets what the stroke has made of the tile, or nothing if nothing is to be seen; what was
// there is for undo, once a stroke.
void finish(uvec4 entry, bool seen) {
    visible = false;
    barrier();
    if (seen) {
        visible = true;
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    uint one = 1u + (visible ? CANVAS_BLOCKS_SEEN : 0u) + (lost ? CANVAS_BLOCKS_LOST : 0u);
    uint blocks = one + atomicAdd(SLOTS[entry.y].z, one);
    if ((blocks & (CANVAS_BLOCKS_SEEN - 1u)) < CANVAS_BLOCKS) {
        return;
    }
    SLOTS[entry.y].z = 0u;
    if (blocks >= CANVAS_BLOCKS_LOST) { // stays what it was
        uint tile;
        mur_find_slot(push.table, entry.x, tile);
        give(tile == entry.w ? 0u : entry.w);
        return;
    }
    uint now = blocks >= CANVAS_BLOCKS_SEEN ? entry.w : 0u;
    mur_slot_exchange(push.table, entry.y, now);
    if (now == 0u) {
        give(entry.w);
    }
    if (entry.z != entry.w && SLOTS[entry.y].y != push.stroke) {
        SLOTS[entry.y].y = push.stroke;
        SLOTS[entry.y].w = entry.z;
        LOG[atomicAdd(STATE[CANVAS_LOGGED], 1u) & push.logMask] = entry.xz;
    }
}
