/* Murmuration: a GPU-resident hash table for Vulkan engines.
 *
 * The engine owns instance, device, queues, memory and submission. This library records table
 * commands into the engine's command buffers; shaders/murmuration.glsl lets any other shader look
 * up, insert and erase in the same table. The library never submits, waits, maps engine memory or
 * creates a device, and has no global state: any number of contexts on any number of devices.
 *
 * In five steps:
 *   1. murGetDeviceRequirements, murEnableDeviceFeatures   before vkCreateDevice
 *   2. murCreateContext                                    once a device
 *   3. murCreateTable                                      memory: yours or the library's
 *   4. murCmdClear, murCmdInsert, murCmdFind, ...          in your command buffer, barriers between
 *   5. murGetTableRef                                      for your own shaders' push constants
 *
 * Keys and values are 32 bits wide unless a table's format says otherwise. Every key is legal. One
 * value a table is reserved for "absent".
 *
 * Errors. Functions return VK_SUCCESS, a Vulkan error that passed through, or a MUR_ERROR_* code;
 * the context's log callback then says which argument and why (unless the context or the table is
 * what is NULL). On error nothing was recorded, created or left allocated, and output parameters
 * are VK_NULL_HANDLE or untouched.
 *
 * Thread-safety. Contexts and tables are immutable after creation: any thread may record with them
 * at the same time, each into its own command buffer (which, as in Vulkan, is externally
 * synchronized). Creation functions may run concurrently. Destroying needs the object alone.
 *
 * Zero-initialised structs are valid where no comment says "required". pNext must be NULL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_H
#define MURMURATION_H

#include <vulkan/vulkan_core.h>

#include <murmuration/layout.h>
#include <murmuration/hash.h>

#if defined(MUR_SHARED) && defined(_WIN32) && defined(MUR_BUILDING)
#define MUR_API __declspec(dllexport)
#elif defined(MUR_SHARED) && defined(_WIN32)
#define MUR_API __declspec(dllimport)
#elif defined(__GNUC__)
#define MUR_API __attribute__((visibility("default")))
#else
#define MUR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(MurContext)
VK_DEFINE_HANDLE(MurTable)

/* ---- Results -------------------------------------------------------------------------------- */

/* Library codes lie outside Vulkan's ranges; Vulkan's own codes pass through unchanged. */
#define MUR_ERROR_INVALID_ARGUMENT MUR_CAST(VkResult, -2000000001) /* the log says which and why */
#define MUR_ERROR_TOO_LARGE        MUR_CAST(VkResult, -2000000002) /* see murGetTableRequirements */
#define MUR_ERROR_UNSUPPORTED      MUR_CAST(VkResult, -2000000003) /* a feature this device lacks */
#define MUR_ERROR_BAD_IMAGE        MUR_CAST(VkResult, -2000000011) /* no table, or a damaged one */
#define MUR_ERROR_BAD_VERSION      MUR_CAST(VkResult, -2000000012) /* of a version unknown here */
#define MUR_ERROR_FILE             MUR_CAST(VkResult, -2000000013) /* errno says why */

/* Name of a VkResult, library codes included: "VK_SUCCESS", "MUR_ERROR_TOO_LARGE", ...; "unknown
 * VkResult". Never NULL. Any thread. */
MUR_API const char *murResultName(VkResult result);

/* Name of a per-item status (MUR_INSERTED, ...) without its prefix: "inserted"; "unknown status".
 * Never NULL. Any thread. */
MUR_API const char *murStatusName(uint32_t status);

/* Version of the library that is linked, comparable with MUR_VERSION of this header. Any thread. */
MUR_API uint32_t murGetVersion(void);

typedef enum MurLogSeverity {
    MUR_LOG_ERROR = 0, /* why a function returned an error */
    MUR_LOG_INFO = 1   /* a pipeline was made, and the like */
} MurLogSeverity;

/* message: one line without a newline, valid during the call. May be called from any thread that
 * calls the library, and must not call it back. */
typedef void(VKAPI_PTR *PFN_murLog)(void *pUserData, MurLogSeverity severity, const char *message);

/* ---- Before the device ---------------------------------------------------------------------- */

