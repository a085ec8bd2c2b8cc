/* The commands that run a batch of operations: insert, build, find, erase; and the scratch memory
 * that they can use.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#define RUN_BATCH(NAME, mode)                                                                 \
    MUR_RUN(table, mur_check(MUR_CALL(NAME, table, pBatch, 0, .word = mode, .table = table)), \
            mur_plan_batch(&(MurRequest){&table->context->planning, &table->shape,            \
                                         MUR_COMMAND_##NAME, mode, pBatch},                   \
                           &plan))

VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                      const MurBatch *pBatch) {
    RUN_BATCH(INSERT, mode);
}

VkResult murCmdBuild(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                     const MurBatch *pBatch) {
    RUN_BATCH(BUILD, mode);
}

VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    RUN_BATCH(FIND, MUR_MODE_ASSIGN);
}

VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    RUN_BATCH(ERASE, MUR_MODE_ASSIGN);
}

VkDeviceSize murGetScratchSize(MurTable table, MurCommand command, MurInsertMode mode,
                               const MurBatch *pBatch) {
    if (!table || !pBatch || (uint32_t)command > MUR_COMMAND_ERASE) {
        return 0;
    }
    const MurRequest request = {&table->context->planning, &table->shape, command, mode, pBatch};
    MurPlan plan;
    mur_plan_batch(&request, &plan);
    return plan.scratch;
}
