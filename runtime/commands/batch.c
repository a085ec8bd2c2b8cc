/* The commands that run a batch of operations: insert, build, find, erase; and the scratch memory
 * that they can use.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

static VkResult run(VkCommandBuffer cmd, MurTable table, const char *name, MurCommand command,
                    MurInsertMode mode, const MurBatch *batch) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, name));
    if (mur_table_format(table) >= MUR_FORMAT_COUNT) { /* no single value is a key's; no key */
        const bool rows = mur_table_format(table) == MUR_FORMAT_R32;
        return mur_refuse(table->context, name,
                          "the table's format is MUR_FORMAT_%s, which the commands of "
                          "murmuration/%s.h are for",
                          rows ? "R32" : "K64V32_MULTI", rows ? "rows" : "multi");
    }
    MUR_TRY(command == MUR_COMMAND_BUILD ? mur_check_linear(table, name) : VK_SUCCESS);
    const bool find = command == MUR_COMMAND_FIND, erase = command == MUR_COMMAND_ERASE;
    const MurBatchRules rules = {.takesValues = !find && !erase,
                                 .writesValues = find || erase,
                                 .writesTable = !find,
                                 .single = true,
                                 .wantsResult = find};
    MUR_TRY(mur_check_batch(table, name, batch, &rules));
    MUR_TRY(mur_check_mode(table->context, name, table->shape.ref.flags, mode));
    if (command == MUR_COMMAND_BUILD && mode == MUR_MODE_UPDATE) {
        return mur_refuse(table->context, name,
                          "mode MUR_MODE_UPDATE inserts no key, and a build starts without any");
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
