/* The blocking helper: copies arrays to the GPU, runs a command, waits, and copies results back.
 * Uses the public header for table commands, and the runtime's buffers.
 * SPDX-License-Identifier: MIT */
#include "../objects/objects.h"

#include <murmuration/blocking.h>

#include <string.h>

enum { IMAGE_CHUNK = 16 << 20 }; /* maximum bytes of a whole table that are copied at a time */

struct MurBlocking_T {
    MurContext context;
    MurBlockingCreateInfo info;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkDeviceSize size; /* bytes of each of the two buffers; 0: there are none */
    MurBuffer staging;
    MurBuffer arrays;
    uint8_t *mapped;         /* the memory of staging */
    VkDeviceAddress address; /* the address of arrays */
};

/* The arrays of one call. TOTAL is for whole tables: the statistics, or the number of entries. */
enum { KEYS, VALUES, STATUSES, SLOTS, TOTAL, PARTS };
typedef struct Transfer {
    uint32_t count; /* elements of each array */
    const void *in[PARTS];
    void *out[PARTS];
    VkDeviceSize totalSize;
    /* Offsets of arrays in the staging and GPU buffers. Uploads come before downloads. */
    VkDeviceSize offsets[PARTS], sizes[PARTS], inEnd, end;
} Transfer;

static void lay_out(Transfer *transfer, const MurTypeInfo *type) {
    const VkDeviceSize count = transfer->count;
    const VkDeviceSize sizes[PARTS] = {type->storedKeySize * count, type->valueSize * count,
                                       4 * count, 4 * count, transfer->totalSize};
    for (uint32_t i = 0; i < PARTS; ++i) {
        transfer->offsets[i] = transfer->end;
        transfer->sizes[i] = transfer->in[i] || transfer->out[i] ? sizes[i] : 0;
        transfer->end += (transfer->sizes[i] + 15) / 16 * 16;
        transfer->inEnd = transfer->in[i] ? transfer->end : transfer->inEnd;
    }
}

static MurArray device_array(MurBlocking blocking, const Transfer *transfer, uint32_t part) {
    return transfer->in[part] || transfer->out[part]
               ? (MurArray){blocking->address + transfer->offsets[part], transfer->sizes[part]}
               : (MurArray){0};
}

static void release_buffers(MurBlocking blocking) {
    mur_destroy_buffer(blocking->context, &blocking->staging); /* unmaps */
    mur_destroy_buffer(blocking->context, &blocking->arrays);
    blocking->size = 0;
    blocking->mapped = NULL;
}

static VkResult create_buffers(MurBlocking blocking, VkDeviceSize size) {
    MUR_TRY(mur_create_mapped(blocking->context, size, &blocking->staging, &blocking->mapped));
    return mur_create_buffer(blocking->context, size, &blocking->arrays);
}

/* Ensures that the buffers staging and arrays have at least this number of bytes. */
static VkResult reserve_buffers(MurBlocking blocking, VkDeviceSize size) {
    if (size <= blocking->size) {
        return VK_SUCCESS;
    }
    release_buffers(blocking);
    const VkResult result = create_buffers(blocking, size);
    if (result != VK_SUCCESS) {
        release_buffers(blocking);
        return mur_check_result(blocking->context, result, "blocking helper: arrays of %llu bytes",
                                (unsigned long long)size);
    }
    blocking->size = size;
    blocking->address = mur_buffer_address(blocking->context, blocking->arrays.buffer);
    return VK_SUCCESS;
}

static void copy(MurBlocking blocking, VkBuffer from, VkBuffer to, VkDeviceSize offset,
                 VkDeviceSize end) {
    const VkBufferCopy region = {offset, offset, end - offset};
    if (offset != end) {
        blocking->context->vk.vkCmdCopyBuffer(blocking->cmd, from, to, 1, &region);
    }
}

static VkResult start_blocking(MurBlocking blocking) {
    MurContext context = blocking->context;
    VkResult result = context->vk.vkResetCommandPool(context->device, blocking->pool, 0);
    if (result == VK_SUCCESS) {
        const VkCommandBufferBeginInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
        };
        result = context->vk.vkBeginCommandBuffer(blocking->cmd, &info);
    }
    return mur_check_result(context, result, "blocking helper");
}

