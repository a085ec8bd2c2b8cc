/* Murmuration, optional: a table that grows, shrinks and is cleaned while frames are in flight.
 *
 * One call per frame, murCmdBeginGrowableFrame, declares the maximum number of inserts of the frame
 * and returns its table. From these the library keeps an upper bound of the table's entries, and
 * corrects it by statistics that the GPU writes and the host reads frames later. When the bound
 * exceeds the limit, it creates a table of another capacity and records a murCmdRehash into that
 * frame's commands; the old table lives until the engine reports that the frame is done. Nothing
 * here waits for the GPU.
 *
 *     MurGrowableFrameTable use = {0};                      once, kept from frame to frame
 *
 *     MurGrowableFrame frame = {.frame = n, .completedFrame = done, .maxInserts = 4096};
 *     if (use.table) murCmdBarrier(cmd, use.table);  after earlier frames
 *     murCmdBeginGrowableFrame(cmd, growable, &frame, &use);
 *     murCmdBarrier(cmd, use.table);
 *     murCmdInsert(cmd, use.table, ...);             and shaders, with murGetTableRef(use.table)
 *     if (use.growth != VK_SUCCESS) ...              memory is short: insert less, or free some
 *
 * Frames. The engine numbers the command buffers in which it uses the table, rising; they execute
 * in that order, on one queue or ordered by semaphores; only lookups of a frame may overlap the
 * frame after it. One that murCmdBeginGrowableFrame has
 * recorded into must be submitted, or the growable destroyed: the frames after it depend on it.
 *
 * Speed falls above a load of 0.8, and a rehash costs its frame time that is proportional to the
 * table: a stream through both, or, for sets and 64-bit values, an insert of each entry.
 *
 * Thread-safety: one thread at a time a growable; any number of growables at the same time.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_GROWABLE_H
#define MURMURATION_GROWABLE_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(MurGrowable)

/* Most frames that a growable lets be in flight. */
#define MUR_GROWABLE_FRAMES 16

/* The purpose of memory. */
typedef enum MurMemoryKind {
    MUR_MEMORY_TABLE = 0,
    MUR_MEMORY_SLOT_MAP = 1 /* only asked for with MurGrowableCreateInfo.slotMap */
} MurMemoryKind;

/* Memory from the engine. Fills in *pMemory, as for MurTableCreateInfo.memory, and returns
 * VK_SUCCESS. On any error the table stays as it is. With MUR_MEMORY_TABLE, this is the place to
 * make payload arrays of the new slotCount: if that fails, return an error. The slot map is asked
 * for after the table to move to; its slotCount is that of the table to leave. Called by
 * murCreateGrowable, which logs errors and returns them, and murCmdBeginGrowableFrame, see
 * MurGrowableFrameTable.growth. Must not call the library on the same growable. */
typedef VkResult(VKAPI_PTR *PFN_murAllocateMemory)(void *pUserData, MurMemoryKind kind,
                                                   const MurTableRequirements *pRequirements,
                                                   MurBufferRange *pMemory);
/* Called when no frame uses it any longer, as far as the engine has said. */
typedef void(VKAPI_PTR *PFN_murFreeMemory)(void *pUserData, const MurBufferRange *pMemory);

typedef struct MurGrowableCreateInfo {
    const void *pNext;
    /* Required: the description of every table. capacity is the first table's; memory must be zero,
     * and flags zero except for MUR_ROWS. */
    MurTableCreateInfo table;
    /* Required: frames that may be in flight, 1 ... MUR_GROWABLE_FRAMES, that being recorded
     * included. */
    uint32_t framesInFlight;
    /* Shrinking ends here. 0: the first capacity. */
    uint64_t minCapacity;
    /* 0: MUR_MAX_CAPACITY. Capacities are the first one doubled and halved, and these two. */
    uint64_t maxCapacity;
    /* Share of the capacity that may be in use, erased slots included: 0.05 ... 0.95; 0: 0.75.
     * Above it the table is cleaned at the same capacity if that makes room for a quarter of the
     * share, or for a 32nd and four more frames of as many inserts; otherwise it grows. */
    float maxLoad;
    /* Share of the capacity that may be erased slots before the table is cleaned; 0: a quarter. */
    float maxErased;
    /* Each move writes a slot map (see MurRehash.slotMap), so that payload can follow. */
    VkBool32 slotMap;
    /* Optional, both or none. NULL: the library allocates. */
    PFN_murAllocateMemory pfnAllocate;
    PFN_murFreeMemory pfnFree;
    void *pUserData;
} MurGrowableCreateInfo;

