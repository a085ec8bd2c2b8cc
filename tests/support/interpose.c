/* SPDX-License-Identifier: MIT */
#include "interpose.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const uint32_t interpose_empty_spv[];
extern const size_t interpose_empty_spv_size;

enum { TEXTS = 64, TEXT_SIZE = 64 };

static struct {
    atomic_uint calls[INTERPOSED_COUNT];
    atomic_uint countdown; /* calls until the armed function fails; 0: not armed */
    Interposed armed;
    VkResult result;
    atomic_bool failed;
    atomic_bool lost;
    atomic_int objects;
    atomic_int openLabels;
    atomic_bool crossed;
    atomic_ullong cache;
    atomic_uint familyCount;
    const uint32_t *_Atomic families;
    VkShaderModuleCreateInfo empty; /* if pCode is NULL, shaders are unchanged */
    atomic_uint textCount;
    char texts[TEXTS][TEXT_SIZE];
    bool keeps;
    uint32_t recordCount;
    InterposedRecord records[INTERPOSED_RECORDS];
} now;

struct Interposition interposition;

static _Thread_local bool recording;

bool interpose_recording(void) {
    return recording;
}

#define NAME(name) #name,
static const char *const names[INTERPOSED_COUNT] = {INTERPOSE_CREATING(NAME) INTERPOSE_FALLIBLE(
    NAME) INTERPOSE_DESTROYING(NAME) INTERPOSE_RECORDING(NAME) INTERPOSE_WAITING(NAME)};
#undef NAME

void interpose_start(void) {
    memset(&interposition, 0, sizeof interposition);
    memset(&now, 0, sizeof now); /* all zero is a valid initial value of these atomics */
}

const char *interpose_name(Interposed function) {
    return names[function];
}

void interpose_fail(Interposed function, uint32_t nth, VkResult result) {
    now.armed = function;
    now.result = result;
    atomic_store(&now.failed, false);
    atomic_store(&now.countdown, nth);
}

void interpose_lose_device(void) {
    atomic_store(&now.lost, true);
}

bool interpose_failed(void) {
    return atomic_load(&now.failed);
}

void interpose_empty_shaders(void) {
    now.empty = (VkShaderModuleCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = interpose_empty_spv_size,
        .pCode = interpose_empty_spv,
    };
}

uint32_t interpose_calls(Interposed function) {
    return atomic_load(&now.calls[function]);
}

uint32_t interpose_recorded(void) {
    uint32_t sum = 0;
#define ADD(name) sum += interpose_calls(ON_##name);
    INTERPOSE_RECORDING(ADD)
#undef ADD
    return sum;
}

void interpose_keep_records(void) {
    memset(now.records, 0, sizeof now.records);
    now.recordCount = 0;
    now.keeps = true;
}

const InterposedRecord *interpose_records(uint32_t *count) {
    *count = now.recordCount;
    return now.records;
}

uint32_t interpose_waits(void) {
    uint32_t sum = interpose_calls(ON_vkWaitForFences);
#define ADD(name) sum += interpose_calls(ON_##name);
    INTERPOSE_WAITING(ADD)
#undef ADD
    return sum;
}

int32_t interpose_objects(void) {
    return atomic_load(&now.objects);
}

int32_t interpose_open_labels(void) {
    return atomic_load(&now.openLabels);
}

bool interpose_labels_crossed(void) {
    return atomic_load(&now.crossed);
}

bool interpose_saw_text(const char *text) {
    uint32_t count = atomic_load(&now.textCount);
    for (uint32_t i = 0; i < count && i < TEXTS; ++i) {
        if (strcmp(now.texts[i], text) == 0) {
            return true;
        }
    }
    return false;
}

VkPipelineCache interpose_pipeline_cache(void) {
    return (VkPipelineCache)atomic_load(&now.cache);
}

uint32_t interpose_buffer_families(const uint32_t **families) {
    *families = atomic_load(&now.families);
    return atomic_load(&now.familyCount);
}

static void keep_text(const char *text) {
    uint32_t at = atomic_fetch_add(&now.textCount, 1);
    if (at < TEXTS) {
        snprintf(now.texts[at], TEXT_SIZE, "%s", text);
    }
}

