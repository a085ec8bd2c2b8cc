// Addresses in the store. The including file defines STORE, which has store, block, chunkShift.
// SPDX-License-Identifier: MIT

// Returns the address of a page in the store. The page must be below pageCount and, if host pages
// are replaced, have a host page.
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
