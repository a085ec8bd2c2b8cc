/* Contexts: one device's functions, limits and pipelines.
 * SPDX-License-Identifier: MIT */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

void *mur_allocate(const VkAllocationCallbacks *allocator, size_t size) {
    void *memory = allocator
                       ? allocator->pfnAllocation(allocator->pUserData, size, _Alignof(max_align_t),
                                                  VK_SYSTEM_ALLOCATION_SCOPE_OBJECT)
                       : malloc(size);
    if (memory) {
        memset(memory, 0, size);
    }
    return memory;
}

void *mur_new(MurContext context, const char *function, size_t size) {
    void *memory = mur_allocate(mur_allocator(context), size);
    if (!memory) {
        mur_fail(&context->logger, VK_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory", function);
    }
    return memory;
}

void mur_release(const VkAllocationCallbacks *allocator, void *memory) {
    if (allocator && memory) {
        allocator->pfnFree(allocator->pUserData, memory);
    } else {
        free(memory);
    }
}

const MurLogger *mur_logger(MurContext context) {
    return &context->logger;
}

const VkAllocationCallbacks *mur_allocator(MurContext context) {
    return context->hasAllocator ? &context->allocator : NULL;
}

void mur_name_object(MurContext context, VkObjectType type, uint64_t handle, const char *name) {
    if (!context->vki.vkSetDebugUtilsObjectNameEXT) {
        return;
    }
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    context->vki.vkSetDebugUtilsObjectNameEXT(context->device,
                                              &info); /* may fail: names only help debugging */
}

static VkResult check_create_info(const MurLogger *logger, const MurContextCreateInfo *info) {
    const VkAllocationCallbacks *allocator = info->pAllocator;
    const char *bad = info->pNext             ? "pNext is not NULL"
                      : !info->instance       ? "instance is NULL"
                      : !info->physicalDevice ? "physicalDevice is NULL"
                      : !info->device         ? "device is NULL"
                      : info->queueFamilyIndexCount && !info->pQueueFamilyIndices
                          ? "pQueueFamilyIndices is NULL"
                      : allocator && (!allocator->pfnAllocation || !allocator->pfnFree)
                          ? "pAllocator lacks pfnAllocation or pfnFree"
                          : NULL;
    return bad ? mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "murCreateContext: %s", bad)
               : VK_SUCCESS;
}

static VkResult check_device(MurContext context, const MurContextCreateInfo *info) {
    const char *lack;
    MurFeatureFlags supported = mur_supported_features(&context->vki, info->physicalDevice, &lack);
    if (lack) {
        return mur_fail(&context->logger, MUR_ERROR_UNSUPPORTED,
                        "murCreateContext: the device lacks %s, which Murmuration needs", lack);
    }
    MurFeatureFlags unknown = info->enabledFeatures & ~supported;
    if (unknown) {
        return mur_fail(&context->logger, MUR_ERROR_UNSUPPORTED,
                        "murCreateContext: enabledFeatures has 0x%x, which the device lacks",
                        unknown);
    }
    /* Vulkan cannot be queried for a device's features. Without this check, a context on a device
     * that was created without bufferDeviceAddress would be undefined behaviour. */
    if (!(info->enabledFeatures & MUR_FEATURE_BUFFER_DEVICE_ADDRESS)) {
        return mur_fail(&context->logger, MUR_ERROR_UNSUPPORTED,
                        "murCreateContext: enabledFeatures is 0x%x, expected the features that the "
                        "device was created with, among them MUR_FEATURE_BUFFER_DEVICE_ADDRESS: "
                        "create the device with bufferDeviceAddress",
                        info->enabledFeatures);
    }
    context->features = info->enabledFeatures;
    return VK_SUCCESS;
}

/* Only the heap's size limits allocations. Vulkan's maxMemoryAllocationSize is the size that always
 * works; devices that report 4 GiB can allocate more in one piece. */
static void read_limits(MurContext context, VkPhysicalDevice device) {
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    };
    context->vki.vkGetPhysicalDeviceProperties2(device, &properties);
    context->vki.vkGetPhysicalDeviceMemoryProperties(device, &context->memory);
    const VkPhysicalDeviceLimits *limits = &properties.properties.limits;
    const bool software = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    context->limits = (MurLimits){
        .maxGroupsX = limits->maxComputeWorkGroupCount[0],
        .maxGroupsY = limits->maxComputeWorkGroupCount[1],
    };
    context->planning = (MurDevice){
        .sharedMemory = limits->maxComputeWorkGroupInvocations >= MUR_LARGEST_WORKGROUP &&
                        limits->maxComputeWorkGroupSize[0] >= MUR_LARGEST_WORKGROUP &&
                        limits->maxComputeSharedMemorySize >= MUR_SHARED_MEMORY,
        .software = software,
        .tuning = mur_default_tuning(software),
    };
    for (uint32_t i = 0; i < context->memory.memoryHeapCount; ++i) {
        const VkMemoryHeap *heap = &context->memory.memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            heap->size > context->limits.maxAllocation) {
            context->limits.maxAllocation = heap->size;
        }
    }
}

static VkResult check_families(MurContext context, const MurContextCreateInfo *info) {
    const uint32_t *families = info->pQueueFamilyIndices;
    context->vki.vkGetPhysicalDeviceQueueFamilyProperties(info->physicalDevice,
                                                          &context->deviceFamilies, NULL);
    for (uint32_t i = 0; i < info->queueFamilyIndexCount; ++i) {
        bool twice = false;
        for (uint32_t j = 0; j < i; ++j) {
            twice |= families[j] == families[i];
        }
        if (twice || families[i] >= context->deviceFamilies) {
            return mur_invalid_argument(
                context, "murCreateContext", "pQueueFamilyIndices[%u] is %u, %s", i, families[i],
                twice ? "which is there twice" : "which the device does not have");
        }
    }
    return VK_SUCCESS;
}