/* Required: Vulkan 1.2, bufferDeviceAddress, compute workgroups of 256 invocations. */
typedef enum MurFeatureFlagBits {
    MUR_FEATURE_BUFFER_DEVICE_ADDRESS = 1, /* required */
    MUR_FEATURE_INT64_ATOMICS = 2 /* shaderInt64 and shaderBufferInt64Atomics: faster inserts */
} MurFeatureFlagBits;
typedef uint32_t MurFeatureFlags;

typedef struct MurDeviceRequirements {
    uint32_t apiVersion;      /* the instance and the device must be at least this */
    MurFeatureFlags required; /* enable these */
    MurFeatureFlags optional; /* this device has these as well: enable them if you can */
} MurDeviceRequirements;

/* What a device must be created with. getInstanceProcAddr NULL: the system's Vulkan loader.
 * MUR_ERROR_UNSUPPORTED: this device or its instance lacks a part of *pRequirements, which is set.
 * VK_ERROR_INITIALIZATION_FAILED: no loader, or no function of Vulkan 1.1. Any thread. */
MUR_API VkResult murGetDeviceRequirements(VkInstance instance, VkPhysicalDevice physicalDevice,
                                          PFN_vkGetInstanceProcAddr getInstanceProcAddr,
                                          MurDeviceRequirements *pRequirements);

/* Switches features on in the structs that the engine passes to vkCreateDevice: pFeatures and, on
 * its pNext chain, VkPhysicalDeviceVulkan12Features, or else
 * VkPhysicalDeviceBufferDeviceAddressFeatures and VkPhysicalDeviceShaderAtomicInt64Features.
 * Nothing is switched off. MUR_ERROR_INVALID_ARGUMENT, and nothing changed, if the chain lacks a
 * struct that is needed, or a flag is unknown. Any thread, for structs that no other one uses. */
MUR_API VkResult murEnableDeviceFeatures(MurFeatureFlags features,
                                         VkPhysicalDeviceFeatures2 *pFeatures);

/* Returns the features of a device that was created with these structs: the value of
 * MurContextCreateInfo.enabledFeatures. 0 for NULL. Any thread. */
MUR_API MurFeatureFlags murGetEnabledFeatures(const VkPhysicalDeviceFeatures2 *pFeatures);

/* ---- Context -------------------------------------------------------------------------------- */

/* The code of tables of a format, linked if MurContextCreateInfo.formats has it. Any thread. */
typedef const struct MurFamily *MurFormatCode;
MUR_API MurFormatCode murFormatK64V32(void);
MUR_API MurFormatCode murFormatK64V64(void);
MUR_API MurFormatCode murFormatK32(void);
MUR_API MurFormatCode murFormatK64(void);
#define MUR_MAX_FORMATS 10

typedef struct MurContextCreateInfo {
    const void *pNext;
    /* Required; they outlive the context. The device is the engine's and stays so. */
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    /* NULL: the system's Vulkan loader. */
    PFN_vkGetInstanceProcAddr getInstanceProcAddr;
    /* Required: the device's enabled features, MUR_FEATURE_BUFFER_DEVICE_ADDRESS among them. */
    MurFeatureFlags enabledFeatures;
    /* Optional; outlives the context. Not externally synchronized: any thread may use it. */
    VkPipelineCache pipelineCache;
    /* Formats of the tables that will be made, {murFormatK64V32(), ...}, up to the first NULL.
     * K32V32, multi tables and paged ones need none; tables in buckets theirs (buckets.h). */
    MurFormatCode formats[MUR_MAX_FORMATS];
    /* Optional; copied. For host memory here, and passed to every vkCreate... and vkDestroy... */
    const VkAllocationCallbacks *pAllocator;
    /* Families of the device, each once, that share the buffers which the library allocates; fewer
     * than two: exclusive sharing. Copied. */
    uint32_t queueFamilyIndexCount;
    const uint32_t *pQueueFamilyIndices;
    /* Optional. */
    PFN_murLog pfnLog;
    void *pLogUserData;
} MurContextCreateInfo;

