/* Tables: sizes, memory, the reference that shaders get.
 *
 * SPDX-License-Identifier: MIT */
#include "device.h"

#include "../host/size.h"

uint32_t mur_table_format(MurTable table) {
    return MUR_TABLE_FORMAT(table->shape.ref.flags);
}

/* Is a table as described to be written with 64-bit atomics? */
static bool is_wide(MurContext context, const MurTableCreateInfo *info) {
    if (mur_only_width(info->format) != MUR_ATOMIC_WIDTH_DEFAULT) {
        return mur_only_width(info->format) == MUR_ATOMIC_WIDTH_64;
    }
    bool able = (context->features & MUR_FEATURE_INT64_ATOMICS) != 0;
    return info->atomicWidth == MUR_ATOMIC_WIDTH_64 ||
           (info->atomicWidth == MUR_ATOMIC_WIDTH_DEFAULT && able);
}

uint32_t mur_table_flags(MurContext context, const MurTableCreateInfo *info) {
    const bool zero = info->reservedValue == MUR_RESERVED_VALUE_ZERO && !MUR_IS_SET(info->format);
    return info->format << MUR_TABLE_FORMAT_SHIFT | (is_wide(context, info) ? MUR_TABLE_INT64 : 0) |
           (zero ? MUR_TABLE_ZERO : 0);
}

/* Tables with many values a key are of one kind. */
static VkResult check_uses(MurContext context, const char *function,
                           const MurTableCreateInfo *info) {
    for (uint32_t i = 1; i < MUR_MAX_USES && info->uses[i]; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            if (info->uses[i] == info->uses[j]) {
                return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                                "%s: uses[%u] and uses[%u] are the same", function, j, i);
            }
        }
    }
    const bool multi = (mur_use_bits(info->uses) & MUR_USES_MULTI) != 0;
    if (info->format == MUR_FORMAT_K64V32_MULTI && !multi) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: format MUR_FORMAT_K64V32_MULTI, but no murUseMulti() among uses",
                        function);
    }
    return multi && (MUR_SLOT_FORMAT(info->format) != MUR_FORMAT_K64V32 ||
                     info->reservedValue != MUR_RESERVED_VALUE_ZERO)
               ? mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: with murUseMulti() format must be MUR_FORMAT_K64V32 or "
                          "MUR_FORMAT_K64V32_MULTI and reservedValue MUR_RESERVED_VALUE_ZERO",
                          function)
               : VK_SUCCESS;
}

VkResult mur_check_kind(MurContext context, const char *function, const MurTableCreateInfo *info) {
    const MurLogger *logger = &context->logger;
    if (info->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: pNext is not NULL", function);
    }
    if (info->reservedValue != MUR_RESERVED_VALUE_MAX &&
        info->reservedValue != MUR_RESERVED_VALUE_ZERO) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: reservedValue is %d", function,
                        (int)info->reservedValue);
    }
    if (info->atomicWidth != MUR_ATOMIC_WIDTH_DEFAULT && info->atomicWidth != MUR_ATOMIC_WIDTH_32 &&
        info->atomicWidth != MUR_ATOMIC_WIDTH_64) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: atomicWidth is %d, not 0, 32 or 64", function, (int)info->atomicWidth);
    }
    if (!MUR_IS_FORMAT(info->format)) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: format is %u", function,
                        info->format);
    }
    const MurAtomicWidth width = mur_only_width(info->format);
    if (info->atomicWidth != MUR_ATOMIC_WIDTH_DEFAULT && width != MUR_ATOMIC_WIDTH_DEFAULT &&
        info->atomicWidth != width) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: atomicWidth is %d, but tables of format %u take %d only", function,
                        (int)info->atomicWidth, info->format, (int)width);
    }
    if (is_wide(context, info) && !(context->features & MUR_FEATURE_INT64_ATOMICS)) {
        return mur_fail(logger, MUR_ERROR_UNSUPPORTED,
                        "%s: %s, but the context was created without MUR_FEATURE_INT64_ATOMICS",
                        function, width ? "the format takes 64-bit atomics" : "atomicWidth is 64");
    }
    return check_uses(context, function, info);
}