/* Checks that the helper is valid, and that the table is on its device. */
static VkResult check_blocking(MurBlocking blocking, MurTable table) {
    if (!blocking) {
        return MUR_ERROR_INVALID_ARGUMENT; /* without a log */
    }
    if (!table || table->context->device != blocking->context->device) {
        return mur_invalid_argument(blocking->context, "blocking helper", "table is %s",
                                    table ? "of another device than the helper" : "NULL");
    }
    return VK_SUCCESS;
}

/* Reserves memory, begins the command buffer and records the upload of a call's arrays. */
static VkResult begin_transfer(MurBlocking blocking, MurTable table, Transfer *transfer) {
    MUR_TRY(check_blocking(blocking, table));
    lay_out(transfer, table->shape.type);
    MUR_TRY(reserve_buffers(blocking, transfer->end + 1)); /* buffers must not be empty */
    MUR_TRY(start_blocking(blocking));
    for (uint32_t i = 0; i < PARTS; ++i) {
        if (transfer->in[i] && transfer->sizes[i]) {
            memcpy(blocking->mapped + transfer->offsets[i], transfer->in[i],
                   (size_t)transfer->sizes[i]);
        }
    }
    copy(blocking, blocking->staging.buffer, blocking->arrays.buffer, 0, transfer->inEnd);
    /* The barrier also waits for earlier work on this queue, such as the previous call. */
    mur_barrier(blocking->context, blocking->cmd, VK_PIPELINE_STAGE_TRANSFER_BIT | MUR_EXIT_STAGES,
                VK_ACCESS_TRANSFER_WRITE_BIT | MUR_EXIT_ACCESS, MUR_ENTRY_STAGES, MUR_ENTRY_ACCESS);
    return VK_SUCCESS;
}

static VkResult submit_and_wait(MurBlocking blocking) {
    MurContext context = blocking->context;
    MUR_TRY(context->vk.vkEndCommandBuffer(blocking->cmd));
    MUR_TRY(context->vk.vkResetFences(context->device, 1, &blocking->fence));
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &blocking->cmd,
    };
    const MurBlockingCreateInfo *queue = &blocking->info;
    if (queue->pfnLockQueue) {
        queue->pfnLockQueue(queue->pQueueUserData);
    }
    const VkResult result = context->vk.vkQueueSubmit(queue->queue, 1, &info, blocking->fence);
    if (queue->pfnUnlockQueue) {
        queue->pfnUnlockQueue(queue->pQueueUserData);
    }
    MUR_TRY(result);
    return context->vk.vkWaitForFences(context->device, 1, &blocking->fence, VK_TRUE, UINT64_MAX);
}

static VkResult submit_blocking(MurBlocking blocking) {
    return mur_check_result(blocking->context, submit_and_wait(blocking), "blocking helper");
}

