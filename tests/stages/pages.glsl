// Uses all functions that MUR_PAGER adds. A pager reference does not fit into push constants
// together with a table's.
// SPDX-License-Identifier: MIT
uint use_pages(MurTableRef table, uint page) {
    MurPagerRef pager = MurPagerRef(table.address, table.address, table.address, table.address,
                                    table.capacity, table.slotCount, 12u, 9u, page, 0u,
                                    uvec2(0u));
    uint frame;
    uint result = mur_page_request(pager, page, 3u, frame) ? frame : 0u;
    result += mur_page_peek(pager, page + 1u, frame) ? frame : 1u;
    mur_page_touch(pager, frame);
    mur_page_written(pager, frame);
    mur_page_store(pager, frame, 3u, result);
    mur_page_store_quad(pager, frame, 3u, uvec4(result));
    return result + mur_page_load(pager, frame, 5u) + mur_page_load_quad(pager, frame, 5u).x +
           mur_page_address(pager, frame).x;
}