/* Counts a call. Returns VK_SUCCESS if the call reaches Vulkan, otherwise the error to return. */
static VkResult enter(Interposed function) {
    atomic_fetch_add(&now.calls[function], 1);
    if (atomic_load(&now.lost)) {
        return VK_ERROR_DEVICE_LOST;
    }
    if (now.armed != function || atomic_load(&now.countdown) == 0 ||
        atomic_fetch_sub(&now.countdown, 1) != 1) {
        return VK_SUCCESS;
    }
    atomic_store(&now.failed, true);
    return now.result;
}

#define CREATING(function, output, parameters, arguments)            \
    static VKAPI_ATTR VkResult VKAPI_CALL on_##function parameters { \
        VkResult result = enter(ON_##function);                      \
        if (result != VK_SUCCESS) {                                  \
            memset(output, 0xA5, sizeof *output);                    \
            return result;                                           \
        }                                                            \
        result = function arguments;                                 \
        atomic_fetch_add(&now.objects, result == VK_SUCCESS);        \
        return result;                                               \
    }
#define CREATING_USUAL(type, info)                                                         \
    CREATING(vkCreate##type, output,                                                       \
             (VkDevice device, const info *create, const VkAllocationCallbacks *allocator, \
              Vk##type *output),                                                           \
             (device, create, allocator, output))
CREATING_USUAL(PipelineLayout, VkPipelineLayoutCreateInfo)
CREATING(vkCreateShaderModule, output,
         (VkDevice device, const VkShaderModuleCreateInfo *create,
          const VkAllocationCallbacks *allocator, VkShaderModule *output),
         (device, now.empty.pCode ? &now.empty : create, allocator, output))
CREATING_USUAL(CommandPool, VkCommandPoolCreateInfo)
CREATING_USUAL(Fence, VkFenceCreateInfo)
CREATING(vkAllocateMemory, output,
         (VkDevice device, const VkMemoryAllocateInfo *create,
          const VkAllocationCallbacks *allocator, VkDeviceMemory *output),
         (device, create, allocator, output))

static VKAPI_ATTR VkResult VKAPI_CALL on_vkCreateBuffer(VkDevice device,
                                                        const VkBufferCreateInfo *create,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkBuffer *output) {
    bool shared = create->sharingMode == VK_SHARING_MODE_CONCURRENT;
    atomic_store(&now.familyCount, shared ? create->queueFamilyIndexCount : 0);
    atomic_store(&now.families, create->pQueueFamilyIndices);
    VkResult result = enter(ON_vkCreateBuffer);
    if (result != VK_SUCCESS) {
        memset(output, 0xA5, sizeof *output);
        return result;
    }
    result = vkCreateBuffer(device, create, allocator, output);
    atomic_fetch_add(&now.objects, result == VK_SUCCESS);
    return result;
}

/* As in Vulkan, pipelines that could not be created are VK_NULL_HANDLE. */
static VKAPI_ATTR VkResult VKAPI_CALL
on_vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                            const VkComputePipelineCreateInfo *create,
                            const VkAllocationCallbacks *allocator, VkPipeline *output) {
    atomic_store(&now.cache, (uint64_t)cache);
    VkResult result = enter(ON_vkCreateComputePipelines);
    if (result != VK_SUCCESS) {
        memset(output, 0, count * sizeof *output);
        return result;
    }
    if (interposition.pipelines) {
        interposition.pipelines();
    }
    result = vkCreateComputePipelines(device, cache, count, create, allocator, output);
    for (uint32_t i = 0; i < count; ++i) {
        atomic_fetch_add(&now.objects, output[i] != VK_NULL_HANDLE);
    }
    return result;
}

#define FALLIBLE(function, parameters, arguments)                    \
    static VKAPI_ATTR VkResult VKAPI_CALL on_##function parameters { \
        VkResult result = enter(ON_##function);                      \
        return result == VK_SUCCESS ? function arguments : result;   \
    }
FALLIBLE(vkAllocateCommandBuffers,
         (VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers),
         (device, info, buffers))
FALLIBLE(vkBindBufferMemory,
         (VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset),
         (device, buffer, memory, offset))
FALLIBLE(vkMapMemory,
         (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
          VkMemoryMapFlags flags, void **data),
         (device, memory, offset, size, flags, data))
FALLIBLE(vkResetCommandPool, (VkDevice device, VkCommandPool pool, VkCommandPoolResetFlags flags),
         (device, pool, flags))
FALLIBLE(vkBeginCommandBuffer, (VkCommandBuffer cmd, const VkCommandBufferBeginInfo *info),
         (cmd, info))
