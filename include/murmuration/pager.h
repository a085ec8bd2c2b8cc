/* Murmuration, optional: pages of memory, more than the GPU has. They are in host memory; shaders
 * request missing pages, and a command loads these without the host.
 *
 * Pages have one size and numbers from 0 on. All are in a *store*, host-visible memory that shaders
 * address; some are also in *pool pages*, in a pool in the GPU's memory. A directory on the GPU has
 * their positions. Shaders (murmuration.glsl, MUR_PAGER) look a page up and use it, or request it
 * and continue without:
 *
 *     uint poolPage;
 *     if (mur_page_request(push.pager, page, priority, poolPage)) {
 *         value = mur_page_load(push.pager, poolPage, word);   // or mur_page_address(...)
 *         mur_page_store(push.pager, poolPage, word, value + 1u);
 *         mur_page_written(push.pager, poolPage);           // else eviction loses the write
 *     }
 *
 * Once per frame murCmdUpdatePager takes the least recently used pool pages, writes back dirty
 * pages in them, and loads the requested pages: the next dispatch can use the pages that one
 * dispatch requests. A frame may have several, all with its number.
 *
 *     murCmdClearPager(cmd, pager, MUR_PAGES_ZERO);                  once
 *     vkCmdDispatch(...)                    with murGetPagerRef(pager, n) in its push constants
 *     murCmdPagerBarrier(cmd, pager);
 *     murCmdUpdatePager(cmd, pager, &(MurPagerUpdate){.frame = n, .maxPages = 1024});
 *     murCmdPagerBarrier(cmd, pager);       before shaders use the pager again
 *
 * The engine numbers its frames, in 32 bits that may wrap, each by one or more above the last. The
 * number in a shader's reference dates the use of a page; murCmdUpdatePager evicts no page that was
 * used within the last framesInFlight numbers. So if more pages are used than there are pool pages,
 * requests are rejected and counted, and resident pages stay: pages do not thrash. A request is a
 * hint: each murCmdUpdatePager drops all requests, served or not, so request a missing page again.
 *
 * The commands below need the pager to themselves on the GPU's timeline: no shader that uses it may
 * run at the same time, and between queues the engine's semaphores order them. Shaders that use it
 * may run at the same time; the engine orders their accesses to a page's words. A page that many
 * invocations request is loaded once, with their highest priority.
 *
 * Memory. The bounds of all accesses are in the reference and in the commands, never in the pager's
 * memory: if directory, records or lists are overwritten, results are wrong, but no access leaves
 * pool, store and pager. The only exception are the addresses of a store's chunks from the second
 * on.
 *
 * The host may read and write the store's pages while no command of the pager is pending on the
 * GPU: after a murCmdFlushPager, a barrier from MUR_EXIT_* to host reads and a fence they have the
 * content that shaders read, except pages that were never written (MUR_PAGES_ZERO). A page that is
 * loaded later has the content written by the host.
 *
 * Recipes.
 *     Brick pool: a table (K64V32, or one in pages itself, paged.h) gives a cell its brick's number
 *       b; 2^k bricks a page, so page b >> k, and word (b & (1 << k) - 1) * brick words in it.
 *       Number bricks that are seen together one after the other, by a curve through their cells.
 *       A ray that misses takes a coarser level's brick; shadow rays peek (mur_page_peek), so
 *       bricks that only they touch evict no visible ones. Edits call mur_page_written.
 *     Texture cache: a tile of a mip level a page, numbered level by level. Ask with a priority of
 *       255 less the level's distance from the wanted one; on a miss go up level by level to the
 *       first that is there, the coarsest being pinned at the start (murCmdPinPages).
 *     Painting: tiles are pages, a table maps a tile to its page. A frame requests its pages in one
 *       dispatch, a murCmdUpdatePager loads them, and the next dispatches have them: none is
 *       missing if the host ensures that frames use fewer pages than there are pool pages.
 *       demo/canvas implements this recipe.
 *     A level's start: murCmdRequestPages of visible pages, priority 255, then a murCmdUpdatePager
 *       with maxPages UINT32_MAX, for as many pages as there are pool pages.
 *
 * On devices with unified memory nothing is paged: pool pages are the store's pages, all are
 * resident, murCmdUpdatePager records next to nothing and pages are never asked for.
 * MUR_PAGER_FORCE pages all the same. A store of several chunks, one with a file, and one of more
 * than MUR_MAX_POOL_PAGES pages are paged on any device.
 *
 * All else (queues, entry and exit stages and accesses, state, cost, errors) is as for all commands
 * in murmuration.h. After a lost device the store's pages have the data written back before; dirty
 * pages are lost.
 *
 * Thread-safety: for commands a pager is immutable after creation: any threads may record with it
 * at the same time, each into its own command buffer. The functions of its file document their own
 * rules.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_PAGER_H
#define MURMURATION_PAGER_H

#include <murmuration/murmuration.h>
#include <murmuration/pager_layout.h>

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(MurPager)

/* Most chunks of a store, and most frames in flight. */
#define MUR_PAGER_CHUNKS           64u
#define MUR_PAGER_FRAMES_IN_FLIGHT 16u
/* Largest MurPagerCreateInfo.maxFilePages. */
#define MUR_PAGER_FILE_PAGES 1048576u

