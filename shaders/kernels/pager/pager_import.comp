#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager of a pager with a file, first: requests the pages that the host has read into
// the store, and releases held pages if their checkpoint has ended.
//
// SPDX-License-Identifier: MIT
#define MUR_PAGER
#define PUSH MurPagerPush
#include "../kernel.glsl"
#include "pager.glsl"

void arrive(uint page, uint priority) {
    uint state = mur_page_state(push.pager, page); // 0 out of range
    if ((state & MUR_PAGE_IN_FILE) != 0u) {
        MurPageWord word = MurPageWord(mur_offset(push.pager.directory, page, 2u));
        atomicAnd(word.word, ~MUR_PAGE_IN_FILE);
        mur_page_ask(push.pager, page, priority, state & ~MUR_PAGE_IN_FILE);
    }
}

// Releases a held page, which is never only in the file. written: whether the file now has it.
void release(uint page, bool written) {
    uint state = directory_read(page);
    if ((state & MUR_PAGE_HELD) == 0u) {
        return;
    }
    directory_write(page, (state & ~MUR_PAGE_HELD) | (written ? 0u : MUR_PAGE_CHANGED));
    uint pool_page;
    if (mur_page_resident(push.pager, state, pool_page)) {
        MurPageWord own = MurPageWord(mur_page_record(push.pager, pool_page, MUR_POOL_STATE));
        atomicAnd(own.word, ~MUR_POOL_HELD);
    }
}

void main() {
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint arrived = min(list_read(MUR_LISTS_ARRIVED), push.maxListed);
    for (uint i = first; i < arrived; i += step) {
        arrive(list_read(MUR_LISTS_AT + 2u * i), list_read(MUR_LISTS_AT + 2u * i + 1u));
    }
    uint verb = list_read(MUR_LISTS_RELEASE);
    for (uint i = first; verb != 0u && i < push.pager.pageCount; i += step) {
        release(i, verb == MUR_RELEASE_WRITTEN);
    }
}
