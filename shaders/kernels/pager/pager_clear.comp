#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdClearPager: resets directory, records, requests and counts. Then no page is resident or, if
// the store is the pool (MUR_PAGER_RESIDENT), all pages are.
// SPDX-License-Identifier: MIT
#include "pager.glsl"

// Writes the state of host pages. All are free, except those of the last push.maxPages pages.
void clear_host_page(uint page) {
    uint count = push.pager.hostPageCount;
    uint fixed_pages = min(push.maxPages, count - 1u);
    uint behind = push.pager.pageCount - page; // 1: the last page
    uint own = behind <= fixed_pages ? count - behind : MUR_HOST_NONE;
    host(map_at(page)) = own;
    list_write(push.mapAt + page, own);
    if (behind <= count) { // this host page is as far from the end as the page
        host(free_at(count - behind)) = count - behind;
        host(owner_at(count - behind)) = behind <= fixed_pages ? page : MUR_HOST_NONE;
    }
    if (page == 0u) {
        for (uint i = 0u; i < MUR_HOST_OWNERS; ++i) {
            host(i) = i == MUR_HOST_FREE ? count - fixed_pages
                                         : i == MUR_HOST_FIXED ? fixed_pages : 0u;
        }
    }
}

void main() {
    bool resident = (push.flags & MUR_PAGER_RESIDENT) != 0u;
    bool fill = (push.flags & MUR_PAGER_FILL) != 0u;
    uint first = mur_invocation();
    uint step = mur_invocations();
    for (uint i = first; i < MUR_PAGER_CHUNKS_AT; i += step) {
        block_write(i, 0u);
    }
    for (uint i = first; i < push.pager.pageCount; i += step) {
        uint word = fill ? MUR_PAGE_ZERO : (push.flags & MUR_PAGER_IN_FILE) != 0u
                        ? MUR_PAGE_IN_FILE
                        : (push.flags & MUR_PAGER_CHANGED) != 0u ? MUR_PAGE_CHANGED : 0u;
        directory_write(i, resident ? MUR_PAGE_RESIDENT | i : word);
        if (replaces_host_pages()) {
            clear_host_page(i);
        }
    }
    for (uint i = first; i < push.pager.poolPageCount; i += step) {
        write_record(i, uvec4(resident ? i : MUR_NO_PAGE, 0u, 0u, 0u));
    }
    if (first < MUR_REQUESTS_LIST) {
        MurPageWord(mur_offset(push.pager.requests, first, 2u)).word = 0u;
    }
    if (resident && fill) {
        uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
        for (uint page = mur_workgroup(); page < push.pager.poolPageCount; page += groups) {
            for (uint i = gl_LocalInvocationIndex; i < page_quads(); i += MUR_WORKGROUP) {
                mur_page_store_quad(push.pager, page, i, uvec4(0u));
            }
        }
    }
}
