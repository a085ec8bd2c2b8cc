/* Murmuration, optional: the same table from C, in host memory, without a GPU.
 *
 * An image is a table's memory, header and slots, byte for byte as on a GPU: downloaded, loaded
 * from a snapshot (snapshot.h), mapped, or made here and uploaded later. Entries that the host
 * inserts are found by shaders, and the other way round. Nothing here calls Vulkan, allocates or
 * logs.
 *
 * The host and the GPU take turns: copy the image out of the table's buffer and back into it
 * (murGetTableMemory, vkCmdCopyBuffer, or murBlockingDownload and murBlockingUpload of blocking.h),
 * or work on mapped memory while no GPU work on the table is pending. Barriers, on the GPU: from
 * MUR_EXIT_STAGES, MUR_EXIT_ACCESS to transfer reads before copying out; from transfer writes to
 * MUR_ENTRY_STAGES, MUR_ENTRY_ACCESS after copying in.
 *
 * Thread-safety. Any number of threads may find, insert, erase and exchange in one image at the
 * same time; the concurrency contract of murmuration.h holds for them, operations on one key take
 * effect one after another. Unlike on the GPU, an operation that reads a value also reads all
 * writes of the storing thread before it: payloads written before the insert can be read after the
 * find. Visits and statistics may run concurrent with all of these; for keys that change at the
 * same time they return old or new values. Creation, clear, a filter rebuild and the destination of
 * a rehash require exclusive access. No call waits for another thread.
 *
 * Damaged and foreign images. Bounds come from MurHostTable, never from memory that is read later:
 * whatever the image holds, now or later, no call leaves it. But murHostAttach takes the type
 * from the image, and calls that have arrays of the caller (batches, groups, slot maps) read and
 * write them by the type. Before such a call, compare murHostTypeOf(table.ref.flags) with the type
 * that your arrays are for; slot maps go by table.ref.slotCount, too. Calls on one key need
 * no such check, and calls on rows (rows.h) do it by themselves.
 *
 * Speed. Calls on many keys fetch ahead and are several times as fast as those on one. Use huge
 * pages for large images: on one machine they halved the time of all calls.
 *
 * Hosts are little-endian, as table memory is.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HOST_H
#define MURMURATION_HOST_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table in host memory: an image and its bounds. Filled in by murHostCreate or murHostAttach,
 * copied freely, valid as long as the memory. */
typedef struct MurHostTable {
    void *pImage;
    MurTableRef ref; /* as shaders see the table; address and index are 0 */
} MurHostTable;

/* The result of one operation. */
typedef struct MurHostResult {
    /* The value that the key had before, for finds, erases and inserts. The table's empty value:
     * none. Sets: 1 if the key was there, else 0. */
    uint64_t value;
    uint32_t status; /* MUR_FOUND, MUR_INSERTED, ... */
    uint32_t slot;   /* where the key lives, or lived; MUR_NO_SLOT */
} MurHostResult;

/* ---- Types ---------------------------------------------------------------------------------- */

/* Return the types of murTypeK32V32() and so on as data alone: a program that only names these
 * links no kernels. murHostCreate accepts both; murCreateTable rejects a type without kernels. Each
 * call of a function returns the same pointer. Any thread. */
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

/* Returns the type, one of these, of a table with such MurTableRef.flags; NULL if there is none.
 * Multi-value tables of 32-bit keys are stored as, and their type is, murHostTypeK64V32(). */
MUR_API MurType murHostTypeOf(uint32_t tableFlags);

/* ---- Images --------------------------------------------------------------------------------- */

/* Images lie at multiples of this, in bytes, at least. A multiple of 64 is faster: a sector is then
 * in one cache line. */
#define MUR_HOST_ALIGNMENT 16u

/* Bytes of an image. pCreateInfo: as for murCreateTable, memory and pName ignored; the default
 * atomic width is 64 here where the type takes both. To fill a table for a device, give the
 * width of that table. MUR_ERROR_INVALID_ARGUMENT, MUR_ERROR_TOO_LARGE. Any thread. */
MUR_API VkResult murHostGetImageSize(const MurTableCreateInfo *pCreateInfo, uint64_t *pSize);

/* Makes an empty table in memory of the caller, size bytes of which are there.
 * MUR_ERROR_INVALID_ARGUMENT: too small, or misaligned; MUR_ERROR_TOO_LARGE. */
MUR_API VkResult murHostCreate(const MurTableCreateInfo *pCreateInfo, void *pImage, uint64_t size,
                               MurHostTable *pTable);

/* Takes an image that is there already, of size bytes, by its header. Nothing is written.
 * MUR_ERROR_CORRUPT: the header is not a table's, contradicts itself, or speaks of more bytes
 * than size; MUR_ERROR_VERSION: of another version of the layout. The slots are not looked
 * at. The image decides the type of the table: see "Damaged and foreign images". Any thread. */
MUR_API VkResult murHostAttach(void *pImage, uint64_t size, MurHostTable *pTable);

/* Empties the table and resets its counters and state. */
MUR_API void murHostClear(const MurHostTable *pTable);

/* Of a table in buckets (MUR_TABLE_BUCKETS): frees the slots of erased keys, which otherwise take
 * capacity, and rebuilds the filter, so fewer lookups go to a second bucket, and none misses a key
 * whatever the filter was before; loading a snapshot does it. To other tables it does nothing. Not
 * between murCmdBeginEviction and murCmdEndEviction. */
