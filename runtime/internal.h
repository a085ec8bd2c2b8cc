/* What the runtime's files share. Nothing here is public.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_INTERNAL_H
#define MUR_INTERNAL_H

#define VK_NO_PROTOTYPES
#include <volk.h>

#include <murmuration/murmuration.h>

#include "lock.h"
#include "size.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MUR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define MUR_PRINTF(text, first)
#endif

enum { MUR_SMALL_WORKGROUP_SIZE = 128, MUR_WORKGROUP_SIZE = 256, MUR_LARGE_WORKGROUP_SIZE = 512 };

/* What has a kernel for each format, and some for each atomic width. */
typedef enum MurVerb {
    MUR_VERB_FIND,
    MUR_VERB_EXTRACT,
    MUR_VERB_STATS,
    MUR_VERB_INSERT,
    MUR_VERB_ERASE,
    MUR_VERB_MOVE, /* entry by entry into another table */
    MUR_VERB_COUNT
} MurVerb;

typedef enum MurKernel {
    MUR_KERNEL_CLEAR,
    MUR_KERNEL_FIND,
    MUR_KERNEL_EXTRACT,
    MUR_KERNEL_RESET,
    MUR_KERNEL_STATS,
    MUR_KERNEL_INSERT_32,
    MUR_KERNEL_ERASE_32,
    MUR_KERNEL_INSERT_64,
    MUR_KERNEL_ERASE_64,
    MUR_KERNEL_SLICES_PREPARE,
    MUR_KERNEL_SLICES_SPLIT,
    MUR_KERNEL_SLICES_SPLIT_FINE,
    MUR_KERNEL_BUILD_SLICES,
    MUR_KERNEL_BUILD_SETTLE,
    MUR_KERNEL_BUILD_CARRY,
    MUR_KERNEL_BUILD_SCAN,
    MUR_KERNEL_BUILD_EXACT,
    MUR_KERNEL_SORT_PREPARE,
    MUR_KERNEL_SORT_SCAN,
    /* By bits of a key, and of a value if it is 64. */
    MUR_KERNEL_SORT_COUNT_32,
    MUR_KERNEL_SORT_COUNT_64,
    MUR_KERNEL_SORT_COUNT_MULTI,
    MUR_KERNEL_SORT_MOVE_32,
    MUR_KERNEL_SORT_MOVE_64,
    MUR_KERNEL_SORT_MOVE_MULTI,
    MUR_KERNEL_SORT_MOVE_64_64,
    MUR_KERNEL_UNSORT,
    MUR_KERNEL_INSERT_SLICES,
    MUR_KERNEL_SLICES_REST_32,
    MUR_KERNEL_SLICES_REST_64,
    MUR_KERNEL_REHASH_PREPARE,
    MUR_KERNEL_REHASH_SLICES,
    MUR_KERNEL_REHASH_TWICE,
    MUR_KERNEL_REHASH_DENSE,
    MUR_KERNEL_REHASH_FINISH,
    /* The same for K64V32. */
    MUR_KERNEL_REHASH_PREPARE_WIDE,
    MUR_KERNEL_REHASH_SLICES_WIDE,
    MUR_KERNEL_REHASH_TWICE_WIDE,
    MUR_KERNEL_REHASH_DENSE_WIDE,
    MUR_KERNEL_REHASH_FINISH_WIDE,
    MUR_KERNEL_REHASH_COPY,
    MUR_KERNEL_REHASH_DIRECT_32,
    MUR_KERNEL_REHASH_DIRECT_64,
    MUR_KERNEL_MULTI_FIND,
    MUR_KERNEL_MULTI_COUNT,
    MUR_KERNEL_MULTI_RETRIEVE_COUNT,
    MUR_KERNEL_MULTI_RETRIEVE_SCAN,
    MUR_KERNEL_MULTI_RETRIEVE_OFFSETS,
    MUR_KERNEL_MULTI_RETRIEVE_WRITE,
    MUR_KERNEL_MULTI_INSERT_EACH_32,
    MUR_KERNEL_MULTI_INSERT_EACH_64,
    MUR_KERNEL_MULTI_INSERT_32,
    MUR_KERNEL_MULTI_INSERT_64,
    MUR_KERNEL_MULTI_ERASE_32,
    MUR_KERNEL_MULTI_ERASE_64,
    MUR_KERNEL_MULTI_ERASE_KEYS_32,
    MUR_KERNEL_MULTI_ERASE_KEYS_64,
    /* Formats other than K32V32, each block in the order of MurVerb. */
    MUR_KERNEL_K64V32_32,
    MUR_KERNEL_K64V32_64 = MUR_KERNEL_K64V32_32 + MUR_VERB_COUNT,
    MUR_KERNEL_K32 = MUR_KERNEL_K64V32_64 + MUR_VERB_COUNT,
    MUR_KERNEL_K64 = MUR_KERNEL_K32 + MUR_VERB_COUNT,
    MUR_KERNEL_K64V64 = MUR_KERNEL_K64 + MUR_VERB_COUNT,
    MUR_KERNEL_COUNT = MUR_KERNEL_K64V64 + MUR_VERB_COUNT
} MurKernel;

