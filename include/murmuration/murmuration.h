/* Murmuration: a GPU-resident hash table for Vulkan engines.
 *
 * The engine owns instance, device, queues, memory and submission. Murmuration records table
 * commands into the engine's command buffers. Any shader that includes murmuration.glsl looks up,
 * inserts and erases in the same table. The library never submits or waits, except in blocking.h,
 * maps no engine memory, creates no device, and has no global state, so contexts are independent.
 *
 * In five steps:
 *   1. murGetDeviceRequirements, murEnableDeviceFeatures   before vkCreateDevice
 *   2. murCreateContext                                    once per device
 *   3. murCreateTable                                      in your memory or the library's
 *   4. murCmdClear, murCmdInsert, murCmdFind, ...          with murCmdBarrier between them
 *   5. murGetTableRef                                      for your own shaders' push constants
 *
 * Keys and values are 32 bits wide unless the table's type defines other widths. Every key is
 * legal. Each table reserves one value, which means "absent".
 *
 * Errors. Functions return VK_SUCCESS, a Vulkan error unchanged, or a MUR_ERROR_* code. On error
 * the context's log callback receives the argument and the reason, unless the context or the table
 * is NULL. A failed function has recorded nothing and created nothing, except pipelines, which the
 * context keeps. Output parameters are then VK_NULL_HANDLE or unchanged, unless stated.
 *
 * Thread-safety. Contexts and tables are immutable after creation. Any number of threads may record
 * with them at the same time, each thread into its own command buffer: as in Vulkan, command
 * buffers are externally synchronized. Creation functions may run concurrently. No other thread may
 * use an object while it is destroyed. "Any thread": any number of threads, at the same time.
 *
 * Zero-initialised fields are valid unless their comment says "required". pNext must be NULL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_H
#define MURMURATION_H

#include <vulkan/vulkan_core.h>

#include <murmuration/layout.h> /* in shaders/: MurTableRef, MurStats, statuses, modes */
#include <murmuration/hash.h>

#ifdef __cplusplus
#define MUR_EXTERN extern "C"
#else
#define MUR_EXTERN
#endif

#if defined(MUR_SHARED) && defined(_WIN32) && defined(MUR_BUILDING)
#define MUR_API MUR_EXTERN __declspec(dllexport)
#elif defined(MUR_SHARED) && defined(_WIN32)
#define MUR_API MUR_EXTERN __declspec(dllimport)
#elif defined(__GNUC__)
#define MUR_API MUR_EXTERN __attribute__((visibility("default")))
#else
#define MUR_API MUR_EXTERN
#endif

VK_DEFINE_HANDLE(MurContext)
VK_DEFINE_HANDLE(MurTable)

/* ---- Results -------------------------------------------------------------------------------- */

/* Library codes lie outside Vulkan's ranges; Vulkan's own codes pass through unchanged. */
#define MUR_ERROR_INVALID_ARGUMENT MUR_CAST(VkResult, -2000000001) /* the log names the argument */
#define MUR_ERROR_TOO_LARGE        MUR_CAST(VkResult, -2000000002) /* see murGetTableRequirements */
#define MUR_ERROR_UNSUPPORTED      MUR_CAST(VkResult, -2000000003) /* the device lacks a feature */
#define MUR_ERROR_CORRUPT          MUR_CAST(VkResult, -2000000011) /* memory or file is damaged */
#define MUR_ERROR_VERSION          MUR_CAST(VkResult, -2000000012) /* unknown layout version */
#define MUR_ERROR_FILE             MUR_CAST(VkResult, -2000000013) /* errno has the reason */

/* Returns the name of a VkResult or library code, else "unknown VkResult". Any thread. */
MUR_API const char *murResultName(VkResult result);

/* Returns the name of a status: MUR_INSERTED is "inserted"; else "unknown status". Any thread. */
MUR_API const char *murStatusName(uint32_t status);

/* Returns the version of the linked library. Compare it with MUR_VERSION. Any thread. */
MUR_API uint32_t murGetVersion(void);

typedef enum MurLogSeverity {
    MUR_LOG_ERROR = 0, /* the reason why a function returned an error */
    MUR_LOG_INFO = 1   /* other events, for example a new pipeline */
} MurLogSeverity;