typedef enum MurPagerFlagBits {
    /* Pages move even on devices with unified memory. */
    MUR_PAGER_FORCE = 1
} MurPagerFlagBits;
typedef uint32_t MurPagerFlags;

/* A file of pages, by number: a database (database.h), or an engine's own. A page has the content
 * of the last commit, and is zero before the first commit that has it. */
typedef struct MurPageFile {
    void *pUserData;
    /* Fills pBytes with the page as of the last commit, or as of a later write. After an error the
     * content of pBytes is undefined. MUR_ERROR_CORRUPT: the page is damaged, and is not read
     * again. */
    VkResult(VKAPI_PTR *pfnRead)(void *pUserData, uint32_t page, void *pBytes);
    /* Writes a page for the next commit. On errors, here and of pfnCommit, writes since the last
     * commit may be dropped: repeat all of them, and commit. */
    VkResult(VKAPI_PTR *pfnWrite)(void *pUserData, uint32_t page, const void *pBytes);
    /* Commits all writes atomically, and returns when they would survive a loss of power; at once
     * if nothing was written. After an error they may be there when the file is opened next. */
    VkResult(VKAPI_PTR *pfnCommit)(void *pUserData);
    /* Bytes of a page, which pfnRead writes and pfnWrite reads. A pager with another pageSize
     * rejects the file. 0: the file takes the size from elsewhere, and nothing is compared. */
    uint32_t pageSize;
} MurPageFile;

/* Memory of a store. */
typedef struct MurPagerChunk {
    MurBufferRange memory;
    void *pMapped; /* optional: where the host sees memory, for murGetPagerStorePage */
} MurPagerChunk;

typedef struct MurPagerCreateInfo {
    const void *pNext;
    uint32_t pageCount; /* required: 1 ... MUR_MAX_PAGES */
    uint32_t pageSize;  /* required; bytes: 4096, 8192, ... 1048576 */
    /* Required: 1 ... MUR_MAX_POOL_PAGES; more than pageCount means pageCount. */
    uint32_t poolPageCount;
    /* Required: 2 for double buffering; 1 ... MUR_PAGER_FRAMES_IN_FLIGHT. Pages that were used in
     * the last framesInFlight frames are not evicted. At least the frames from a mur_page_request
     * to the last use of its pool page, even across a murCmdUpdatePager. With a file, no fewer than
     * may be in flight. */
    uint32_t framesInFlight;
    /* Pages that can be asked for between two calls of murCmdUpdatePager. 0: 65536, or all. More
     * means pageCount. */
    uint32_t maxRequests;
    MurPagerFlags flags;
    /* The engine's memory on the GPU, of the size from murGetPagerRequirements or larger,
     * VK_WHOLE_SIZE too. All zero: the library allocates it, and frees it with the pager. */
    MurBufferRange memory;
    /* Pages that a chunk of the store holds, a power of two; the last chunk may be shorter. 0: one
     * chunk of any size if all pages are resident or the store has up to 1 GiB; else chunks of 1
     * GiB, or larger ones if there would be more than MUR_PAGER_CHUNKS. */
    uint32_t chunkPages;
    /* The engine's store: chunkCount chunks, as from murGetPagerRequirements; copied. NULL: the
     * library allocates it. */
    const MurPagerChunk *pChunks;
    uint32_t chunkCount;
    /* Optional, copied: a file behind the store, of pageCount pages of pageSize bytes. Only
     * murProcessPagerIo calls it. With one the pager pages on every device, and each chunk is
     * mapped. */
    const MurPageFile *pFile;
    /* Most pages of the file that a frame can request, and that the host loads for a frame; more
     * than pageCount means pageCount. 0: 4096. */
    uint32_t maxFilePages;
    /* Optional, for debuggers. Copied. */
    const char *pName;
} MurPagerCreateInfo;

