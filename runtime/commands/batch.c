/* The commands that run a batch of operations: insert, build, find, erase; and the scratch memory
 * that they can use.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

MUR_STATIC_ASSERT(MUR_VERB_ERASE == (int)MUR_COMMAND_ERASE);

static VkResult run(VkCommandBuffer cmd, MurTable table, const char *name, MurCommand command,
                    MurInsertMode mode, const MurBatch *batch) {
    const MurCall call = {name, (MurVerb)command, cmd, table, batch, .mode = mode};
    MUR_TRY(mur_check(&call));
    if (command == MUR_COMMAND_BUILD && mode == MUR_MODE_UPDATE) {
        return mur_refuse(table->context, name,
                          "mode is MUR_MODE_UPDATE, expected one that inserts keys");
    }
    const MurRequest request = {&table->context->planning, &table->shape, command, mode, batch};
    MurPlan plan;
    mur_plan_batch(&request, &plan);
    return mur_record(table->context, cmd, name, &plan);
}

VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                      const MurBatch *pBatch) {
    return run(cmd, table, __func__, MUR_COMMAND_INSERT, mode, pBatch);
}

VkResult murCmdBuild(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                     const MurBatch *pBatch) {
    return run(cmd, table, __func__, MUR_COMMAND_BUILD, mode, pBatch);
}

VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run(cmd, table, __func__, MUR_COMMAND_FIND, MUR_MODE_ASSIGN, pBatch);
}

VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run(cmd, table, __func__, MUR_COMMAND_ERASE, MUR_MODE_ASSIGN, pBatch);
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