/* Logs a message: one line without a newline, valid during the call. Any thread that calls the
 * library may call this function. The function must not call the library. */
typedef void(VKAPI_PTR *PFN_murLog)(void *pUserData, MurLogSeverity severity, const char *message);

/* ---- Before the device ---------------------------------------------------------------------- */

/* Required: Vulkan 1.2, bufferDeviceAddress, compute workgroups of 256 invocations. */
typedef enum MurFeatureFlagBits {
    MUR_FEATURE_BUFFER_DEVICE_ADDRESS = 1, /* required */
    MUR_FEATURE_INT64_ATOMICS = 2 /* shaderInt64 and shaderBufferInt64Atomics: faster inserts */
} MurFeatureFlagBits;
typedef uint32_t MurFeatureFlags;

typedef struct MurDeviceRequirements {
    uint32_t apiVersion;      /* minimum Vulkan version of the instance and of the device */
    MurFeatureFlags required; /* features that the engine must enable */
    MurFeatureFlags optional; /* more features of the device; see MUR_ATOMIC_WIDTH_DEFAULT */
} MurDeviceRequirements;

/* Returns the requirements for the creation of a device. If getInstanceProcAddr is NULL, the
 * library opens the system's loader. Fails with MUR_ERROR_UNSUPPORTED, and sets *pRequirements, if
 * the device lacks a requirement, or if the instance's apiVersion is 1.0. Only murCreateContext
 * detects an apiVersion of 1.1. No log exists yet. Fails with VK_ERROR_INITIALIZATION_FAILED
 * without the loader or a function of Vulkan 1.1. Any thread. */
MUR_API VkResult murGetDeviceRequirements(VkInstance instance, VkPhysicalDevice physicalDevice,
                                          PFN_vkGetInstanceProcAddr getInstanceProcAddr,
                                          MurDeviceRequirements *pRequirements);

/* Enables features in the structs that the engine passes to vkCreateDevice: pFeatures and, on its
 * pNext chain, VkPhysicalDeviceVulkan12Features, or else
 * VkPhysicalDeviceBufferDeviceAddressFeatures and VkPhysicalDeviceShaderAtomicInt64Features.
 * Disables no feature. Fails with MUR_ERROR_INVALID_ARGUMENT, and changes nothing, if the chain
 * lacks a needed struct or a flag is unknown. Any thread, if no other thread uses the structs. */
MUR_API VkResult murEnableDeviceFeatures(MurFeatureFlags features,
                                         VkPhysicalDeviceFeatures2 *pFeatures);

/* Returns the features of a device that was created with these structs: the value of
 * MurContextCreateInfo.enabledFeatures. Returns 0 for NULL. Any thread. */
MUR_API MurFeatureFlags murGetEnabledFeatures(const VkPhysicalDeviceFeatures2 *pFeatures);

/* ---- Context -------------------------------------------------------------------------------- */

typedef struct MurContextCreateInfo {
    const void *pNext;
    /* Required; these handles must outlive the context. The engine still owns the device. */
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    /* If NULL, the library uses the system's Vulkan loader. */
    PFN_vkGetInstanceProcAddr getInstanceProcAddr;
    /* Required: the device's enabled features, including MUR_FEATURE_BUFFER_DEVICE_ADDRESS. */
    MurFeatureFlags enabledFeatures;
    /* Optional; must outlive the context. Several threads use the cache: create the cache without
     * VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT. */
    VkPipelineCache pipelineCache;
    /* Optional; copied. For the library's host memory, and for each vkCreate... and vkDestroy... */
    const VkAllocationCallbacks *pAllocator;
    /* Queue families of the device, each once, that share the buffers that the library allocates.
     * With fewer than two families, buffers have exclusive sharing. The array is copied. */
    uint32_t queueFamilyIndexCount;
    const uint32_t *pQueueFamilyIndices;
    PFN_murLog pfnLog; /* optional */
    void *pLogUserData;
} MurContextCreateInfo;

/* Creates a context and the pipeline layout. Fails with MUR_ERROR_UNSUPPORTED if the device or
 * enabledFeatures lacks a requirement, if the device lacks one of enabledFeatures, or if the
 * instance's apiVersion is below 1.2. Fails with VK_ERROR_INITIALIZATION_FAILED if the loader or a
 * function is missing. With VK_EXT_debug_utils, names objects and labels commands. */
