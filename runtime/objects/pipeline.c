/* Pipelines of kernels. Each is created once, for the first table that requires it, and kept until
 * the context is destroyed.
 * SPDX-License-Identifier: MIT */
#include "objects.h"

#include <stdio.h>

VkResult mur_create_layout(MurContext context) {
    const VkPushConstantRange range = {
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .size = MUR_PUSH_BYTES,
    };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkResult result = context->vk.vkCreatePipelineLayout(context->device, &info,
                                                         mur_allocator(context), &context->layout);
    if (result != VK_SUCCESS) {
        context->layout = VK_NULL_HANDLE;
        return mur_fail(&context->logger, result,
                        "murCreateContext: creating the pipeline layout: %s",
                        murResultName(result));
    }
    mur_name_object(context, VK_OBJECT_TYPE_PIPELINE_LAYOUT, (uint64_t)context->layout,
                    "murmuration layout");
    return VK_SUCCESS;
}

static bool is_listed(const MurKernelList *list, MurKernel kernel) {
    for (uint32_t i = 0; i < list->count; ++i) {
        if (list->codes[i]->kernel == kernel) {
            return true;
        }
    }
    return false;
}

void mur_list_family(MurContext context, const MurFamily *family, MurKernelList *list) {
    const MurShape *table = &list->table;
    for (uint32_t i = 0; i < family->count; ++i) {
        const MurKernelCode *code = &family->codes[i];
        const MurKernelNeeds needs = mur_kernels[code->kernel].needs;
        const bool able = needs == MUR_NEEDS_SHARED_MEMORY ? context->planning.sharedMemory
                          : needs == MUR_NEEDS_REHASH ? (table->kernels & MUR_KERNELS_REHASH) != 0
                                                      : true;
        if (able && mur_kernel_serves(code->kernel, table->type) &&
            code->module == mur_kernel_module(code->kernel, table->ref.flags) &&
            !is_listed(list, code->kernel)) {
            list->codes[list->count++] = code;
        }
    }
}

VkResult mur_list_kernels(MurContext context, const char *function, const MurTableCreateInfo *info,
                          MurKernelList *list) {
    const MurType type = info->type ? info->type : murTypeK32V32();
    list->count = 0;
    if (!type->kernels) {
        return mur_invalid_argument(
            context, function,
            "type is murHostType%s(), a type without kernels, expected murType%s()",
            type->info->name, type->info->name);
    }
    for (uint32_t i = 0; i < MUR_MAX_KERNELS && info->kernels[i]; ++i) {
        const MurKernels set = info->kernels[i];
        const MurKernelSetInfo *is = &mur_kernel_sets[set->name];
        const bool twice = list->table.kernels >> set->name & 1;
        if (twice || !mur_can(type->info, is->requires)) {
            return mur_invalid_argument(
                context, function,
                twice ? "kernels[%u] is %s(), expected each set once"
                      : "kernels[%u] is %s(), expected sets whose commands accept tables of "
                        "murType%s()",
                i, is->function, type->info->name);
        }
        list->table.kernels |= 1u << set->name;
        for (uint32_t j = 0; j < MUR_SET_FAMILIES && set->families[j]; ++j) {
            mur_list_family(context, set->families[j], list);
        }
    }
    for (uint32_t i = 0; type->kernels[i]; ++i) {
        mur_list_family(context, type->kernels[i], list);
    }
    return VK_SUCCESS;
}