typedef struct MurPagerRequirements {
    /* Of MurPagerCreateInfo.memory. The device addresses of these and of the chunks must be
     * multiples of alignment, which is a power of two. */
    VkDeviceSize size;
    VkDeviceSize alignment;
    VkBufferUsageFlags usage; /* of all buffers; VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, too */
    VkMemoryPropertyFlags memoryProperties; /* recommended */
    /* Of the store. */
    uint32_t chunkCount;
    uint32_t chunkPages;
    VkDeviceSize chunkSize;                /* bytes, of the first and all but the last */
    VkDeviceSize lastChunkSize;            /* bytes */
    VkMemoryPropertyFlags chunkProperties; /* required: host-visible and host-coherent */
    VkBool32 resident;                     /* pages never move */
} MurPagerRequirements;

/* Returns a pager's requirements. Ignores memory, pChunks, chunkCount and pName. Any thread. */
MUR_API VkResult murGetPagerRequirements(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                                         MurPagerRequirements *pRequirements);

/* Makes a pager, and its pipelines if this is the first; those stay with the context even if the
 * pager fails. Its contents are undefined until murCmdClearPager has executed.
 * MUR_ERROR_INVALID_ARGUMENT: memory or a chunk too small or misaligned; Vulkan's own. */
MUR_API VkResult murCreatePager(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                                MurPager *pPager);

/* GPU work that uses the pager must have finished. Frees the library's allocations, not the
 * engine's memory. NULL: no effect. */
MUR_API void murDestroyPager(MurPager pager);

/* The pager as shaders of this frame see it: 64 bytes for push constants or any
 * buffer, 8-byte aligned in push constants and std430, 16-byte in std140. Stays valid as long as
 * the pager, and means that frame. All zero for NULL. Any thread. */
MUR_API MurPagerRef murGetPagerRef(MurPager pager, uint32_t frame);

/* Where the host sees a page of the store; NULL: there is no such page, or its chunk is not mapped.
 * When the host may use it is said above. Any thread. */
MUR_API void *murGetPagerStorePage(MurPager pager, uint32_t page);

typedef enum MurPageContent {
    MUR_PAGES_ZERO = 0, /* pages are zero, whatever the store holds: it is not read until then */
    MUR_PAGES_IN_STORE = 1, /* pages have the store's content */
    MUR_PAGES_IN_FILE = 2   /* pages have the file's content; only for pagers with a file */
} MurPageContent;

/* Makes a new pager, or one like it: no page is resident, pinned or asked for, counts are 0. Needed
 * once before first use. Dirty pages are lost.
 *
 *   Dispatches  one; up to nine for a store of several chunks. */
MUR_API VkResult murCmdClearPager(VkCommandBuffer cmd, MurPager pager, MurPageContent content);

typedef enum MurPagerUpdateFlagBits {
    /* Begins a checkpoint; only if murBeginPagerFrame returns it, and in the frame's first
     * murCmdUpdatePager: in others it does nothing. */
    MUR_PAGER_UPDATE_CHECKPOINT = 1
} MurPagerUpdateFlagBits;
typedef uint32_t MurPagerUpdateFlags;

typedef struct MurPagerUpdate {
    const void *pNext;
    uint32_t frame;            /* as in murGetPagerRef */
    uint32_t maxPages;         /* most pages that come in, and as many that are evicted */
    MurPagerUpdateFlags flags; /* from murBeginPagerFrame; without a file 0 */
    /* Optional; written: a MurPagerStats, at a multiple of 8 bytes. Let the host read it a frame
     * later, after a barrier from MUR_EXIT_* to host reads, and nothing stalls. */
    MurArray stats;
} MurPagerUpdate;

