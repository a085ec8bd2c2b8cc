#version 450
#extension GL_GOOGLE_include_directive : require
// Goes over the log's entries of strokes. Undo and redo exchange the tiles of table and log.
// Strokes that are dropped free the tiles in the log.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = CANVAS_GROUP) in;

void main() {
    uint first = STATE[CANVAS_ENDS + push.first], count = STATE[CANVAS_ENDS + push.last] - first;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += CANVAS_FEW * CANVAS_GROUP) {
        uint at = (first + i) & push.logMask, slot, tile;
        uvec2 entry = LOG[at];
        if (push.drops != 0u) {
            give(entry.y);
            continue;
        }
        slot = mur_find_slot(push.table, entry.x, tile);
        LOG[at].y = mur_slot_exchange(push.table, slot, entry.y);
    }
}
