/* Murmuration, optional: a table that grows, shrinks and is cleaned while frames are in flight.
 *
 * One call per frame, murCmdBeginGrowableFrame, declares the maximum number of inserts of the frame
 * and returns the frame's table. The library adds these numbers to an upper bound of the used
 * slots. Statistics that the GPU writes, and the host reads some frames later, correct the bound.
 * When the bound exceeds the limit, the call creates a table of another capacity, or a clean one,
 * and records a murCmdRehash into the frame's commands. The old table exists until the engine
 * reports the frame as completed. No function here waits for the GPU.
 *
 *     MurGrowableFrameTable use = {0};               once; pass the same one in every frame
 *
 *     MurGrowableFrame frame = {.frame = n, .completedFrame = done, .maxInserts = 4096};
 *     if (use.table) murCmdBarrier(cmd, use.table);  after earlier frames
 *     murCmdBeginGrowableFrame(cmd, growable, &frame, &use);
 *     murCmdBarrier(cmd, use.table);
 *     murCmdInsert(cmd, use.table, ...);             and shaders, with murGetTableRef(use.table)
 *     if (use.growth != VK_SUCCESS) ...              memory is short: insert less, or free some
 *
 * Frames. The engine numbers the command buffers in which it uses the table in the order of their
 * execution, on one queue or ordered by semaphores. Only lookups of a frame may overlap the next
 * frame. If murCmdBeginGrowableFrame has recorded into a command buffer, submit it or destroy the
 * growable: later frames depend on it.
 *
 * Speed falls above a load of 0.8. A rehash takes time in proportion to the table: a streaming pass
 * over both tables, or, for sets and 64-bit values, an insert per entry.
 *
 * Thread-safety: one thread at a time may use a growable. Different growables are independent.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_GROWABLE_H
#define MURMURATION_GROWABLE_H

#include <murmuration/murmuration.h>

VK_DEFINE_HANDLE(MurGrowable)

/* Limit of MurGrowableCreateInfo.framesInFlight. */
#define MUR_GROWABLE_FRAMES 16

/* The purpose of memory. */
typedef enum MurMemoryKind {
    MUR_MEMORY_TABLE = 0,
    MUR_MEMORY_SLOT_MAP = 1 /* requested only with MurGrowableCreateInfo.slotMap */
} MurMemoryKind;

/* Allocates memory of the engine. The function sets *pMemory, as for MurTableCreateInfo.memory, and
 * returns VK_SUCCESS. If the function returns an error, the growable keeps its table. For
 * MUR_MEMORY_TABLE the function can also create payload arrays for the new slotCount; if that
 * fails, return an error. The slot map is requested after the new table, with the slotCount of the
 * old table. murCreateGrowable logs and returns the errors; murCmdBeginGrowableFrame reports them
 * in MurGrowableFrameTable.growth. The function must not use the same growable. */
typedef VkResult(VKAPI_PTR *PFN_murAllocateMemory)(void *pUserData, MurMemoryKind kind,
                                                   const MurTableRequirements *pRequirements,
                                                   MurBufferRange *pMemory);
/* Frees memory of PFN_murAllocateMemory, when all frames that use it are reported as completed. */
typedef void(VKAPI_PTR *PFN_murFreeMemory)(void *pUserData, const MurBufferRange *pMemory);

typedef struct MurGrowableCreateInfo {
    const void *pNext;
    /* Required: the description of every table. capacity is the first table's; memory must be zero,
     * and the type one with linear probing. murKernelsRehash() is added to the kernels. */
    MurTableCreateInfo table;
    /* Required: number of frames that may be in flight, 1 ... MUR_GROWABLE_FRAMES, including the
     * frame that is being recorded. */
    uint32_t framesInFlight;
    /* Minimum capacity after shrinking. 0 means the first capacity. */
    uint64_t minCapacity;
    /* Maximum capacity; 0 means MUR_MAX_CAPACITY. A move doubles the capacity as often as the
     * entries require. If they and the declared inserts use at most an eighth of maxLoad, it halves
     * the capacity as often as that holds, but not below minCapacity. The first frame already does
     * so: to keep the first capacity, leave minCapacity at 0. */
    uint64_t maxCapacity;
    /* Maximum fraction of the capacity in use, tombstones included: 0.05 ... 0.95; 0 means 0.75.
     * Above it, the table is cleaned or grows. It is cleaned, at the same capacity, if afterwards a
     * quarter of this maximum is free, or a 32nd of it plus slots for four frames like this one. */
    float maxLoad;
    /* Maximum fraction of tombstones: 0.01 ... 1; 0 means 0.25. Above it, the table is cleaned. */
    float maxErased;
    /* VK_TRUE: each move writes a slot map (see MurRehash.slotMap), to move payload by. */
    VkBool32 slotMap;
    /* Optional: both functions, or none. If they are NULL, the library allocates. */
    PFN_murAllocateMemory pfnAllocate;
    PFN_murFreeMemory pfnFree;
    void *pUserData;
} MurGrowableCreateInfo;

