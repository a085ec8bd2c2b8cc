/* Commands on paged tables.
 * SPDX-License-Identifier: MIT */
#include "plan_paging.h"

#include <string.h>

/* Returns the description of the table of partitions (paged_layout.h). */
static MurShape partitions_of(const MurPagedShape *table) {
    return (MurShape){.ref = {.address = table->ref.partitions,
                              .capacity = table->ref.partitionCapacity,
                              .slotCount = table->ref.partitionSlots,
                              .probeSectors = table->ref.partitionSlots / MUR_SECTOR_SLOTS}};
}

/* Returns a step that copies the table's persistent bytes to their pages in the store, or back. */
static MurStep keep_step(const MurRequest *request, MurKernel kernel) {
    const MurPagedShape *table = request->paged;
    const MurPagerShape *pager = request->pager;
    return (MurStep){.kernel = kernel,
                     .groups = mur_persistent_groups(table->persistentPages),
                     .push.pagedPersist = {.pager = pager->ref,
                                           .block = pager->block,
                                           .store = pager->chunks[0],
                                           .partitions = table->ref.partitions,
                                           .state = table->ref.state,
                                           .quads = (uint32_t)(table->keptBytes / 16),
                                           .first = table->ref.pager.pageCount,
                                           .chunkShift = pager->chunkShift}};
}

void mur_plan_clear_paged(const MurRequest *request, MurPlan *plan) {
    const MurPagedRef *ref = &request->paged->ref;
    if (request->word != MUR_PAGES_ZERO) {
        const MurStep restore = keep_step(request, MUR_KERNEL_PAGED_RESTORE);
        mur_plan_clear_pager(request, plan);
        mur_plan_step(plan, restore.kernel, &restore.push, restore.groups);
        return;
    }
    const MurShape partitions = partitions_of(request->paged);
    mur_plan_clear_steps(&partitions, plan);
    mur_plan_few(plan, MUR_KERNEL_PAGED_RESET, &(MurPush){.paged = *ref},
                 ref->maxLeaves > ref->pager.poolPageCount ? ref->maxLeaves
                                                           : ref->pager.poolPageCount);
    mur_plan_clear_pager(request, plan);
}

void mur_plan_flush_paged(const MurRequest *request, MurPlan *plan) {
    const MurStep keep = keep_step(request, MUR_KERNEL_PAGED_PERSIST);
    mur_plan_flush_pager(request, plan);
    mur_plan_step(plan, keep.kernel, &keep.push, keep.groups);
}

void mur_plan_update_paged_table(const MurRequest *request, MurPlan *plan) {
    const MurPagedShape *table = request->paged;
    const MurPagerShape *pager = request->pager;
    const MurPagedTableUpdate *paging = request->info;
    MurPush push = {.paged = table->ref};
    push.paged.pager.frame = paging->pager.frame;
    const uint32_t pending = table->ref.maxPending, frames = table->ref.pager.poolPageCount;
    const uint32_t leaves = table->ref.maxLeaves;
    const MurPush out = {.pagedEvictNew = {.pager = push.paged.pager,
                                           .block = pager->block,
                                           .store = pager->chunks[0],
                                           .stats = paging->stats.address,
                                           .state = table->ref.state,
                                           .growing = mur_paged_growing_at(leaves, pending, frames),
                                           .spare = mur_paged_spare_at(leaves, pending, frames),
                                           .chunkShift = pager->chunkShift}};
    const MurStep keep = keep_step(request, MUR_KERNEL_PAGED_PERSIST);
    mur_plan_few(plan, MUR_KERNEL_PAGED_REQUEST, &push, pending);
    mur_plan_update(pager, &paging->pager, &keep, plan);
    mur_plan_few(plan, MUR_KERNEL_PAGED_COUNT, &push, pending);
    mur_plan_few(plan, MUR_KERNEL_PAGED_PLACE, &push, pending);
    mur_plan_few(plan, MUR_KERNEL_PAGED_SCATTER, &push, pending);
    mur_plan_step(plan, MUR_KERNEL_PAGED_APPLY, &push,
                  mur_persistent_groups(pending < frames ? pending : frames));
    mur_plan_step(plan, MUR_KERNEL_PAGED_SPLIT, &push, 1);
    mur_plan_step(plan, MUR_KERNEL_PAGED_GROW, &push, MUR_PAGE_SPLITS);
    mur_plan_step(plan, MUR_KERNEL_PAGED_EVICT_NEW, &out, MUR_PAGE_SPLITS);
}

