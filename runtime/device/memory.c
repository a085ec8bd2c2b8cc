/* Buffers of the library's own: one dedicated allocation each, which is measurably faster for
 * tables of the cache's size than a part of a larger one.
 *
 * SPDX-License-Identifier: MIT */
#include "device.h"

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

static VkResult allocate(MurContext context, MurBuffer *buffer, VkMemoryPropertyFlags wanted,
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
    VkResult result = context->vk.vkAllocateMemory(context->device, &info, mur_allocator(context),
                                                   &buffer->memory);
    if (result != VK_SUCCESS) {
        buffer->memory = VK_NULL_HANDLE;
        return mur_fail(&context->logger, result, "allocating %llu bytes of device memory: %s",
                        (unsigned long long)requirements.size, murResultName(result));
    }
    return VK_SUCCESS;
}

VkResult mur_create_buffer(MurContext context, VkDeviceSize size, VkBufferUsageFlags usage,
                           VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags required,
                           MurBuffer *buffer) {
    bool shared = context->familyCount > 1;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = usage,
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? context->familyCount : 0,
        .pQueueFamilyIndices = shared ? context->families : NULL,
    };
    *buffer = (MurBuffer){VK_NULL_HANDLE, VK_NULL_HANDLE};
    VkResult result = context->vk.vkCreateBuffer(context->device, &info, mur_allocator(context),
                                                 &buffer->buffer);
    if (result != VK_SUCCESS) {
        buffer->buffer = VK_NULL_HANDLE;
        return mur_fail(&context->logger, result, "creating a buffer of %llu bytes: %s",
                        (unsigned long long)size, murResultName(result));
    }
    result = allocate(context, buffer, wanted, required);
    if (result == VK_SUCCESS) {
        result = context->vk.vkBindBufferMemory(context->device, buffer->buffer, buffer->memory, 0);
        if (result != VK_SUCCESS) {
            mur_fail(&context->logger, result, "binding a buffer's memory: %s",
                     murResultName(result));
        }
    }
    if (result != VK_SUCCESS) {
        mur_destroy_buffer(context, buffer);
    }
    return result;
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