MUR_API void murHostRebuildFilter(const MurHostTable *pTable);

/* ---- One key -------------------------------------------------------------------------------- */

/* Any type. Keys and values that are wider than the table's are no keys and values of it:
 * MUR_ABSENT, or for an insert MUR_UNSUPPORTED. Sets ignore values. */

/* MUR_INSERTED, MUR_EXISTED, MUR_FULL, MUR_INVALID_VALUE (both counted in the image), or
 * MUR_UNSUPPORTED: a mode that the table does not offer. MUR_MODE_UPDATE: MUR_EXISTED, MUR_ABSENT,
 * MUR_INVALID_VALUE. */
MUR_API MurHostResult murHostInsert(const MurHostTable *pTable, MurInsertMode mode, uint64_t key,
                                    uint64_t value);

/* MUR_FOUND, MUR_ABSENT. */
MUR_API MurHostResult murHostFind(const MurHostTable *pTable, uint64_t key);

/* MUR_ERASED, MUR_ABSENT. */
MUR_API MurHostResult murHostErase(const MurHostTable *pTable, uint64_t key);

/* As mur_slot_exchange of murmuration.glsl: puts a value into a slot that a key has claimed and
 * returns the value that was there; the empty value erases. Does nothing, and returns the
 * empty value, for any other slot and for sets. */
MUR_API uint64_t murHostSlotExchange(const MurHostTable *pTable, uint32_t slot, uint64_t value);

/* ---- Batches -------------------------------------------------------------------------------- */

/* Many keys by one thread, in order: several times as fast as one at a time in tables that do not
 * fit into the cache. Arrays of count elements: keys and values uint32_t or uint64_t, as the
 * type has them, statuses and slots as on the GPU; sets have no values. Each returns the number of
 * items with MUR_INSERTED, MUR_FOUND, MUR_ERASED. */

/* pOldValues, pStatuses, pSlots: optional. pOldValues: written per item, as MurHostResult.value. */
MUR_API size_t murHostInsertBatch(const MurHostTable *pTable, MurInsertMode mode, size_t count,
                                  const void *pKeys, const void *pValues, void *pOldValues,
                                  uint32_t *pStatuses, uint32_t *pSlots);

/* pValues: optional, written with each key's value, or the empty value. */
MUR_API size_t murHostFindBatch(const MurHostTable *pTable, size_t count, const void *pKeys,
                                void *pValues, uint32_t *pStatuses, uint32_t *pSlots);

MUR_API size_t murHostEraseBatch(const MurHostTable *pTable, size_t count, const void *pKeys,
                                 void *pValues, uint32_t *pStatuses, uint32_t *pSlots);

/* ---- The whole table ------------------------------------------------------------------------ */

/* An entry, and where to look for the next one. */
typedef struct MurHostEntry {
    uint64_t key;
    uint64_t value;
    uint32_t slot;
    uint32_t next; /* first slot that the next call looks at; all entries: start with 0 */
    /* murHostTypeMultiK64(): which of the key's entries, see host_multi.h. Else 0. */
    uint32_t index;
} MurHostEntry;

/* Visits the entries, one a call, in the order of their slots; an entry that is there all the time
 * is visited once. false: no more.
 *
 *     for (MurHostEntry entry = {0}; murHostNextEntry(&table, &entry);) ...
 *
 * Threads may share the work by ranges of slots. */
MUR_API VkBool32 murHostNextEntry(const MurHostTable *pTable, MurHostEntry *pEntry);

/* As murCmdStats. */
MUR_API void murHostStats(const MurHostTable *pTable, MurStats *pStats);

typedef struct MurHostMoved {
    uint64_t moved; /* rehash: entries that are in the destination; merge: that were new to it */
    /* Merge: entries whose key the destination had: treated by the mode. MUR_MODE_UPDATE skips all
     * others, and does not count them. */
    uint64_t met;
    uint64_t dropped; /* slots of erased keys, left behind */
    /* Entries that are not in the destination: no slot within its probe limit, or their value is
     * its empty value. The destination counts them too. */
    uint64_t failed;
} MurHostMoved;

/* Replaces the destination's content by the source's entries: a table of any capacity, larger,
 * equal or smaller, without the slots of erased keys, and in order (MUR_STATE_ORDERED) unless it
 * is so full that a cluster wraps or meets the probe limit. Seeds, widths of the atomics and
 * empty values may differ, the type is the same. The source is only read and must not change during
 * the call.
 * pSlotMap: optional, source's slotCount + 1 elements (sets: + 2), written with each entry's new
 * slot, and MUR_NO_SLOT for slots without an entry or whose entry failed. pMoved: optional.
 * MUR_ERROR_INVALID_ARGUMENT: NULL, one image, two types, or a destination in buckets; nothing is
 * changed then. */
MUR_API VkResult murHostRehash(const MurHostTable *pSource, const MurHostTable *pDestination,
                               uint32_t *pSlotMap, MurHostMoved *pMoved);

/* Inserts the source's entries into the destination, by mode. Other threads may use both.
 * MUR_ERROR_INVALID_ARGUMENT, and nothing changed: as above, or a mode that the destination does
 * not offer. */
MUR_API VkResult murHostMerge(const MurHostTable *pSource, const MurHostTable *pDestination,
                              MurInsertMode mode, MurHostMoved *pMoved);

#ifdef __cplusplus
}
#endif
#endif