/* The instance-level functions that the library calls. The last three are NULL unless the instance
 * has VK_EXT_debug_utils. */
typedef struct MurInstanceTable {
    PFN_vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceProperties2;
    PFN_vkGetPhysicalDeviceFeatures2 vkGetPhysicalDeviceFeatures2;
    PFN_vkGetPhysicalDeviceMemoryProperties vkGetPhysicalDeviceMemoryProperties;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties vkGetPhysicalDeviceQueueFamilyProperties;
    PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr;
    PFN_vkSetDebugUtilsObjectNameEXT vkSetDebugUtilsObjectNameEXT;
    PFN_vkCmdBeginDebugUtilsLabelEXT vkCmdBeginDebugUtilsLabelEXT;
    PFN_vkCmdEndDebugUtilsLabelEXT vkCmdEndDebugUtilsLabelEXT;
} MurInstanceTable;

typedef struct MurLogger {
    PFN_murLog pfnLog;
    void *pUserData;
} MurLogger;

/* The system's Vulkan loader, opened only when the engine gave no vkGetInstanceProcAddr. */
typedef struct MurLoader {
    void *library;
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
} MurLoader;

/* What limits a table or a grid on this device. */
typedef struct MurLimits {
    VkDeviceSize maxAllocation;
    uint32_t maxGroupsX;
    uint32_t maxGroupsY;
    uint32_t maxGroupSize; /* invocations */
    uint32_t sharedMemory; /* bytes that a workgroup can have */
    bool software;         /* the device is a CPU: shared memory is no faster than the rest */
} MurLimits;

/* How murCmdBuild goes about it. AUTO: what is expected to be the fastest. The others, for tests
 * and measurements, are taken whenever they are possible at all; else DIRECT serves. */
typedef enum MurBuildPath {
    MUR_BUILD_AUTO,
    MUR_BUILD_DIRECT,   /* clear and insert */
    MUR_BUILD_SLICED,   /* split by hash, slices built in shared memory */
    MUR_BUILD_EXACT     /* the same, after counting how far each slice reaches into the next */
} MurBuildPath;

/* How murCmdInsert goes about it, likewise. */
typedef enum MurInsertPath {
    MUR_INSERT_AUTO,
    MUR_INSERT_LOOK,     /* directly, looking at slots before claiming them */
    MUR_INSERT_HOME,     /* directly, trying to claim the home slot first */
    MUR_INSERT_SLICED /* split by hash, slices filled in shared memory */
} MurInsertPath;

/* Whether batches are sorted by home slot before direct commands. */
typedef enum MurSortPath {
    MUR_SORT_AUTO,
    MUR_SORT_NEVER,
    MUR_SORT_ALWAYS, /* if there is scratch memory; then no insert is sliced */
    MUR_SORT_FINE    /* the same, into as many bins as there can be */
} MurSortPath;

/* How murCmdRehash goes about it, as MurBuildPath. */
typedef enum MurRehashPath {
    MUR_REHASH_AUTO,
    MUR_REHASH_DIRECT, /* clear and insert */
    MUR_REHASH_STREAM  /* slices built in shared memory from runs of the source */
} MurRehashPath;