/* Creates a pipeline. kernel.glsl declares its specialization constants 0 to 2. */
static VkResult create(MurContext context, const MurKernelCode *code, uint32_t tableFlags,
                       VkPipeline *pipeline) {
    const VkShaderModuleCreateInfo moduleInfo = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = *code->bytes,
        .pCode = code->words,
    };
    VkShaderModule shader;
    VkResult result = context->vk.vkCreateShaderModule(context->device, &moduleInfo,
                                                       mur_allocator(context), &shader);
    if (result != VK_SUCCESS) {
        return result;
    }
    const uint32_t values[] = {
        mur_kernels[code->kernel].group,
        mur_kernels[code->kernel].variant,
        MUR_SLOT_FORMAT(MUR_TABLE_FORMAT(tableFlags)),
    };
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo constants = {
        .mapEntryCount = 3,
        .pMapEntries = entries,
        .dataSize = sizeof values,
        .pData = values,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = context->layout,
    };
    *pipeline = VK_NULL_HANDLE;
    result = context->vk.vkCreateComputePipelines(context->device, context->cache, 1, &info,
                                                  mur_allocator(context), pipeline);
    context->vk.vkDestroyShaderModule(context->device, shader, mur_allocator(context));
    return result;
}

/* Claims a pipeline for creation by this thread. Returns false if it exists, or if another thread
 * creates it. If wait is true, first waits for the other thread. */
static bool claim(MurContext context, MurKernel kernel, uint32_t variant, bool wait) {
    mur_lock(&context->lock);
    while (wait && context->making[kernel][variant]) {
        mur_wait(&context->lock);
    }
    const bool mine = !context->making[kernel][variant] &&
                      !atomic_load(&context->pipelines[kernel][variant]);
    if (mine) {
        context->making[kernel][variant] = true;
    }
    mur_unlock(&context->lock);
    return mine;
}

/* Stores a created pipeline. VK_NULL_HANDLE means that creation failed; threads that wait for the
 * pipeline then try to create it. */
static void publish(MurContext context, MurKernel kernel, uint32_t variant, VkPipeline pipeline) {
    mur_lock(&context->lock);
    atomic_store_explicit(&context->pipelines[kernel][variant], (uint64_t)pipeline,
                          memory_order_release);
    context->making[kernel][variant] = false;
    mur_wake(&context->lock);
    mur_unlock(&context->lock);
}

static VkResult prepare(MurContext context, const MurKernelCode *code, uint32_t tableFlags,
                        bool wait) {
    const MurKernel kernel = code->kernel;
    const uint32_t variant = mur_pipeline_variant(kernel, tableFlags);
    if (atomic_load_explicit(&context->pipelines[kernel][variant], memory_order_acquire) ||
        !claim(context, kernel, variant, wait)) {
        return VK_SUCCESS;
    }
    char name[64];
    snprintf(name, sizeof name, "murmuration %s %u", mur_kernels[kernel].name, variant);
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = create(context, code, tableFlags, &pipeline);
    if (result == VK_SUCCESS) {
        mur_name_object(context, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, name);
        mur_log(&context->logger, MUR_LOG_INFO, "pipeline \"%s\" made", name);
    } else {
        pipeline = VK_NULL_HANDLE;
        mur_fail(&context->logger, result, "creating the pipeline \"%s\": %s", name,
                 murResultName(result));
    }
    publish(context, kernel, variant, pipeline);
    return result;
}

VkResult mur_prepare_kernels(MurContext context, const MurKernelList *list, uint32_t first,
                             uint32_t count) {
    VkResult result = VK_SUCCESS;
    /* The first round creates pipelines that no other thread creates. The second round waits for
     * the pipelines of other threads and retries their failures, so that threads share the work. */
    for (uint32_t i = 0; i < 2 * count && result == VK_SUCCESS; ++i) {
        result = prepare(context, list->codes[first + i % count], list->table.ref.flags,
                         i >= count);
    }
    return result;
}

void mur_destroy_pipelines(MurContext context) {
    for (size_t i = 0; i < MUR_KERNEL_COUNT; ++i) {
        for (size_t j = 0; j < MUR_PIPELINE_VARIANTS; ++j) {
            VkPipeline pipeline = (VkPipeline)atomic_load(&context->pipelines[i][j]);
            if (pipeline) {
                context->vk.vkDestroyPipeline(context->device, pipeline, mur_allocator(context));
            }
        }
    }
    if (context->layout) {
        context->vk.vkDestroyPipelineLayout(context->device, context->layout,
                                            mur_allocator(context));
    }
}
