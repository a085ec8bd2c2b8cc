/* Contexts, tables, and what the commands stand on: functions, limits, memory, pipelines,
 * recording.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_DEVICE_H
#define MUR_DEVICE_H

#include <murmuration/murmuration.h>

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

/* What limits a table or a grid on this device. */
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
    /* VkPipelines; 0 until made. Whoever makes one says so first, under the lock, so that none is
     * made twice. */
    _Atomic uint64_t pipelines[MUR_KERNEL_COUNT][MUR_PIPELINE_VARIANTS];
    bool making[MUR_KERNEL_COUNT][MUR_PIPELINE_VARIANTS];
    MurLock lock;
};

struct MurTable_T {
    MurContext context;
    MurShape shape;
    MurBufferRange memory;
    VkDeviceMemory owned; /* VK_NULL_HANDLE: memory is the engine's */
};

/* A buffer of the library's own, with its memory to itself. */
typedef struct MurBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
} MurBuffer;

/* log.c: mur_fail logs an error and returns the result it was given. */
void mur_log(const MurLogger *logger, MurLogSeverity severity, const char *format, ...)
    MUR_PRINTF(3, 4);
VkResult mur_fail(const MurLogger *logger, VkResult result, const char *format, ...)
    MUR_PRINTF(3, 4);

/* context.c */
const VkAllocationCallbacks *mur_allocator(MurContext context);
void *mur_allocate(const VkAllocationCallbacks *allocator, size_t size);
void mur_release(const VkAllocationCallbacks *allocator, void *memory);
void mur_name_object(MurContext context, VkObjectType type, uint64_t handle, const char *name);

/* features.c: lack: what the library needs and the device has not, or NULL. */
MurFeatureFlags mur_supported_features(const MurInstanceFunctions *vki, VkPhysicalDevice device,
                                       const char **lack);

/* memory.c: size in bytes; properties in order of preference, the last is required. */
VkResult mur_create_buffer(MurContext context, VkDeviceSize size, VkBufferUsageFlags usage,
                           VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags required,
                           MurBuffer *buffer);
void mur_destroy_buffer(MurContext context, MurBuffer *buffer);
VkDeviceAddress mur_buffer_address(MurContext context, VkBuffer buffer);

/* pipeline.c */
VkResult mur_create_layout(MurContext context);
typedef struct MurKernelList {
    uint32_t tableFlags;
    uint32_t count;
    const MurKernelCode *codes[MUR_KERNEL_COUNT];
} MurKernelList;
/* uses: MUR_MAX_USES of them at most, NULL after the last. Their MUR_USES_* bits; and what tables
 * of this kind need for them, each kernel once. */
uint32_t mur_use_bits(const MurUse *uses);
MurKernelList mur_list_kernels(MurContext context, uint32_t tableFlags, const MurUse *uses);
/* Adds those of a family, each once. */
void mur_list_family(MurContext context, const MurFamily *family, MurKernelList *list);
/* Makes those of the list from first on, count of them, that are not there; when it returns
 * VK_SUCCESS all are. */
VkResult mur_prepare_kernels(MurContext context, const MurKernelList *list, uint32_t first,
                             uint32_t count);
void mur_destroy_pipelines(MurContext context);

/* record.c */
void mur_record(MurContext context, VkCommandBuffer cmd, const char *command, const MurPlan *plan);
void mur_begin_label(MurContext context, VkCommandBuffer cmd, const char *name);
void mur_end_label(MurContext context, VkCommandBuffer cmd);

/* table.c */
uint32_t mur_table_format(MurTable table);
/* Of a table as described: MUR_TABLE_*; is all but its size right? */
uint32_t mur_table_flags(MurContext context, const MurTableCreateInfo *info);
VkResult mur_check_kind(MurContext context, const char *function, const MurTableCreateInfo *info);

#endif
