/* Murmuration, optional: hash tables that are larger than the GPU's memory. A table's parts are
 * pages of a pager (pager.h): all are in host memory, some are on the GPU, and shaders use these in
 * the same dispatch in which they request others.
 *
 * A key belongs to a *partition*. Pages pay where keys that are used together lie together, so the
 * engine chooses the partitions (MurPageLocality): by bits of the key, such as the coordinates of a
 * cell; by a number that each call gives; or none, and the hash chooses the page. A partition has
 * one page, or as many as its keys need; further bits of the hash choose among them. A lookup reads
 * one page. Each page is a small table, byte for byte as murHostAttach accepts it.
 *
 *     uint value;
 *     uint status = mur_paged_find(paged, key, priority, value);   // MUR_PAGED in murmuration.glsl
 *     if (status == MUR_NOT_RESIDENT) ...                          // its page was requested
 *     mur_paged_assign(paged, key, 1u);                            // done, or MUR_PENDING
 *
 * Once a frame murCmdUpdatePagedTable, instead of murCmdUpdatePager, loads the requested pages and
 * applies the log.
 *
 *   Lookups  return MUR_FOUND, MUR_ABSENT, or MUR_NOT_RESIDENT if the key's page is not on the GPU
 *            or lacks logged writes. MUR_ABSENT is exact; it needs no page if the partition has
 *            none. A value is never one that a write before the last murCmdUpdatePagedTable has
 *            replaced.
 *   Writes   to a resident page are done at once, with the status and by the concurrency contract
 *            of murmuration.h. All others are logged: MUR_PENDING. The murCmdUpdatePagedTable that
 *            makes the page resident applies them, each once. Erases and updates of keys that have
 *            no page return MUR_ABSENT at once, empty values MUR_INVALID_VALUE. If the log is full
 *            a write does nothing, returns MUR_FULL and is counted.
 *   Order    The unit of order is the call of murCmdUpdatePagedTable, not the frame and not the
 *            dispatch: all writes before a call come before all writes after it. Between two calls
 *            a logged write may come before or after any other of its key, whatever barriers are
 *            there; writes that are done at once are ordered as those of tables.
 *   Growth   A page that has no slot for a key within probeLimit splits, or, if no more than half
 *            of its slots hold entries, is rebuilt without erased keys; the write that found it
 *            full is logged. One call splits at most MUR_PAGE_SPLITS pages; entries for others wait
 *            for the next. When no page numbers are left, pages are filled to their last slot;
 *            further writes stay in the log, and MurPagedStats.stuck counts them.
 *   Slots    are not stable: a split moves keys. Store the payload's position in values.
 *
 * The log and the directory of pages are in the table's own memory on the GPU. They are lost with
 * the device, except the data that a checkpoint or murCmdFlushPagedTable has put into the store.
 *
 * The host fills and reads a table by the bulk commands below, whose arrays may lie in host memory:
 * murCmdPagedBuild, murCmdPagedInsert, murCmdPagedExtract.
 *
 * With a file behind the pager, its last pages (MurPagedTableRequirements.persistentPages) hold the
 * table's own memory, and murCmdUpdatePagedTable with MUR_PAGER_UPDATE_CHECKPOINT writes the
 * changes into them. So a checkpoint is the table as it was when one murCmdUpdatePagedTable began:
 * pages, partitions and the log. A table of the same description goes on from the reopened file, by
 * murReadPagedTable and MUR_PAGES_IN_FILE: its logged writes are applied before all that is written
 * from then on, each once. Of several murCmdUpdatePagedTable in a frame the first takes the
 * checkpoint; the flag of the others does nothing.
 *
 * The pager's own commands may bring in, pin and flush a table's pages; murCmdUpdatePager and
 * murCmdClearPager may not be recorded for its pager.
 *
 * All else (queues, entry and exit stages and accesses, state, cost, errors) is as for all commands
 * in murmuration.h. The commands below require exclusive access to table and pager, as in pager.h.
 * Of several murCmdUpdatePagedTable in one command buffer, each needs a barrier before it, like
 * murCmdBarrier.
 *
 * Thread-safety: as of tables.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_PAGED_H
#define MURMURATION_PAGED_H

#include <murmuration/paged_layout.h>
#include <murmuration/pager.h>

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(MurPagedTable)

/* How keys are distributed among pages. */
typedef enum MurPageLocality {
    /* By the key: its partition is (key >> shift) & mask, 32 bits. */
    MUR_PAGE_BY_KEY = MUR_PAGED_BY_KEY,
    /* By the call: calls in shaders take the partition, any 32 bits, before the key. The same key
     * in two partitions is two keys. */
    MUR_PAGE_BY_PARTITION = MUR_PAGED_BY_PARTITION,
    /* By the hash alone: for keys without neighbours. A random key's page is resident as often as
     * any page is. */
    MUR_PAGE_BY_HASH = MUR_PAGED_BY_HASH
} MurPageLocality;

