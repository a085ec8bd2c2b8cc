/* Pages that come and go.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../device/pager.h"

static MurArgument pager_argument(MurPager pager) {
    return (MurArgument){
        "the pager", {pager->shape.block, pager->shape.bytes}, 1, pager->shape.bytes, true, true};
}

enum { MOST_GIVEN = 8 };

/* given: what the command is given besides the pager and its store. */
VkResult mur_check_paged_arguments(MurPager pager, const char *command, const MurArgument *given,
                                   uint32_t count) {
    const MurPagerShape *shape = &pager->shape;
    for (uint32_t i = 0; i < shape->chunkCount; ++i) {
        const uint64_t first = (uint64_t)i << shape->chunkShift;
        const uint64_t left = shape->ref.pageCount - first, all = 1ull << shape->chunkShift;
        const uint64_t bytes = (left < all ? left : all) << shape->ref.pageShift;
        MurArgument arguments[2 + MOST_GIVEN] = {
            pager_argument(pager), {"the store", {shape->chunks[i], bytes}, 1, bytes, true, true}};
        for (uint32_t j = 0; j < count; ++j) {
            arguments[2 + j] = given[j];
        }
        MUR_TRY(mur_check_arguments(pager->context, command, arguments, 2 + count));
    }
    return VK_SUCCESS;
}

VkResult murCmdClearPager(VkCommandBuffer cmd, MurPager pager, MurPageContent content) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), cmd, __func__));
    if (content != MUR_PAGES_ZERO && content != MUR_PAGES_IN_STORE &&
        (content != MUR_PAGES_IN_FILE || !pager->shape.lists)) {
        return mur_refuse(pager->context, __func__, "content is %d", (int)content);
    }
    MurPlan plan;
    mur_begin_plan(0, &plan);
    mur_plan_clear_pager(&pager->shape, content, &plan);
    return mur_record(pager->context, cmd, __func__, &plan);
}

VkResult mur_check_paging(MurPager pager, const char *command, const MurPaging *paging,
                          const MurArgument *others, uint32_t count) {
    MUR_TRY(mur_check_struct(pager->context, command, "pPaging", paging));
    if (paging->flags & ~(MurPagingFlags)(pager->shape.lists ? MUR_PAGING_CHECKPOINT : 0)) {
        return mur_refuse(pager->context, command, "flags is 0x%x", paging->flags);
    }
    MurArgument given[MOST_GIVEN] = {
        {"paging.stats", paging->stats, 8, sizeof(MurPagerStats) / 8, false, true}};
    for (uint32_t i = 0; i < count; ++i) {
        given[1 + i] = others[i];
    }
    return mur_check_paged_arguments(pager, command, given, 1 + count);
}

VkResult murCmdPage(VkCommandBuffer cmd, MurPager pager, const MurPaging *pPaging) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), cmd, __func__));
    MUR_TRY(mur_check_paging(pager, __func__, pPaging, NULL, 0));
    MurPlan plan;
    mur_begin_plan(0, &plan);
    mur_plan_page(&pager->shape, pPaging, NULL, &plan);
    return mur_record(pager->context, cmd, __func__, &plan);
}

static VkResult record_pages(VkCommandBuffer cmd, MurPager pager, const char *command,
                             const MurPages *pages, uint32_t verb, uint32_t priority,
                             uint32_t frame) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), cmd, command));
    MUR_TRY(mur_check_struct(pager->context, command, "pPages", pages));
    const MurArgument arguments[] = {
        mur_word_argument(pages->countAddress, "countAddress", false),
        {"pages", pages->pages, 4, pages->maxCount, pages->maxCount != 0, false},
    };
    MUR_TRY(mur_check_paged_arguments(pager, command, arguments, 2));
    if (priority > MUR_PAGE_PRIORITY) {
        return mur_refuse(pager->context, command, "priority is %u, not 0 to %u", priority,
                          MUR_PAGE_PRIORITY);
    }
    MurPlan plan;
    mur_plan_pages(&pager->shape, pages, verb, priority, frame, &plan);
    return mur_record(pager->context, cmd, command, &plan);
}

VkResult murCmdRequestPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages,
                            uint32_t priority, uint32_t frame) {
    return record_pages(cmd, pager, __func__, pPages, MUR_PAGES_REQUEST, priority, frame);
}

VkResult murCmdPinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    return record_pages(cmd, pager, __func__, pPages, MUR_PAGES_PIN, 0, 0);
}

VkResult murCmdUnpinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    return record_pages(cmd, pager, __func__, pPages, MUR_PAGES_UNPIN, 0, 0);
}

VkResult murCmdFlushPager(VkCommandBuffer cmd, MurPager pager, MurFlushFlags flags) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), cmd, __func__));
    if ((flags & ~(MurFlushFlags)MUR_FLUSH_EVICT)) {
        return mur_refuse(pager->context, __func__, "flags is 0x%x", flags);
    }
    MurPlan plan;
    mur_begin_plan(0, &plan);
    mur_plan_flush_pager(&pager->shape, flags, &plan);
    return mur_record(pager->context, cmd, __func__, &plan);
}
