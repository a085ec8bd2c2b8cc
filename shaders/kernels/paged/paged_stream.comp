#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdPagedInsert, murCmdPagedFind, murCmdPagedErase, last: the items of each page, a workgroup a
// page. One that is in a frame is used there; another is read into memory of the workgroup's own,
// and written back if it has changed: with many workgroups under way, pages go both ways at once.
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
#include "paged_store.glsl"

shared uint shared_changed;

uvec2 stored(uint page) {
    return store_page(given.store, given.block, given.chunkShift, push.pager.pageShift, page);
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

// True: the page has changed.
bool do_item(MurTableRef table, uint at) {
    uvec2 key = MurPairPlain(mur_offset(given.sortedKeys, at, 3u)).pair;
    uint item = mur_input(given.sortedItems, at);
    uvec2 old;
    if (!bulk_writes()) {
        uint found = find(table, key, old);
        answer(item, found, old);
        return false;
    }
    uvec2 value = uvec2(0u);
    if (bulk_takes_values()) {
        value = MurPairPlain(mur_offset(given.sortedValues, at, 3u)).pair;
    }
    uint status = mur_paged_do(table, KERNEL_FORMAT, push.probeSectors, key, value, given.op, old);
    if (status == MUR_FULL) {
        postpone(item, bulk_name(item), key, value);
    } else {
        answer(item, status, old);
    }
    return mur_paged_changed(status, given.op);
}

void stream(uint w, uint own_page) {
    uint page = min(bulk_word(w, MUR_BULK_PAGE).word, push.pager.pageCount - 1u);
    uint first = bulk_word(w, MUR_BULK_FIRST).word;
    uint count = bulk_word(w, MUR_BULK_COUNT).word;
    uint item = mur_input(given.sortedItems, first);
    Place p = place_of(KERNEL_FORMAT, bulk_name(item),
                       MurPairPlain(mur_offset(given.sortedKeys, first, 3u)).pair);
    uint directory = mur_page_state(push.pager, page);
    uint frame;
    bool resident = mur_page_resident(push.pager, directory, frame);
    bool fresh = (p.leaf & MUR_PAGED_FRESH) != 0u;
    uvec2 address = resident ? mur_page_address(push.pager, frame)
                             : mur_offset(given.spare, own_page, push.pager.pageShift);
    if (gl_LocalInvocationIndex == 0u) {
        shared_changed = fresh ? 1u : 0u;
    }
    if (fresh) {
        clear_page(address);
    } else if (!resident) {
        copy_page(stored(page), address);
    }
    barrier_all();
    for (uint i = gl_LocalInvocationIndex; i < count; i += MUR_WORKGROUP) {
        if (do_item(table_at(address), first + i)) {
            shared_changed = 1u;
        }
    }
    barrier_all();
    if (shared_changed == 0u) {
        return;
    }
    if (!resident) {
        copy_page(address, stored(page));
    }
    if (fresh) {
        set_leaves(p, with_flags(p.leaf, false), with_flags(p.leaf, false));
    }
    if (gl_LocalInvocationIndex == 0u) {
        if (resident) {
            mur_page_written(push.pager, frame);
        } else {
            MurPageWord(mur_offset(push.pager.directory, page, 2u)).word =
                (directory & ~MUR_PAGE_ZERO) | MUR_PAGE_CHANGED;
        }
    }
}

void main() {
    take_arguments();
    uint pages = memory_word(given.work, 0u).word;
    uint groups = min(given.spareCount, gl_NumWorkGroups.x * gl_NumWorkGroups.y);
    uint group = mur_workgroup();
    if (group >= groups) {
        return;
    }
    for (uint w = group; w < pages; w += groups) {
        stream(w, group);
        barrier();
    }
}
