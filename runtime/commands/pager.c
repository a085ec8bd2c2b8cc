/* Commands on pagers, and the checks that they share with commands on paged tables.
 *
 * SPDX-License-Identifier: MIT */
#include "check_paging.h"

#include "../host/size.h"

static const char *const parameters[] = {
#define COMMAND(name, parameter) parameter,
#include "paging.def"
};

static VkResult list_arguments(const MurPagingCall *call, MurArguments *list) {
    enum {
#define COMMAND(name, parameter) name = 1u << MUR_PAGING_##name,
#include "paging.def"
    };
    const MurContext context = call->pager->context;
    const MurPagedRef none = {0}, ref = call->table ? call->table->shape.ref : none;
    const uint32_t format = MUR_TABLE_FORMAT(ref.flags);
    const uint32_t key = mur_key_size(format), value = mur_value_size(format);
    const uint32_t partition = ref.locality >> 8 == MUR_PAGE_BY_PARTITION ? 4 : 0;
#include "paging.def"
    return VK_SUCCESS;
}

static MurArgument memory(const char *name, uint64_t address, uint64_t bytes) {
    return (MurArgument){name, {address, bytes}, 1, bytes, SCRATCH};
}

VkResult mur_check_paging(const MurPagingCall *call) {
    const MurPager pager = call->pager;
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), call->cmd, call->name));
    MUR_TRY(mur_check_struct(pager->context, call->name, parameters[call->verb], call->info));
    const MurPagerShape *shape = &pager->shape;
    const MurPagedShape *table = call->table ? &call->table->shape : NULL;
    for (uint32_t i = 0; i < shape->chunkCount; ++i) {
        const uint64_t first = (uint64_t)i << shape->chunkShift;
        const uint64_t left = shape->ref.pageCount - first, all = 1ull << shape->chunkShift;
        const uint64_t bytes = (left < all ? left : all) << shape->ref.pageShift;
        MurArguments list = {2,
                             {memory("the pager", shape->block, shape->bytes),
                              memory("the store", shape->chunks[i], bytes)}};
        if (table) {
            list.of[list.count++] = memory("the table", table->ref.partitions, table->bytes);
        }
        MUR_TRY(list_arguments(call, &list));
        MUR_TRY(mur_check_arguments(pager->context, call->name, &list));
    }
    return VK_SUCCESS;
}

VkResult murCmdClearPager(VkCommandBuffer cmd, MurPager pager, MurPageContent content) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), cmd, __func__));
    const uint32_t most = pager->shape.lists ? MUR_PAGES_IN_FILE : MUR_PAGES_IN_STORE;
    MUR_RUN(pager,
            mur_check_number(pager->context, __func__, "content", (uint32_t)content, 0, most),
            (mur_begin_plan(0, &plan), mur_plan_clear_pager(&pager->shape, content, &plan)));
}

VkResult murCmdFlushPager(VkCommandBuffer cmd, MurPager pager, MurFlushFlags flags) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), cmd, __func__));
    MUR_RUN(pager, mur_check_flags(pager->context, __func__, "flags", flags, MUR_FLUSH_EVICT),
            (mur_begin_plan(0, &plan), mur_plan_flush_pager(&pager->shape, flags, &plan)));
}

VkResult murCmdPage(VkCommandBuffer cmd, MurPager pager, const MurPaging *pPaging) {
    MUR_RUN(pager, mur_check_paging(&MUR_PAGING_CALL(UPDATE_PAGER, pager, NULL, pPaging, 0)),
            (mur_begin_plan(0, &plan), mur_plan_page(&pager->shape, pPaging, NULL, &plan)));
}

VkResult murCmdRequestPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages,
                            uint32_t priority, uint32_t frame) {
    MUR_TRY(mur_check_paging(&MUR_PAGING_CALL(PAGES, pager, NULL, pPages, 0)));
    MUR_RUN(pager,
            mur_check_number(pager->context, __func__, "priority", priority, 0, MUR_PAGE_PRIORITY),
            mur_plan_pages(&pager->shape, pPages, MUR_PAGES_REQUEST, priority, frame, &plan));
}

VkResult murCmdPinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    MUR_RUN(pager, mur_check_paging(&MUR_PAGING_CALL(PAGES, pager, NULL, pPages, 0)),
            mur_plan_pages(&pager->shape, pPages, MUR_PAGES_PIN, 0, 0, &plan));
}

VkResult murCmdUnpinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    MUR_RUN(pager, mur_check_paging(&MUR_PAGING_CALL(PAGES, pager, NULL, pPages, 0)),
            mur_plan_pages(&pager->shape, pPages, MUR_PAGES_UNPIN, 0, 0, &plan));
}
