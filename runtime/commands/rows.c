/* Commands on tables of rows.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/rows.h>

VkResult murCmdInsertRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    MUR_RUN(table, mur_check(MUR_CALL(INSERT_ROWS, table, pBatch, 0, .table = table)),
            mur_plan_rows(&table->shape, MUR_KERNEL_INSERT_ROWS, pBatch, &plan));
}

VkResult murCmdFindRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    if (table && pBatch && pBatch->numbers.address && pBatch->queries.address) {
        return mur_refuse(table->context, __func__,
                          "numbers and queries are given, expected one of them at most");
    }
    MUR_RUN(table, mur_check(MUR_CALL(FIND_ROWS, table, pBatch, 0, .table = table)),
            mur_plan_rows(&table->shape, MUR_KERNEL_FIND_ROWS, pBatch, &plan));
}
