/* Murmuration, optional: paged tables, hash tables that are larger than GPU memory. The slots of a
 * table are in pages of a pager (pager.h): all pages are in host memory, some are also on the GPU.
 * One dispatch can use resident pages and request others.
 *
 * A key belongs to a *partition*. Paging is efficient if keys that are used together are in the
 * same pages. Therefore the engine chooses the partitions (MurPageLocality): by bits of the key,
 * such as the coordinates of a cell; by a number that each call passes; or none, and the hash
 * chooses the page. A partition has one page, or as many as its keys need; more bits of the hash
 * then choose among them. A lookup reads one page. Each page is a small table, in the bytes that
 * murHostAttach accepts.
 *
 *     uint value;
 *     uint status = mur_paged_find(paged, key, priority, value);   // MUR_PAGED in murmuration.glsl
 *     if (status == MUR_NOT_RESIDENT) ...                          // its page was requested
 *     mur_paged_assign(paged, key, 1u);                            // done, or MUR_PENDING
 *
 * Once per frame record murCmdUpdatePagedTable instead of murCmdUpdatePager. It loads the requested
 * pages and applies the logged writes. "Update" below means this command.
 *
 *   Lookups  return MUR_FOUND, MUR_ABSENT, or MUR_NOT_RESIDENT if the key's page is not resident or
 *            lacks logged writes. MUR_ABSENT is exact, and needs no page if the partition has none.
 *            A lookup never returns a value that a write before the last update has replaced.
 *   Writes   to a resident page execute immediately, with the statuses and the concurrency contract
 *            of murmuration.h. Other writes are logged and return MUR_PENDING. The update that
 *            makes the page resident applies each once. Erases and updates of keys without a page
 *            return MUR_ABSENT at once; writes of the empty value return MUR_INVALID_VALUE. If the
 *            log is full, a write has no effect, returns MUR_FULL and is counted.
 *   Order    All writes before an update take effect before all writes after it. Frames, dispatches
 *            and barriers do not order logged writes: between two updates, a logged write may take
 *            effect before or after any other write of its key. Immediate writes are ordered like
 *            those of other tables.
 *   Growth   If a page has no slot for a key within probeLimit, the write is logged and the page
 *            splits. If at most half of its slots have entries, it is instead rebuilt without
 *            erased keys. An update splits at most MUR_PAGE_SPLITS pages; entries for other pages
 *            wait for the next update. If no page numbers are left, pages are filled to their last
 *            slot. Further writes then stay in the log, and MurPagedStats.stuck counts them.
 *   Slots    are not stable: a split moves keys. Store the payload's index in values.
 *
 * The log and the directory of pages are in the table's own memory on the GPU. A lost device loses
 * them, except the data that a checkpoint or murCmdFlushPagedTable has written to the store.
 *
 * The host fills and reads a table by the bulk commands below, whose arrays may be in host memory:
 * murCmdPagedBuild, murCmdPagedInsert, murCmdPagedExtract.
 *
 * If the pager has a file, its last pages (MurPagedTableRequirements.persistentPages) store the
 * table's own memory; updates with MUR_PAGER_UPDATE_CHECKPOINT write it. So a checkpoint contains
 * the table as it was at the beginning of an update: pages, partitions and the log. A table with
 * the same description continues from the reopened file, by murReadPagedTable and
 * MUR_PAGES_IN_FILE. The writes of its log are applied, each once, before all later writes. If a
 * frame has several updates, the first takes the checkpoint and the others ignore the flag.
 *
 * Larger than host memory. If the pager's hostPageCount is below its pageCount, host memory is a
 * cache of the file. A page that is not in host memory is only in the file, as before its first
 * read: calls and bulk commands request it, and it arrives some frames later. The table's own pages
 * stay in host memory. A new page needs a free host page. Updates keep a sixteenth of the host
 * pages free: at least 16, or a quarter if there are fewer than 64. Without a free one, writes wait
 * in the log. So begin a checkpoint if MurPagerStatus.needsCheckpoint is set. murGetPagerStorePage
 * may return NULL for a new page.
 *
 * The pager's other commands may request, pin and flush a table's pages. Do not record
 * murCmdUpdatePager and murCmdClearPager for its pager.
 *
 * Queues, entry and exit stages and accesses, state, cost and errors: see "All commands" in
 * murmuration.h. The commands below require exclusive access to table and pager, as in pager.h.
 * Record a barrier, such as murCmdBarrier, between two updates in one command buffer.
 *
 * Thread-safety: like tables (murmuration.h).
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_PAGED_H
#define MURMURATION_PAGED_H

#include <murmuration/paged_layout.h>
#include <murmuration/pager.h>

VK_DEFINE_HANDLE(MurPagedTable)

/* How keys are distributed among pages. */
typedef enum MurPageLocality {
    /* By bits of the key: its partition is (key >> shift) & mask, 32 bits. */
    MUR_PAGE_BY_KEY = MUR_PAGED_BY_KEY,
    /* By an argument: calls in shaders have the partition, any 32-bit number, before the key. Equal
     * keys in two partitions are different keys. */
    MUR_PAGE_BY_PARTITION = MUR_PAGED_BY_PARTITION,
    /* By the hash alone, for keys without locality. All pages are equally likely to be used, so
     * each key's page is resident with the same probability. */
    MUR_PAGE_BY_HASH = MUR_PAGED_BY_HASH
} MurPageLocality;

