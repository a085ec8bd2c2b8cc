/* Tables in pages.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../device/paged.h"
#include "../host/size.h"

/* Has the store a table like this? */
static VkResult check_stored(MurPagedTable table, const char *command) {
    const uint32_t first = table->shape.ref.pager.pageCount, pages = table->shape.keptPages;
    const char *lacks = pages == 0 ? "the table is not one that is kept" : NULL;
    for (uint32_t i = 0; i < pages; ++i) {
        lacks = murGetPagerStorePage(table->pager, first + i) ? lacks : "the store is not mapped";
    }
    return lacks ? mur_refuse(table->context, command, "%s", lacks)
                 : mur_check_kept(table, command);
}

VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table, MurPageContent content) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    if (content == MUR_PAGES_IN_STORE) {
        MUR_TRY(check_stored(table, __func__));
    } else if (content != MUR_PAGES_ZERO && content != MUR_PAGES_IN_FILE) {
        return mur_refuse(table->context, __func__, "content is %d", (int)content);
    }
    if (content == MUR_PAGES_IN_FILE && !table->read) {
        return mur_refuse(table->context, __func__,
                          "content is MUR_PAGES_IN_FILE, and murReadPagedTable has not read it");
    }
    MurPlan plan;
    mur_plan_clear_paged(&table->shape, &table->pager->shape, content, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

VkResult murCmdFlushPagedTable(VkCommandBuffer cmd, MurPagedTable table) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    if ((table->shape.keptPages == 0 || table->pager->host)) {
        return mur_refuse(table->context, __func__, "%s",
                          table->pager->host ? "there is a file: ask for a checkpoint"
                                             : "the table is not one that is kept");
    }
    MurPlan plan;
    mur_plan_flush_paged(&table->shape, &table->pager->shape, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

static MurArgument memory_of(MurPagedTable table) {
    return (MurArgument){"the table", {table->shape.ref.partitions, table->shape.bytes},
                         1,           table->shape.bytes,
                         true,        true};
}

VkResult murCmdPageTable(VkCommandBuffer cmd, MurPagedTable table, const MurTablePaging *pPaging) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    MUR_TRY(mur_check_struct(table->context, __func__, "pPaging", pPaging));
    const MurArgument arguments[] = {
        memory_of(table),
        {"stats", pPaging->stats, 8, sizeof(MurPagedStats) / 8, false, true},
    };
    MUR_TRY(mur_check_paging(table->pager, __func__, &pPaging->paging, arguments, 2));
    MurPlan plan;
    mur_plan_page_table(&table->shape, &table->pager->shape, pPaging, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

/* ---- Bulk commands -------------------------------------------------------------------------- */

VkDeviceSize murGetPagedScratchSize(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch(&table->shape, maxCount, mur_paged_own_pages(&table->shape))
                 : 0;
}

VkDeviceSize murGetPagedScratchMinimum(MurPagedTable table, uint32_t maxCount) {
    return table ? mur_paged_scratch_minimum(&table->shape, maxCount) : 0;
}

static MurArgument scratch_of(MurPagedTable table, MurArray scratch, uint32_t maxCount) {
    const uint64_t least = murGetPagedScratchMinimum(table, maxCount);
    return (MurArgument){"scratch", scratch, MUR_TABLE_ALIGNMENT, least / MUR_TABLE_ALIGNMENT,
                         true,      true};
}

static VkResult check_locality(MurPagedTable table, const char *command, bool partitions) {
    const uint32_t locality = table->shape.ref.locality >> 8;
    return partitions && locality != MUR_PAGE_BY_PARTITION
               ? mur_refuse(table->context, command,
                            "partitions are for tables with MUR_PAGE_BY_PARTITION")
               : VK_SUCCESS;
}

static VkResult record_batch(VkCommandBuffer cmd, MurPagedTable table, const char *command,
                             uint32_t op, bool builds, const MurPagedBatch *batch) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, command));
    MUR_TRY(mur_check_struct(table->context, command, "pBatch", batch));
    const MurPagedRef *ref = &table->shape.ref;
    const uint32_t format = MUR_TABLE_FORMAT(ref->flags), count = batch->maxCount;
    const bool some = count != 0, named = ref->locality >> 8 == MUR_PAGE_BY_PARTITION;
    const bool inserts = op <= MUR_MODE_UPDATE;
    MUR_TRY(check_locality(table, command, batch->partitions.address != 0));
    const MurArgument none = {"scratch", {0, 0}, MUR_TABLE_ALIGNMENT, 0, false, true};
    const MurArgument arguments[] = {
        memory_of(table),
        {"partitions", batch->partitions, 4, count, some && named, false},
        {"keys", batch->keys, mur_key_size(format), count, some, false},
        {"values", batch->values, mur_value_size(format), count,
         some && inserts && !MUR_IS_SET(format), !inserts},
        {"statuses", batch->statuses, 4, count, false, true},
        some ? scratch_of(table, batch->scratch, count) : none,
        mur_word_argument(batch->countAddress, "countAddress", false),
    };
    MUR_TRY(mur_check_paged_arguments(table->pager, command, arguments, MUR_LENGTH(arguments)));
    MurPlan plan;
    mur_plan_paged_batch(&table->shape, &table->pager->shape, op, builds, batch, &plan);
    return mur_record(table->context, cmd, command, &plan);
}

