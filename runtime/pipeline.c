/* Compute pipelines: made once a kernel and a context, when the first table that needs it is made
 * or when the engine asks for it, so that recording never makes one.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

#include <string.h>

#define MUR_SPIRV(kernel)                     \
    extern const uint32_t mur_spv_##kernel[]; \
    extern const size_t mur_spv_##kernel##_size;
MUR_SPIRV(clear)
MUR_SPIRV(find)
MUR_SPIRV(extract)
MUR_SPIRV(reset)
MUR_SPIRV(stats)
MUR_SPIRV(insert_32)
MUR_SPIRV(erase_32)
MUR_SPIRV(insert_64)
MUR_SPIRV(erase_64)
MUR_SPIRV(slices_prepare)
MUR_SPIRV(slices_split)
MUR_SPIRV(slices_split_fine)
MUR_SPIRV(build_slices)
MUR_SPIRV(build_settle)
MUR_SPIRV(build_carry)
MUR_SPIRV(build_scan)
MUR_SPIRV(build_slices_exact)
MUR_SPIRV(unsort)
MUR_SPIRV(sort_prepare)
MUR_SPIRV(sort_scan)
MUR_SPIRV(sort_count_32)
MUR_SPIRV(sort_count_64)
MUR_SPIRV(sort_count_multi)
MUR_SPIRV(sort_move_32)
MUR_SPIRV(sort_move_64)
MUR_SPIRV(sort_move_multi)
MUR_SPIRV(sort_move_64_64)
MUR_SPIRV(insert_slices)
MUR_SPIRV(slices_rest_32)
MUR_SPIRV(slices_rest_64)
MUR_SPIRV(rehash_prepare)
MUR_SPIRV(rehash_prepare_wide)
MUR_SPIRV(rehash_slices)
MUR_SPIRV(rehash_slices_wide)
MUR_SPIRV(rehash_twice)
MUR_SPIRV(rehash_twice_wide)
MUR_SPIRV(rehash_dense)
MUR_SPIRV(rehash_dense_wide)
MUR_SPIRV(rehash_finish)
MUR_SPIRV(rehash_finish_wide)
MUR_SPIRV(rehash_copy)
MUR_SPIRV(rehash_direct_32)
MUR_SPIRV(rehash_direct_64)
MUR_SPIRV(multi_find)
MUR_SPIRV(multi_count)
MUR_SPIRV(multi_retrieve_count)
MUR_SPIRV(multi_scan)
MUR_SPIRV(multi_offsets)
MUR_SPIRV(multi_write)
MUR_SPIRV(multi_insert_each_32)
MUR_SPIRV(multi_insert_each_64)
MUR_SPIRV(multi_insert_32)
MUR_SPIRV(multi_insert_64)
MUR_SPIRV(multi_erase_32)
MUR_SPIRV(multi_erase_64)
MUR_SPIRV(multi_erase_keys_32)
MUR_SPIRV(multi_erase_keys_64)
MUR_SPIRV(find_k64v32)
MUR_SPIRV(extract_k64v32)
MUR_SPIRV(stats_k64v32)
MUR_SPIRV(insert_k64v32_32)
MUR_SPIRV(erase_k64v32_32)
MUR_SPIRV(rehash_direct_k64v32_32)
MUR_SPIRV(insert_k64v32_64)
MUR_SPIRV(erase_k64v32_64)
MUR_SPIRV(rehash_direct_k64v32_64)
MUR_SPIRV(find_k32_32)
MUR_SPIRV(extract_k32_32)
MUR_SPIRV(stats_k32_32)
MUR_SPIRV(insert_k32_32)
MUR_SPIRV(erase_k32_32)
MUR_SPIRV(rehash_direct_k32_32)
MUR_SPIRV(find_k64_64)
MUR_SPIRV(extract_k64_64)
MUR_SPIRV(stats_k64_64)
MUR_SPIRV(insert_k64_64)
MUR_SPIRV(erase_k64_64)
MUR_SPIRV(rehash_direct_k64_64)
MUR_SPIRV(find_k64v64_64)
MUR_SPIRV(extract_k64v64_64)
MUR_SPIRV(stats_k64v64_64)
MUR_SPIRV(insert_k64v64_64)
MUR_SPIRV(erase_k64v64_64)
MUR_SPIRV(rehash_direct_k64v64_64)
#undef MUR_SPIRV

typedef struct MurKernelCode {
    const char *name;
    const uint32_t *code;
    const size_t *size; /* bytes */
} MurKernelCode;

