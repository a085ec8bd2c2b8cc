/* Commands on pagers, and the checks that they share with commands on paged tables.
 *
 * SPDX-License-Identifier: MIT */
#include "../device/paged.h"
#include "../host/size.h"
#include "check.h"

static VkResult list_paging_arguments(const MurCall *call, MurArguments *list) {
    enum {
#define COMMAND(name, ...) name = 1 << (MUR_VERB_##name - MUR_VERB_CLEAR_PAGER),
#include "paging.def"
    };
    const int bit = 1 << (call->verb - MUR_VERB_CLEAR_PAGER);
    const MurPagerShape *shape = &call->pager->shape;
    const MurPagedRef none = {0}, ref = call->paged ? call->paged->shape.ref : none;
    const uint32_t flags = ref.flags, format = MUR_TABLE_FORMAT(flags);
    const uint32_t key = mur_key_size(format), value = mur_value_size(format);
    const uint32_t partition = ref.locality >> 8 == MUR_PAGE_BY_PARTITION ? 4 : 0;
#include "paging.def"
    return VK_SUCCESS;
}

VkResult mur_check_paging(const MurCall *call) {
    MUR_TRY(mur_check_command(call->context, call->cmd, call->name));
    const MurPagerShape *shape = &call->pager->shape;
    for (uint32_t i = 0; i < shape->chunkCount; ++i) {
        const uint64_t first = (uint64_t)i << shape->chunkShift;
        const uint64_t left = shape->ref.pageCount - first, all = 1ull << shape->chunkShift;
        const uint64_t bytes = (left < all ? left : all) << shape->ref.pageShift;
        MurArguments list = {2,
                             {mur_object("the pager", shape->block, shape->bytes, true),
                              mur_object("the store", shape->chunks[i], bytes, true)}};
        if (call->paged) {
            const MurPagedShape *table = &call->paged->shape;
            list.of[list.count++] = mur_object("the table", table->ref.partitions, table->bytes,
                                               true);
        }
        MUR_TRY(mur_check_memory(call, &list, list_paging_arguments));
    }
    return VK_SUCCESS;
}

#define CHECK_PAGER(VERB, given, number) \
    mur_check_paging(MUR_CALL(VERB, pager, given, 0, .word = number, .pager = pager))

VkResult murCmdClearPager(VkCommandBuffer cmd, MurPager pager, MurPageContent content) {
    MUR_RUN(pager, CHECK_PAGER(CLEAR_PAGER, NULL, (uint32_t)content),
            (mur_begin_plan(0, &plan), mur_plan_clear_pager(&pager->shape, content, &plan)));
}

VkResult murCmdFlushPager(VkCommandBuffer cmd, MurPager pager, MurFlushFlags flags) {
    MUR_RUN(pager, CHECK_PAGER(FLUSH_PAGER, NULL, flags),
            (mur_begin_plan(0, &plan), mur_plan_flush_pager(&pager->shape, flags, &plan)));
}

VkResult murCmdPage(VkCommandBuffer cmd, MurPager pager, const MurPaging *pPaging) {
    MUR_RUN(pager, CHECK_PAGER(UPDATE_PAGER, pPaging, 0),
            (mur_begin_plan(0, &plan), mur_plan_page(&pager->shape, pPaging, NULL, &plan)));
}

VkResult murCmdRequestPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages,
                            uint32_t priority, uint32_t frame) {
    MUR_RUN(pager, CHECK_PAGER(REQUEST_PAGES, pPages, priority),
            mur_plan_pages(&pager->shape, pPages, MUR_PAGES_REQUEST, priority, frame, &plan));
}

VkResult murCmdPinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    MUR_RUN(pager, CHECK_PAGER(PIN_PAGES, pPages, 0),
            mur_plan_pages(&pager->shape, pPages, MUR_PAGES_PIN, 0, 0, &plan));
}

VkResult murCmdUnpinPages(VkCommandBuffer cmd, MurPager pager, const MurPages *pPages) {
    MUR_RUN(pager, CHECK_PAGER(PIN_PAGES, pPages, 0),
            mur_plan_pages(&pager->shape, pPages, MUR_PAGES_UNPIN, 0, 0, &plan));
}
