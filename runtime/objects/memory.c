/* Buffers of the library. Each has a dedicated allocation: for tables of the cache's size, this is
 * measurably faster than a part of a larger allocation.
 * SPDX-License-Identifier: MIT */
#include "objects.h"

static uint32_t find_memory_type(MurContext context, uint32_t allowed,
                                 VkMemoryPropertyFlags flags) {
    for (uint32_t i = 0; i < context->memory.memoryTypeCount; ++i) {
        bool fits = (context->memory.memoryTypes[i].propertyFlags & flags) == flags;
        if (fits && (allowed & (1u << i)) != 0) {
            return i;
        }
    }
    return UINT32_MAX;
}

static VkResult allocate_buffer(MurContext context, MurBuffer *buffer, VkMemoryPropertyFlags wanted,
                                VkMemoryPropertyFlags required) {
    VkMemoryRequirements requirements;
    context->vk.vkGetBufferMemoryRequirements(context->device, buffer->buffer, &requirements);
    uint32_t type = find_memory_type(context, requirements.memoryTypeBits, wanted);
    if (type == UINT32_MAX) {
        type = find_memory_type(context, requirements.memoryTypeBits, required);
    }
    if (type == UINT32_MAX) {
        return mur_fail(&context->logger, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                        "no memory type of the device has the properties 0x%x", required);
    }
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .pNext = &flags,
        .buffer = buffer->buffer,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &dedicated,
        .allocationSize = requirements.size,
        .memoryTypeIndex = type,
    };
    const VkResult result = context->vk.vkAllocateMemory(context->device, &info,
                                                         mur_allocator(context), &buffer->memory);
    buffer->memory = result == VK_SUCCESS ? buffer->memory : VK_NULL_HANDLE;
    return mur_check_result(context, result, "allocating %llu bytes of device memory",
                            (unsigned long long)requirements.size);
}

static VkResult create_buffer(MurContext context, VkDeviceSize size, VkMemoryPropertyFlags wanted,
                              VkMemoryPropertyFlags required, MurBuffer *buffer) {
    bool shared = context->familyCount > 1;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        /* Transfers are allowed so that an engine can copy, save and inspect the content. */
        .usage = MUR_ARRAY_USAGE | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? context->familyCount : 0,
        .pQueueFamilyIndices = shared ? context->families : NULL,
    };
    *buffer = (MurBuffer){VK_NULL_HANDLE, VK_NULL_HANDLE};
    VkResult result = context->vk.vkCreateBuffer(context->device, &info, mur_allocator(context),
                                                 &buffer->buffer);
    buffer->buffer = result == VK_SUCCESS ? buffer->buffer : VK_NULL_HANDLE;
    MUR_TRY(mur_check_result(context, result, "creating a buffer of %llu bytes",
                             (unsigned long long)size));
    result = allocate_buffer(context, buffer, wanted, required);
    if (result == VK_SUCCESS) {
        result = context->vk.vkBindBufferMemory(context->device, buffer->buffer, buffer->memory, 0);
        mur_check_result(context, result, "binding the memory of a buffer");
    }
    if (result != VK_SUCCESS) {
        mur_destroy_buffer(context, buffer);
    }
    return result;
}

VkResult mur_create_buffer(MurContext context, VkDeviceSize size, MurBuffer *buffer) {
    return create_buffer(context, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, buffer);
}

VkResult mur_create_mapped(MurContext context, VkDeviceSize size, MurBuffer *buffer,
                           uint8_t **mapped) {
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    /* Cached memory is preferred: it makes host accesses faster and GPU accesses no slower. */
    MUR_TRY(create_buffer(context, size, host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, host, buffer));
    void *memory;
    const VkResult result = context->vk.vkMapMemory(context->device, buffer->memory, 0,
                                                    VK_WHOLE_SIZE, 0, &memory);
    *mapped = result == VK_SUCCESS ? memory : NULL;
    if (result != VK_SUCCESS) {
        mur_destroy_buffer(context, buffer);
    }
    return mur_check_result(context, result, "mapping %llu bytes of memory",
                            (unsigned long long)size);
}

void mur_destroy_buffer(MurContext context, MurBuffer *buffer) {
    if (buffer->buffer) {
        context->vk.vkDestroyBuffer(context->device, buffer->buffer, mur_allocator(context));
    }
    if (buffer->memory) {
        context->vk.vkFreeMemory(context->device, buffer->memory, mur_allocator(context));
    }
    *buffer = (MurBuffer){VK_NULL_HANDLE, VK_NULL_HANDLE};
}

VkDeviceAddress mur_buffer_address(MurContext context, VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer,
    };
    return context->vk.vkGetBufferDeviceAddress(context->device, &info);
}

VkResult mur_check_range(MurContext context, const char *function, const char *name,
                         const MurBufferRange *range, VkDeviceSize size, uint32_t alignment,
                         VkDeviceAddress *address) {
    if (range->size < size) {
        return mur_invalid_argument(context, function,
                                    "%s.size is %llu bytes, expected at least %llu", name,
                                    (unsigned long long)range->size, (unsigned long long)size);
    }
    /* Vulkan has no query for a buffer's size. Its memory requirements are at least as large. */
    VkMemoryRequirements buffer;
    context->vk.vkGetBufferMemoryRequirements(context->device, range->buffer, &buffer);
    if (range->offset > buffer.size || size > buffer.size - range->offset) {
        return mur_invalid_argument(context, function,
                                    "%s.offset %llu and %llu bytes end beyond the buffer's %llu",
                                    name, (unsigned long long)range->offset,
                                    (unsigned long long)size, (unsigned long long)buffer.size);
    }
    *address = mur_buffer_address(context, range->buffer);
    if (*address == 0 || (*address + range->offset) % alignment != 0) {
        return mur_invalid_argument(
            context, function,
            "the device address of %s is 0x%llx, not a multiple of %u above 0; was "
            "the buffer made with SHADER_DEVICE_ADDRESS usage?",
            name, (unsigned long long)(*address + range->offset), alignment);
    }
    *address += range->offset;
    return VK_SUCCESS;
}

VkResult mur_provide_memory(MurContext context, const char *function, MurBufferRange *range,
                            const char *name, VkDeviceSize size, uint32_t alignment, MurBuffer *own,
                            VkDeviceAddress *address) {
    if (!range->buffer) {
        if (range->offset || range->size) {
            return mur_invalid_argument(
                context, function,
                "memory.offset is %llu and memory.size %llu without memory.buffer",
                (unsigned long long)range->offset, (unsigned long long)range->size);
        }
        MUR_TRY(mur_create_buffer(context, size, own));
        mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)own->buffer, name);
        *range = (MurBufferRange){own->buffer, 0, size};
    }
    return mur_check_range(context, function, "memory", range, size, alignment, address);
}
