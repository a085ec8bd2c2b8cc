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
#include "../format_kernel.glsl"
#include "paged.glsl"
#include "paged_page.glsl"
#include "paged_bulk.glsl"
#include "paged_where.glsl"

shared uint shared_changed;

// Memory of the workgroup's own.
uvec2 own_page(uint i) {
    return mur_offset(given.spare, i, push.pager.pageShift);
}

uint find(MurTableRef table, uvec2 key, out uvec2 value) {
#ifdef MUR_KERNEL_FORMAT
    bool found = mur_lookup(table, KERNEL_FORMAT, uvec3(key, 0u), value) != MUR_NO_SLOT;
#else
    value = bulk_none();
    bool found = mur_find(table, key.x, value.x);
#endif
    return found ? MUR_FOUND : MUR_ABSENT;
}

// An item of the batch; or, of a page that is halved, the entry in a slot. True: the page has
// changed.
bool do_item(Target t, MurTableRef source, uint at) {
    uvec2 key, old;
    uvec2 value = uvec2(0u);
    uint item = 0u;
    uint op = given.op;
    MurTableRef table = t.table;
    if (op == MUR_BULK_REHASH) {
        if (!slot_entry(source, at, key, value)) {
            return false;
        }
        op = MUR_MODE_ASSIGN;
        table = side_of(t, key);
    } else {
        key = MurPairPlain(mur_offset(given.sortedKeys, at, 3u)).pair;
        item = mur_input(given.sortedItems, at);
        if (!bulk_writes()) {
            uint found = find(table, key, old);
            answer(item, found, old);
            return false;
        }
        if (bulk_takes_values()) {
            value = MurPairPlain(mur_offset(given.sortedValues, at, 3u)).pair;
        }
    }
    uint status = mur_paged_do(table, KERNEL_FORMAT, t.sectors, key, value, op, old);
    if (given.op != MUR_BULK_REHASH) {
        if (status == MUR_FULL) {
            postpone(item, bulk_name(item), key, value);
        } else {
            answer(item, status, old);
        }
    }
    return mur_paged_changed(status, op);
}

// A page at work.
struct Job {
    Where at;
    Where other; // of the second half
    Place p;
    Target t;
    MurTableRef source;
    uint first, count; // items, or slots of source
};

// The items of a page.
Job start_items(uint w, uint group) {
    Job job;
    job.at = where_is(bulk_word(w, MUR_BULK_PAGE).word);
    job.other = job.at;
    job.first = bulk_word(w, MUR_BULK_FIRST).word;
    job.count = bulk_word(w, MUR_BULK_COUNT).word;
    job.p = place_of(KERNEL_FORMAT, bulk_name(mur_input(given.sortedItems, job.first)),
                     MurPairPlain(mur_offset(given.sortedKeys, job.first, 3u)).pair);
    bool fresh = (job.p.leaf & MUR_PAGED_FRESH) != 0u;
    uvec2 address = job.at.resident ? job.at.address : own_page(group);
    if (gl_LocalInvocationIndex == 0u) {
        shared_changed = fresh ? 1u : 0u;
    }
    if (fresh) {
        clear_page(address, job.p.group);
    } else if (!job.at.resident) {
        copy_page(job.at.address, address);
    }
    job.source = table_at(address);
    job.t = Target(job.source, job.source, 0u, push.probeSectors);
    return job;
}

#include "paged_whole.glsl"

// The page, or its halves, to where they live.
void end(Job job) {
    bool halved = job.other.page != job.at.page;
    if (job.at.address != job.t.table.address) {
        copy_page(job.t.table.address, job.at.address);
    }
    if (halved) {
        copy_page(job.t.other.address, job.other.address);
        note_written(job.other);
        note_result(given.result);
    }
    note_written(job.at);
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
            extract(page);
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
        if (halves) {
            job = start_halves(i, group);
        } else {
            job = start_items(i, group);
        }
        barrier_all();
        for (uint k = gl_LocalInvocationIndex; k < job.count; k += MUR_WORKGROUP) {
            if (do_item(job.t, job.source, job.first + k)) {
                shared_changed = 1u;
            }
        }
        barrier_all();
        if (shared_changed != 0u) {
            end(job);
        }
        barrier();
    }
}
