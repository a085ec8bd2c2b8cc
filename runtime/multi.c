/* Tables with many values a key.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

#include <murmuration/multi.h>

static MurKernel by_width(MurTable table, MurKernel narrow, MurKernel wide) {
    return table->ref.flags & MUR_TABLE_INT64 ? wide : narrow;
}

static VkResult check_info(MurContext context, const char *function,
                           const MurTableCreateInfo *info) {
    if (!context) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    if (!info) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: pCreateInfo is NULL",
                        function);
    }
    if (info->format != MUR_FORMAT_K64V32 || info->reservedValue != MUR_RESERVED_VALUE_ZERO) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: format must be MUR_FORMAT_K64V32 and reservedValue "
                        "MUR_RESERVED_VALUE_ZERO",
                        function);
    }
    return VK_SUCCESS;
}

static VkResult prepare_width(MurContext context, bool wide) {
    const MurKernel kernels[] = {
        MUR_KERNEL_MULTI_FIND,
        MUR_KERNEL_MULTI_COUNT,
        MUR_KERNEL_MULTI_RETRIEVE_COUNT,
        MUR_KERNEL_MULTI_RETRIEVE_SCAN,
        MUR_KERNEL_MULTI_RETRIEVE_OFFSETS,
        MUR_KERNEL_MULTI_RETRIEVE_WRITE,
        wide ? MUR_KERNEL_MULTI_INSERT_64 : MUR_KERNEL_MULTI_INSERT_32,
        wide ? MUR_KERNEL_MULTI_ERASE_64 : MUR_KERNEL_MULTI_ERASE_32,
        wide ? MUR_KERNEL_MULTI_ERASE_KEYS_64 : MUR_KERNEL_MULTI_ERASE_KEYS_32,
    };
    const MurKernel each = wide ? MUR_KERNEL_MULTI_INSERT_EACH_64 : MUR_KERNEL_MULTI_INSERT_EACH_32;
    MurKernelList list = {.count = 0};
    mur_add_kernels(&list, kernels, sizeof kernels / sizeof kernels[0]);
    if (mur_can_slice(context)) {
        mur_add_kernels(&list, &each, 1);
        mur_add_multi_sort(&list);
    }
    return mur_prepare_list(context, list.kernels, list.count);
}

VkResult murPrepareMultiPipelines(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    VkResult result = check_info(context, "murPrepareMultiPipelines", pCreateInfo);
    if (result == VK_SUCCESS) {
        result = murPreparePipelines(context, pCreateInfo);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    /* What murPreparePipelines has accepted the device can do. */
    const bool wide = pCreateInfo->atomicWidth != MUR_ATOMIC_WIDTH_32 &&
                      (context->features & MUR_FEATURE_INT64_ATOMICS);
    return prepare_width(context, wide);
}

VkResult murCreateMultiTable(MurContext context, const MurTableCreateInfo *pCreateInfo,
                             MurTable *pTable) {
    VkResult result = check_info(context, "murCreateMultiTable", pCreateInfo);
    if (result != VK_SUCCESS) {
        return result;
    }
    MurTable table = VK_NULL_HANDLE;
    result = murCreateTable(context, pCreateInfo, pTable ? &table : NULL);
    if (result == VK_SUCCESS) {
        result = prepare_width(context, (table->ref.flags & MUR_TABLE_INT64) != 0);
    }
    if (result != VK_SUCCESS) {
        murDestroyTable(table);
        return result;
    }
    table->multi = true;
    *pTable = table;
    return VK_SUCCESS;
}

static VkResult check_table(VkCommandBuffer cmd, MurTable table, const char *command) {
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS && !table->multi) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: the table was not made by murCreateMultiTable", command);
    }
    return result;
}

typedef enum Needs {
    NEEDS_VALUES, /* values are read or written, and required */
    NEEDS_RESULT, /* values or statuses are required */
    NEEDS_KEYS    /* only keys are required */
} Needs;

static VkResult check_values(MurContext context, const char *command, const MurBatch *batch,
                             Needs needs) {
    const uint32_t count = batch->maxCount;
    VkResult result = mur_check_array(context, command, "keys", batch->keys, count, true);
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "values", batch->values, count,
                                 needs == NEEDS_VALUES);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "statuses", batch->statuses, count, false);
    }
    if (result == VK_SUCCESS && needs == NEEDS_RESULT && !batch->values.address &&
        !batch->statuses.address) {
        result = mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: one of values and statuses is required", command);
    }
    return result;
}

