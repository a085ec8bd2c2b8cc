/* The store of a pager: chunks of host-visible memory.
 *
 * SPDX-License-Identifier: MIT */
#include "pager.h"

#include <stdio.h>

VkResult mur_check_range(MurContext context, const char *function, const char *what, uint32_t index,
                         const MurBufferRange *range, VkDeviceSize size, VkDeviceAddress *address) {
    const MurLogger *logger = &context->logger;
    char name[32];
    snprintf(name, sizeof name, index == UINT32_MAX ? "%s" : "%s[%u].memory", what, index);
    if (range->size < size) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s.size is %llu bytes, not %llu",
                        function, name, (unsigned long long)range->size, (unsigned long long)size);
    }
    VkMemoryRequirements buffer;
    context->vk.vkGetBufferMemoryRequirements(context->device, range->buffer, &buffer);
    if (range->offset > buffer.size || size > buffer.size - range->offset) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.offset %llu and %llu bytes end beyond the buffer's "
                        "%llu",
                        function, name, (unsigned long long)range->offset, (unsigned long long)size,
                        (unsigned long long)buffer.size);
    }
    *address = mur_buffer_address(context, range->buffer);
    if (*address == 0 || (*address + range->offset) % MUR_TABLE_ALIGNMENT != 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the device address of %s is 0x%llx, not a multiple of %u "
                        "above 0; was the buffer made with SHADER_DEVICE_ADDRESS usage?",
                        function, name, (unsigned long long)(*address + range->offset),
                        MUR_TABLE_ALIGNMENT);
    }
    *address += range->offset;
    return VK_SUCCESS;
}

VkResult mur_provide_memory(MurContext context, const char *function, MurBufferRange range,
                            const char *name, VkDeviceSize size, MurBuffer *own,
                            VkDeviceAddress *address) {
    if (!range.buffer) {
        if (range.offset || range.size) {
            return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                            "%s: memory.offset is %llu and memory.size %llu without memory.buffer",
                            function, (unsigned long long)range.offset,
                            (unsigned long long)range.size);
        }
        const VkBufferUsageFlags usage = MUR_ARRAY_USAGE | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        const VkResult result = mur_create_buffer(context, size, usage,
                                                  VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, own);
        if (result != VK_SUCCESS) {
            return result;
        }
        mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)own->buffer, name);
        range = (MurBufferRange){own->buffer, 0, size};
    }
    return mur_check_range(context, function, "memory", UINT32_MAX, &range, size, address);
}

static VkResult make_chunk(MurPager pager, uint32_t i, const MurPagerCreateInfo *info,
                           const MurPagerRequirements *needs, VkDeviceSize size) {
    MurContext context = pager->context;
    const VkBufferUsageFlags usage = needs->usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    /* The GPU reads and writes it as fast, cached or not; the host does not. */
    VkResult result = mur_create_buffer(context, size, usage,
                                        needs->chunkProperties | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                                        needs->chunkProperties, &pager->chunks[i]);
    if (result != VK_SUCCESS) {
        return result;
    }
    mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)pager->chunks[i].buffer,
                    info->pName ? info->pName : "murmuration store");
    void *mapped = NULL;
    result = context->vk.vkMapMemory(context->device, pager->chunks[i].memory, 0, VK_WHOLE_SIZE, 0,
                                     &mapped);
    pager->mapped[i] = mapped;
    const MurBufferRange range = {pager->chunks[i].buffer, 0, size};
    return result == VK_SUCCESS
               ? mur_check_range(context, "murCreatePager", "the store", i, &range, size,
                                 &pager->shape.chunks[i])
               : mur_fail(&context->logger, result, "murCreatePager: mapping the store: %s",
                          murResultName(result));
}

VkResult mur_provide_store(MurPager pager, const MurPagerCreateInfo *info,
                           const MurPagerRequirements *needs) {
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < needs->chunkCount && result == VK_SUCCESS; ++i) {
        const bool last = i + 1 == needs->chunkCount;
        const VkDeviceSize size = last ? needs->lastChunkSize : needs->chunkSize;
        if (info->pChunks) {
            result = mur_check_range(pager->context, "murCreatePager", "pChunks", i,
                                     &info->pChunks[i].memory, size, &pager->shape.chunks[i]);
            pager->mapped[i] = info->pChunks[i].pMapped;
        } else {
            result = make_chunk(pager, i, info, needs, size);
        }
    }
    return result;
}