/* Makes the first table and its pipelines, and the few bytes of host-visible memory for statistics.
 * The context outlives the growable. */
MUR_API VkResult murCreateGrowable(MurContext context, const MurGrowableCreateInfo *pCreateInfo,
                                   MurGrowable *pGrowable);

/* GPU work of all frames must have finished. NULL: no effect. */
MUR_API void murDestroyGrowable(MurGrowable growable);

typedef struct MurGrowableFrame {
    const void *pNext;
    /* Above the last one's; 1 or more. */
    uint64_t frame;
    /* All frames up to this one have finished on the GPU, as shown by a fence or a semaphore.
     * Tables retired by them are freed, and their statistics read. At least frame - framesInFlight,
     * below frame; 0: none yet. */
    uint64_t completedFrame;
    /* Upper bound of the inserts that this frame makes after this call: all items of bulk commands
     * and all inserts of shaders, whether their keys are new or not; twice as many for a table with
     * many values a key. If the frame makes more, the table may pass its limits and, at worst,
     * report MUR_FULL: see MurGrowableStatus.undeclared. */
    uint64_t maxInserts;
} MurGrowableFrame;

typedef struct MurGrowableFrameTable {
    /* The table for this frame, and its reference, are valid until the next call. Earlier frames'
     * tables stay valid on the GPU as long as those frames are in flight. */
    MurTable table;
    /* The table whose entries this frame's commands move to table; VK_NULL_HANDLE: table is the
     * same as in the frame before (or the first). It may be read in this frame, by the GPU. */
    MurTable source;
    /* With source, if requested: the slot map, written when this frame's commands execute, there
     * until the frame is done. */
    MurArray slotMap;
    /* Look at it in every frame. VK_SUCCESS, or the reason why the table could not change as
     * required: the error of the allocation, or MUR_ERROR_TOO_LARGE above maxCapacity.
     * murCmdBeginGrowableFrame still returns VK_SUCCESS, because the table is unchanged and works;
     * but it may become fuller than maxLoad, and inserts may report MUR_FULL. The first such frame
     * reports it in the log (MUR_LOG_INFO), every later one that needs it tries again. */
    VkResult growth;
} MurGrowableFrameTable;

/* Begins a frame. Records one of: clearing the first table, a rehash into another table, or
 * statistics. These are commands on the table like those of murmuration.h, followed by a copy of a
 * few bytes. They enter at MUR_ENTRY_* and leave at MUR_EXIT_*: record a barrier after earlier
 * writes to the table, and one after this call. On errors nothing is recorded or changed.
 *
 *   Beside   finds. They only read a table that is already in use, so lookups of earlier frames may
 *            still run, also on another queue. Report a frame in completedFrame only after its
 *            lookups have finished on every queue. */
MUR_API VkResult murCmdBeginGrowableFrame(VkCommandBuffer cmd, MurGrowable growable,
                                          const MurGrowableFrame *pFrame,
                                          MurGrowableFrameTable *pUse);

typedef struct MurGrowableStatus {
    uint64_t capacity; /* of the table in use */
    /* Slots in use at most, by keys and by erased keys, when all recorded frames have executed. */
    uint64_t usedAtMost;
    /* The latest that is known from the GPU: all up to the beginning of this frame. */
    uint64_t frame;
    uint64_t live;
    uint64_t erased;
    /* Since the growable was made: pairs that were new, those whose keys came back to their own
     * erased slots not counted. */
    uint64_t newPairs;
    /* New pairs in excess of MurGrowableFrame.maxInserts, counted from one reading of the GPU's
     * statistics to the next. Above 0: frames declare too few inserts, so the table may grow too
     * late, and inserts may have reported MUR_FULL. It shows at most 64 + framesInFlight frames
     * after such a frame; the first time it is also in the log (MUR_LOG_INFO). */
    uint64_t undeclared;
    /* Entries that no probe within the limit could place in the new table. That takes keys whose
     * hashes agree by the thousand, or a short MurTableCreateInfo.probeLimit. */
    uint64_t lost;
    uint32_t moves;    /* tables that replaced one: larger, smaller, or as large and clean */
    uint32_t failures; /* calls that returned MurGrowableFrameTable.growth other than VK_SUCCESS */
    VkResult lastFailure;
    uint32_t retired; /* tables that wait for their frames to be done */
} MurGrowableStatus;

/* Returns the last known status, without waiting for the GPU. All zero for NULL. */
MUR_API void murGetGrowableStatus(MurGrowable growable, MurGrowableStatus *pStatus);

#ifdef __cplusplus
}
#endif
#endif