/* Brings in pages that were asked for since the call before, those of the highest priorities first,
 * at most maxPages, and at most as many as there are pool pages to be had: free ones, then those
 * whose pages were not used for longest (ages from 1022 frames on count as one). It evicts no page
 * that is pinned or was used within framesInFlight. Dirty pages that are evicted are written to the
 * store. All requests are forgotten, served or not.
 *
 * Pages go both ways at the same time, at the speed of the link to host memory whatever their size:
 * the frame pays for maxPages * pageSize bytes each way.
 *
 *   Results     pool pages of pages that stay do not change; neither does their content.
 *   Dispatches  four, with a file five, two more for a checkpoint; where all is resident none,
 *               three with stats. They read 16 bytes a pool page, twice. */
MUR_API VkResult murCmdUpdatePager(VkCommandBuffer cmd, MurPager pager,
                                   const MurPagerUpdate *pUpdate);

/* Page numbers in memory that the GPU addresses, the host's too. */
typedef struct MurPageList {
    const void *pNext;
    uint32_t maxCount; /* elements of pages; 0 records nothing */
    /* Optional: address, a multiple of 4, of a 32-bit count on the GPU, read when the command
     * executes and clamped to maxCount. 0: maxCount. */
    VkDeviceAddress countAddress;
    MurArray pages; /* required; read. 32-bit numbers; those out of range mean nothing */
} MurPageList;

/* Requests pages as mur_page_request does, with a priority of 0 ... 255; resident pages count as
 * used in this frame. Priority 255 and a murCmdUpdatePager after it load pages immediately. May run
 * concurrent with shaders that use the pager. One dispatch. */
MUR_API VkResult murCmdRequestPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages,
                                    uint32_t priority, uint32_t frame);

/* Pins pages: once resident they stay so, until they are unpinned. The command requests no pages.
 * If all pool pages are pinned, requests are rejected. One dispatch. */
MUR_API VkResult murCmdPinPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages);
MUR_API VkResult murCmdUnpinPages(VkCommandBuffer cmd, MurPager pager, const MurPageList *pPages);

typedef enum MurFlushFlagBits {
    /* Evicts all pages except pinned ones and those that are both held and dirty. */
    MUR_FLUSH_EVICT = 1
} MurFlushFlagBits;
typedef uint32_t MurFlushFlags;

/* Writes all dirty pages back to the store, except those that a checkpoint holds. One dispatch;
 * none if all pages are resident. */
MUR_API VkResult murCmdFlushPager(VkCommandBuffer cmd, MurPager pager, MurFlushFlags flags);

/* Records the memory barrier before and after these commands, like murCmdBarrier: MUR_EXIT_* to
 * MUR_ENTRY_*, and to host reads after a fence. One serves all pagers and tables. */
MUR_API VkResult murCmdPagerBarrier(VkCommandBuffer cmd, MurPager pager);

/* ---- A file behind the store ---------------------------------------------------------------- */

/* With MurPagerCreateInfo.pFile, pages begin in a file (database.h, or the engine's own) and come
 * into the store at their first request; a checkpoint writes changed pages back. One of the
 * engine's threads does both; no work on the GPU or in recording waits for it, and to shaders a
 * page in the file is not resident.
 *
 *     each frame n, with `done` the last that the GPU has completed:
 *         murBeginPagerFrame(pager, &(MurPagerFrame){.frame = n, .completedFrame = done}, &flags);
 *         ... shaders ...
 *         murCmdUpdatePager(cmd, pager,
 *                           &(MurPagerUpdate){.frame = (uint32_t)n, .flags = flags, ...});
 *         murCmdPagerBarrier(cmd, pager);   for reads of the host, too
 *     concurrently, on a thread:
 *         murProcessPagerIo(pager, 64, &moved);  and a rest when there was nothing to move
 *
 * A page of the store belongs to the host while it is in the file, and while a checkpoint holds it:
 * the GPU may read a held page, and not write it. It changes hands only in murCmdUpdatePager. A
 * requested page that is in the file comes a frame or two later, after the host has read it, in a
 * murCmdUpdatePager that has a pool page for it.
 *
 * A checkpoint has the content of all pages at one murCmdUpdatePager: it writes dirty pages to the
 * store, which takes time, and holds those that have changed since the checkpoint before. Held
 * pages are used, brought in and changed as ever; but a page that is both held and dirty is not
 * evicted. murProcessPagerIo writes the held ones into the file and commits; the next frame
 * releases them. One checkpoint at a time.
 *
 * Failures. Each one is counted and reported by murGetPagerStatus:
 *     reading fails  the page stays in the file, and is read again at its next request
 *     damage         MUR_ERROR_CORRUPT: never an empty or a wrong page. This pager does not read it
 *                    again: requests for it miss
 *     full disk      writing a page, or the commit, fails: the checkpoint fails as a whole, the
 *                    file keeps the one before, and the pages count as changed: the next checkpoint
 *                    has them. Begin one when there is room again
 *     device lost    dirty pages are lost. murProcessPagerIo still writes a checkpoint whose frame
 *                    was known to be complete
 *     crash          the file is the last checkpoint that was committed, whole
 *
 * With a file, record murCmdClearPager once, before the first frame; content: MUR_PAGES_IN_FILE, or
 * one of the others for a new file: with MUR_PAGES_IN_STORE the first checkpoint writes all pages.
 * Checkpoints ignore the host's own writes into the store. Destroying the pager writes nothing. */

