/* Murmuration: declarations of pagers (<murmuration/pager.h>), shared by C and GLSL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGER_LAYOUT_H
#define MUR_PAGER_LAYOUT_H

#include "layout.h"

#define MUR_PAGE_MIN_SIZE  4096u
#define MUR_PAGE_MAX_SIZE  1048576u
#define MUR_MAX_PAGES      0x7FFF0000u
#define MUR_MAX_POOL_PAGES 0x01000000u
/* "No page" and "no pool page" where a number is expected. */
#define MUR_NO_PAGE      0xFFFFFFFFu
#define MUR_NO_POOL_PAGE 0xFFFFFFFFu

/* The directory: a word for each page. RESIDENT: the page is in the pool page whose number the low
 * bits have. REQUESTED: it is not, and a shader has asked for it, with the priority that the low
 * bits have. Shaders change only REQUESTED and the priority. */
#define MUR_PAGE_RESIDENT  0x80000000u
#define MUR_PAGE_PINNED    0x40000000u /* once resident it is not evicted */
#define MUR_PAGE_REQUESTED 0x20000000u
#define MUR_PAGE_IN_FILE   0x10000000u /* the store's page is the host's: not read yet */
#define MUR_PAGE_HELD      0x08000000u /* the host reads the store's page: do not write it */
#define MUR_PAGE_ZERO      0x04000000u /* the page is zero, whatever the store's page holds */
#define MUR_PAGE_CHANGED   0x02000000u /* the store's page was written since murCmdClearPager */
#define MUR_PAGE_POOL_PAGE 0x00FFFFFFu
#define MUR_PAGE_PRIORITY  0x000000FFu
/* Bits that a page keeps when it is brought in or evicted. */
#define MUR_PAGE_KEEPS \
    (MUR_PAGE_PINNED | MUR_PAGE_IN_FILE | MUR_PAGE_HELD | MUR_PAGE_ZERO | MUR_PAGE_CHANGED)

/* A pool page's record: word indices, and bits of its last word. */
#define MUR_POOL_PAGE   0u /* that it holds, or MUR_NO_PAGE */
#define MUR_POOL_USED   1u /* the engine's frame in which the page was used last */
#define MUR_POOL_SEEN   2u /* that word at the murCmdUpdatePager before */
#define MUR_POOL_STATE  3u
#define MUR_POOL_WORDS  4u
#define MUR_POOL_DIRTY  1u /* the page was written and the store does not have it */
#define MUR_POOL_PINNED 2u /* as in the directory */
#define MUR_POOL_HELD   4u

/* The list of requests: how many there are, which may be more than it holds; then page numbers. */
#define MUR_REQUESTS_COUNT 0u
#define MUR_REQUESTS_LIST  4u

/* A pager as shaders use it: 64 bytes by value, for push constants or any buffer. All bounds of
 * accesses are here and none is read from the pager's memory, so corruption there changes results
 * but never leads out of bounds. */
MUR_STRUCT(MurPagerRef) {
    MUR_ADDRESS directory;
    MUR_ADDRESS records;
    MUR_ADDRESS pool; /* the pool pages */
    MUR_ADDRESS requests;
    MUR_U32 pageCount;
    MUR_U32 poolPageCount;
    MUR_U32 pageShift; /* logarithm of a page's bytes */
    MUR_U32 maxRequests;
    MUR_U32 frame; /* the engine's, now */
    MUR_U32 reserved;
    MUR_ADDRESS arguments; /* of the library's own kernels, next to this */
};

/* Word indices of MurPagerStats. */
#define MUR_PAGER_STATS_HITS      0u
#define MUR_PAGER_STATS_MISSES    2u
#define MUR_PAGER_STATS_IN        4u
#define MUR_PAGER_STATS_OUT       6u
#define MUR_PAGER_STATS_EVICTIONS 8u
#define MUR_PAGER_STATS_REJECTED  10u
#define MUR_PAGER_STATS_DEFERRED  12u
#define MUR_PAGER_STATS_OVERFLOW  14u
#define MUR_PAGER_STATS_COUNTERS  8u /* 64-bit counts, before the other words */
#define MUR_PAGER_STATS_RESIDENT  16u
#define MUR_PAGER_STATS_DIRTY     17u
#define MUR_PAGER_STATS_WORDS     20u

#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)

/* Written by murCmdUpdatePager. The 64-bit numbers count since murCmdClearPager. */
typedef struct MurPagerStats {
    uint64_t hits;      /* resident pages used between two calls, each once a call */
    uint64_t misses;    /* pages requested, each once per call */
    uint64_t in;        /* pages brought in */
    uint64_t out;       /* pages written back */
    uint64_t evictions; /* pages evicted */
    uint64_t rejected;  /* pages asked for that found no pool page: the working set is too large */
    uint64_t deferred;  /* pages asked for beyond maxPages */
    uint64_t overflow; /* requests that found the list full; at least as many as could be counted */
    uint32_t resident; /* pages, after this call */
    uint32_t dirty;    /* of them, after this call */
    uint32_t reserved[2];
} MurPagerStats;

MUR_STATIC_ASSERT(sizeof(MurPagerRef) == 64);
MUR_STATIC_ASSERT(sizeof(MurPagerStats) == 4u * MUR_PAGER_STATS_WORDS);
MUR_WORD_AT(MurPagerStats, misses, MUR_PAGER_STATS_MISSES);
MUR_WORD_AT(MurPagerStats, in, MUR_PAGER_STATS_IN);
MUR_WORD_AT(MurPagerStats, out, MUR_PAGER_STATS_OUT);
MUR_WORD_AT(MurPagerStats, evictions, MUR_PAGER_STATS_EVICTIONS);
MUR_WORD_AT(MurPagerStats, rejected, MUR_PAGER_STATS_REJECTED);
MUR_WORD_AT(MurPagerStats, deferred, MUR_PAGER_STATS_DEFERRED);
MUR_WORD_AT(MurPagerStats, overflow, MUR_PAGER_STATS_OVERFLOW);
MUR_WORD_AT(MurPagerStats, resident, MUR_PAGER_STATS_RESIDENT);
MUR_WORD_AT(MurPagerStats, dirty, MUR_PAGER_STATS_DIRTY);

#endif
#endif
