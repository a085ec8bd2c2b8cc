// Addresses in the store. STORE: the including file's struct with store, block and chunkShift.
//
// SPDX-License-Identifier: MIT

// Returns the address of a page, which must be below pageCount and, if host pages are replaced,
// have one.
uvec2 store_page(uint page) {
    if (replaces_host_pages()) {
        page = MurPageWord(host_address(map_at(page))).word;
        page = min(page, push.pager.hostPageCount - 1u);
    }
    uint chunk = page >> STORE.chunkShift;
    uvec2 base = STORE.store;
    if (chunk != 0u) {
        base = uvec2(mur_input(STORE.block, MUR_PAGER_CHUNKS_AT + 2u * chunk),
                     mur_input(STORE.block, MUR_PAGER_CHUNKS_AT + 2u * chunk + 1u));
    }
    return mur_offset(base, page & ((1u << STORE.chunkShift) - 1u), push.pager.pageShift);
}
