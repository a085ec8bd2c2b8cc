/* SPDX-License-Identifier: MIT */
#include "growable_place.h"

static VkResult allocate_memory(MurContext context, const MurGrowableCreateInfo *info,
                                const char *caller, MurMemoryKind kind,
                                const MurTableRequirements *needs, MurGrowableMemory *memory) {
    *memory = (MurGrowableMemory){0};
    if (info->pfnAllocate) {
        MurBufferRange range = {0};
        const VkResult result = info->pfnAllocate(info->pUserData, kind, needs, &range);
        if (result == VK_SUCCESS) {
            memory->range = range;
        } else if (caller) {
            mur_fail(&context->logger, result, "%s: pfnAllocate returned %s", caller,
                     murResultName(result));
        }
        return result == VK_SUCCESS && !range.buffer
                   ? mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                              "pfnAllocate returned VK_SUCCESS without a buffer")
                   : result;
    }
    /* Transfers are allowed as in the library's other tables. */
    const VkBufferUsageFlags usage = needs->usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    MurBuffer buffer;
    const VkResult result = mur_create_buffer(context, needs->size, usage, needs->memoryProperties,
                                              0, &buffer);
    if (result == VK_SUCCESS) {
        *memory = (MurGrowableMemory){{buffer.buffer, 0, needs->size}, buffer.memory};
        mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer.buffer, info->table.pName);
    }
    return result;
}

static void free_memory(MurContext context, const MurGrowableCreateInfo *info,
                        MurGrowableMemory *memory) {
    if (memory->owned) {
        MurBuffer buffer = {memory->range.buffer, memory->owned};
        mur_destroy_buffer(context, &buffer);
    } else if (memory->range.buffer) {
        info->pfnFree(info->pUserData, &memory->range);
    }
    *memory = (MurGrowableMemory){0};
}

void mur_free_place(MurContext context, const MurGrowableCreateInfo *info,
                    MurGrowablePlace *place) {
    murDestroyTable(place->table);
    free_memory(context, info, &place->memory);
    free_memory(context, info, &place->map);
    *place = (MurGrowablePlace){0};
}

VkResult mur_make_place(MurContext context, const MurGrowableCreateInfo *info, const char *caller,
                        uint64_t capacity, MurGrowablePlace *place) {
    MurTableCreateInfo table = info->table;
    MurTableRequirements needs;
    table.capacity = capacity;
    *place = (MurGrowablePlace){0};
    VkResult result = murGetTableRequirements(context, &table, &needs);
    if (result == VK_SUCCESS) {
        result = allocate_memory(context, info, caller, MUR_MEMORY_TABLE, &needs, &place->memory);
    }
    if (result == VK_SUCCESS) {
        table.memory = place->memory.range;
        result = murCreateTable(context, &table, &place->table);
    }
    if (result != VK_SUCCESS) {
        mur_free_place(context, info, place);
    }
    return result;
}

VkResult mur_make_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                           MurGrowablePlace *place) {
    if (!info->slotMap) {
        return VK_SUCCESS;
    }
    const MurTableRequirements needs = {
        .size = 4 * ((VkDeviceSize)place->table->shape.ref.slotCount +
                     MUR_EXTRA_SLOTS(mur_table_format(place->table))),
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = MUR_ARRAY_USAGE,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .slotCount = place->table->shape.ref.slotCount,
    };
    return allocate_memory(context, info, NULL, MUR_MEMORY_SLOT_MAP, &needs, &place->map);
}

MurArray mur_slot_map_array(MurContext context, const MurGrowablePlace *place) {
    const MurBufferRange *range = &place->map.range;
    return range->buffer ? (MurArray){mur_buffer_address(context, range->buffer) + range->offset,
                                      4 * ((VkDeviceSize)place->table->shape.ref.slotCount +
                                           MUR_EXTRA_SLOTS(mur_table_format(place->table)))}
                         : (MurArray){0, 0};
}

void mur_free_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                       MurGrowablePlace *place) {
    free_memory(context, info, &place->map);
}