typedef struct MurPagedTableCreateInfo {
    const void *pNext;
    /* Required; must outlive the table. No other table or data may use it. murCreatePagedTable
     * requires a hostPageCount below pageCount to be at least poolPageCount + persistentPages + 2.
     * persistentPages does not depend on hostPageCount: query it with any other one first. */
    MurPager pager;
    /* These four as in MurTableCreateInfo. The type may be one of host.h: a paged table uses no
     * kernels of its type. It must have linear probing and at most one value per key. */
    MurType type;
    MurEmptyValue emptyValue;
    MurAtomicWidth atomicWidth;
    uint32_t seed;
    MurPageLocality locality;
    uint32_t partitionShift; /* with MUR_PAGE_BY_KEY: 0 to 31, or to 63 for 64-bit keys */
    uint32_t partitionMask;  /* with MUR_PAGE_BY_KEY; 0 means all bits */
    /* With MUR_PAGE_BY_HASH: initial number of pages, 1 to the pager's pageCount; 0 means 1. */
    uint32_t basePages;
    /* Maximum distance of a new key from its home slot, in slots, rounded up to sectors. If no slot
     * up to this distance is free, the key's page splits. 0 means 128. */
    uint32_t probeLimit;
    /* Maximum number of writes in the log: 1 to 2^24; 0 means 65536. Each needs 64 bytes, and 20
     * bytes of work space. */
    uint32_t maxPending;
    /* Leaves of the directory, 4 bytes each. A partition of several pages has a leaf for each value
     * of the bits of the hash that choose its pages: about 4n leaves for n pages, and temporarily
     * as many again when it grows. 0 means 8 per page of the pager. */
    uint32_t maxLeaves;
    /* Engine memory on the GPU, of the size from murGetPagedTableRequirements or larger. If all
     * members are zero, the library allocates it and frees it with the table. */
    MurBufferRange memory;
    /* VK_TRUE reserves the last pages of the pager (MurPagedTableRequirements.persistentPages) for
     * the table's own memory, so that the store can contain the whole table. Required for
     * murCmdFlushPagedTable and MUR_PAGES_IN_STORE. If there is a file, it is always enabled. */
    VkBool32 persistent;
    /* Optional, for debuggers. Copied. */
    const char *pName;
} MurPagedTableCreateInfo;

typedef struct MurPagedTableRequirements {
    VkDeviceSize size;                      /* in bytes */
    VkDeviceSize alignment;                 /* of the device address; a power of two */
    VkBufferUsageFlags usage;               /* and VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT */
    VkMemoryPropertyFlags memoryProperties; /* recommended */
    uint32_t pageCapacity;                  /* number of keys that always fit into a page */
    uint32_t pageSlots;                     /* number of slots of a page */
    /* Number of the pager's last pages that store the table's own memory instead of entries. 0 if
     * the table is not persistent and there is no file. They contain the whole size except work
     * space: 20 bytes per entry of the log, 4 per pool page, and memory for splits. */
    uint32_t persistentPages;
} MurPagedTableRequirements;

/* Returns a paged table's requirements, not its pager's. Ignores memory and pName. Any thread. */
MUR_API VkResult murGetPagedTableRequirements(MurContext context,
                                              const MurPagedTableCreateInfo *pCreateInfo,
                                              MurPagedTableRequirements *pRequirements);

/* Creates a table, and its pipelines if they do not exist; the context keeps these even if the
 * creation fails. The contents are undefined until murCmdClearPagedTable has executed. Errors are
 * Vulkan's, MUR_ERROR_INVALID_ARGUMENT and MUR_ERROR_UNSUPPORTED (64-bit atomics). */
MUR_API VkResult murCreatePagedTable(MurContext context, const MurPagedTableCreateInfo *pCreateInfo,
                                     MurPagedTable *pTable);

/* Destroys a table, before its pager. GPU work that uses it must have finished. Ignores NULL. */
MUR_API void murDestroyPagedTable(MurPagedTable table);

/* Returns the table's reference for shaders of this frame: 128 bytes for push constants or any
 * buffer. Alignment in blocks: 8 bytes in push constants and std430, 16 in std140. All zero for
 * NULL. Any thread. */
