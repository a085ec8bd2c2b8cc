/* Murmuration: declarations of paged tables (<murmuration/paged.h>), shared by C and GLSL.
 *
 * A key belongs to a *partition*: by its bits, by the call or, by hash, to the only one. The table
 * of partitions, a K32V32 table, gives a partition's *root*. A partition of several pages has a
 * *leaf* for each value of N bits of the hash; leaves that agree in fewer bits may share a page.
 * Each page is the memory of a small table. A full page splits by the next bit of the hash.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGED_LAYOUT_H
#define MUR_PAGED_LAYOUT_H

#include "hash.h"
#include "pager_layout.h"

/* Statuses in addition to those of layout.h. */
#define MUR_NOT_RESIDENT 9u  /* find: the page that the key would be in is not resident */
#define MUR_PENDING      10u /* write: logged; murCmdUpdatePagedTable applies it */

/* The operation of a log entry on a page: MUR_MODE_*, or this. */
#define MUR_PAGED_ERASE 7u

/* How keys choose pages: MurPagedRef.locality, bits 8 and 9; below them the shift. */
#define MUR_PAGED_BY_KEY       0u
#define MUR_PAGED_BY_PARTITION 1u
#define MUR_PAGED_BY_HASH      2u

/* Roots and leaves. A leaf: the page, and how many bits of the hash chose it, the page's depth. A
 * root: the leaf itself, if no bit does; else how many bits choose among the partition's leaves,
 * and half the index of the first of them. (By hash, there are leaves from the beginning.) WAITS:
 * the log has entries for the page from before the last murCmdUpdatePagedTable. FRESH: the page was
 * never written, it has no table yet. */
#define MUR_PAGED_INDEX       0x00FFFFFFu
#define MUR_PAGED_DEPTH_SHIFT 24u
#define MUR_PAGED_DEPTH_MASK  0x1Fu
#define MUR_PAGED_WAITS       0x20000000u
#define MUR_PAGED_FRESH       0x40000000u
#define MUR_PAGED_NONE        0xFFFFFFFFu
#define MUR_PAGED_DEPTH(word) (((word) >> MUR_PAGED_DEPTH_SHIFT) & MUR_PAGED_DEPTH_MASK)
/* Pages that murCmdUpdatePagedTable splits, at most. */
#define MUR_PAGE_SPLITS 16u
/* Most bits of the hash that choose among a partition's pages. */
#define MUR_PAGED_MAX_DEPTH 24u
/* Word of the header of a page's table that has its partition, which keys lack if the call passes
 * it. */
#define MUR_PAGED_PARTITION_AT 24u

/* An entry of the log, in words. FRAME and RANK are the library's, while the log is applied. */
#define MUR_PENDING_KEY       0u
#define MUR_PENDING_VALUE     2u
#define MUR_PENDING_PARTITION 4u /* as the call names it */
#define MUR_PENDING_OP        5u /* MUR_MODE_*, MUR_PAGED_ERASE; MUR_PAGED_NONE: it is done */
#define MUR_PENDING_EPOCH     6u /* murCmdUpdatePagedTable calls before it */
#define MUR_PENDING_RANK      7u
#define MUR_PENDING_WORDS     8u

/* The state of a paged table, in words: this header, the leaves, the two halves of the log, of
 * which one is written and the other filled with its remaining entries by the next
 * murCmdUpdatePagedTable. */
#define MUR_PAGED_HALF         0u /* the half that shaders append to */
#define MUR_PAGED_EPOCH        1u
#define MUR_PAGED_COUNTS       2u /* entries of either half, or more: those were rejected */
#define MUR_PAGED_NEXT         4u
#define MUR_PAGED_WORK         5u  /* pages to which entries are applied */
#define MUR_PAGED_PLACED       6u  /* entries that were given a place */
#define MUR_PAGED_GROWING      7u  /* of these pages, those that are full */
#define MUR_PAGED_PAGES        8u  /* page numbers given out */
#define MUR_PAGED_LEAVES       9u  /* leaves given out */
#define MUR_PAGED_PARTITIONS   10u /* partitions */
#define MUR_PAGED_ROOT         11u /* of the only partition, by hash */
#define MUR_PAGED_REJECTED     12u /* 64-bit count: writes that found the log full */
#define MUR_PAGED_APPLIED      14u /* 64-bit count: entries of the log that were done */
#define MUR_PAGED_STUCK        16u /* entries left by the last call as pages ran out */
#define MUR_PAGED_SHAPE        32u /* words of the table's description, for a reopen */
#define MUR_PAGED_SHAPE_WORDS  11u
#define MUR_PAGED_HEADER_WORDS 64u

