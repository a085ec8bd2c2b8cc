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
    const MurAtomicWidth only = mur_required_width(mur_flags_from_info(info));
    if (only != MUR_ATOMIC_WIDTH_DEFAULT) {
        return only == MUR_ATOMIC_WIDTH_64;
    }
    bool able = (context->features & MUR_FEATURE_INT64_ATOMICS) != 0;
    return info->atomicWidth == MUR_ATOMIC_WIDTH_64 ||
           (info->atomicWidth == MUR_ATOMIC_WIDTH_DEFAULT && able);
}

uint32_t mur_table_flags(MurContext context, const MurTableCreateInfo *info) {
    return mur_flags_from_info(info) | (is_wide(context, info) ? MUR_TABLE_INT64 : 0);
}

/* Rejects a use if all of its commands reject the table. */
static VkResult check_uses_apply(MurContext context, const char *function,
                                 const MurTableCreateInfo *info) {
    const uint32_t uses = mur_use_bits(info->uses);
    const bool buckets = (info->flags & MUR_TABLE_BUCKETS) != 0;
    if (buckets && (uses & MUR_USES_REHASH)) {
        return mur_invalid_argument(
            context, function,
            "uses has murUseRehash(), expected no MUR_TABLE_BUCKETS with it: tables "
            "in buckets are no destination of murCmdRehash and murCmdMerge");
    }
    const bool builds = !buckets && info->format != MUR_FORMAT_R32 &&
                        info->format != MUR_FORMAT_K64V32_MULTI;
    return (uses & MUR_USES_BUILD) && !builds
               ? mur_invalid_argument(
                     context, function,
                     "uses has murUseBuild(), expected a table that murCmdBuild accepts: "
                     "not in buckets, format not R32 or K64V32_MULTI")
               : VK_SUCCESS;
}

/* Tables with many values a key are of one kind, and groups of two. */
static VkResult check_uses(MurContext context, const char *function,
                           const MurTableCreateInfo *info) {
    for (uint32_t i = 1; i < MUR_MAX_USES && info->uses[i]; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            if (info->uses[i] == info->uses[j]) {
                return mur_invalid_argument(context, function, "uses[%u] and uses[%u] are the same",
                                            j, i);
            }
        }
    }
    MUR_TRY(check_uses_apply(context, function, info));
    const bool multi = (mur_use_bits(info->uses) & MUR_USES_MULTI) != 0;
    if (info->format == MUR_FORMAT_K64V32_MULTI && !multi) {
        return mur_invalid_argument(
            context, function, "format MUR_FORMAT_K64V32_MULTI, but no murUseMulti() among uses");
    }
    if ((mur_use_bits(info->uses) & MUR_USES_GROUP) &&
        (info->flags != 0 || multi || !(MUR_FORMATS_GROUPED >> info->format & 1))) {
        return mur_invalid_argument(context, function,
                                    "with murUseGroup() format must be MUR_FORMAT_K32V32 or "
                                    "MUR_FORMAT_K64V32, flags 0, and murUseMulti() not among uses");
    }
    return multi && (info->flags != 0 || MUR_SLOT_FORMAT(info->format) != MUR_FORMAT_K64V32 ||
                     info->emptyValue != MUR_EMPTY_VALUE_ZERO)
               ? mur_invalid_argument(
                     context, function,
                     "with murUseMulti() format must be MUR_FORMAT_K64V32 or "
                     "MUR_FORMAT_K64V32_MULTI, emptyValue MUR_EMPTY_VALUE_ZERO and "
                     "flags 0")
               : VK_SUCCESS;
}

