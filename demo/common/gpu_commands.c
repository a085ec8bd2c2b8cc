/* Recording, submitting and timing.
 *
 * SPDX-License-Identifier: MIT */
#include "gpu.h"
#include "message.h"

bool gpuCheck(VkResult result, const char *what) {
    return result == VK_SUCCESS || sayError("%s: %s", what, murResultName(result));
}

bool gpuBegin(Gpu *gpu) {
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    if (!gpuCheck(vkResetCommandPool(gpu->device, gpu->commands, 0), "resetting commands") ||
        !gpuCheck(vkBeginCommandBuffer(gpu->cmd, &info), "recording commands")) {
        return false;
    }
    if (gpu->timestampMask) {
        vkCmdResetQueryPool(gpu->cmd, gpu->queries, 0, GPU_TIMESTAMPS);
    }
    return true;
}

bool gpuSubmit(Gpu *gpu) {
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &gpu->cmd,
    };
    return !gpu->failed && gpuCheck(vkEndCommandBuffer(gpu->cmd), "recording commands") &&
           gpuCheck(vkResetFences(gpu->device, 1, &gpu->fence), "resetting a fence") &&
           gpuCheck(vkQueueSubmit(gpu->queue, 1, &info, gpu->fence), "submitting commands") &&
           gpuCheck(vkWaitForFences(gpu->device, 1, &gpu->fence, VK_TRUE, UINT64_MAX),
                    "waiting for the device");
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
