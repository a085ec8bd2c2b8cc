/* The commands that run a batch of operations: insert, build, find, erase.
 * SPDX-License-Identifier: MIT */
#include "check.h"

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
