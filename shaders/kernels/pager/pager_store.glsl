// Addresses in the store. STORE: the including file's struct with store, block and chunkShift.
//
// SPDX-License-Identifier: MIT

// Returns the address of a page, which must be below pageCount.
uvec2 store_page(uint page) {
    uint chunk = page >> STORE.chunkShift;
    uvec2 base = STORE.store;
    if (chunk != 0u) {
        base = uvec2(mur_input(STORE.block, MUR_PAGER_CHUNKS_AT + 2u * chunk),
                     mur_input(STORE.block, MUR_PAGER_CHUNKS_AT + 2u * chunk + 1u));
    }
    return mur_offset(base, page & ((1u << STORE.chunkShift) - 1u), push.pager.pageShift);
}
