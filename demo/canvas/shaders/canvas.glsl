// What the shaders that paint share. SPDX-License-Identifier: MIT
#include "murmuration.glsl"
#include "canvas_layout.h"

layout(push_constant) uniform Push { CanvasPush push; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Texels { uvec2 texels[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quads { uvec4 quads[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Dabs {
    CanvasDab dabs[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Parts {
    uvec2 at[CANVAS_PARTS];
};

// Read once: in loops software devices would read them again and again.
uvec2 parts[CANVAS_PARTS] = Parts(push.parts).at;
#define PART(name) parts[CANVAS_PART_##name]
#define STATE      Words(PART(STATE)).words
#define SLOTS      Quads(PART(SLOTS)).quads
#define TOUCHED    Quads(PART(TOUCHED)).quads
#define LOG        Texels(PART(LOG)).texels

// The texels of a tile.
Texels tile_texels(uint tile) {
    return Texels(mur_offset(PART(POOL), tile, CANVAS_TILE_SHIFT));
}

uvec4 unpack(uvec2 texel) {
    return uvec4(texel.x & 0xFFFFu, texel.x >> 16, texel.y & 0xFFFFu, texel.y >> 16);
}

uvec2 pack(uvec4 color) {
    return uvec2(color.r | color.g << 16, color.b | color.a << 16);
}

uvec2 tile_place(uint key) {
    return uvec2(key, key >> CANVAS_SIDE_BITS) & (CANVAS_SIDE - 1u);
}

// The entry of a level's touched tile.
uvec4 touched(uint level, uint ordinal) {
    return TOUCHED[level * CANVAS_MAX_TILES + ordinal];
}

// The table gets what a stroke has made of a tile; what was there is for undo. Once a tile.
void publish(uvec4 entry) {
    if (entry.z == entry.w) {
        return;
    }
    mur_slot_exchange(push.table, entry.y, entry.w);
    if (SLOTS[entry.y].z != push.stroke) {
        SLOTS[entry.y].z = push.stroke;
        LOG[atomicAdd(STATE[CANVAS_LOGGED], 1u) & push.logMask] = entry.xz;
    }
}
