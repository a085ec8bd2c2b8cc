/* Tables in pages.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

#include <string.h>

static void begin(const MurPagedShape *table, MurPlan *plan) {
    const MurShape pages = {.ref = {.flags = table->ref.flags}};
    mur_begin_plan(&pages, plan);
}

/* The table of groups. */
static MurShape groups_of(const MurPagedShape *table) {
    return (MurShape){.ref = {.address = table->ref.groups,
                              .capacity = table->ref.groupCapacity,
                              .slotCount = table->ref.groupSlots,
                              .probeSectors = table->ref.groupSlots / MUR_SECTOR_SLOTS}};
}

/* What a checkpoint has of the table besides its pages, to the pages that are for it, or back. */
static MurStep keep_step(const MurPagedShape *table, const MurPagerShape *pager, MurKernel kernel) {
    return (MurStep){.kernel = kernel,
                     .groups = mur_few(table->keptPages),
                     .push.pagedKeep = {.pager = pager->ref,
                                        .block = pager->block,
                                        .store = pager->chunks[0],
                                        .groups = table->ref.groups,
                                        .state = table->ref.state,
                                        .quads = (uint32_t)(table->keptBytes / 16),
                                        .first = table->ref.pager.pageCount,
                                        .chunkShift = pager->chunkShift}};
}

void mur_plan_clear_paged(const MurPagedShape *table, const MurPagerShape *pager,
                          MurPageContent content, MurPlan *plan) {
    const MurShape groups = groups_of(table);
    const MurPush push = {.paged = table->ref};
    const uint32_t leaves = table->ref.maxLeaves, frames = table->ref.pager.frameCount;
    begin(table, plan);
    if (content == MUR_PAGES_IN_FILE) {
        const MurStep restore = keep_step(table, pager, MUR_KERNEL_PAGED_RESTORE);
        mur_plan_clear_pager_steps(pager, content, plan);
        mur_plan_step(plan, restore.kernel, &restore.push, restore.groups);
        return;
    }
    mur_plan_clear_steps(&groups, plan);
    mur_plan_step(plan, MUR_KERNEL_PAGED_RESET, &push,
                  mur_few(mur_groups(MUR_KERNEL_PAGED_RESET, leaves > frames ? leaves : frames)));
    mur_plan_clear_pager_steps(pager, MUR_PAGES_ZERO, plan);
}

void mur_plan_page_table(const MurPagedShape *table, const MurPagerShape *pager,
                         const MurTablePaging *paging, MurPlan *plan) {
    MurPush push = {.paged = table->ref};
    push.paged.pager.frame = paging->paging.frame;
    const uint32_t pending = table->ref.maxPending, frames = table->ref.pager.frameCount;
    const uint64_t groups = mur_few(mur_groups(MUR_KERNEL_PAGED_ASK, pending));
    const uint32_t leaves = table->ref.maxLeaves;
    const MurPush out = {.pagedOut = {.pager = push.paged.pager,
                                      .block = pager->block,
                                      .store = pager->chunks[0],
                                      .stats = paging->stats.address,
                                      .state = table->ref.state,
                                      .growing = mur_paged_growing_at(leaves, pending, frames),
                                      .spare = mur_paged_spare_at(leaves, pending, frames),
                                      .chunkShift = pager->chunkShift}};
    const MurStep keep = keep_step(table, pager, MUR_KERNEL_PAGED_KEEP);
    begin(table, plan);
    mur_plan_step(plan, MUR_KERNEL_PAGED_ASK, &push, groups);
    mur_plan_page_steps(pager, &paging->paging, &keep, plan);
    mur_plan_step(plan, MUR_KERNEL_PAGED_COUNT, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_PAGED_PLACE, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_PAGED_SCATTER, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_PAGED_APPLY, &push,
                  mur_few(pending < frames ? pending : frames));
    mur_plan_step(plan, MUR_KERNEL_PAGED_ROOM, &push, 1);
    mur_plan_step(plan, MUR_KERNEL_PAGED_GROW, &push, MUR_PAGE_SPLITS);
    mur_plan_step(plan, MUR_KERNEL_PAGED_OUT, &out, MUR_PAGE_SPLITS);
}