struct MurContext_T {
    MurLoader loader;
    MurInstanceTable vki;
    struct VolkDeviceTable vk;
    VkDevice device;
    MurFeatureFlags features;
    MurLimits limits;
    VkPhysicalDeviceMemoryProperties memory;
    bool hasAllocator;
    VkAllocationCallbacks allocator;
    VkPipelineCache cache;
    MurLogger logger;
    uint32_t deviceFamilies; /* how many queue families the device has */
    uint32_t familyCount;    /* of those that share the library's buffers; 0: exclusive */
    uint32_t *families;
    VkPipelineLayout layout;
    MurBuildPath buildPath; /* set by tests and measurements before they record; so is insertPath */
    MurInsertPath insertPath;
    MurSortPath sortPath;
    MurRehashPath rehashPath;
    /* VkPipeline by MurKernel; 0 until made. Whoever makes one says so first, under the lock, so
     * that none is made twice. */
    _Atomic uint64_t pipelines[MUR_KERNEL_COUNT];
    bool making[MUR_KERNEL_COUNT];
    MurLock lock;
};

struct MurTable_T {
    MurContext context;
    MurTableRef ref;
    MurBufferRange memory;
    VkDeviceMemory owned; /* VK_NULL_HANDLE: memory is the engine's */
    bool multi;           /* made by murCreateMultiTable */
};

/* A buffer of the library's own, with its memory to itself. */
typedef struct MurBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
} MurBuffer;

/* volk.c */
void mur_load_device_table(struct VolkDeviceTable *table, PFN_vkGetDeviceProcAddr getDeviceProcAddr,
                           VkDevice device);

/* loader.c */
bool mur_open_loader(MurLoader *loader, PFN_vkGetInstanceProcAddr given);
void mur_close_loader(MurLoader *loader);
bool mur_load_instance_table(const MurLoader *loader, VkInstance instance, MurInstanceTable *table);

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

/* device.c: lack: what the library needs and the device has not, or NULL. */
MurFeatureFlags mur_supported_features(const MurInstanceTable *vki, VkPhysicalDevice device,
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
    uint32_t count;
    MurKernel kernels[MUR_KERNEL_COUNT];
} MurKernelList;
/* What tables of this kind need, each kernel once. */
MurKernelList mur_list_kernels(MurContext context, uint32_t tableFlags);
void mur_add_kernels(MurKernelList *list, const MurKernel *kernels, size_t count);
/* Makes the pipelines that are not there; when it returns VK_SUCCESS all are. */
VkResult mur_prepare_list(MurContext context, const MurKernel *kernels, size_t count);
MurKernel mur_kernel(uint32_t tableFlags, MurVerb verb);
void mur_destroy_pipelines(MurContext context);

/* dispatch.c */
void mur_begin_label(MurContext context, VkCommandBuffer cmd, const char *name);
void mur_end_label(MurContext context, VkCommandBuffer cmd);
void mur_dispatch(MurContext context, VkCommandBuffer cmd, MurKernel kernel, const void *push,
                  uint32_t pushSize, uint64_t invocations);
void mur_dispatch_groups(MurContext context, VkCommandBuffer cmd, MurKernel kernel,
                         const void *push, uint32_t pushSize, uint64_t groups);
void mur_barrier(MurContext context, VkCommandBuffer cmd);
/* Invocations a workgroup of a kernel that mur_dispatch is for. */
uint32_t mur_group_size(MurKernel kernel);

/* table.c */
uint32_t mur_table_format(MurTable table);

/* batch.c: checks one array argument of a command that touches count elements, of 4 bytes or of
 * size bytes; of none, if the size is 0. */
VkResult mur_check_array(MurContext context, const char *command, const char *name, MurArray array,
                         uint32_t count, bool required);
VkResult mur_check_elements(MurContext context, const char *command, const char *name,
                            MurArray array, uint32_t size, uint32_t count, bool required);
VkResult mur_check_command(VkCommandBuffer cmd, MurTable table, const char *command);
/* All of a batch but its arrays of items; flags: those that the command knows. */
VkResult mur_check_batch(MurContext context, const char *command, const MurBatch *batch,
                         MurBatchFlags flags);
