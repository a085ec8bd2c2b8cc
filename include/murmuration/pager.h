/* Murmuration, optional: more pages than fit into GPU memory. They are in host memory. Shaders
 * request missing pages, and a command loads these pages without the host.
 *
 * Pages have one size, and numbers from 0 on. All are in the *store*: host-visible memory that
 * shaders can address. Some are also in *pool pages*, in a pool in GPU memory. A directory on the
 * GPU has their positions. Shaders (murmuration.glsl, MUR_PAGER) look a page up and use it, or
 * request it and continue without it:
 *
 *     uint poolPage;
 *     if (mur_page_request(push.pager, page, priority, poolPage)) {
 *         value = mur_page_load(push.pager, poolPage, word);   // or mur_page_address(...)
 *         mur_page_store(push.pager, poolPage, word, value + 1u);
 *         mur_page_written(push.pager, poolPage);           // else eviction loses the write
 *     }
 *
 * Once per frame murCmdUpdatePager evicts the least recently used pages, writes back those that are
 * dirty, and loads the requested pages into their pool pages. The next dispatch can use the loaded
 * pages. A frame may have several murCmdUpdatePager, all with the frame's number.
 *
 *     murCmdClearPager(cmd, pager, MUR_PAGES_ZERO);                  once
 *     vkCmdDispatch(...)                    with murGetPagerRef(pager, n) in its push constants
 *     murCmdPagerBarrier(cmd, pager);
 *     murCmdUpdatePager(cmd, pager, &(MurPagerUpdate){.frame = n, .maxPages = 1024});
 *     murCmdPagerBarrier(cmd, pager);       before shaders use the pager again
 *
 * The engine gives its frames rising 32-bit numbers, which may wrap. A shader that uses a page
 * stores the number of its reference with the page. murCmdUpdatePager evicts no page that was used
 * within the last framesInFlight numbers. If shaders use more pages than there are pool pages,
 * requests are rejected and counted, and resident pages stay, so pages do not thrash. A request is
 * a hint: each murCmdUpdatePager drops all requests, served or not. Request a missing page again.
 *
 * No shader that uses the pager may run at the same time as a command below; between queues, order
 * them by semaphores. Shaders that use the pager may run at the same time; the engine orders their
 * accesses to the words of a page. A page that many invocations request is loaded once, with the
 * highest of their priorities.
 *
 * Memory. The bounds of all accesses are in the reference and in the commands, not in the pager's
 * memory. If directory, records or lists are overwritten, results are wrong, but no access leaves
 * pool, store and pager. The only exception: the pager's memory has the addresses of the store's
 * chunks after the first.
 *
 * The host may read and write the store's pages while no command of the pager is pending on the
 * GPU. After murCmdFlushPager, a barrier from MUR_EXIT_* to host reads and a fence, they have the
 * content that shaders read, except pages that were never written (MUR_PAGES_ZERO). If the host
 * writes a page that is not resident, the page has this content when it is loaded. With
 * hostPageCount the host must not write pages: a replaced page is read from the file again.
 *
 * Recipes.
 *     Brick pool: a table (K64V32, or a paged table, paged.h) maps a cell to the number b of its
 *       brick. A page has 2^k bricks: brick b is in page b >> k, at word (b & (1 << k) - 1) * words
 *       per brick. Give consecutive numbers to bricks that are visible together. If a brick is
 *       missing, use one of a coarser level. Shadow rays use mur_page_peek, so bricks that only
 *       they read evict no visible ones. Edits call mur_page_written.
 *     Texture cache: a page is a tile of a mip level; number the tiles level by level. The priority
 *       of a request is 255 minus the level's distance from the wanted level. If a tile is missing,
 *       use the next coarser level that is resident. Pin the coarsest level at the start
 *       (murCmdPinPages).
 *     Painting: a page is a tile, and a table maps a tile to its page. In each frame one dispatch
 *       requests the pages, a murCmdUpdatePager loads them, and later dispatches use them. No page
 *       is missing if the host ensures that frames use fewer pages than there are pool pages.
 *       demo/canvas implements this recipe.
 *     Start of a level: murCmdRequestPages with the visible pages and priority 255, then a
 *       murCmdUpdatePager with maxPages UINT32_MAX. It can fill all pool pages.
 *
 * On devices with unified memory all pages are resident: pool pages are the store's pages. Shaders
 * request nothing, and murCmdUpdatePager records almost nothing. With MUR_PAGER_FORCE pages are
 * copied there, too. They are copied on every device if the store has several chunks or more than
 * MUR_MAX_POOL_PAGES pages, or if there is a file.
 *
 * Queues, entry and exit stages and accesses, state, cost and errors: see "All commands" in
 * murmuration.h. After a lost device the store has the pages that were written back before; dirty
 * pages are lost.
 *
 * Thread-safety: any number of threads may record with a pager at the same time, each into its own
 * command buffer. The functions of its file document their own rules.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_PAGER_H
#define MURMURATION_PAGER_H

#include <murmuration/murmuration.h>
#include <murmuration/pager_layout.h>

VK_DEFINE_HANDLE(MurPager)

/* Maximum number of chunks of a store, and of frames in flight. */
#define MUR_PAGER_CHUNKS           64u
#define MUR_PAGER_FRAMES_IN_FLIGHT 16u
/* Limits of MurPagerCreateInfo.maxFilePages, and of a hostPageCount below pageCount. */
#define MUR_PAGER_FILE_PAGES 1048576u
#define MUR_MAX_HOST_PAGES   0x10000000u