/* ---- Batches -------------------------------------------------------------------------------- */

/* Workgroups that hide a link's latency. */
enum { OWN_PAGES = 1024 };

/* Where the parts of scratch memory begin, in bytes. */
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
    return pages < OWN_PAGES ? pages : OWN_PAGES;
}

uint64_t mur_paged_scratch(const MurPagedShape *table, uint32_t maxCount, uint64_t pages) {
    return parts_of(table, maxCount).spare + (pages << table->ref.pager.pageShift);
}

static MurPagedArguments arguments_of(const MurPagedShape *table, const MurPagerShape *pager,
                                      uint32_t op, const MurPagedBatch *batch) {
    const Parts parts = parts_of(table, batch->maxCount);
    const uint64_t scratch = batch->scratch.address;
    const uint64_t room = (batch->scratch.size - parts.spare) >> table->ref.pager.pageShift;
    const uint64_t most = mur_paged_own_pages(table);
    return (MurPagedArguments){
        .table = table->ref,
        .block = pager->block,
        .store = pager->chunks[0],
        .keys = batch->keys.address,
        .values = batch->values.address,
        .statuses = batch->statuses.address,
        .names = batch->names.address,
        .count = batch->countAddress,
        .pages = scratch + parts.pages,
        .work = scratch + parts.work,
        .places = scratch + parts.places,
        .sortedKeys = scratch + parts.keys,
        .sortedValues = scratch + parts.values,
        .sortedItems = scratch + parts.items,
        .spare = scratch + parts.spare,
        .maxCount = batch->maxCount,
        .op = op,
        .chunkShift = pager->chunkShift,
        .spareCount = (uint32_t)(room < most ? room : most),
    };
}

static void plan_words(uint64_t address, const MurPagedArguments *given, MurPlan *plan) {
    const uint32_t words = sizeof *given / 4;
    for (uint32_t first = 0; first < words; first += MUR_WORDS_PUSHED) {
        const uint32_t left = words - first;
        MurPush push = {.words = {.arguments = address,
                                  .first = first,
                                  .count = left < MUR_WORDS_PUSHED ? left : MUR_WORDS_PUSHED}};
        memcpy(push.words.words, (const uint8_t *)given + 4 * (size_t)first,
               4 * (size_t)push.words.count);
        mur_plan_step(plan, MUR_KERNEL_PAGED_WORDS, &push, 1);
    }
}

void mur_plan_paged_batch(const MurPagedShape *table, const MurPagerShape *pager, uint32_t op,
                          const MurPagedBatch *batch, MurPlan *plan) {
    begin(table, plan);
    if (batch->maxCount == 0) {
        return;
    }
    const MurPush push = {.pagedBulk = {.arguments = batch->scratch.address,
                                        .given = arguments_of(table, pager, op, batch)}};
    const MurPagedArguments *given = &push.pagedBulk.given;
    const uint64_t items = mur_few(mur_groups(MUR_KERNEL_BULK_COUNT, batch->maxCount));
    const uint64_t pages = mur_few(mur_groups(MUR_KERNEL_BULK_RESET, table->ref.pager.pageCount));
    plan_words(batch->scratch.address, given, plan);
    mur_plan_step(plan, MUR_KERNEL_BULK_RESET, &push, pages);
    mur_plan_step(plan, MUR_KERNEL_BULK_MARK, &push,
                  mur_few(mur_groups(MUR_KERNEL_BULK_MARK, table->ref.maxPending)));
    if (op < MUR_MODE_UPDATE) {
        mur_plan_step(plan, MUR_KERNEL_BULK_MAKE, &push, items);
    }
    mur_plan_step(plan, MUR_KERNEL_BULK_COUNT, &push, items);
    mur_plan_step(plan, MUR_KERNEL_BULK_PLACE, &push, pages);
    mur_plan_step(plan, MUR_KERNEL_BULK_SCATTER, &push, items);
    mur_plan_step(plan, MUR_KERNEL_BULK_STREAM, &push, given->spareCount);
}
