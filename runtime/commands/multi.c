/* Tables with many values a key.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

#include <murmuration/multi.h>

static VkResult check_table(VkCommandBuffer cmd, MurTable table, const char *command) {
    const VkResult result = mur_check_command(cmd, table, command);
    return result == VK_SUCCESS ? mur_check_use(table, command, MUR_USES_MULTI, "murUseMulti")
                                : result;
}

static VkResult check_batch(VkCommandBuffer cmd, MurTable table, const char *command,
                            const MurBatch *batch, MurBatchRules rules) {
    const VkResult result = check_table(cmd, table, command);
    if (result != VK_SUCCESS) {
        return result;
    }
    rules.keySize = mur_multi_key_size(mur_table_format(table));
    rules.valueSize = 4;
    return mur_check_batch(table, command, batch, &rules);
}

VkResult murCmdMultiInsert(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const char *command = "murCmdMultiInsert";
    const MurBatchRules rules = {.takesValues = true, .writesTable = true};
    const VkResult result = check_batch(cmd, table, command, pBatch, rules);
    if (result == VK_SUCCESS) {
        const MurRequest request = {&table->context->planning, &table->shape,
                                    MUR_COMMAND_MULTI_INSERT, MUR_MODE_ASSIGN, pBatch};
        MurPlan plan;
        mur_plan_batch(&request, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

/* A kernel that does one thing for each item. */
static VkResult run(VkCommandBuffer cmd, MurTable table, const char *command, MurKernel kernel,
                    const MurBatch *batch, MurBatchRules rules) {
    const VkResult result = check_batch(cmd, table, command, batch, rules);
    if (result == VK_SUCCESS) {
        const MurRequest request = {.table = &table->shape, .batch = batch};
        MurPlan plan;
        mur_plan_multi_items(&request, kernel, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

VkResult murCmdMultiCount(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.takesValues = true, .writesValues = true};
    return run(cmd, table, "murCmdMultiCount", MUR_KERNEL_MULTI_COUNT, pBatch, rules);
}

VkResult murCmdMultiFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.writesValues = true, .wantsResult = true};
    return run(cmd, table, "murCmdMultiFind", MUR_KERNEL_MULTI_FIND, pBatch, rules);
}

VkResult murCmdMultiErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.takesValues = true, .writesTable = true};
    return run(cmd, table, "murCmdMultiErase", MUR_KERNEL_MULTI_ERASE, pBatch, rules);
}

VkResult murCmdMultiEraseKeys(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.writesValues = true, .writesTable = true};
    return run(cmd, table, "murCmdMultiEraseKeys", MUR_KERNEL_MULTI_ERASE_KEYS, pBatch, rules);
}

VkDeviceSize murGetMultiRetrieveScratchSize(uint32_t maxKeys) {
    return 4 * (maxKeys + 2 * (((uint64_t)maxKeys + MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP));
}

static VkResult check_retrieve(MurTable table, const char *command,
                               const MurMultiRetrieve *retrieve) {
    const MurLogger *logger = &table->context->logger;
    if (!retrieve || retrieve->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        retrieve ? "pRetrieve->pNext is not NULL" : "pRetrieve is NULL");
    }
    const uint32_t keys = retrieve->maxKeys;
    const uint32_t values = retrieve->maxValues;
    if (keys == UINT32_MAX) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: maxKeys is too large: there is one offset more", command);
    }
    const MurArgument arguments[] = {
        mur_word_argument(retrieve->countAddress, "countAddress", false),
        mur_word_argument(retrieve->totalAddress, "totalAddress", true),
        mur_table_argument(table, "the table", false),
        {"keys", retrieve->keys, mur_multi_key_size(mur_table_format(table)), keys, true, false},
        {"offsets", retrieve->offsets, 4, keys + 1ull, true, true},
        {"values", retrieve->values, 4, values, values != 0, true},
        {"keyIndices", retrieve->keyIndices, 4, values, false, true},
        {"scratch", retrieve->scratch, 4, murGetMultiRetrieveScratchSize(keys) / 4, true, true},
    };
    /* Without keys nothing but the first two need be right. */
    return mur_check_arguments(table->context, command, arguments,
                               keys ? sizeof arguments / sizeof arguments[0] : 2);
}

VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                             const MurMultiRetrieve *pRetrieve) {
    const char *command = "murCmdMultiRetrieve";
    VkResult result = check_table(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_retrieve(table, command, pRetrieve);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_multi_retrieve(&table->shape, pRetrieve, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}
