/* Commands on tables of rows.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/rows.h>

static VkResult run(const MurCall *call, MurKernel kernel) {
    const MurRowBatch *batch = call->info;
    MUR_TRY(mur_check(call));
    if (batch->numbers.address && batch->queries.address) {
        return mur_refuse(call->table->context, call->name,
                          "numbers and queries are given, expected one of them at most");
    }
    MurPlan plan;
    mur_plan_rows(&call->table->shape, kernel, batch, &plan);
    return mur_record(call->table->context, call->cmd, call->name, &plan);
}

VkResult murCmdInsertRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    return run(&MUR_CALL(INSERT_ROWS, table, pBatch, 0), MUR_KERNEL_INSERT_ROWS);
}

VkResult murCmdFindRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    return run(&MUR_CALL(FIND_ROWS, table, pBatch, 0), MUR_KERNEL_FIND_ROWS);
}