/* A paged table as shaders use it: 128 bytes by value. It contains all bounds of accesses. */
MUR_STRUCT(MurPagedRef) {
    MurPagerRef pager;
    MUR_ADDRESS partitions; /* their table */
    MUR_ADDRESS state;
    MUR_U32 partitionCapacity;
    MUR_U32 partitionSlots;
    MUR_U32 capacity; /* of the table in a page, as all down to flags */
    MUR_U32 slotCount;
    MUR_U32 seed;
    MUR_U32 probeSectors;
    MUR_U32 flags;
    MUR_U32 maxPending; /* entries of one half of the log */
    MUR_U32 maxLeaves;
    MUR_U32 basePages; /* leaves of a partition before any page has split: 1, or more by hash */
    MUR_U32 locality;
    MUR_U32 mask; /* of the bits of a key, after the shift, that are its partition */
};

/* The table's description, in words of the state's header: other tables' memory is rejected. */
#define MUR_PAGED_SHAPE_MARK 0x5047524Du /* "MRGP" */
MUR_INLINE MUR_U32 mur_paged_shape_word(MurPagedRef table, MUR_U32 i) {
    return i == 0u   ? MUR_PAGED_SHAPE_MARK
           : i == 1u ? table.flags & (MUR_TABLE_FORMAT_MASK | MUR_TABLE_ZERO)
           : i == 2u ? table.slotCount
           : i == 3u ? table.seed
           : i == 4u ? table.partitionSlots
           : i == 5u ? table.maxPending
           : i == 6u ? table.maxLeaves
           : i == 7u ? table.basePages
           : i == 8u ? table.locality
           : i == 9u ? table.mask
                     : table.pager.pageShift;
}

/* Words of the state before those of the pool pages: a checkpoint has these and the table of
 * partitions. */
MUR_INLINE MUR_U32 mur_paged_pool_at(MUR_U32 maxLeaves, MUR_U32 maxPending) {
    return MUR_PAGED_HEADER_WORDS + maxLeaves + 2u * MUR_PENDING_WORDS * maxPending;
}

/* Word indices of MurPagedStats. */
#define MUR_PAGED_STATS_REJECTED   0u
#define MUR_PAGED_STATS_APPLIED    2u
#define MUR_PAGED_STATS_PENDING    4u
#define MUR_PAGED_STATS_STUCK      5u
#define MUR_PAGED_STATS_PAGES      6u
#define MUR_PAGED_STATS_PARTITIONS 7u
#define MUR_PAGED_STATS_LEAVES     8u
#define MUR_PAGED_STATS_WORDS      10u

#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)

/* Written by murCmdUpdatePagedTable. */
typedef struct MurPagedStats {
    uint64_t rejected; /* writes that found the log full, since murCmdClearPagedTable */
    uint64_t applied;  /* entries of the log that were done, since then */
    uint32_t pending;  /* entries that the log has left */
    uint32_t stuck;    /* of these, those that wait for page numbers, partitions or leaves */
    uint32_t pages;    /* given out, of the pager's */
    uint32_t partitions;
    uint32_t leaves;
    uint32_t reserved;
} MurPagedStats;

MUR_STATIC_ASSERT(sizeof(MurPagedRef) == 128);
MUR_STATIC_ASSERT(sizeof(MurPagedStats) == 4u * MUR_PAGED_STATS_WORDS);
MUR_WORD_AT(MurPagedStats, applied, MUR_PAGED_STATS_APPLIED);
MUR_WORD_AT(MurPagedStats, pending, MUR_PAGED_STATS_PENDING);
MUR_WORD_AT(MurPagedStats, stuck, MUR_PAGED_STATS_STUCK);
MUR_WORD_AT(MurPagedStats, pages, MUR_PAGED_STATS_PAGES);
MUR_WORD_AT(MurPagedStats, partitions, MUR_PAGED_STATS_PARTITIONS);
MUR_WORD_AT(MurPagedStats, leaves, MUR_PAGED_STATS_LEAVES);

#endif
#endif