static VkResult check_size(MurContext context, const char *function, const MurTableCreateInfo *info,
                           MurTableRequirements *requirements) {
    const MurLogger *logger = &context->logger;
    if (info->capacity == 0 || info->capacity > MUR_MAX_CAPACITY) {
        return mur_fail(logger, info->capacity ? MUR_ERROR_TOO_LARGE : MUR_ERROR_INVALID_ARGUMENT,
                        "%s: capacity is %llu, not 1 to %u", function,
                        (unsigned long long)info->capacity, MUR_MAX_CAPACITY);
    }
    uint32_t slotCount = mur_slot_count(info->capacity, info->format);
    VkDeviceSize size = mur_table_size(slotCount, info->format);
    VkDeviceSize most = context->limits.maxAllocation;
    if (size > most) {
        return mur_fail(
            logger, MUR_ERROR_TOO_LARGE,
            "%s: a capacity of %llu needs %llu bytes; this device allocates at most %llu", function,
            (unsigned long long)info->capacity, (unsigned long long)size, (unsigned long long)most);
    }
    *requirements = (MurTableRequirements){
        .size = size,
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .slotCount = slotCount,
    };
    return VK_SUCCESS;
}

VkResult murGetTableRequirements(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                 MurTableRequirements *pRequirements) {
    if (!context) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    if (!pCreateInfo || !pRequirements) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "murGetTableRequirements: %s is NULL",
                        pCreateInfo ? "pRequirements" : "pCreateInfo");
    }
    VkResult result = mur_check_kind(context, "murGetTableRequirements", pCreateInfo);
    if (result == VK_SUCCESS) {
        result = check_size(context, "murGetTableRequirements", pCreateInfo, pRequirements);
    }
    return result;
}

/* The pipelines of tables like this one. */
static VkResult list_pipelines(MurContext context, const char *function,
                               const MurTableCreateInfo *info, MurKernelList *list) {
    if (!context) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    if (!info) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: pCreateInfo is NULL",
                        function);
    }
    const VkResult result = mur_check_kind(context, function, info);
    if (result == VK_SUCCESS) {
        *list = mur_list_kernels(context, mur_table_flags(context, info), info->uses);
    }
    return result;
}

VkResult murPreparePipelines(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    MurKernelList list;
    const VkResult result = list_pipelines(context, "murPreparePipelines", pCreateInfo, &list);
    return result == VK_SUCCESS ? mur_prepare_kernels(context, &list, 0, list.count) : result;
}

uint32_t murGetPipelineCount(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    MurKernelList list;
    const VkResult result = list_pipelines(context, "murGetPipelineCount", pCreateInfo, &list);
    return result == VK_SUCCESS ? list.count : 0;
}

VkResult murPreparePipeline(MurContext context, const MurTableCreateInfo *pCreateInfo,
                            uint32_t index) {
    MurKernelList list;
    const VkResult result = list_pipelines(context, "murPreparePipeline", pCreateInfo, &list);
    if (result == VK_SUCCESS && index >= list.count) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "murPreparePipeline: index is %u, not below %u", index, list.count);
    }
    return result == VK_SUCCESS ? mur_prepare_kernels(context, &list, index, 1) : result;
}

static VkResult check_memory(MurContext context, const MurBufferRange *memory,
                             const MurTableRequirements *requirements) {
    const MurLogger *logger = &context->logger;
    if (memory->offset % requirements->alignment != 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "murCreateTable: memory.offset is %llu, not a multiple of %llu",
                        (unsigned long long)memory->offset,
                        (unsigned long long)requirements->alignment);
    }
    if (memory->size < requirements->size) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "murCreateTable: memory.size is %llu bytes; the table needs %llu",
                        (unsigned long long)memory->size, (unsigned long long)requirements->size);
    }
    /* The buffer's own size cannot be asked for; its memory's can, and is not smaller. */
    VkMemoryRequirements buffer;
    context->vk.vkGetBufferMemoryRequirements(context->device, memory->buffer, &buffer);
    if (memory->offset > buffer.size || requirements->size > buffer.size - memory->offset) {
        return mur_fail(
            logger, MUR_ERROR_INVALID_ARGUMENT,
            "murCreateTable: memory.offset %llu and the table's %llu bytes end beyond the "
            "buffer's %llu",
            (unsigned long long)memory->offset, (unsigned long long)requirements->size,
            (unsigned long long)buffer.size);
    }
    return VK_SUCCESS;
}

