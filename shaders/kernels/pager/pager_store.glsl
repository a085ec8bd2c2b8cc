// Where a page is in the store. STORE has that, and its chunks.
//
// SPDX-License-Identifier: MIT

// page is below pageCount.
uvec2 store_page(uint page) {
    uint chunk = page >> STORE.chunkShift;
    uvec2 base = STORE.store;
    if (chunk != 0u) {
        base = uvec2(mur_input(STORE.block, MUR_PAGER_CHUNKS_AT + 2u * chunk),
                     mur_input(STORE.block, MUR_PAGER_CHUNKS_AT + 2u * chunk + 1u));
    }
    return mur_offset(base, page & ((1u << STORE.chunkShift) - 1u), push.pager.pageShift);
}