/* Loads the device's functions and makes the pipeline layout. MUR_ERROR_UNSUPPORTED: the device or
 * enabledFeatures lacks what is required, the device lacks one of enabledFeatures, or the
 * instance's apiVersion is below 1.2; VK_ERROR_INITIALIZATION_FAILED: no loader, or a function is
 * missing. Names objects and labels commands if the instance has VK_EXT_debug_utils enabled. */
MUR_API VkResult murCreateContext(const MurContextCreateInfo *pCreateInfo, MurContext *pContext);

/* Its tables must be destroyed, and GPU work recorded with them finished. NULL: no effect. */
MUR_API void murDestroyContext(MurContext context);

/* ---- Tables --------------------------------------------------------------------------------- */

/* The value that means "absent". It is the identity of the modes that the table offers, which is
 * what makes each mode one native atomic, safe beside erase. Inserting it is refused, item by
 * item. */
typedef enum MurReservedValue {
    MUR_RESERVED_VALUE_MAX = 0, /* 0xFFFFFFFF; modes assign, keep, min */
    MUR_RESERVED_VALUE_ZERO = 1 /* 0; modes assign, keep, add, max, or: a sum of 0 is absence */
} MurReservedValue;

/* What a table maps: keys of 32 or 64 bits to values of 32 or 64 bits, or to nothing: a set. Verbs
 * are the same for all.
 *
 *   format   MUR_FORMAT_  bytes a slot  atomics    insert modes  values  slots in the header
 *   K32V32   (0)          8             32 or 64   all           32 bits 1
 *   K64V32                16            32 or 64   all           32 bits 1, unused
 *   K64V64                16            64         all           64 bits 1
 *   K32                   4             32         assign, keep  none    2
 *   K64                   8             64 (a)     assign, keep  none    2
 *   K64V32_MULTI          16            32 or 64   see multi.h   32 bits 1, unused
 *
 *   clear, insert, find, erase, extract, erase where, stats, rehash, merge, compact: every
 *   format and width, but K64V32_MULTI, which has inserts, finds and erases of its own.
 *   build: every format; the fast ways are those of K32V32, the others are cleared and inserted.
 *   mur_slot_exchange, mur_slot_compare_exchange: formats with values.
 *
 * Arrays of 64-bit keys and values are pairs of words, low first, at multiples of 8 bytes. 64-bit
 * reserved values have all bits set, or none. Sets take no arrays of values and have no reserved
 * value, reservedValue says nothing; assign and keep are the same to them. A key that is erased
 * from a set and inserted again takes a new slot, and the old one is not used again until the table
 * is cleared, built or compacted; in the other formats it returns to its own.
 *
 * (a) In buckets (buckets.h) 32, too. Tables written with 32-bit atomics offer all that others do:
 * they are only slower to insert. In K64 and K64V64, bulk finds, and shaders with MUR_READ_ONLY,
 * that run beside inserts read words that 64-bit atomics write: see MUR_INT64_ATOMICS. */
typedef uint32_t MurFormat; /* MUR_FORMAT_* */

typedef enum MurAtomicWidth {
    /* What the format takes; of both, 64 if the context has MUR_FEATURE_INT64_ATOMICS. */
    MUR_ATOMIC_WIDTH_DEFAULT = 0,
    MUR_ATOMIC_WIDTH_32 = 32, /* every shader can write the table */
    MUR_ATOMIC_WIDTH_64 = 64  /* shaders that write it define MUR_INT64_ATOMICS */
} MurAtomicWidth;

/* Part of a buffer. offset and size in bytes. */
typedef struct MurBufferRange {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
} MurBufferRange;

/* What a table is made for, besides clear, insert, find, erase, extract, erase where and stats,
 * which every table offers. Only what is asked for gets pipelines, and code that is linked. A use
 * changes no result. A command goes its direct way without it; a command that has none is refused
 * with an error that names the use. Creation rejects a use if its commands reject the table. */
typedef const struct MurUse_T *MurUse;
MUR_API MurUse murUseScratch(void); /* fast ways of large batches, with MurBatch.scratch */
MUR_API MurUse murUseBuild(void);   /* fast ways of murCmdBuild, with MurBatch.scratch */
MUR_API MurUse murUseRehash(void);  /* destination of murCmdRehash and murCmdMerge; murCmdCompact */
#define MUR_MAX_USES 4

