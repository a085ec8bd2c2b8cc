/* Contexts, tables, memory, pipelines, recording.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_OBJECTS_H
#define MUR_OBJECTS_H

#include <murmuration/murmuration.h>

#include "../base/base.h"
#include "../base/functions.h"
#include "../base/lock.h"
#include "../kernels/kernels.h"
#include "../plan/plan.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of this device: the bytes of one allocation, and the workgroups of a dispatch. */
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
    MurDevice planning; /* the properties that plans depend on */
    VkPhysicalDeviceMemoryProperties memory;
    bool hasAllocator;
    VkAllocationCallbacks allocator;
    VkPipelineCache cache;
    MurLogger logger;
    uint32_t deviceFamilies; /* number of queue families of the device */
    uint32_t familyCount;    /* families that share the library's buffers; 0: exclusive */
    uint32_t *families;
    VkPipelineLayout layout;
    /* The VkPipelines, 0 until created. Before a thread creates a pipeline, it sets `making` under
     * the lock, so that no pipeline is created twice. */
    _Atomic uint64_t pipelines[MUR_KERNEL_COUNT][MUR_PIPELINE_VARIANTS];
    bool making[MUR_KERNEL_COUNT][MUR_PIPELINE_VARIANTS];
    MurLock lock;
};

/* A buffer of the library, with a dedicated allocation. */
typedef struct MurBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
} MurBuffer;

struct MurTable_T {
    MurContext context;
    MurShape shape;
    MurBufferRange memory;
    MurBuffer own; /* all zero if memory belongs to the engine */
};

/* context.c */
const VkAllocationCallbacks *mur_allocator(MurContext context);
void *mur_allocate(const VkAllocationCallbacks *allocator, size_t size);
void mur_release(const VkAllocationCallbacks *allocator, void *memory);
/* Returns zeroed memory. If the allocation fails, logs the failure and returns NULL. */
void *mur_new(MurContext context, const char *function, size_t size);
void mur_name_object(MurContext context, VkObjectType type, uint64_t handle, const char *name);

/* features.c. lack (output): a feature that the library requires and the device lacks, or NULL. */
MurFeatureFlags mur_supported_features(const MurInstanceFunctions *vki, VkPhysicalDevice device,
                                       const char **lack);

/* memory.c. Creates buffers of size bytes: in device-local memory, or in host memory that stays
 * mapped until the buffer is destroyed. */
VkResult mur_create_buffer(MurContext context, VkDeviceSize size, MurBuffer *buffer);
VkResult mur_create_mapped(MurContext context, VkDeviceSize size, MurBuffer *buffer,
                           uint8_t **mapped);
void mur_destroy_buffer(MurContext context, MurBuffer *buffer);
VkDeviceAddress mur_buffer_address(MurContext context, VkBuffer buffer);
/* Checks the size and alignment of a range of the engine's memory. address (output): of the range.
 * name: of the range in messages. */
VkResult mur_check_range(MurContext context, const char *function, const char *name,
                         const MurBufferRange *range, VkDeviceSize size, uint32_t alignment,
                         VkDeviceAddress *address);
/* Checks a range like mur_check_range. If the range is all zero, creates a buffer with this name
 * and sets the range to it. own (output): the created buffer, even if the function fails. */
VkResult mur_provide_memory(MurContext context, const char *function, MurBufferRange *range,
                            const char *name, VkDeviceSize size, uint32_t alignment, MurBuffer *own,
                            VkDeviceAddress *address);

/* pipeline.c */
VkResult mur_create_layout(MurContext context);
/* The kernels of a table. */
typedef struct MurKernelList {
    MurShape table;
    uint32_t count;
    const MurKernelCode *codes[MUR_KERNEL_COUNT];
} MurKernelList;
/* Adds the modules of a family that this device runs for the list's table; no kernel twice. */
void mur_list_family(MurContext context, const MurFamily *family, MurKernelList *list);
/* Lists the kernels of info's type and kernel sets that this device runs. Sets table.kernels. */
VkResult mur_list_kernels(MurContext context, const char *function, const MurTableCreateInfo *info,
                          MurKernelList *list);
/* Creates the missing pipelines of count kernels of the list, starting at kernel first. If it
 * returns VK_SUCCESS, all these pipelines exist. */
VkResult mur_prepare_kernels(MurContext context, const MurKernelList *list, uint32_t first,
                             uint32_t count);
void mur_destroy_pipelines(MurContext context);

/* record.c */
VkResult mur_record(MurContext context, VkCommandBuffer cmd, const char *command,
                    const MurPlan *plan); /* always returns VK_SUCCESS */
void mur_barrier(MurContext context, VkCommandBuffer cmd, VkPipelineStageFlags before,
                 VkAccessFlags beforeAccess, VkPipelineStageFlags after, VkAccessFlags afterAccess);
/* Records the barrier of murCmdBarrier; if host is true, also for host reads after a fence. */
void mur_exit_barrier(MurContext context, VkCommandBuffer cmd, bool host);
void mur_begin_label(MurContext context, VkCommandBuffer cmd, const char *name);
void mur_end_label(MurContext context, VkCommandBuffer cmd);

/* table.c. Checks a table description by `describe` (types.h), and against this device's limits. */
VkResult mur_check_table(MurContext context, const char *function, const MurTableCreateInfo *info,
                         MurDescriber *describe, MurShape *shape);

#endif
