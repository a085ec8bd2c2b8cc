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
#include "paged.glsl"
#include "paged_page.glsl"

shared uint shared_live;

struct Work {
    uint index;
    uint frame;
    uint first, count; // of the list of entries
    Place p;
    Target t;
    MurTableRef source; // the page as it was, if it is put together anew
    uint slots;         // of it; 0: the page stays
    uint page;          // a new one, if it splits
};

Work work_of(uint w) {
    Work work;
    work.index = w;
    work.frame = min(work_word(w, MUR_WORK_FRAME).word, push.pager.pageFrameCount - 1u);
    work.first = work_word(w, MUR_WORK_FIRST).word;
    work.count = min(work_word(w, MUR_WORK_COUNT).word, push.maxPending);
    work.p = place_of_entry(KERNEL_FORMAT, listed(work.first).word);
    MurTableRef table = table_at(mur_page_address(push.pager, work.frame));
    work.t = Target(table, table, MUR_PAGED_DEPTH(work.p.leaf), push.probeSectors);
    work.source = table;
    work.slots = 0u;
    work.page = MUR_PAGED_INDEX;
    return work;
}

// The page as it is, or empty if it is fresh. Anew: empty tables in the page, and in a new one if
// there is one, what was in the page beside them.
void start(inout Work work, bool anew, uint g) {
    if (anew) {
        work.page = growing_word(g, MUR_GROWING_PAGE).word;
        work.source.address = spare_page(2u * g);
        work.slots = all_slots();
        copy_page(work.t.table.address, work.source.address);
        if (work.page != MUR_PAGED_INDEX) {
            work.t.other.address = spare_page(2u * g + 1u);
        } else {
            work.t.sectors = push.slotCount;
        }
        barrier_all();
    }
    if (anew || (work.p.leaf & MUR_PAGED_FRESH) != 0u) {
        clear_tables(work.t, work.p.part);
    }
}

// Entries of the table, counted.
uint live_entries(MurTableRef table) {
    if (gl_LocalInvocationIndex == 0u) {
        shared_live = 0u;
    }
    barrier();
    uvec2 key, value;
    uint count = 0u;
    for (uint slot = gl_LocalInvocationIndex; slot < all_slots(); slot += MUR_WORKGROUP) {
        count += slot_entry(table, slot, key, value) ? 1u : 0u;
    }
    atomicAdd(shared_live, count);
    barrier();
    return shared_live;
}

// A page that is full is to grow. False: as many do already.
bool will_grow(Work work) {
    uint live = live_entries(work.t.table);
    if (gl_LocalInvocationIndex == 0u) {
        work_word(work.index, MUR_WORK_LIVE).word = live;
        shared_left = atomicAdd(own(MUR_PAGED_GROWING).word, 1u);
        if (shared_left < MUR_PAGE_SPLITS) {
            growing_word(shared_left, MUR_GROWING_WORK).word = work.index;
        }
    }
    barrier();
    return shared_left < MUR_PAGE_SPLITS;
}

// Of a page that splits, a half that nothing is left for does not wait.
void end(Work work, bool anew, bool full) {
    uint waits = full ? 3u : 0u;
    if (anew || (full && !will_grow(work))) {
        barrier();
        waits = keep_entries(work.t, work.first, work.count);
    }
    bool splits = work.page != MUR_PAGED_INDEX;
    uint leaf = work.p.leaf + (splits ? 1u << MUR_PAGED_DEPTH_SHIFT : 0u);
    uint lower = with_flags(leaf, (splits ? waits & 1u : waits) != 0u);
    uint upper = with_flags((leaf & ~MUR_PAGED_INDEX) | work.page, (waits & 2u) != 0u);
    if (lower != work.p.leaf) {
        set_leaves(work.p, lower, splits ? upper : lower);
    }
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    if (!anew) {
        frame_word(work.frame).word = 0u;
        mur_page_written(push.pager, work.frame);
    } else if (waits != 0u && !splits) {
        atomicAdd(own(MUR_PAGED_STUCK).word, shared_left);
    }
}

void main() {
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    bool anew = MUR_VARIANT == MUR_PAGED_STEP_GROW;
    uint count = anew ? min(own(MUR_PAGED_GROWING).word, MUR_PAGE_SPLITS)
                      : min(own(MUR_PAGED_WORK).word, push.maxPending);
    for (uint i = mur_workgroup(); i < count; i += groups) {
        Work work = work_of(anew ? growing_word(i, MUR_GROWING_WORK).word : i);
        start(work, anew, i);
        barrier_all();
        bool full = do_entries(work.t, work.source, work.slots, work.first, work.count);
        end(work, anew, full);
        barrier();
    }
}
