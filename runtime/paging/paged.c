/* Commands on paged tables.
 * SPDX-License-Identifier: MIT */
#include "pager.h"

/* Runs a batch on a paged table. operation: MUR_MODE_*, MUR_PAGED_ERASE or MUR_BULK_FIND. */
#define RUN_PAGED(VERB, given, operation, number, planner)                                         \
    mur_run(MUR_CALL(&mur_paging_commands[MUR_PAGING_##VERB], table, .paged = MUR_SHAPE(table),    \
                     .tableFlags = table ? table->shape.ref.flags : 0,                             \
                     .pager = table ? &table->pager->shape : NULL, .info = given, .op = operation, \
                     .word = number),                                                              \
            mur_list_paging, planner)

/* Checks a table before its content is taken from the store: it must be persistent, the store must
 * be mapped, and the store must contain a state of this table. */
static VkResult check_stored(MurPagedTable table, const char *command) {
    const uint32_t pages = table->shape.persistentPages;
    bool mapped = true;
    for (uint32_t i = 0; i < pages; ++i) {
        mapped &= mur_kept_page(table, i) != NULL;
    }
    return pages && mapped
               ? mur_check_kept(table, command)
               : mur_invalid_argument(table->context, command, "%s",
                                      pages ? "the store is not mapped, expected pMapped"
                                            : "persistent is VK_FALSE, expected VK_TRUE");
}

VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table, MurPageContent content) {
    MUR_TRY(table ? mur_check_content(table->pager, __func__, content) : VK_SUCCESS);
    MUR_TRY(table && content == MUR_PAGES_IN_STORE ? check_stored(table, __func__) : VK_SUCCESS);
    if (table && content == MUR_PAGES_IN_FILE && !table->read) {
        return mur_invalid_argument(
            table->context, __func__,
            "content is MUR_PAGES_IN_FILE, expected a table that murReadPagedTable "
            "has read");
    }
    return RUN_PAGED(CLEAR_TABLE, NULL, 0, (uint32_t)content, mur_plan_clear_paged);
}

VkResult murCmdFlushPagedTable(VkCommandBuffer cmd, MurPagedTable table) {
    if (table && (table->shape.persistentPages == 0 || table->pager->host)) {
        return mur_invalid_argument(table->context, __func__, "%s",
                                    table->pager->host
                                        ? "the pager has a file, expected a checkpoint"
                                        : "persistent is VK_FALSE, expected VK_TRUE");
    }
    return RUN_PAGED(FLUSH_TABLE, NULL, 0, 0, mur_plan_flush_paged);
}

VkResult murCmdUpdatePagedTable(VkCommandBuffer cmd, MurPagedTable table,
                                const MurPagedTableUpdate *pUpdate) {
    MUR_TRY(table && pUpdate
                ? mur_check_struct(table->context, __func__, "pUpdate->pager", &pUpdate->pager)
                : VK_SUCCESS);
    return RUN_PAGED(UPDATE_TABLE, pUpdate, 0, 0, mur_plan_update_paged_table);
}

VkDeviceSize murGetPagedScratchSize(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch(&table->shape, maxCount, mur_paged_own_pages(&table->shape))
                 : 0;
}

VkDeviceSize murGetPagedScratchMinimum(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch_minimum(&table->shape, maxCount) : 0;
}

VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                           const MurPagedBatch *pBatch) {
    return RUN_PAGED(PAGED_INSERT, pBatch, mode, mode, mur_plan_paged_batch);
}

VkResult murCmdPagedBuild(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                          const MurPagedBatch *pBatch) {
    return RUN_PAGED(PAGED_INSERT, pBatch, mode, mode, mur_plan_paged_build);
}

VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return RUN_PAGED(PAGED_FIND, pBatch, MUR_BULK_FIND, 0, mur_plan_paged_batch);
}

VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return RUN_PAGED(PAGED_FIND, pBatch, MUR_PAGED_ERASE, 0, mur_plan_paged_batch);
}

VkResult murCmdPagedExtract(VkCommandBuffer cmd, MurPagedTable table,
                            const MurPagedExtract *pExtract) {
    return RUN_PAGED(PAGED_EXTRACT, pExtract, 0, 0, mur_plan_paged_extract);
}

VkResult murCmdPagedRehash(VkCommandBuffer cmd, MurPagedTable table,
                           const MurPagedRehash *pRehash) {
    if (table && table->shape.ref.locality >> 8 != MUR_PAGE_BY_HASH) {
        return mur_invalid_argument(table->context, __func__,
                                    "the table's locality is %u, expected MUR_PAGE_BY_HASH",
                                    table->shape.ref.locality >> 8);
    }
    return RUN_PAGED(PAGED_REHASH, pRehash, 0, 0, mur_plan_paged_rehash);
}
