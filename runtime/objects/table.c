/* Tables: sizes, memory, the reference that shaders get.
 * SPDX-License-Identifier: MIT */
#include "objects.h"

#include <stdio.h>

VkResult mur_check_table(MurContext context, const char *function, const MurTableCreateInfo *info,
                         MurDescriber *describe, MurShape *shape) {
    const bool able = (context->features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const VkDeviceSize most = context->limits.maxAllocation;
    MurReason reason;
    const VkResult result = describe(info, able, &reason, shape);
    const char *name = shape->type->name;
    if (result != VK_SUCCESS) {
        char number[24] = "";
        if (reason.number) {
            snprintf(number, sizeof number, " %llu", reason.number);
        }
        return mur_fail(&context->logger, result, "%s: %s is %lld, expected %s%s with murType%s()",
                        function, reason.argument, reason.value, reason.expected, number, name);
    }
    if (!able && shape->ref.flags & MUR_TABLE_INT64) {
        return mur_fail(&context->logger, MUR_ERROR_UNSUPPORTED,
                        "%s: atomicWidth is %d with murType%s(), expected a context with "
                        "MUR_FEATURE_INT64_ATOMICS for 64-bit atomics",
                        function, (int)info->atomicWidth, name);
    }
    return shape->bytes <= most
               ? VK_SUCCESS
               : mur_fail(&context->logger, MUR_ERROR_TOO_LARGE,
                          "%s: capacity is %llu, which needs %llu bytes, expected at most %llu "
                          "bytes: this device allocates no more",
                          function, (unsigned long long)info->capacity,
                          (unsigned long long)shape->bytes, (unsigned long long)most);
}

VkResult murGetTableRequirements(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                 MurTableRequirements *pRequirements) {
    MurShape table;
    MUR_TRY(mur_check_creation(context, __func__, pCreateInfo, pRequirements, "pRequirements"));
    MUR_TRY(mur_check_table(context, __func__, pCreateInfo, mur_describe, &table));
    *pRequirements = (MurTableRequirements){
        .size = table.bytes,
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .slotCount = table.ref.slotCount,
    };
    return VK_SUCCESS;
}

static VkResult list_kernels(MurContext context, const char *function,
                             const MurTableCreateInfo *info, MurDescriber *describe,
                             MurKernelList *list) {
    MUR_TRY(mur_check_creation(context, function, info, info, "pCreateInfo"));
    MUR_TRY(mur_check_table(context, function, info, describe, &list->table));
    return mur_list_kernels(context, function, info, list);
}

VkResult murPreparePipelines(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    MurKernelList list;
    MUR_TRY(list_kernels(context, __func__, pCreateInfo, mur_describe_type, &list));
    return mur_prepare_kernels(context, &list, 0, list.count);
}

uint32_t murGetPipelineCount(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    MurKernelList list;
    const VkResult result = list_kernels(context, __func__, pCreateInfo, mur_describe_type, &list);
    return result == VK_SUCCESS ? list.count : 0;
}

VkResult murPreparePipeline(MurContext context, const MurTableCreateInfo *pCreateInfo,
                            uint32_t index) {
    MurKernelList list;
    MUR_TRY(list_kernels(context, __func__, pCreateInfo, mur_describe_type, &list));
    if (index >= list.count) {
        return mur_invalid_argument(context, __func__, "index is %u, expected less than %u", index,
                                    list.count);
    }
    return mur_prepare_kernels(context, &list, index, 1);
}

/* Sets a table's memory: the engine's, or a new allocation. Shaders read sectors of 32 bytes, so
 * the address must be a multiple of 32. */
static VkResult provide_memory(MurTable table, const MurTableCreateInfo *info, const char *function,
                               VkDeviceSize size) {
    if (info->memory.offset % MUR_TABLE_ALIGNMENT != 0) {
        return mur_invalid_argument(table->context, function,
                                    "memory.offset is %llu, not a multiple of %u",
                                    (unsigned long long)info->memory.offset, MUR_TABLE_ALIGNMENT);
    }
    table->memory = info->memory;
    MUR_TRY(mur_provide_memory(table->context, function, &table->memory,
                               info->pName ? info->pName : "murmuration table", size, 32,
                               &table->own, &table->shape.ref.address));
    table->memory.size = size;
    return VK_SUCCESS;
}

VkResult murCreateTable(MurContext context, const MurTableCreateInfo *pCreateInfo,
                        MurTable *pTable) {
    if (pTable) {
        *pTable = VK_NULL_HANDLE;
    }
    MurKernelList list;
    MUR_TRY(mur_check_creation(context, __func__, pCreateInfo, pTable, "pTable"));
    MUR_TRY(list_kernels(context, __func__, pCreateInfo, mur_describe, &list));
    MUR_TRY(mur_prepare_kernels(context, &list, 0, list.count));
    MurTable table = mur_new(context, __func__, sizeof *table);
    if (!table) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    table->context = context;
    table->shape = list.table;
    const VkResult result = provide_memory(table, pCreateInfo, __func__, table->shape.bytes);
    if (result != VK_SUCCESS) {
        murDestroyTable(table);
        return result;
    }
    *pTable = table;
    return VK_SUCCESS;
}

void murDestroyTable(MurTable table) {
    if (!table) {
        return;
    }
    mur_destroy_buffer(table->context, &table->own);
    mur_release(mur_allocator(table->context), table);
}

MurTableRef murGetTableRef(MurTable table) {
    return table ? table->shape.ref : (MurTableRef){0};
}

uint32_t murGetMaxEntries(MurTable table) {
    return table ? mur_slots(&table->shape) : 0;
}

MurBufferRange murGetTableMemory(MurTable table) {
    return table ? table->memory : (MurBufferRange){0};
}
