#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdPagedInsert, murCmdPagedFind, murCmdPagedErase: sorts the batch by page. The variant,
// MUR_BULK_STEP_*, selects the step; paged_bulk.glsl describes the sequence of steps.
// SPDX-License-Identifier: MIT
#define MUR_PAGED_GIVEN
#include "paged.glsl"
#include "paged_make.glsl"
#include "paged_bulk.glsl"

void reset() {
    for (uint i = mur_invocation(); i < push.pager.pageCount; i += mur_invocations()) {
        memory_word(given.pages, i).word = 0u;
    }
    if (mur_invocation() < MUR_BULK_WORK_AT) {
        memory_word(given.work, mur_invocation()).word = 0u;
    }
}

// Marks the page of a log entry with MUR_BULK_WAITS, so that the command does not write to the page
// before the older entry. Runs after make(), because make() may have created the page of the entry.
void mark(Place p) {
    uint page = p.leaf & MUR_PAGED_INDEX;
    if (page < push.pager.pageCount) {
        atomicOr(memory_word(given.pages, page).word, MUR_BULK_WAITS);
    }
}

bool is_refused(uint item) {
    return bulk_takes_values() && !MUR_IS_SET(KERNEL_FORMAT) &&
           mur_input_value(given.values, item) == bulk_none();
}

void make(uint i, Place p) {
    if (p.leaf == MUR_PAGED_NONE && !is_refused(i)) {
        make_page(p, MUR_PAGED_FRESH | MUR_PAGED_INDEX);
    }
}

// Returns whether the command can process the items of a leaf's page now, in the page's pool page
// or in the store. Otherwise writes are logged, and finds report MUR_NOT_RESIDENT.
bool is_ready(uint leaf) {
    uint page = leaf & MUR_PAGED_INDEX;
    uint state = mur_page_state(push.pager, page);
    uint away = MUR_PAGE_IN_FILE | (bulk_writes() ? MUR_PAGE_HELD : 0u);
    return has_page(leaf) && page < push.pager.pageCount && (leaf & MUR_PAGED_WAITS) == 0u &&
           (memory_word(given.pages, page).word & MUR_BULK_WAITS) == 0u &&
           ((state & MUR_PAGE_RESIDENT) != 0u || ((state & away) == 0u && has_host_page(page)));
}

void count(uint i, uvec2 key, uint leaf) {
    uint page = MUR_PAGED_NONE;
    uint rank = 0u;
    if (!is_refused(i) && is_ready(leaf)) {
        page = leaf & MUR_PAGED_INDEX;
        rank = atomicAdd(memory_word(given.pages, page).word, 1u);
        if (rank == 0u) {
            uint w = atomicAdd(memory_word(given.work, 0u).word, 1u);
            bulk_word(w, MUR_BULK_PAGE).word = page;
        }
    } else {
        bool needs = given.op < MUR_MODE_UPDATE; // inserts absent keys, so it needs a page
        uvec2 value = bulk_takes_values() ? mur_input_value(given.values, i) : uvec2(0u);
        uint status = is_refused(i)                      ? MUR_INVALID_VALUE
                      : leaf == MUR_PAGED_NONE && !needs ? MUR_ABSENT
                                                         : postpone(i, key, value);
        answer(i, status, bulk_none());
        uint state = mur_page_state(push.pager, leaf & MUR_PAGED_INDEX);
        if (!bulk_writes() && has_page(leaf) && (state & MUR_PAGE_RESIDENT) == 0u) {
            mur_page_ask(push.pager, leaf & MUR_PAGED_INDEX, 0u, state);
        }
    }
    memory_word(given.places, 2u * i).word = page;
    memory_word(given.places, 2u * i + 1u).word = rank;
}

void place() {
    uint pages = memory_word(given.work, 0u).word;
    for (uint w = mur_invocation(); w < pages; w += mur_invocations()) {
        uint page = bulk_word(w, MUR_BULK_PAGE).word;
        uint items = memory_word(given.pages, page).word;
        uint first = atomicAdd(memory_word(given.work, 1u).word, items);
        bulk_word(w, MUR_BULK_FIRST).word = first;
        bulk_word(w, MUR_BULK_COUNT).word = items;
        memory_word(given.pages, page).word = first;
    }
}

void scatter() {
    for (uint i = mur_invocation(); i < bulk_items(); i += mur_invocations()) {
        uint page = memory_word(given.places, 2u * i).word;
        if (page == MUR_PAGED_NONE) {
            continue;
        }
        uint at = memory_word(given.pages, page).word + memory_word(given.places, 2u * i + 1u).word;
        MurPairOut(mur_offset(given.sortedKeys, at, 3u)).pair = mur_input_key(given.keys, i);
        if (bulk_takes_values()) {
            MurPairOut(mur_offset(given.sortedValues, at, 3u)).pair =
                mur_input_value(given.values, i);
        }
        memory_word(given.sortedItems, at).word = i;
    }
}

void main() {
    take_arguments();
    switch (MUR_VARIANT) {
    case MUR_BULK_STEP_RESET:
        reset();
        return;
    case MUR_BULK_STEP_PLACE:
        place();
        return;
    case MUR_BULK_STEP_SCATTER:
        scatter();
        return;
    }
    bool marks = MUR_VARIANT == MUR_BULK_STEP_MARK; // processes entries of the log, not items
    uint most = marks ? entry_count() : bulk_items();
    for (uint i = mur_invocation(); i < most; i += mur_invocations()) {
        uvec2 key = marks ? entry_key(i) : mur_input_key(given.keys, i);
        uint part = marks ? entry_word(i, MUR_PENDING_PARTITION).word : bulk_partition(i);
        Place p = place_of(KERNEL_FORMAT, part, key);
        if (marks) {
            mark(p);
        } else if (MUR_VARIANT == MUR_BULK_STEP_MAKE) {
            make(i, p);
        } else {
            count(i, key, p.leaf);
        }
    }
}
