#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdPageTable: entries of the log are done, a workgroup a page, those of one epoch after those
// of the epoch before. Step 1, pages that were found full in step 0 and that paged_room.comp has
// found a new page for: half of the keys go there, and the rest of the entries is done. With no new
// page to be had, the table in the page is built anew, without its erased keys, and filled to the
// last slot.
// SPDX-License-Identifier: MIT
#define MUR_PAGED
#define MUR_COHERENT_INSERTS // tables are cleared here
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../header.glsl"
#include "../format_kernel.glsl"
#include "paged.glsl"
#include "paged_page.glsl"

void apply(uint w) {
    uint frame = min(work_word(w, MUR_WORK_FRAME).word, push.pager.frameCount - 1u);
    uint first = work_word(w, MUR_WORK_FIRST).word;
    uint count = min(work_word(w, MUR_WORK_COUNT).word, push.maxPending);
    Place p = place_of_entry(KERNEL_FORMAT, listed(first).word);
    MurTableRef table = table_at(mur_page_address(push.pager, frame));
    if ((p.leaf & MUR_PAGED_FRESH) != 0u) {
        clear_page(table.address, p.group);
    }
    barrier_all();
    Target whole = Target(table, table, 0u, push.probeSectors);
    bool full = do_entries(whole, first, count);
    bool waits = full;
    if (full) {
        uint live = live_entries(table);
        if (gl_LocalInvocationIndex == 0u) {
            work_word(w, MUR_WORK_LIVE).word = live;
            shared_left = atomicAdd(own(MUR_PAGED_GROWING).word, 1u);
            if (shared_left < MUR_PAGE_SPLITS) {
                growing_word(shared_left, MUR_GROWING_WORK).word = w;
            }
        }
        barrier();
        if (shared_left >= MUR_PAGE_SPLITS) {
            barrier();
            keep_entries(whole, first, count);
        }
    }
    if (with_flags(p.leaf, waits) != p.leaf) {
        set_leaves(p, with_flags(p.leaf, waits), with_flags(p.leaf, waits));
    }
    if (gl_LocalInvocationIndex == 0u) {
        frame_word(frame).word = 0u;
        mur_page_written(push.pager, frame);
    }
}

void grow(uint g) {
    uint w = growing_word(g, MUR_GROWING_WORK).word;
    uint page = growing_word(g, MUR_GROWING_PAGE).word;
    uint frame = min(work_word(w, MUR_WORK_FRAME).word, push.pager.frameCount - 1u);
    uint first = work_word(w, MUR_WORK_FIRST).word;
    uint count = min(work_word(w, MUR_WORK_COUNT).word, push.maxPending);
    bool splits = page != MUR_PAGED_INDEX;
    Place p = place_of_entry(KERNEL_FORMAT, listed(first).word);
    MurTableRef source = table_at(spare_page(2u * g));
    Target t;
    t.table = table_at(mur_page_address(push.pager, frame));
    t.other = t.table;
    t.depth = MUR_PAGED_DEPTH(p.leaf);
    t.sectors = splits ? push.probeSectors : push.slotCount;
    if (splits) {
        t.other.address = spare_page(2u * g + 1u);
        clear_page(t.other.address, p.group);
    }
    copy_page(t.table.address, source.address);
    barrier_all();
    clear_page(t.table.address, p.group);
    barrier_all();
    uvec2 key, value, old;
    for (uint slot = gl_LocalInvocationIndex; slot < all_slots(); slot += MUR_WORKGROUP) {
        if (slot_entry(source, slot, key, value)) {
            mur_paged_do(side_of(t, key), KERNEL_FORMAT, push.slotCount, key, value,
                         MUR_MODE_ASSIGN, old);
        }
    }
    barrier_all();
    do_entries(t, first, count);
    barrier();
    uint waits = keep_entries(t, first, count);
    if (splits) { // a half that nothing is left of does not wait
        uint leaf = p.leaf + (1u << MUR_PAGED_DEPTH_SHIFT);
        set_leaves(p, with_flags(leaf, (waits & 1u) != 0u),
                   with_flags((leaf & ~MUR_PAGED_INDEX) | page, (waits & 2u) != 0u));
    } else {
        set_leaves(p, with_flags(p.leaf, waits != 0u), with_flags(p.leaf, waits != 0u));
        if (gl_LocalInvocationIndex == 0u) {
            atomicAdd(own(MUR_PAGED_STUCK).word, shared_left);
        }
    }
}

void main() {
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    if (MUR_VARIANT == MUR_PAGED_STEP_APPLY) {
        uint count = min(own(MUR_PAGED_WORK).word, push.maxPending);
        for (uint w = mur_workgroup(); w < count; w += groups) {
            apply(w);
            barrier();
        }
    } else {
        uint count = min(own(MUR_PAGED_GROWING).word, MUR_PAGE_SPLITS);
        for (uint g = mur_workgroup(); g < count; g += groups) {
            grow(g);
            barrier();
        }
    }
}
