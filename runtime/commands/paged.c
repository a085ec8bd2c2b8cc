/* Commands on paged tables.
 *
 * SPDX-License-Identifier: MIT */
#include "../device/paged.h"
#include "check.h"

/* Rejects tables that the store does not contain. */
static VkResult check_stored(MurPagedTable table, const char *command) {
    const uint32_t first = table->shape.ref.pager.pageCount, pages = table->shape.keptPages;
    bool mapped = true;
    for (uint32_t i = 0; i < pages; ++i) {
        mapped &= murGetPagerStorePage(table->pager, first + i) != NULL;
    }
    return pages && mapped ? mur_check_kept(table, command)
                           : mur_refuse(table->context, command, "%s",
                                        pages ? "the store is not mapped, expected pMapped"
                                              : "the table is not persistent, expected kept");
}

VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table, MurPageContent content) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    MUR_TRY(mur_check_number(table->context, __func__, "content", (uint32_t)content, 0,
                             MUR_PAGES_IN_FILE));
    MUR_TRY(content == MUR_PAGES_IN_STORE ? check_stored(table, __func__) : VK_SUCCESS);
    if (content == MUR_PAGES_IN_FILE && !table->read) {
        return mur_refuse(table->context, __func__,
                          "content is MUR_PAGES_IN_FILE, expected a table that murReadPagedTable "
                          "has read");
    }
    MUR_RUN(table, VK_SUCCESS,
            mur_plan_clear_paged(&table->shape, &table->pager->shape, content, &plan));
}

VkResult murCmdFlushPagedTable(VkCommandBuffer cmd, MurPagedTable table) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    if (table->shape.keptPages == 0 || table->pager->host) {
        return mur_refuse(table->context, __func__, "%s",
                          table->pager->host ? "the pager has a file, expected a checkpoint"
                                             : "the table is not persistent, expected kept");
    }
    MUR_RUN(table, VK_SUCCESS, mur_plan_flush_paged(&table->shape, &table->pager->shape, &plan));
}

#define CHECK_PAGED(VERB, given, bytes, number)                          \
    mur_check_paging(MUR_CALL(VERB, table, given, bytes, .word = number, \
                              .pager = table ? table->pager : VK_NULL_HANDLE, .paged = table))

VkResult murCmdPageTable(VkCommandBuffer cmd, MurPagedTable table, const MurTablePaging *pPaging) {
    MUR_TRY(CHECK_PAGED(UPDATE_TABLE, pPaging, 0, 0));
    MUR_RUN(table, mur_check_struct(table->context, __func__, "pPaging->paging", &pPaging->paging),
            mur_plan_page_table(&table->shape, &table->pager->shape, pPaging, &plan));
}

/* ---- Batches -------------------------------------------------------------------------------- */

VkDeviceSize murGetPagedScratchSize(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch(&table->shape, maxCount, mur_paged_own_pages(&table->shape))
                 : 0;
}

VkDeviceSize murGetPagedScratchMinimum(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch_minimum(&table->shape, maxCount) : 0;
}

static uint64_t scratch_for(MurPagedTable table, const MurPagedBatch *batch) {
    return batch && batch->maxCount ? murGetPagedScratchMinimum(table, batch->maxCount) : 0;
}

/* op: MUR_MODE_*, MUR_PAGED_ERASE or MUR_BULK_FIND. builds: into an empty table. */
#define RUN_PAGED(VERB, op, builds)                                           \
    MUR_RUN(table, CHECK_PAGED(VERB, pBatch, scratch_for(table, pBatch), op), \
            mur_plan_paged_batch(&table->shape, &table->pager->shape, op, builds, pBatch, &plan))

VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                           const MurPagedBatch *pBatch) {
    RUN_PAGED(PAGED_INSERT, mode, false);
}

VkResult murCmdPagedBuild(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                          const MurPagedBatch *pBatch) {
    RUN_PAGED(PAGED_INSERT, mode, true);
}

VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    RUN_PAGED(PAGED_FIND, MUR_BULK_FIND, false);
}

VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    RUN_PAGED(PAGED_FIND, MUR_PAGED_ERASE, false);
}

/* ---- All pages ------------------------------------------------------------------------------ */

VkResult murCmdPagedExtract(VkCommandBuffer cmd, MurPagedTable table,
                            const MurPagedExtract *pExtract) {
    const uint64_t scratch = murGetPagedScratchMinimum(table, 0);
    MUR_RUN(table, CHECK_PAGED(PAGED_EXTRACT, pExtract, scratch, 0),
            mur_plan_paged_extract(&table->shape, &table->pager->shape, pExtract, &plan));
}

VkResult murCmdPagedRehash(VkCommandBuffer cmd, MurPagedTable table,
                           const MurPagedRehash *pRehash) {
    const uint64_t scratch = murGetPagedScratchMinimum(table, 0);
    if (table && table->shape.ref.locality >> 8 != MUR_PAGE_BY_HASH) {
        return mur_refuse(table->context, __func__,
                          "the table's locality is %u, expected MUR_PAGE_BY_HASH",
                          table->shape.ref.locality >> 8);
    }
    MUR_RUN(table, CHECK_PAGED(PAGED_REHASH, pRehash, scratch, 0),
            mur_plan_paged_rehash(&table->shape, &table->pager->shape, pRehash, &plan));
}