/* The number of own pages of a command: copies of pages in scratch memory. The default hides the
 * latency of the link to host memory. Commands that split pages require two. */
enum { OWN_PAGES = 1024, LEAST_OWN_PAGES = 2 };

/* Offsets of the parts of scratch memory, in bytes. */
typedef struct Parts {
    uint64_t pages, work, places, keys, values, items, spare;
} Parts;

static Parts parts_of(const MurPagedShape *table, uint32_t maxCount) {
    const uint64_t pages = table->ref.pager.pageCount, items = maxCount;
    Parts parts;
    parts.pages = mur_aligned(sizeof(MurPagedArguments));
    parts.work = parts.pages + mur_aligned(4 * pages);
    parts.places = parts.work + mur_aligned(4 * (MUR_BULK_WORK_AT + MUR_BULK_WORDS * pages));
    parts.keys = parts.places + mur_aligned(8 * items);
    parts.values = parts.keys + mur_aligned(8 * items);
    parts.items = parts.values + mur_aligned(8 * items);
    parts.spare = parts.items + mur_aligned(4 * items);
    return parts;
}

uint64_t mur_paged_own_pages(const MurPagedShape *table) {
    const uint64_t pages = table->ref.pager.pageCount;
    return pages < LEAST_OWN_PAGES ? LEAST_OWN_PAGES : pages < OWN_PAGES ? pages : OWN_PAGES;
}

uint64_t mur_paged_scratch(const MurPagedShape *table, uint32_t maxCount, uint64_t pages) {
    return parts_of(table, maxCount).spare + (pages << table->ref.pager.pageShift);
}

uint64_t mur_paged_scratch_minimum(const MurPagedShape *table, uint32_t maxCount) {
    return mur_paged_scratch(table, maxCount, LEAST_OWN_PAGES);
}

/* Returns the push constants of a command, without its arrays. Sets the plan's scratch memory. */
static MurPagedBulkPush bulk_push(const MurRequest *request, uint32_t op, uint32_t maxCount,
                                  MurArray lent, MurPlan *plan) {
    const MurPagedShape *table = request->paged;
    const MurPagerShape *pager = request->pager;
    const Parts parts = parts_of(table, maxCount);
    const uint64_t scratch = lent.address;
    const uint64_t room = (lent.size - parts.spare) >> table->ref.pager.pageShift;
    const uint64_t most = mur_paged_own_pages(table);
    MurPagedBulkPush push = {.table = table->ref};
    plan->scratch = mur_paged_scratch_minimum(table, maxCount);
    push.table.pager.arguments = scratch;
    push.given = (MurPagedArguments){
        .block = pager->block,
        .store = pager->chunks[0],
        .pages = scratch + parts.pages,
        .work = scratch + parts.work,
        .places = scratch + parts.places,
        .sortedKeys = scratch + parts.keys,
        .sortedValues = scratch + parts.values,
        .sortedItems = scratch + parts.items,
        .spare = scratch + parts.spare,
        .maxCount = maxCount,
        .op = op,
        .chunkShift = pager->chunkShift,
        .spareCount = (uint32_t)(room < most ? room : most),
    };
    return push;
}

/* Appends steps that write the arguments into scratch memory, the first one without a barrier. */
static void plan_arguments(const MurPush *arguments, MurPlan *plan) {
    const MurPagedArguments *given = &arguments->pagedBulk.given;
    const uint32_t words = sizeof *given / 4;
    for (uint32_t first = 0; first < words; first += MUR_ARGS_PUSHED) {
        const uint32_t left = words - first;
        MurPush push = {.args = {.arguments = arguments->pagedBulk.table.pager.arguments,
                                 .first = first,
                                 .count = left < MUR_ARGS_PUSHED ? left : MUR_ARGS_PUSHED}};
        memcpy(push.args.words, (const uint8_t *)given + 4 * (size_t)first,
               4 * (size_t)push.args.count);
        (first == 0 ? mur_plan_step_concurrent : mur_plan_step)(plan, MUR_KERNEL_PAGED_ARGS, &push,
                                                                1);
    }
}

/* Appends a step that marks the pages with logged writes. */
static void plan_marks(const MurPagedShape *table, const MurPush *push, MurPlan *plan) {
    mur_plan_few(plan, MUR_KERNEL_BULK_MARK, push, table->ref.maxPending);
}

