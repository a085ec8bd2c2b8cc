#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdPagedInsert, murCmdPagedFind, murCmdPagedErase, last: the items of each page, a workgroup a
// page. One that is in a frame is used there; another is read into memory of the workgroup's own,
// and written back if it has changed: with many workgroups under way, pages go both ways at once.
// murCmdPagedExtract, murCmdPagedRehash: all pages, where they are.
// SPDX-License-Identifier: MIT
#define MUR_PAGED
#define MUR_PAGED_GIVEN
#define MUR_COHERENT_INSERTS // tables are cleared here
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../header.glsl"
#include "paged.glsl"
#include "paged_page.glsl"
#include "paged_bulk.glsl"
#include "paged_where.glsl"

shared uint shared_changed;

// Memory of the workgroup's own.
uvec2 own_page(uint i) {
    return mur_offset(given.spare, i, push.pager.pageShift);
}

// An item of the batch; or, of a page that is halved, the entry in a slot. True: the page has
// changed.
bool do_item(Target t, MurTableRef source, uint at) {
    bool halves = given.op == MUR_BULK_REHASH;
    uint op = halves ? MUR_MODE_ASSIGN : given.op;
    uvec2 key, old;
    uvec2 value = uvec2(0u);
    MurTableRef table = t.table;
    if (halves) {
        if (!slot_entry(source, at, key, value)) {
            return false;
        }
        table = side_of(t, key);
    } else {
        key = MurPairPlain(mur_offset(given.sortedKeys, at, 3u)).pair;
        if (bulk_takes_values()) {
            value = MurPairPlain(mur_offset(given.sortedValues, at, 3u)).pair;
        }
    }
    uint status = mur_paged_do(table, KERNEL_FORMAT, t.sectors, key, value, op, old);
    bool changed = bulk_writes() && mur_paged_changed(status, op);
    if (!halves) {
        uint item = mur_input(given.sortedItems, at);
        if (status == MUR_FULL) {
            status = postpone(item, key, value);
            old = bulk_none();
        }
        answer(item, status, old);
    }
    return changed;
}

// A page at work.
struct Job {
    Where at;
    Where other; // of the second half; the same if it has none
    Place p;
    Target t;
    MurTableRef source;
    uint first, count; // items, or slots of source
};

// The items of a page. True: it has no table yet.
bool start_items(inout Job job, uint group) {
    bool fresh = (job.p.leaf & MUR_PAGED_FRESH) != 0u;
    if (gl_LocalInvocationIndex == 0u) {
        shared_changed = fresh ? 1u : 0u;
    }
    if (!job.at.resident) {
        job.source.address = own_page(group);
        if (!fresh) {
            copy_page(job.at.address, job.source.address);
        }
    }
    job.t = Target(job.source, job.source, 0u, push.probeSectors);
    return fresh;
}

#include "paged_whole.glsl"

// Item i of the work, or page i. False: there is nothing to do.
bool start(uint i, uint group, bool halves, out Job job) {
    job.at = where_is(halves ? i : bulk_word(i, MUR_BULK_PAGE).word);
    job.other = job.at;
    job.source = table_at(job.at.address);
    job.first = halves ? 0u : bulk_word(i, MUR_BULK_FIRST).word;
    job.count = halves ? all_slots() : bulk_word(i, MUR_BULK_COUNT).word;
    uvec2 key;
    uint part = 0u;
    if (!halves) {
        key = MurPairPlain(mur_offset(given.sortedKeys, job.first, 3u)).pair;
        part = bulk_partition(mur_input(given.sortedItems, job.first));
    } else if (!has_table(job.at) || !some_key(job.source, key)) {
        return false;
    }
    job.p = place_of(KERNEL_FORMAT, part, key);
    bool clears = halves ? start_halves(job, group) : start_items(job, group);
    if (clears) {
        clear_tables(job.t, job.p.part);
    }
    barrier_all();
    return clears || !halves;
}

// The page, or its halves, to where they live.
void end(Job job) {
    bool halved = job.other.page != job.at.page;
    for (uint side = 0u; side < (halved ? 2u : 1u); ++side) {
        Where at = side == 0u ? job.at : job.other;
        uvec2 from = side == 0u ? job.t.table.address : job.t.other.address;
        if (at.address != from) {
            copy_page(from, at.address);
        }
        note_written(at);
    }
    if (halved) {
        note_result(given.result);
    }
    uint lower = halved ? job.p.leaf + (1u << MUR_PAGED_DEPTH_SHIFT)
                        : with_flags(job.p.leaf, false);
    if (lower != job.p.leaf) {
        set_leaves(job.p, lower, halved ? (lower & ~MUR_PAGED_INDEX) | job.other.page : lower);
    }
}

void main() {
    take_arguments();
    uint all = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint group = mur_workgroup();
    if (given.op == MUR_BULK_EXTRACT) {
        uint end = min(given.endPage, own(MUR_PAGED_PAGES).word);
        for (uint page = given.firstPage + group; page < end; page += all) {
            Where at = where_is(page);
            if (has_table(at)) {
                extract(at);
            }
            barrier();
        }
        return;
    }
    bool halves = given.op == MUR_BULK_REHASH;
    uint groups = min(halves ? given.spareCount / 2u : given.spareCount, all);
    uint pages = halves ? min(own(MUR_PAGED_PLACED).word, push.pager.pageCount)
                        : memory_word(given.work, 0u).word;
    for (uint i = group; i < pages && group < groups; i += groups) {
        Job job;
        if (start(i, group, halves, job)) {
            for (uint k = gl_LocalInvocationIndex; k < job.count; k += MUR_WORKGROUP) {
                if (do_item(job.t, job.source, job.first + k)) {
                    shared_changed = 1u;
                }
            }
            barrier_all();
            if (shared_changed != 0u) {
                end(job);
            }
        }
        barrier();
    }
}
