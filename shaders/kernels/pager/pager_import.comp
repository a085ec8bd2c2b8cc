#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager of a pager with a file, first step: requests the pages that the host has read
// into the store, and releases held pages if their checkpoint has ended.
// SPDX-License-Identifier: MIT
#include "pager.glsl"

// Takes back the host page of a page that the host could not read.
void return_host_page(uint page, bool damaged) {
    uint host_page = host(map_at(page));
    if (host_page < push.pager.hostPageCount) {
        host(owner_at(host_page)) = MUR_HOST_NONE;
        host(free_at(atomicAdd(host(MUR_HOST_FREE), 1u))) = host_page;
    }
    host(map_at(page)) = damaged ? MUR_HOST_DAMAGED : MUR_HOST_NONE;
    list_write(push.mapAt + page, MUR_HOST_NONE);
}

void arrive(uint page, uint priority) {
    uint state = mur_page_state(push.pager, page); // 0 out of range
    bool in_file = (state & MUR_PAGE_IN_FILE) != 0u;
    if (in_file && replaces_host_pages()) {
        atomicAdd(host(MUR_HOST_READING), 0xFFFFFFFFu);
    }
    if (in_file && priority >= MUR_ARRIVED_FAILED) {
        return_host_page(page, priority == MUR_ARRIVED_DAMAGED);
    } else if (in_file) {
        MurPageWord word = MurPageWord(mur_offset(push.pager.directory, page, 2u));
        atomicAnd(word.word, ~MUR_PAGE_IN_FILE);
        mur_page_ask(push.pager, page, priority, state & ~MUR_PAGE_IN_FILE);
    }
}

// Releases a held page, which is never only in the file. written: whether the file has its content.
void release(uint page, bool written) {
    uint state = directory_read(page);
    if ((state & MUR_PAGE_HELD) == 0u) {
        return;
    }
    directory_write(page, (state & ~MUR_PAGE_HELD) | (written ? 0u : MUR_PAGE_CHANGED));
    if (written && replaces_host_pages()) {
        atomicAdd(host(MUR_HOST_CHANGED), 0xFFFFFFFFu);
    }
    uint pool_page;
    if (mur_page_resident(push.pager, state, pool_page)) {
        MurPageWord own = MurPageWord(mur_page_record(push.pager, pool_page, MUR_POOL_STATE));
        atomicAnd(own.word, ~MUR_POOL_HELD);
    }
}

void main() {
    uint step = mur_invocations();
    uint arrived = min(list_read(MUR_LISTS_ARRIVED), push.maxListed);
    for (uint i = mur_invocation(); i < arrived; i += step) {
        arrive(list_read(MUR_LISTS_AT + 2u * i), list_read(MUR_LISTS_AT + 2u * i + 1u));
    }
    uint verb = list_read(MUR_LISTS_RELEASE);
    for (uint i = mur_invocation(); verb != 0u && i < push.pager.pageCount; i += step) {
        release(i, verb == MUR_RELEASE_WRITTEN);
    }
}
