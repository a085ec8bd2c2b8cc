/* A layer between the library and Vulkan: counts calls, makes selected calls fail, hides functions,
 * changes reported properties.
 *
 *     interpose_start();
 *     info.getInstanceProcAddr = interpose_get_instance_proc_addr;
 *     murCreateContext(&info, &context);
 *     interpose_fail(ON_vkAllocateMemory, 2, VK_ERROR_DEVICE_LOST);
 *
 * Calls continue to the program's own volk, so there can be any number of devices. State is global,
 * because vkGetInstanceProcAddr has no user data. Calls may come from any thread, but only one
 * thread may arm and read.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_INTERPOSE_H
#define MUR_TEST_INTERPOSE_H

#define VK_NO_PROTOTYPES
#include <volk.h>

#include <stdbool.h>
#include <stdint.h>

/* Functions that create an object. If a call fails, its output is garbage, as Vulkan allows. */
#define INTERPOSE_CREATING(X) \
    X(vkCreatePipelineLayout) \
    X(vkCreateShaderModule)   \
    X(vkCreateBuffer)         \
    X(vkAllocateMemory)       \
    X(vkCreateCommandPool)    \
    X(vkCreateFence)          \
    X(vkCreateComputePipelines)

#define INTERPOSE_FALLIBLE(X)   \
    X(vkAllocateCommandBuffers) \
    X(vkBindBufferMemory)       \
    X(vkMapMemory)              \
    X(vkResetCommandPool)       \
    X(vkBeginCommandBuffer)     \
    X(vkEndCommandBuffer)       \
    X(vkResetFences)            \
    X(vkQueueSubmit)            \
    X(vkWaitForFences)          \
    X(vkSetDebugUtilsObjectNameEXT)

#define INTERPOSE_DESTROYING(X) \
    X(vkDestroyPipelineLayout)  \
    X(vkDestroyShaderModule)    \
    X(vkDestroyPipeline)        \
    X(vkDestroyBuffer)          \
    X(vkFreeMemory)             \
    X(vkDestroyCommandPool)     \
    X(vkDestroyFence)

#define INTERPOSE_RECORDING(X)      \
    X(vkCmdBindPipeline)            \
    X(vkCmdPushConstants)           \
    X(vkCmdDispatch)                \
    X(vkCmdPipelineBarrier)         \
    X(vkCmdCopyBuffer)              \
    X(vkCmdBeginDebugUtilsLabelEXT) \
    X(vkCmdEndDebugUtilsLabelEXT)

/* Functions in addition to vkWaitForFences that wait for the GPU or query its progress. */
#define INTERPOSE_WAITING(X) \
    X(vkQueueWaitIdle)       \
    X(vkDeviceWaitIdle)      \
    X(vkGetFenceStatus)      \
    X(vkWaitSemaphores)      \
    X(vkGetSemaphoreCounterValue)

#define INTERPOSE_ENUM(name) ON_##name,
typedef enum Interposed {
    INTERPOSE_CREATING(INTERPOSE_ENUM) INTERPOSE_FALLIBLE(INTERPOSE_ENUM)
        INTERPOSE_DESTROYING(INTERPOSE_ENUM) INTERPOSE_RECORDING(INTERPOSE_ENUM)
            INTERPOSE_WAITING(INTERPOSE_ENUM) INTERPOSED_COUNT
} Interposed;

/* Resets all counts, failures, hidden functions and changes. */
void interpose_start(void);

/* The function to pass to the library. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL interpose_get_instance_proc_addr(VkInstance instance,
                                                                          const char *name);

const char *interpose_name(Interposed function);

/* Makes the nth call from now (1: the next) return result, once. vkWaitForFences also waits, so
 * that the device is idle afterwards. Failing calls of other functions do not reach Vulkan. */
void interpose_fail(Interposed function, uint32_t nth, VkResult result);
/* From now on every function that can fail returns VK_ERROR_DEVICE_LOST. */
void interpose_lose_device(void);
/* Returns whether the armed failure has happened. */
bool interpose_failed(void);

/* Changes of values that Vulkan reports. interpose_start sets all to zero: no change. */
extern struct Interposition {
    const char *hidden; /* lookups of this function, on instance and device, return NULL */
    /* Called with the reported properties, features and memory, and may change them. */
    void (*bendProperties)(VkPhysicalDeviceProperties2 *properties);
    void (*bendFeatures)(VkPhysicalDeviceFeatures2 *features);
    void (*bendMemory)(VkPhysicalDeviceMemoryProperties *memory);
    uint32_t families; /* reported number of queue families; 0: the device's number */
    /* Called by the thread that creates pipelines, before it calls Vulkan. */
    void (*pipelines)(void);
} interposition;

/* From now on the library's shaders do nothing, so that pipelines are created quickly. For tests
 * whose commands are rejected, counted or recorded, but never executed. */
void interpose_empty_shaders(void);

/* Returns whether this thread is inside a Vulkan function that records. */
bool interpose_recording(void);

/* A recorded Vulkan call. Only the members that belong to its function are set. */
typedef struct InterposedRecord {
    Interposed function;
    VkPipeline pipeline;
    uint32_t pushOffset, pushSize;
    uint8_t push[128];
    uint32_t groups[3];
    VkPipelineStageFlags before, after; /* a barrier's stages before and after it */
    VkMemoryBarrier memory;             /* the barrier's only memory barrier */
    bool plain;                         /* the call has no other barriers */
    VkBuffer from, to;
    VkBufferCopy part;
} InterposedRecord;
/* Stores the next INTERPOSED_RECORDS recorded calls of one thread. Discards earlier calls. */
enum { INTERPOSED_RECORDS = 256 };
void interpose_keep_records(void);
/* Returns the stored calls. Ends the program if there were more than INTERPOSED_RECORDS. */
const InterposedRecord *interpose_records(uint32_t *count);

/* Returns the number of calls since the start, including failed ones. */
uint32_t interpose_calls(Interposed function);
/* Returns the number of calls of all functions that record. */
uint32_t interpose_recorded(void);
/* Returns the number of calls that wait or query, including vkWaitForFences. */
uint32_t interpose_waits(void);
/* Returns the number of objects of all types created and not yet destroyed. */
int32_t interpose_objects(void);
/* Returns the number of open debug labels, and whether a label was ended without a beginning. */
int32_t interpose_open_labels(void);
bool interpose_labels_crossed(void);
/* Returns whether an object got this name, or a command this label. */
bool interpose_saw_text(const char *text);
/* Returns how many queue families share the last requested buffer (0: exclusive), even if its
 * creation failed. families: output, the library's array of families. */
uint32_t interpose_buffer_families(const uint32_t **families);
/* Returns the pipeline cache with which the last pipeline was created. */
VkPipelineCache interpose_pipeline_cache(void);

#endif
