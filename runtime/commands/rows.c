/* Commands on tables of rows.
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/rows.h>

VkResult murCmdInsertRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    return MUR_RUN(INSERT_ROWS, pBatch, MUR_KERNEL_INSERT_ROWS, 0, mur_plan_compared);
}

VkResult murCmdFindRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    if (table && pBatch && pBatch->rowIndices.address && pBatch->probeRows.address) {
        return mur_invalid_argument(
            table->context, __func__,
            "rowIndices and probeRows are given, expected one of them at most");
    }
    return MUR_RUN(FIND_ROWS, pBatch, MUR_KERNEL_FIND_ROWS, 0, mur_plan_compared);
}