VkResult mur_check_mode(MurTable table, const char *command, MurInsertMode mode);
VkResult mur_check_insert(MurTable table, const char *command, MurInsertMode mode,
                          const MurBatch *batch);
MurBatchPush mur_batch_push(MurTable table, const MurBatch *batch, uint32_t mode);
/* Is the table small enough to stay in the cache of a large GPU? */
bool mur_is_cached(MurTable table);
/* A direct command or, if the batch lets it, a sorted one. */
void mur_record_batch(VkCommandBuffer cmd, MurTable table, MurKernel kernel, const char *command,
                      const MurBatch *batch, MurCommand kind, uint32_t mode);

/* spans.c: memory that a command is given by address; used: bytes of it that the command touches,
 * not more than its size. */
typedef struct MurSpan {
    const char *name;
    MurArray array;
    VkDeviceSize used;
    bool written;
} MurSpan;
/* Refuses one that ends beyond the last address, and two that overlap if one of them is written. */
VkResult mur_check_spans(MurContext context, const char *command, const MurSpan *spans,
                         size_t count);
MurSpan mur_table_span(MurTable table, const char *name, bool written);
MurSpan mur_word_span(VkDeviceAddress address, const char *name, bool written);
/* What a batch's command writes besides statuses, slots and scratch. */
typedef enum MurWrites {
    MUR_WRITES_TABLE = 1,
    MUR_WRITES_VALUES = 2,
    MUR_WRITES_BOTH = 3,
} MurWrites;
VkResult mur_check_batch_spans(MurTable table, const char *command, const MurBatch *batch,
                               uint32_t keySize, uint32_t valueSize, MurWrites writes);

/* insert.c */
VkDeviceSize mur_insert_scratch(MurTable table, uint32_t maxCount);
/* The direct command, or, if the batch lets it, the sorted one. */
void mur_record_insert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                       const MurBatch *batch);

/* partition.c: a batch split by hash. */
typedef struct MurBins {
    uint32_t slices;
    uint32_t fineBits;
    uint32_t coarseRoom;
    uint32_t sliceRoom;
    uint64_t tiles;       /* workgroups of the first step */
    uint64_t fineTiles;   /* of the second; 0: one step is enough */
    VkDeviceSize scratch; /* bytes */
} MurBins;
/* apart: the bins of the first step must not lie in the table's slots. */
MurBins mur_plan_bins(MurTable table, uint32_t maxCount, bool apart);
MurSlicesPush mur_bins_push(MurTable table, const MurBatch *batch, const MurBins *bins,
                           uint32_t flags);
/* Can this batch be inserted by way of bins that need this much scratch memory? */
bool mur_lets_partition(const MurBatch *batch, MurInsertMode mode, VkDeviceSize scratch);

/* insert_sliced.c: scratch bytes; 0: not worthwhile. */
VkDeviceSize mur_sliced_insert_scratch(MurTable table, uint32_t maxCount);
void mur_record_sliced_insert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                              const MurBatch *batch);

/* batch_sort.c: sorting a batch by home slot before a direct command, and its results back. The commands
 * are MUR_COMMAND_INSERT, _FIND, _ERASE and _MULTI_INSERT. */
void mur_add_sort(MurKernelList *list, uint32_t format);
void mur_add_multi_sort(MurKernelList *list);
/* Bytes of scratch that are enough for any batch; 0: not worthwhile. */
VkDeviceSize mur_sort_scratch(MurTable table, uint32_t maxCount, MurCommand command);
/* Shall this batch, with its scratch, be sorted? */
bool mur_lets_sort(MurTable table, const MurBatch *batch, MurCommand command);
/* Ends with a barrier. sorted: the batch for the direct command. */
void mur_record_sort(VkCommandBuffer cmd, MurTable table, const MurBatch *batch, MurCommand command,
                     MurBatch *sorted);
/* After the direct command. */
void mur_record_unsort(VkCommandBuffer cmd, MurTable table, const MurBatch *batch,
                       MurCommand command, const MurBatch *sorted);

/* whole.c */
void mur_record_clear(VkCommandBuffer cmd, MurTable table);

/* build.c: can this device run murCmdBuild's kernels for shared memory? */
bool mur_can_slice(MurContext context);


#endif
