/* Murmuration, optional: hash tables that are larger than the GPU's memory. Their parts are pages
 * of a pager (pager.h): some are on the GPU, all are in host memory, and shaders use those that are
 * there, in the same dispatch in which they ask for others.
 *
 * A key belongs to a *group*, its neighbourhood: pages are worth having when what is used together
 * lies together. Which group is the engine's choice (MurPageLocality): bits of the key, as of the
 * coordinates of a cell; a name that each call gives; or none, and pages are chosen by the hash. A
 * group has one page, or as many as its keys need; further bits of the hash choose among them. A
 * lookup reads one page. Each page is a small table, byte for byte what murHostAttach takes.
 *
 *     uint value;
 *     uint status = mur_paged_find(paged, key, priority, value);   // MUR_PAGED in murmuration.glsl
 *     if (status == MUR_NOT_RESIDENT) ...                          // its page was asked for
 *     mur_paged_upsert(paged, key, 1u);                            // done, or MUR_PENDING
 *
 * and once a frame murCmdPageTable, instead of murCmdPage, brings in what was asked for and does
 * what was pending.
 *
 *   Lookups  say MUR_FOUND, MUR_ABSENT, or MUR_NOT_RESIDENT: then the page that the key would be in
 *            is not there, or has not all of what was written to it. Absent is exact, and a value
 *            is never one that an earlier frame's write has replaced. A group that has no page is
 *            absent without a page.
 *   Writes   on a page that is there are done at once, with the status and by the concurrency
 *            contract of murmuration.h. All others are noted in a log: MUR_PENDING. The
 *            murCmdPageTable that makes the page resident does them, those that were noted before
 *            one of its calls before those noted after it, in any order between two calls. Each is
 *            done once, and a later write of the key never before it. Erases and updates of keys
 *            that have no page are MUR_ABSENT at once. Values that are reserved are refused at
 *            once. With the log full a write does nothing, says MUR_FULL and is counted.
 *   Growth   a page that has no slot for a key within probeLimit splits, or, if half of it is
 *            erased keys, is put together anew; the write that found it so is pending. Up to
 *            MUR_PAGE_SPLITS pages split in one call; entries for others wait for the next. When
 *            there are no page numbers left, pages are filled to their last slot; what does not fit
 *            even then stays in the log, and MurPagedStats.stuck counts it.
 *   Slots    are no names of entries here: a split moves keys. Let values say where payload is.
 *
 * The log and all else that a paged table needs besides its pages is in its own memory on the GPU.
 * After a lost device that is lost, but for what a checkpoint, or murCmdFlushPagedTable, has put
 * into the store.
 *
 * The host fills and reads such a table by the bulk commands below, whose arrays may lie in its
 * memory: murCmdPagedBuild, murCmdPagedInsert, murCmdPagedExtract.
 *
 * A pager with a file keeps it, too: its last pages (MurPagedTableRequirements.keptPages) are the
 * table's own, and murCmdPageTable with MUR_PAGING_CHECKPOINT writes into them what has changed. So
 * a checkpoint is the table as it was at one murCmdPageTable, before that did what was pending:
 * pages, groups and the log. A table that is made like it over the reopened file goes on from
 * there, with murReadPagedTable and MUR_PAGES_IN_FILE; what was pending is done when its page is
 * resident, before all that is written from then on: none is lost, none is done twice. Of several
 * murCmdPageTable in a frame the first takes the checkpoint; the flag of the others does nothing.
 *
 * Pages that the pager is told to bring in, to pin or to flush by its own commands are as welcome;
 * but murCmdPage and murCmdClearPager are this table's to record.
 *
 * All else (queues, entry and exit stages and accesses, state, cost, errors) as murmuration.h says
 * of all commands; the commands below want table and pager to themselves, as pager.h says. Of many
 * murCmdPageTable in one command buffer, each needs a barrier before it, like murCmdBarrier.
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
    /* By the key: its group is (key >> shift) & mask, of 32 bits. */
    MUR_PAGE_BY_KEY = MUR_PAGED_BY_KEY,
    /* By the call: calls in shaders take the group, any 32 bits, before the key. The same key in
     * two groups is two keys. */
    MUR_PAGE_BY_NAME = MUR_PAGED_BY_NAME,
    /* By the hash alone: for keys without neighbours. As much of a random key's pages is there as
     * of all pages. */
    MUR_PAGE_BY_HASH = MUR_PAGED_BY_HASH
} MurPageLocality;

