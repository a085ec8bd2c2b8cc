// murCmdUpdatePagedTable: one workgroup per page applies the entries of the log. An entry's epoch
// is the number of calls of the command before the entry was logged; lower epochs are applied
// first. MUR_PAGED_STEP_GROW then processes full pages: it moves half of the keys to the page that
// paged_split.comp has assigned, and applies the remaining entries. Without a new page, it rebuilds
// the page's table without erased keys, and fills it to the last slot.
// SPDX-License-Identifier: MIT

const bool ANEW = MUR_VARIANT == MUR_PAGED_STEP_GROW;

shared uint shared_halves;
shared uint shared_live;

uint count_logged() {
    return ANEW ? min(own(MUR_PAGED_GROWING).word, MUR_PAGE_SPLITS)
                : min(own(MUR_PAGED_WORK).word, push.maxPending);
}

// Finds a page's work item, and the partition and key of the first entry of the log for the page.
bool find_logged(uint i, out Job job, out uint part, out uvec2 key) {
    uint w = ANEW ? growing_word(i, MUR_GROWING_WORK).word : i;
    job.index = w;
    job.pool_page = min(work_word(w, MUR_WORK_POOL_PAGE).word, push.pager.poolPageCount - 1u);
    job.first = work_word(w, MUR_WORK_FIRST).word;
    job.count = min(work_word(w, MUR_WORK_COUNT).word, push.maxPending);
    uint e = listed(job.first).word;
    part = entry_word(e, MUR_PENDING_PARTITION).word;
    key = entry_key(e);
    return true;
}

// Prepares the page's table, which is empty if the page is fresh. MUR_PAGED_STEP_GROW copies the
// page's content to spare memory; its tables, in the page and in the new page, start empty.
bool start_logged(uint i, inout Job job) {
    MurTableRef table = table_at(mur_page_address(push.pager, job.pool_page));
    job.t = Target(table, table, MUR_PAGED_DEPTH(job.p.leaf), push.probeSectors);
    job.source = table;
    job.slots = 0u;
    job.page = MUR_PAGED_INDEX;
    job.clears = ANEW || (job.p.leaf & MUR_PAGED_FRESH) != 0u;
    if (ANEW) {
        job.page = growing_word(i, MUR_GROWING_PAGE).word;
        job.source.address = spare_page(2u * i);
        job.slots = all_slots();
        copy_page(table.address, job.source.address);
        if (job.page != MUR_PAGED_INDEX) {
            job.t.other.address = spare_page(2u * i + 1u);
        } else {
            job.t.sectors = push.slotCount;
        }
        barrier_all();
    }
    return true;
}

// Returns the age of a log entry in epochs, plus 1; 0 if the entry was applied.
uint age_of(uint e) {
    return entry_word(e, MUR_PENDING_OP).word == MUR_PAGED_NONE
               ? 0u
               : 1u + own(MUR_PAGED_EPOCH).word - entry_word(e, MUR_PENDING_EPOCH).word;
}

// Reads a log entry. Returns whether it has this age: 1 + the number of calls of the command since
// the entry was logged. A round applies the entries of one age.
bool take_entry(uint e, uint age, out uvec2 key, out uvec2 value, out uint op) {
    key = entry_key(e);
    value = uvec2(entry_word(e, MUR_PENDING_VALUE).word,
                  entry_word(e, MUR_PENDING_VALUE + 1u).word);
    op = entry_word(e, MUR_PENDING_OP).word;
    return age_of(e) == age;
}

// Keeps the job's remaining entries in the log, and counts them in shared_left. Sets bit 0 of the
// result if some of their keys are in the lower half of a split, bit 1 if some are in the upper.
uint keep_entries(Job job) {
    if (gl_LocalInvocationIndex == 0u) {
        shared_left = 0u;
        shared_halves = 0u;
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < job.count; i += MUR_WORKGROUP) {
        uint e = listed(job.first + i).word;
        uint op = entry_word(e, MUR_PENDING_OP).word;
        if (op != MUR_PAGED_NONE) {
            keep_entry(e, op);
            atomicAdd(shared_left, 1u);
            atomicOr(shared_halves, 1u << half_of(job.t, entry_key(e)));
        }
    }
    barrier();
    return shared_halves;
}

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

// Appends the job's page to the pages that grow. Returns false if MUR_PAGE_SPLITS already grow.
bool will_grow(Job job) {
    uint live = live_entries(job.t.table);
    if (gl_LocalInvocationIndex == 0u) {
        work_word(job.index, MUR_WORK_LIVE).word = live;
        shared_left = atomicAdd(own(MUR_PAGED_GROWING).word, 1u);
        if (shared_left < MUR_PAGE_SPLITS) {
            growing_word(shared_left, MUR_GROWING_WORK).word = job.index;
        }
    }
    barrier();
    return shared_left < MUR_PAGE_SPLITS;
}

// Ends the work on a page. Returns the leaves of its lower and upper half, which are equal if it
// does not split. A leaf has MUR_PAGED_WAITS if the log keeps entries for its page.
void end_logged(Job job, bool full, out uint lower, out uint upper) {
    uint waits = full ? 3u : 0u;
    if (ANEW || (full && !will_grow(job))) {
        barrier();
        waits = keep_entries(job);
    }
    bool splits = job.page != MUR_PAGED_INDEX;
    uint leaf = job.p.leaf + (splits ? 1u << MUR_PAGED_DEPTH_SHIFT : 0u);
    lower = with_flags(leaf, (splits ? waits & 1u : waits) != 0u);
    upper = splits ? with_flags((leaf & ~MUR_PAGED_INDEX) | job.page, (waits & 2u) != 0u) : lower;
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    if (!ANEW) {
        pool_page_word(job.pool_page).word = 0u;
        mur_page_written(push.pager, job.pool_page);
    } else if (waits != 0u && !splits) {
        atomicAdd(own(MUR_PAGED_STUCK).word, shared_left);
    }
}