typedef enum MurPagerFlagBits {
    /* Pages are copied even on devices with unified memory. */
    MUR_PAGER_FORCE = 1
} MurPagerFlagBits;
typedef uint32_t MurPagerFlags;

/* A page file: a database (database.h), or functions of the engine. A page has the content of the
 * last commit. A page that no commit has written is zero. */
typedef struct MurPageFile {
    void *pUserData;
    /* Reads a page into pBytes, as of the last commit or of a later write. After an error the
     * content of pBytes is undefined. MUR_ERROR_CORRUPT means that the page is damaged; the pager
     * does not read it again. */
    VkResult(VKAPI_PTR *pfnRead)(void *pUserData, uint32_t page, void *pBytes);
    /* Writes a page for the next commit. If this function or pfnCommit fails, the file may
     * drop all writes since the last commit, because the pager's next checkpoint repeats them. */
    VkResult(VKAPI_PTR *pfnWrite)(void *pUserData, uint32_t page, const void *pBytes);
    /* Commits all writes atomically. Returns when they would survive a loss of power, or at once if
     * nothing was written. After an error the file may have the commit when it is opened next. */
    VkResult(VKAPI_PTR *pfnCommit)(void *pUserData);
    /* Page size in bytes. A pager with another pageSize rejects the file. 0 disables this check. */
    uint32_t pageSize;
} MurPageFile;

/* Memory of a store. */
typedef struct MurPagerChunk {
    MurBufferRange memory;
    void *pMapped; /* optional: host address of the memory, for murGetPagerStorePage */
} MurPagerChunk;