typedef struct MurPagedTableCreateInfo {
    const void *pNext;
    /* Required; outlives the table and serves nothing else. */
    MurPager pager;
    /* As of tables (MurTableCreateInfo). */
    MurFormat format;
    MurReservedValue reservedValue;
    MurAtomicWidth atomicWidth;
    uint32_t seed;
    MurPageLocality locality;
    uint32_t shift; /* by key: 0 to 31, or 63 for 64-bit keys */
    uint32_t mask;  /* by key; 0: all bits */
    /* By hash: pages to begin with, 1 to the pager's pageCount; 0: 1. */
    uint32_t basePages;
    /* Slots from its home that a new key may be, at least, before its page splits, rounded up to
     * sectors. 0: 128. */
    uint32_t probeLimit;
    /* Writes that the log holds: 1 to 2^24; 0: 65536. 64 bytes each, and 20 of work space. */
    uint32_t maxPending;
    /* Memory for ways to pages of groups with more than one: 4 bytes each. A group of n pages takes
     * about 4n, and the same again while it grew. 0: 8 a page of the pager. */
    uint32_t maxLeaves;
    /* On the GPU, the engine's, as murGetPagedTableRequirements says; a larger size is taken. All
     * zero: the library allocates, and frees with the table. */
    MurBufferRange memory;
    /* With VK_TRUE the last pages of the pager (MurPagedTableRequirements.keptPages) are not for
     * entries but for all else that the table has, so that the store can be the whole table: for
     * murCmdFlushPagedTable and MUR_PAGES_IN_STORE. With a file it is always so. */
    VkBool32 kept;
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
    /* Pages at the end of the pager's that are not for entries: if the table is kept or there is a
     * file, room for all of size but 20 bytes an entry of the log, 4 a frame and some pages. Else
     * 0. */
    uint32_t keptPages;
} MurPagedTableRequirements;

/* What a paged table needs besides its pager. Ignores memory and pName. Any thread. */
MUR_API VkResult murGetPagedTableRequirements(MurContext context,
                                              const MurPagedTableCreateInfo *pCreateInfo,
                                              MurPagedTableRequirements *pRequirements);

/* Makes a table, and the pipelines for its kind if this is the first; those stay with the context
 * even if the table fails. Its contents are undefined until murCmdClearPagedTable has executed.
 * MUR_ERROR_INVALID_ARGUMENT, MUR_ERROR_UNSUPPORTED (64-bit atomics); Vulkan's own. */
MUR_API VkResult murCreatePagedTable(MurContext context, const MurPagedTableCreateInfo *pCreateInfo,
                                     MurPagedTable *pTable);

/* GPU work that uses the table must have finished; the pager is destroyed after it. NULL: no
 * effect. */
MUR_API void murDestroyPagedTable(MurPagedTable table);

/* The table as shaders of this frame of the engine see it: 128 bytes for a uniform or storage
 * buffer, or push constants. 8-byte aligned in push constants and std430, 16-byte in std140. All
 * zero for NULL. Any thread. */
MUR_API MurPagedRef murGetPagedTableRef(MurPagedTable table, uint32_t frame);

/* Reads from the pager's file what it has of the table besides its pages, in the calling thread,
 * into the store, for murCmdClearPagedTable. Before the pager's first frame.
 *     MUR_ERROR_BAD_IMAGE         the file has no table, or one of another description (all but
 *                                 atomicWidth and the pager's frames must be the same, and the
 *                                 pager's pages, too); or a page is damaged
 *     MUR_ERROR_INVALID_ARGUMENT  there is no file
 *     the file's own errors */
MUR_API VkResult murReadPagedTable(MurPagedTable table);

