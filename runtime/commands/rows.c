/* Tables of rows.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/rows.h>

/* An array of so many rows, all of which may be read. */
static MurArgument row_argument(MurTable table, const char *name, MurArray array, uint64_t rows,
                                bool required) {
    const uint32_t flags = table->shape.ref.flags;
    const uint64_t least = rows ? (rows - 1) * MUR_ROW_STRIDE(flags) + MUR_ROW_WORDS(flags) : 0;
    const uint64_t words = array.size / 4;
    return (MurArgument){name, array, 4, words < least ? least : words, required, false};
}

static VkResult run(VkCommandBuffer cmd, MurTable table, const char *command, MurKernel kernel,
                    const MurRowBatch *batch) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, command));
    const bool is = mur_table_format(table) == MUR_FORMAT_R32;
    if (!is || MUR_ROW_WORDS(table->shape.ref.flags) == 0) {
        return mur_refuse(table->context, command, "the table's %s",
                          is ? "flags lack MUR_ROWS: only shaders know when rows are equal"
                             : "format is not MUR_FORMAT_R32");
    }
    MUR_TRY(mur_check_struct(table->context, command, "pBatch", batch));
    const bool inserts = kernel == MUR_KERNEL_INSERT_ROWS;
    const bool numbers = batch->numbers.address != 0, queries = batch->queries.address != 0;
    if (queries && (inserts || numbers)) {
        return mur_refuse(table->context, command, "queries are for finds, and without numbers");
    }
    const uint32_t items = batch->maxCount, rows = numbers || queries ? 0 : items;
    const MurArgument arguments[] = {
        mur_word_argument(batch->countAddress, "countAddress", false),
        mur_table_argument(table, "the table", inserts),
        row_argument(table, "rows", batch->rows, rows, items != 0),
        row_argument(table, "queries", batch->queries, items, false),
        {"numbers", batch->numbers, 4, items, false, false},
        {"found", batch->found, 4, items, false, true},
        {"statuses", batch->statuses, 4, items, false, true},
    };
    MUR_TRY(mur_check_arguments(table->context, command, arguments, MUR_LENGTH(arguments)));
    MurPlan plan;
    mur_plan_rows(&table->shape, kernel, batch, &plan);
    return mur_record(table->context, cmd, command, &plan);
}

VkResult murCmdInsertRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    return run(cmd, table, __func__, MUR_KERNEL_INSERT_ROWS, pBatch);
}

VkResult murCmdFindRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    return run(cmd, table, __func__, MUR_KERNEL_FIND_ROWS, pBatch);
}
