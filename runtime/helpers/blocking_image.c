/* Copies whole tables between host memory and the GPU in chunks. SPDX-License-Identifier: MIT */
#include "blocking_transfer.h"

#include <string.h>

enum { IMAGE_CHUNK = 16 << 20 }; /* maximum bytes copied at a time */

/* Copies a chunk between table memory and the staging buffer, and waits. */
static VkResult copy_part(MurBlocking blocking, MurTable table, bool up, VkDeviceSize offset,
                          VkDeviceSize size) {
    MUR_TRY(mur_blocking_start(blocking));
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkBuffer staging = blocking->staging.buffer;
    const MurBufferRange memory = table->memory;
    const VkBufferCopy region = {
        .srcOffset = up ? 0 : memory.offset + offset,
        .dstOffset = up ? memory.offset + offset : 0,
        .size = size,
    };
    /* The copy also waits for earlier reads of the table. */
    mur_barrier(blocking->context, blocking->cmd, MUR_EXIT_STAGES | transfer,
                MUR_EXIT_ACCESS | VK_ACCESS_TRANSFER_WRITE_BIT, transfer,
                up ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_TRANSFER_READ_BIT);
    blocking->context->vk.vkCmdCopyBuffer(blocking->cmd, up ? staging : memory.buffer,
                                          up ? memory.buffer : staging, 1, &region);
    mur_barrier(blocking->context, blocking->cmd, transfer, VK_ACCESS_TRANSFER_WRITE_BIT,
                up ? MUR_ENTRY_STAGES : VK_PIPELINE_STAGE_HOST_BIT,
                up ? MUR_ENTRY_ACCESS : VK_ACCESS_HOST_READ_BIT);
    return mur_blocking_submit(blocking);
}

static VkResult copy_image(MurBlocking blocking, MurTable table, bool up, uint8_t *image) {
    const VkDeviceSize size = table->memory.size;
    MUR_TRY(mur_blocking_reserve(blocking, size < IMAGE_CHUNK ? size : IMAGE_CHUNK));
    for (VkDeviceSize at = 0; at < size; at += IMAGE_CHUNK) {
        const VkDeviceSize part = size - at < IMAGE_CHUNK ? size - at : IMAGE_CHUNK;
        if (up) {
            memcpy(blocking->mapped, image + at, (size_t)part);
        }
        MUR_TRY(copy_part(blocking, table, up, at, part));
        if (!up) {
            memcpy(image + at, blocking->mapped, (size_t)part);
        }
    }
    return VK_SUCCESS;
}

static VkResult check_blocking_image(MurBlocking blocking, MurTable table, const char *function,
                                     const void *image, uint64_t size) {
    MUR_TRY(mur_blocking_check(blocking, table));
    if (!image) {
        return mur_invalid_argument(blocking->context, function,
                                    "pImage is NULL, expected a pointer");
    }
    const MurNumber number = {"size", size, table->memory.size, UINT64_MAX};
    return mur_check_numbers(blocking->context, function, &number, 1);
}

VkResult murBlockingDownload(MurBlocking blocking, MurTable table, void *pImage, uint64_t size) {
    MUR_TRY(check_blocking_image(blocking, table, __func__, pImage, size));
    return copy_image(blocking, table, false, pImage);
}

VkResult murBlockingUpload(MurBlocking blocking, MurTable table, const void *pImage,
                           uint64_t size) {
    MUR_TRY(check_blocking_image(blocking, table, __func__, pImage, size));
    if (table->shape.mirrored) {
        return mur_invalid_argument(blocking->context, __func__,
                                    "the table is a mirror's, expected one that "
                                    "commands may write");
    }
    MurTableHeader header;
    memcpy(&header, pImage, sizeof header);
    const MurTableRef *ref = &table->shape.ref;
    if (header.magic == MUR_LAYOUT_MAGIC && header.version != MUR_LAYOUT_VERSION) {
        return mur_fail(&blocking->context->logger, MUR_ERROR_VERSION,
                        "murBlockingUpload: the image is of layout version %u; this library's is "
                        "%u",
                        header.version, MUR_LAYOUT_VERSION);
    }
    if (header.magic != MUR_LAYOUT_MAGIC || header.capacity != ref->capacity ||
        header.slotCount != ref->slotCount || header.seed != ref->seed ||
        header.flags != ref->flags || header.probeSectors != ref->probeSectors) {
        return mur_fail(&blocking->context->logger, MUR_ERROR_CORRUPT,
                        "murBlockingUpload: the image is not one of a table like this: capacity "
                        "%u, seed 0x%x, flags %u, %u sectors a probe; the table has %u, 0x%x, %u, "
                        "%u",
                        header.capacity, header.seed, header.flags, header.probeSectors,
                        ref->capacity, ref->seed, ref->flags, ref->probeSectors);
    }
    return copy_image(blocking, table, true, (uint8_t *)(uintptr_t)pImage);
}
