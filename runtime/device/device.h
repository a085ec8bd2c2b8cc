/* Contexts, tables, and what the commands stand on: functions, limits, memory, pipelines,
 * recording.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_DEVICE_H
#define MUR_DEVICE_H

#include <murmuration/murmuration.h>

#include "../host/try.h"
#include "../kernels/kernels.h"
#include "../plan/plan.h"
#include "functions.h"
#include "lock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MUR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define MUR_PRINTF(text, first)
#endif

typedef struct MurLogger {
    PFN_murLog pfnLog;
    void *pUserData;
} MurLogger;

/* Limits of tables and grids on this device. */
typedef struct MurLimits {
    VkDeviceSize maxAllocation;
    uint32_t maxGroupsX;
    uint32_t maxGroupsY;
} MurLimits;

struct MurContext_T {
    MurLoader loader;
    MurInstanceFunctions vki;
    MurDeviceFunctions vk;
    VkDevice device;
    MurFeatureFlags features;
    MurLimits limits;
    MurDevice planning; /* what plans depend on */
    VkPhysicalDeviceMemoryProperties memory;
    bool hasAllocator;
    VkAllocationCallbacks allocator;
    VkPipelineCache cache;
    MurLogger logger;
    uint32_t deviceFamilies; /* how many queue families the device has */
    uint32_t familyCount;    /* of those that share the library's buffers; 0: exclusive */
    uint32_t *families;
    VkPipelineLayout layout;
    /* VkPipelines; 0 until created. A thread marks a pipeline under the lock before it creates it,
     * so that none is created twice. */
    _Atomic uint64_t pipelines[MUR_KERNEL_COUNT][MUR_PIPELINE_VARIANTS];
    bool making[MUR_KERNEL_COUNT][MUR_PIPELINE_VARIANTS];
    MurLock lock;
};

/* A buffer of the library's own, with its memory to itself. */
typedef struct MurBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
} MurBuffer;

struct MurTable_T {
    MurContext context;
    MurShape shape;
    MurBufferRange memory;
    MurBuffer own; /* all zero: memory is the engine's */
};

#define MUR_LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* log.c: mur_fail logs an error and returns its result. mur_check_result does that if a Vulkan call
 * failed, and appends the name of the result. mur_invalid_argument logs an invalid argument and
 * returns MUR_ERROR_INVALID_ARGUMENT. */
void mur_log(const MurLogger *logger, MurLogSeverity severity, const char *format, ...)
    MUR_PRINTF(3, 4);
VkResult mur_fail(const MurLogger *logger, VkResult result, const char *format, ...)
    MUR_PRINTF(3, 4);
VkResult mur_check_result(MurContext context, VkResult result, const char *format, ...)
    MUR_PRINTF(3, 4);
VkResult mur_invalid_argument(MurContext context, const char *function, const char *format, ...)
    MUR_PRINTF(3, 4);
/* An object's context. VK_NULL_HANDLE, if there is no object, is refused without a word: there is
 * nowhere to log to. */
#define MUR_CONTEXT(object) ((object) ? (object)->context : VK_NULL_HANDLE)
VkResult mur_check_command(MurContext context, VkCommandBuffer cmd, const char *command);
/* A struct whose first member is pNext. */
VkResult mur_check_struct(MurContext context, const char *function, const char *name,
                          const void *given);
/* Rejects numbers out of range, by the names of their members. */
typedef struct MurNumber {
    const char *name;
    uint64_t value, least, most;
} MurNumber;
VkResult mur_check_numbers(MurContext context, const char *function, const MurNumber *numbers,
                           size_t count);
/* Rejects frames that do not follow the last one, and more frames than may be in flight. */
VkResult mur_check_frame(MurContext context, const char *function, uint64_t frame,
                         uint64_t completed, uint64_t last, uint32_t inFlight);
/* Checks the create info and the output parameter of an object; name: of the object. */
VkResult mur_check_creation(MurContext context, const char *function, const void *info,
                            const void *output, const char *name);

/* context.c */
const VkAllocationCallbacks *mur_allocator(MurContext context);
void *mur_allocate(const VkAllocationCallbacks *allocator, size_t size);
void mur_release(const VkAllocationCallbacks *allocator, void *memory);
/* Zeros, or NULL, which it logs. */
void *mur_new(MurContext context, const char *function, size_t size);
void mur_name_object(MurContext context, VkObjectType type, uint64_t handle, const char *name);

/* features.c: lack: what the library needs and the device has not, or NULL. */
MurFeatureFlags mur_supported_features(const MurInstanceFunctions *vki, VkPhysicalDevice device,
                                       const char **lack);

/* memory.c: size in bytes. Device-local memory; or the host's, mapped until it is destroyed. */
VkResult mur_create_buffer(MurContext context, VkDeviceSize size, MurBuffer *buffer);
VkResult mur_create_mapped(MurContext context, VkDeviceSize size, MurBuffer *buffer, void **mapped);
void mur_destroy_buffer(MurContext context, MurBuffer *buffer);
VkDeviceAddress mur_buffer_address(MurContext context, VkBuffer buffer);
/* Checks the size and alignment of a range of the engine's memory; name: for messages. */
VkResult mur_check_range(MurContext context, const char *function, const char *name,
                         const MurBufferRange *range, VkDeviceSize size, uint32_t alignment,
                         VkDeviceAddress *address);
/* The same, or, if it is all zero, a buffer of this name, whose range it becomes; what was made is
 * in own even if it fails. */
VkResult mur_provide_memory(MurContext context, const char *function, MurBufferRange *range,
                            const char *name, VkDeviceSize size, uint32_t alignment, MurBuffer *own,
                            VkDeviceAddress *address);

/* pipeline.c */
VkResult mur_create_layout(MurContext context);
typedef struct MurKernelList {
    const MurTypeInfo *type;
    uint32_t tableFlags;
    uint32_t kernels; /* MUR_KERNELS_* */
    uint32_t count;
    const MurKernelCode *codes[MUR_KERNEL_COUNT];
} MurKernelList;
/* Adds the kernels of a family that serve the list's table on this device, each once. */
void mur_list_family(MurContext context, const MurFamily *family, MurKernelList *list);
/* Makes those of the list from first on, count of them, that are not there; when it returns
 * VK_SUCCESS all are. */
VkResult mur_prepare_kernels(MurContext context, const MurKernelList *list, uint32_t first,
                             uint32_t count);
void mur_destroy_pipelines(MurContext context);

/* record.c */
VkResult mur_record(MurContext context, VkCommandBuffer cmd, const char *command,
                    const MurPlan *plan); /* VK_SUCCESS */
void mur_barrier(MurContext context, VkCommandBuffer cmd, VkPipelineStageFlags before,
                 VkAccessFlags beforeAccess, VkPipelineStageFlags after, VkAccessFlags afterAccess);
void mur_begin_label(MurContext context, VkCommandBuffer cmd, const char *name);
void mur_end_label(MurContext context, VkCommandBuffer cmd);

/* table.c. Checks all of a description that does not depend on the capacity. */
VkResult mur_check_type(MurContext context, const char *function, const MurTableCreateInfo *info,
                        MurDescription *description);

#endif