static VkResult copy_families(MurContext context, const MurContextCreateInfo *info) {
    if (info->queueFamilyIndexCount < 2) {
        return VK_SUCCESS;
    }
    size_t size = info->queueFamilyIndexCount * sizeof *context->families;
    context->families = mur_new(context, "murCreateContext", size);
    if (!context->families) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    memcpy(context->families, info->pQueueFamilyIndices, size);
    context->familyCount = info->queueFamilyIndexCount;
    return VK_SUCCESS;
}

static VkResult load_functions(MurContext context, const MurContextCreateInfo *info) {
    if (!mur_open_loader(&context->loader, info->getInstanceProcAddr)) {
        return mur_fail(&context->logger, VK_ERROR_INITIALIZATION_FAILED,
                        "murCreateContext: no Vulkan loader found on this system");
    }
    const char *missing = mur_load_instance(&context->loader, info->instance, &context->vki);
    if (missing) {
        return mur_fail(&context->logger, VK_ERROR_INITIALIZATION_FAILED,
                        "murCreateContext: the instance lacks %s, of Vulkan 1.1", missing);
    }
    missing = mur_load_device(context->vki.vkGetDeviceProcAddr, info->device, &context->vk);
    if (!context->vk.vkGetBufferDeviceAddress) {
        return mur_fail(&context->logger, MUR_ERROR_UNSUPPORTED,
                        "murCreateContext: the device has no vkGetBufferDeviceAddress; was the "
                        "instance created with an apiVersion of at least 1.2?");
    }
    if (missing) {
        return mur_fail(&context->logger, VK_ERROR_INITIALIZATION_FAILED,
                        "murCreateContext: the device has no %s", missing);
    }
    return VK_SUCCESS;
}

static VkResult initialize(MurContext context, const MurContextCreateInfo *info) {
    MUR_TRY(load_functions(context, info));
    MUR_TRY(check_device(context, info));
    read_limits(context, info->physicalDevice);
    MUR_TRY(check_families(context, info));
    MUR_TRY(copy_families(context, info));
    return mur_create_layout(context);
}

VkResult murCreateContext(const MurContextCreateInfo *pCreateInfo, MurContext *pContext) {
    if (pContext) {
        *pContext = VK_NULL_HANDLE;
    }
    if (!pCreateInfo) {
        return MUR_ERROR_INVALID_ARGUMENT; /* without a context there is no log */
    }
    MurLogger logger = {pCreateInfo->pfnLog, pCreateInfo->pLogUserData};
    if (!pContext) {
        return mur_fail(&logger, MUR_ERROR_INVALID_ARGUMENT, "murCreateContext: pContext is NULL");
    }
    MUR_TRY(check_create_info(&logger, pCreateInfo));
    MurContext context = mur_allocate(pCreateInfo->pAllocator, sizeof *context);
    if (!context) {
        return mur_fail(&logger, VK_ERROR_OUT_OF_HOST_MEMORY, "murCreateContext: no host memory");
    }
    mur_create_lock(&context->lock);
    context->logger = logger;
    context->device = pCreateInfo->device;
    context->cache = pCreateInfo->pipelineCache;
    if (pCreateInfo->pAllocator) {
        context->hasAllocator = true;
        context->allocator = *pCreateInfo->pAllocator;
    }
    const VkResult result = initialize(context, pCreateInfo);
    if (result != VK_SUCCESS) {
        murDestroyContext(context);
        return result;
    }
    *pContext = context;
    return VK_SUCCESS;
}

MurTuning murGetTuning(MurContext context) {
    return context ? context->planning.tuning : (MurTuning){0};
}

VkResult murSetTuning(MurContext context, const MurTuning *pTuning) {
    if (!context) {
        return MUR_ERROR_INVALID_ARGUMENT; /* without a context there is no log */
    }
    if (!pTuning) {
        return mur_invalid_argument(context, __func__, "pTuning is NULL");
    }
    const float ratios[] = {
        pTuning->homeFirstMaxCacheRatio, pTuning->sortWriteMinCacheRatio,
        pTuning->sortReadMinCacheRatio,  pTuning->sortMinBatchFraction,
        pTuning->sortBinCacheRatio,      pTuning->partitionInsertMinBatchFraction,
        pTuning->partitionBuildMaxLoad,  pTuning->exactBuildMaxLoad,
        pTuning->fullBuildMinLoad,
    };
    bool good = pTuning->cacheBytes != 0 && pTuning->streamMinGroups != 0;
    for (size_t i = 0; i < MUR_LENGTH(ratios); ++i) {
        good = good && ratios[i] >= 0; /* false for NaN */
    }
    if (!good) {
        return mur_invalid_argument(
            context, __func__,
            "a ratio is negative or not a number, or cacheBytes or streamMinGroups is 0");
    }
    context->planning.tuning = *pTuning;
    return VK_SUCCESS;
}

void murDestroyContext(MurContext context) {
    if (!context) {
        return;
    }
    mur_destroy_pipelines(context);
    mur_release(mur_allocator(context), context->families);
    mur_close_loader(&context->loader);
    mur_destroy_lock(&context->lock);
    /* The context contains the callbacks that free it, so a copy is needed. */
    VkAllocationCallbacks allocator = context->allocator;
    mur_release(context->hasAllocator ? &allocator : NULL, context);
}
