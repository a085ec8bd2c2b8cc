/* Recording, submitting and timing.
 * SPDX-License-Identifier: MIT */
#include "gpu.h"
#include "message.h"

bool gpuCheck(VkResult result, const char *what) {
    return result == VK_SUCCESS || sayError("%s: %s", what, murResultName(result));
}

bool gpuCreateCommands(Gpu *gpu, GpuCommands *commands) {
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = gpu->family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = GPU_TIMESTAMPS,
    };
    if (!gpuCheck(vkCreateCommandPool(gpu->device, &pool, NULL, &commands->pool),
                  "creating a command pool") ||
        !gpuCheck(vkCreateFence(gpu->device, &fence, NULL, &commands->fence), "creating a fence") ||
        !gpuCheck(vkCreateQueryPool(gpu->device, &queries, NULL, &commands->queries),
                  "creating timestamps")) {
        return false;
    }
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = commands->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return gpuCheck(vkAllocateCommandBuffers(gpu->device, &buffer, &commands->cmd),
                    "allocating a command buffer");
}

void gpuDestroyCommands(Gpu *gpu, const GpuCommands *commands) {
    vkDestroyQueryPool(gpu->device, commands->queries, NULL);
    vkDestroyFence(gpu->device, commands->fence, NULL);
    vkDestroyCommandPool(gpu->device, commands->pool, NULL);
}

bool gpuBeginCommands(Gpu *gpu, const GpuCommands *commands) {
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    if (!gpuCheck(vkResetCommandPool(gpu->device, commands->pool, 0), "resetting commands") ||
        !gpuCheck(vkBeginCommandBuffer(commands->cmd, &info), "recording commands")) {
        return false;
    }
    gpu->cmd = commands->cmd;
    gpu->queries = commands->queries;
    if (gpu->timestampMask) {
        vkCmdResetQueryPool(gpu->cmd, gpu->queries, 0, GPU_TIMESTAMPS);
    }
    return true;
}

bool gpuSubmitCommands(Gpu *gpu, const GpuCommands *commands, VkSemaphore wait,
                       VkSemaphore signal) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = wait ? 1 : 0,
        .pWaitSemaphores = &wait,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &commands->cmd,
        .signalSemaphoreCount = signal ? 1 : 0,
        .pSignalSemaphores = &signal,
    };
    gpu->cmd = gpu->own.cmd;
    gpu->queries = gpu->own.queries;
    return !gpu->failed && gpuCheck(vkEndCommandBuffer(commands->cmd), "recording commands") &&
           gpuCheck(vkResetFences(gpu->device, 1, &commands->fence), "resetting a fence") &&
           gpuCheck(vkQueueSubmit(gpu->queue, 1, &info, commands->fence), "submitting commands");
}

bool gpuAwaitCommands(Gpu *gpu, const GpuCommands *commands) {
    return gpuCheck(vkWaitForFences(gpu->device, 1, &commands->fence, VK_TRUE, UINT64_MAX),
                    "waiting for the device");
}

bool gpuBegin(Gpu *gpu) {
    return gpuBeginCommands(gpu, &gpu->own);
}

bool gpuSubmit(Gpu *gpu) {
    return gpuSubmitCommands(gpu, &gpu->own, VK_NULL_HANDLE, VK_NULL_HANDLE) &&
           gpuAwaitCommands(gpu, &gpu->own);
}

static void barrier(Gpu *gpu, VkPipelineStageFlags from, VkAccessFlags fromAccess,
                    VkPipelineStageFlags to, VkAccessFlags toAccess) {
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = fromAccess,
        .dstAccessMask = toAccess,
    };
    vkCmdPipelineBarrier(gpu->cmd, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

void gpuComputeBarrier(Gpu *gpu) {
    barrier(gpu, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

void gpuFullBarrier(Gpu *gpu) {
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier(gpu, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all);
}

void gpuTransferBarrier(Gpu *gpu) {
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    barrier(gpu, stages, VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, stages,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                VK_ACCESS_TRANSFER_WRITE_BIT);
}

void gpuHostBarrier(Gpu *gpu) {
    barrier(gpu, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
}

void gpuCopy(Gpu *gpu, const GpuBuffer *from, VkDeviceSize at, const GpuBuffer *to,
             VkDeviceSize toAt, VkDeviceSize size) {
    const VkBufferCopy region = {at, toAt, size};
    vkCmdCopyBuffer(gpu->cmd, from->buffer, to->buffer, 1, &region);
}

void gpuUpdate(Gpu *gpu, const void *data, const GpuBuffer *to, VkDeviceSize toAt,
               VkDeviceSize size) {
    const VkDeviceSize most = 65536; /* Vulkan's limit per command */
    for (VkDeviceSize at = 0; at < size; at += most) {
        vkCmdUpdateBuffer(gpu->cmd, to->buffer, toAt + at, size - at < most ? size - at : most,
                          (const char *)data + at);
    }
}

void gpuTimestamp(Gpu *gpu, uint32_t index) {
    if (gpu->timestampMask) {
        vkCmdWriteTimestamp(gpu->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, gpu->queries, index);
    }
}

double gpuMilliseconds(Gpu *gpu, uint32_t from, uint32_t to) {
    uint64_t ticks[2];
    const uint32_t indices[2] = {from, to};
    for (uint32_t i = 0; i < 2; ++i) {
        if (!gpu->timestampMask ||
            vkGetQueryPoolResults(
                gpu->device, gpu->queries, indices[i], 1, sizeof ticks[i], &ticks[i],
                sizeof ticks[i], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT) != VK_SUCCESS) {
            return -1;
        }
    }
    const double period = (double)gpu->properties.limits.timestampPeriod;
    return 1e-6 * period * (double)((ticks[1] - ticks[0]) & gpu->timestampMask);
}

void gpuName(Gpu *gpu, VkObjectType type, uint64_t handle, const char *name) {
    if (gpu->hasDebugUtils) {
        const VkDebugUtilsObjectNameInfoEXT info = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = type,
            .objectHandle = handle,
            .pObjectName = name,
        };
        (void)vkSetDebugUtilsObjectNameEXT(gpu->device, &info); /* failures are ignored */
    }
}

void gpuBeginLabel(Gpu *gpu, const char *name) {
    if (gpu->hasDebugUtils) {
        const VkDebugUtilsLabelEXT label = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
            .pLabelName = name,
        };
        vkCmdBeginDebugUtilsLabelEXT(gpu->cmd, &label);
    }
}

void gpuEndLabel(Gpu *gpu) {
    if (gpu->hasDebugUtils) {
        vkCmdEndDebugUtilsLabelEXT(gpu->cmd);
    }
}