MUR_API VkResult murCreateContext(const MurContextCreateInfo *pCreateInfo, MurContext *pContext);

/* Destroys a context. Destroy the context's tables before (not checked). Ignores NULL. */
MUR_API void murDestroyContext(MurContext context);

/* ---- Tables --------------------------------------------------------------------------------- */

/* The value that means "absent": the identity of min, or of add, max and or. Therefore an insert by
 * one of these modes is one native atomic, safe concurrently with erases. An item that inserts the
 * empty value is rejected; other items are not affected. */
typedef enum MurEmptyValue {
    MUR_EMPTY_VALUE_MAX = 0, /* 0xFFFFFFFF; modes insert, assign, update, min */
    MUR_EMPTY_VALUE_ZERO = 1 /* 0; insert, assign, update, add, max, or; a sum of 0 is "absent" */
} MurEmptyValue;

/* A table maps keys of 32 or 64 bits to values of 32 or 64 bits, or is a set without values.
 * Command names are the same for all types.
 *
 *   murType...     slot bytes    atomics    modes          values  sentinel slots
 *   K32V32, NULL   8             32 or 64   all           32 bits 1
 *   K64V32         16            32 or 64   all           32 bits 1, unused
 *   K64V64         16            64         all           64 bits 1
 *   K32            4             32         insert, assign none  2
 *   K64            8             64 (a)     insert, assign none  2
 *   Buckets...     caches: see buckets.h
 *   Multi...       many values per key: see multi.h
 *   Rows           rows of many words as keys: see rows.h
 *
 *   Sentinel slots are in the header, for keys whose hash equals the mark of a free or erased slot.
 *   The types in the first five lines support the commands clear, insert, find, erase, extract,
 *   erase where, stats, rehash, merge, compact and build at every atomic width. Builds of K32V32
 *   have fast paths; other builds clear and insert. Types with values also support the shader calls
 *   mur_slot_exchange and mur_slot_compare_exchange.
 *
 * Arrays of 64-bit keys and values are pairs of 32-bit words, low first, at multiples of 8 bytes.
 * 64-bit empty values have all bits set, or none. Sets accept no arrays of values and ignore
 * emptyValue; insert and assign are equivalent. A key that is erased from a set and inserted again
 * gets a new slot; the old slot stays unused until a clear, build or compact. In tables with
 * values such a key gets its old slot.
 *
 * (a) In buckets (buckets.h) 32 or 64; with 32, only inserts are slower. A shader that looks up
 * keys of K64V64, or of K64 with 64-bit atomics, while other work writes the table must define
 * MUR_INT64_ATOMICS: else a find may return a torn value, or find a key that is absent.
 *
 * A program links only the kernels of types that it names. host.h has types without kernels. */
typedef const struct MurType_T *MurType;
MUR_API MurType murTypeK32V32(void);
MUR_API MurType murTypeK64V32(void);
MUR_API MurType murTypeK64V64(void);
MUR_API MurType murTypeK32(void);
MUR_API MurType murTypeK64(void);

typedef enum MurAtomicWidth {
    /* The type's only width. If it has two: 64 if the context has MUR_FEATURE_INT64_ATOMICS, else
     * 32. With 64, writes of shaders without MUR_INT64_ATOMICS report MUR_UNSUPPORTED. */
    MUR_ATOMIC_WIDTH_DEFAULT = 0,
    MUR_ATOMIC_WIDTH_32 = 32, /* every shader can write the table; an exception: calls.md */
    MUR_ATOMIC_WIDTH_64 = 64  /* shaders that write the table define MUR_INT64_ATOMICS */
} MurAtomicWidth;

/* Part of a buffer. offset and size in bytes. */
typedef struct MurBufferRange {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
} MurBufferRange;

/* Return optional kernel sets, for MurTableCreateInfo.kernels: kernels in addition to those of the
 * table's type. A program links only the sets that it names. Kernel sets change no result. Without
 * a set a command uses a slower path, or fails with an error that names the set. Creation of a
 * table fails if a set's commands do not support the table. Any thread. */