FALLIBLE(vkEndCommandBuffer, (VkCommandBuffer cmd), (cmd))
FALLIBLE(vkResetFences, (VkDevice device, uint32_t count, const VkFence *fences),
         (device, count, fences))
FALLIBLE(vkQueueSubmit, (VkQueue queue, uint32_t count, const VkSubmitInfo *submits, VkFence fence),
         (queue, count, submits, fence))

FALLIBLE(vkQueueWaitIdle, (VkQueue queue), (queue))
FALLIBLE(vkDeviceWaitIdle, (VkDevice device), (device))
FALLIBLE(vkGetFenceStatus, (VkDevice device, VkFence fence), (device, fence))
FALLIBLE(vkWaitSemaphores, (VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout),
         (device, info, timeout))
FALLIBLE(vkGetSemaphoreCounterValue, (VkDevice device, VkSemaphore semaphore, uint64_t *value),
         (device, semaphore, value))

static VKAPI_ATTR VkResult VKAPI_CALL on_vkWaitForFences(VkDevice device, uint32_t count,
                                                         const VkFence *fences, VkBool32 all,
                                                         uint64_t timeout) {
    VkResult failure = enter(ON_vkWaitForFences);
    VkResult result = vkWaitForFences(device, count, fences, all, timeout);
    return failure != VK_SUCCESS ? failure : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
on_vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    VkResult result = enter(ON_vkSetDebugUtilsObjectNameEXT);
    keep_text(info->pObjectName);
    return result == VK_SUCCESS ? vkSetDebugUtilsObjectNameEXT(device, info) : result;
}

#define DESTROYING(function, type)                                                            \
    static VKAPI_ATTR void VKAPI_CALL on_##function(VkDevice device, type object,             \
                                                    const VkAllocationCallbacks *allocator) { \
        enter(ON_##function);                                                                 \
        atomic_fetch_sub(&now.objects, object != VK_NULL_HANDLE);                             \
        function(device, object, allocator);                                                  \
    }
DESTROYING(vkDestroyPipelineLayout, VkPipelineLayout)
DESTROYING(vkDestroyShaderModule, VkShaderModule)
DESTROYING(vkDestroyPipeline, VkPipeline)
DESTROYING(vkDestroyBuffer, VkBuffer)
DESTROYING(vkFreeMemory, VkDeviceMemory)
DESTROYING(vkDestroyCommandPool, VkCommandPool)
DESTROYING(vkDestroyFence, VkFence)

static InterposedRecord *next_record(Interposed function) {
    if (now.recordCount == INTERPOSED_RECORDS) {
        fprintf(stderr, "interpose: more than %d calls were recorded\n", INTERPOSED_RECORDS);
        abort();
    }
    now.records[now.recordCount].function = function;
    return &now.records[now.recordCount++];
}

static void keep_push(InterposedRecord *record, uint32_t offset, uint32_t size,
                      const void *values) {
    record->pushOffset = offset;
    record->pushSize = size;
    memcpy(record->push, values, size < sizeof record->push ? size : sizeof record->push);
}

static void keep_groups(InterposedRecord *record, uint32_t x, uint32_t y, uint32_t z) {
    record->groups[0] = x;
    record->groups[1] = y;
    record->groups[2] = z;
}

static void keep_barrier(InterposedRecord *record, VkPipelineStageFlags before,
                         VkPipelineStageFlags after, const VkMemoryBarrier *memory, bool alone) {
    record->before = before;
    record->after = after;
    record->plain = memory && alone;
    if (memory) {
        record->memory = *memory;
    }
}

static void keep_copy(InterposedRecord *record, VkBuffer from, VkBuffer to,
                      const VkBufferCopy *parts) {
    record->from = from;
    record->to = to;
    record->part = parts[0];
}

/* Defines the replacement of a vkCmd function. keep: a call that stores arguments in *record. */
#define RECORDING(name, parameters, arguments, keep)                 \
    static VKAPI_ATTR void VKAPI_CALL on_##name parameters {         \
        enter(ON_##name);                                            \
        recording = true;                                            \
        if (now.keeps) {                                             \
            InterposedRecord *const record = next_record(ON_##name); \
            keep;                                                    \
        }                                                            \
        name arguments;                                              \
        recording = false;                                           \
    }
RECORDING(vkCmdBindPipeline, (VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipeline pipeline),
          (cmd, point, pipeline), record->pipeline = pipeline)
RECORDING(vkCmdPushConstants,
          (VkCommandBuffer cmd, VkPipelineLayout layout, VkShaderStageFlags stages, uint32_t offset,
           uint32_t size, const void *values),
          (cmd, layout, stages, offset, size, values), keep_push(record, offset, size, values))
RECORDING(vkCmdDispatch, (VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z), (cmd, x, y, z),
          keep_groups(record, x, y, z))
RECORDING(vkCmdPipelineBarrier,
          (VkCommandBuffer cmd, VkPipelineStageFlags before, VkPipelineStageFlags after,
           VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier *barriers,
           uint32_t bufferCount, const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
           const VkImageMemoryBarrier *images),
          (cmd, before, after, flags, count, barriers, bufferCount, buffers, imageCount, images),
          keep_barrier(record, before, after, count == 1 ? barriers : NULL,
                       flags == 0 && bufferCount == 0 && imageCount == 0))
RECORDING(vkCmdCopyBuffer,
          (VkCommandBuffer cmd, VkBuffer from, VkBuffer to, uint32_t count,
           const VkBufferCopy *parts),
          (cmd, from, to, count, parts), keep_copy(record, from, to, parts))

static VKAPI_ATTR void VKAPI_CALL
on_vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT *label) {
    enter(ON_vkCmdBeginDebugUtilsLabelEXT);
    keep_text(label->pLabelName);
    atomic_fetch_add(&now.openLabels, 1);
    recording = true;
    vkCmdBeginDebugUtilsLabelEXT(cmd, label);
    recording = false;
}

static VKAPI_ATTR void VKAPI_CALL on_vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer cmd) {
    enter(ON_vkCmdEndDebugUtilsLabelEXT);
    if (atomic_fetch_sub(&now.openLabels, 1) <= 0) {
        atomic_store(&now.crossed, true);
    }
    recording = true;
    vkCmdEndDebugUtilsLabelEXT(cmd);
    recording = false;
}