typedef struct MurPagerCreateInfo {
    const void *pNext;
    uint32_t pageCount; /* required: 1 ... MUR_MAX_PAGES */
    uint32_t pageSize;  /* required; bytes: 4096, 8192, ... 1048576 */
    /* Required: 1 ... MUR_MAX_POOL_PAGES. Values above pageCount mean pageCount. */
    uint32_t poolPageCount;
    /* Required: 1 ... MUR_PAGER_FRAMES_IN_FLIGHT; 2 for double buffering. Pages that were used in
     * the last framesInFlight frames are not evicted. It must be at least the number of frames from
     * a mur_page_request to the last use of the returned pool page, even across a
     * murCmdUpdatePager. With a file, it must also be at least the number of frames in flight. */
    uint32_t framesInFlight;
    /* Number of pages that shaders can request between two calls of murCmdUpdatePager. 0 means
     * 65536. Values above pageCount mean pageCount. */
    uint32_t maxRequests;
    MurPagerFlags flags;
    /* Engine memory on the GPU that meets murGetPagerRequirements. Its size may be larger, or be
     * VK_WHOLE_SIZE. If all members are zero, the library allocates and frees the memory. */
    MurBufferRange memory;
    /* Pages per chunk of the store, a power of two; the last chunk may be shorter. 0 selects one
     * chunk if all pages are resident or the store has at most 1 GiB. Otherwise 0 selects 1 GiB per
     * chunk, or more if the store would need more than MUR_PAGER_CHUNKS chunks. */
    uint32_t chunkPages;
    /* The engine's store: chunkCount chunks as murGetPagerRequirements returns them; copied. If
     * NULL, the library allocates the store. */
    const MurPagerChunk *pChunks;
    uint32_t chunkCount;
    /* Optional; copied: a page file behind the store, with pageCount pages of pageSize bytes.
     * murProcessPagerIo, murDrainPagerIo and murReadPagedTable call it. With a file pages are
     * copied on every device, and each chunk must be mapped. */
    const MurPageFile *pFile;
    /* Maximum number of pages in the file that shaders can request in a frame, and that the host
     * loads for a frame. Values above pageCount mean pageCount. 0 means 4096. */
    uint32_t maxFilePages;
    /* Number of pages of the store, if host memory is a cache of the file: at least 1 more than
     * poolPageCount, at most MUR_MAX_HOST_PAGES. Twice poolPageCount and more is useful. 0, or
     * pageCount and above: the store has all pages. Less than pageCount requires pFile. */
    uint32_t hostPageCount;
    /* Optional, for debuggers. Copied. */
    const char *pName;
} MurPagerCreateInfo;

typedef struct MurPagerRequirements {
    VkDeviceSize size; /* of MurPagerCreateInfo.memory, in bytes */
    /* Alignment of the addresses of this memory and of each chunk, in bytes; a power of two. */
    VkDeviceSize alignment;
    VkBufferUsageFlags usage; /* of all buffers, with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT */
    VkMemoryPropertyFlags memoryProperties; /* recommended */
    /* Chunks of the store. */
    uint32_t chunkCount;
    uint32_t chunkPages;
    VkDeviceSize chunkSize;                /* bytes, of each chunk before the last */
    VkDeviceSize lastChunkSize;            /* bytes */
    VkMemoryPropertyFlags chunkProperties; /* required: host-visible and host-coherent */
    VkBool32 resident;                     /* all pages are always resident */
} MurPagerRequirements;

/* Returns a pager's requirements. Ignores memory, pChunks, chunkCount and pName. Any thread. */
MUR_API VkResult murGetPagerRequirements(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                                         MurPagerRequirements *pRequirements);

/* Creates a pager, and its pipelines if they do not exist; the context keeps these even if the
 * creation fails. The contents are undefined until murCmdClearPager has executed. Errors are
 * Vulkan's and MUR_ERROR_INVALID_ARGUMENT (memory or a chunk is too small or misaligned). */
MUR_API VkResult murCreatePager(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                                MurPager *pPager);

/* Destroys a pager. GPU work that uses it must have finished. Frees the library's allocations, not
 * the engine's memory. Ignores NULL. */
MUR_API void murDestroyPager(MurPager pager);

/* Returns the pager's reference for shaders of this frame: 64 bytes for push constants or any
 * buffer. Alignment in blocks: 8 bytes in push constants and std430, 16 in std140. Valid as long as
 * the pager. All zero for NULL. Any thread. */
MUR_API MurPagerRef murGetPagerRef(MurPager pager, uint32_t frame);

/* Returns the host address of a page of the store. NULL if the page number is out of range, if the
 * chunk is not mapped, or, with hostPageCount, if the page has no host page. See above for the
 * times at which the host may access it. While a page is only in the file, or its read is pending
 * or has failed, the content is undefined. The address is valid as long as the pager; with
 * hostPageCount, only until the next murCmdUpdatePager is submitted, which may replace the page.
 * Any thread. */
MUR_API void *murGetPagerStorePage(MurPager pager, uint32_t page);