typedef const struct MurKernels_T *MurKernels;
MUR_API MurKernels murKernelsLargeBatches(void); /* fast paths that need MurBatch.scratch */
MUR_API MurKernels murKernelsBuild(void);  /* fast paths of murCmdBuild; need MurBatch.scratch */
MUR_API MurKernels murKernelsRehash(void); /* destinations of rehash and merge; murCmdCompact */
#define MUR_MAX_KERNELS 4

typedef struct MurTableCreateInfo {
    const void *pNext;
    /* NULL means murTypeK32V32(), 32-bit keys and values. */
    MurType type;
    /* Required: number of keys, 1 ... MUR_MAX_CAPACITY. If probeLimit is at least capacity, that
     * many keys always fit; more may fit (murGetMaxEntries). With the default limit the last few
     * keys may not fit (never observed up to a load of 0.96). Speed falls above a load of 0.8:
     * choose 1.25 times your keys. Erased keys count until a clear, build or compact. */
    uint64_t capacity;
    /* Seed of the hash, XORed into the key. Use all 32 bits: with all small seeds, a long
     * range of sequential keys has nearly the same hashes. A secret seed resists chosen keys. */
    uint32_t seed;
    MurEmptyValue emptyValue;
    MurAtomicWidth atomicWidth;
    uint32_t flags; /* MUR_TABLE_AGES: buckets.h; MUR_ROWS(words, stride): rows.h; or 0 */
    /* Minimum number of slots, rounded up to 32-byte sectors, that a probe examines before an
     * insert reports MUR_FULL and a find "absent". Values above slotCount mean slotCount. 0 means
     * 16384: no lookup triggers a GPU watchdog. Probes are that long only above a load of 0.96. */
    uint64_t probeLimit;
    /* Engine memory that meets murGetTableRequirements. size: at least that size, or VK_WHOLE_SIZE.
     * If all members are zero, the library allocates memory and frees it with the table. */
    MurBufferRange memory;
    /* Optional kernel sets; the list ends at the first NULL. Example: {murKernelsBuild()}. */
    MurKernels kernels[MUR_MAX_KERNELS];
    const char *pName; /* optional, for debuggers; copied */
} MurTableCreateInfo;

typedef struct MurTableRequirements {
    VkDeviceSize size; /* 256 + slotCount * slot bytes of the type; in buckets see buckets.h */
    /* Alignment of the offset, in bytes; a power of two. The address must be a multiple of 32. */
    VkDeviceSize alignment;
    /* Minimum usage. The buffer's memory needs VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT. */
    VkBufferUsageFlags usage;
    /* Recommended: device-local. Tables about as large as the L2 cache can be twice as fast in a
     * dedicated allocation. */
    VkMemoryPropertyFlags memoryProperties;
    /* Capacity plus padding. Arrays that are indexed by slot need murGetMaxEntries(table) elements:
     * slotCount + 1 for the sentinel slot; in sets + 2, in row tables + 0. */
    uint32_t slotCount;
} MurTableRequirements;

/* Returns a table's memory requirements. Ignores memory, kernels and pName. Any thread. Fails with
 * MUR_ERROR_TOO_LARGE above MUR_MAX_CAPACITY (in buckets 2^29) or the largest device-local heap. If
 * a table exceeds other limits, murCreateTable returns Vulkan's error. */
MUR_API VkResult murGetTableRequirements(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                         MurTableRequirements *pRequirements);

/* Creates the pipelines for tables of this description before murCreateTable does, for loading
 * screens and worker threads. Ignores memory and pName. Any thread. Concurrent calls share the
 * work, and each call returns when all pipelines exist. On errors the context keeps the created
 * pipelines, and the next call creates the rest. */
MUR_API VkResult murPreparePipelines(MurContext context, const MurTableCreateInfo *pCreateInfo);

/* murGetPipelineCount returns the number of pipelines that such tables need, 0 on errors.
 * murPreparePipeline creates one of them, by index, unless the pipeline exists. If another thread
 * is creating the pipeline, the call waits. For job systems and progress bars. Any thread. */
MUR_API uint32_t murGetPipelineCount(MurContext context, const MurTableCreateInfo *pCreateInfo);
MUR_API VkResult murPreparePipeline(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                    uint32_t index);