static VKAPI_ATTR void VKAPI_CALL on_vkGetPhysicalDeviceProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties) {
    vkGetPhysicalDeviceProperties2(device, properties);
    if (interposition.bendProperties) {
        interposition.bendProperties(properties);
    }
}

static VKAPI_ATTR void VKAPI_CALL
on_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features) {
    vkGetPhysicalDeviceFeatures2(device, features);
    if (interposition.bendFeatures) {
        interposition.bendFeatures(features);
    }
}

static VKAPI_ATTR void VKAPI_CALL on_vkGetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory) {
    vkGetPhysicalDeviceMemoryProperties(device, memory);
    if (interposition.bendMemory) {
        interposition.bendMemory(memory);
    }
}

static VKAPI_ATTR void VKAPI_CALL on_vkGetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *families) {
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
    if (interposition.families && !families) {
        *count = interposition.families;
    }
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL on_vkGetDeviceProcAddr(VkDevice device,
                                                                       const char *name);

typedef struct Replacement {
    const char *name;
    PFN_vkVoidFunction function;
} Replacement;

#define REPLACE(function) {#function, (PFN_vkVoidFunction)on_##function},
static const Replacement replacements[] = {
    INTERPOSE_CREATING(REPLACE) INTERPOSE_FALLIBLE(REPLACE) INTERPOSE_DESTROYING(REPLACE)
        INTERPOSE_RECORDING(REPLACE) INTERPOSE_WAITING(REPLACE)
            REPLACE(vkGetPhysicalDeviceProperties2) REPLACE(vkGetPhysicalDeviceFeatures2)
                REPLACE(vkGetPhysicalDeviceMemoryProperties)
                    REPLACE(vkGetPhysicalDeviceQueueFamilyProperties) REPLACE(vkGetDeviceProcAddr)};
#undef REPLACE

/* Returns the replacement of a Vulkan function. NULL remains NULL. */
static PFN_vkVoidFunction replace(const char *name, PFN_vkVoidFunction given) {
    if (!given || (interposition.hidden && strcmp(name, interposition.hidden) == 0)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; ++i) {
        if (strcmp(replacements[i].name, name) == 0) {
            return replacements[i].function;
        }
    }
    return given;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL on_vkGetDeviceProcAddr(VkDevice device,
                                                                       const char *name) {
    return replace(name, vkGetDeviceProcAddr(device, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL interpose_get_instance_proc_addr(VkInstance instance,
                                                                          const char *name) {
    return replace(name, vkGetInstanceProcAddr(instance, name));
}
