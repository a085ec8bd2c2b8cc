/* Tables in pages.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

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

void mur_plan_clear_paged(const MurPagedShape *table, const MurPagerShape *pager, MurPlan *plan) {
    const MurShape groups = groups_of(table);
    const MurPush push = {.paged = table->ref};
    const uint32_t leaves = table->ref.maxLeaves, frames = table->ref.pager.frameCount;
    begin(table, plan);
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
    MurPush out = {.pagedOut = {.pager = mur_pager_push(pager, paging->paging.frame).pager,
                                .state = table->ref.state}};
    const uint32_t leaves = table->ref.maxLeaves;
    out.pagedOut.pager.stats = paging->stats.address;
    out.pagedOut.growing = table->ref.state + 4ull * mur_paged_growing_at(leaves, pending, frames);
    out.pagedOut.spare = table->ref.state + 4ull * mur_paged_spare_at(leaves, pending, frames);
    begin(table, plan);
    mur_plan_step(plan, MUR_KERNEL_PAGED_ASK, &push, groups);
    mur_plan_page_steps(pager, &paging->paging, plan);
    mur_plan_step(plan, MUR_KERNEL_PAGED_COUNT, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_PAGED_PLACE, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_PAGED_SCATTER, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_PAGED_APPLY, &push,
                  mur_few(pending < frames ? pending : frames));
    mur_plan_step(plan, MUR_KERNEL_PAGED_ROOM, &push, 1);
    mur_plan_step(plan, MUR_KERNEL_PAGED_GROW, &push, MUR_PAGE_SPLITS);
    mur_plan_step(plan, MUR_KERNEL_PAGED_OUT, &out, MUR_PAGE_SPLITS);
}
