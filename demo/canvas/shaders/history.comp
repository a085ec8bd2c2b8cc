#version 450
#extension GL_GOOGLE_include_directive : require
// A stroke's entries of the log. Undo and redo are the same: what the table has and what the log
// has change places. A stroke that is dropped gives the tiles that the log has back.
// SPDX-License-Identifier: MIT
#include "canvas.glsl"

layout(local_size_x = CANVAS_GROUP) in;

void main() {
    uint at = (push.first + gl_GlobalInvocationID.x) & push.logMask;
    if (gl_GlobalInvocationID.x >= push.count) {
        return;
    }
    uvec2 entry = LOG[at];
    if (push.phase == CANVAS_PHASE_EXCHANGE) {
        uint slot; // files leave out keys without a tile
        if (mur_insert(push.table, entry.x, 0u, slot) == MUR_INSERTED) {
            atomicAdd(STATE[CANVAS_KEYS], 1u);
        }
        LOG[at].y = mur_slot_exchange(push.table, slot, entry.y);
    } else if (entry.y != 0u) {
        Words(PART(FREE)).words[atomicAdd(STATE[CANVAS_FREE], 1u)] = entry.y;
    }
}
