/* The commands that run a batch of operations: insert, build, find, erase, and those of rows.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/rows.h>

VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                      const MurBatch *pBatch) {
    return MUR_RUN(INSERT, pBatch, MUR_COMMAND_INSERT, mode, mur_plan_batch);
}

VkResult murCmdBuild(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                     const MurBatch *pBatch) {
    return MUR_RUN(BUILD, pBatch, MUR_COMMAND_BUILD, mode, mur_plan_batch);
}

VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return MUR_RUN(FIND, pBatch, MUR_COMMAND_FIND, 0, mur_plan_batch);
}

VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return MUR_RUN(ERASE, pBatch, MUR_COMMAND_ERASE, 0, mur_plan_batch);
}

VkResult murCmdInsertRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    return MUR_RUN(INSERT_ROWS, pBatch, MUR_KERNEL_INSERT_ROWS, 0, mur_plan_rows);
}

VkResult murCmdFindRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch) {
    if (table && pBatch && pBatch->rowIndices.address && pBatch->probeRows.address) {
        return mur_invalid_argument(
            table->context, __func__,
            "rowIndices and probeRows are given, expected one of them at most");
    }
    return MUR_RUN(FIND_ROWS, pBatch, MUR_KERNEL_FIND_ROWS, 0, mur_plan_rows);
}