static void download(MurBlocking blocking, const Transfer *transfer) {
    mur_barrier(blocking->context, blocking->cmd, MUR_EXIT_STAGES, MUR_EXIT_ACCESS,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    copy(blocking, blocking->arrays.buffer, blocking->staging.buffer, transfer->inEnd,
         transfer->end);
    mur_barrier(blocking->context, blocking->cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static void take_results(MurBlocking blocking, const Transfer *transfer) {
    for (uint32_t i = 0; i < PARTS; ++i) {
        if (transfer->out[i] && transfer->sizes[i]) {
            memcpy(transfer->out[i], blocking->mapped + transfer->offsets[i],
                   (size_t)transfer->sizes[i]);
        }
    }
}

/* Records the download of results, submits, and waits. recorded: the result of the command. */
static VkResult finish(MurBlocking blocking, const Transfer *transfer, VkResult recorded) {
    if (recorded != VK_SUCCESS) {
        /* The command failed, so nothing is submitted. Ending cmd allows a reset of its pool. */
        blocking->context->vk.vkEndCommandBuffer(blocking->cmd);
        return recorded;
    }
    if (transfer->end != transfer->inEnd) {
        download(blocking, transfer);
    }
    MUR_TRY(submit_blocking(blocking));
    take_results(blocking, transfer);
    return VK_SUCCESS;
}

static VkResult create_objects(MurBlocking blocking, uint32_t family) {
    MurContext context = blocking->context;
    const VkCommandPoolCreateInfo poolInfo = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
        .queueFamilyIndex = family,
    };
    VkResult result = context->vk.vkCreateCommandPool(context->device, &poolInfo,
                                                      mur_allocator(context), &blocking->pool);
    if (result != VK_SUCCESS) {
        blocking->pool = VK_NULL_HANDLE;
        return result;
    }
    const VkCommandBufferAllocateInfo bufferInfo = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = blocking->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    MUR_TRY(context->vk.vkAllocateCommandBuffers(context->device, &bufferInfo, &blocking->cmd));
    const VkFenceCreateInfo fenceInfo = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result = context->vk.vkCreateFence(context->device, &fenceInfo, mur_allocator(context),
                                       &blocking->fence);
    if (result != VK_SUCCESS) {
        blocking->fence = VK_NULL_HANDLE;
    }
    return result;
}

VkResult murCreateBlocking(MurContext context, const MurBlockingCreateInfo *pCreateInfo,
                           MurBlocking *pBlocking) {
    if (pBlocking) {
        *pBlocking = VK_NULL_HANDLE;
    }
    MUR_TRY(mur_check_creation(context, __func__, pCreateInfo, pBlocking, "pBlocking"));
    const MurNumber family = {"queueFamilyIndex", pCreateInfo->queueFamilyIndex, 0,
                              context->deviceFamilies - 1};
    MUR_TRY(mur_check_numbers(context, __func__, &family, 1));
    if (!pCreateInfo->queue || !pCreateInfo->pfnLockQueue != !pCreateInfo->pfnUnlockQueue) {
        return mur_invalid_argument(
            context, __func__, "%s",
            pCreateInfo->queue
                ? "one of pfnLockQueue and pfnUnlockQueue is NULL, expected both or none"
                : "queue is NULL, expected a queue");
    }
    MurBlocking blocking = mur_new(context, __func__, sizeof *blocking);
    if (!blocking) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    blocking->context = context;
    blocking->info = *pCreateInfo;
    VkResult result = create_objects(blocking, pCreateInfo->queueFamilyIndex);
    if (result != VK_SUCCESS) {
        murDestroyBlocking(blocking);
        return mur_check_result(context, result, "%s", __func__);
    }
    *pBlocking = blocking;
    return VK_SUCCESS;
}

void murDestroyBlocking(MurBlocking blocking) {
    if (!blocking) {
        return;
    }
    MurContext context = blocking->context;
    release_buffers(blocking);
    if (blocking->fence) {
        context->vk.vkDestroyFence(context->device, blocking->fence, mur_allocator(context));
    }
    if (blocking->pool) {
        context->vk.vkDestroyCommandPool(context->device, blocking->pool, mur_allocator(context));
    }
    mur_release(mur_allocator(context), blocking);
}

VkResult murBlockingClear(MurBlocking blocking, MurTable table) {
    Transfer transfer = {0};
    MUR_TRY(begin_transfer(blocking, table, &transfer));
    return finish(blocking, &transfer, murCmdClear(blocking->cmd, table));
}

static VkResult run_blocking(MurBlocking blocking, MurTable table, MurCommand command,
                             MurInsertMode mode, Transfer transfer) {
    MUR_TRY(begin_transfer(blocking, table, &transfer));
    const VkCommandBuffer cmd = blocking->cmd;
    const MurBatch batch = {
        .maxCount = transfer.count,
        .keys = device_array(blocking, &transfer, KEYS),
        .values = device_array(blocking, &transfer, VALUES),
        .statuses = device_array(blocking, &transfer, STATUSES),
        .slots = device_array(blocking, &transfer, SLOTS),
    };
    return finish(blocking, &transfer,
                  command == MUR_COMMAND_INSERT ? murCmdInsert(cmd, table, mode, &batch)
                  : command == MUR_COMMAND_FIND ? murCmdFind(cmd, table, &batch)
                                                : murCmdErase(cmd, table, &batch));
}

VkResult murBlockingInsert(MurBlocking blocking, MurTable table, MurInsertMode mode, uint32_t count,
                           const void *pKeys, const void *pValues, uint32_t *pStatuses,
                           uint32_t *pSlots) {
    return run_blocking(
        blocking, table, MUR_COMMAND_INSERT, mode,
        (Transfer){.count = count, .in = {pKeys, pValues}, .out = {NULL, NULL, pStatuses, pSlots}});
}

VkResult murBlockingFind(MurBlocking blocking, MurTable table, uint32_t count, const void *pKeys,
                         void *pValues, uint32_t *pStatuses, uint32_t *pSlots) {
    return run_blocking(
        blocking, table, MUR_COMMAND_FIND, MUR_MODE_ASSIGN,
        (Transfer){.count = count, .in = {pKeys}, .out = {NULL, pValues, pStatuses, pSlots}});
}

VkResult murBlockingErase(MurBlocking blocking, MurTable table, uint32_t count, const void *pKeys,
                          void *pValues, uint32_t *pStatuses, uint32_t *pSlots) {
    return run_blocking(
        blocking, table, MUR_COMMAND_ERASE, MUR_MODE_ASSIGN,
        (Transfer){.count = count, .in = {pKeys}, .out = {NULL, pValues, pStatuses, pSlots}});
}

/* Extracts the entries of a whole table, at most as many as the caller's arrays can store. */
static VkResult run_blocking_extract(MurBlocking blocking, MurTable table, bool erases,
                                     uint32_t predicateCount, const MurPredicate *pPredicates,
                                     uint32_t maxCount, void *pKeys, void *pValues,
                                     uint32_t *pSlots, uint32_t *pCount) {
    const bool pointers = pCount && (predicateCount == 0 || pPredicates);
    if (blocking && (!pointers || predicateCount > MUR_MAX_PREDICATES)) {
        return mur_invalid_argument(blocking->context,
                                    erases ? "murBlockingEraseWhere" : "murBlockingExtract",
                                    pointers ? "predicateCount is %u, expected 0 to %u"
                                             : "pCount or pPredicates is NULL, expected pointers",
                                    predicateCount, MUR_MAX_PREDICATES);
    }
    const uint32_t most = murGetMaxEntries(table);
    Transfer transfer = {.count = maxCount < most ? maxCount : most,
                         .out = {pKeys, pValues, NULL, pSlots, pCount},
                         .totalSize = sizeof *pCount};
    MUR_TRY(begin_transfer(blocking, table, &transfer));
    MurExtract extract = {
        .maxCount = transfer.count,
        .countAddress = device_array(blocking, &transfer, TOTAL).address,
        .keys = device_array(blocking, &transfer, KEYS),
        .values = device_array(blocking, &transfer, VALUES),
        .slots = device_array(blocking, &transfer, SLOTS),
    };
    for (uint32_t i = 0; i < predicateCount; ++i) {
        extract.predicates[i] = pPredicates[i];
    }
    return finish(blocking, &transfer,
                  (erases ? murCmdEraseWhere : murCmdExtract)(blocking->cmd, table, &extract));
}

VkResult murBlockingExtract(MurBlocking blocking, MurTable table, uint32_t predicateCount,
                            const MurPredicate *pPredicates, uint32_t maxCount, void *pKeys,
                            void *pValues, uint32_t *pSlots, uint32_t *pCount) {
    return run_blocking_extract(blocking, table, false, predicateCount, pPredicates, maxCount,
                                pKeys, pValues, pSlots, pCount);
}

VkResult murBlockingEraseWhere(MurBlocking blocking, MurTable table, uint32_t predicateCount,
                               const MurPredicate *pPredicates, uint32_t maxCount, void *pKeys,
                               void *pValues, uint32_t *pSlots, uint32_t *pCount) {
    return run_blocking_extract(blocking, table, true, predicateCount, pPredicates, maxCount, pKeys,
                                pValues, pSlots, pCount);
}

VkResult murBlockingStats(MurBlocking blocking, MurTable table, MurStats *pStats) {
    if (blocking && !pStats) {
        return mur_invalid_argument(blocking->context, __func__, "pStats is NULL");
    }
    Transfer transfer = {.out[TOTAL] = pStats, .totalSize = sizeof *pStats};
    MUR_TRY(begin_transfer(blocking, table, &transfer));
    const MurArray stats = device_array(blocking, &transfer, TOTAL);
    return finish(blocking, &transfer, murCmdStats(blocking->cmd, table, stats));
}

/* Copies a chunk between table memory and the staging buffer, and waits. */
static VkResult copy_part(MurBlocking blocking, MurTable table, bool up, VkDeviceSize offset,
                          VkDeviceSize size) {
    MUR_TRY(start_blocking(blocking));
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
    return submit_blocking(blocking);
}

static VkResult copy_image(MurBlocking blocking, MurTable table, bool up, uint8_t *image) {
    const VkDeviceSize size = table->memory.size;
    MUR_TRY(reserve_buffers(blocking, size < IMAGE_CHUNK ? size : IMAGE_CHUNK));
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
    MUR_TRY(check_blocking(blocking, table));
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