/* Creates a table and its missing pipelines. The context keeps the pipelines even if the creation
 * fails. The contents are undefined until a clear, build or rehash into it has executed. Errors:
 * Vulkan's, MUR_ERROR_INVALID_ARGUMENT (memory too small or misaligned), MUR_ERROR_TOO_LARGE, and
 * MUR_ERROR_UNSUPPORTED (64-bit atomics without MUR_FEATURE_INT64_ATOMICS). */
MUR_API VkResult murCreateTable(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                MurTable *pTable);

/* Destroys a table. GPU work that uses the table must have finished: the library never waits. Frees
 * the memory that the library allocated, and not the engine's memory. Ignores NULL. */
MUR_API void murDestroyTable(MurTable table);

/* Returns the table reference for shaders: 32 bytes for push constants or any buffer. If the shader
 * has an array of bound tables, set .index. Alignment in blocks: 8 bytes in push constants and
 * std430, 16 in std140. Valid as long as the table. Returns all zero for NULL. Any thread. */
MUR_API MurTableRef murGetTableRef(MurTable table);

/* Returns the maximum number of entries, which is more than the capacity. Lists of entries, and
 * arrays indexed by slot, need this number of elements. Returns 0 for NULL. Any thread. */
MUR_API uint32_t murGetMaxEntries(MurTable table);

/* Returns the table's memory for descriptors, copies and debugging, whether the library or the
 * engine allocated it. All zero for NULL. Any thread. */
MUR_API MurBufferRange murGetTableMemory(MurTable table);

/* ---- Commands ------------------------------------------------------------------------------- */

/* All commands:
 *   Queue    requires compute; outside a render pass. The engine transfers exclusive buffers
 *            between queue families, the library does not: release from MUR_EXIT_*, acquire to
 *            MUR_ENTRY_*.
 *   Work     Commands run compute shaders only. The constants below define entry and exit stages
 *            and accesses. Before a command, make earlier writes to the table and the arrays
 *            visible to MUR_ENTRY_*. After it, make MUR_EXIT_* available to later work. The
 *            library records no barrier before or after a command, so that independent commands
 *            overlap. It records the barriers between the dispatches of a command. VkMemoryBarrier2
 *            and similar structs accept the constants without a cast: the bits are the same.
 *   State    A command overwrites only the compute pipeline binding and compute push constants:
 *            bind your pipeline and push all of your constants again. Descriptor sets stay bound.
 *   Cost     Recording allocates no memory, on the host or the device.
 *   Errors   MUR_ERROR_INVALID_ARGUMENT, with nothing recorded. The caller is responsible for the
 *            device memory at an address; only the given sizes are checked.
 *
 * Concurrency contract. The table below states the result of two operations on the same key that
 * run at the same time: in one dispatch or without a barrier between them, bulk or in shaders. A
 * command may run at the same time as the operations in its line "Concurrent"; "any operation"
 * means each one in the table below. Operations on different keys affect each other only
 * when they claim the last free slots. murCmdEraseWhere counts as an erase of each key that it
 * erases, mur_slot_compare_exchange as a slot_exchange if it exchanges, else as a find.
 *
 *                 find      insert    assign    add/min/..  update    erase     slot_exchange
 *   find          -         complete  complete  complete    complete  complete  complete
 *   insert                  one       one       one         one       either    either
 *   assign                            one       one         one       either    either
 *   add/min/max/or                              exact       one       either    either
 *   update                                                  one       either    either
 *   erase                                                             one       either
 *   slot_exchange                                                               either
 *
 *   complete  A find returns "absent" or a complete value that the key had: the value is never torn
 *             and never belongs to another key.
 *   one       The key has at most one slot. If it was absent, exactly one insert reports
 *             MUR_INSERTED; an update never does. If it was present, exactly one erase reports
 *             MUR_ERASED. The value is from one operation. MUR_MODE_INSERT never replaces a value.
 *   exact     As "one", and the value is the exact result of all operations.
 *   either    The operations take effect in one order, which is the same for all observers. After
 *             an erase, an insert reports MUR_INSERTED, an update MUR_ABSENT; an operation before
 *             the erase leaves nothing. The number of reported inserts of a key minus the number of
 *             its reported erases is always 0 or 1. A sum is exact since the last erase.
 *
 * Bulk finds, and finds in shaders with MUR_READ_ONLY or MUR_NONCOHERENT_LOOKUPS, may miss
 * concurrent writes. Others observe earlier writes. Relaxed atomics order no other memory. */
