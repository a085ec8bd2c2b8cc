// Bulk commands on a whole paged table, page by page: murCmdPagedExtract and murCmdPagedRehash.
// SPDX-License-Identifier: MIT

#define PREDICATES given.predicates
#include "../predicates.glsl"

shared uint shared_first;
shared uint shared_page;
shared uvec2 shared_key;

// Finds the key of some entry. Returns false if the table is empty.
bool some_key(MurTableRef table, out uvec2 key) {
    if (gl_LocalInvocationIndex == 0u) {
        shared_first = MUR_NO_SLOT;
    }
    for (uint start = 0u; start < all_slots(); start += MUR_WORKGROUP) {
        barrier();
        uint slot = start + gl_LocalInvocationIndex;
        uvec2 value;
        if (slot < all_slots() && slot_entry(table, slot, key, value) &&
            atomicCompSwap(shared_first, MUR_NO_SLOT, slot) == MUR_NO_SLOT) {
            shared_key = key;
        }
        barrier();
        if (shared_first != MUR_NO_SLOT) {
            break;
        }
    }
    key = shared_key;
    return shared_first != MUR_NO_SLOT;
}

// Prepares the split of a page by the next bit of the hash. Returns false if it cannot split, for
// example because it has logged writes.
bool start_halves(inout Job job) {
    if (gl_LocalInvocationIndex == 0u) {
        bool may = (job.p.leaf & MUR_PAGED_INDEX) == job.at.page &&
                   (memory_word(given.pages, job.at.page).word & MUR_BULK_WAITS) == 0u &&
                   (job.at.resident || !is_held(job.at)) &&
                   MUR_PAGED_DEPTH(job.p.leaf) < MUR_PAGED_DEPTH(job.p.root);
        shared_page = may ? take_page(true) : MUR_PAGED_INDEX;
        shared_changed = 0u;
    }
    barrier_all();
    if (shared_page == MUR_PAGED_INDEX) {
        note_result(given.left);
        return false;
    }
    uint first = 2u * mur_workgroup();
    job.other = where_is(shared_page);
    job.t = Target(table_at(own_page(first)), table_at(own_page(first + 1u)),
                   MUR_PAGED_DEPTH(job.p.leaf), push.slotCount);
    job.clears = true;
    return true;
}

// Writes the entries of a page that satisfy the predicates, as a dense list.
void extract(Where at) {
    MurTableRef table = table_at(at.address);
    uint part = memory_word(at.address, MUR_PAGED_PARTITION_AT).word;
    for (uint start = 0u; start < all_slots(); start += MUR_WORKGROUP) {
        uint slot = start + gl_LocalInvocationIndex;
        uvec2 key, value;
        bool mine = slot < all_slots() && slot_entry(table, slot, key, value) &&
                    satisfies(value.x, uvec3(key, 0u));
        if (gl_LocalInvocationIndex == 0u) {
            shared_left = 0u;
        }
        barrier();
        uint rank = mine ? atomicAdd(shared_left, 1u) : 0u;
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            shared_first = atomicAdd(memory_word(given.result, 0u).word, shared_left);
        }
        barrier();
        uint to = shared_first + rank;
        if (mine && to < given.maxCount) {
            mur_output_key(given.keys, to, key);
            mur_output_value(given.values, to, value);
            mur_output(given.partitions, to, part);
        }
    }
}

void extract_pages(uint groups) {
    uint end = min(given.endPage, own(MUR_PAGED_PAGES).word);
    for (uint page = given.firstPage + mur_workgroup(); page < end; page += groups) {
        Where at = where_is(page);
        if (has_table(at)) {
            extract(at);
        }
        barrier();
    }
}