void mur_plan_paged_batch(const MurRequest *request, MurPlan *plan) {
    const MurPagedShape *table = request->paged;
    const MurPagedBatch *batch = request->info;
    if (batch->maxCount == 0) {
        return;
    }
    MurPush push = {
        .pagedBulk = bulk_push(request, request->op, batch->maxCount, batch->scratch, plan)};
    MurPagedArguments *given = &push.pagedBulk.given;
    given->keys = batch->keys.address;
    given->values = batch->values.address;
    given->statuses = batch->statuses.address;
    given->partitions = batch->partitions.address;
    given->count = batch->countAddress;
    plan_arguments(&push, plan);
    mur_plan_few(plan, MUR_KERNEL_BULK_RESET, &push, table->ref.pager.pageCount);
    if (request->op < MUR_MODE_UPDATE) {
        mur_plan_step_concurrent(
            plan, MUR_KERNEL_BULK_MAKE, &push,
            mur_persistent_groups(mur_groups(MUR_KERNEL_BULK_MAKE, batch->maxCount)));
    }
    plan_marks(table, &push, plan);
    mur_plan_few(plan, MUR_KERNEL_BULK_COUNT, &push, batch->maxCount);
    mur_plan_few(plan, MUR_KERNEL_BULK_PLACE, &push, table->ref.pager.pageCount);
    mur_plan_few(plan, MUR_KERNEL_BULK_SCATTER, &push, batch->maxCount);
    mur_plan_step(plan, MUR_KERNEL_BULK_STREAM, &push, given->spareCount);
}

void mur_plan_paged_build(const MurRequest *request, MurPlan *plan) {
    MurRequest clear = *request;
    clear.word = MUR_PAGES_ZERO;
    mur_plan_clear_paged(&clear, plan);
    mur_plan_paged_batch(request, plan);
}

/* Appends a step that zeroes a word, concurrent with earlier steps. Address 0: appends nothing. */
static void plan_zero(uint64_t address, MurPlan *plan) {
    const MurPush push = {.args = {.arguments = address, .count = 1}};
    mur_plan_step_concurrent(plan, MUR_KERNEL_PAGED_ARGS, &push, address ? 1 : 0);
}

void mur_plan_paged_extract(const MurRequest *request, MurPlan *plan) {
    const MurPagedExtract *extract = request->info;
    const uint32_t pages = request->paged->ref.pager.pageCount;
    const uint32_t first = extract->firstPage < pages ? extract->firstPage : pages;
    const uint32_t asked = extract->pageCount ? extract->pageCount : pages;
    const uint32_t count = asked < pages - first ? asked : pages - first;
    MurPush push = {.pagedBulk = bulk_push(request, MUR_BULK_EXTRACT, 0, extract->scratch, plan)};
    MurPagedArguments *given = &push.pagedBulk.given;
    given->keys = extract->keys.address;
    given->values = extract->values.address;
    given->partitions = extract->partitions.address;
    given->result = extract->countAddress;
    given->left = extract->leftAddress;
    given->maxCount = extract->maxCount;
    given->firstPage = first;
    given->endPage = first + count;
    mur_push_predicates(extract->predicates, given->predicates);
    plan_arguments(&push, plan);
    plan_zero(given->result, plan);
    plan_zero(given->left, plan);
    mur_plan_step(plan, MUR_KERNEL_BULK_STREAM, &push, mur_persistent_groups(count));
}

void mur_plan_paged_rehash(const MurRequest *request, MurPlan *plan) {
    const MurPagedShape *table = request->paged;
    const MurPagedRehash *rehash = request->info;
    const MurPush widen = {.paged = table->ref};
    MurPush push = {.pagedBulk = bulk_push(request, MUR_BULK_REHASH, 0, rehash->scratch, plan)};
    MurPagedArguments *given = &push.pagedBulk.given;
    given->result = rehash->countAddress;
    given->left = rehash->leftAddress;
    plan_arguments(&push, plan);
    mur_plan_few(plan, MUR_KERNEL_BULK_RESET, &push, table->ref.pager.pageCount);
    plan_zero(given->result, plan);
    plan_zero(given->left, plan);
    mur_plan_step_concurrent(plan, MUR_KERNEL_PAGED_DIRECTORY, &widen, 1);
    plan_marks(table, &push, plan);
    mur_plan_step(plan, MUR_KERNEL_BULK_STREAM, &push, given->spareCount / LEAST_OWN_PAGES);
}
