// Bulk commands on a whole paged table, page by page: murCmdPagedExtract and murCmdPagedRehash.
//
// SPDX-License-Identifier: MIT

#define PREDICATES given.predicates
#include "../predicates.glsl"

shared uint shared_first;
shared uint shared_page;

// The first slot that has an entry; MUR_NO_SLOT: none has.
uint first_entry(MurTableRef table) {
    if (gl_LocalInvocationIndex == 0u) {
        shared_first = MUR_NO_SLOT;
    }
    for (uint start = 0u; start < all_slots(); start += MUR_WORKGROUP) {
        barrier();
        uint slot = start + gl_LocalInvocationIndex;
        uvec2 key, value;
        if (slot < all_slots() && slot_entry(table, slot, key, value)) {
            atomicMin(shared_first, slot);
        }
        barrier();
        if (shared_first != MUR_NO_SLOT) {
            break;
        }
    }
    return shared_first;
}

// A page becomes two, by the next bit of the hash. An entry tells where the leaf is. No count: the
// page stays as it is; so does one that writes are pending for: who knows for which half?
Job start_halves(uint page, uint group) {
    Job job;
    job.at = where_is(page);
    job.first = 0u;
    job.count = 0u;
    if (gl_LocalInvocationIndex == 0u) {
        shared_changed = 0u;
    }
    if (!has_table(job.at)) {
        return job;
    }
    job.source = table_at(job.at.address);
    uint slot = first_entry(job.source);
    uvec2 key, value;
    if (slot == MUR_NO_SLOT || !slot_entry(job.source, slot, key, value)) {
        return job;
    }
    job.p = place_of(KERNEL_FORMAT, 0u, key);
    if (gl_LocalInvocationIndex == 0u) {
        bool may = (job.p.leaf & MUR_PAGED_INDEX) == page &&
                   (job.p.leaf & MUR_PAGED_WAITS) == 0u && (job.at.resident || !is_held(job.at)) &&
                   MUR_PAGED_DEPTH(job.p.leaf) < MUR_PAGED_DEPTH(job.p.root);
        shared_page = may ? take_page() : MUR_PAGED_INDEX;
    }
    barrier_all();
    if (shared_page == MUR_PAGED_INDEX) {
        note_result(given.left);
        return job;
    }
    job.other = where_is(shared_page);
    job.t = Target(table_at(own_page(2u * group)), table_at(own_page(2u * group + 1u)),
                   MUR_PAGED_DEPTH(job.p.leaf), push.slotCount);
    clear_page(job.t.table.address, job.p.group);
    clear_page(job.t.other.address, job.p.group);
    job.count = all_slots();
    return job;
}

// The entries of a page, densely: those that the predicates hold for.
void extract(uint page) {
    Where at = where_is(page);
    if (!has_table(at)) {
        return;
    }
    MurTableRef table = table_at(at.address);
    uint group = memory_word(at.address, MUR_PAGED_GROUP_AT).word;
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
            mur_output(given.names, to, group);
        }
    }
}
