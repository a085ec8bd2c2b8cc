/* Records the dispatches of a plan, which may be of any size, and the barriers between them.
 * SPDX-License-Identifier: MIT */
#include "objects.h"

void mur_begin_label(MurContext context, VkCommandBuffer cmd, const char *name) {
    if (context->vki.vkCmdBeginDebugUtilsLabelEXT) {
        const VkDebugUtilsLabelEXT label = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
            .pLabelName = name,
        };
        context->vki.vkCmdBeginDebugUtilsLabelEXT(cmd, &label);
    }
}

void mur_end_label(MurContext context, VkCommandBuffer cmd) {
    if (context->vki.vkCmdEndDebugUtilsLabelEXT) {
        context->vki.vkCmdEndDebugUtilsLabelEXT(cmd);
    }
}

void mur_barrier(MurContext context, VkCommandBuffer cmd, VkPipelineStageFlags before,
                 VkAccessFlags beforeAccess, VkPipelineStageFlags after,
                 VkAccessFlags afterAccess) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = beforeAccess,
        .dstAccessMask = afterAccess,
    };
    context->vk.vkCmdPipelineBarrier(cmd, before, after, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void mur_exit_barrier(MurContext context, VkCommandBuffer cmd, bool host) {
    mur_barrier(context, cmd, MUR_EXIT_STAGES, MUR_EXIT_ACCESS,
                MUR_ENTRY_STAGES | (host ? VK_PIPELINE_STAGE_HOST_BIT : 0u),
                MUR_ENTRY_ACCESS | (host ? VK_ACCESS_HOST_READ_BIT : 0u));
}

static uint32_t push_size(MurPushKind kind) {
#define PUSH(name, Type, member) [MUR_PUSH_##name] = sizeof(Type),
    static const uint32_t sizes[] = {MUR_PUSHED(PUSH)};
    return kind == MUR_PUSH_PAGED_BULK ? sizeof(MurPagedRef) : sizes[kind];
}

static void record_step(MurContext context, VkCommandBuffer cmd, const MurStep *step,
                        uint32_t tableFlags) {
    const uint32_t variant = mur_pipeline_variant(step->kernel, tableFlags);
    const VkPipeline pipeline = (VkPipeline)atomic_load_explicit(
        &context->pipelines[step->kernel][variant], memory_order_relaxed);
    /* At most 2^32 invocations are 2^25 workgroups. Vulkan guarantees only 65,535 in each
     * dimension, so the grid has as many rows as needed, of equal length. */
    const uint64_t rows = (step->groups + context->limits.maxGroupsX - 1) /
                          context->limits.maxGroupsX;
    const uint64_t columns = (step->groups + rows - 1) / rows;
    context->vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    context->vk.vkCmdPushConstants(cmd, context->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                   push_size(mur_kernels[step->kernel].push), &step->push);
    context->vk.vkCmdDispatch(cmd, (uint32_t)columns, (uint32_t)rows, 1);
}

VkResult mur_record(MurContext context, VkCommandBuffer cmd, const char *command,
                    const MurPlan *plan) {
    if (plan->stepCount == 0) {
        return VK_SUCCESS;
    }
    mur_begin_label(context, cmd, command);
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        if (plan->steps[i].barrier) {
            mur_exit_barrier(context, cmd, false);
        }
        record_step(context, cmd, &plan->steps[i], plan->tableFlags);
    }
    mur_end_label(context, cmd);
    return VK_SUCCESS;
}

VkResult murCmdBarrier(VkCommandBuffer cmd, MurTable table) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    mur_exit_barrier(table->context, cmd, false);
    return VK_SUCCESS;
}