static VkResult record_insert(VkCommandBuffer cmd, MurPagedTable table, const char *command,
                              MurInsertMode mode, bool builds, const MurPagedBatch *batch) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, command));
    MUR_TRY(mur_check_mode(table->context, command, table->shape.ref.flags, mode));
    return record_batch(cmd, table, command, mode, builds, batch);
}

VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                           const MurPagedBatch *pBatch) {
    return record_insert(cmd, table, __func__, mode, false, pBatch);
}

VkResult murCmdPagedBuild(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                          const MurPagedBatch *pBatch) {
    return record_insert(cmd, table, __func__, mode, true, pBatch);
}

VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return record_batch(cmd, table, __func__, MUR_BULK_FIND, false, pBatch);
}

VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *pBatch) {
    return record_batch(cmd, table, __func__, MUR_PAGED_ERASE, false, pBatch);
}

/* ---- All pages ------------------------------------------------------------------------------ */

VkResult murCmdPagedExtract(VkCommandBuffer cmd, MurPagedTable table,
                            const MurPagedExtract *pExtract) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    const uint32_t format = MUR_TABLE_FORMAT(table->shape.ref.flags);
    MUR_TRY(mur_check_struct(table->context, __func__, "pExtract", pExtract));
    MUR_TRY(mur_check_predicates(table->context, __func__, format, pExtract->predicates));
    MUR_TRY(check_locality(table, __func__, pExtract->partitions.address != 0));
    MurArgument count = mur_word_argument(pExtract->countAddress, "countAddress", true);
    count.required = true;
    const MurArgument arguments[] = {
        memory_of(table),
        count,
        mur_word_argument(pExtract->leftAddress, "leftAddress", true),
        {"partitions", pExtract->partitions, 4, pExtract->maxCount, false, true},
        {"keys", pExtract->keys, mur_key_size(format), pExtract->maxCount, false, true},
        {"values", pExtract->values, mur_value_size(format), pExtract->maxCount, false, true},
        scratch_of(table, pExtract->scratch, 0),
    };
    MUR_TRY(mur_check_paged_arguments(table->pager, __func__, arguments, MUR_LENGTH(arguments)));
    MurPlan plan;
    mur_plan_paged_extract(&table->shape, &table->pager->shape, pExtract, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

VkResult murCmdPagedRehash(VkCommandBuffer cmd, MurPagedTable table,
                           const MurPagedRehash *pRehash) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    MUR_TRY(mur_check_struct(table->context, __func__, "pRehash", pRehash));
    if (table->shape.ref.locality >> 8 != MUR_PAGE_BY_HASH) {
        return mur_refuse(table->context, __func__, "the table is not one with MUR_PAGE_BY_HASH");
    }
    const MurArgument arguments[] = {
        memory_of(table),
        mur_word_argument(pRehash->countAddress, "countAddress", true),
        mur_word_argument(pRehash->leftAddress, "leftAddress", true),
        scratch_of(table, pRehash->scratch, 0),
    };
    MUR_TRY(mur_check_paged_arguments(table->pager, __func__, arguments, MUR_LENGTH(arguments)));
    MurPlan plan;
    mur_plan_paged_rehash(&table->shape, &table->pager->shape, pRehash, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}