typedef struct MurPagedTableCreateInfo {
    const void *pNext;
    /* Required; outlives the table and serves nothing else. */
    MurPager pager;
    /* As of tables (MurTableCreateInfo). A type of host.h will do: a paged table needs no other
     * kernels of it. Buckets, multi-value tables and rows have no pages. */
    MurType type;
    MurEmptyValue emptyValue;
    MurAtomicWidth atomicWidth;
    uint32_t seed;
    MurPageLocality locality;
    uint32_t partitionShift; /* by key: 0 to 31, or 63 for 64-bit keys */
    uint32_t partitionMask;  /* by key; 0: all bits */
    /* By hash: pages at the beginning, 1 to the pager's pageCount; 0: 1. */
    uint32_t basePages;
    /* How many slots from its home a new key may be before its page splits, rounded up to sectors.
     * 0: 128. */
    uint32_t probeLimit;
    /* Writes that the log holds: 1 to 2^24; 0: 65536. 64 bytes each, and 20 of work space. */
    uint32_t maxPending;
    /* Leaves of the directory, 4 bytes each: one for each value of the bits of the hash that choose
     * among a partition's pages. A partition of n pages takes about 4n, and as many again while it
     * grows. 0: 8 a page of the pager. */
    uint32_t maxLeaves;
    /* The engine's memory on the GPU, of the size from murGetPagedTableRequirements or larger. All
     * zero: the library allocates it, and frees it with the table. */
    MurBufferRange memory;
    /* With VK_TRUE the last pages of the pager (MurPagedTableRequirements.persistentPages) are
     * for the table's own memory, so that the store can hold the whole table: for
     * murCmdFlushPagedTable and MUR_PAGES_IN_STORE. With a file it is always so. */
    VkBool32 persistent;
    /* Optional, for debuggers. Copied. */
    const char *pName;
} MurPagedTableCreateInfo;

typedef struct MurPagedTableRequirements {
    VkDeviceSize size;
    VkDeviceSize alignment;                 /* of the device address; a power of two */
    VkBufferUsageFlags usage;               /* and VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT */
    VkMemoryPropertyFlags memoryProperties; /* recommended */
    /* The table in a page: keys that always fit, and slots. */
    uint32_t pageCapacity;
    uint32_t pageSlots;
    /* If the table is kept or there is a file, the last pages of the pager, which hold no entries
     * but the table's own memory: all of size but 20 bytes an entry of the log, 4 a pool page and
     * the room for splits. Else 0. */
    uint32_t persistentPages;
} MurPagedTableRequirements;

/* Returns the memory of a paged table, not its pager's. Ignores memory and pName. Any thread. */
MUR_API VkResult murGetPagedTableRequirements(MurContext context,
                                              const MurPagedTableCreateInfo *pCreateInfo,
                                              MurPagedTableRequirements *pRequirements);

/* Makes a table, and the pipelines of its kind if it is the first; those stay with the context even
 * if making the table fails. Its contents are undefined until murCmdClearPagedTable has executed.
 * MUR_ERROR_INVALID_ARGUMENT, MUR_ERROR_UNSUPPORTED (64-bit atomics); Vulkan's own. */
MUR_API VkResult murCreatePagedTable(MurContext context, const MurPagedTableCreateInfo *pCreateInfo,
                                     MurPagedTable *pTable);

/* GPU work that uses the table must have finished. Destroy the pager after it. NULL: no effect. */
MUR_API void murDestroyPagedTable(MurPagedTable table);

/* The table as shaders of this frame see it: 128 bytes for a uniform or storage
 * buffer, or push constants. 8-byte aligned in push constants and std430, 16-byte in std140. All
 * zero for NULL. Any thread. */
MUR_API MurPagedRef murGetPagedTableRef(MurPagedTable table, uint32_t frame);

