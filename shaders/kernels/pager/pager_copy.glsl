// Moving pages, a piece at a time, by a workgroup.
//
// SPDX-License-Identifier: MIT

uint piece_shift() {
    return min(push.pager.pageShift, MUR_PAGER_PIECE_SHIFT);
}

// Writes quads at from to the one address and quads of another to from's, either or both: each
// invocation takes away what it replaces, so nothing is waited for. Several loads are under way at
// once, which is what a link needs.
void move_piece(uvec2 pool, bool writes, uvec2 to, bool reads, bool zero, uvec2 from) {
    uint quads = 1u << (piece_shift() - 4u);
    for (uint first = gl_LocalInvocationIndex; first < quads;
         first += MUR_PAGER_LOADS * MUR_WORKGROUP) {
        uvec4 old[MUR_PAGER_LOADS], new[MUR_PAGER_LOADS];
        [[unroll]] for (uint i = 0u; i < MUR_PAGER_LOADS; ++i) {
            uint quad = first + i * MUR_WORKGROUP;
            new[i] = uvec4(0u);
            if (reads && !zero && quad < quads) {
                new[i] = MurPageQuad(mur_offset(from, quad, 4u)).words;
            }
        }
        [[unroll]] for (uint i = 0u; i < MUR_PAGER_LOADS; ++i) {
            uint quad = first + i * MUR_WORKGROUP;
            if (writes && quad < quads) {
                old[i] = MurPageQuad(mur_offset(pool, quad, 4u)).words;
            }
        }
        [[unroll]] for (uint i = 0u; i < MUR_PAGER_LOADS; ++i) {
            uint quad = first + i * MUR_WORKGROUP;
            if (writes && quad < quads) {
                MurPageQuad(mur_offset(to, quad, 4u)).words = old[i];
            }
        }
        [[unroll]] for (uint i = 0u; i < MUR_PAGER_LOADS; ++i) {
            uint quad = first + i * MUR_WORKGROUP;
            if (reads && quad < quads) {
                MurPageQuad(mur_offset(pool, quad, 4u)).words = new[i];
            }
        }
    }
}

// The page in a frame has been written back, or leaves it; dirty: the store has it now.
void note_gone(uint frame, uvec4 record, bool dirty, bool leaves) {
    uint page = record[MUR_FRAME_PAGE];
    if (page >= push.pager.pageCount) {
        return;
    }
    uint state = directory_read(page);
    if ((state & (MUR_PAGE_RESIDENT | MUR_PAGE_FRAME)) != (MUR_PAGE_RESIDENT | frame)) {
        return; // somebody has written here who should not have
    }
    if (dirty) {
        state = (state & ~MUR_PAGE_ZERO) | MUR_PAGE_CHANGED;
    }
    directory_write(page, leaves ? state & MUR_PAGE_KEEPS : state);
}
