/* The Vulkan functions that the library calls. Each context has its own tables of pointers, so no
 * Vulkan function is linked.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_FUNCTIONS_H
#define MUR_FUNCTIONS_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#include <stdbool.h>

/* MUR_OPTIONAL: functions of VK_EXT_debug_utils; NULL if the instance lacks the extension. */
#define MUR_INSTANCE_FUNCTIONS(MUR_REQUIRED, MUR_OPTIONAL) \
    MUR_REQUIRED(vkGetPhysicalDeviceProperties2)           \
    MUR_REQUIRED(vkGetPhysicalDeviceFeatures2)             \
    MUR_REQUIRED(vkGetPhysicalDeviceMemoryProperties)      \
    MUR_REQUIRED(vkGetPhysicalDeviceQueueFamilyProperties) \
    MUR_REQUIRED(vkGetDeviceProcAddr)                      \
    MUR_OPTIONAL(vkSetDebugUtilsObjectNameEXT)             \
    MUR_OPTIONAL(vkCmdBeginDebugUtilsLabelEXT)             \
    MUR_OPTIONAL(vkCmdEndDebugUtilsLabelEXT)

#define MUR_DEVICE_FUNCTIONS(MUR_REQUIRED)      \
    MUR_REQUIRED(vkAllocateCommandBuffers)      \
    MUR_REQUIRED(vkAllocateMemory)              \
    MUR_REQUIRED(vkBeginCommandBuffer)          \
    MUR_REQUIRED(vkBindBufferMemory)            \
    MUR_REQUIRED(vkCmdBindPipeline)             \
    MUR_REQUIRED(vkCmdCopyBuffer)               \
    MUR_REQUIRED(vkCmdDispatch)                 \
    MUR_REQUIRED(vkCmdPipelineBarrier)          \
    MUR_REQUIRED(vkCmdPushConstants)            \
    MUR_REQUIRED(vkCreateBuffer)                \
    MUR_REQUIRED(vkCreateCommandPool)           \
    MUR_REQUIRED(vkCreateComputePipelines)      \
    MUR_REQUIRED(vkCreateFence)                 \
    MUR_REQUIRED(vkCreatePipelineLayout)        \
    MUR_REQUIRED(vkCreateShaderModule)          \
    MUR_REQUIRED(vkDestroyBuffer)               \
    MUR_REQUIRED(vkDestroyCommandPool)          \
    MUR_REQUIRED(vkDestroyFence)                \
    MUR_REQUIRED(vkDestroyPipeline)             \
    MUR_REQUIRED(vkDestroyPipelineLayout)       \
    MUR_REQUIRED(vkDestroyShaderModule)         \
    MUR_REQUIRED(vkEndCommandBuffer)            \
    MUR_REQUIRED(vkFreeMemory)                  \
    MUR_REQUIRED(vkGetBufferDeviceAddress)      \
    MUR_REQUIRED(vkGetBufferMemoryRequirements) \
    MUR_REQUIRED(vkMapMemory)                   \
    MUR_REQUIRED(vkQueueSubmit)                 \
    MUR_REQUIRED(vkResetCommandPool)            \
    MUR_REQUIRED(vkResetFences)                 \
    MUR_REQUIRED(vkWaitForFences)

#define MUR_FUNCTION_POINTER(name) PFN_##name name;
typedef struct MurInstanceFunctions {
    MUR_INSTANCE_FUNCTIONS(MUR_FUNCTION_POINTER, MUR_FUNCTION_POINTER)
} MurInstanceFunctions;
typedef struct MurDeviceFunctions {
    MUR_DEVICE_FUNCTIONS(MUR_FUNCTION_POINTER)
} MurDeviceFunctions;
#undef MUR_FUNCTION_POINTER

/* The system's Vulkan loader. It is opened only if the engine passes no vkGetInstanceProcAddr. */
typedef struct MurLoader {
    void *library;
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
} MurLoader;

/* loader.c */
bool mur_open_loader(MurLoader *loader, PFN_vkGetInstanceProcAddr given);
void mur_close_loader(MurLoader *loader);
/* Loads functions. Returns the name of a required function that is missing, or NULL. */
const char *mur_load_instance(const MurLoader *loader, VkInstance instance,
                              MurInstanceFunctions *functions);
const char *mur_load_device(PFN_vkGetDeviceProcAddr getDeviceProcAddr, VkDevice device,
                            MurDeviceFunctions *functions);

#endif