typedef enum MurPageContent {
    MUR_PAGES_ZERO = 0,     /* all pages are zero; the store's content is ignored */
    MUR_PAGES_IN_STORE = 1, /* pages have the store's content */
    MUR_PAGES_IN_FILE = 2   /* pages have the file's content; only for pagers with a file */
} MurPageContent;

/* Resets a pager: no page is resident, pinned or requested, and all counts are 0. Required once
 * before first use. Dirty pages are lost.
 *
 *   Dispatches  one; up to nine for a store of several chunks. */
MUR_API VkResult murCmdClearPager(VkCommandBuffer cmd, MurPager pager, MurPageContent content);

typedef enum MurPagerUpdateFlagBits {
    /* Begins a checkpoint. Set it if murBeginPagerFrame returns it. Only the frame's first
     * murCmdUpdatePager uses it; later ones ignore it. */
    MUR_PAGER_UPDATE_CHECKPOINT = 1
} MurPagerUpdateFlagBits;
typedef uint32_t MurPagerUpdateFlags;

typedef struct MurPagerUpdate {
    const void *pNext;
    uint32_t frame;            /* number of this frame, as in murGetPagerRef */
    uint32_t maxPages;         /* maximum number of loaded pages, and of evicted pages */
    MurPagerUpdateFlags flags; /* from murBeginPagerFrame; 0 without a file */
    /* Optional; written: a MurPagerStats, at a multiple of 8 bytes. Record a barrier from
     * MUR_EXIT_* to host reads; read a frame later to avoid a stall. */
    MurArray stats;
} MurPagerUpdate;

/* Loads pages that were requested since the last call, highest priorities first: at most maxPages,
 * and at most the number of available pool pages. Free pool pages are used first, then those of the
 * least recently used pages; ages of 1022 frames and more count as equal. Pages that are pinned or
 * were used within framesInFlight are not evicted. Evicted dirty pages are written to the store.
 * The command drops all requests, served or not.
 *
 * Pages are copied in both directions at the same time, at the speed of the link to host memory.
 * This takes the time of up to maxPages * pageSize bytes in each direction.
 *
 *   Results     pages that remain resident keep their pool pages and contents.
 *   Dispatches  four, five with a file, six with hostPageCount, two more for a checkpoint. If all
 *               pages are always resident, none, or three with stats. They read 16 bytes per pool
 *               page, twice. */
MUR_API VkResult murCmdUpdatePager(VkCommandBuffer cmd, MurPager pager,
                                   const MurPagerUpdate *pUpdate);

/* Page numbers in memory that the GPU can address, also in host memory. */
typedef struct MurPageList {
    const void *pNext;
    uint32_t maxCount; /* elements of pages; 0 records nothing */
    /* Optional: address, a multiple of 4, of a 32-bit count on the GPU. The command reads it during
     * execution and clamps it to maxCount. 0 means maxCount pages. */
    VkDeviceAddress countAddress;
    MurArray pages; /* required; read: 32-bit numbers. Numbers out of range are ignored */
} MurPageList;

/* Requests pages as mur_page_request does, with a priority of 0 ... 255. Resident pages count as
 * used in this frame. The next murCmdUpdatePager loads the pages; 255 is served first. Unlike the
 * other commands, it may be concurrent with shaders that use the pager. One dispatch. */
MUR_API VkResult murCmdRequestPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages,
                                    uint32_t priority, uint32_t frame);

/* Pin and unpin pages. A pinned page is not evicted once it is resident. The commands request no
 * pages. If all pool pages are pinned, requests are rejected. One dispatch. */
MUR_API VkResult murCmdPinPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages);
MUR_API VkResult murCmdUnpinPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages);

typedef enum MurFlushFlagBits {
    /* Also evicts all pages, except pinned pages and dirty pages that a checkpoint holds. */
    MUR_FLUSH_EVICT = 1
} MurFlushFlagBits;
typedef uint32_t MurFlushFlags;

/* Writes all dirty pages back to the store, except pages that a checkpoint holds. One dispatch;
 * none if all pages are always resident. */
