/* Pages that come and go.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../device/pager.h"

static VkResult check_command(VkCommandBuffer cmd, MurPager pager, const char *command) {
    if (!pager) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    return cmd ? VK_SUCCESS
               : mur_fail(&pager->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: cmd is NULL",
                          command);
}

static MurArgument pager_argument(MurPager pager) {
    return (MurArgument){
        "the pager", {pager->shape.block, pager->shape.bytes}, 1, pager->shape.bytes, true, true};
}

enum { MOST_GIVEN = 8 };

/* given: what the command is given besides the pager and its store. */
static VkResult check_memory(MurPager pager, const char *command, const MurArgument *given,
                             uint32_t count) {
    VkResult result = VK_SUCCESS;
    const MurPagerShape *shape = &pager->shape;
    for (uint32_t i = 0; i < shape->chunkCount && result == VK_SUCCESS; ++i) {
        const uint64_t first = (uint64_t)i << shape->chunkShift;
        const uint64_t left = shape->ref.pageCount - first, all = 1ull << shape->chunkShift;
        const uint64_t bytes = (left < all ? left : all) << shape->ref.pageShift;
        MurArgument arguments[2 + MOST_GIVEN] = {
            pager_argument(pager), {"the store", {shape->chunks[i], bytes}, 1, bytes, true, true}};
        for (uint32_t j = 0; j < count; ++j) {
            arguments[2 + j] = given[j];
        }
        result = mur_check_arguments(pager->context, command, arguments, 2 + count);
    }
    return result;
}

VkResult murCmdClearPager(VkCommandBuffer cmd, MurPager pager, MurPageContent content) {
    const char *command = "murCmdClearPager";
    VkResult result = check_command(cmd, pager, command);
    if (result == VK_SUCCESS && content != MUR_PAGES_ZERO && content != MUR_PAGES_IN_STORE &&
        (content != MUR_PAGES_IN_FILE || !pager->shape.lists)) {
        result = mur_fail(&pager->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: content is %d",
                          command, (int)content);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_clear_pager(&pager->shape, content, &plan);
        mur_record(pager->context, cmd, command, &plan);
    }
    return result;
}

VkResult mur_check_paged_arguments(MurPager pager, const char *command,
                                   const MurArgument *arguments, uint32_t count) {
    return check_memory(pager, command, arguments, count);
}

VkResult mur_check_paging(MurPager pager, const char *command, const MurPaging *paging,
                          const MurArgument *others, uint32_t count) {
    const MurLogger *logger = &pager->context->logger;
    if (!paging || paging->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        paging ? "pPaging->pNext is not NULL" : "pPaging is NULL");
    }
    if (paging->flags & ~(MurPagingFlags)(pager->shape.lists ? MUR_PAGING_CHECKPOINT : 0)) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: flags is 0x%x", command,
                        paging->flags);
    }
    MurArgument given[MOST_GIVEN] = {
        {"paging.stats", paging->stats, 8, sizeof(MurPagerStats) / 8, false, true}};
    for (uint32_t i = 0; i < count; ++i) {
        given[1 + i] = others[i];
    }
    return check_memory(pager, command, given, 1 + count);
}

VkResult murCmdPage(VkCommandBuffer cmd, MurPager pager, const MurPaging *pPaging) {
    const char *command = "murCmdPage";
    VkResult result = check_command(cmd, pager, command);
    if (result == VK_SUCCESS) {
        result = mur_check_paging(pager, command, pPaging, NULL, 0);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_page(&pager->shape, pPaging, &plan);
        mur_record(pager->context, cmd, command, &plan);
    }
    return result;
}

static VkResult check_pages(MurPager pager, const char *command, const MurPages *pages) {
    const MurLogger *logger = &pager->context->logger;
    if (!pages || pages->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        pages ? "pPages->pNext is not NULL" : "pPages is NULL");
    }
    const MurArgument arguments[] = {
        mur_word_argument(pages->countAddress, "countAddress", false),
        {"pages", pages->pages, 4, pages->maxCount, pages->maxCount != 0, false},
    };
    return check_memory(pager, command, arguments, 2);
}

static VkResult record_pages(VkCommandBuffer cmd, MurPager pager, const char *command,
                             const MurPages *pages, uint32_t verb, uint32_t priority,
                             uint32_t frame) {
    VkResult result = check_command(cmd, pager, command);
    if (result == VK_SUCCESS) {
        result = check_pages(pager, command, pages);
    }
    if (result == VK_SUCCESS && priority > MUR_PAGE_PRIORITY) {
        result = mur_fail(&pager->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: priority is %u, not 0 to %u", command, priority, MUR_PAGE_PRIORITY);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_pages(&pager->shape, pages, verb, priority, frame, &plan);
        mur_record(pager->context, cmd, command, &plan);
    }
    return result;
}

VkResult murCmdRequestPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages,
                            uint32_t priority, uint32_t frame) {
    return record_pages(cmd, pager, "murCmdRequestPages", pPages, MUR_PAGES_REQUEST, priority,
                        frame);
}

VkResult murCmdPinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    return record_pages(cmd, pager, "murCmdPinPages", pPages, MUR_PAGES_PIN, 0, 0);
}

VkResult murCmdUnpinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    return record_pages(cmd, pager, "murCmdUnpinPages", pPages, MUR_PAGES_UNPIN, 0, 0);
}

VkResult murCmdFlushPager(VkCommandBuffer cmd, MurPager pager, MurFlushFlags flags) {
    const char *command = "murCmdFlushPager";
    VkResult result = check_command(cmd, pager, command);
    if (result == VK_SUCCESS && (flags & ~(MurFlushFlags)MUR_FLUSH_EVICT)) {
        result = mur_fail(&pager->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: flags is 0x%x",
                          command, flags);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_flush_pager(&pager->shape, flags, &plan);
        mur_record(pager->context, cmd, command, &plan);
    }
    return result;
}
