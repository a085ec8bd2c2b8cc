/* The commands that run a batch of operations: insert, build, find, erase; and the scratch memory
 * that they can use.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

static MurBatchRules rules_of(MurTable table, MurCommand command) {
    const uint32_t format = mur_table_format(table);
    const bool find = command == MUR_COMMAND_FIND;
    const bool erase = command == MUR_COMMAND_ERASE;
    return (MurBatchRules){
        .keySize = mur_key_size(format),
        .valueSize = mur_value_size(format),
        .flags = MUR_BATCH_EXCLUSIVE,
        .takesValues = !find && !erase,
        .writesValues = find || erase,
        .writesTable = !find,
        .hasSlots = true,
        .hasOldValues = !find && !erase,
        .hasBits = true,
        .wantsResult = find,
    };
}

static void record(VkCommandBuffer cmd, MurTable table, const char *name, MurCommand command,
                   MurInsertMode mode, const MurBatch *batch) {
    const MurRequest request = {&table->context->planning, &table->shape, command, mode, batch};
    MurPlan plan;
    mur_plan_batch(&request, &plan);
    mur_record(table->context, cmd, name, &plan);
}

/* No single value is a 64-bit key's where it has many. */
static VkResult check_table(VkCommandBuffer cmd, MurTable table, const char *name) {
    const VkResult result = mur_check_command(cmd, table, name);
    return result == VK_SUCCESS && mur_table_format(table) == MUR_FORMAT_K64V32_MULTI
               ? mur_fail(
                     &table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                     "%s: the table's format is MUR_FORMAT_K64V32_MULTI, which the commands of "
                     "murmuration/multi.h are for",
                     name)
               : result;
}

static VkResult run(VkCommandBuffer cmd, MurTable table, const char *name, MurCommand command,
                    MurInsertMode mode, const MurBatch *batch) {
    VkResult result = check_table(cmd, table, name);
    if (result == VK_SUCCESS) {
        const MurBatchRules rules = rules_of(table, command);
        result = mur_check_batch(table, name, batch, &rules);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_mode(table, name, mode);
    }
    if (result == VK_SUCCESS && command == MUR_COMMAND_BUILD && mode == MUR_MODE_UPDATE) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: mode MUR_MODE_UPDATE inserts no key, and a build starts without any",
                          name);
    }
    if (result == VK_SUCCESS) {
        record(cmd, table, name, command, mode, batch);
    }
    return result;
}

VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                      const MurBatch *pBatch) {
    return run(cmd, table, "murCmdInsert", MUR_COMMAND_INSERT, mode, pBatch);
}

VkResult murCmdBuild(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                     const MurBatch *pBatch) {
    return run(cmd, table, "murCmdBuild", MUR_COMMAND_BUILD, mode, pBatch);
}

VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run(cmd, table, "murCmdFind", MUR_COMMAND_FIND, MUR_MODE_ASSIGN, pBatch);
}

VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run(cmd, table, "murCmdErase", MUR_COMMAND_ERASE, MUR_MODE_ASSIGN, pBatch);
}

VkDeviceSize murGetScratchSize(MurTable table, MurCommand command, MurInsertMode mode,
                               const MurBatch *pBatch) {
    if (!table || !pBatch || (uint32_t)command > MUR_COMMAND_MULTI_INSERT) {
        return 0;
    }
    const MurRequest request = {&table->context->planning, &table->shape, command, mode, pBatch};
    MurPlan plan;
    mur_plan_batch(&request, &plan);
    return plan.scratch;
}
