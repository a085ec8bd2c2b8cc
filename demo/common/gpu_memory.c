/* Buffers.
 * SPDX-License-Identifier: MIT */
#include "gpu.h"

#include <stdio.h>
#include <string.h>

/* Returns the index of a memory type with these properties, or UINT32_MAX. */
static uint32_t memoryType(const Gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags properties) {
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; ++i) {
        bool fits = (gpu->memory.memoryTypes[i].propertyFlags & properties) == properties;
        if (fits && (allowed & (1u << i)) != 0) {
            return i;
        }
    }
    return UINT32_MAX;
}

VkDeviceSize gpuLargestHeap(const Gpu *gpu, bool own) {
    VkDeviceSize largest = 0;
    for (uint32_t i = 0; i < gpu->memory.memoryHeapCount; ++i) {
        const VkMemoryHeap *heap = &gpu->memory.memoryHeaps[i];
        const bool is = (heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
        largest = is == own && heap->size > largest ? heap->size : largest;
    }
    return largest;
}

static uint32_t bufferMemoryType(const Gpu *gpu, uint32_t allowed, GpuMemory memory) {
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = memoryType(gpu, allowed,
                               memory == GPU_DEVICE ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                                    : host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    return type != UINT32_MAX ? type : memoryType(gpu, allowed, memory == GPU_DEVICE ? 0 : host);
}

static VkResult allocate(Gpu *gpu, uint32_t type, VkDeviceSize size, GpuBuffer *buffer) {
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .buffer = buffer->buffer,
    };
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = &dedicated,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    const VkResult result = vkAllocateMemory(gpu->device, &info, NULL, &buffer->memory);
    return result != VK_SUCCESS
               ? result
               : vkBindBufferMemory(gpu->device, buffer->buffer, buffer->memory, 0);
}

static VkResult makeBuffer(Gpu *gpu, GpuMemory memory, const char *name, GpuBuffer *buffer) {
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer->size,
        .usage = MUR_ARRAY_USAGE | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
    };
    VkResult result = vkCreateBuffer(gpu->device, &info, NULL, &buffer->buffer);
    if (result != VK_SUCCESS) {
        return result;
    }
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(gpu->device, buffer->buffer, &requirements);
    const uint32_t type = bufferMemoryType(gpu, requirements.memoryTypeBits, memory);
    if (type == UINT32_MAX) {
        return VK_ERROR_FEATURE_NOT_PRESENT; /* no host-visible memory */
    }
    result = allocate(gpu, type, requirements.size, buffer);
    if (result != VK_SUCCESS) {
        return result;
    }
    gpuName(gpu, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer->buffer, name);
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer->buffer,
    };
    buffer->address = vkGetBufferDeviceAddress(gpu->device, &address);
    const bool hidden = !(gpu->memory.memoryTypes[type].propertyFlags &
                          VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
    return memory == GPU_DEVICE || hidden
               ? VK_SUCCESS
               : vkMapMemory(gpu->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped);
}

bool gpuCreateBuffer(Gpu *gpu, VkDeviceSize size, GpuMemory memory, const char *name,
                     GpuBuffer *buffer) {
    *buffer = (GpuBuffer){.size = size};
    const VkResult result = makeBuffer(gpu, memory, name, buffer);
    if (result != VK_SUCCESS) {
        char what[128];
        (void)snprintf(what, sizeof what, "no room on the device for %s of %llu bytes", name,
                       (unsigned long long)size);
        gpuDestroyBuffer(gpu, buffer);
        return gpuCheck(result, what);
    }
    return true;
}

void gpuDestroyBuffer(Gpu *gpu, GpuBuffer *buffer) {
    if (buffer->buffer || buffer->memory) {
        vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
        vkFreeMemory(gpu->device, buffer->memory, NULL);
    }
    *buffer = (GpuBuffer){0};
}

bool gpuUpload(Gpu *gpu, const void *data, VkDeviceSize size, const char *name, GpuBuffer *buffer) {
    GpuBuffer staging = {0};
    *buffer = (GpuBuffer){0};
    bool done = gpuCreateBuffer(gpu, size, GPU_HOST, "staging", &staging) &&
                gpuCreateBuffer(gpu, size, GPU_DEVICE, name, buffer) && gpuBegin(gpu);
    if (done) {
        memcpy(staging.mapped, data, (size_t)size);
        const VkBufferCopy region = {.size = size};
        vkCmdCopyBuffer(gpu->cmd, staging.buffer, buffer->buffer, 1, &region);
        gpuTransferBarrier(gpu);
        done = gpuSubmit(gpu);
    }
    if (!done) {
        gpuDestroyBuffer(gpu, buffer);
    }
    gpuDestroyBuffer(gpu, &staging);
    return done;
}
