/* Tables: sizes, memory, the reference that shaders get.
 *
 * SPDX-License-Identifier: MIT */
#include "objects.h"

static VkResult fail_description(MurContext context, const char *function, VkResult result,
                                 const MurReason *reason, const MurDescription *description) {
    const unsigned long long number = reason->number;
    return number
               ? mur_fail(&context->logger, result,
                          "%s: %s is %lld, expected %s %llu with murType%s()", function,
                          reason->argument, reason->value, reason->expected, number,
                          description->type->name)
               : mur_fail(&context->logger, result, "%s: %s is %lld, expected %s with murType%s()",
                          function, reason->argument, reason->value, reason->expected,
                          description->type->name);
}

VkResult mur_check_type(MurContext context, const char *function, const MurTableCreateInfo *info,
                        MurDescription *description) {
    const bool able = (context->features & MUR_FEATURE_INT64_ATOMICS) != 0;
    MurReason reason;
    const VkResult result = mur_describe_type(info, able, &reason, description);
    if (result != VK_SUCCESS) {
        return fail_description(context, function, result, &reason, description);
    }
    return able || !(description->ref.flags & MUR_TABLE_INT64)
               ? VK_SUCCESS
               : mur_fail(&context->logger, MUR_ERROR_UNSUPPORTED,
                          "%s: atomicWidth is %d with murType%s(), expected a context with "
                          "MUR_FEATURE_INT64_ATOMICS for 64-bit atomics",
                          function, (int)info->atomicWidth, description->type->name);
}

static VkResult check_table_size(MurContext context, const char *function,
                                 const MurTableCreateInfo *info, MurDescription *description) {
    MurReason reason;
    const VkResult result = mur_describe_size(info, &reason, description);
    if (result != VK_SUCCESS) {
        return fail_description(context, function, result, &reason, description);
    }
    const VkDeviceSize most = context->limits.maxAllocation;
    return description->bytes <= most
               ? VK_SUCCESS
               : mur_fail(&context->logger, MUR_ERROR_TOO_LARGE,
                          "%s: capacity is %llu, which needs %llu bytes, expected at most %llu "
                          "bytes: this device allocates no more",
                          function, (unsigned long long)info->capacity,
                          (unsigned long long)description->bytes, (unsigned long long)most);
}

VkResult murGetTableRequirements(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                 MurTableRequirements *pRequirements) {
    MurDescription table;
    MUR_TRY(mur_check_creation(context, __func__, pCreateInfo, pRequirements, "pRequirements"));
    MUR_TRY(mur_check_type(context, __func__, pCreateInfo, &table));
    MUR_TRY(check_table_size(context, __func__, pCreateInfo, &table));
    *pRequirements = (MurTableRequirements){
        .size = table.bytes,
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .slotCount = table.ref.slotCount,
    };
    return VK_SUCCESS;
}

/* The description and the kernels of a table that is being created. */
typedef struct Creation {
    MurDescription table;
    MurKernelList list;
} Creation;

static VkResult add_kernel_sets(MurContext context, const char *function,
                                const MurTableCreateInfo *info, Creation *creation) {
    for (uint32_t i = 0; i < MUR_MAX_KERNELS && info->kernels[i]; ++i) {
        const MurKernels set = info->kernels[i];
        const MurKernelSetInfo *is = &mur_kernel_sets[set->name];
        if (creation->list.kernels >> set->name & 1) {
            return mur_invalid_argument(
                context, function, "kernels[%u] is %s(), expected each set once", i, is->function);
        }
        if (!mur_can(creation->table.type, is->requires)) {
            return mur_invalid_argument(
                context, function,
                "kernels[%u] is %s(), expected sets whose commands accept tables of "
                "murType%s()",
                i, is->function, creation->table.type->name);
        }
        creation->list.kernels |= 1u << set->name;
        for (uint32_t j = 0; j < MUR_SET_FAMILIES && set->families[j]; ++j) {
            mur_list_family(context, set->families[j], &creation->list);
        }
    }
    return VK_SUCCESS;
}

static VkResult describe_creation(MurContext context, const char *function,
                                  const MurTableCreateInfo *info, const void *output,
                                  const char *name, Creation *creation) {
    MUR_TRY(mur_check_creation(context, function, info, output, name));
    MUR_TRY(mur_check_type(context, function, info, &creation->table));
    const MurType type = info->type ? info->type : murTypeK32V32();
    if (!type->kernels) {
        return mur_invalid_argument(
            context, function,
            "type is murHostType%s(), a type without kernels, expected murType%s()",
            type->info->name, type->info->name);
    }
    creation->list.type = creation->table.type;
    creation->list.tableFlags = creation->table.ref.flags;
    creation->list.kernels = 0;
    creation->list.count = 0;
    MUR_TRY(add_kernel_sets(context, function, info, creation));
    for (uint32_t i = 0; type->kernels[i]; ++i) {
        mur_list_family(context, type->kernels[i], &creation->list);
    }
    return VK_SUCCESS;
}

VkResult murPreparePipelines(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    Creation table;
    MUR_TRY(describe_creation(context, __func__, pCreateInfo, pCreateInfo, "pCreateInfo", &table));
    return mur_prepare_kernels(context, &table.list, 0, table.list.count);
}

uint32_t murGetPipelineCount(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    Creation table;
    const VkResult result = describe_creation(context, __func__, pCreateInfo, pCreateInfo,
                                              "pCreateInfo", &table);
    return result == VK_SUCCESS ? table.list.count : 0;
}

VkResult murPreparePipeline(MurContext context, const MurTableCreateInfo *pCreateInfo,
                            uint32_t index) {
    Creation table;
    MUR_TRY(describe_creation(context, __func__, pCreateInfo, pCreateInfo, "pCreateInfo", &table));
    if (index >= table.list.count) {
        return mur_invalid_argument(context, __func__, "index is %u, expected less than %u", index,
                                    table.list.count);
    }
    return mur_prepare_kernels(context, &table.list, index, 1);
}

/* Uses the engine's memory, or allocates the table's own. Shaders read sectors of 32 bytes, so the
 * address must be a multiple of 32. */
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
    Creation creation;
    MUR_TRY(describe_creation(context, __func__, pCreateInfo, pTable, "pTable", &creation));
    MUR_TRY(check_table_size(context, __func__, pCreateInfo, &creation.table));
    MUR_TRY(mur_prepare_kernels(context, &creation.list, 0, creation.list.count));
    MurTable table = mur_new(context, __func__, sizeof *table);
    if (!table) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    table->context = context;
    table->shape = (MurShape){
        .type = creation.table.type,
        .ref = creation.table.ref,
        .bytes = creation.table.bytes,
        .kernels = creation.list.kernels,
    };
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
