#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePagedTable: the steps before the log is applied. Also murCmdClearPagedTable. The
// variant, MUR_PAGED_STEP_*, selects the step; paged.glsl describes the sequence of steps.
// SPDX-License-Identifier: MIT
#include "paged.glsl"
#include "paged_make.glsl"

// Writes the state of an empty table: no partition or, for pages by hash, one with empty leaves.
void reset() {
    bool hashed = mur_paged_kind(push) == MUR_PAGED_BY_HASH;
    uint leaves = hashed ? push.basePages + (push.basePages & 1u) : 0u;
    for (uint i = mur_invocation(); i < MUR_PAGED_HEADER_WORDS; i += mur_invocations()) {
        uint shape = i - MUR_PAGED_SHAPE;
        own(i).word = shape < MUR_PAGED_SHAPE_WORDS ? mur_paged_shape_word(push, shape)
                      : i == MUR_PAGED_LEAVES       ? leaves
                                                    : 0u;
    }
    for (uint i = mur_invocation(); i < push.maxLeaves; i += mur_invocations()) {
        own(MUR_PAGED_HEADER_WORDS + i).word = MUR_PAGED_NONE;
    }
    for (uint i = mur_invocation(); i < push.pager.poolPageCount; i += mur_invocations()) {
        pool_page_word(i).word = 0u;
    }
}

void begin() {
    uint next = ~own(MUR_PAGED_HALF).word & 1u;
    own(MUR_PAGED_NEXT).word = next;
    own(MUR_PAGED_COUNTS + next).word = 0u;
    own(MUR_PAGED_WORK).word = 0u;
    own(MUR_PAGED_PLACED).word = 0u;
    own(MUR_PAGED_GROWING).word = 0u;
    own(MUR_PAGED_STUCK).word = 0u;
}

// Requests the page of a log entry. Creates the page if the entry's leaf has none.
void ask(Place p) {
    uint pool_page;
    if (p.leaf == MUR_PAGED_NONE) {
        p.leaf = make_page(p, COMING);
    }
    if (has_page(p.leaf)) {
        mur_page_request(push.pager, p.leaf & MUR_PAGED_INDEX, MUR_PAGE_PRIORITY, pool_page);
    }
}

void count(uint e, Place p) {
    uint op = entry_word(e, MUR_PENDING_OP).word;
    uint pool_page;
    uint rank = MUR_PAGED_NONE;
    if (has_page(p.leaf) && mur_page_peek(push.pager, p.leaf & MUR_PAGED_INDEX, pool_page)) {
        rank = atomicAdd(pool_page_word(pool_page).word, 1u);
        entry_word(e, MUR_PENDING_OP).word = op | pool_page << 8u;
        if (rank == 0u) {
            work_word(atomicAdd(own(MUR_PAGED_WORK).word, 1u), MUR_WORK_POOL_PAGE).word = pool_page;
        }
    } else {
        atomicAdd(own(MUR_PAGED_STUCK).word, has_page(p.leaf) ? 0u : 1u);
        keep_entry(e, op);
    }
    entry_word(e, MUR_PENDING_RANK).word = rank;
}

void place() {
    uint count = min(own(MUR_PAGED_WORK).word, push.maxPending);
    for (uint w = mur_invocation(); w < count; w += mur_invocations()) {
        uint pool_page = min(work_word(w, MUR_WORK_POOL_PAGE).word, push.pager.poolPageCount - 1u);
        uint entries = pool_page_word(pool_page).word;
        uint first = atomicAdd(own(MUR_PAGED_PLACED).word, entries);
        work_word(w, MUR_WORK_FIRST).word = first;
        work_word(w, MUR_WORK_COUNT).word = entries;
        pool_page_word(pool_page).word = first;
    }
}

void scatter() {
    for (uint e = mur_invocation(); e < entry_count(); e += mur_invocations()) {
        uint op = entry_word(e, MUR_PENDING_OP).word;
        uint rank = entry_word(e, MUR_PENDING_RANK).word;
        if (rank != MUR_PAGED_NONE) {
            uint pool_page = min(op >> 8u, push.pager.poolPageCount - 1u);
            listed(pool_page_word(pool_page).word + rank).word = e;
            entry_word(e, MUR_PENDING_OP).word = op & 0xFFu;
        }
    }
}

void main() {
    switch (MUR_VARIANT) {
    case MUR_PAGED_STEP_RESET:
        reset();
        return;
    case MUR_PAGED_STEP_PLACE:
        place();
        return;
    case MUR_PAGED_STEP_SCATTER:
        scatter();
        return;
    }
    bool asks = MUR_VARIANT == MUR_PAGED_STEP_REQUEST;
    if (asks && mur_invocation() == 0u) {
        begin();
    }
    for (uint e = mur_invocation(); e < entry_count(); e += mur_invocations()) {
        Place p = place_of_entry(KERNEL_FORMAT, e);
        if (asks) {
            ask(p);
        } else {
            count(e, p);
        }
    }
}
