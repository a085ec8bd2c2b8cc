/* Commands on pagers, and the list of arguments that they share with commands on paged tables.
 * SPDX-License-Identifier: MIT */
#include "pager.h"

const MurCommandRow mur_paging_commands[MUR_PAGING_COUNT] = {
#define COMMAND(name, parameter, needs, flags) {parameter, needs, flags, 1 << MUR_PAGING_##name},
#include "paging.def"
};

MUR_STATIC_ASSERT(MUR_PAGER_CHUNKS + 16 <= MUR_MOST_ARGUMENTS);

VkResult mur_list_paging(const MurCall *call, uint64_t scratch, MurArguments *list) {
    enum {
#define COMMAND(name, ...) name = 1 << MUR_PAGING_##name,
#include "paging.def"
    };
    const int bit = call->command->bit;
    const MurPagerShape *shape = call->request.pager;
    const MurPagedShape none = {.bytes = 0},
                        *table = call->request.paged ? call->request.paged : &none;
    const uint32_t flags = table->ref.flags;
    const MurTypeInfo *type = mur_type_of(flags);
    const uint32_t key = type->keySize, value = type->valueSize;
    const uint32_t partition = table->ref.locality >> 8 == MUR_PAGE_BY_PARTITION ? 4 : 0;
    mur_list_object(list, "the pager", shape->block, shape->bytes, true);
    mur_list_object(list, "the table", table->ref.partitions, table->bytes, true);
    for (uint32_t i = 0; i < shape->chunkCount; ++i) {
        const uint64_t first = (uint64_t)i << shape->chunkShift;
        const uint64_t pages = mur_least(shape->hostPages - first, 1ull << shape->chunkShift);
        mur_list_object(list, "the store", shape->chunks[i], pages << shape->ref.pageShift, true);
    }
#include "paging.def"
    return VK_SUCCESS;
}

#define RUN_PAGER(VERB, given, operation, number, frames, planner)                              \
    mur_run(MUR_CALL(&mur_paging_commands[MUR_PAGING_##VERB], pager, .pager = MUR_SHAPE(pager), \
                     .info = given, .op = operation, .word = number, .frame = frames),          \
            mur_list_paging, planner)

VkResult mur_check_content(MurPager pager, const char *function, MurPageContent content) {
    return content == MUR_PAGES_IN_STORE && pager->shape.ref.hostPageCount
               ? mur_invalid_argument(
                     pager->context, function,
                     "content is MUR_PAGES_IN_STORE, expected another one, because "
                     "hostPageCount is %u",
                     pager->shape.ref.hostPageCount)
               : VK_SUCCESS;
}

VkResult murCmdClearPager(VkCommandBuffer cmd, MurPager pager, MurPageContent content) {
    MUR_TRY(pager ? mur_check_content(pager, __func__, content) : VK_SUCCESS);
    return RUN_PAGER(CLEAR_PAGER, NULL, 0, (uint32_t)content, 0, mur_plan_clear_pager);
}

VkResult murCmdFlushPager(VkCommandBuffer cmd, MurPager pager, MurFlushFlags flags) {
    return RUN_PAGER(FLUSH_PAGER, NULL, 0, flags, 0, mur_plan_flush_pager);
}

VkResult murCmdUpdatePager(VkCommandBuffer cmd, MurPager pager, const MurPagerUpdate *pUpdate) {
    return RUN_PAGER(UPDATE_PAGER, pUpdate, 0, 0, 0, mur_plan_update_pager);
}

VkResult murCmdRequestPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages,
                            uint32_t priority, uint32_t frame) {
    return RUN_PAGER(REQUEST_PAGES, pPages, MUR_PAGES_REQUEST, priority, frame, mur_plan_pages);
}

VkResult murCmdPinPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages) {
    return RUN_PAGER(PIN_PAGES, pPages, MUR_PAGES_PIN, 0, 0, mur_plan_pages);
}

VkResult murCmdUnpinPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages) {
    return RUN_PAGER(PIN_PAGES, pPages, MUR_PAGES_UNPIN, 0, 0, mur_plan_pages);
}

VkResult murCmdPagerBarrier(VkCommandBuffer cmd, MurPager pager) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(pager), cmd, __func__));
    mur_exit_barrier(pager->context, cmd, true);
    return VK_SUCCESS;
}