typedef struct MurTableCreateInfo {
    const void *pNext;
    /* Required: 1 ... MUR_MAX_CAPACITY. As many keys always fit if probeLimit is at least this;
     * some more may fit (murGetMaxEntries). With the default limit the last few may not: of as many
     * sequential keys as the capacity, 0.06% were told MUR_FULL at 50,000, 0.31% at 4,000,000, the
     * first at a load of 0.975. Speed falls above a load of 0.8: add a quarter. Erased keys count,
     * until the table is cleared, built or compacted. */
    uint64_t capacity;
    /* Of the hash, exclusive-ored into the key. Use all 32 bits: a small seed only permutes keys
     * within small blocks, so that sequential keys get the same hashes with each of them. A secret
     * seed resists chosen keys. */
    uint32_t seed;
    MurReservedValue reservedValue;
    MurAtomicWidth atomicWidth;
    MurFormat format;
    uint32_t flags; /* MUR_TABLE_BUCKETS, MUR_TABLE_AGES: <murmuration/buckets.h>; or 0 */
    /* Slots that a probe examines at least, rounded up to whole 32-byte sectors, before an insert
     * reports MUR_FULL and a find "absent". 0: 16384, so that no lookup runs long enough to trip a
     * watchdog; reached only above a load of 0.96. More than slotCount means slotCount. */
    uint64_t probeLimit;
    /* The engine's, as murGetTableRequirements says, or larger, VK_WHOLE_SIZE too. All zero: the
     * library allocates, and frees with the table. */
    MurBufferRange memory;
    /* Up to the first NULL: {murUseBuild(), murUseScratch()}. */
    MurUse uses[MUR_MAX_USES];
    /* Optional, for debuggers. Copied. */
    const char *pName;
} MurTableCreateInfo;

typedef struct MurTableRequirements {
    VkDeviceSize size; /* 256 + slotCount times the format's bytes a slot, or as buckets.h says */
    /* Of the offset, in bytes, a power of two. The table's address must be a multiple of 32. */
    VkDeviceSize alignment;
    /* The buffer needs at least these. Its memory needs VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT. */
    VkBufferUsageFlags usage;
    /* Recommended: device-local, in an allocation that the table has to itself
     * (VkMemoryDedicatedAllocateInfo): tables of a cache's size can be twice as fast there. */
    VkMemoryPropertyFlags memoryProperties;
    /* Capacity plus padding. Slot indices run from 0 to slotCount inclusive, for sets to slotCount
     * + 1. Arrays that are indexed by slot need slotCount + MUR_EXTRA_SLOTS(format) elements. */
    uint32_t slotCount;
} MurTableRequirements;

/* What a table needs in memory. Ignores memory, uses and pName. Any thread.
 * MUR_ERROR_TOO_LARGE: above MUR_MAX_CAPACITY (in buckets 2^29) or the largest device-local heap.
 * Other limits show as Vulkan's errors in murCreateTable. */
MUR_API VkResult murGetTableRequirements(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                         MurTableRequirements *pRequirements);

/* Makes the pipelines that tables like this one need, now instead of in murCreateTable: for loading
 * screens and worker threads. Ignores memory and pName. Any thread; threads that call it at the
 * same time share the work: no pipeline is made twice, and each returns when all are there. On
 * errors those made so far stay, and the next call makes the rest. */
MUR_API VkResult murPreparePipelines(MurContext context, const MurTableCreateInfo *pCreateInfo);

/* The same pipelines one by one, for job systems and progress bars: their number, 0 on errors; and
 * the making of the one with this index. Any thread, at the same time too. A pipeline that is made
 * already costs nothing; if another thread is making it, the call waits for that. */
MUR_API uint32_t murGetPipelineCount(MurContext context, const MurTableCreateInfo *pCreateInfo);
MUR_API VkResult murPreparePipeline(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                    uint32_t index);

