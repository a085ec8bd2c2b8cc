/* Tables in pages.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../device/paged.h"
#include "../host/size.h"

static VkResult check_command(VkCommandBuffer cmd, MurPagedTable table, const char *command) {
    if (!table) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    return cmd ? VK_SUCCESS
               : mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: cmd is NULL",
                          command);
}

VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table, MurPageContent content) {
    const char *command = "murCmdClearPagedTable";
    VkResult result = check_command(cmd, table, command);
    if (result == VK_SUCCESS && content != MUR_PAGES_ZERO && content != MUR_PAGES_IN_FILE) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: content is %d",
                          command, (int)content);
    }
    if (result == VK_SUCCESS && content == MUR_PAGES_IN_FILE && !table->read) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: content is MUR_PAGES_IN_FILE, and murReadPagedTable has not read it",
                          command);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_clear_paged(&table->shape, &table->pager->shape, content, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

static VkResult check_paging(MurPagedTable table, const char *command,
                             const MurTablePaging *paging) {
    if (!paging || paging->pNext) {
        return mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        paging ? "pPaging->pNext is not NULL" : "pPaging is NULL");
    }
    const MurArgument arguments[] = {
        {"the table",
         {table->shape.ref.groups, table->shape.bytes},
         1,
         table->shape.bytes,
         true,
         true},
        {"stats", paging->stats, 8, sizeof(MurPagedStats) / 8, false, true},
    };
    return mur_check_paging(table->pager, command, &paging->paging, arguments, 2);
}

VkResult murCmdPageTable(VkCommandBuffer cmd, MurPagedTable table, const MurTablePaging *pPaging) {
    const char *command = "murCmdPageTable";
    VkResult result = check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_paging(table, command, pPaging);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_page_table(&table->shape, &table->pager->shape, pPaging, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

/* ---- Batches -------------------------------------------------------------------------------- */

VkDeviceSize murGetPagedScratchSize(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch(&table->shape, maxCount, mur_paged_own_pages(&table->shape))
                 : 0;
}

VkDeviceSize murGetPagedScratchMinimum(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch(&table->shape, maxCount, 1) : 0;
}

static VkResult check_batch(MurPagedTable table, const char *command, const MurPagedBatch *batch,
                            uint32_t op) {
    const MurLogger *logger = &table->context->logger;
    if (!batch || batch->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        batch ? "pBatch->pNext is not NULL" : "pBatch is NULL");
    }
    const MurPagedRef *ref = &table->shape.ref;
    const uint32_t format = MUR_TABLE_FORMAT(ref->flags), count = batch->maxCount;
    const bool some = count != 0, named = ref->locality >> 8 == MUR_PAGE_BY_NAME;
    const bool inserts = op <= MUR_MODE_UPDATE;
    if (batch->names.address && !named) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: names are for tables with MUR_PAGE_BY_NAME", command);
    }
    const uint64_t scratch = some ? murGetPagedScratchMinimum(table, count) : 0;
    const MurArgument arguments[] = {
        {"the table", {ref->groups, table->shape.bytes}, 1, table->shape.bytes, true, true},
        {"names", batch->names, 4, count, some && named, false},
        {"keys", batch->keys, mur_key_size(format), count, some, false},
        {"values", batch->values, mur_value_size(format), count,
         some && inserts && !MUR_IS_SET(format), !inserts},
        {"statuses", batch->statuses, 4, count, false, true},
        {"scratch", batch->scratch, MUR_TABLE_ALIGNMENT, scratch / MUR_TABLE_ALIGNMENT, some, true},
        mur_word_argument(batch->countAddress, "countAddress", false),
    };
    return mur_check_paged_arguments(table->pager, command, arguments,
                                     sizeof arguments / sizeof arguments[0]);
}

static VkResult record_batch(VkCommandBuffer cmd, MurPagedTable table, const char *command,
                             uint32_t op, const MurPagedBatch *batch) {
    VkResult result = check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_batch(table, command, batch, op);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_paged_batch(&table->shape, &table->pager->shape, op, batch, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                           const MurPagedBatch *pBatch) {
    const char *command = "murCmdPagedInsert";
    const VkResult result = check_command(cmd, table, command);
    if (result == VK_SUCCESS && !mur_offers_mode(table->shape.ref.flags, mode)) {
        return mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the table does not offer mode %u", command, mode);
    }
    return result == VK_SUCCESS ? record_batch(cmd, table, command, mode, pBatch) : result;
}

VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return record_batch(cmd, table, "murCmdPagedFind", MUR_BULK_FIND, pBatch);
}

VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return record_batch(cmd, table, "murCmdPagedErase", MUR_PAGED_ERASE, pBatch);
}