#define MUR_CODE(kernel) \
    { "murmuration " #kernel, mur_spv_##kernel, &mur_spv_##kernel##_size }
static const MurKernelCode codes[MUR_KERNEL_COUNT] = {
    [MUR_KERNEL_CLEAR] = MUR_CODE(clear),
    [MUR_KERNEL_FIND] = MUR_CODE(find),
    [MUR_KERNEL_EXTRACT] = MUR_CODE(extract),
    [MUR_KERNEL_RESET] = MUR_CODE(reset),
    [MUR_KERNEL_STATS] = MUR_CODE(stats),
    [MUR_KERNEL_INSERT_32] = MUR_CODE(insert_32),
    [MUR_KERNEL_ERASE_32] = MUR_CODE(erase_32),
    [MUR_KERNEL_INSERT_64] = MUR_CODE(insert_64),
    [MUR_KERNEL_ERASE_64] = MUR_CODE(erase_64),
    [MUR_KERNEL_SLICES_PREPARE] = MUR_CODE(slices_prepare),
    [MUR_KERNEL_SLICES_SPLIT] = MUR_CODE(slices_split),
    [MUR_KERNEL_SLICES_SPLIT_FINE] = MUR_CODE(slices_split_fine),
    [MUR_KERNEL_BUILD_SLICES] = MUR_CODE(build_slices),
    [MUR_KERNEL_BUILD_SETTLE] = MUR_CODE(build_settle),
    [MUR_KERNEL_BUILD_CARRY] = MUR_CODE(build_carry),
    [MUR_KERNEL_BUILD_SCAN] = MUR_CODE(build_scan),
    [MUR_KERNEL_BUILD_EXACT] = MUR_CODE(build_slices_exact),
    [MUR_KERNEL_UNSORT] = MUR_CODE(unsort),
    [MUR_KERNEL_SORT_PREPARE] = MUR_CODE(sort_prepare),
    [MUR_KERNEL_SORT_SCAN] = MUR_CODE(sort_scan),
    [MUR_KERNEL_SORT_COUNT_32] = MUR_CODE(sort_count_32),
    [MUR_KERNEL_SORT_COUNT_64] = MUR_CODE(sort_count_64),
    [MUR_KERNEL_SORT_COUNT_MULTI] = MUR_CODE(sort_count_multi),
    [MUR_KERNEL_SORT_MOVE_32] = MUR_CODE(sort_move_32),
    [MUR_KERNEL_SORT_MOVE_64] = MUR_CODE(sort_move_64),
    [MUR_KERNEL_SORT_MOVE_MULTI] = MUR_CODE(sort_move_multi),
    [MUR_KERNEL_SORT_MOVE_64_64] = MUR_CODE(sort_move_64_64),
    [MUR_KERNEL_INSERT_SLICES] = MUR_CODE(insert_slices),
    [MUR_KERNEL_SLICES_REST_32] = MUR_CODE(slices_rest_32),
    [MUR_KERNEL_SLICES_REST_64] = MUR_CODE(slices_rest_64),
    [MUR_KERNEL_REHASH_PREPARE] = MUR_CODE(rehash_prepare),
    [MUR_KERNEL_REHASH_PREPARE_WIDE] = MUR_CODE(rehash_prepare_wide),
    [MUR_KERNEL_REHASH_SLICES] = MUR_CODE(rehash_slices),
    [MUR_KERNEL_REHASH_SLICES_WIDE] = MUR_CODE(rehash_slices_wide),
    [MUR_KERNEL_REHASH_TWICE] = MUR_CODE(rehash_twice),
    [MUR_KERNEL_REHASH_TWICE_WIDE] = MUR_CODE(rehash_twice_wide),
    [MUR_KERNEL_REHASH_DENSE] = MUR_CODE(rehash_dense),
    [MUR_KERNEL_REHASH_DENSE_WIDE] = MUR_CODE(rehash_dense_wide),
    [MUR_KERNEL_REHASH_FINISH] = MUR_CODE(rehash_finish),
    [MUR_KERNEL_REHASH_FINISH_WIDE] = MUR_CODE(rehash_finish_wide),
    [MUR_KERNEL_REHASH_COPY] = MUR_CODE(rehash_copy),
    [MUR_KERNEL_REHASH_DIRECT_32] = MUR_CODE(rehash_direct_32),
    [MUR_KERNEL_REHASH_DIRECT_64] = MUR_CODE(rehash_direct_64),
    [MUR_KERNEL_MULTI_FIND] = MUR_CODE(multi_find),
    [MUR_KERNEL_MULTI_COUNT] = MUR_CODE(multi_count),
    [MUR_KERNEL_MULTI_RETRIEVE_COUNT] = MUR_CODE(multi_retrieve_count),
    [MUR_KERNEL_MULTI_RETRIEVE_SCAN] = MUR_CODE(multi_scan),
    [MUR_KERNEL_MULTI_RETRIEVE_OFFSETS] = MUR_CODE(multi_offsets),
    [MUR_KERNEL_MULTI_RETRIEVE_WRITE] = MUR_CODE(multi_write),
    [MUR_KERNEL_MULTI_INSERT_EACH_32] = MUR_CODE(multi_insert_each_32),
    [MUR_KERNEL_MULTI_INSERT_EACH_64] = MUR_CODE(multi_insert_each_64),
    [MUR_KERNEL_MULTI_INSERT_32] = MUR_CODE(multi_insert_32),
    [MUR_KERNEL_MULTI_INSERT_64] = MUR_CODE(multi_insert_64),
    [MUR_KERNEL_MULTI_ERASE_32] = MUR_CODE(multi_erase_32),
    [MUR_KERNEL_MULTI_ERASE_64] = MUR_CODE(multi_erase_64),
    [MUR_KERNEL_MULTI_ERASE_KEYS_32] = MUR_CODE(multi_erase_keys_32),
    [MUR_KERNEL_MULTI_ERASE_KEYS_64] = MUR_CODE(multi_erase_keys_64),
    [MUR_KERNEL_K64V32_32 + MUR_VERB_FIND] = MUR_CODE(find_k64v32),
    [MUR_KERNEL_K64V32_32 + MUR_VERB_EXTRACT] = MUR_CODE(extract_k64v32),
    [MUR_KERNEL_K64V32_32 + MUR_VERB_STATS] = MUR_CODE(stats_k64v32),
    [MUR_KERNEL_K64V32_32 + MUR_VERB_INSERT] = MUR_CODE(insert_k64v32_32),
    [MUR_KERNEL_K64V32_32 + MUR_VERB_ERASE] = MUR_CODE(erase_k64v32_32),
    [MUR_KERNEL_K64V32_32 + MUR_VERB_MOVE] = MUR_CODE(rehash_direct_k64v32_32),
    [MUR_KERNEL_K64V32_64 + MUR_VERB_FIND] = MUR_CODE(find_k64v32),
    [MUR_KERNEL_K64V32_64 + MUR_VERB_EXTRACT] = MUR_CODE(extract_k64v32),
    [MUR_KERNEL_K64V32_64 + MUR_VERB_STATS] = MUR_CODE(stats_k64v32),
    [MUR_KERNEL_K64V32_64 + MUR_VERB_INSERT] = MUR_CODE(insert_k64v32_64),
    [MUR_KERNEL_K64V32_64 + MUR_VERB_ERASE] = MUR_CODE(erase_k64v32_64),
    [MUR_KERNEL_K64V32_64 + MUR_VERB_MOVE] = MUR_CODE(rehash_direct_k64v32_64),
    [MUR_KERNEL_K32 + MUR_VERB_FIND] = MUR_CODE(find_k32_32),
    [MUR_KERNEL_K32 + MUR_VERB_EXTRACT] = MUR_CODE(extract_k32_32),
    [MUR_KERNEL_K32 + MUR_VERB_STATS] = MUR_CODE(stats_k32_32),
    [MUR_KERNEL_K32 + MUR_VERB_INSERT] = MUR_CODE(insert_k32_32),
    [MUR_KERNEL_K32 + MUR_VERB_ERASE] = MUR_CODE(erase_k32_32),
    [MUR_KERNEL_K32 + MUR_VERB_MOVE] = MUR_CODE(rehash_direct_k32_32),
    [MUR_KERNEL_K64 + MUR_VERB_FIND] = MUR_CODE(find_k64_64),
    [MUR_KERNEL_K64 + MUR_VERB_EXTRACT] = MUR_CODE(extract_k64_64),
    [MUR_KERNEL_K64 + MUR_VERB_STATS] = MUR_CODE(stats_k64_64),
    [MUR_KERNEL_K64 + MUR_VERB_INSERT] = MUR_CODE(insert_k64_64),
    [MUR_KERNEL_K64 + MUR_VERB_ERASE] = MUR_CODE(erase_k64_64),
    [MUR_KERNEL_K64 + MUR_VERB_MOVE] = MUR_CODE(rehash_direct_k64_64),
    [MUR_KERNEL_K64V64 + MUR_VERB_FIND] = MUR_CODE(find_k64v64_64),
    [MUR_KERNEL_K64V64 + MUR_VERB_EXTRACT] = MUR_CODE(extract_k64v64_64),
    [MUR_KERNEL_K64V64 + MUR_VERB_STATS] = MUR_CODE(stats_k64v64_64),
    [MUR_KERNEL_K64V64 + MUR_VERB_INSERT] = MUR_CODE(insert_k64v64_64),
    [MUR_KERNEL_K64V64 + MUR_VERB_ERASE] = MUR_CODE(erase_k64v64_64),
    [MUR_KERNEL_K64V64 + MUR_VERB_MOVE] = MUR_CODE(rehash_direct_k64v64_64),
};
#undef MUR_CODE

enum { MUR_PUSH_SIZE = sizeof(MurRehashPush) };
MUR_STATIC_ASSERT(sizeof(MurBatchPush) <= MUR_PUSH_SIZE &&
                  sizeof(MurExtractPush) <= MUR_PUSH_SIZE &&
                  sizeof(MurStatsPush) <= MUR_PUSH_SIZE && sizeof(MurSlicesPush) <= MUR_PUSH_SIZE &&
                  sizeof(MurMultiPush) <= MUR_PUSH_SIZE && sizeof(MurSortPush) <= MUR_PUSH_SIZE &&
                  sizeof(MurUnsortPush) <= MUR_PUSH_SIZE);

VkResult mur_create_layout(MurContext context) {
    const VkPushConstantRange range = {
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .size = MUR_PUSH_SIZE,
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

static VkResult create_pipeline(MurContext context, MurKernel kernel, VkPipeline *pipeline) {
    const MurKernelCode *code = &codes[kernel];
    const VkShaderModuleCreateInfo moduleInfo = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = *code->size,
        .pCode = code->code,
    };
    VkShaderModule module;
    VkResult result = context->vk.vkCreateShaderModule(context->device, &moduleInfo,
                                                       mur_allocator(context), &module);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = context->layout,
    };
    *pipeline = VK_NULL_HANDLE;
    result = context->vk.vkCreateComputePipelines(context->device, context->cache, 1, &info,
                                                  mur_allocator(context), pipeline);
    context->vk.vkDestroyShaderModule(context->device, module, mur_allocator(context));
    return result;
}

/* Claims a kernel's pipeline for this thread to make. False: it is there, or, without wait, another
 * thread makes it. */
static bool claim(MurContext context, MurKernel kernel, bool wait) {
    mur_lock(&context->lock);
    while (wait && context->making[kernel]) {
        mur_wait(&context->lock);
    }
    const bool mine = !context->making[kernel] && !atomic_load(&context->pipelines[kernel]);
    if (mine) {
        context->making[kernel] = true;
    }
    mur_unlock(&context->lock);
    return mine;
}

/* VK_NULL_HANDLE: it could not be made; who waits for it tries for himself. */
static void publish(MurContext context, MurKernel kernel, VkPipeline pipeline) {
    mur_lock(&context->lock);
    atomic_store_explicit(&context->pipelines[kernel], (uint64_t)pipeline, memory_order_release);
    context->making[kernel] = false;
    mur_wake(&context->lock);
    mur_unlock(&context->lock);
}

static VkResult prepare(MurContext context, MurKernel kernel, bool wait) {
    if (atomic_load_explicit(&context->pipelines[kernel], memory_order_acquire) ||
        !claim(context, kernel, wait)) {
        return VK_SUCCESS;
    }
    const MurKernelCode *code = &codes[kernel];
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult result = create_pipeline(context, kernel, &pipeline);
    if (result == VK_SUCCESS) {
        mur_name_object(context, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, code->name);
        mur_log(&context->logger, MUR_LOG_INFO, "pipeline \"%s\" made", code->name);
    } else {
        pipeline = VK_NULL_HANDLE;
        mur_fail(&context->logger, result, "creating the pipeline \"%s\": %s", code->name,
                 murResultName(result));
    }
    publish(context, kernel, pipeline);
    return result;
}

MurKernel mur_kernel(uint32_t tableFlags, MurVerb verb) {
    static const MurKernel pairs[2][MUR_VERB_COUNT] = {
        {MUR_KERNEL_FIND, MUR_KERNEL_EXTRACT, MUR_KERNEL_STATS, MUR_KERNEL_INSERT_32,
         MUR_KERNEL_ERASE_32, MUR_KERNEL_REHASH_DIRECT_32},
        {MUR_KERNEL_FIND, MUR_KERNEL_EXTRACT, MUR_KERNEL_STATS, MUR_KERNEL_INSERT_64,
         MUR_KERNEL_ERASE_64, MUR_KERNEL_REHASH_DIRECT_64},
    };
    const bool wide = (tableFlags & MUR_TABLE_INT64) != 0;
    switch (MUR_TABLE_FORMAT(tableFlags)) {
    case MUR_FORMAT_K64V32:
        return (MurKernel)((wide ? MUR_KERNEL_K64V32_64 : MUR_KERNEL_K64V32_32) + (int)verb);
    case MUR_FORMAT_K32:
        return (MurKernel)(MUR_KERNEL_K32 + (int)verb);
    case MUR_FORMAT_K64:
        return (MurKernel)(MUR_KERNEL_K64 + (int)verb);
    case MUR_FORMAT_K64V64:
        return (MurKernel)(MUR_KERNEL_K64V64 + (int)verb);
    default:
        return pairs[wide][verb];
    }
}

VkResult mur_prepare_list(MurContext context, const MurKernel *kernels, size_t count) {
    VkResult result = VK_SUCCESS;
    /* First those that nobody makes, then those that others make: threads share the work. */
    for (size_t i = 0; i < 2 * count && result == VK_SUCCESS; ++i) {
        result = prepare(context, kernels[i % count], i >= count);
    }
    return result;
}

void mur_add_kernels(MurKernelList *list, const MurKernel *kernels, size_t count) {
    memcpy(list->kernels + list->count, kernels, count * sizeof *kernels);
    list->count += (uint32_t)count;
}

MurKernelList mur_list_kernels(MurContext context, uint32_t tableFlags) {
    const MurKernel direct[] = {
        MUR_KERNEL_CLEAR,
        mur_kernel(tableFlags, MUR_VERB_FIND),
        mur_kernel(tableFlags, MUR_VERB_EXTRACT),
        MUR_KERNEL_RESET,
        mur_kernel(tableFlags, MUR_VERB_STATS),
        mur_kernel(tableFlags, MUR_VERB_INSERT),
        mur_kernel(tableFlags, MUR_VERB_ERASE),
        mur_kernel(tableFlags, MUR_VERB_MOVE),
        MUR_KERNEL_REHASH_PREPARE,
        MUR_KERNEL_REHASH_COPY,
    };
    const MurKernel streams[] = {
        MUR_KERNEL_REHASH_SLICES,
        MUR_KERNEL_REHASH_TWICE,
        MUR_KERNEL_REHASH_DENSE,
        MUR_KERNEL_REHASH_FINISH,
    };
    const MurKernel wideStreams[] = {
        MUR_KERNEL_REHASH_PREPARE_WIDE, MUR_KERNEL_REHASH_SLICES_WIDE, MUR_KERNEL_REHASH_TWICE_WIDE,
        MUR_KERNEL_REHASH_DENSE_WIDE,   MUR_KERNEL_REHASH_FINISH_WIDE,
    };
    const bool wide = (tableFlags & MUR_TABLE_INT64) != 0;
    const MurKernel build[] = {
        MUR_KERNEL_SLICES_PREPARE,
        MUR_KERNEL_SLICES_SPLIT,
        MUR_KERNEL_SLICES_SPLIT_FINE,
        MUR_KERNEL_BUILD_SLICES,
        MUR_KERNEL_BUILD_SETTLE,
        MUR_KERNEL_BUILD_CARRY,
        MUR_KERNEL_BUILD_SCAN,
        MUR_KERNEL_BUILD_EXACT,
        MUR_KERNEL_INSERT_SLICES,
        wide ? MUR_KERNEL_SLICES_REST_64 : MUR_KERNEL_SLICES_REST_32,
    };
    const bool pairs = MUR_TABLE_FORMAT(tableFlags) == MUR_FORMAT_K32V32;
    const bool slices = mur_can_slice(context);
    MurKernelList list = {.count = 0};
    mur_add_kernels(&list, direct, sizeof direct / sizeof direct[0]);
    if (slices) {
        mur_add_sort(&list, MUR_TABLE_FORMAT(tableFlags));
    }
    if (pairs) {
        mur_add_kernels(&list, streams, sizeof streams / sizeof streams[0]);
    }
    if (MUR_TABLE_FORMAT(tableFlags) == MUR_FORMAT_K64V32) {
        mur_add_kernels(&list, wideStreams, sizeof wideStreams / sizeof wideStreams[0]);
    }
    if (pairs && slices) {
        mur_add_kernels(&list, build, sizeof build / sizeof build[0]);
    }
    return list;
}

void mur_destroy_pipelines(MurContext context) {
    for (size_t i = 0; i < MUR_KERNEL_COUNT; ++i) {
        VkPipeline pipeline = (VkPipeline)atomic_load(&context->pipelines[i]);
        if (pipeline) {
            context->vk.vkDestroyPipeline(context->device, pipeline, mur_allocator(context));
        }
    }
    if (context->layout) {
        context->vk.vkDestroyPipelineLayout(context->device, context->layout,
                                            mur_allocator(context));
    }
}
