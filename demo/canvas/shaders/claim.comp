#version 450
#extension GL_GOOGLE_include_directive : require
// An invocation for each tile of the box that a new dab may touch. Touched tiles are listed, also
// those of the levels above.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = CANVAS_GROUP) in;

// A free tile; the host sees to it that there is one.
uint take() {
    uint count = atomicAdd(STATE[CANVAS_FREE], 0xFFFFFFFFu);
    if (count - 1u < push.tiles) {
        return Words(PART(FREE)).words[count - 1u];
    }
    atomicAdd(STATE[CANVAS_FREE], 1u);
    return 1u + atomicAdd(STATE[CANVAS_USED], 1u);
}

// A tile that the stroke already made is painted in place; other tiles are replaced by a new one.
// Level 0 is painted over its state before the stroke. Requests the pages that the painting reads
// and writes.
void list(uint level, uint key, uint slot, uint tile) {
    uint ordinal = atomicAdd(STATE[CANVAS_COMMANDS + 3u * level], 1u), frame;
    bool own = SLOTS[slot].y == push.stroke;
    uint now = tile != 0u && own ? tile : take();
    uint before = level == 0u && own ? SLOTS[slot].w : tile;
    TOUCHED(level, ordinal) = uvec4(key, slot, before, now);
    mur_page_request(parts.pager, now, 1u, frame);
    if (before != 0u) {
        mur_page_request(parts.pager, before, 1u, frame);
    }
}

// Lists a tile. False: it was listed before, or an eraser has nothing to do there.
bool claim(uint level, uvec2 at) {
    uint key = canvas_key(push.layer, level, at.x, at.y), slot, tile = 0u;
    if (push.color[1] == 0u) {
        slot = mur_find_slot(push.table, key, tile);
        if (slot == MUR_NO_SLOT || tile == 0u) {
            return false;
        }
    } else {
        uint status = mur_insert(push.table, key, 0u, slot, tile);
        if (status != MUR_EXISTED) {
            tile = 0u;
            atomicAdd(STATE[status == MUR_INSERTED ? CANVAS_KEYS : CANVAS_FAILED], 1u);
        }
    }
    if (slot == MUR_NO_SLOT || atomicMax(SLOTS[slot].x, push.batch) >= push.batch) {
        return false;
    }
    list(level, key, slot, tile);
    return true;
}

void main() {
    CanvasDab dab = Dabs(PART(DABS)).dabs[gl_WorkGroupID.y];
    uint x0 = max(dab.box.x0, push.box.x0), x1 = min(dab.box.x1, push.box.x1);
    uint y0 = max(dab.box.y0, push.box.y0), y1 = min(dab.box.y1, push.box.y1);
    uint i = gl_GlobalInvocationID.x, row = x1 - x0 + 1u;
    if (x0 > x1 || y0 > y1 || i >= row * (y1 - y0 + 1u)) {
        return;
    }
    uvec2 at = uvec2(x0 + i % row, y0 + i / row);
    bool more = canvas_touches(dab, at.x * CANVAS_TILE, at.y * CANVAS_TILE, CANVAS_TILE);
    for (uint level = 0u; more && level < CANVAS_LEVELS; ++level) {
        more = claim(level, at >> level);
    }
}
