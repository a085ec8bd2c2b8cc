/* The commands that run a batch of operations: insert, find, erase.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

VkResult mur_check_command(VkCommandBuffer cmd, MurTable table, const char *command) {
    if (!table) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    if (!cmd) {
        return mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: cmd is NULL",
                        command);
    }
    return VK_SUCCESS;
}

VkResult mur_check_array(MurContext context, const char *command, const char *name, MurArray array,
                         uint32_t count, bool required) {
    const MurLogger *logger = &context->logger;
    if (array.address == 0) {
        return required ? mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s is required",
                                   command, name)
                        : VK_SUCCESS;
    }
    if (array.address % 4 != 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the address of %s, 0x%llx, is not a multiple of 4", command, name,
                        (unsigned long long)array.address);
    }
    if (array.size / 4 < count) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: %s is %llu bytes, too short for %u elements of 4 bytes", command, name,
                        (unsigned long long)array.size, count);
    }
    return VK_SUCCESS;
}

static VkResult check_batch(MurTable table, const char *command, const MurBatch *batch,
                            bool valuesRequired) {
    MurContext context = table->context;
    if (!batch || batch->pNext) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        batch ? "pBatch->pNext is not NULL" : "pBatch is NULL");
    }
    if (batch->flags & ~(MurBatchFlags)MUR_BATCH_UNIQUE_KEYS) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: flags is 0x%x", command,
                        batch->flags);
    }
    if (batch->count % 4 != 0) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the address of count, 0x%llx, is not a multiple of 4", command,
                        (unsigned long long)batch->count);
    }
    uint32_t count = batch->maxCount;
    if (count == 0) {
        return VK_SUCCESS; /* nothing will be touched, so nothing need be given */
    }
    VkResult result = mur_check_array(context, command, "keys", batch->keys, count, true);
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "values", batch->values, count, valuesRequired);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "statuses", batch->statuses, count, false);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "slots", batch->slots, count, false);
    }
    return result;
}

static void record(VkCommandBuffer cmd, MurTable table, MurKernel kernel, const char *command,
                   const MurBatch *batch, uint32_t mode) {
    if (batch->maxCount == 0) {
        return;
    }
    const MurBatchPush push = {
        .table = table->ref,
        .keys = batch->keys.address,
        .values = batch->values.address,
        .statuses = batch->statuses.address,
        .slots = batch->slots.address,
        .count = batch->count,
        .maxCount = batch->maxCount,
        .mode = mode,
    };
    mur_begin_label(table->context, cmd, command);
    mur_dispatch(table->context, cmd, kernel, &push, sizeof push, batch->maxCount);
    mur_end_label(table->context, cmd);
}

static bool offers_mode(MurTable table, MurInsertMode mode) {
    bool zero = (table->ref.flags & MUR_TABLE_ZERO) != 0;
    switch (mode) {
    case MUR_INSERT_ASSIGN:
    case MUR_INSERT_KEEP:
        return true;
    case MUR_INSERT_MIN:
        return !zero;
    case MUR_INSERT_ADD:
    case MUR_INSERT_MAX:
    case MUR_INSERT_OR:
        return zero;
    default:
        return false;
    }
}

VkResult mur_check_mode(MurTable table, const char *command, MurInsertMode mode) {
    return offers_mode(table, mode)
               ? VK_SUCCESS
               : mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: mode %d is not one that a table with its reserved value offers",
                          command, (int)mode);
}

VkResult mur_check_insert(MurTable table, const char *command, MurInsertMode mode,
                          const MurBatch *batch) {
    VkResult result = check_batch(table, command, batch, true);
    return result == VK_SUCCESS ? mur_check_mode(table, command, mode) : result;
}

void mur_record_insert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                       const MurBatch *batch) {
    bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    record(cmd, table, wide ? MUR_KERNEL_INSERT_64 : MUR_KERNEL_INSERT_32, "murCmdInsert", batch,
           (uint32_t)mode);
}

VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                      const MurBatch *pBatch) {
    const char *command = "murCmdInsert";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = mur_check_insert(table, command, mode, pBatch);
    }
    if (result == VK_SUCCESS) {
        mur_record_insert(cmd, table, mode, pBatch);
    }
    return result;
}

VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const char *command = "murCmdFind";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_batch(table, command, pBatch, false);
    }
    if (result == VK_SUCCESS && pBatch->maxCount && !pBatch->values.address &&
        !pBatch->statuses.address && !pBatch->slots.address) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: one of values, statuses and slots is required", command);
    }
    if (result == VK_SUCCESS) {
        record(cmd, table, MUR_KERNEL_FIND, command, pBatch, 0);
    }
    return result;
}

VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const char *command = "murCmdErase";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_batch(table, command, pBatch, false);
    }
    if (result == VK_SUCCESS) {
        bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
        record(cmd, table, wide ? MUR_KERNEL_ERASE_64 : MUR_KERNEL_ERASE_32, command, pBatch, 0);
    }
    return result;
}
