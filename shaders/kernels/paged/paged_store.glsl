// Where a page is in the store.
//
// SPDX-License-Identifier: MIT

uvec2 store_page(uvec2 store, uvec2 block, uint chunkShift, uint pageShift, uint page) {
    uint chunk = page >> chunkShift;
    if (chunk != 0u) {
        store = uvec2(mur_input(block, MUR_PAGER_CHUNKS_AT + 2u * chunk),
                      mur_input(block, MUR_PAGER_CHUNKS_AT + 2u * chunk + 1u));
    }
    return mur_offset(store, page & ((1u << chunkShift) - 1u), pageShift);
}
