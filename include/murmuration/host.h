/* Murmuration, optional: the same table from C, in host memory, without a GPU.
 *
 * An image is a copy of a table's memory in host memory: header and slots, byte for byte as on a
 * GPU. An image is downloaded, loaded from a snapshot (snapshot.h), mapped, or created by the host
 * and uploaded later. Shaders find the entries that the host inserts, and the host finds those of
 * shaders. No function of this header calls Vulkan, allocates or logs.
 *
 * The host and the GPU use the table in turns. Copy the table's buffer to an image and back
 * (murGetTableMemory, vkCmdCopyBuffer, or murBlockingDownload and murBlockingUpload of blocking.h),
 * or work on mapped memory while no GPU work on the table is pending. Barriers on the GPU: before a
 * copy out of the table, from MUR_EXIT_* to transfer reads; after a copy into the table, from
 * transfer writes to MUR_ENTRY_*.
 *
 * Thread-safety. Any number of threads may find, insert, erase and exchange in one image at the
 * same time. The concurrency contract of murmuration.h holds for them: operations on one key take
 * effect one after another. Unlike on the GPU, a thread that reads a value also observes all writes
 * that the storing thread made before: a payload written before the insert can be read after the
 * find. murHostNextEntry and murHostStats may be concurrent with these operations; for keys that
 * change at the same time, both return old or new values. Creation, clear, a filter rebuild and the
 * destination of a rehash require exclusive access. No call waits for another thread.
 *
 * Damaged and foreign images. All bounds come from MurHostTable, never from the image: even if the
 * image is damaged or changes, no call accesses memory outside of it. But murHostAttach reads the
 * type from the image. Calls with arrays of the caller (batches, groups, slot maps) access them by
 * this type. Before such a call, compare murHostTypeOf(table.ref.flags) with the type that your
 * arrays are for; a slot map also depends on table.ref.slotCount. Calls on one key need no such
 * check, and calls on rows (rows.h) check it themselves.
 *
 * Speed. Calls on many keys prefetch, so they are several times as fast per key as calls on one
 * key. Use huge pages for large images: on one machine they halved the time of all calls.
 *
 * Hosts are little-endian, as table memory is.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HOST_H
#define MURMURATION_HOST_H

#include <murmuration/murmuration.h>

/* A table in host memory: an image and its bounds. murHostCreate and murHostAttach set it. Copies
 * of this struct are valid as long as the memory of the image. */
typedef struct MurHostTable {
    void *pImage;
    MurTableRef ref; /* table reference as in shaders, but address and index are 0 */
    void *pMarks;    /* only for tables of a mirror (mirror.h); otherwise NULL */
} MurHostTable;

/* The result of one operation. */
typedef struct MurHostResult {
    /* The key's value before the operation, or the table's empty value if the key was absent. In
     * sets: 1 if the key was present, else 0. */
    uint64_t value;
    uint32_t status; /* MUR_FOUND, MUR_INSERTED, ... */
    uint32_t slot;   /* the key's slot, also after an erase; or MUR_NO_SLOT */
} MurHostResult;

/* ---- Types ---------------------------------------------------------------------------------- */

/* Return table types without kernels, for host memory: a program that uses only these links no
 * kernels. murHostCreate also accepts murTypeK32V32() and so on; murCreateTable rejects types
 * without kernels. Each call of a function returns the same pointer. Any thread. */
MUR_API MurType murHostTypeK32V32(void);
MUR_API MurType murHostTypeK64V32(void);
MUR_API MurType murHostTypeK64V64(void);
MUR_API MurType murHostTypeK32(void);
MUR_API MurType murHostTypeK64(void);
MUR_API MurType murHostTypeBucketsK32V32(void);
MUR_API MurType murHostTypeBucketsK64V32(void);
MUR_API MurType murHostTypeBucketsK32(void);
MUR_API MurType murHostTypeBucketsK64(void);
MUR_API MurType murHostTypeMultiK32(void);
MUR_API MurType murHostTypeMultiK64(void);
MUR_API MurType murHostTypeRows(void);