static VkResult check_call(VkCommandBuffer cmd, MurTable table, const char *command, Needs needs,
                           MurWrites writes, const MurBatch *batch) {
    VkResult result = check_table(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = mur_check_batch(table->context, command, batch, 0);
    }
    if (result == VK_SUCCESS && batch->slots.address) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: slots must be none", command);
    }
    if (result == VK_SUCCESS && batch->maxCount) {
        result = check_values(table->context, command, batch, needs);
    }
    return result == VK_SUCCESS && batch->maxCount
               ? mur_check_batch_spans(table, command, batch, 4, 4, writes)
               : result;
}

/* Two kernels, of which one does it: the GPU knows which. The second one is for a case so rare that few
 * workgroups look whether it is theirs. */
static void record_sorted(VkCommandBuffer cmd, MurTable table, const MurBatch *batch) {
    const MurKernel each = by_width(table, MUR_KERNEL_MULTI_INSERT_EACH_32,
                                    MUR_KERNEL_MULTI_INSERT_EACH_64);
    const MurKernel shared = by_width(table, MUR_KERNEL_MULTI_INSERT_32,
                                      MUR_KERNEL_MULTI_INSERT_64);
    const uint32_t few = 2048 * MUR_WORKGROUP_SIZE;
    const uint32_t count = batch->maxCount;
    MurBatch sorted;
    mur_record_sort(cmd, table, batch, MUR_COMMAND_MULTI_INSERT, &sorted);
    MurBatchPush push = mur_batch_push(table, &sorted, 0);
    push.slots = batch->scratch.address + 4 * MUR_SORT_CROWDED;
    mur_dispatch(table->context, cmd, each, &push, sizeof push, count);
    mur_dispatch(table->context, cmd, shared, &push, sizeof push, count < few ? count : few);
    mur_record_unsort(cmd, table, batch, MUR_COMMAND_MULTI_INSERT, &sorted);
}

static void record(VkCommandBuffer cmd, MurTable table, MurKernel kernel, const MurBatch *batch) {
    const MurBatchPush push = mur_batch_push(table, batch, 0);
    mur_dispatch(table->context, cmd, kernel, &push, sizeof push, batch->maxCount);
}

static VkResult run_batch(VkCommandBuffer cmd, MurTable table, const char *command, Needs needs,
                          MurWrites writes, MurKernel narrow, MurKernel wide,
                          const MurBatch *batch) {
    VkResult result = check_call(cmd, table, command, needs, writes, batch);
    if (result == VK_SUCCESS && batch->maxCount) {
        mur_begin_label(table->context, cmd, command);
        record(cmd, table, by_width(table, narrow, wide), batch);
        mur_end_label(table->context, cmd);
    }
    return result;
}

VkResult murCmdMultiInsert(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    const char *command = "murCmdMultiInsert";
    VkResult result = check_call(cmd, table, command, NEEDS_VALUES, MUR_WRITES_TABLE, pBatch);
    if (result != VK_SUCCESS || pBatch->maxCount == 0) {
        return result;
    }
    mur_begin_label(table->context, cmd, command);
    if (mur_lets_sort(table, pBatch, MUR_COMMAND_MULTI_INSERT)) {
        record_sorted(cmd, table, pBatch);
    } else {
        record(cmd, table, by_width(table, MUR_KERNEL_MULTI_INSERT_32, MUR_KERNEL_MULTI_INSERT_64),
               pBatch);
    }
    mur_end_label(table->context, cmd);
    return result;
}

VkResult murCmdMultiCount(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run_batch(cmd, table, "murCmdMultiCount", NEEDS_VALUES, MUR_WRITES_VALUES,
                     MUR_KERNEL_MULTI_COUNT, MUR_KERNEL_MULTI_COUNT, pBatch);
}

VkResult murCmdMultiFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run_batch(cmd, table, "murCmdMultiFind", NEEDS_RESULT, MUR_WRITES_VALUES,
                     MUR_KERNEL_MULTI_FIND, MUR_KERNEL_MULTI_FIND, pBatch);
}

VkResult murCmdMultiErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run_batch(cmd, table, "murCmdMultiErase", NEEDS_VALUES, MUR_WRITES_TABLE,
                     MUR_KERNEL_MULTI_ERASE_32, MUR_KERNEL_MULTI_ERASE_64, pBatch);
}

VkResult murCmdMultiEraseKeys(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return run_batch(cmd, table, "murCmdMultiEraseKeys", NEEDS_KEYS, MUR_WRITES_BOTH,
                     MUR_KERNEL_MULTI_ERASE_KEYS_32, MUR_KERNEL_MULTI_ERASE_KEYS_64, pBatch);
}

