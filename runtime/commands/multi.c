/* Tables with many values a key.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

#include <murmuration/multi.h>

static VkResult check_table(VkCommandBuffer cmd, MurTable table, const char *command) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, command));
    return mur_check_use(table, command, MUR_USES_MULTI, "murUseMulti");
}

/* A kernel that does one thing for each item. */
static VkResult run(VkCommandBuffer cmd, MurTable table, const char *command, MurKernel kernel,
                    const MurBatch *batch, MurBatchRules rules) {
    MUR_TRY(check_table(cmd, table, command));
    MUR_TRY(mur_check_batch(table, command, batch, &rules));
    const MurRequest request = {.table = &table->shape, .batch = batch};
    MurPlan plan;
    mur_plan_kernel(&request, kernel, 0, &plan);
    return mur_record(table->context, cmd, command, &plan);
}

VkResult murCmdMultiInsert(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.takesValues = true, .writesTable = true};
    return run(cmd, table, __func__, MUR_KERNEL_MULTI_INSERT, pBatch, rules);
}

VkResult murCmdMultiCount(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.takesValues = true, .writesValues = true};
    return run(cmd, table, __func__, MUR_KERNEL_MULTI_COUNT, pBatch, rules);
}

VkResult murCmdMultiFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.writesValues = true, .wantsResult = true};
    return run(cmd, table, __func__, MUR_KERNEL_MULTI_FIND, pBatch, rules);
}

VkResult murCmdMultiErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.takesValues = true, .writesTable = true};
    return run(cmd, table, __func__, MUR_KERNEL_MULTI_ERASE, pBatch, rules);
}

VkResult murCmdMultiEraseKeys(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const MurBatchRules rules = {.writesValues = true, .writesTable = true};
    return run(cmd, table, __func__, MUR_KERNEL_MULTI_ERASE_KEYS, pBatch, rules);
}

VkDeviceSize murGetMultiRetrieveScratchSize(uint32_t maxKeys) {
    return 4 * (maxKeys + 2 * (((uint64_t)maxKeys + MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP));
}

VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                             const MurMultiRetrieve *pRetrieve) {
    MUR_TRY(check_table(cmd, table, __func__));
    MUR_TRY(mur_check_struct(table->context, __func__, "pRetrieve", pRetrieve));
    const uint32_t keys = pRetrieve->maxKeys, values = pRetrieve->maxValues;
    if (keys == UINT32_MAX) {
        return mur_refuse(table->context, __func__,
                          "maxKeys is too large: there is one offset more");
    }
    const MurArgument arguments[] = {
        mur_word_argument(pRetrieve->countAddress, "countAddress", false),
        mur_word_argument(pRetrieve->totalAddress, "totalAddress", true),
        mur_table_argument(table, "the table", false),
        {"keys", pRetrieve->keys, mur_multi_key_size(mur_table_format(table)), keys, true, false},
        {"offsets", pRetrieve->offsets, 4, keys + 1ull, true, true},
        {"values", pRetrieve->values, 4, values, values != 0, true},
        {"keyIndices", pRetrieve->keyIndices, 4, values, false, true},
        {"scratch", pRetrieve->scratch, 4, murGetMultiRetrieveScratchSize(keys) / 4, true, true},
    };
    /* Without keys nothing but the first two need be right. */
    MUR_TRY(
        mur_check_arguments(table->context, __func__, arguments, keys ? MUR_LENGTH(arguments) : 2));
    MurPlan plan;
    mur_plan_multi_retrieve(&table->shape, pRetrieve, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}
