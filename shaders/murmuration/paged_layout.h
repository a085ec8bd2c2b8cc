/* Murmuration: declarations of paged tables (<murmuration/paged.h>), shared by C and GLSL.
 *
 * A key belongs to a *partition*, chosen by bits of the key or by an argument of the call. Tables
 * by hash have one partition. The table of partitions, a K32V32 table, maps a partition to its
 * *root*. A partition of several pages has a *leaf* for each value of N bits of the hash. Leaves
 * whose first bits are equal may share a page. Each page is the memory of a small table. A full
 * page splits by the next bit of the hash.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGED_LAYOUT_H
#define MUR_PAGED_LAYOUT_H

#include "hash.h"
#include "pager_layout.h"

/* Statuses in addition to those of layout.h. */
#define MUR_NOT_RESIDENT 9u  /* find: the key's page is not resident, or lacks logged writes */
#define MUR_PENDING      10u /* write: logged; murCmdUpdatePagedTable applies it */

/* The operation of an erase in the log; other operations are MUR_MODE_*. */
#define MUR_PAGED_ERASE 7u

/* How keys choose pages: bits 8 and 9 of MurPagedRef.locality. The lower bits of locality are a
 * shift of keys. */
#define MUR_PAGED_BY_KEY       0u
#define MUR_PAGED_BY_PARTITION 1u
#define MUR_PAGED_BY_HASH      2u

/* Words of roots and leaves. A leaf has the number of its page, and the number of bits of the hash
 * that choose this page, the depth. A root with depth 0 is itself the leaf of the only page. Other
 * roots have the number of bits that choose among the partition's leaves, and half the index of the
 * first leaf. (With MUR_PAGED_BY_HASH there are always leaves.) WAITS: the log has entries for the
 * page from before the last murCmdUpdatePagedTable. FRESH: the page was never written and has no
 * table yet. */
#define MUR_PAGED_INDEX       0x00FFFFFFu
#define MUR_PAGED_DEPTH_SHIFT 24u
#define MUR_PAGED_DEPTH_MASK  0x1Fu
#define MUR_PAGED_WAITS       0x20000000u
#define MUR_PAGED_FRESH       0x40000000u
#define MUR_PAGED_NONE        0xFFFFFFFFu
#define MUR_PAGED_DEPTH(word) (((word) >> MUR_PAGED_DEPTH_SHIFT) & MUR_PAGED_DEPTH_MASK)
/* Maximum number of pages that one murCmdUpdatePagedTable splits. */
#define MUR_PAGE_SPLITS 16u
/* Maximum number of bits of the hash that choose among a partition's pages. */
#define MUR_PAGED_MAX_DEPTH 24u
/* Word in the header of a page's table: the page's partition, which the keys do not contain if it
 * is an argument of the call. */
#define MUR_PAGED_PARTITION_AT 24u

/* Word indices of a log entry. The library uses RANK while it applies the log. */
#define MUR_PENDING_KEY       0u
#define MUR_PENDING_VALUE     2u
#define MUR_PENDING_PARTITION 4u /* partition argument of the call */
#define MUR_PENDING_OP        5u /* MUR_MODE_* or MUR_PAGED_ERASE; MUR_PAGED_NONE once applied */
#define MUR_PENDING_EPOCH     6u /* number of murCmdUpdatePagedTable calls before the entry */
#define MUR_PENDING_RANK      7u
#define MUR_PENDING_WORDS     8u

/* The state of a paged table: a header with these word indices, the leaves, the two halves of the
 * log. murCmdUpdatePagedTable applies the half HALF; then the other half, NEXT, becomes HALF. */
#define MUR_PAGED_HALF         0u /* the half to which shaders append */
#define MUR_PAGED_EPOCH        1u
#define MUR_PAGED_COUNTS       2u  /* entries per half; those above maxPending were rejected */
#define MUR_PAGED_NEXT         4u  /* the half to which entries that remain are copied */
#define MUR_PAGED_WORK         5u  /* number of pages to which entries are applied */
#define MUR_PAGED_PLACED       6u  /* number of entries with a position in their page's list */
#define MUR_PAGED_GROWING      7u  /* number of full pages to split */
#define MUR_PAGED_PAGES        8u  /* number of page numbers in use */
#define MUR_PAGED_LEAVES       9u  /* number of leaves in use */
#define MUR_PAGED_PARTITIONS   10u /* number of partitions */
#define MUR_PAGED_ROOT         11u /* root of the only partition of a table by hash */
#define MUR_PAGED_REJECTED     12u /* 64-bit count: writes while the log was full */
#define MUR_PAGED_APPLIED      14u /* 64-bit count: applied entries of the log */
#define MUR_PAGED_STUCK        16u /* entries that the last call left because pages ran out */
#define MUR_PAGED_SHAPE        32u /* words that must be equal when the table is reopened */
#define MUR_PAGED_SHAPE_WORDS  11u
#define MUR_PAGED_HEADER_WORDS 64u

/* Paged table reference for shaders: 128 bytes by value. It contains all bounds of accesses. */
MUR_STRUCT(MurPagedRef) {
    MurPagerRef pager;
    MUR_ADDRESS partitions; /* the table of partitions */
    MUR_ADDRESS state;
    MUR_U32 partitionCapacity;
    MUR_U32 partitionSlots;
    MUR_U32 capacity; /* capacity to flags: of the table in a page */
    MUR_U32 slotCount;
    MUR_U32 seed;
    MUR_U32 probeSectors;
    MUR_U32 flags;
    MUR_U32 maxPending; /* entries of one half of the log */
    MUR_U32 maxLeaves;
    MUR_U32 basePages; /* leaves of a partition before its first split; at least 1 */
    MUR_U32 locality;
    MUR_U32 mask; /* of the bits of a key, after the shift, that select its partition */
};

/* Words of the table's description, in the state's header. Memory with other words is rejected. */
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

/* Returns the number of words of the state before the words per pool page. A checkpoint contains
 * these words and the table of partitions. */
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
    uint64_t rejected;   /* writes while the log was full, since murCmdClearPagedTable */
    uint64_t applied;    /* applied entries of the log, since murCmdClearPagedTable */
    uint32_t pending;    /* remaining entries of the log */
    uint32_t stuck;      /* entries of these that wait for pages, partitions or leaves */
    uint32_t pages;      /* page numbers in use */
    uint32_t partitions; /* partitions in use */
    uint32_t leaves;     /* leaves in use */
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
