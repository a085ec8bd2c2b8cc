/* Commands on pagers.
 * SPDX-License-Identifier: MIT */
#include "plan_paging.h"

MUR_STATIC_ASSERT(MUR_PAGER_CHUNKS == MUR_PAGER_MOST_CHUNKS);
MUR_STATIC_ASSERT(1u << MUR_PAGER_PIECE_SHIFT == MUR_PAGE_MIN_SIZE);
MUR_STATIC_ASSERT(MUR_PAGER_CHUNKS / MUR_CHUNKS_PUSHED + 1 <= MUR_PLAN_STEPS);

static MurPush pager_push(const MurPagerShape *pager, uint32_t frame) {
    MurPush push = {.pager = {
                        .pager = pager->ref,
                        .block = pager->block,
                        .store = pager->chunks[0],
                        .keepFrames = pager->framesInFlight,
                        .chunkShift = pager->chunkShift,
                        .flags = pager->resident ? MUR_PAGER_RESIDENT : 0,
                    }};
    push.pager.pager.frame = frame;
    if (pager->lists) {
        push.pager.lists = pager->lists + pager->listsSize * (frame & (pager->listsCount - 1));
        push.pager.maxListed = pager->maxListed;
        push.pager.mapAt =
            (uint32_t)((pager->lists + pager->listsSize * pager->listsCount - push.pager.lists) /
                       4);
    }
    return push;
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

void mur_plan_clear_pager(const MurRequest *request, MurPlan *plan) {
    const MurPagerShape *pager = request->pager;
    const uint32_t content = request->word;
    MurPush push = pager_push(pager, 0);
    push.pager.maxPages = request->paged ? request->paged->persistentPages : 0;
    push.pager.flags |= content == MUR_PAGES_ZERO      ? MUR_PAGER_FILL
                        : content == MUR_PAGES_IN_FILE ? MUR_PAGER_IN_FILE
                        : pager->lists                 ? MUR_PAGER_CHANGED
                                                       : 0;
    const uint64_t words = most(pager->ref.pageCount, MUR_PAGER_CHUNKS_AT);
    mur_plan_step_concurrent(plan, MUR_KERNEL_PAGER_CLEAR, &push,
                             mur_persistent_groups(mur_groups(MUR_KERNEL_PAGER_CLEAR, words)));
    /* If there is only one chunk, its address is in the push constants. */
    for (uint32_t i = 0; i < pager->chunkCount && pager->chunkCount > 1; i += MUR_CHUNKS_PUSHED) {
        MurPush chunks = {.chunks = {.block = pager->block, .first = i}};
        while (chunks.chunks.count < MUR_CHUNKS_PUSHED &&
               i + chunks.chunks.count < pager->chunkCount) {
            chunks.chunks.chunks[chunks.chunks.count] = pager->chunks[i + chunks.chunks.count];
            ++chunks.chunks.count;
        }
        mur_plan_step(plan, MUR_KERNEL_PAGER_CHUNKS, &chunks, 1);
    }
}

/* Limits workgroups: each first reads a list in host memory, which is usually empty. */
static uint64_t few_looks(uint64_t groups) {
    return mur_least(groups, 128);
}

/* Appends steps that load pages that the host has read, and list pages for it to read or write. */
static void plan_file(const MurPagerShape *pager, MurPagerUpdateFlags flags, const MurPush *push,
                      const MurStep *keep, MurPlan *plan) {
    const uint64_t pages = pager->ref.pageCount, listed = pager->maxListed;
    mur_plan_step(plan, MUR_KERNEL_PAGER_IMPORT, push,
                  few_looks(mur_groups(MUR_KERNEL_PAGER_IMPORT, most(pages, listed))));
    if (flags & MUR_PAGER_UPDATE_CHECKPOINT) {
        mur_plan_step(plan, MUR_KERNEL_PAGER_FLUSH, push,
                      mur_persistent_groups(pager->ref.poolPageCount));
        if (keep) {
            mur_plan_step(plan, keep->kernel, &keep->push, keep->groups);
        }
        mur_plan_few(plan, MUR_KERNEL_PAGER_PIN, push, mur_divide_up(pages, 32));
    }
    if (pager->ref.hostPageCount) {
        mur_plan_step(plan, MUR_KERNEL_PAGER_HOST, push, 1);
    }
}

void mur_plan_update(const MurPagerShape *pager, const MurPagerUpdate *paging, const MurStep *keep,
                     MurPlan *plan) {
    MurPush push = pager_push(pager, paging->frame);
    push.pager.stats = paging->stats.address;
    push.pager.maxPages = paging->maxPages;
    const uint64_t frames = pager->ref.poolPageCount, requests = pager->ref.maxRequests;
    const uint64_t pieces = 1ull << (pager->ref.pageShift - MUR_PAGER_PIECE_SHIFT);
    const uint64_t moves = mur_least(mur_least(frames, requests), paging->maxPages);
    if (pager->resident && !paging->stats.address) {
        return;
    }
    if (pager->lists) {
        plan_file(pager, paging->flags, &push, keep, plan);
    }
    mur_plan_few(plan, MUR_KERNEL_PAGER_SCAN, &push, most(frames, requests));
    mur_plan_step(plan, MUR_KERNEL_PAGER_CHOOSE, &push, 1);
    if (!pager->resident) {
        mur_plan_items(plan, MUR_KERNEL_PAGER_ASSIGN, &push, most(frames, requests));
    }
    /* A workgroup moves one piece of a page per iteration. The minimum number of workgroups limits
     * it to half of the iterations that Mesa's software device allows. */
    const uint64_t enough = mur_divide_up(moves * pieces, 1 << 15);
    mur_plan_step(plan, MUR_KERNEL_PAGER_MOVE, &push,
                  pager->resident
                      ? 1
                      : most(mur_least(mur_persistent_groups(moves * pieces), pager->moveGroups),
                             most(enough, 1)));
}

void mur_plan_update_pager(const MurRequest *request, MurPlan *plan) {
    mur_plan_update(request->pager, request->info, NULL, plan);
}

void mur_plan_pages(const MurRequest *request, MurPlan *plan) {
    const MurPageList *pages = request->info;
    MurPush push = {.pages = {
                        .pager = request->pager->ref,
                        .pages = pages->pages.address,
                        .count = pages->countAddress,
                        .maxCount = pages->maxCount,
                        .verb = request->op,
                        .priority = request->word,
                    }};
    push.pages.pager.frame = request->frame;
    mur_plan_items(plan, MUR_KERNEL_PAGER_PAGES, &push, pages->maxCount);
}

void mur_plan_flush_pager(const MurRequest *request, MurPlan *plan) {
    const MurPagerShape *pager = request->pager;
    MurPush push = pager_push(pager, 0);
    push.pager.flags |= request->word & MUR_FLUSH_EVICT ? MUR_PAGER_EVICT : 0;
    if (!pager->resident) {
        mur_plan_step(plan, MUR_KERNEL_PAGER_FLUSH, &push,
                      mur_persistent_groups(pager->ref.poolPageCount));
    }
}