typedef struct MurPagerFrame {
    const void *pNext;
    /* Above the last one's; 1 or more. Its low 32 bits are the number for murGetPagerRef and
     * MurPagerUpdate. */
    uint64_t frame;
    /* All frames up to this one have finished on the GPU, as shown by a fence or a semaphore. At
     * least frame - framesInFlight, below frame; 0: none yet. */
    uint64_t completedFrame;
    /* Begin a checkpoint in this frame, if none is under way. */
    VkBool32 checkpoint;
} MurPagerFrame;

/* Begins a frame: takes requests of completed frames for the file, and hands over pages that were
 * read and pages that were held. Submit a murCmdUpdatePager with this frame after it, or destroy
 * the pager. pFlags: written with the flags for it: MUR_PAGER_UPDATE_CHECKPOINT, or 0.
 * MUR_ERROR_INVALID_ARGUMENT, and nothing changed: there is no file, or frames are out of order.
 * One thread at a time per pager; concurrent with all else. */
MUR_API VkResult murBeginPagerFrame(MurPager pager, const MurPagerFrame *pFrame,
                                    MurPagerUpdateFlags *pFlags);

/* Reads requested pages, those of the last frame and of the highest priority first, and writes
 * pages of a checkpoint, in turn, at most maxPages in all; commits the checkpoint after its last
 * page. *pPages, optional: their number. VK_SUCCESS, also if there was nothing to do; or the last
 * error of the file. Waits only for the file. If the pager has no file, fails with
 * MUR_ERROR_INVALID_ARGUMENT. Any thread, concurrent with all else except murDestroyPager. Several
 * threads read at the same time, if the file supports that, while at most one writes. */
MUR_API VkResult murProcessPagerIo(MurPager pager, uint32_t maxPages, uint32_t *pPages);

/* Writes and commits the checkpoint of the last frame begun, for an engine that exits: the frame's
 * murCmdUpdatePager had MUR_PAGER_UPDATE_CHECKPOINT, and the device has finished it. Results as of
 * murProcessPagerIo; VK_SUCCESS: the file has the pages as they are. MUR_ERROR_INVALID_ARGUMENT:
 * the last frame began no checkpoint, such as while another one runs; begin one more frame.
 * Concurrent with no other function of the pager; next call another frame's, or murDestroyPager. */
MUR_API VkResult murDrainPagerIo(MurPager pager);

typedef struct MurPagerStatus {
    uint64_t frame;   /* the last begun */
    uint64_t read;    /* pages, from the file */
    uint64_t written; /* pages, to the file, committed or not */
    /* The frame whose checkpoint the file has, the last that was committed; 0: none yet. */
    uint64_t checkpoint;
    /* The frame whose checkpoint is under way; 0: none. */
    uint64_t checkpointUnderWay;
    uint64_t failures;    /* of the file's calls */
    VkResult lastFailure; /* the last error; VK_SUCCESS: none yet */
    int32_t systemError;  /* errno of that error */
    uint32_t failedPage;  /* its page; MUR_NO_PAGE: a commit */
    uint32_t waiting;     /* pages that are to be read */
    uint32_t arrived;     /* pages that were read and wait for the next frame */
} MurPagerStatus;

/* Returns the last known status without waiting. Zero for NULL and without a file. Any thread. */
MUR_API void murGetPagerStatus(MurPager pager, MurPagerStatus *pStatus);

#ifdef __cplusplus
}
#endif
#endif