/* Makes a table, and the pipelines for its kind if this is the first; those stay with the context
 * even if the table fails. Its contents are undefined until a murCmdClear or murCmdBuild has
 * executed. MUR_ERROR_INVALID_ARGUMENT: memory too small or misaligned; MUR_ERROR_TOO_LARGE;
 * MUR_ERROR_UNSUPPORTED: 64-bit atomics without MUR_FEATURE_INT64_ATOMICS; Vulkan's own. */
MUR_API VkResult murCreateTable(MurContext context, const MurTableCreateInfo *pCreateInfo,
                                MurTable *pTable);

/* GPU work that uses the table must have finished: the library never waits. Frees what the library
 * allocated, leaves the engine's memory alone. NULL: no effect. */
MUR_API void murDestroyTable(MurTable table);

/* The table as shaders see it: 32 bytes for push constants or any buffer. Set .index yourself when
 * the shader has an array of bound tables. In blocks it is 8-byte aligned in push constants and
 * std430, 16-byte in std140. Stays valid as long as the table. All zero for NULL. Any thread. */
MUR_API MurTableRef murGetTableRef(MurTable table);

/* Returns the most entries that the table can hold, which is more than its capacity: the size of
 * lists of entries, and of arrays that are indexed by slot. 0 for NULL. Any thread. */
MUR_API uint32_t murGetMaxEntries(MurTable table);

/* The table's memory, the library's or the engine's: for descriptors, copies and debugging. All
 * zero for NULL. Any thread. */
MUR_API MurBufferRange murGetTableMemory(MurTable table);

/* ---- Commands ------------------------------------------------------------------------------- */

/* All commands:
 *   Queue    one that supports compute; outside a render pass. Between queue families the engine
 *            transfers exclusive buffers, the library records no transfer: release from
 *            MUR_EXIT_*, acquire to MUR_ENTRY_*.
 *   Work     in compute shaders only. Entry and exit stages and accesses: the constants below.
 *            Before a command, make earlier writes to the table and the arrays available and
 *            visible to MUR_ENTRY_*; after it, make MUR_EXIT_* available to what follows. The
 *            library records no barrier at either end, so that independent commands overlap; it
 *            does record those between its own dispatches inside a command. In VkMemoryBarrier2 and
 *            the like the constants serve as they are, without a cast: the bits are the same.
 *   State    the compute pipeline binding and the compute push constants are clobbered: bind yours
 *            and push all of yours again. Nothing else: a command binds no descriptor sets, those
 *            that are bound stay so for your next pipeline.
 *   Cost     recording allocates nothing, on the host or the device.
 *   Errors   MUR_ERROR_INVALID_ARGUMENT, with nothing recorded. Device memory that an address
 *            points to is the caller's: it is not checked beyond the sizes given.
 *
 * Concurrency contract. What holds for two operations on the same key that run at the same time,
 * that is, in one dispatch or without a barrier between them, bulk or in shaders alike, but for the
 * commands named below. Operations on different keys never affect each other, but for claiming the
 * last free slots. murCmdEraseWhere is an erase of each key that it erases,
 * mur_slot_compare_exchange a slot_exchange if it exchanges, else a find.
 *
 *                 find      insert    upsert    add/min/..  update    erase     slot_exchange
 *   find          -         complete  complete  complete    complete  complete  complete
 *   insert (keep)           one       one       one         one       either    either
 *   upsert (assign)                   one       one         one       either    either
 *   add/min/max/or                              exact       one       either    either
 *   update                                                  one       either    either
 *   erase                                                             one       either
 *   slot_exchange                                                               either
 *
 *   complete  A find gives "absent" or a whole value that the key had: never torn, never another
 *             key's.
 *   one       One slot, and exactly one operation is told MUR_INSERTED (or MUR_ERASED), never an
 *             update. The value is one of those given; keep never replaces a value.
 *   exact     As "one", and the value is the exact result of all of them.
 *   either    They take effect in some order, the same for everyone: an insert after the erase is
 *             told MUR_INSERTED, an update MUR_ABSENT; one before it leaves nothing. Inserts of a
 *             key minus erases of it is always 0 or 1, and a sum is exact since the last erase.
 *
 * Bulk finds, and finds of shaders with MUR_READ_ONLY, may miss what the same dispatch writes;
 * finds in other shaders see all that happened before them. The atomics are relaxed: memory
 * elsewhere is not ordered. */