MUR_API MurPagedRef murGetPagedTableRef(MurPagedTable table, uint32_t frame);

/* Reads the table's own memory from the pager's file into the store, for murCmdClearPagedTable. The
 * call waits for the file. Call it before the pager's first frame. Errors are the file's own, and:
 *     MUR_ERROR_CORRUPT           the file has no table, or one of another description, or a page
 *                                 is damaged. Everything must be the same except atomicWidth and
 *                                 poolPageCount, also the pager's page size and count
 *     MUR_ERROR_INVALID_ARGUMENT  there is no file */
MUR_API VkResult murReadPagedTable(MurPagedTable table);

/* Sets the contents of table, log and pager; required once before first use. content:
 *     MUR_PAGES_ZERO      the table is empty; also for a new file
 *     MUR_PAGES_IN_FILE   the file's content; requires murReadPagedTable before
 *     MUR_PAGES_IN_STORE  the store's content, for persistent tables. The store must have it when
 *                         the command is recorded: from murCmdFlushPagedTable, or copied by the
 *                         host. If the store has no table or one of another description, as for
 *                         murReadPagedTable, the command fails with MUR_ERROR_CORRUPT
 * Like murCmdClearPager, it drops dirty pages, requests and pins.
 *
 *   Dispatches  three; up to eleven for a store of several chunks. */
MUR_API VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table,
                                       MurPageContent content);

/* Completes the store of a persistent table: writes all dirty pages back, like murCmdFlushPager,
 * and the table's own memory with the log. After a barrier from MUR_EXIT_* to host reads and a
 * fence, the host may save all pages of the pager (murGetPagerStorePage). A pager and table with
 * the same description can continue from these bytes. If there is a file, use a checkpoint: this
 * command then fails with MUR_ERROR_INVALID_ARGUMENT.
 *
 *   Dispatches  two; one if all pages are always resident. */
MUR_API VkResult murCmdFlushPagedTable(VkCommandBuffer cmd, MurPagedTable table);

typedef struct MurPagedTableUpdate {
    const void *pNext;
    /* As for murCmdUpdatePager. Pages with logged writes are requested with priority 255. */
    MurPagerUpdate pager;
    /* Optional; written: a MurPagedStats, at a multiple of 8 bytes. */
    MurArray stats;
} MurPagedTableUpdate;

/* Updates a paged table: creates pages for partitions that have logged writes and no page, runs
 * murCmdUpdatePager, applies each logged write whose page is resident, and splits full pages.
 *
 *   Dispatches  twelve, with a file thirteen, with a file and hostPageCount fourteen; eight if
 *               all pages are always resident. A checkpoint adds three. */
MUR_API VkResult murCmdUpdatePagedTable(VkCommandBuffer cmd, MurPagedTable table,
                                        const MurPagedTableUpdate *pUpdate);

/* ---- Batches -------------------------------------------------------------------------------- */

/* A batch of operations, one per item. All run at the same time, in no particular order. The arrays
 * may be in host memory that the GPU can address. */
typedef struct MurPagedBatch {
    const void *pNext;
    uint32_t maxCount;            /* as in MurBatch; 0 records nothing */
    VkDeviceAddress countAddress; /* as in MurBatch; optional */
    /* Required with MUR_PAGE_BY_PARTITION, else not allowed; read: 32-bit partition of each key. */
    MurArray partitions;
    MurArray keys; /* required; read */
    /* As in MurBatch. Inserts: required, read. Finds and erases: optional, written. */
    MurArray values;
    MurArray statuses; /* optional; written */
    /* Required: memory that the command uses during execution, at a multiple of 256 bytes. Size
     * from murGetPagedScratchMinimum to murGetPagedScratchSize. */
    MurArray scratch;
} MurPagedBatch;

/* Return scratch sizes of bulk commands in bytes: the size with which they are fastest, and the
 * minimum, with which they copy two pages at a time. Scratch memory has 28 bytes per item, 16 bytes
 * per page of the pager, and up to 1024 pages. maxCount: items; 0 for commands without a batch.
 * Both return 0 for NULL. Any thread. */
MUR_API VkDeviceSize murGetPagedScratchSize(MurPagedTable table, uint32_t maxCount);
MUR_API VkDeviceSize murGetPagedScratchMinimum(MurPagedTable table, uint32_t maxCount);

