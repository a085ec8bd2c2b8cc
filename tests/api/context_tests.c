/* Tests of contexts: bad arguments, allocation callbacks, pipeline caches, log messages.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const VkBaseInStructure extension_struct;

/* Checks that murCreateContext fails, logs the text, and leaves no object. */
static void refuse_context(Observed *observed, const MurContextCreateInfo *info, const char *text) {
    observed->context = (MurContext)(uintptr_t)1;
    VkResult result = murCreateContext(info, &observed->context);
    expect_error(observed, result, MUR_ERROR_INVALID_ARGUMENT, text, text);
    assert_null(observed->context);
    observe_close(observed);
}

GPU_TEST(context_with_bad_arguments_is_rejected) {
    static const uint32_t twice[] = {0, 1, 0}, beyond[] = {0, 3};
    VkAllocationCallbacks half;
    Observed observed;
    MurContextCreateInfo info;
#define REFUSE(text, ...)           \
    info = observe(&observed, gpu); \
    __VA_ARGS__;                    \
    refuse_context(&observed, &info, text)
    REFUSE("pNext", info.pNext = &extension_struct);
    REFUSE("instance is NULL", info.instance = VK_NULL_HANDLE);
    REFUSE("physicalDevice is NULL", info.physicalDevice = VK_NULL_HANDLE);
    REFUSE("device is NULL", info.device = VK_NULL_HANDLE);
    REFUSE("pQueueFamilyIndices", info.queueFamilyIndexCount = 2);
    REFUSE("pQueueFamilyIndices[2] is 0", interposition.families = 3,
           info.queueFamilyIndexCount = 3, info.pQueueFamilyIndices = twice);
    REFUSE("pQueueFamilyIndices[1] is 3", interposition.families = 3,
           info.queueFamilyIndexCount = 2, info.pQueueFamilyIndices = beyond);
    REFUSE("pfnAllocation", half = *info.pAllocator, half.pfnAllocation = NULL,
           info.pAllocator = &half);
    REFUSE("pfnFree", half = *info.pAllocator, half.pfnFree = NULL, info.pAllocator = &half);
#undef REFUSE
}

GPU_TEST(context_without_info_or_output_is_rejected) {
    Observed observed;
    const MurContextCreateInfo info = observe(&observed, gpu);
    expect_refused(&observed, murCreateContext(&info, NULL), "pContext");
    MurContext context = (MurContext)(uintptr_t)1;
    expect_refused(&observed, murCreateContext(NULL, &context), NULL);
    assert_null(context);
    observe_close(&observed);
}

GPU_TEST(tuning_with_an_invalid_field_is_rejected) {
    static const size_t ratios[] = {offsetof(MurTuning, homeFirstMaxCacheRatio),
                                    offsetof(MurTuning, sortWriteMinCacheRatio),
                                    offsetof(MurTuning, sortReadMinCacheRatio),
                                    offsetof(MurTuning, sortMinBatchFraction),
                                    offsetof(MurTuning, sortBinCacheRatio),
                                    offsetof(MurTuning, partitionInsertMinBatchFraction),
                                    offsetof(MurTuning, partitionBuildMaxLoad),
                                    offsetof(MurTuning, exactBuildMaxLoad),
                                    offsetof(MurTuning, fullBuildMinLoad)};
    static const float invalid[] = {-1, NAN};
    Observed observed;
    MurContextCreateInfo info = observe(&observed, gpu);
    gpu_require(murCreateContext(&info, &observed.context));
    const MurTuning tuning = murGetTuning(observed.context);
    MurTuning wrong = tuning;
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; ++i, wrong = tuning) {
        for (size_t j = 0; j < 2; ++j) {
            memcpy((char *)&wrong + ratios[i], &invalid[j], sizeof *invalid);
            expect_refused(&observed, murSetTuning(observed.context, &wrong), "ratio");
        }
    }
    wrong.cacheBytes = 0;
    expect_refused(&observed, murSetTuning(observed.context, &wrong), "cacheBytes");
    wrong = tuning;
    wrong.streamMinGroups = 0;
    expect_refused(&observed, murSetTuning(observed.context, &wrong), "streamMinGroups");
    expect_refused(&observed, murSetTuning(observed.context, NULL), "pTuning is NULL");
    assert_refused(murSetTuning(NULL, &tuning));
    const MurTuning still = murGetTuning(observed.context);
    assert_memory_equal(&still, &tuning, sizeof still);
    observe_close(&observed);
}