VkResult mur_check_create_info(MurContext context, const char *function,
                               const MurTableCreateInfo *info) {
    const MurLogger *logger = &context->logger;
    if (info->emptyValue != MUR_EMPTY_VALUE_MAX && info->emptyValue != MUR_EMPTY_VALUE_ZERO) {
        return mur_invalid_argument(context, function, "emptyValue is %d", (int)info->emptyValue);
    }
    if (info->atomicWidth != MUR_ATOMIC_WIDTH_DEFAULT && info->atomicWidth != MUR_ATOMIC_WIDTH_32 &&
        info->atomicWidth != MUR_ATOMIC_WIDTH_64) {
        return mur_invalid_argument(context, function, "atomicWidth is %d, not 0, 32 or 64",
                                    (int)info->atomicWidth);
    }
    if (!MUR_IS_FORMAT(info->format)) {
        return mur_invalid_argument(context, function, "format is %u", info->format);
    }
    if (!mur_flags_valid(info)) {
        return mur_invalid_argument(context, function, "flags is %u with format %u", info->flags,
                                    info->format);
    }
    const MurAtomicWidth width = mur_required_width(mur_flags_from_info(info));
    if (info->atomicWidth != MUR_ATOMIC_WIDTH_DEFAULT && width != MUR_ATOMIC_WIDTH_DEFAULT &&
        info->atomicWidth != width) {
        return mur_invalid_argument(context, function,
                                    "atomicWidth is %d, but tables of format %u take %d only",
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
    const uint64_t most = mur_max_capacity(info->flags);
    if (info->capacity == 0 || info->capacity > most) {
        return mur_fail(logger, info->capacity ? MUR_ERROR_TOO_LARGE : MUR_ERROR_INVALID_ARGUMENT,
                        "%s: capacity is %llu, not 1 to %llu", function,
                        (unsigned long long)info->capacity, (unsigned long long)most);
    }
    const uint32_t flags = mur_table_flags(context, info);
    uint32_t slotCount = mur_slot_count(info->capacity, flags);
    VkDeviceSize size = mur_table_size(slotCount, flags);
    VkDeviceSize room = context->limits.maxAllocation;
    if (size > room) {
        return mur_fail(
            logger, MUR_ERROR_TOO_LARGE,
            "%s: a capacity of %llu needs %llu bytes; this device allocates at most %llu", function,
            (unsigned long long)info->capacity, (unsigned long long)size, (unsigned long long)room);
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
    MUR_TRY(mur_check_creation(context, __func__, pCreateInfo, pRequirements, "pRequirements"));
    MUR_TRY(mur_check_create_info(context, __func__, pCreateInfo));
    return check_size(context, __func__, pCreateInfo, pRequirements);
}

/* The pipelines of tables like this one. */
static VkResult list_pipelines(MurContext context, const char *function,
                               const MurTableCreateInfo *info, MurKernelList *list) {
    MUR_TRY(mur_check_creation(context, function, info, info, "pCreateInfo"));
    MUR_TRY(mur_check_create_info(context, function, info));
    *list = mur_list_kernels(context, mur_table_flags(context, info), info->uses);
    static const char *const names[MUR_SLOT_FORMATS] = {
        [MUR_FORMAT_K32V32] = "K32V32", [MUR_FORMAT_K64V32] = "K64V32",
        [MUR_FORMAT_K64V64] = "K64V64", [MUR_FORMAT_K32] = "K32",
        [MUR_FORMAT_K64] = "K64",       [MUR_FORMAT_R32] = "R32",
    };
    const char *name = names[MUR_SLOT_FORMAT(info->format)];
    return mur_is_listed(list, MUR_KERNEL_STATS)
               ? VK_SUCCESS
               : mur_invalid_argument(context, function,
                                      "format is MUR_FORMAT_%s, but mur%s%s() is not among "
                                      "MurContextCreateInfo.formats",
                                      name, info->flags & MUR_TABLE_BUCKETS ? "Buckets" : "Format",
                                      name);
}

VkResult murPreparePipelines(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    MurKernelList list;
    MUR_TRY(list_pipelines(context, __func__, pCreateInfo, &list));
    return mur_prepare_kernels(context, &list, 0, list.count);
}

uint32_t murGetPipelineCount(MurContext context, const MurTableCreateInfo *pCreateInfo) {
    MurKernelList list;
    const VkResult result = list_pipelines(context, __func__, pCreateInfo, &list);
    return result == VK_SUCCESS ? list.count : 0;
}

VkResult murPreparePipeline(MurContext context, const MurTableCreateInfo *pCreateInfo,
                            uint32_t index) {
    MurKernelList list;
    MUR_TRY(list_pipelines(context, __func__, pCreateInfo, &list));
    if (index >= list.count) {
        return mur_invalid_argument(context, __func__, "index is %u, not below %u", index,
                                    list.count);
    }
    return mur_prepare_kernels(context, &list, index, 1);
}

/* The engine's, or the table's own; shaders read sectors of 32 bytes from there on. */
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
    MurTableRequirements requirements = {0};
    MurKernelList list;
    MUR_TRY(mur_check_creation(context, __func__, pCreateInfo, pTable, "pTable"));
    MUR_TRY(list_pipelines(context, __func__, pCreateInfo, &list));
    MUR_TRY(check_size(context, __func__, pCreateInfo, &requirements));
    MUR_TRY(mur_prepare_kernels(context, &list, 0, list.count));
    MurTable table = mur_new(context, __func__, sizeof *table);
    if (!table) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const uint32_t flags = mur_table_flags(context, pCreateInfo);
    table->context = context;
    table->shape = (MurShape){
        .ref = {.capacity = (uint32_t)pCreateInfo->capacity,
                .slotCount = requirements.slotCount,
                .seed = pCreateInfo->seed,
                .probeSectors = mur_probe_sectors(pCreateInfo->probeLimit, requirements.slotCount,
                                                  flags),
                .flags = flags},
        .bytes = requirements.size,
        .uses = mur_use_bits(pCreateInfo->uses),
    };
    const VkResult result = provide_memory(table, pCreateInfo, __func__, requirements.size);
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
    return table ? table->shape.ref.slotCount + MUR_EXTRA_SLOTS(mur_table_format(table)) : 0;
}

MurBufferRange murGetTableMemory(MurTable table) {
    return table ? table->memory : (MurBufferRange){0};
}