/* Returns the type above of a table with these MurTableRef.flags; NULL if there is none. The flags
 * of a multi-value table with 32-bit keys mean murHostTypeK64V32(): their slots are the same. */
MUR_API MurType murHostTypeOf(uint32_t tableFlags);

/* ---- Images --------------------------------------------------------------------------------- */

/* Minimum alignment of an image in bytes. Multiples of 64 are faster: each sector is then in one
 * cache line. */
#define MUR_HOST_ALIGNMENT 16u

/* Returns the size of an image in bytes. pCreateInfo: as for murCreateTable; memory and pName are
 * ignored. If the type has two atomic widths, the default is 64: for a table of a device, set the
 * width of that table. Fails with MUR_ERROR_INVALID_ARGUMENT or MUR_ERROR_TOO_LARGE. Any thread. */
MUR_API VkResult murHostGetImageSize(const MurTableCreateInfo *pCreateInfo, uint64_t *pSize);

/* Creates an empty table in memory of the caller, which has size bytes. Fails with
 * MUR_ERROR_INVALID_ARGUMENT (the memory is too small or misaligned) or MUR_ERROR_TOO_LARGE. */
MUR_API VkResult murHostCreate(const MurTableCreateInfo *pCreateInfo, void *pImage, uint64_t size,
                               MurHostTable *pTable);

/* Opens an existing image of size bytes by its header. Writes nothing to the image. Fails with
 * MUR_ERROR_CORRUPT if the header is not that of a table, is inconsistent, or requires more than
 * size bytes, and with MUR_ERROR_VERSION if the image has another layout version. Does not check
 * the slots. The image determines the type: see "Damaged and foreign images". Any thread. */
MUR_API VkResult murHostAttach(void *pImage, uint64_t size, MurHostTable *pTable);

/* Empties the table and resets its counters and state. */
MUR_API void murHostClear(const MurHostTable *pTable);

/* Frees the slots of erased keys in a bucketed table (MUR_TABLE_BUCKETS), and rebuilds its filter.
 * Afterwards fewer lookups read a second bucket, and lookups find all keys even if the filter was
 * wrong before. Loading a snapshot calls this. On other tables the function has no effect. Do not
 * call it between murCmdBeginEviction and murCmdEndEviction. */
MUR_API void murHostRebuildFilter(const MurHostTable *pTable);

/* ---- One key -------------------------------------------------------------------------------- */

/* These functions work on any type with one value per key. If a key or value is wider than the
 * table's, finds and erases return MUR_ABSENT, inserts MUR_UNSUPPORTED. Sets ignore values. */

/* Inserts by mode. Returns MUR_INSERTED, MUR_EXISTED, MUR_FULL, MUR_INVALID_VALUE, or
 * MUR_UNSUPPORTED if the table does not offer the mode; the image counts MUR_FULL and
 * MUR_INVALID_VALUE. MUR_MODE_UPDATE returns MUR_EXISTED, MUR_ABSENT or MUR_INVALID_VALUE. */
MUR_API MurHostResult murHostInsert(const MurHostTable *pTable, MurInsertMode mode, uint64_t key,
                                    uint64_t value);

/* Looks a key up. Returns MUR_FOUND or MUR_ABSENT. */
MUR_API MurHostResult murHostFind(const MurHostTable *pTable, uint64_t key);

/* Erases a key. Returns MUR_ERASED or MUR_ABSENT. */
MUR_API MurHostResult murHostErase(const MurHostTable *pTable, uint64_t key);

/* Exchanges the value in a slot that a key has claimed, like mur_slot_exchange of murmuration.glsl,
 * and returns the old value. The empty value erases the key. For other slots and for sets the
 * function has no effect and returns the empty value. */
MUR_API uint64_t murHostSlotExchange(const MurHostTable *pTable, uint32_t slot, uint64_t value);

/* ---- Batches -------------------------------------------------------------------------------- */