GPU_TEST(errors_without_a_log_are_returned) {
    Observed observed;
    MurContextCreateInfo info = observe(&observed, gpu);
    info.pfnLog = NULL;
    info.pNext = &info;
    assert_refused(murCreateContext(&info, &observed.context));
    info.pNext = NULL;
    gpu_require(murCreateContext(&info, &observed.context));
    MurTable table;
    assert_refused(murCreateTable(observed.context, NULL, &table));
    observe_close(&observed);
}

/* murCreateContext copies the callbacks, so the engine may free the struct after the call. */
GPU_TEST(the_allocator_is_copied_and_used) {
    Observed observed;
    MurContextCreateInfo info = observe(&observed, gpu);
    VkAllocationCallbacks *callbacks = test_allocate(sizeof *callbacks);
    *callbacks = observed.memory.callbacks;
    info.pAllocator = callbacks;
    gpu_require(murCreateContext(&info, &observed.context));
    memset(callbacks, 0xEE, sizeof *callbacks);
    free(callbacks);
    assert_true(observed.memory.live >= 1);
    interpose_empty_shaders();
    int before = observed.memory.live;
    MurTable table = observed_table(&observed, 10);
    assert_true(observed.memory.live > before);
    murDestroyTable(table);
    observe_close(&observed);
}

GPU_TEST(the_pipeline_cache_is_used) {
    const VkPipelineCache caches[] = {gpu->cache, VK_NULL_HANDLE};
    for (int i = 0; i < 2; ++i) {
        Observed observed;
        MurContextCreateInfo info = observe(&observed, gpu);
        info.pipelineCache = caches[i];
        interpose_empty_shaders();
        gpu_require(murCreateContext(&info, &observed.context));
        const MurTableCreateInfo tableInfo = {.capacity = 10};
        gpu_require(murPreparePipelines(observed.context, &tableInfo));
        assert_true(interpose_calls(ON_vkCreateComputePipelines) > 0);
        assert_true(interpose_pipeline_cache() == caches[i]);
        observe_close(&observed);
    }
}

IDLE_CASE(pipelines_are_logged) {
    const MurTableCreateInfo info = {.capacity = 10};
    gpu_require(murPreparePipelines(observed->context, &info));
    assert_int_equal(observed->log.errors, 0);
    assert_int_equal(observed->log.infos, interpose_calls(ON_vkCreateComputePipelines));
    const char *line = observed->log.lastInfo;
    assert_memory_equal(line, "pipeline \"murmuration ", strlen("pipeline \"murmuration "));
    assert_string_equal(line + strlen(line) - strlen("\" made"), "\" made");
    assert_null(strchr(line, '\n'));
}

GPU_TEST(prepared_pipelines_are_not_made_again) {
    const MurAtomicWidth widths[] = {MUR_ATOMIC_WIDTH_32, MUR_ATOMIC_WIDTH_64};
    for (size_t i = 0; i < 2 && gpu_offers(gpu, MUR_FORMAT_K32V32, widths[i]); ++i) {
        Observed observed;
        observe_open_idle(&observed, gpu);
        MurTableCreateInfo info = {.capacity = 10, .atomicWidth = widths[i]};
        gpu_require(murPreparePipelines(observed.context, &info));
        uint32_t made = interpose_calls(ON_vkCreateComputePipelines);
        gpu_require(murPreparePipelines(observed.context, &info));
        MurTable first, second;
        gpu_require(murCreateTable(observed.context, &info, &first));
        info.capacity = 5000;
        info.emptyValue = MUR_EMPTY_VALUE_ZERO;
        gpu_require(murCreateTable(observed.context, &info, &second));
        assert_int_equal(interpose_calls(ON_vkCreateComputePipelines), made);
        murDestroyTable(first);
        murDestroyTable(second);
        observe_close(&observed);
    }
}

IDLE_CASE(the_first_table_makes_its_pipelines) {
    assert_int_equal(interpose_calls(ON_vkCreateComputePipelines), 0);
    MurTableCreateInfo info = {.capacity = 10, .atomicWidth = MUR_ATOMIC_WIDTH_32};
    MurTable narrow, wide;
    gpu_require(murCreateTable(observed->context, &info, &narrow));
    uint32_t made = interpose_calls(ON_vkCreateComputePipelines);
    assert_true(made > 0);
    if (gpu_offers(gpu, MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64)) {
        info.atomicWidth = MUR_ATOMIC_WIDTH_64; /* creates only pipelines that differ by width */
        gpu_require(murCreateTable(observed->context, &info, &wide));
        assert_in_range(interpose_calls(ON_vkCreateComputePipelines), made + 1, 2 * made - 1);
        murDestroyTable(wide);
    }
    murDestroyTable(narrow);
}