#define MUR_ENTRY_STAGES MUR_CAST(VkPipelineStageFlags, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
#define MUR_ENTRY_ACCESS \
    MUR_CAST(VkAccessFlags, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT)
#define MUR_EXIT_STAGES MUR_CAST(VkPipelineStageFlags, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
#define MUR_EXIT_ACCESS MUR_CAST(VkAccessFlags, VK_ACCESS_SHADER_WRITE_BIT)

/* Required usage of buffers whose addresses commands use: arrays, counts, scratch, statistics. */
#define MUR_ARRAY_USAGE          \
    MUR_CAST(VkBufferUsageFlags, \
             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

/* An array on the GPU: 32-bit elements at a multiple of 4 bytes, or, if the table's keys or values
 * are 64 bits wide, pairs of words at a multiple of 8. The command accesses at most size bytes.
 * Address 0 means no array. A command rejects arrays that it writes if they overlap other arrays or
 * the table's memory. */
typedef struct MurArray {
    VkDeviceAddress address;
    VkDeviceSize size;
} MurArray;

/* Guarantees of the caller that make a batch faster. */
typedef enum MurBatchFlagBits {
    /* No other work accesses the table during the command, so the command may leave the table
     * temporarily inconsistent. Other accesses make the table's contents undefined. */
    MUR_BATCH_EXCLUSIVE = 1
} MurBatchFlagBits;
typedef uint32_t MurBatchFlags;

/* A batch of operations, one per item, which run at the same time, in no particular order. */
typedef struct MurBatch {
    const void *pNext;
    /* Maximum number of items, and minimum length of given arrays. If it is 0, murCmdBuild clears
     * the table, and other commands record nothing. */
    uint32_t maxCount;
    /* Optional: address, a multiple of 4, of a 32-bit item count on the GPU. The command reads it
     * during execution and clamps it to maxCount. Address 0 means maxCount items. */
    VkDeviceAddress countAddress;
    /* Required; read: the key of each item. */
    MurArray keys;
    /* Sets: not allowed. Insert: required, read. Find: optional, written with each key's value, or
     * the empty value. Erase: optional, written with the erased value, or the empty value. */
    MurArray values;
    /* Optional; written: the status of each item, MUR_FOUND, MUR_INSERTED, ... */
    MurArray statuses;
    /* Optional; written: each key's slot index, or MUR_NO_SLOT. */
    MurArray slots;
    /* Optional, for inserts and builds of tables with values. Written: the value before an item, or
     * the empty value if the key was absent or the item failed. Items of one key are processed one
     * by one in any order; each item reports the value that the item before it left. */
    MurArray oldValues;
    /* Optional; written: bit i % 32 of word i / 32 is 1 if the status of item i is MUR_FOUND,
     * MUR_INSERTED (for updates MUR_EXISTED) or MUR_ERASED. maxCount / 32 words, rounded up. The
     * command writes each word that has an item. Bits of such a word without an item become 0. */
    MurArray statusBits;
    /* Optional: memory that the command uses during execution, at a multiple of 16 bytes. It
     * changes no result and no rule for concurrent operations. Commands that share scratch memory,
     * also finds, need murCmdBarrier between them. Its contents before and after the command have
     * no meaning. */
    MurArray scratch;
    MurBatchFlags flags;
} MurBatch;

/* The effect of an insert on a key's value: MUR_MODE_INSERT, _ASSIGN; in tables with values
 * _UPDATE; with MUR_EMPTY_VALUE_MAX also _MIN, with MUR_EMPTY_VALUE_ZERO also _ADD, _MAX, _OR. */
typedef uint32_t MurInsertMode;

/* Each command below states:
 *   Results     the outputs.
 *   Concurrent  operations that may run at the same time, by the concurrency contract above.
 *   Scratch     the kernel set with which MurBatch.scratch can make the command faster.
 *   Dispatches  the number of recorded dispatches, with barriers between them.
 * All commands overwrite the state named above, enter at MUR_ENTRY_* and leave at MUR_EXIT_*. */

/* Empties the table and resets its state, as a new table requires (murCreateTable).
 *
 *   Concurrent  nothing. After reads of the table an execution dependency is sufficient; writes
 *               require a memory barrier, such as murCmdBarrier.
 *   Dispatches  one. */
MUR_API VkResult murCmdClear(VkCommandBuffer cmd, MurTable table);

/* Inserts pairs by mode. A duplicate key in the batch is inserted once, and the values of its items
 * may be merged (by the mode) before they reach the table.
 *
 *   Results     statuses: MUR_INSERTED, MUR_EXISTED, MUR_FULL, MUR_INVALID_VALUE. The table counts
 *               the last two (murCmdStats). Updates claim no slot and report MUR_EXISTED,
 *               MUR_ABSENT, MUR_INVALID_VALUE or MUR_CONTENDED. slots: each key's slot.
 *   Concurrent  any operation; with MUR_BATCH_EXCLUSIVE nothing.
 *   Scratch     murKernelsLargeBatches(). Fastest with MUR_BATCH_EXCLUSIVE, modes insert and
 *               assign, and no arrays of results.
 *   Dispatches  one without scratch memory, at most nine with it. */
MUR_API VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                              const MurBatch *pBatch);