#define MUR_ENTRY_STAGES MUR_CAST(VkPipelineStageFlags, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
#define MUR_ENTRY_ACCESS \
    MUR_CAST(VkAccessFlags, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT)
#define MUR_EXIT_STAGES MUR_CAST(VkPipelineStageFlags, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
#define MUR_EXIT_ACCESS MUR_CAST(VkAccessFlags, VK_ACCESS_SHADER_WRITE_BIT)

/* Usage that buffers need whose addresses are given to commands: arrays, counts, scratch,
 * statistics. */
#define MUR_ARRAY_USAGE          \
    MUR_CAST(VkBufferUsageFlags, \
             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

/* An array on the GPU: 32-bit elements at a multiple of 4 bytes, or, where the table's keys or
 * values are 64 bits wide, pairs of words at a multiple of 8. size in bytes: what the command may
 * touch. Address 0: no array. A command refuses arrays that it writes if they overlap others or the
 * table's memory. */
typedef struct MurArray {
    VkDeviceAddress address;
    VkDeviceSize size;
} MurArray;

/* What a batch gives up for speed. */
typedef enum MurBatchFlagBits {
    /* Nothing else touches the table while the command runs, which may go ways that nobody else
     * must see. If something does, the table's contents are undefined. */
    MUR_BATCH_EXCLUSIVE = 1
} MurBatchFlagBits;
typedef uint32_t MurBatchFlags;

/* A batch of operations, one item each, run in no particular order and all at the same time. */
typedef struct MurBatch {
    const void *pNext;
    /* Items at most: every array given must hold this many. 0 records nothing. */
    uint32_t maxCount;
    /* Optional: address, a multiple of 4, of a 32-bit item count on the GPU, read when the command
     * executes and clamped to maxCount. 0: maxCount items. */
    VkDeviceAddress countAddress;
    /* Required; read. */
    MurArray keys;
    /* Sets: none. Insert: required, read. Find: optional, written with each key's value, or the
     * reserved value. Erase: optional, written with the value erased, or the reserved value. */
    MurArray values;
    /* Optional; written: MUR_FOUND, MUR_INSERTED, ... */
    MurArray statuses;
    /* Optional; written: each key's slot index, or MUR_NO_SLOT. */
    MurArray slots;
    /* Inserts, optional; sets and others: none. Written: the value that was there before each item,
     * or the reserved value if there was none or the item failed. Items of one key then go one by
     * one, in some order: each but the first is told what the one before it left. */
    MurArray oldValues;
    /* Optional; written: bit i % 32 of word i / 32 tells whether item i is MUR_FOUND, MUR_INSERTED
     * (of updates MUR_EXISTED), MUR_ERASED. maxCount / 32 words, rounded up: those with an item are
     * written, their other bits 0. */
    MurArray statusBits;
    /* Optional: memory for the command's own use while it executes, at a multiple of 16 bytes. It
     * changes no result, and nothing that may run beside the command. Compute shaders read and
     * write it, like the arrays, so commands that share it need murCmdBarrier between them, finds
     * too. Its contents need not be kept or initialised. */
    MurArray scratch;
    MurBatchFlags flags;
} MurBatch;

/* What an insert does with a key's value: MUR_MODE_ASSIGN, _KEEP; where there are values _UPDATE,
 * with MUR_RESERVED_VALUE_MAX also _MIN, with MUR_RESERVED_VALUE_ZERO also _ADD, _MAX, _OR. */
typedef uint32_t MurInsertMode;

/* Each command below states:
 *   Results  what is written where.
 *   Beside   what may run at the same time, by the concurrency contract above.
 *   Scratch  whether MurBatch.scratch can make it faster.
 *   Records  dispatches, with barriers between them.
 * All of them clobber the state named above, enter at MUR_ENTRY_* and leave at MUR_EXIT_*. */

/* Empties the table and resets its counters and state. Needed once before first use.
 *
 *   Beside   nothing. After reads of the table an execution dependency is enough; after writes it
 *            takes a memory barrier, like murCmdBarrier.
 *   Records  one. */
MUR_API VkResult murCmdClear(VkCommandBuffer cmd, MurTable table);

/* Inserts pairs by mode. A key that comes several times in the batch is inserted once, and its
 * items' values may be added up (by their mode) before they reach the table.
 *
 *   Results  statuses: MUR_INSERTED, MUR_EXISTED, MUR_FULL, MUR_REFUSED; the last two are also
 *            counted in the table (murCmdStats). An update takes no slot, and says MUR_EXISTED,
 *            MUR_ABSENT, MUR_REFUSED or MUR_BUSY (MUR_UPDATE_TRIES). slots: where each key lives.
 *   Beside   any operation of the contract; with MUR_BATCH_EXCLUSIVE nothing.
 *   Scratch  with murUseScratch(). Fastest with MUR_BATCH_EXCLUSIVE, assign or keep, no results.
 *   Records  one without scratch memory, at most nine with it. */
MUR_API VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                              const MurBatch *pBatch);

