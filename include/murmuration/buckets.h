/* Murmuration, optional: tables in buckets, for caches.
 *
 * A key is stored in one of two buckets of 16 slots. A lookup reads the first bucket, and the
 * second one only if a filter indicates it. Therefore operations take bounded time at any load, and
 * a freed slot can be used again. In exchange an insert may report MUR_FULL although other buckets
 * have free slots. Of random keys that fill an empty table, 3.8 per million are rejected up to a
 * load of 0.5, 0.21% up to 0.75, 1.9% up to 0.9 (measured for all types, in one and many batches).
 *
 * Creation. Set MurTableCreateInfo.type to one of the types below (in buckets K64 also works with
 * 32-bit atomics), and flags to MUR_TABLE_AGES or 0. capacity is at most 2^29; slotCount is the
 * next multiple of 128. probeLimit is ignored. Shaders define MUR_BUCKETS.
 *
 * Memory. A table has 2304 bytes, and per slot: K32 4, K32V32 8, K64 8, or 12 with 32-bit atomics,
 * K64V32 16. Filters add 0.25 bytes per slot. MUR_TABLE_AGES adds 16 bytes, and 4 per slot.
 *
 * Commands. Bucketed tables support the commands of murmuration.h except murCmdBuild and
 * murCmdCompact. murCmdRehash and murCmdMerge accept a bucketed table as source, but not as
 * destination. The table cannot grow. Do not list murKernelsBuild() or murKernelsRehash(): creation
 * fails, because no command of these tables uses them.
 *
 * The slot of an erased key is a tombstone: no other key can use it until an eviction pass frees
 * it. A pass visits all slots and evicts or retains each entry. Passes are murCmdEvict,
 * murCmdRebuildFilter, and the engine's own shader, which can also process its payload while it
 * reads the table once (mur_evict and mur_retain of murmuration.glsl). murCmdErase with
 * MUR_BATCH_EXCLUSIVE frees slots at once.
 *
 * Filter. 16 bits per bucket indicate whether keys of the bucket are stored in their second bucket.
 * The filter has no false negatives: passes, erases and inserts keep all needed bits. Stale bits
 * only slow lookups down, until the filter is rebuilt. Rebuild it when about half of the entries
 * have been replaced.
 *
 * Queues, barriers, state, cost and errors: see "All commands" in murmuration.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_BUCKETS_H
#define MURMURATION_BUCKETS_H

#include <murmuration/murmuration.h>

/* Return types, for MurTableCreateInfo.type. Any thread. */
MUR_API MurType murTypeBucketsK32V32(void);
MUR_API MurType murTypeBucketsK64V32(void);
MUR_API MurType murTypeBucketsK32(void);
MUR_API MurType murTypeBucketsK64(void);

/* Record these two commands before and after the engine's own eviction pass, which rebuilds the
 * filter: murCmdBeginEviction clears the back filter, the pass fills it, murCmdEndEviction swaps it
 * with the front filter. The pass calls mur_evict or mur_retain for each of the slotCount slots and
 * for the sentinel slots. Record murCmdBarrier before and after the pass. Do not insert between the
 * start of the pass and the end of murCmdEndEviction: the new filter would lack the inserted keys.
 *
 *   Concurrent  murCmdBeginEviction: any operation. murCmdEndEviction: nothing.
 *   Dispatches  one per command. */
MUR_API VkResult murCmdBeginEviction(VkCommandBuffer cmd, MurTable table);
MUR_API VkResult murCmdEndEviction(VkCommandBuffer cmd, MurTable table);

/* Frees the slots of erased keys and rebuilds the filter, for engines without their own pass.
 *
 *   Concurrent  nothing.
 *   Dispatches  three. */
MUR_API VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table);

/* Limit of MurEvict.reservedSlots. */
#define MUR_MAX_RESERVED_SLOTS 8u

typedef struct MurEvict {
    const void *pNext;
    /* Number of the current frame, as in the shaders' mur_touch calls. The number may wrap: the age
     * of an entry is frame minus its frame of last use, modulo 2^32. UINT32_MAX is
     * MUR_AGE_UNTOUCHED: an entry that was touched in the frame with this number counts as touched
     * in the frame of the next murCmdEvict. */
    uint32_t frame;
    /* Entries older than this number of frames are evicted. 0 evicts all entries that were not
     * touched in this frame. UINT32_MAX evicts none. */
    uint32_t maxAge;
    /* Optional; written: the slots of maxLive retained entries or fewer, in any order. For either
     * list, murGetMaxEntries() elements are always enough; capacity elements may be too few. */
    MurArray live;
    uint32_t maxLive;
    /* Optional; written: the slots of maxErased evicted entries or fewer, in any order. Their
     * payload is no longer in use. */
    MurArray erased;
    uint32_t maxErased;
    /* Entries that one workgroup of yours processes. The command derives the indirect dispatches of
     * MurEvictResult from it. With 0 these dispatch no workgroups. */
    uint32_t groupEntries;
    /* Required with live and with erased; written: a MurEvictResult (murmuration/layout.h). */
    MurArray result;
    /* Number of free slots that the command leaves in each bucket, 0 to MUR_MAX_RESERVED_SLOTS. If
     * too few slots of a bucket are free, its oldest entries are evicted early. Of equally old
     * entries, the entry in the lowest slot is evicted. Entries that were used in this frame are
     * never evicted early, so fewer slots may be free. Sentinel slots belong to no bucket. */
    uint32_t reservedSlots;
} MurEvict;

/* Evicts entries by age, frees the slots of erased keys, and rebuilds the filter. Requires
 * MUR_TABLE_AGES: the table then has a 32-bit word per slot, the frame of the last mur_touch. An
 * entry that was never touched counts as touched in the frame of the next murCmdEvict. Evicting or
 * erasing a key resets the word, so no entry inherits an age. Ages of a few bits in the engine's
 * payload take less memory, but then the engine's own pass must evict the entries.
 *
 *   Concurrent  nothing.
 *   Dispatches  three. */
MUR_API VkResult murCmdEvict(VkCommandBuffer cmd, MurTable table, const MurEvict *pEvict);
#endif
