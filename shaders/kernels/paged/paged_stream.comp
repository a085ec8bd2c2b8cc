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

void stream(uint w, uint group) {
    Where at = where_is(bulk_word(w, MUR_BULK_PAGE).word);
    uint first = bulk_word(w, MUR_BULK_FIRST).word;
    uint count = bulk_word(w, MUR_BULK_COUNT).word;
    uint item = mur_input(given.sortedItems, first);
    Place p = place_of(KERNEL_FORMAT, bulk_name(item),
                       MurPairPlain(mur_offset(given.sortedKeys, first, 3u)).pair);
    bool fresh = (p.leaf & MUR_PAGED_FRESH) != 0u;
    uvec2 address = at.resident ? at.address : own_page(group);
    if (gl_LocalInvocationIndex == 0u) {
        shared_changed = fresh ? 1u : 0u;
    }
    if (fresh) {
        clear_page(address, p.group);
    } else if (!at.resident) {
        copy_page(at.address, address);
    }
    barrier_all();
    MurTableRef table = table_at(address);
    for (uint i = gl_LocalInvocationIndex; i < count; i += MUR_WORKGROUP) {
        if (do_item(Target(table, table, 0u, push.probeSectors), table, first + i)) {
            shared_changed = 1u;
        }
    }
    barrier_all();
    if (shared_changed == 0u) {
        return;
    }
    if (!at.resident) {
        copy_page(address, at.address);
    }
    if (fresh) {
        set_leaves(p, with_flags(p.leaf, false), with_flags(p.leaf, false));
    }
    note_written(at);
}

#include "paged_whole.glsl"

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
        if (halves) {
            halve(i, group);
        } else {
            stream(i, group);
        }
        barrier();
    }
}
