// Murmuration: pages that are loaded on request (see <murmuration/pager.h>).
//
//     uint poolPage;
//     if (mur_page_request(push.pager, page, 1u, poolPage)) {
//         value = mur_page_load(push.pager, poolPage, word);
//     }                  // else the page was requested; a later dispatch may find it resident
//
// The number of a pool page is valid until the next murCmdUpdatePager. No function waits. Pool page
// numbers and word indices are clamped to the reference's bounds. Page numbers out of range are not
// resident and never requested.
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurPageWord {
    uint word;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer MurPageQuad {
    uvec4 words;
};

// Returns the directory's word of a page; 0 if the number is out of range.
uint mur_page_state(MurPagerRef pager, uint page) {
    return page < pager.pageCount ? MurPageWord(mur_offset(pager.directory, page, 2u)).word : 0u;
}

// Returns the address of word i of a pool page's record.
uvec2 mur_page_record(MurPagerRef pager, uint poolPage, uint i) {
    uint last = pager.poolPageCount - 1u;
    return mur_offset(mur_offset(pager.records, min(poolPage, last), 4u), i, 2u);
}

bool mur_page_resident(MurPagerRef pager, uint state, out uint poolPage) {
    bool resident = (state & MUR_PAGE_RESIDENT) != 0u;
    uint last = pager.poolPageCount - 1u;
    poolPage = resident ? min(state & MUR_PAGE_POOL_PAGE, last) : MUR_NO_POOL_PAGE;
    return resident;
}

// Is the page resident, and in which pool page? The call neither requests nor uses the page.
bool mur_page_peek(MurPagerRef pager, uint page, out uint poolPage) {
    return mur_page_resident(pager, mur_page_state(pager, page), poolPage);
}

// Stores this frame as the last use of a pool page, unless it is stored already.
void mur_page_touch(MurPagerRef pager, uint poolPage) {
    MurPageWord used = MurPageWord(mur_page_record(pager, poolPage, MUR_POOL_USED));
    if (used.word != pager.frame) {
        used.word = pager.frame;
    }
}

// Requests a page that is not resident. state: the page's word in the directory. Of concurrent
// requests, one appends the page to the list; if the list is full, this request restores the word.
void mur_page_ask(MurPagerRef pager, uint page, uint priority, uint state) {
    uint asked = MUR_PAGE_REQUESTED | min(priority, MUR_PAGE_PRIORITY);
    MurPageWord count = MurPageWord(pager.requests);
    if (page >= pager.pageCount || (state & (MUR_PAGE_REQUESTED | MUR_PAGE_PRIORITY)) >= asked ||
        ((state & MUR_PAGE_REQUESTED) == 0u && count.word >= pager.maxRequests)) {
        return;
    }
    MurPageWord word = MurPageWord(mur_offset(pager.directory, page, 2u));
    if ((atomicMax(word.word, (state & MUR_PAGE_KEEPS) | asked) & MUR_PAGE_REQUESTED) != 0u) {
        return;
    }
    uint at = atomicAdd(count.word, 1u);
    if (at < pager.maxRequests) {
        MurPageWord(mur_offset(pager.requests, MUR_REQUESTS_LIST + at, 2u)).word = page;
    } else {
        atomicAnd(word.word, MUR_PAGE_KEEPS);
    }
}

// Is the page resident, and in which pool page? A resident page counts as used; otherwise the page
// is requested. priority: 0 ... 255; requests with the largest are served first.
bool mur_page_request(MurPagerRef pager, uint page, uint priority, out uint poolPage) {
    uint state = mur_page_state(pager, page);
    if (mur_page_resident(pager, state, poolPage)) {
        mur_page_touch(pager, poolPage);
        return true;
    }
    mur_page_ask(pager, page, priority, state);
    return false;
}

// Marks a page as dirty. Call this before or after writes to the page, in the same dispatch.
void mur_page_written(MurPagerRef pager, uint poolPage) {
    MurPageWord state = MurPageWord(mur_page_record(pager, poolPage, MUR_POOL_STATE));
    if ((state.word & MUR_POOL_DIRTY) == 0u) {
        atomicOr(state.word, MUR_POOL_DIRTY);
    }
}

// Returns the device address of a resident page.
uvec2 mur_page_address(MurPagerRef pager, uint poolPage) {
    return mur_offset(pager.pool, min(poolPage, pager.poolPageCount - 1u), pager.pageShift);
}

// Return addresses in a page: of word 0 ... page bytes / 4 - 1, or of quad (four words) 0 ... page
// bytes / 16 - 1. Larger numbers wrap around.
uvec2 mur_page_word_address(MurPagerRef pager, uint poolPage, uint word) {
    uint last = (1u << (pager.pageShift - 2u)) - 1u;
    return mur_offset(mur_page_address(pager, poolPage), word & last, 2u);
}

uvec2 mur_page_quad_address(MurPagerRef pager, uint poolPage, uint quad) {
    uint last = (1u << (pager.pageShift - 4u)) - 1u;
    return mur_offset(mur_page_address(pager, poolPage), quad & last, 4u);
}

uint mur_page_load(MurPagerRef pager, uint poolPage, uint word) {
    return MurPageWord(mur_page_word_address(pager, poolPage, word)).word;
}

uvec4 mur_page_load_quad(MurPagerRef pager, uint poolPage, uint quad) {
    return MurPageQuad(mur_page_quad_address(pager, poolPage, quad)).words;
}

void mur_page_store(MurPagerRef pager, uint poolPage, uint word, uint value) {
    MurPageWord(mur_page_word_address(pager, poolPage, word)).word = value;
}

void mur_page_store_quad(MurPagerRef pager, uint poolPage, uint quad, uvec4 values) {
    MurPageQuad(mur_page_quad_address(pager, poolPage, quad)).words = values;
}