/* Reads the table's own memory from the pager's file into the store, in the calling thread, for
 * murCmdClearPagedTable. Call it before the pager's first frame.
 *     MUR_ERROR_CORRUPT         the file has no table, or one of another description (all but
 *                                 atomicWidth and poolPageCount must be the same, the pager's
 *                                 pages included); or a page is damaged
 *     MUR_ERROR_INVALID_ARGUMENT  there is no file
 *     the file's own errors */
MUR_API VkResult murReadPagedTable(MurPagedTable table);

/* Gives table, log and pager their contents; needed once before first use.
 *     MUR_PAGES_ZERO      empty; for a new file, too
 *     MUR_PAGES_IN_FILE   the file's content; after murReadPagedTable
 *     MUR_PAGES_IN_STORE  the store's content, of persistent tables: murCmdFlushPagedTable, or
 *                         a copy that the host has made, put it there before this is recorded
 * All else as murCmdClearPager. MUR_ERROR_CORRUPT: the store has no table, or one of another
 * description, as for murReadPagedTable.
 *
 *   Dispatches  three; up to eleven for a store of several chunks. */
MUR_API VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table,
                                       MurPageContent content);

/* Completes the store of a persistent table: writes all dirty pages back, as murCmdFlushPager, and
 * the table's own memory, the log included. After a barrier from MUR_EXIT_* to host reads and a
 * fence the host may save all pages of the pager (murGetPagerStorePage); a pager of the same
 * description goes on from their bytes. With a file use a checkpoint instead:
 * MUR_ERROR_INVALID_ARGUMENT.
 *
 *   Dispatches  two; one where all is resident. */
MUR_API VkResult murCmdFlushPagedTable(VkCommandBuffer cmd, MurPagedTable table);

typedef struct MurPagedTableUpdate {
    const void *pNext;
    /* As for murCmdUpdatePager. Pages with logged writes are asked for with priority 255. */
    MurPagerUpdate pager;
    /* Optional; written: a MurPagedStats, at a multiple of 8 bytes. */
    MurArray stats;
} MurPagedTableUpdate;

/* Makes pages for partitions that have logged writes and no page, runs murCmdUpdatePager, then
 * applies each logged write whose page is resident, and splits pages that are full.
 *
 *   Dispatches  twelve; eight where all is resident; with a file thirteen, three more for a
 *               checkpoint. */
MUR_API VkResult murCmdUpdatePagedTable(VkCommandBuffer cmd, MurPagedTable table,
                                        const MurPagedTableUpdate *pUpdate);

/* ---- Batches -------------------------------------------------------------------------------- */

/* A batch of operations, one an item, run in no particular order and all at the same time. The
 * arrays may lie in host memory that the GPU sees. */
typedef struct MurPagedBatch {
    const void *pNext;
    uint32_t maxCount;            /* as MurBatch; 0 records nothing */
    VkDeviceAddress countAddress; /* as MurBatch; optional */
    /* With MUR_PAGE_BY_PARTITION required, else none; read: of each key, 32 bits. */
    MurArray partitions;
    MurArray keys; /* required; read */
    /* As MurBatch: read by inserts, required; written by finds and erases, optional. */
    MurArray values;
    MurArray statuses; /* optional; written */
    /* Required; at a multiple of 256 bytes: memory that the command uses while it executes, from
     * murGetPagedScratchMinimum to murGetPagedScratchSize bytes. */
    MurArray scratch;
} MurPagedBatch;

/* Returns the bytes of scratch with which bulk commands on maxCount items are fastest, and the
 * minimum, with which a command moves two pages at a time between store and GPU. 28 bytes an item,
 * 16 a page of the pager, and up to 1024 pages. maxCount: 0 for commands without a batch. Both 0
 * for NULL; any thread. */
MUR_API VkDeviceSize murGetPagedScratchSize(MurPagedTable table, uint32_t maxCount);
MUR_API VkDeviceSize murGetPagedScratchMinimum(MurPagedTable table, uint32_t maxCount);