/* Makes table, log and pager what content says; needed once before first use. MUR_PAGES_ZERO: they
 * are empty; for a file that is new, too. MUR_PAGES_IN_FILE: they are what the file has, after
 * murReadPagedTable. MUR_PAGES_IN_STORE: they are what the store has, for tables that are kept:
 * murCmdFlushPagedTable has put it there, or the host a copy of it, before this is recorded. All
 * else as murCmdClearPager. MUR_ERROR_BAD_IMAGE: the store has no table, or one of another
 * description, as for murReadPagedTable.
 *
 *   Records  three; up to eleven for a store of several chunks. */
MUR_API VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table,
                                       MurPageContent content);

/* Makes the store the whole table, of one that is kept: writes all dirty pages back, as
 * murCmdFlushPager, and what the table has besides them, the log too. After a barrier from
 * MUR_EXIT_* to host reads and a fence the host may save all pages of the pager
 * (murGetPagerStorePage); a pager like this one goes on from their bytes. With a file ask for a
 * checkpoint instead: MUR_ERROR_INVALID_ARGUMENT.
 *
 *   Records  two; one where all is resident. */
MUR_API VkResult murCmdFlushPagedTable(VkCommandBuffer cmd, MurPagedTable table);

typedef struct MurTablePaging {
    const void *pNext;
    /* As for murCmdPage. Pages with pending writes are asked for first, with priority 255. */
    MurPaging paging;
    /* Optional; written: a MurPagedStats, at a multiple of 8 bytes. */
    MurArray stats;
} MurTablePaging;

/* murCmdPage for the pager of a paged table, and does what is pending and can be done: makes pages
 * for groups that have none, brings in pages of pending writes, does all writes whose pages are
 * resident then, and splits those that are full.
 *
 *   Records  twelve; eight where all is resident; with a file thirteen, three more for a
 *            checkpoint. */
MUR_API VkResult murCmdPageTable(VkCommandBuffer cmd, MurPagedTable table,
                                 const MurTablePaging *pPaging);

/* ---- Batches -------------------------------------------------------------------------------- */

/* A batch of operations, one item each, run in no particular order and all at the same time. The
 * arrays may lie in host memory that the GPU sees. */
typedef struct MurPagedBatch {
    const void *pNext;
    uint32_t maxCount;            /* as MurBatch; 0 records nothing */
    VkDeviceAddress countAddress; /* as MurBatch; optional */
    /* With MUR_PAGE_BY_NAME required, else none; read. The group of each key, 32 bits. */
    MurArray names;
    MurArray keys; /* required; read */
    /* As MurBatch: read by inserts, required; written by finds and erases, optional. */
    MurArray values;
    MurArray statuses; /* optional; written */
    /* Required; at a multiple of 256 bytes: memory for the command's own use while it executes, as
     * murGetPagedScratchSize says, or less. */
    MurArray scratch;
} MurPagedBatch;

/* Bytes of scratch with which bulk commands on so many items are fastest; and the least that one
 * takes: that leaves two pages on the way between store and GPU at a time. 28 bytes an item, 16 a
 * page of the pager, and up to 1024 pages. maxCount: 0 for commands without a batch. Both 0 for
 * NULL; any thread. */
MUR_API VkDeviceSize murGetPagedScratchSize(MurPagedTable table, uint32_t maxCount);
MUR_API VkDeviceSize murGetPagedScratchMinimum(MurPagedTable table, uint32_t maxCount);

/* Bulk commands over all pages, resident or not: the batch is sorted by page, then each page that
 * has items is used where it is, in its frame, or read from the store and, if it has changed,
 * written back, both directions at once, at the speed of the link to host memory. What is resident
 * stays so, and nothing else becomes it. Items are done at once, with the statuses of murCmdInsert,
 * murCmdFind and murCmdErase, but those
 *   - whose page has pending writes, or is in the file, or is written and held by a checkpoint:
 *     finds say MUR_NOT_RESIDENT, writes go to the log: MUR_PENDING. After a murCmdPageTable that
 *     has left nothing pending there are none, but for the file's.
 *   - that find their page full: MUR_PENDING. The next murCmdPageTable splits it.
 * With the log full both say MUR_FULL, are not done, and are counted. Nothing is lost: let the
 * statuses tell what to give again.
 *
 * Growth. A bulk command splits no page. Many new keys come in without waiting where pages are
 * there for them: by hash, with basePages for as many keys as there will be, or after
 * murCmdPagedRehash. A group of many new keys grows from page to page: insert; murCmdPageTable
 * until MurPagedStats.pending is 0 (MUR_PAGE_SPLITS pages split in each); and insert again those
 * that were told MUR_FULL, until there are none. Each round takes as many as the log holds, at
 * least. Keys that are left pending by MurPagedStats.stuck want more pages than there are.
 *
 *   Beside   nothing.
 *   Records  at most ten. */
