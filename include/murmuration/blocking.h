/* Murmuration, optional: a helper that uploads arrays, runs a command, waits, and downloads
 * results.
 *
 * The helper is for tools, tests and first use: every call waits for the GPU. An engine's frame
 * should use murmuration.h. The helper records commands only through murmuration.h. No other part
 * of the library submits or waits. The helper maps only its own memory.
 *
 * Thread-safety: one thread at a time may use a helper. Each call submits to the queue. No other
 * thread may use the queue during the submission: set pfnLockQueue, or lock it around each call.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_BLOCKING_H
#define MURMURATION_BLOCKING_H

#include <murmuration/murmuration.h>

VK_DEFINE_HANDLE(MurBlocking)

/* Locks or unlocks the queue. The function must not call the helper. */
typedef void(VKAPI_PTR *PFN_murLockQueue)(void *pUserData);

typedef struct MurBlockingCreateInfo {
    const void *pNext;
    VkQueue queue;             /* required; supports compute */
    uint32_t queueFamilyIndex; /* the family of queue */
    /* Optional: both functions, or none. The helper calls them before and after each vkQueueSubmit,
     * so that other threads can use the queue while the helper waits for the GPU. */
    PFN_murLockQueue pfnLockQueue;
    PFN_murLockQueue pfnUnlockQueue;
    void *pQueueUserData;
} MurBlockingCreateInfo;

/* Creates a helper. The context must outlive the helper. Each call of the helper executes after
 * compute and transfer work that was submitted to the same queue earlier; earlier work of other
 * queues or stages must have finished. */
MUR_API VkResult murCreateBlocking(MurContext context, const MurBlockingCreateInfo *pCreateInfo,
                                   MurBlocking *pBlocking);

/* Destroys a helper. Ignores NULL. */
MUR_API void murDestroyBlocking(MurBlocking blocking);

/* The functions below execute commands of murmuration.h on host arrays. The table is of the
 * helper's device. Keys and values are uint32_t or uint64_t, by the table's type; sets have no
 * values. Each array has count elements. If an array is optional for the command, it may be NULL.
 * Errors include lost devices and failed allocations; the host arrays are then unchanged. */
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

/* predicateCount is at most MUR_MAX_PREDICATES. *pCount, required: number of entries that satisfy
 * all predicates, which may be above maxCount; murGetMaxEntries(table) elements are always enough.
 * The first min(*pCount, maxCount) elements of each array are the entries; the contents of the
 * other elements are undefined. */
MUR_API VkResult murBlockingExtract(MurBlocking blocking, MurTable table, uint32_t predicateCount,
                                    const MurPredicate *pPredicates, uint32_t maxCount, void *pKeys,
                                    void *pValues, uint32_t *pSlots, uint32_t *pCount);

MUR_API VkResult murBlockingEraseWhere(MurBlocking blocking, MurTable table,
                                       uint32_t predicateCount, const MurPredicate *pPredicates,
                                       uint32_t maxCount, void *pKeys, void *pValues,
                                       uint32_t *pSlots, uint32_t *pCount);

MUR_API VkResult murBlockingStats(MurBlocking blocking, MurTable table, MurStats *pStats);

/* Copy the table's memory to an image for host.h and snapshot.h, and back. size: bytes at pImage,
 * at least the image size (murHostGetImageSize). The table's buffer needs transfer usage; buffers
 * of the library have it. The copy has several parts: a failed upload leaves the table's contents
 * undefined. murBlockingUpload fails with MUR_ERROR_VERSION if the image has another layout
 * version. It fails with MUR_ERROR_CORRUPT if the image's type, capacity, seed, empty value, atomic
 * width or probe limit differ from the table's. Both errors leave the table unchanged. */
MUR_API VkResult murBlockingDownload(MurBlocking blocking, MurTable table, void *pImage,
                                     uint64_t size);

MUR_API VkResult murBlockingUpload(MurBlocking blocking, MurTable table, const void *pImage,
                                   uint64_t size);
#endif
