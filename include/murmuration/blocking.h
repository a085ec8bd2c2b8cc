/* Murmuration, optional: a helper that uploads arrays, runs a command, waits, and downloads
 * results.
 *
 * For tools, tests and first use. An engine's frame should use murmuration.h: this waits for the
 * GPU in every call. It records commands through murmuration.h only. It is the one part of the
 * library that submits, waits, and maps memory (its own).
 *
 * Thread-safety: one thread at a time a helper. Each call submits to the queue, which other threads
 * must not use at that moment: pfnLockQueue ensures it, or the engine does around the call.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_BLOCKING_H
#define MURMURATION_BLOCKING_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(MurBlocking)

/* Must not call the helper. */
typedef void(VKAPI_PTR *PFN_murLockQueue)(void *pUserData);

typedef struct MurBlockingCreateInfo {
    const void *pNext;
    VkQueue queue;             /* required; supports compute */
    uint32_t queueFamilyIndex; /* of that queue */
    /* Optional, both or none: called before and after each vkQueueSubmit, so that the queue is free
     * while the helper waits for the GPU. */
    PFN_murLockQueue pfnLockQueue;
    PFN_murLockQueue pfnUnlockQueue;
    void *pQueueUserData;
} MurBlockingCreateInfo;

/* The context outlives the helper. Each call orders itself after compute and transfer work
 * submitted to the same queue before; work of other queues or stages must have finished. */
MUR_API VkResult murCreateBlocking(MurContext context, const MurBlockingCreateInfo *pCreateInfo,
                                   MurBlocking *pBlocking);

/* NULL: no effect. */
MUR_API void murDestroyBlocking(MurBlocking blocking);

/* The commands of murmuration.h, except murCmdBuild, on host arrays, and on tables of the helper's
 * device. Keys and values are uint32_t or uint64_t, by the table's type; sets have no values. count
 * elements in each array; an array that is optional there may be NULL here. A lost device and
 * failed allocations are returned; the host arrays are then untouched. */
MUR_API VkResult murBlockingClear(MurBlocking blocking, MurTable table);

MUR_API VkResult murBlockingInsert(MurBlocking blocking, MurTable table, MurInsertMode mode,
                                   uint32_t count, const void *pKeys, const void *pValues,
                                   uint32_t *pStatuses, uint32_t *pSlots);

MUR_API VkResult murBlockingFind(MurBlocking blocking, MurTable table, uint32_t count,
                                 const void *pKeys, void *pValues, uint32_t *pStatuses,
                                 uint32_t *pSlots);

MUR_API VkResult murBlockingErase(MurBlocking blocking, MurTable table, uint32_t count,
                                  const void *pKeys, void *pValues, uint32_t *pStatuses,
                                  uint32_t *pSlots);

/* Of predicates there are MUR_MAX_PREDICATES at most. *pCount, required: entries for which all of
 * them hold, which may be more than maxCount; murGetMaxEntries(table) is never too few. The first
 * min(*pCount, maxCount) elements of each array are entries; the rest may be overwritten with
 * anything. */
MUR_API VkResult murBlockingExtract(MurBlocking blocking, MurTable table, uint32_t predicateCount,
                                    const MurPredicate *pPredicates, uint32_t maxCount, void *pKeys,
                                    void *pValues, uint32_t *pSlots, uint32_t *pCount);

MUR_API VkResult murBlockingEraseWhere(MurBlocking blocking, MurTable table,
                                       uint32_t predicateCount, const MurPredicate *pPredicates,
                                       uint32_t maxCount, void *pKeys, void *pValues,
                                       uint32_t *pSlots, uint32_t *pCount);

MUR_API VkResult murBlockingStats(MurBlocking blocking, MurTable table, MurStats *pStats);

/* The table's memory as an image for host.h and snapshot.h, of size bytes or more
 * (murHostGetImageSize), and back. The buffer needs transfer usage, which the library's own have.
 * Copied in parts: an upload that fails leaves the table's contents undefined.
 * murBlockingUpload: MUR_ERROR_CORRUPT, and nothing done, if the image's header is not that of a
 * table like this one: same capacity, seed, empty value, atomic width and probe limit.
 * MUR_ERROR_VERSION: it is of another layout version. */
MUR_API VkResult murBlockingDownload(MurBlocking blocking, MurTable table, void *pImage,
                                     uint64_t size);

MUR_API VkResult murBlockingUpload(MurBlocking blocking, MurTable table, const void *pImage,
                                   uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
