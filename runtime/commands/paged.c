/* Commands on paged tables.
 *
 * SPDX-License-Identifier: MIT */
#include "check_paging.h"

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

VkResult murCmdPageTable(VkCommandBuffer cmd, MurPagedTable table, const MurTablePaging *pPaging) {
    MUR_TRY(mur_check_paging(&MUR_TABLE_CALL(UPDATE_TABLE, pPaging, 0)));
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

/* op: MUR_MODE_*, MUR_PAGED_ERASE or MUR_BULK_FIND. builds: into an empty table. */
static VkResult run(VkCommandBuffer cmd, MurPagedTable table, const char *command, uint32_t op,
                    bool builds, const MurPagedBatch *batch) {
    const uint32_t count = batch ? batch->maxCount : 0;
    const uint64_t scratch = count ? murGetPagedScratchMinimum(table, count) : 0;
    MurPagingCall call = MUR_TABLE_CALL(PAGED_FIND, batch, scratch);
    call.name = command;
    call.verb = op <= MUR_MODE_UPDATE ? MUR_PAGING_PAGED_INSERT : MUR_PAGING_PAGED_FIND;
    MUR_TRY(mur_check_paging(&call));
    MurPlan plan;
    mur_plan_paged_batch(&table->shape, &table->pager->shape, op, builds, batch, &plan);
    return mur_record(table->context, cmd, command, &plan);
}

static VkResult insert(VkCommandBuffer cmd, MurPagedTable table, const char *command,
                       MurInsertMode mode, bool builds, const MurPagedBatch *batch) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, command));
    MUR_TRY(mur_check_mode(table->context, command, table->shape.ref.flags, mode));
    return run(cmd, table, command, mode, builds, batch);
}

VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                           const MurPagedBatch *pBatch) {
    return insert(cmd, table, __func__, mode, false, pBatch);
}

VkResult murCmdPagedBuild(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                          const MurPagedBatch *pBatch) {
    return insert(cmd, table, __func__, mode, true, pBatch);
}

VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return run(cmd, table, __func__, MUR_BULK_FIND, false, pBatch);
}

VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return run(cmd, table, __func__, MUR_PAGED_ERASE, false, pBatch);
}

/* ---- All pages ------------------------------------------------------------------------------ */

VkResult murCmdPagedExtract(VkCommandBuffer cmd, MurPagedTable table,
                            const MurPagedExtract *pExtract) {
    const uint64_t scratch = murGetPagedScratchMinimum(table, 0);
    MUR_RUN(table, mur_check_paging(&MUR_TABLE_CALL(PAGED_EXTRACT, pExtract, scratch)),
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
    MUR_RUN(table, mur_check_paging(&MUR_TABLE_CALL(PAGED_REHASH, pRehash, scratch)),
            mur_plan_paged_rehash(&table->shape, &table->pager->shape, pRehash, &plan));
}