static VkResult provide_memory(MurTable table, const MurTableCreateInfo *info,
                               const MurTableRequirements *requirements) {
    MurContext context = table->context;
    if (info->memory.buffer) {
        VkResult result = check_memory(context, &info->memory, requirements);
        table->memory = info->memory;
        table->memory.size = requirements->size;
        return result;
    }
    if (info->memory.offset || info->memory.size) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "murCreateTable: memory.offset is %llu and memory.size %llu without "
                        "memory.buffer",
                        (unsigned long long)info->memory.offset,
                        (unsigned long long)info->memory.size);
    }
    /* Transfers are allowed so that an engine can copy, save and inspect the table. */
    VkBufferUsageFlags usage = requirements->usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    MurBuffer buffer;
    VkResult result = mur_create_buffer(context, requirements->size, usage,
                                        requirements->memoryProperties, 0, &buffer);
    if (result == VK_SUCCESS) {
        table->memory = (MurBufferRange){buffer.buffer, 0, requirements->size};
        table->owned = buffer.memory;
        mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer.buffer,
                        info->pName ? info->pName : "murmuration table");
    }
    return result;
}

static VkResult find_address(MurTable table) {
    VkDeviceAddress address = mur_buffer_address(table->context, table->memory.buffer);
    if (address == 0 || (address + table->memory.offset) % 32 != 0) {
        return mur_fail(
            &table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
            "murCreateTable: the memory's device address is 0x%llx, not a multiple of 32 "
            "above 0; was the buffer made with SHADER_DEVICE_ADDRESS usage?",
            (unsigned long long)(address + table->memory.offset));
    }
    table->shape.ref.address = address + table->memory.offset;
    return VK_SUCCESS;
}

VkResult murCreateTable(MurContext context, const MurTableCreateInfo *pCreateInfo,
                        MurTable *pTable) {
    if (pTable) {
        *pTable = VK_NULL_HANDLE;
    }
    if (!context) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    if (!pCreateInfo || !pTable) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "murCreateTable: %s is NULL",
                        pCreateInfo ? "pTable" : "pCreateInfo");
    }
    MurTableRequirements requirements = {0};
    VkResult result = mur_check_kind(context, "murCreateTable", pCreateInfo);
    if (result == VK_SUCCESS) {
        result = check_size(context, "murCreateTable", pCreateInfo, &requirements);
    }
    if (result == VK_SUCCESS) {
        result = murPreparePipelines(context, pCreateInfo);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    MurTable table = mur_allocate(mur_allocator(context), sizeof *table);
    if (!table) {
        return mur_fail(&context->logger, VK_ERROR_OUT_OF_HOST_MEMORY,
                        "murCreateTable: no host memory");
    }
    table->context = context;
    table->shape = (MurShape){
        .ref = {.capacity = (uint32_t)pCreateInfo->capacity,
                .slotCount = requirements.slotCount,
                .seed = pCreateInfo->seed,
                .probeSectors = mur_probe_sectors(pCreateInfo->probeLimit, requirements.slotCount,
                                                  pCreateInfo->format),
                .flags = mur_table_flags(context, pCreateInfo)},
        .bytes = requirements.size,
        .uses = mur_use_bits(pCreateInfo->uses),
    };
    result = provide_memory(table, pCreateInfo, &requirements);
    if (result == VK_SUCCESS) {
        result = find_address(table);
    }
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
    if (table->owned) {
        MurBuffer buffer = {table->memory.buffer, table->owned};
        mur_destroy_buffer(table->context, &buffer);
    }
    mur_release(mur_allocator(table->context), table);
}

MurTableRef murGetTableRef(MurTable table) {
    return table ? table->shape.ref : (MurTableRef){0};
}

MurBufferRange murGetTableMemory(MurTable table) {
    return table ? table->memory : (MurBufferRange){0};
}