MUR_API VkResult murCmdFlushPager(VkCommandBuffer cmd, MurPager pager, MurFlushFlags flags);

/* Records a memory barrier from MUR_EXIT_* to MUR_ENTRY_* and to host reads (which also need a
 * fence). Record it before and after the commands above. It covers all pagers and tables. */
MUR_API VkResult murCmdPagerBarrier(VkCommandBuffer cmd, MurPager pager);

/* ---- A file behind the store ---------------------------------------------------------------- */

/* With MurPagerCreateInfo.pFile, all pages are in a page file at first (database.h, or functions of
 * the engine). The first request of a page copies it into the store. A checkpoint writes changed
 * pages back. A thread of the engine does both. No GPU work and no recording waits for it. For
 * shaders, a page that is only in the file is not resident.
 *
 *     each frame n, with `done` the last that the GPU has completed:
 *         murBeginPagerFrame(pager, &(MurPagerFrame){.frame = n, .completedFrame = done}, &flags);
 *         ... shaders ...
 *         murCmdUpdatePager(cmd, pager,
 *                           &(MurPagerUpdate){.frame = (uint32_t)n, .flags = flags, ...});
 *         murCmdPagerBarrier(cmd, pager);   for reads of the host, too
 *     concurrently, on a thread:
 *         murProcessPagerIo(pager, 64, &moved);  and a pause if it moved nothing
 *
 * The host owns a page of the store while the page is only in the file, and while a checkpoint
 * holds it: the GPU may read a held page, but not write it. Ownership changes only in
 * murCmdUpdatePager. A requested page that is only in the file is resident a frame or two later:
 * after the host has read it, the next murCmdUpdatePager with a free pool page loads it.
 *
 * A checkpoint has the content of all pages at one murCmdUpdatePager. This command writes all dirty
 * pages to the store, which takes time, and holds all pages that changed since the last checkpoint.
 * Shaders can use, load and change held pages, but a page that is both held and dirty is not
 * evicted. murProcessPagerIo writes the held pages into the file and commits. The next frame
 * releases them. At most one checkpoint is in progress at a time.
 *
 * Larger than host memory. With hostPageCount below pageCount, the store is a cache of the file. If
 * a requested page is not in the store, murCmdUpdatePager gives it a host page, and the host reads
 * it again. If no host page is free, the clock algorithm replaces a page that equals the last
 * commit, is not in the pool and was not used recently. Other pages keep their host pages: those
 * that have changed since the last commit, that a checkpoint holds, that are in the pool, or that
 * the host is reading. If there are too many changed pages, MurPagerStatus.needsCheckpoint requests
 * a checkpoint. If no page can be replaced, requests of further pages wait until a checkpoint
 * commits; resident pages and pages in the store remain usable. MUR_PAGES_IN_STORE is not allowed.
 *
 * Failures. murGetPagerStatus counts and reports each one:
 *     failed read    the page stays in the file, and is read again at its next request. With
 *                    hostPageCount, the next frame frees its host page, also after damage
 *     damage         MUR_ERROR_CORRUPT, never an empty or a wrong page. This pager does not read
 *                    the page again; requests of it never succeed
 *     full disk      writing a page or the commit fails, and with it the whole checkpoint. The file
 *                    keeps the checkpoint before. The pages count as changed, so the next
 *                    checkpoint includes them. Begin one when the disk has free space
 *     device lost    dirty pages are lost. murProcessPagerIo still writes a checkpoint if its frame
 *                    was reported as completed
 *     crash          the file has the complete last committed checkpoint
 *
 * With a file, record murCmdClearPager once before the first frame, with MUR_PAGES_IN_FILE. Only a
 * new file may use another content: MUR_PAGES_ZERO does not change pages in the file. With
 * MUR_PAGES_IN_STORE the first checkpoint writes all pages. Later checkpoints ignore the host's own
 * writes into the store. Destroying the pager writes nothing. If a checkpoint is in progress, close
 * the file, too: it may have uncommitted writes, which another pager's commit would include. */