/* Bulk commands on all pages, resident or not. They sort the batch by page. They access resident
 * pages in their pool pages. They read other pages from the store, and write changed pages back, in
 * both directions at the same time, at the speed of the link to host memory. They make no page
 * resident and evict none. Items execute immediately, with the statuses of murCmdInsert,
 * murCmdFind and murCmdErase, except in two cases:
 *   - The page has logged writes, or is only in the file. For writes also: it is not resident and
 *     held by a checkpoint. Then finds request the page with priority 0 and return
 *     MUR_NOT_RESIDENT; writes are logged and return MUR_PENDING. After an update with
 *     MurPagedStats.pending 0, only pages in the file cause this: repeat these finds some updates
 *     later. It takes many updates if they need more pages than host memory has.
 *   - The page is full. The write is logged and returns MUR_PENDING. The next update splits it.
 * If the log is full, writes have no effect, return MUR_FULL and are counted: submit the items with
 * this status again.
 *
 * Growth. Bulk commands split no page. To insert many new keys at once, create their pages before:
 * with MUR_PAGE_BY_HASH by basePages or murCmdPagedRehash. Otherwise partitions grow page by page:
 * insert; update until MurPagedStats.pending is 0 (each update splits MUR_PAGE_SPLITS pages); and
 * insert the items with status MUR_FULL again, until there are none. Each round inserts at least as
 * many items as the log can contain. Keys that MurPagedStats.stuck counts need more pages than the
 * pager has.
 *
 *   Concurrent  nothing.
 *   Dispatches  at most ten. */
MUR_API VkResult murCmdPagedInsert(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                                   const MurPagedBatch *pBatch);
MUR_API VkResult murCmdPagedFind(VkCommandBuffer cmd, MurPagedTable table,
                                 const MurPagedBatch *pBatch);
MUR_API VkResult murCmdPagedErase(VkCommandBuffer cmd, MurPagedTable table,
                                  const MurPagedBatch *pBatch);

/* Replaces all contents, also of log and pager, by a batch, like murCmdClearPagedTable and
 * murCmdPagedInsert in one command. Needs no clear before. With maxCount 0 it only clears.
 *
 *   Concurrent  nothing.
 *   Dispatches  at most twenty-one. */
MUR_API VkResult murCmdPagedBuild(VkCommandBuffer cmd, MurPagedTable table, MurInsertMode mode,
                                  const MurPagedBatch *pBatch);

/* ---- All pages ------------------------------------------------------------------------------ */

typedef struct MurPagedExtract {
    const void *pNext;
    /* Elements of each array. 0 only counts entries. */
    uint32_t maxCount;
    /* The command reads pageCount pages from number firstPage on; pageCount 0 means all further
     * pages. So a table larger than any array can be extracted by several commands. Page numbers in
     * use are below MurPagedStats.pages. */
    uint32_t firstPage, pageCount;
    /* Required: address, a multiple of 4, of a 32-bit word. Written: the number of entries that
     * satisfy all predicates, even if the number is above maxCount. */
    VkDeviceAddress countAddress;
    /* Optional: address of a 32-bit word. Written: the number of pages that are only in the file;
     * their entries are neither counted nor written. Request these pages (murCmdRequestPages), and
     * repeat the command some updates later. */
    VkDeviceAddress leftAddress;
    /* Optional; written: the first maxCount entries, in no particular order. partitions: only with
     * MUR_PAGE_BY_PARTITION. The arrays may be in host memory that the GPU can address. */
    MurArray partitions;
    MurArray keys;
    MurArray values;
    MurPredicate predicates[MUR_MAX_PREDICATES];
    /* Required, as MurPagedBatch.scratch with 0 items; more than the minimum is no faster. */
    MurArray scratch;
} MurPagedExtract;

/* Writes the entries of all pages, resident or not, that satisfy all predicates, as a dense list.
 * Logged writes are not in their pages yet: the list is complete if the last update left
 * MurPagedStats.pending at 0. The command does not change or load pages.
 *
 *   Concurrent  finds.
 *   Dispatches  at most six. */
MUR_API VkResult murCmdPagedExtract(VkCommandBuffer cmd, MurPagedTable table,
                                    const MurPagedExtract *pExtract);

typedef struct MurPagedRehash {
    const void *pNext;
    /* Optional: addresses, multiples of 4, of 32-bit words. countAddress: written with the number
     * of split pages. leftAddress: written with the number of pages that were not split, because
     * page numbers or leaves (maxLeaves) ran out, or because the page has logged writes, is only in
     * the file, or is not resident and held by a checkpoint. */
    VkDeviceAddress countAddress;
    VkDeviceAddress leftAddress;
    MurArray scratch; /* required, as MurPagedBatch.scratch with 0 items */
} MurPagedRehash;

/* Doubles the number of pages: every page with entries splits by the next bit of the hash. Erased
 * keys are not copied. Use it for tables with MUR_PAGE_BY_HASH before you insert many new keys: it
 * replaces many single splits. Pages are read and written as by other bulk commands. Fails with
 * MUR_ERROR_INVALID_ARGUMENT if the table has another locality.
 *
 *   Concurrent  nothing.
 *   Dispatches  at most nine. */
MUR_API VkResult murCmdPagedRehash(VkCommandBuffer cmd, MurPagedTable table,
                                   const MurPagedRehash *pRehash);
#endif