MUR_API VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                                   const MurPagedBatch *pBatch);
MUR_API VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table,
                                 const MurPagedBatch *pBatch);
MUR_API VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table,
                                  const MurPagedBatch *pBatch);

/* murCmdClearPagedTable and murCmdPagedInsert in one: replaces what was there, log and pager
 * included, and needs no clear before first use. With maxCount 0 it only clears.
 *
 *   Beside   nothing.
 *   Records  at most twenty-one. */
MUR_API VkResult murCmdPagedBuild(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                                  const MurPagedBatch *pBatch);

/* ---- All pages ------------------------------------------------------------------------------ */

typedef struct MurPagedExtract {
    const void *pNext;
    /* Elements that each array given holds. 0: only count. */
    uint32_t maxCount;
    /* Of pages of these numbers alone, so that a table larger than any array comes out in parts:
     * from firstPage on so many; 0: all. As many numbers are given out as MurPagedStats.pages. */
    uint32_t firstPage, pageCount;
    /* Required: address, a multiple of 4, of a 32-bit word, written with the number of entries that
     * satisfy all predicates, also when that is more than maxCount. */
    VkDeviceAddress countAddress;
    /* Optional, likewise; written with the number of pages that are in the file alone: what is in
     * them is neither counted nor written. */
    VkDeviceAddress leftAddress;
    /* Optional; written: the first maxCount entries, in no particular order. names: with
     * MUR_PAGE_BY_NAME, else none. The arrays may lie in host memory that the GPU sees. */
    MurArray names;
    MurArray keys;
    MurArray values;
    MurPredicate predicates[MUR_MAX_PREDICATES];
    MurArray scratch; /* required, as MurPagedBatch.scratch for no items; the least is as good */
} MurPagedExtract;

/* Writes the entries of all pages, resident or not, or those for which all predicates hold,
 * densely. Writes that are pending are not in their pages yet: after a murCmdPageTable that has
 * left nothing pending, these are all entries. Pages are read where they are; none changes.
 *
 *   Beside   finds.
 *   Records  at most six. */
MUR_API VkResult murCmdPagedExtract(VkCommandBuffer cmd, MurPagedTable table,
                                    const MurPagedExtract *pExtract);

typedef struct MurPagedRehash {
    const void *pNext;
    /* Optional: addresses, multiples of 4, of 32-bit words; written with the number of pages that
     * were split, and of those that were not and stay as they are, since there was no page number
     * or no memory for leaves (maxLeaves) for them, or because writes to them are pending, or they
     * are in the file, or held by a checkpoint and not resident. */
    VkDeviceAddress countAddress;
    VkDeviceAddress leftAddress;
    MurArray scratch; /* required, as MurPagedBatch.scratch for no items */
} MurPagedRehash;

/* From n pages to 2n: every page that has entries splits, by the next bit of the hash; erased keys
 * are left behind. For tables with MUR_PAGE_BY_HASH: before many new keys come, instead of splits
 * one by one. Pages come in and go out as in commands on batches.
 * MUR_ERROR_INVALID_ARGUMENT: the table's pages are chosen otherwise.
 *
 *   Beside   nothing.
 *   Records  at most seven. */
MUR_API VkResult murCmdPagedRehash(VkCommandBuffer cmd, MurPagedTable table,
                                   const MurPagedRehash *pRehash);

#ifdef __cplusplus
}
#endif
#endif