/* Replaces the table's content by the pairs of a batch: as murCmdClear and murCmdInsert, in one
 * command, and the fastest way to fill a table. maxCount 0 clears. Refuses MUR_MODE_UPDATE.
 *
 *   Results  those of clear and insert: a key that comes several times is there once, by the mode;
 *            counters and state start afresh. Which of several pairs do not fit, and in which slots
 *            the others live, may differ. The table may be in order then (MUR_STATE_ORDERED): bulk
 *            finds, and those of shaders with MUR_READ_ONLY, are faster in it until the first new
 *            key comes.
 *   Beside   nothing.
 *   Scratch  with murUseBuild(): assign or keep, no results. With murUseScratch(): the others.
 *   Records  two without scratch memory, at most ten with it. */
MUR_API VkResult murCmdBuild(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                             const MurBatch *pBatch);

/* Looks keys up. At least one of values, statuses, slots and statusBits is required.
 *
 *   Results  values; statuses: MUR_FOUND, MUR_ABSENT; slots.
 *   Beside   any operation of the contract.
 *   Scratch  with murUseScratch().
 *   Records  one without scratch memory, at most nine with it. */
MUR_API VkResult murCmdFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Erases keys. The slot stays the key's: only the same key can use it again, until the table is
 * cleared, built or compacted; in a set nobody can.
 *
 *   Results  statuses: MUR_ERASED, MUR_ABSENT; values: those erased; slots.
 *   Beside   any operation of the contract.
 *   Scratch  with murUseScratch().
 *   Records  one without scratch memory, at most nine with it. */
MUR_API VkResult murCmdErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

typedef enum MurCommand {
    MUR_COMMAND_INSERT = 0,
    MUR_COMMAND_BUILD = 1,
    MUR_COMMAND_FIND = 2,
    MUR_COMMAND_ERASE = 3
} MurCommand;

/* Bytes of MurBatch.scratch with which this command is fastest, except for inserts of keys that
 * repeat often; 0: none is needed. With less it goes another way. mode: of inserts and builds.
 * Which of the batch's arrays are given matters, not where they are. 0 for NULL. Any thread. */
MUR_API VkDeviceSize murGetScratchSize(MurTable table, MurCommand command, MurInsertMode mode,
                                       const MurBatch *pBatch);

/* Predicate on a word of an entry, unsigned: (word & mask) compare reference. All zero holds. Sets
 * have no value, 32-bit keys no high word; of a 64-bit value the low word counts. */
typedef struct MurPredicate {
    uint32_t word;    /* MUR_PREDICATE_VALUE (0), _KEY_LOW, _KEY_HIGH */
    uint32_t compare; /* MUR_COMPARE_* */
    uint32_t mask;    /* 0 means all bits */
    uint32_t reference;
} MurPredicate;

typedef struct MurExtract {
    const void *pNext;
    /* Elements that each array holds; murGetMaxEntries() are always enough. 0: only count. */
    uint32_t maxCount;
    /* Required: address, a multiple of 4, of a 32-bit word, written with the number of entries that
     * satisfy all predicates, also when that is more than maxCount. */
    VkDeviceAddress countAddress;
    /* Optional; written: the first maxCount entries, in no particular order. */
    MurArray keys;
    MurArray values;
    MurArray slots;
    MurPredicate predicates[MUR_MAX_PREDICATES];
} MurExtract;

