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
    return mur_check_elements(context, command, name, array, 4, count, required);
}

VkResult mur_check_elements(MurContext context, const char *command, const char *name,
                            MurArray array, uint32_t size, uint32_t count, bool required) {
    const MurLogger *logger = &context->logger;
    if (array.address == 0) {
        return required ? mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s is required",
                                   command, name)
                        : VK_SUCCESS;
    }
    if (size == 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: a set has no %s", command, name);
    }
    if (array.address % size != 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the address of %s, 0x%llx, is not a multiple of %u", command, name,
                        (unsigned long long)array.address, size);
    }
    if (array.size / size < count) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: %s is %llu bytes, too short for %u elements of %u bytes", command,
                        name, (unsigned long long)array.size, count, size);
    }
    return VK_SUCCESS;
}

VkResult mur_check_batch(MurContext context, const char *command, const MurBatch *batch,
                         MurBatchFlags flags) {
    if (!batch || batch->pNext) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        batch ? "pBatch->pNext is not NULL" : "pBatch is NULL");
    }
    if (batch->flags & ~flags) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: flags is 0x%x", command,
                        batch->flags);
    }
    if (batch->count % 4 != 0) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the address of count, 0x%llx, is not a multiple of 4", command,
                        (unsigned long long)batch->count);
    }
    if (batch->scratch.address % 16 != 0) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the address of scratch, 0x%llx, is not a multiple of 16", command,
                        (unsigned long long)batch->scratch.address);
    }
    return VK_SUCCESS;
}

static VkResult check_batch(MurTable table, const char *command, const MurBatch *batch,
                            MurCommand kind) {
    MurContext context = table->context;
    VkResult result = mur_check_batch(context, command, batch, MUR_BATCH_EXCLUSIVE);
    if (result != VK_SUCCESS || batch->maxCount == 0) {
        return result; /* with maxCount 0 nothing will be touched, so nothing need be given */
    }
    const uint32_t count = batch->maxCount;
    const uint32_t keySize = mur_key_size(mur_table_format(table));
    const uint32_t valueSize = mur_value_size(mur_table_format(table));
    const MurWrites writes = kind == MUR_COMMAND_INSERT ? MUR_WRITES_TABLE
                             : kind == MUR_COMMAND_FIND ? MUR_WRITES_VALUES
                                                        : MUR_WRITES_BOTH;
    result = mur_check_elements(context, command, "keys", batch->keys, keySize, count, true);
    if (result == VK_SUCCESS) {
        result = mur_check_elements(context, command, "values", batch->values, valueSize, count,
                                    kind == MUR_COMMAND_INSERT && valueSize != 0);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "statuses", batch->statuses, count, false);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "slots", batch->slots, count, false);
    }
    return result == VK_SUCCESS
               ? mur_check_batch_spans(table, command, batch, keySize, valueSize, writes)
               : result;
}

MurBatchPush mur_batch_push(MurTable table, const MurBatch *batch, uint32_t mode) {
    return (MurBatchPush){
        .table = table->ref,
        .keys = batch->keys.address,
        .values = batch->values.address,
        .statuses = batch->statuses.address,
        .slots = batch->slots.address,
        .count = batch->count,
        .maxCount = batch->maxCount,
        .mode = mode,
    };
}

static void record_direct(VkCommandBuffer cmd, MurTable table, MurKernel kernel,
                          const MurBatch *batch, uint32_t mode) {
    const MurBatchPush push = mur_batch_push(table, batch, mode);
    mur_dispatch(table->context, cmd, kernel, &push, sizeof push, batch->maxCount);
}

void mur_record_batch(VkCommandBuffer cmd, MurTable table, MurKernel kernel, const char *command,
                      const MurBatch *batch, MurCommand kind, uint32_t mode) {
    if (batch->maxCount == 0) {
        return;
    }
    mur_begin_label(table->context, cmd, command);
    if (mur_lets_sort(table, batch, kind)) {
        MurBatch sorted;
        mur_record_sort(cmd, table, batch, kind, &sorted);
        record_direct(cmd, table, kernel, &sorted, mode);
        mur_record_unsort(cmd, table, batch, kind, &sorted);
    } else {
        record_direct(cmd, table, kernel, batch, mode);
    }
    mur_end_label(table->context, cmd);
}

static bool offers_mode(MurTable table, MurInsertMode mode) {
    const bool zero = (table->ref.flags & MUR_TABLE_ZERO) != 0;
    const bool set = MUR_IS_SET(mur_table_format(table));
    switch (mode) {
    case MUR_INSERT_ASSIGN:
    case MUR_INSERT_KEEP:
        return true;
    case MUR_INSERT_MIN:
        return !zero && !set;
    case MUR_INSERT_ADD:
    case MUR_INSERT_MAX:
    case MUR_INSERT_OR:
        return zero && !set;
    default:
        return false;
    }
}

VkResult mur_check_mode(MurTable table, const char *command, MurInsertMode mode) {
    return offers_mode(table, mode)
               ? VK_SUCCESS
               : mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: mode %d is not one that a table of its format and reserved value "
                          "offers",
                          command, (int)mode);
}

VkResult mur_check_insert(MurTable table, const char *command, MurInsertMode mode,
                          const MurBatch *batch) {
    VkResult result = check_batch(table, command, batch, MUR_COMMAND_INSERT);
    if (result == VK_SUCCESS) {
        result = mur_check_mode(table, command, mode);
    }
    return result;
}

/* A table of this size mostly stays in the cache of a large GPU (measured on one with 50 MB: the
 * inserts are a quarter faster up to here, slower from four times as much on). */
enum { MUR_CACHED_BYTES = 34 << 20 };

bool mur_is_cached(MurTable table) {
    return table->memory.size <= MUR_CACHED_BYTES;
}

VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const char *command = "murCmdFind";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_batch(table, command, pBatch, MUR_COMMAND_FIND);
    }
    if (result == VK_SUCCESS && pBatch->maxCount && !pBatch->values.address &&
        !pBatch->statuses.address && !pBatch->slots.address) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: one of values, statuses and slots is required", command);
    }
    if (result == VK_SUCCESS) {
        mur_record_batch(cmd, table, mur_kernel(table->ref.flags, MUR_VERB_FIND), command, pBatch,
                         MUR_COMMAND_FIND, 0);
    }
    return result;
}

VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const char *command = "murCmdErase";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_batch(table, command, pBatch, MUR_COMMAND_ERASE);
    }
    if (result == VK_SUCCESS) {
        mur_record_batch(cmd, table, mur_kernel(table->ref.flags, MUR_VERB_ERASE), command, pBatch,
                         MUR_COMMAND_ERASE, 0);
    }
    return result;
}