/* Replaces the table's content by the pairs of a batch, like murCmdClear and murCmdInsert in one
 * command. This is the fastest way to fill a table. maxCount 0 clears. Rejects MUR_MODE_UPDATE.
 *
 *   Results     as for clear and insert: duplicate keys are stored once, by the mode, and counters
 *               and state are reset. The slots, and the pairs that do not fit, may differ. The
 *               table may be sorted by hash afterwards (MUR_STATE_ORDERED): bulk finds, and finds
 *               in shaders with MUR_READ_ONLY, are then faster until the first new key.
 *   Concurrent  nothing.
 *   Scratch     murKernelsBuild() for modes insert and assign without arrays of results,
 *               murKernelsLargeBatches() for other builds.
 *   Dispatches  two without scratch memory, at most ten with it. */
MUR_API VkResult murCmdBuild(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                             const MurBatch *pBatch);

/* Looks keys up. At least one of values, statuses, slots and statusBits is required.
 *
 *   Results     values; statuses: MUR_FOUND, MUR_ABSENT; slots.
 *   Concurrent  any operation.
 *   Scratch     murKernelsLargeBatches().
 *   Dispatches  one without scratch memory, at most nine with it. */
MUR_API VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Erases keys. Until the table is cleared, built or compacted, only the same key can use the slot
 * of an erased key again; in a set no key can.
 *
 *   Results     statuses: MUR_ERASED, MUR_ABSENT; the erased values; slots.
 *   Concurrent  any operation; with MUR_BATCH_EXCLUSIVE nothing.
 *   Scratch     murKernelsLargeBatches().
 *   Dispatches  one without scratch memory, at most nine with it. */
MUR_API VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

typedef enum MurCommand {
    MUR_COMMAND_INSERT = 0,
    MUR_COMMAND_BUILD = 1,
    MUR_COMMAND_FIND = 2,
    MUR_COMMAND_ERASE = 3,
    MUR_COMMAND_COMPACT = 4,
    MUR_COMMAND_GROUP = 5,
    MUR_COMMAND_MULTI_RETRIEVE = 6
} MurCommand;

/* Returns the size of a command's scratch memory in bytes. Compact, group and retrieve require it.
 * Other commands are fastest with it, except inserts of many duplicate keys; with less memory they
 * use another path. Compact needs about 1.03 times the table's size and ignores pBatch. Otherwise
 * the size depends on maxCount, flags and which arrays of the batch are not 0, for inserts and
 * builds also on mode. Returns 0 for NULL, for groups also above MUR_MAX_GROUPED. Any thread. */
MUR_API VkDeviceSize murGetScratchSize(MurTable table, MurCommand command, MurInsertMode mode,
                                       const MurBatch *pBatch);

/* Compares an unsigned word of an entry: (word & mask) compare reference. If all members are zero,
 * the predicate is always true. Sets have no value word, 32-bit keys no high word. The value word
 * of a 64-bit value is its low word. */
typedef struct MurPredicate {
    uint32_t word;    /* MUR_PREDICATE_VALUE (0), _KEY_LOW, _KEY_HIGH */
    uint32_t compare; /* MUR_COMPARE_* */
    uint32_t mask;    /* 0 means all bits */
    uint32_t reference;
} MurPredicate;

