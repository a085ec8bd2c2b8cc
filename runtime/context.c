/* Contexts: one device's functions, limits and pipelines.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

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

void mur_release(const VkAllocationCallbacks *allocator, void *memory) {
    if (allocator && memory) {
        allocator->pfnFree(allocator->pUserData, memory);
    } else {
        free(memory);
    }
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
                                              &info); /* a name may fail to stick */
}

static VkResult check_create_info(const MurLogger *logger, const MurContextCreateInfo *info) {
    const VkAllocationCallbacks *allocator = info->pAllocator;
    if (info->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "murCreateContext: pNext is not NULL");
    }
    if (!info->instance || !info->physicalDevice || !info->device) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "murCreateContext: %s is NULL",
                        !info->instance         ? "instance"
                        : !info->physicalDevice ? "physicalDevice"
                                                : "device");
    }
    if (info->queueFamilyIndexCount && !info->pQueueFamilyIndices) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "murCreateContext: pQueueFamilyIndices is NULL");
    }
    if (allocator && (!allocator->pfnAllocation || !allocator->pfnFree)) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "murCreateContext: pAllocator lacks pfnAllocation or pfnFree");
    }
    return VK_SUCCESS;
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
    context->features = info->enabledFeatures | MUR_FEATURE_BUFFER_DEVICE_ADDRESS;
    return VK_SUCCESS;
}

/* The largest allocation is bounded by the heap alone: maxMemoryAllocationSize says what always
 * works, and devices that report 4 GiB there do give more in one piece. */
static void read_limits(MurContext context, VkPhysicalDevice device) {
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    };
    context->vki.vkGetPhysicalDeviceProperties2(device, &properties);
    context->vki.vkGetPhysicalDeviceMemoryProperties(device, &context->memory);
    context->limits = (MurLimits){
        .maxGroupsX = properties.properties.limits.maxComputeWorkGroupCount[0],
        .maxGroupsY = properties.properties.limits.maxComputeWorkGroupCount[1],
        .maxGroupSize = properties.properties.limits.maxComputeWorkGroupInvocations,
        .sharedMemory = properties.properties.limits.maxComputeSharedMemorySize,
        .software = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
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
            return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                            "murCreateContext: pQueueFamilyIndices[%u] is %u, %s", i, families[i],
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
    context->families = mur_allocate(mur_allocator(context), size);
    if (!context->families) {
        return mur_fail(&context->logger, VK_ERROR_OUT_OF_HOST_MEMORY,
                        "murCreateContext: no host memory");
    }
    memcpy(context->families, info->pQueueFamilyIndices, size);
    context->familyCount = info->queueFamilyIndexCount;
    return VK_SUCCESS;
}

/* The name of a device function that the library calls and Vulkan did not give, or NULL. Only a
 * layer or an engine's own vkGetInstanceProcAddr would leave one out, but calling NULL is no way to
 * tell. */
static const char *missing_function(const struct VolkDeviceTable *vk) {
#define MUR_NEED(name) \
    { #name, (PFN_vkVoidFunction)vk->name }
    const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } needed[] = {
        MUR_NEED(vkAllocateCommandBuffers),
        MUR_NEED(vkAllocateMemory),
        MUR_NEED(vkBeginCommandBuffer),
        MUR_NEED(vkBindBufferMemory),
        MUR_NEED(vkCmdBindPipeline),
        MUR_NEED(vkCmdCopyBuffer),
        MUR_NEED(vkCmdDispatch),
        MUR_NEED(vkCmdPipelineBarrier),
        MUR_NEED(vkCmdPushConstants),
        MUR_NEED(vkCreateBuffer),
        MUR_NEED(vkCreateCommandPool),
        MUR_NEED(vkCreateComputePipelines),
        MUR_NEED(vkCreateFence),
        MUR_NEED(vkCreatePipelineLayout),
        MUR_NEED(vkCreateShaderModule),
        MUR_NEED(vkDestroyBuffer),
        MUR_NEED(vkDestroyCommandPool),
        MUR_NEED(vkDestroyFence),
        MUR_NEED(vkDestroyPipeline),
        MUR_NEED(vkDestroyPipelineLayout),
        MUR_NEED(vkDestroyShaderModule),
        MUR_NEED(vkEndCommandBuffer),
        MUR_NEED(vkFreeMemory),
        MUR_NEED(vkGetBufferMemoryRequirements),
        MUR_NEED(vkMapMemory),
        MUR_NEED(vkQueueSubmit),
        MUR_NEED(vkResetCommandPool),
        MUR_NEED(vkResetFences),
        MUR_NEED(vkWaitForFences),
    };
#undef MUR_NEED
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; ++i) {
        if (!needed[i].function) {
            return needed[i].name;
        }
    }
    return NULL;
}

static VkResult load_functions(MurContext context, const MurContextCreateInfo *info) {
    if (!mur_open_loader(&context->loader, info->getInstanceProcAddr)) {
        return mur_fail(&context->logger, VK_ERROR_INITIALIZATION_FAILED,
                        "murCreateContext: no Vulkan loader found on this system");
    }
    if (!mur_load_instance_table(&context->loader, info->instance, &context->vki)) {
        return mur_fail(&context->logger, VK_ERROR_INITIALIZATION_FAILED,
                        "murCreateContext: the instance lacks Vulkan 1.1 functions");
    }
    mur_load_device_table(&context->vk, context->vki.vkGetDeviceProcAddr, info->device);
    if (!context->vk.vkGetBufferDeviceAddress) {
        return mur_fail(&context->logger, MUR_ERROR_UNSUPPORTED,
                        "murCreateContext: the device has no vkGetBufferDeviceAddress; was the "
                        "instance created with an apiVersion of at least 1.2?");
    }
    const char *missing = missing_function(&context->vk);
    if (missing) {
        return mur_fail(&context->logger, VK_ERROR_INITIALIZATION_FAILED,
                        "murCreateContext: the device has no %s", missing);
    }
    return VK_SUCCESS;
}

static VkResult initialize(MurContext context, const MurContextCreateInfo *info) {
    VkResult result = load_functions(context, info);
    if (result == VK_SUCCESS) {
        result = check_device(context, info);
    }
    if (result == VK_SUCCESS) {
        read_limits(context, info->physicalDevice);
        result = check_families(context, info);
    }
    if (result == VK_SUCCESS) {
        result = copy_families(context, info);
    }
    if (result == VK_SUCCESS) {
        result = mur_create_layout(context);
    }
    return result;
}

VkResult murCreateContext(const MurContextCreateInfo *pCreateInfo, MurContext *pContext) {
    if (pContext) {
        *pContext = VK_NULL_HANDLE;
    }
    if (!pCreateInfo) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    MurLogger logger = {pCreateInfo->pfnLog, pCreateInfo->pLogUserData};
    if (!pContext) {
        return mur_fail(&logger, MUR_ERROR_INVALID_ARGUMENT, "murCreateContext: pContext is NULL");
    }
    VkResult result = check_create_info(&logger, pCreateInfo);
    if (result != VK_SUCCESS) {
        return result;
    }
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
    result = initialize(context, pCreateInfo);
    if (result != VK_SUCCESS) {
        murDestroyContext(context);
        return result;
    }
    *pContext = context;
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
    /* The callbacks are part of what is freed. */
    VkAllocationCallbacks allocator = context->allocator;
    mur_release(context->hasAllocator ? &allocator : NULL, context);
}
