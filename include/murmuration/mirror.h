/* Murmuration, optional: a table that the host writes and shaders read.
 *
 * A mirror has one table in host memory and one in GPU memory. Any number of threads find, insert,
 * erase and exchange in the host table (host.h) at any time. Once per frame, a command copies the
 * changes to the GPU table:
 *
 *     const MurHostTable *host = murGetMirrorHostTable(mirror);
 *     murHostInsert(host, MUR_MODE_ASSIGN, key, value);              any thread, at any time
 *
 *     MurMirrorUpdate update = {.frame = n, .completedFrame = done};
 *     murCmdUpdateMirror(cmd, mirror, &update);                      once per frame
 *     push.table = murGetTableRef(murGetMirrorTable(mirror));        for shaders that look up
 *
 * Contract. An update contains the effect of every write call that returned before the update
 * began. Write calls are inserts, erases and exchanges, whatever they report: if an insert reports
 * MUR_EXISTED, the update contains the entry, even if the thread that inserts it has not returned.
 * Of calls that run during the update, readers see the old or the new state of each entry. Values
 * are never torn and never those of another key. In maps a key appears once. In sets, a key that is
 * erased and inserted again during the update may appear twice until the next update.
 *
 * Exclusive calls. During clear, a filter rebuild, a rehash or a snapshot into the host table,
 * groups, and updates with a capacity, no other call may use the host table and no other update may
 * run. The next update after an exclusive call copies everything.
 *
 * On the GPU. Commands that write the mirror's table are rejected; shaders must only look up. An
 * update copies host memory when it is recorded. Submit each recorded update once, in the order of
 * recording. If an update is lost, mark everything with murMirrorMarkDirty. The update has its own
 * barriers: earlier readers on the same queue finish first, later commands see the copy. Readers on
 * other queues require semaphores of the engine in both directions.
 *
 * Cost. A write call probes twice. An update copies each changed unit (64 bytes of slots; in
 * bucketed tables one bucket, 64 to 256 bytes) to staging memory, and records one dispatch that
 * copies it to the table. If a full copy is not larger, the update copies everything. Without a
 * change, it records nothing. mirror.md has the details.
 *
 * Thread-safety: one thread at a time updates a mirror, marks all of it, or destroys it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_MIRROR_H
#define MURMURATION_MIRROR_H

#include <murmuration/host.h>

VK_DEFINE_HANDLE(MurMirror)

#define MUR_MIRROR_FRAMES   16u /* largest framesInFlight */
#define MUR_MIRROR_PAYLOADS 4u  /* largest number of payload arrays */
#define MUR_MIRROR_TABLE    0xFFFFFFFFu

/* An array of the engine, for example indexed by the table's values. The engine writes the copy in
 * host memory, updates write the copy on the GPU. Addresses and size are multiples of 16. */
typedef struct MurMirrorPayload {
    const void *pHost;
    VkDeviceAddress address; /* of the copy on the GPU; buffer with MUR_ARRAY_USAGE */
    VkDeviceSize size;       /* bytes */
} MurMirrorPayload;

typedef struct MurMirrorCreateInfo {
    const void *pNext;
    /* Required: a table with one value per key, or a set; without MUR_TABLE_AGES. The capacity is
     * at most 2^31, also in updates (MUR_ERROR_INVALID_ARGUMENT above). */
    MurTableCreateInfo table;
    /* Required: frames that may be in flight, including the frame that is being recorded; 1 to
     * MUR_MIRROR_FRAMES. */
    uint32_t framesInFlight;
    /* Optional. The first element with pHost NULL ends the list. */
    MurMirrorPayload payloads[MUR_MIRROR_PAYLOADS];
    /* Bytes of staging memory. Default 0 means a full copy of table and payload arrays per frame in
     * flight; then no update returns VK_NOT_READY. Sizes below one full copy are raised to it. Each
     * frame in flight has an equal part. An update that needs more uses all of the memory: it
     * returns VK_NOT_READY while another frame uses any, and later updates do so until the frame of
     * this update is complete. */
    VkDeviceSize stagingSize;
} MurMirrorCreateInfo;

/* Creates an empty table on the host. The GPU table is undefined until the first update, which
 * copies everything. Fails with MUR_ERROR_INVALID_ARGUMENT, MUR_ERROR_TOO_LARGE or Vulkan's errors.
 * The context must outlive the mirror. */
MUR_API VkResult murCreateMirror(MurContext context, const MurMirrorCreateInfo *pCreateInfo,
                                 MurMirror *pMirror);

/* Destroys a mirror. GPU work that uses the mirror must have finished. Ignores NULL. */
MUR_API void murDestroyMirror(MurMirror mirror);

/* Returns the host table, for murHost*. The address is valid until the mirror is destroyed; an
 * update with a capacity changes the contents. Returns NULL for NULL. Any thread. */
MUR_API const MurHostTable *murGetMirrorHostTable(MurMirror mirror);

/* Returns the table on the GPU, which the mirror owns. An update with a capacity replaces this
 * table. Returns NULL for NULL. Any thread, but not during such an update. */
MUR_API MurTable murGetMirrorTable(MurMirror mirror);

/* Marks bytes of a payload array as changed. Call it after the engine has written the bytes, and
 * before it inserts an entry that refers to them. An update that contains the entry then contains
 * the bytes. Any thread, at any time; bytes to which no visible entry refers may be written during
 * an update. Ignores bytes beyond the array. With MUR_MIRROR_TABLE instead of a payload's index,
 * the function marks the table and all arrays, and ignores offset and size. */
MUR_API void murMirrorMarkDirty(MurMirror mirror, uint32_t payload, VkDeviceSize offset,
                                VkDeviceSize size);

typedef struct MurMirrorUpdate {
    const void *pNext;
    /* Number of this frame: at least 1, and above the number of the last update. */
    uint64_t frame;
    /* All frames up to this number have finished on the GPU, so their staging memory and replaced
     * tables are free. At least frame - framesInFlight, and below frame: the first frame's
     * number minus 1 if no frame of the mirror has finished. */
    uint64_t completedFrame;
    /* Stages of the shaders and commands that read the mirror. 0 means all stages. */
    VkPipelineStageFlags readStages;
    /* 0 keeps the table. Otherwise the update rehashes all entries to this capacity, without the
     * slots of erased keys, into a new GPU table, and copies everything. The previous table remains
     * until this frame has finished. Such an update is an exclusive call: see above. Rejected for
     * bucketed tables, where murHostRebuildFilter frees the slots of erased keys. */
    uint64_t capacity;
    /* Optional, ignored if capacity is 0: memory of the new table, as MurTableCreateInfo.memory.
     * The engine may reuse the memory of the previous table when this frame is complete. */
    MurBufferRange memory;
} MurMirrorUpdate;

/* Records the changes since the previous update.
 *
 *   Results     VK_NOT_READY if free staging memory is too small until earlier frames are complete;
 *               MUR_ERROR_TOO_LARGE if entries do not fit into a new capacity. Unless the function
 *               returns VK_SUCCESS, nothing is recorded, and all marks remain.
 *   Concurrent  on the host all calls on one key and batches; on the GPU nothing.
 *   Dispatches  one for the table and one for each payload array, if they have changes. Enters at
 *               readStages, leaves with reads in readStages. */
MUR_API VkResult murCmdUpdateMirror(VkCommandBuffer cmd, MurMirror mirror,
                                    const MurMirrorUpdate *pUpdate);

/* Returns the number of bytes of staging memory that the last update wrote. 0 for NULL. */
MUR_API VkDeviceSize murGetMirrorCopiedSize(MurMirror mirror);
#endif