typedef struct MurExtract {
    const void *pNext;
    /* Length of each array; murGetMaxEntries() is always enough. 0: the command only counts. */
    uint32_t maxCount;
    /* Required: address, a multiple of 4, of a 32-bit word. Written: the number of entries that
     * satisfy all predicates, even if the number is above maxCount. */
    VkDeviceAddress countAddress;
    /* Optional; written: the first maxCount entries, in no particular order. */
    MurArray keys;
    MurArray values;
    MurArray slots;
    MurPredicate predicates[MUR_MAX_PREDICATES];
} MurExtract;

/* Writes the table's entries, or only those that satisfy all predicates, as a dense list.
 *
 *   Concurrent  finds.
 *   Dispatches  two. */
MUR_API VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract);

/* Scans the table, erases the entries that satisfy all predicates, and writes them as murCmdExtract
 * does: a list of the payload to free.
 *
 *   Results     each erased entry once, with its value. Entries beyond maxCount are also erased and
 *               counted.
 *   Concurrent  any operation. An entry that satisfies the predicates all the time is erased. A key
 *               that is inserted during the command may be erased.
 *   Dispatches  two. */
MUR_API VkResult murCmdEraseWhere(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract);

/* Scans the table and writes a MurStats. stats: at least sizeof(MurStats) bytes, at a multiple of
 * 4. Record a barrier from MUR_EXIT_* to host reads; read a frame later to avoid a stall.
 *
 *   Concurrent  finds.
 *   Dispatches  two. */
MUR_API VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats);

/* Optional outputs of the commands that move a table's entries. */
typedef struct MurRehash {
    const void *pNext;
    /* Written: the new slot of each slot's entry, or MUR_NO_SLOT if the slot had no entry or the
     * entry did not fit. Indices are the slots of the source: murGetMaxEntries(source) elements.
     * Move payload arrays that are indexed by slot by this map. */
    MurArray slotMap;
    MurArray result; /* written: a MurRehashResult */
    /* Required by murCmdCompact, and used only by it: memory during execution, of murGetScratchSize
     * bytes, at a multiple of 32 bytes. */
    MurArray scratch;
} MurRehash;

/* Replaces the destination's content by the source's entries. Capacity (larger, equal or smaller),
 * seed and atomic width may differ; type (apart from buckets) and empty value must be the same.
 * The destination requires murKernelsRehash(). pRehash may be NULL.
 *
 *   Results     slots of erased keys are not copied, and the failure counters are reset. Entries
 *               that do not fit are counted in the destination and in the result; the set of these
 *               entries may differ between runs. The source is only read: keep it until no entry is
 *               missing. The destination may be sorted by hash afterwards (MUR_STATE_ORDERED).
 *   Concurrent  on the destination nothing; on the source reads.
 *   Dispatches  at most five. */
MUR_API VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                              const MurRehash *pRehash);

/* Inserts the source's entries into the destination, by mode; otherwise like murCmdRehash. Clear a
 * new destination before. With MUR_MODE_UPDATE, an entry whose key is absent in the destination has
 * not failed: it gets no slot, and no counter includes it.
 *
 *   Concurrent  on the destination any operation; on the source reads.
 *   Dispatches  at most two. */
MUR_API VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination,
                             MurInsertMode mode, const MurRehash *pRehash);

/* Cleans a table in place: the slots of erased keys become free again. The table requires
 * murKernelsRehash(). pRehash is required. If the reference may change, murCmdRehash into memory of
 * the same size needs half the work.
 *
 *   Results     entries may move; the table's memory and reference stay. If an entry would not fit
 *               (more keys in one cluster than the probe limit), no entry moves, the result counts
 *               the entry, and the slot map is invalid. Else the table may be sorted by hash.
 *   Concurrent  nothing.
 *   Dispatches  at most six. */
MUR_API VkResult murCmdCompact(VkCommandBuffer cmd, MurTable table, const MurRehash *pRehash);

/* Records a global memory barrier from MUR_EXIT_* to MUR_ENTRY_*, between two commands, or between
 * a command and your own compute shader, in either order. The barrier covers all tables, arrays and
 * buffers that compute shaders access. table: any table of the device. */
MUR_API VkResult murCmdBarrier(VkCommandBuffer cmd, MurTable table);
#endif
