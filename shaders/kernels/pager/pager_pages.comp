#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRequestPages, murCmdPinPages, murCmdUnpinPages, one page per invocation.
// SPDX-License-Identifier: MIT
#define MUR_PAGER
#define PUSH MurPagesPush
#include "../kernel.glsl"

void pin(uint page) {
    uint pool_page;
    bool resident = mur_page_peek(push.pager, page, pool_page);
    MurPageWord word = MurPageWord(mur_offset(push.pager.directory, page, 2u));
    MurPageWord state = MurPageWord(mur_page_record(push.pager, pool_page, MUR_POOL_STATE));
    if (push.verb == MUR_PAGES_PIN) {
        atomicOr(word.word, MUR_PAGE_PINNED);
        if (resident) {
            atomicOr(state.word, MUR_POOL_PINNED);
        }
    } else {
        atomicAnd(word.word, ~MUR_PAGE_PINNED);
        if (resident) {
            atomicAnd(state.word, ~MUR_POOL_PINNED);
        }
    }
}

void main() {
    uint item;
    if (!mur_item(mur_count_at(push.count, push.maxCount), item)) {
        return;
    }
    uint page = mur_input(push.pages, item);
    uint pool_page;
    if (page >= push.pager.pageCount) {
        return;
    }
    if (push.verb == MUR_PAGES_REQUEST) {
        mur_page_request(push.pager, page, push.priority, pool_page);
    } else {
        pin(page);
    }
}