static uint64_t group_count(uint32_t keys) {
    return ((uint64_t)keys + MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP;
}

VkDeviceSize murGetMultiRetrieveScratchSize(uint32_t maxKeys) {
    return 4 * (maxKeys + 2 * group_count(maxKeys));
}

static VkResult check_outputs(MurContext context, const char *command,
                              const MurMultiRetrieve *retrieve) {
    const uint32_t values = retrieve->maxValues;
    VkResult result = mur_check_array(context, command, "values", retrieve->values, values,
                                      values != 0);
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "keyIndices", retrieve->keyIndices, values,
                                 false);
    }
    const VkDeviceSize scratch = murGetMultiRetrieveScratchSize(retrieve->maxKeys);
    if (result == VK_SUCCESS && (!retrieve->scratch.address || retrieve->scratch.address % 4 != 0 ||
                                 retrieve->scratch.size < scratch)) {
        result = mur_fail(
            &context->logger, MUR_ERROR_INVALID_ARGUMENT,
            "%s: scratch, %llu bytes at 0x%llx, must be %llu bytes at a multiple of 4", command,
            (unsigned long long)retrieve->scratch.size,
            (unsigned long long)retrieve->scratch.address, (unsigned long long)scratch);
    }
    return result;
}

static VkResult check_retrieve_spans(MurTable table, const char *command,
                                     const MurMultiRetrieve *retrieve) {
    const VkDeviceSize keys = retrieve->maxKeys, values = retrieve->maxValues;
    const MurSpan spans[] = {
        mur_table_span(table, "the table", false),
        mur_word_span(retrieve->count, "count", false),
        mur_word_span(retrieve->total, "total", true),
        {"keys", retrieve->keys, 4 * keys, false},
        {"offsets", retrieve->offsets, 4 * (keys + 1), true},
        {"values", retrieve->values, 4 * values, true},
        {"keyIndices", retrieve->keyIndices, 4 * values, true},
        {"scratch", retrieve->scratch, retrieve->scratch.size, true},
    };
    return mur_check_spans(table->context, command, spans, sizeof spans / sizeof spans[0]);
}

static VkResult check_retrieve(MurTable table, const char *command,
                               const MurMultiRetrieve *retrieve) {
    const MurContext context = table->context;
    if (!retrieve || retrieve->pNext) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        retrieve ? "pRetrieve->pNext is not NULL" : "pRetrieve is NULL");
    }
    if (retrieve->count % 4 != 0 || retrieve->total % 4 != 0) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the addresses of count, 0x%llx, and total, 0x%llx, must be multiples "
                        "of 4",
                        command, (unsigned long long)retrieve->count,
                        (unsigned long long)retrieve->total);
    }
    const uint32_t keys = retrieve->maxKeys;
    if (keys == 0) {
        return VK_SUCCESS;
    }
    if (keys == UINT32_MAX) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: maxKeys is too large: there is one offset more", command);
    }
    VkResult result = mur_check_array(context, command, "keys", retrieve->keys, keys, true);
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "offsets", retrieve->offsets, keys + 1, true);
    }
    if (result == VK_SUCCESS) {
        result = check_outputs(context, command, retrieve);
    }
    return result == VK_SUCCESS ? check_retrieve_spans(table, command, retrieve) : result;
}

static void record_retrieve(VkCommandBuffer cmd, MurTable table, const MurMultiRetrieve *retrieve) {
    MurContext context = table->context;
    const MurMultiPush push = {
        .table = table->ref,
        .keys = retrieve->keys.address,
        .count = retrieve->count,
        .offsets = retrieve->offsets.address,
        .values = retrieve->values.address,
        .indices = retrieve->keyIndices.address,
        .total = retrieve->total,
        .scratch = retrieve->scratch.address,
        .maxKeys = retrieve->maxKeys,
        .maxValues = retrieve->maxValues,
    };
    const uint64_t groups = group_count(retrieve->maxKeys);
    mur_dispatch_groups(context, cmd, MUR_KERNEL_MULTI_RETRIEVE_COUNT, &push, sizeof push, groups);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, MUR_KERNEL_MULTI_RETRIEVE_SCAN, &push, sizeof push, 1);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, MUR_KERNEL_MULTI_RETRIEVE_OFFSETS, &push, sizeof push,
                        groups);
    if (retrieve->maxValues) {
        mur_barrier(context, cmd);
        mur_dispatch(context, cmd, MUR_KERNEL_MULTI_RETRIEVE_WRITE, &push, sizeof push,
                     retrieve->maxValues);
    }
}

VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                             const MurMultiRetrieve *pRetrieve) {
    const char *command = "murCmdMultiRetrieve";
    VkResult result = check_table(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_retrieve(table, command, pRetrieve);
    }
    if (result == VK_SUCCESS && pRetrieve->maxKeys) {
        mur_begin_label(table->context, cmd, command);
        record_retrieve(cmd, table, pRetrieve);
        mur_end_label(table->context, cmd);
    }
    return result;
}
