/* SPDX-License-Identifier: MIT */
#include "growable_place.h"

/* Allocates memory by the engine's callback, if any. caller: for messages; NULL: logs no error. */
static VkResult allocate_place(MurContext context, const MurGrowableCreateInfo *info,
                               const char *caller, MurMemoryKind kind,
                               const MurTableRequirements *needs, MurBufferRange *memory) {
    MurBufferRange range = {0};
    if (info->pfnAllocate) {
        const VkResult result = info->pfnAllocate(info->pUserData, kind, needs, &range);
        if (result != VK_SUCCESS) {
            return caller ? mur_fail(&context->logger, result, "%s: pfnAllocate returned %s",
                                     caller, murResultName(result))
                          : result;
        }
        if (!range.buffer) {
            return mur_invalid_argument(context, "pfnAllocate",
                                        "returned VK_SUCCESS without a buffer");
        }
    }
    *memory = range;
    return VK_SUCCESS;
}

static void free_memory(const MurGrowableCreateInfo *info, MurBufferRange *memory) {
    if (memory->buffer && info->pfnFree) {
        info->pfnFree(info->pUserData, memory);
    }
    *memory = (MurBufferRange){0};
}

void mur_free_place(MurContext context, const MurGrowableCreateInfo *info,
                    MurGrowablePlace *place) {
    murDestroyTable(place->table);
    free_memory(info, &place->memory);
    mur_free_slot_map(context, info, place);
    *place = (MurGrowablePlace){0};
}

VkResult mur_make_place(MurContext context, const MurGrowableCreateInfo *info, const char *caller,
                        uint64_t capacity, MurGrowablePlace *place) {
    MurTableCreateInfo table = info->table;
    MurTableRequirements needs;
    table.capacity = capacity;
    *place = (MurGrowablePlace){0};
    MUR_TRY(murGetTableRequirements(context, &table, &needs));
    MUR_TRY(allocate_place(context, info, caller, MUR_MEMORY_TABLE, &needs, &place->memory));
    table.memory = place->memory;
    const VkResult result = murCreateTable(context, &table, &place->table);
    if (result != VK_SUCCESS) {
        mur_free_place(context, info, place);
    }
    return result;
}

static VkDeviceSize slot_map_size(MurTable table) {
    return 4 * (VkDeviceSize)mur_slots(&table->shape);
}

VkResult mur_make_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                           MurGrowablePlace *place) {
    if (!info->slotMap) {
        return VK_SUCCESS;
    }
    const MurTableRequirements needs = {
        .size = slot_map_size(place->table),
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = MUR_ARRAY_USAGE,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .slotCount = place->table->shape.ref.slotCount,
    };
    MUR_TRY(allocate_place(context, info, NULL, MUR_MEMORY_SLOT_MAP, &needs, &place->map));
    if (!place->map.buffer) {
        MUR_TRY(mur_create_buffer(context, needs.size, &place->ownMap));
        mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)place->ownMap.buffer,
                        info->table.pName);
        place->map = (MurBufferRange){place->ownMap.buffer, 0, needs.size};
    }
    return VK_SUCCESS;
}

MurArray mur_slot_map_array(MurContext context, const MurGrowablePlace *place) {
    const MurBufferRange *range = &place->map;
    return range->buffer ? (MurArray){mur_buffer_address(context, range->buffer) + range->offset,
                                      slot_map_size(place->table)}
                         : (MurArray){0, 0};
}

void mur_free_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                       MurGrowablePlace *place) {
    free_memory(info, &place->map);
    mur_destroy_buffer(context, &place->ownMap);
}