/* Bulk commands over all pages, resident or not. The batch is sorted by page; each page that has
 * items is used in its pool page, or read from the store and, if it has changed, written back,
 * both directions at once, at the speed of the link to host memory. No page becomes resident, none
 * is evicted. Items are done at once, with the statuses of murCmdInsert, murCmdFind and
 * murCmdErase, except those
 *   - whose page has logged writes, is in the file, or, for writes, is held by a checkpoint and not
 *     resident: finds return MUR_NOT_RESIDENT, writes are logged: MUR_PENDING. After a
 *     murCmdUpdatePagedTable that has left nothing pending, only pages in the file cause this.
 *   - that find their page full: MUR_PENDING. The next murCmdUpdatePagedTable splits it.
 * If the log is full, writes return MUR_FULL, are not done, and are counted: the statuses show
 * which to submit again.
 *
 * Growth. A bulk command splits no page. Many new keys go in at once where pages are there for
 * them: by hash, with basePages for as many keys as there will be, or after murCmdPagedRehash. A
 * partition of many new keys grows from page to page: insert; murCmdUpdatePagedTable until
 * MurPagedStats.pending is 0 (MUR_PAGE_SPLITS pages split in each); and insert again those with
 * status MUR_FULL, until there are none. Each round takes at least as many as the log holds. Keys
 * that MurPagedStats.stuck counts need more pages than there are.
 *
 *   Concurrent  nothing.
 *   Dispatches  at most ten. */
MUR_API VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                                   const MurPagedBatch *pBatch);
MUR_API VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table,
                                 const MurPagedBatch *pBatch);
MUR_API VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table,
                                  const MurPagedBatch *pBatch);

/* murCmdClearPagedTable and murCmdPagedInsert in one: replaces all contents, log and pager
 * included, and needs no clear before first use. With maxCount 0 it only clears.
 *
 *   Concurrent  nothing.
 *   Dispatches  at most twenty-one. */
MUR_API VkResult murCmdPagedBuild(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                                  const MurPagedBatch *pBatch);

/* ---- All pages ------------------------------------------------------------------------------ */

typedef struct MurPagedExtract {
    const void *pNext;
    /* Elements that each array given holds. 0: only count. */
    uint32_t maxCount;
    /* Only pages from number firstPage on, pageCount of them; 0: all. So a table larger than any
     * array comes out in parts. Numbers below MurPagedStats.pages are in use. */
    uint32_t firstPage, pageCount;
    /* Required: address, a multiple of 4, of a 32-bit word, written with the number of entries that
     * satisfy all predicates, also when that is more than maxCount. */
    VkDeviceAddress countAddress;
    /* Optional; written with the number of pages that are in the file only: their entries are
     * neither counted nor written. */
    VkDeviceAddress leftAddress;
    /* Optional; written: the first maxCount entries, in no particular order. partitions: with
     * MUR_PAGE_BY_PARTITION, else none. The arrays may lie in host memory that the GPU sees. */
    MurArray partitions;
    MurArray keys;
    MurArray values;
    MurPredicate predicates[MUR_MAX_PREDICATES];
    MurArray scratch; /* required, as MurPagedBatch.scratch for no items; the least is as good */
} MurPagedExtract;

/* Writes the entries of all pages, resident or not, for which all predicates hold, densely. Logged
 * writes are not in their pages yet: after a murCmdUpdatePagedTable that has left nothing pending,
 * these are all entries. Pages are read where they are; none changes.
 *
 *   Concurrent  finds.
 *   Dispatches  at most six. */
MUR_API VkResult murCmdPagedExtract(VkCommandBuffer cmd, MurPagedTable table,
                                    const MurPagedExtract *pExtract);

typedef struct MurPagedRehash {
    const void *pNext;
    /* Optional: addresses, multiples of 4, of 32-bit words; written with the number of pages that
     * were split, and of those that were not: because page numbers or leaves (maxLeaves) ran out,
     * or because they have logged writes, are in the file, or are held by a checkpoint and not
     * resident. */
    VkDeviceAddress countAddress;
    VkDeviceAddress leftAddress;
    MurArray scratch; /* required, as MurPagedBatch.scratch for no items */
} MurPagedRehash;

/* From n pages to 2n: every page that has entries splits, by the next bit of the hash, and leaves
 * erased keys behind. For tables with MUR_PAGE_BY_HASH, before many new keys come, instead of
 * splits one by one. Pages are read and written as by commands on batches.
 * MUR_ERROR_INVALID_ARGUMENT: the table's pages are chosen otherwise.
 *
 *   Concurrent  nothing.
 *   Dispatches  at most nine. */
MUR_API VkResult murCmdPagedRehash(VkCommandBuffer cmd, MurPagedTable table,
                                   const MurPagedRehash *pRehash);

#ifdef __cplusplus
}
#endif
#endif
