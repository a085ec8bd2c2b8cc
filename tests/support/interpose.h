/* Between the library and Vulkan: counts its calls, makes chosen ones fail, hides functions, bends
 * what the device says of itself.
 *
 *     interpose_start();
 *     info.getInstanceProcAddr = interpose_get_instance_proc_addr;
 *     murCreateContext(&info, &context);
 *     interpose_fail(ON_vkAllocateMemory, 2, VK_ERROR_DEVICE_LOST);
 *
 * Calls go on to the program's own volk, so any number of devices may be behind. State is global,
 * because vkGetInstanceProcAddr carries no user data; calls may come from any thread, but arming
 * and reading belong to one.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_INTERPOSE_H
#define MUR_TEST_INTERPOSE_H

#define VK_NO_PROTOTYPES
#include <volk.h>

#include <stdbool.h>
#include <stdint.h>

/* Functions that make something: a failing one leaves rubbish in its output, as Vulkan may. */
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

/* Functions that wait for the GPU, or ask what it has done, besides vkWaitForFences. */
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

/* Forgets all that was counted, armed, hidden and bent. */
void interpose_start(void);

/* What to give to the library. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL interpose_get_instance_proc_addr(VkInstance instance,
                                                                          const char *name);

const char *interpose_name(Interposed function);

/* The nth call from now (1: the next) returns result, once. vkWaitForFences waits all the same, so
 * that the device is idle for whoever comes next; no other call reaches Vulkan. */
void interpose_fail(Interposed function, uint32_t nth, VkResult result);
/* From now on every function that can fail returns VK_ERROR_DEVICE_LOST. */
void interpose_lose_device(void);
/* Has the armed failure happened? */
bool interpose_failed(void);

/* What Vulkan is made to say. interpose_start sets it to zero: it says what is so. */
extern struct Interposition {
    const char *hidden; /* lookups of this function give NULL, on instance and device */
    /* Called on what the device has reported of itself. */
    void (*bendProperties)(VkPhysicalDeviceProperties2 *properties);
    void (*bendFeatures)(VkPhysicalDeviceFeatures2 *features);
    void (*bendMemory)(VkPhysicalDeviceMemoryProperties *memory);
    uint32_t families; /* the device has so many queue families; 0: as many as it has */
    /* Called by the thread that makes pipelines, before it goes on to Vulkan. */
    void (*pipelines)(void);
} interposition;

/* From now on the library's shaders do nothing, and its pipelines are made at once: for tests of
 * what is refused, counted or recorded, and never run. */
void interpose_empty_shaders(void);

/* Is this thread inside a function that records? */
bool interpose_recording(void);

/* What was recorded, call by call; of each what belongs to its function. */
typedef struct InterposedRecord {
    Interposed function;
    VkPipeline pipeline;
    uint32_t pushOffset, pushSize;
    uint8_t push[128];
    uint32_t groups[3];
    VkPipelineStageFlags before, after; /* of a barrier */
    VkMemoryBarrier memory;             /* its one memory barrier, */
    bool plain;                         /* and nothing else is in it */
    VkBuffer from, to;
    VkBufferCopy part;
} InterposedRecord;
/* From now on at most INTERPOSED_RECORDS calls are kept, of one thread that records; those before
 * are forgotten. */
enum { INTERPOSED_RECORDS = 256 };
void interpose_keep_records(void);
/* Those since then; more than there is room for end the program. */
const InterposedRecord *interpose_records(uint32_t *count);

/* Calls since the start, failed ones included. */
uint32_t interpose_calls(Interposed function);
/* Of functions that record, all together. */
uint32_t interpose_recorded(void);
/* Of functions that wait or ask, vkWaitForFences included. */
uint32_t interpose_waits(void);
/* Objects of all kinds made and not yet destroyed. */
int32_t interpose_objects(void);
/* Debug labels begun and not yet ended, and whether one was ever ended that had not begun. */
int32_t interpose_open_labels(void);
bool interpose_labels_crossed(void);
/* Was an object given this name, a command this label? */
bool interpose_saw_text(const char *text);
/* How many queue families share the last buffer asked for, made or not (0: exclusive sharing), and
 * which: the library's own array. */
uint32_t interpose_buffer_families(const uint32_t **families);
/* The cache that the last pipeline was made with. */
VkPipelineCache interpose_pipeline_cache(void);

#endif