/* One thread processes the items in order, with prefetching. Arrays have count elements: keys and
 * values uint32_t or uint64_t, by the table's type; statuses and slots as on the GPU; sets have no
 * values. Each function returns the number of items with status MUR_INSERTED, MUR_FOUND or
 * MUR_ERASED. */

/* Inserts. pOldValues, pStatuses, pSlots: optional. pOldValues: written as MurHostResult.value. */
MUR_API size_t murHostInsertBatch(const MurHostTable *pTable, MurInsertMode mode, size_t count,
                                  const void *pKeys, const void *pValues, void *pOldValues,
                                  uint32_t *pStatuses, uint32_t *pSlots);

/* Finds and erases. pValues: optional, written with the key's value before, or the empty value. */
MUR_API size_t murHostFindBatch(const MurHostTable *pTable, size_t count, const void *pKeys,
                                void *pValues, uint32_t *pStatuses, uint32_t *pSlots);

MUR_API size_t murHostEraseBatch(const MurHostTable *pTable, size_t count, const void *pKeys,
                                 void *pValues, uint32_t *pStatuses, uint32_t *pSlots);

/* ---- The whole table ------------------------------------------------------------------------ */

/* An entry, and the position of the next one. */
typedef struct MurHostEntry {
    uint64_t key;
    uint64_t value;
    uint32_t slot;
    uint32_t next; /* first slot that the next call reads; start with 0 to visit all entries */
    /* In tables of murHostTypeMultiK64(): see host_multi.h. In other tables 0. */
    uint32_t index;
} MurHostEntry;

/* Visits the next entry, in the order of slots. Returns false if there are no more. An entry that
 * exists during the whole loop is visited once.
 *
 *     for (MurHostEntry entry = {0}; murHostNextEntry(&table, &entry);) ...
 *
 * Several threads can visit different ranges of slots. */
MUR_API VkBool32 murHostNextEntry(const MurHostTable *pTable, MurHostEntry *pEntry);

/* Scans the table and writes the statistics, like murCmdStats. */
MUR_API void murHostStats(const MurHostTable *pTable, MurStats *pStats);

typedef struct MurHostMoved {
    uint64_t moved; /* rehash: entries in the destination; merge: entries with new keys */
    /* Merge: entries whose keys the destination had; the mode decided their values. Entries that
     * MUR_MODE_UPDATE skips are not counted. */
    uint64_t met;
    uint64_t dropped; /* slots of erased keys, which are not copied */
    /* Entries that are not in the destination, because no slot is free within its probe limit, or
     * because their value is its empty value. The destination also counts them. */
    uint64_t failed;
} MurHostMoved;

/* Replaces the destination's content by the source's entries, without the slots of erased keys.
 * Capacity, seed, atomic width and empty value may differ; the type must be the same. The source is
 * only read, and must not change during the call. The destination is sorted by hash
 * (MUR_STATE_ORDERED) afterwards, unless a cluster wraps or exceeds the probe limit. pSlotMap:
 * optional, slotCount + 1 elements of the source (sets: + 2). Written: each entry's new slot, or
 * MUR_NO_SLOT for slots without an entry or whose entry failed. pMoved: optional. Fails with
 * MUR_ERROR_INVALID_ARGUMENT, and changes nothing, if an argument is NULL, both images are the
 * same, the types differ, or the destination is in buckets. */
MUR_API VkResult murHostRehash(const MurHostTable *pSource, const MurHostTable *pDestination,
                               uint32_t *pSlotMap, MurHostMoved *pMoved);

/* Inserts the source's entries into the destination, by mode. Other threads may use both tables.
 * Fails like murHostRehash; also with MUR_ERROR_INVALID_ARGUMENT, and nothing changed, if the
 * destination does not offer the mode. */
MUR_API VkResult murHostMerge(const MurHostTable *pSource, const MurHostTable *pDestination,
                              MurInsertMode mode, MurHostMoved *pMoved);
#endif