/* Writes the table's entries, or those for which all predicates hold, densely.
 *
 *   Beside   finds.
 *   Records  two. */
MUR_API VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract);

/* Erases the entries for which all predicates hold, by a scan of the table, and writes them as
 * murCmdExtract does: a list of the payload that is to be freed.
 *
 *   Results  each erased entry once, with the value that it had. All are erased and counted, also
 *            those for which the arrays have no room.
 *   Beside   any operation of the contract. The command acts as an erase of each key for which it
 *            finds the predicates to hold. A key for which they hold all the time is erased; a key
 *            that is inserted meanwhile may be.
 *   Records  two. */
MUR_API VkResult murCmdEraseWhere(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract);

/* Writes a MurStats, by a scan of the table. stats: at a multiple of 4, at least sizeof(MurStats)
 * bytes. Let the host read them a frame later, after a barrier from MUR_EXIT_* to host reads, and
 * nothing stalls.
 *
 *   Beside   finds.
 *   Records  two. */
MUR_API VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats);

/* Optional outputs of the commands that move a table's entries. */
typedef struct MurRehash {
    const void *pNext;
    /* Written: for each slot of the source, 0 ... slotCount (of a set: + 1; of rows: - 1), the slot
     * that its entry has now, or MUR_NO_SLOT if there was no entry or it did not fit. Payload
     * arrays that are indexed by slot move by it. */
    MurArray slotMap;
    /* Written: a MurRehashResult. */
    MurArray result;
    /* murCmdCompact only, and required there: memory for its own use while it executes, of the size
     * that murGetCompactScratchSize says, at a multiple of 32 bytes. */
    MurArray scratch;
} MurRehash;

/* Replaces the destination's content by the source's entries: any capacity, larger, equal or
 * smaller, any seed, either atomic width; the same format and reserved value. The destination is
 * made for murUseRehash(). pRehash may be NULL.
 *
 *   Results  slots of erased keys are left behind, and the failure counters start afresh. Entries
 *            that do not fit are counted in the destination and in the result; which entries they
 *            are may differ. The source is only read, so nothing is lost as long as it is kept. The
 *            destination may be in order then (MUR_STATE_ORDERED).
 *   Beside   nothing on the destination; reads of the source.
 *   Records  at most five. */
MUR_API VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                              const MurRehash *pRehash);

/* Inserts the source's entries into the destination, by mode; otherwise as murCmdRehash. pRehash
 * may be NULL. With MUR_MODE_UPDATE an entry whose key the destination lacks has not failed: it has
 * no slot, and no number counts it.
 *
 *   Beside   on the destination what may run beside an insert; reads of the source.
 *   Records  at most two. */
MUR_API VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination,
                             MurInsertMode mode, const MurRehash *pRehash);

/* Bytes of MurRehash.scratch that murCmdCompact needs: as many as the table has, and a thirtieth. 0
 * for NULL. Any thread. */
MUR_API VkDeviceSize murGetCompactScratchSize(MurTable table);

/* Cleans a table in place: the slots of erased keys become free again. The table is made for
 * murUseRehash(). pRehash is required. If the reference may change, murCmdRehash into memory of the
 * same size does it for half the work.
 *
 *   Results  entries may move; the table's memory and reference stay. If an entry would not fit,
 *            which takes more keys in one cluster than the probe limit, nothing moves: the result
 *            counts it, and the slot map means nothing. The table may be in order then.
 *   Beside   nothing.
 *   Records  at most six. */
MUR_API VkResult murCmdCompact(VkCommandBuffer cmd, MurTable table, const MurRehash *pRehash);

/* The memory barrier that goes between two commands on one table, or between a command and your own
 * compute shader that uses the table, either way round: MUR_EXIT_* to MUR_ENTRY_*. One serves all
 * tables, whichever is named. */
MUR_API VkResult murCmdBarrier(VkCommandBuffer cmd, MurTable table);

#ifdef __cplusplus
}
#endif
#endif
