#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager with MUR_PAGER_UPDATE_CHECKPOINT, after all dirty pages were written to the
// store: holds the pages that changed since the last checkpoint, and lists them for the host. An
// invocation processes 32 pages.
// SPDX-License-Identifier: MIT
#include "pager.glsl"

bool hold(uint page) {
    uint state = mur_page_state(push.pager, page); // 0 out of range
    if ((state & MUR_PAGE_CHANGED) == 0u) {
        return false;
    }
    directory_write(page, (state & ~MUR_PAGE_CHANGED) | MUR_PAGE_HELD);
    if (replaces_host_pages()) {
        list_write(push.mapAt + page, host(map_at(page)));
    }
    uint pool_page;
    if (mur_page_resident(push.pager, state, pool_page)) {
        MurPageWord own = MurPageWord(mur_page_record(push.pager, pool_page, MUR_POOL_STATE));
        atomicOr(own.word, MUR_POOL_HELD);
    }
    return true;
}

void main() {
    if (list_read(MUR_LISTS_HOLD) == 0u) {
        return; // murBeginPagerFrame has begun no checkpoint, or an earlier call has held the pages
    }
    uint step = mur_invocations();
    for (uint i = mur_invocation(); i <= (push.pager.pageCount - 1u) / 32u; i += step) {
        uint bits = 0u;
        for (uint j = 0u; j < 32u; ++j) {
            bits |= hold(32u * i + j) ? 1u << j : 0u;
        }
        list_write(MUR_LISTS_BITS(push.maxListed) + i, bits);
    }
    if (mur_invocation() == 0u) {
        list_write(MUR_LISTS_HELD, 1u);
    }
}