/* Creates a growable: the first table, its pipelines, and some host-visible memory for statistics.
 * The context must outlive the growable. */
MUR_API VkResult murCreateGrowable(MurContext context, const MurGrowableCreateInfo *pCreateInfo,
                                   MurGrowable *pGrowable);

/* Destroys a growable. GPU work of all frames must have finished. Ignores NULL. */
MUR_API void murDestroyGrowable(MurGrowable growable);

typedef struct MurGrowableFrame {
    const void *pNext;
    /* Number of this frame: at least 1, and above the number of the frame before. */
    uint64_t frame;
    /* All frames up to this number have finished on the GPU, as shown by a fence or a semaphore.
     * The call frees tables that only these frames use, and reads these frames' statistics. At
     * least frame - framesInFlight, and below frame: the first frame's number minus 1 if no frame
     * of the table has finished. */
    uint64_t completedFrame;
    /* Upper bound of the inserts that this frame makes after this call: all items of bulk commands
     * and all inserts of shaders, whether their keys are new or not. For multi-value tables declare
     * twice that number. If the frame makes more inserts, the table may exceed its limits and
     * report MUR_FULL: see MurGrowableStatus.undeclared. */
    uint64_t maxInserts;
} MurGrowableFrame;

typedef struct MurGrowableFrameTable {
    /* The table of this frame. The table and its reference are valid until the next frame begins.
     * Tables of earlier frames remain valid on the GPU while these frames are in flight. */
    MurTable table;
    /* The old table, whose entries this frame's commands move into the member table. VK_NULL_HANDLE
     * if nothing moves: table is the first one, or that of the frame before. In this frame the GPU
     * may read the old table. */
    MurTable source;
    /* If there is a source and MurGrowableCreateInfo.slotMap is set: the slot map, which this
     * frame's commands write. The slot map is valid until the frame has completed. */
    MurArray slotMap;
    /* Check this result in every frame. VK_SUCCESS, or the reason why the table could not grow, be
     * cleaned or shrink: the error of the allocation, or MUR_ERROR_TOO_LARGE above maxCapacity.
     * murCmdBeginGrowableFrame still returns VK_SUCCESS, because the table is usable. But if
     * MurGrowableStatus.usedAtMost exceeds maxLoad, inserts may report MUR_FULL. The log reports
     * the first such frame (MUR_LOG_INFO); later frames try again. */
    VkResult growth;
} MurGrowableFrameTable;

/* Begins a frame. Records at most one command of murmuration.h: a clear of the first table, a
 * rehash into another table, or statistics, followed by a copy of the results. These commands enter
 * at MUR_ENTRY_* and leave at MUR_EXIT_*: record a barrier after earlier writes to the table, and a
 * barrier after this call. On errors nothing is recorded or changed.
 *
 *   Concurrent  finds: lookups of earlier frames may still run, also on another queue. Report a
 *               frame in completedFrame only after its lookups have finished on every queue. */
MUR_API VkResult murCmdBeginGrowableFrame(VkCommandBuffer cmd, MurGrowable growable,
                                          const MurGrowableFrame *pFrame,
                                          MurGrowableFrameTable *pUse);

typedef struct MurGrowableStatus {
    uint64_t capacity; /* capacity of the table in use */
    /* Upper bound of the slots that keys and tombstones use when all recorded frames have executed.
     */
    uint64_t usedAtMost;
    /* The newest counts from the GPU: entries and tombstones at the beginning of this frame. */
    uint64_t frame;
    uint64_t live;
    uint64_t erased;
    /* New pairs since the creation of the growable. A key that returned to its tombstone is not
     * counted. */
    uint64_t newPairs;
    /* New pairs in excess of MurGrowableFrame.maxInserts, counted from one reading of the GPU's
     * statistics to the next. Above 0, frames declare too few inserts: the table may grow too late,
     * and inserts may have reported MUR_FULL. The count appears at most 64 + framesInFlight frames
     * after such a frame; the first time the log also reports it (MUR_LOG_INFO). */
    uint64_t undeclared;
    /* Entries that found no slot in a new table within its probe limit. This requires thousands of
     * keys with nearly equal hashes, or a short MurTableCreateInfo.probeLimit. */
    uint64_t lost;
    uint32_t moves;    /* number of tables whose entries moved to another one */
    uint32_t failures; /* number of calls with MurGrowableFrameTable.growth other than VK_SUCCESS */
    VkResult lastFailure;
    uint32_t retired; /* number of old tables that frames in flight may still use */
} MurGrowableStatus;

/* Returns the last known status, without waiting for the GPU. All zero for NULL. */
MUR_API void murGetGrowableStatus(MurGrowable growable, MurGrowableStatus *pStatus);
#endif
