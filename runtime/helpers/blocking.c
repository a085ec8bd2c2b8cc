/* The blocking helper: stage, copy, run, copy back, wait. It stands on the public header for the
 * table commands and on the runtime's buffers for the rest.
 *
 * SPDX-License-Identifier: MIT */
#include "blocking_transfer.h"

#include "../host/size.h"

#include <string.h>

enum { HEAD = 256 }; /* bytes before the arrays: statistics or an extraction's count */

/* Host arrays of one call. in and out say which way each goes. */
enum { ARRAY_COUNT = 4 };
typedef struct Transfer {
    uint32_t count;
    uint32_t sizes[ARRAY_COUNT]; /* bytes of an element */
    const void *in[ARRAY_COUNT];
    void *out[ARRAY_COUNT];
    void *head; /* where the first headSize bytes go back to */
    VkDeviceSize headSize;
} Transfer;

/* 0: the array is not there. */
static VkDeviceSize array_size(const Transfer *transfer, uint32_t index) {
    const bool there = transfer->in[index] || transfer->out[index];
    return there ? transfer->sizes[index] * (VkDeviceSize)transfer->count : 0;
}

/* index ARRAY_COUNT: where they end. */
static VkDeviceSize array_offset(const Transfer *transfer, uint32_t index) {
    VkDeviceSize offset = HEAD;
    for (uint32_t i = 0; i < index; ++i) {
        offset += (array_size(transfer, i) + 15) / 16 * 16;
    }
    return offset;
}

static MurArray device_array(MurBlocking blocking, const Transfer *transfer, uint32_t index) {
    if (!transfer->in[index] && !transfer->out[index]) {
        return (MurArray){0, 0};
    }
    return (MurArray){blocking->address + array_offset(transfer, index),
                      array_size(transfer, index)};
}

static void release_buffers(MurBlocking blocking) {
    mur_destroy_buffer(blocking->context, &blocking->staging); /* unmaps */
    mur_destroy_buffer(blocking->context, &blocking->arrays);
    blocking->size = 0;
    blocking->mapped = NULL;
}

static VkResult create_buffers(MurBlocking blocking, VkDeviceSize size) {
    void *mapped;
    MUR_TRY(mur_create_mapped(blocking->context, size, &blocking->staging, &mapped));
    blocking->mapped = mapped;
    return mur_create_buffer(blocking->context, size, &blocking->arrays);
}

VkResult mur_blocking_reserve(MurBlocking blocking, VkDeviceSize size) {
    if (size <= blocking->size) {
        return VK_SUCCESS;
    }
    release_buffers(blocking);
    const VkResult result = create_buffers(blocking, size);
    if (result != VK_SUCCESS) {
        release_buffers(blocking);
        return mur_fail(&blocking->context->logger, result,
                        "blocking helper: no room for arrays of %llu bytes: %s",
                        (unsigned long long)size, murResultName(result));
    }
    blocking->size = size;
    blocking->address = mur_buffer_address(blocking->context, blocking->arrays.buffer);
    return VK_SUCCESS;
}

static void copy(MurBlocking blocking, VkBuffer from, VkBuffer to, VkDeviceSize offset,
                 VkDeviceSize size) {
    const VkBufferCopy region = {offset, offset, size};
    blocking->context->vk.vkCmdCopyBuffer(blocking->cmd, from, to, 1, &region);
}

VkResult mur_blocking_start(MurBlocking blocking) {
    MurContext context = blocking->context;
    VkResult result = context->vk.vkResetCommandPool(context->device, blocking->pool, 0);
    if (result == VK_SUCCESS) {
        const VkCommandBufferBeginInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
        };
        result = context->vk.vkBeginCommandBuffer(blocking->cmd, &info);
    }
    if (result != VK_SUCCESS) {
        mur_fail(&context->logger, result, "blocking helper: %s", murResultName(result));
    }
    return result;
}

static void upload(MurBlocking blocking, const Transfer *transfer) {
    for (uint32_t i = 0; i < ARRAY_COUNT; ++i) {
        VkDeviceSize size = array_size(transfer, i);
        if (transfer->in[i] && size) {
            VkDeviceSize offset = array_offset(transfer, i);
            memcpy(blocking->mapped + offset, transfer->in[i], (size_t)size);
            copy(blocking, blocking->staging.buffer, blocking->arrays.buffer, offset, size);
        }
    }
}