typedef struct MurPagerFrame {
    const void *pNext;
    /* Number of this frame: at least 1, and above the number of the frame before. Its low 32 bits
     * are the number for murGetPagerRef and MurPagerUpdate. */
    uint64_t frame;
    /* All frames up to this number have finished on the GPU, as shown by a fence or a semaphore. At
     * least frame - framesInFlight, and below frame: the first frame's number minus 1 if no
     * frame of the pager has finished. */
    uint64_t completedFrame;
    /* Begin a checkpoint in this frame, if no checkpoint is in progress. */
    VkBool32 checkpoint;
} MurPagerFrame;

/* Begins a frame: queues the pages in the file that completed frames requested, and passes pages
 * that were read, and the release of a checkpoint's pages, to the next murCmdUpdatePager. Submit a
 * murCmdUpdatePager with this frame afterwards, or destroy the pager. pFlags: written with the
 * flags for it: MUR_PAGER_UPDATE_CHECKPOINT, or 0. Fails with MUR_ERROR_INVALID_ARGUMENT, and
 * changes nothing, if there is no file or frames are out of order. One thread at a time per pager;
 * concurrent with all other functions. */
MUR_API VkResult murBeginPagerFrame(MurPager pager, const MurPagerFrame *pFrame,
                                    MurPagerUpdateFlags *pFlags);

/* Reads requested pages, those of the last frame and of the highest priority first, and writes
 * pages of a checkpoint, alternately, at most maxPages in all. Commits the checkpoint after its
 * last page. *pPages, optional: written with the number of pages. Returns VK_SUCCESS, also if there
 * was nothing to do, or the last error of the file. Waits only for the file. If the pager has no
 * file, fails with MUR_ERROR_INVALID_ARGUMENT. Any thread, concurrent with all other functions
 * except murDestroyPager and murDrainPagerIo. Several threads read at the same time, if the file
 * supports that, while at most one writes. */
MUR_API VkResult murProcessPagerIo(MurPager pager, uint32_t maxPages, uint32_t *pPages);

/* Writes and commits the checkpoint of the last frame, for an engine that exits. That frame's
 * murCmdUpdatePager must have had MUR_PAGER_UPDATE_CHECKPOINT, and the device must have finished
 * the frame. On VK_SUCCESS the file has the current pages. The errors are those of
 * murProcessPagerIo, and MUR_ERROR_INVALID_ARGUMENT if the last frame began no checkpoint, for
 * example because another one was in progress. After any error, begin one more frame with a
 * checkpoint and retry. No other function of the pager may run at the same time. Afterwards, begin
 * another frame or destroy the pager. */
MUR_API VkResult murDrainPagerIo(MurPager pager);

typedef struct MurPagerStatus {
    uint64_t frame;   /* the last frame that was begun */
    uint64_t read;    /* number of pages read from the file */
    uint64_t written; /* number of pages written to the file, committed or not */
    /* The frame of the last committed checkpoint; 0 if there is none. */
    uint64_t checkpoint;
    /* The frame of the checkpoint in progress; 0 if there is none. */
    uint64_t checkpointUnderWay;
    uint64_t failures;    /* number of failed calls of the file's functions */
    VkResult lastFailure; /* the last error; VK_SUCCESS if there was none */
    int32_t systemError;  /* errno of the last error */
    uint32_t failedPage;  /* page of the last error; MUR_NO_PAGE if a commit failed */
    uint32_t waiting;     /* number of pages in the queue of reads */
    uint32_t arrived;     /* number of read pages that the next frame will pass on */
    /* With hostPageCount: number of pages in the store that differ from the last commit, as of the
     * last completed frame, without pages that are dirty only in the pool. 0 without. */
    uint32_t changedPages;
    /* changedPages is at least half of the host pages beyond poolPageCount and those that a paged
     * table reserves, and at least 1, and no checkpoint is in progress: begin one. If the last one
     * failed because the disk is full, first wait until it has space. */
    VkBool32 needsCheckpoint;
} MurPagerStatus;

/* Returns the last known status without waiting. Zero for NULL and without a file. Any thread. */
MUR_API void murGetPagerStatus(MurPager pager, MurPagerStatus *pStatus);
#endif
