#version 450
#extension GL_GOOGLE_include_directive : require
// An invocation for each pair of a dab and a tile that it may touch. First the tiles are listed,
// those of the levels above too; then each tile's bits say which dabs touch it.
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
    atomicAdd(STATE[CANVAS_FAILED], 1u);
    return 0u;
}

// A tile that the stroke has made already is painted where it is, others get a new one. What is
// read and written is asked for: it is there when the tile is painted.
void list(uint level, uint key, uint slot, uint tile) {
    uint ordinal = atomicAdd(STATE[CANVAS_COMMANDS + 3u * level], 1u), frame;
    uint now = tile != 0u && SLOTS[slot].z == push.stroke ? tile : take();
    TOUCHED[level * CANVAS_MAX_TILES + ordinal] = uvec4(key, slot, tile, now);
    mur_page(parts.pager, now, 1u, frame);
    if (tile != 0u) {
        mur_page(parts.pager, tile, 1u, frame);
    }
    SLOTS[slot].y = ordinal;
}

// The slot of a tile, MUR_NO_SLOT if an eraser has nothing to do there. Who comes first lists it.
uint claim(uint level, uvec2 at, out bool first) {
    uint key = canvas_key(push.layer, level, at.x, at.y), slot, tile = 0u;
    first = false;
    if (push.color[1] == 0u) {
        slot = mur_find_slot(push.table, key, tile);
        if (slot == MUR_NO_SLOT || tile == 0u) {
            return MUR_NO_SLOT;
        }
    } else {
        uint status = mur_insert(push.table, key, 0u, slot, tile);
        if (status != MUR_EXISTED) {
            tile = 0u;
            atomicAdd(STATE[status == MUR_INSERTED ? CANVAS_KEYS : CANVAS_FAILED], 1u);
        }
    }
    if (slot != MUR_NO_SLOT && atomicMax(SLOTS[slot].x, push.batch) < push.batch) {
        list(level, key, slot, tile);
        first = true;
    }
    return slot;
}

// The dab of a pair: the last that begins there or before.
uint dab_of(uint pair) {
    uint low = 0u, high = push.dabs;
    while (high - low > 1u) {
        uint middle = (low + high) >> 1;
        if (Dabs(PART(DABS)).dabs[middle].first <= pair) { low = middle; } else { high = middle; }
    }
    return low;
}

void main() {
    uint pair = gl_GlobalInvocationID.x;
    if (pair >= push.pairs) {
        return;
    }
    uint index = dab_of(pair), slot = MUR_NO_SLOT;
    CanvasDab dab = Dabs(PART(DABS)).dabs[index];
    uint within = pair - dab.first + (index == 0u ? push.skip : 0u), row = dab.opacity >> 16;
    uvec2 at = tile_place(dab.corner) + uvec2(within % row, within / row);
    if (push.phase == CANVAS_PHASE_CLAIM) {
        bool first = canvas_touches(dab, at.x * CANVAS_TILE, at.y * CANVAS_TILE, CANVAS_TILE);
        slot = first ? claim(0u, at, first) : MUR_NO_SLOT;
        for (uint level = 1u; first && level < CANVAS_LEVELS; ++level) {
            claim(level, at >> level, first);
        }
        Words(PART(PAIRS)).words[pair] = slot;
    } else {
        slot = Words(PART(PAIRS)).words[pair];
        if (slot != MUR_NO_SLOT) {
            uint word = SLOTS[slot].y * CANVAS_MASK + (index >> 5);
            atomicOr(Words(PART(MASKS)).words[word], 1u << (index & 31u));
        }
    }
}