VkResult mur_blocking_check(MurBlocking blocking, MurTable table) {
    if (!blocking) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    if (!table || table->context->device != blocking->context->device) {
        return mur_refuse(blocking->context, "blocking helper", "table is %s",
                          table ? "of another device than the helper" : "NULL");
    }
    return VK_SUCCESS;
}

/* The arrays of every call, in order: keys, values, statuses, slots. Reserves memory, starts the
 * command buffer and uploads. */
static VkResult begin(MurBlocking blocking, MurTable table, Transfer *transfer) {
    MUR_TRY(mur_blocking_check(blocking, table));
    const uint32_t format = mur_table_format(table);
    const uint32_t sizes[ARRAY_COUNT] = {mur_key_size(format), mur_value_size(format), 4, 4};
    memcpy(transfer->sizes, sizes, sizeof sizes);
    MUR_TRY(mur_blocking_reserve(blocking, array_offset(transfer, ARRAY_COUNT)));
    MUR_TRY(mur_blocking_start(blocking));
    upload(blocking, transfer);
    /* What came before, on this queue, includes the previous call's use of the table. */
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

VkResult mur_blocking_submit(MurBlocking blocking) {
    const VkResult result = submit_and_wait(blocking);
    return result == VK_SUCCESS ? result
                                : mur_fail(&blocking->context->logger, result,
                                           "blocking helper: %s", murResultName(result));
}

static bool has_results(const Transfer *transfer) {
    bool any = transfer->headSize != 0;
    for (uint32_t i = 0; i < ARRAY_COUNT; ++i) {
        any = any || (transfer->out[i] && array_size(transfer, i));
    }
    return any;
}

static void download(MurBlocking blocking, const Transfer *transfer) {
    mur_barrier(blocking->context, blocking->cmd, MUR_EXIT_STAGES, MUR_EXIT_ACCESS,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    for (uint32_t i = 0; i < ARRAY_COUNT; ++i) {
        VkDeviceSize size = array_size(transfer, i);
        if (transfer->out[i] && size) {
            copy(blocking, blocking->arrays.buffer, blocking->staging.buffer,
                 array_offset(transfer, i), size);
        }
    }
    if (transfer->headSize) {
        copy(blocking, blocking->arrays.buffer, blocking->staging.buffer, 0, transfer->headSize);
    }
    mur_barrier(blocking->context, blocking->cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static void take_results(MurBlocking blocking, const Transfer *transfer) {
    for (uint32_t i = 0; i < ARRAY_COUNT; ++i) {
        VkDeviceSize size = array_size(transfer, i);
        if (transfer->out[i] && size) {
            memcpy(transfer->out[i], blocking->mapped + array_offset(transfer, i), (size_t)size);
        }
    }
    if (transfer->headSize) {
        memcpy(transfer->head, blocking->mapped, (size_t)transfer->headSize);
    }
}

/* Downloads, runs all that was recorded, waits. recorded: what recording the command returned. */
static VkResult finish(MurBlocking blocking, const Transfer *transfer, VkResult recorded) {
    if (recorded != VK_SUCCESS) {
        /* Nothing was recorded and nothing will be submitted; ending leaves the pool resettable. */
        blocking->context->vk.vkEndCommandBuffer(blocking->cmd);
        return recorded;
    }
    if (has_results(transfer)) {
        download(blocking, transfer);
    }
    MUR_TRY(mur_blocking_submit(blocking));
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
    if (!pCreateInfo->queue) {
        return mur_refuse(context, __func__, "queue is NULL");
    }
    if (!pCreateInfo->pfnLockQueue != !pCreateInfo->pfnUnlockQueue) {
        return mur_refuse(context, __func__,
                          "one of pfnLockQueue and pfnUnlockQueue is given without the other");
    }
    if (pCreateInfo->queueFamilyIndex >= context->deviceFamilies) {
        return mur_refuse(context, __func__, "queueFamilyIndex is %u; the device has %u families",
                          pCreateInfo->queueFamilyIndex, context->deviceFamilies);
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
        return mur_fail(&context->logger, result, "%s: %s", __func__, murResultName(result));
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
    MUR_TRY(begin(blocking, table, &transfer));
    return finish(blocking, &transfer, murCmdClear(blocking->cmd, table));
}

static MurBatch make_batch(MurBlocking blocking, const Transfer *transfer) {
    return (MurBatch){
        .maxCount = transfer->count,
        .keys = device_array(blocking, transfer, 0),
        .values = device_array(blocking, transfer, 1),
        .statuses = device_array(blocking, transfer, 2),
        .slots = device_array(blocking, transfer, 3),
    };
}

VkResult murBlockingInsert(MurBlocking blocking, MurTable table, MurInsertMode mode, uint32_t count,
                           const void *pKeys, const void *pValues, uint32_t *pStatuses,
                           uint32_t *pSlots) {
    Transfer transfer = {
        .count = count,
        .in = {pKeys, pValues},
        .out = {NULL, NULL, pStatuses, pSlots},
    };
    MUR_TRY(begin(blocking, table, &transfer));
    MurBatch batch = make_batch(blocking, &transfer);
    return finish(blocking, &transfer, murCmdInsert(blocking->cmd, table, mode, &batch));
}

/* Find and erase: keys go in, everything else comes out. */
static VkResult run_on_keys(MurBlocking blocking, MurTable table, uint32_t count, const void *keys,
                            void *values, uint32_t *statuses, uint32_t *slots,
                            VkResult (*command)(VkCommandBuffer, MurTable, const MurBatch *)) {
    Transfer transfer = {.count = count, .in = {keys}, .out = {NULL, values, statuses, slots}};
    MUR_TRY(begin(blocking, table, &transfer));
    MurBatch batch = make_batch(blocking, &transfer);
    return finish(blocking, &transfer, command(blocking->cmd, table, &batch));
}

VkResult murBlockingFind(MurBlocking blocking, MurTable table, uint32_t count, const void *pKeys,
                         void *pValues, uint32_t *pStatuses, uint32_t *pSlots) {
    return run_on_keys(blocking, table, count, pKeys, pValues, pStatuses, pSlots, murCmdFind);
}

VkResult murBlockingErase(MurBlocking blocking, MurTable table, uint32_t count, const void *pKeys,
                          void *pValues, uint32_t *pStatuses, uint32_t *pSlots) {
    return run_on_keys(blocking, table, count, pKeys, pValues, pStatuses, pSlots, murCmdErase);
}

/* Entries come out of a whole table, as many as there are or the caller has room for. */
static VkResult run_extract(MurBlocking blocking, MurTable table, bool erases,
                            uint32_t predicateCount, const MurPredicate *pPredicates,
                            uint32_t maxCount, void *pKeys, void *pValues, uint32_t *pSlots,
                            uint32_t *pCount) {
    const bool predicates = predicateCount <= MUR_MAX_PREDICATES &&
                            (predicateCount == 0 || pPredicates);
    if (blocking && (!pCount || !predicates)) {
        return mur_refuse(
            blocking->context, erases ? "murBlockingEraseWhere" : "murBlockingExtract", "%s",
            !pCount ? "pCount is NULL"
                    : "predicateCount is more than MUR_MAX_PREDICATES, or pPredicates "
                      "is NULL");
    }
    const uint32_t most =
        table ? table->shape.ref.slotCount + MUR_EXTRA_SLOTS(mur_table_format(table)) : 0;
    Transfer transfer = {.count = maxCount < most ? maxCount : most,
                         .out = {pKeys, pValues, NULL, pSlots},
                         .head = pCount,
                         .headSize = sizeof *pCount};
    MUR_TRY(begin(blocking, table, &transfer));
    MurExtract extract = {
        .maxCount = transfer.count,
        .countAddress = blocking->address,
        .keys = device_array(blocking, &transfer, 0),
        .values = device_array(blocking, &transfer, 1),
        .slots = device_array(blocking, &transfer, 3),
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
    return run_extract(blocking, table, false, predicateCount, pPredicates, maxCount, pKeys,
                       pValues, pSlots, pCount);
}

VkResult murBlockingEraseWhere(MurBlocking blocking, MurTable table, uint32_t predicateCount,
                               const MurPredicate *pPredicates, uint32_t maxCount, void *pKeys,
                               void *pValues, uint32_t *pSlots, uint32_t *pCount) {
    return run_extract(blocking, table, true, predicateCount, pPredicates, maxCount, pKeys, pValues,
                       pSlots, pCount);
}

VkResult murBlockingStats(MurBlocking blocking, MurTable table, MurStats *pStats) {
    if (blocking && !pStats) {
        return mur_refuse(blocking->context, __func__, "pStats is NULL");
    }
    Transfer transfer = {.head = pStats, .headSize = sizeof *pStats};
    MUR_TRY(begin(blocking, table, &transfer));
    const MurArray stats = {blocking->address, sizeof *pStats};
    return finish(blocking, &transfer, murCmdStats(blocking->cmd, table, stats));
}
