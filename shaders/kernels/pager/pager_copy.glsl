// Copies pages. A workgroup copies a piece of a page at a time.
// SPDX-License-Identifier: MIT

uint pieces_shift() { // log2 of the pieces per page
    return push.pager.pageShift - MUR_PAGER_PIECE_SHIFT;
}

// If goes is true, copies a piece of a pool page to `to`. If comes is true, replaces the piece by
// the piece at `from`, or by zeros. Each invocation reads and writes the same words, so no barrier
// is needed.
void move_piece(uvec2 pool, bool goes, uvec2 to, bool comes, bool zero, uvec2 from) {
    uint quad = gl_LocalInvocationIndex;
    uvec4 next = uvec4(0u);
    if (comes && !zero) {
        next = MurPageQuad(mur_offset(from, quad, 4u)).words;
    }
    if (goes) {
        MurPageQuad(mur_offset(to, quad, 4u)).words = MurPageQuad(mur_offset(pool, quad, 4u)).words;
    }
    if (comes) {
        MurPageQuad(mur_offset(pool, quad, 4u)).words = next;
    }
}

// Updates the directory after a page was written back (dirty is true), evicted (evicts), or both.
void note_gone(uint pool_page, uvec4 record, bool dirty, bool evicts) {
    uint page = record[MUR_POOL_PAGE];
    if (page >= push.pager.pageCount) {
        return;
    }
    uint state = directory_read(page);
    if ((state & (MUR_PAGE_RESIDENT | MUR_PAGE_POOL_PAGE)) != (MUR_PAGE_RESIDENT | pool_page)) {
        return; // the pager's memory is damaged
    }
    if (dirty) {
        state = changed_state(state);
    }
    if (evicts) {
        note_host_use(page);
    }
    directory_write(page, evicts ? state & MUR_PAGE_KEEPS : state);
}
