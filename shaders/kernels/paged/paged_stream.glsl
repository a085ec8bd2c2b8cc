// murCmdPagedInsert, murCmdPagedFind, murCmdPagedErase, last step: one workgroup per page applies
// the page's items. It accesses a resident page in the pool page. It copies another page to its own
// memory, and back if the page has changed; many workgroups copy in both directions at the same
// time. murCmdPagedExtract and murCmdPagedRehash use these functions for all pages.
// SPDX-License-Identifier: MIT

shared uint shared_changed;

// Returns the address of own page i: scratch memory for a page. A rehash has two per workgroup.
uvec2 own_page(uint i) {
    return mur_offset(given.spare, i, push.pager.pageShift);
}

#include "paged_whole.glsl"

// Does the command split all pages, instead of applying a batch?
bool halves() {
    return given.op == MUR_BULK_REHASH;
}

// Returns the number of pages to process: pages with items or, for a rehash, all pages. Returns 0
// if this workgroup has no own page. On return, groups is the number of workgroups with own pages.
uint count_streamed(inout uint groups) {
    groups = min(halves() ? given.spareCount / 2u : given.spareCount, groups);
    return mur_workgroup() >= groups ? 0u
           : halves()                ? min(own(MUR_PAGED_PLACED).word, push.pager.pageCount)
                                     : memory_word(given.work, 0u).word;
}

// Finds work item i (in a rehash, page i) and a key of its page. Returns false without work.
bool find_streamed(uint i, out Job job, out uint part, out uvec2 key) {
    job.at = where_is(halves() ? i : bulk_word(i, MUR_BULK_PAGE).word);
    job.other = job.at;
    job.source = table_at(job.at.address);
    job.first = halves() ? 0u : bulk_word(i, MUR_BULK_FIRST).word;
    job.count = halves() ? 0u : bulk_word(i, MUR_BULK_COUNT).word;
    job.slots = halves() ? all_slots() : 0u;
    part = 0u;
    if (halves()) {
        return has_table(job.at) && some_key(job.source, key);
    }
    key = MurPairPlain(mur_offset(given.sortedKeys, job.first, 3u)).pair;
    part = bulk_partition(mur_input(given.sortedItems, job.first));
    return true;
}

// Prepares the page's table, which is empty if the page is fresh. For a rehash, prepares the split
// of the page instead, and returns false if it cannot split.
bool start_streamed(inout Job job) {
    if (halves()) {
        return start_halves(job);
    }
    job.clears = (job.p.leaf & MUR_PAGED_FRESH) != 0u;
    if (gl_LocalInvocationIndex == 0u) {
        shared_changed = job.clears ? 1u : 0u;
    }
    if (!job.at.resident) {
        job.source.address = own_page(mur_workgroup());
        if (!job.clears) {
            copy_page(job.at.address, job.source.address);
        }
    }
    job.t = Target(job.source, job.source, 0u, push.probeSectors);
    return true;
}

// Reads an item of the sorted batch.
void take_item(uint at, out uvec2 key, out uvec2 value, out uint op) {
    key = MurPairPlain(mur_offset(given.sortedKeys, at, 3u)).pair;
    value = uvec2(0u);
    op = given.op;
    if (bulk_takes_values()) {
        value = MurPairPlain(mur_offset(given.sortedValues, at, 3u)).pair;
    }
}

// Writes the results of an item. Logs a write whose page is full.
void end_item(uint at, uvec2 key, uvec2 value, uint status, uvec2 old) {
    uint item = mur_input(given.sortedItems, at);
    if (status == MUR_FULL) {
        status = postpone(item, key, value);
        old = bulk_none();
    }
    answer(item, status, old);
}

// Writes the page or its two halves back if they have changed. Returns the leaves of the lower and
// upper half, which are equal if the page did not split.
void end_streamed(Job job, out uint lower, out uint upper) {
    lower = job.p.leaf;
    upper = lower;
    if (shared_changed == 0u) {
        return;
    }
    bool halved = job.other.page != job.at.page;
    for (uint side = 0u; side < (halved ? 2u : 1u); ++side) {
        Where at = side == 0u ? job.at : job.other;
        uvec2 from = side == 0u ? job.t.table.address : job.t.other.address;
        if (at.address != from) {
            copy_page(from, at.address);
        }
        note_written(at);
    }
    lower = halved ? lower + (1u << MUR_PAGED_DEPTH_SHIFT) : with_flags(lower, false);
    upper = lower;
    if (halved) {
        note_result(given.result);
        upper = (lower & ~MUR_PAGED_INDEX) | job.other.page;
    }
}
