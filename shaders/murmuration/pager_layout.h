/* Murmuration: declarations of pagers (<murmuration/pager.h>), shared by C and GLSL.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGER_LAYOUT_H
#define MUR_PAGER_LAYOUT_H

#include "layout.h"

#define MUR_PAGE_MIN_SIZE  4096u
#define MUR_PAGE_MAX_SIZE  1048576u
#define MUR_MAX_PAGES      0x7FFF0000u
#define MUR_MAX_POOL_PAGES 0x01000000u
/* Numbers that mean "no page" and "no pool page". */
#define MUR_NO_PAGE      0xFFFFFFFFu
#define MUR_NO_POOL_PAGE 0xFFFFFFFFu

/* The directory has a word per page. RESIDENT: the page is in the pool page with the number in the
 * low bits. REQUESTED: the page is not resident, and a shader has requested it with the priority in
 * the low bits. Shaders change only REQUESTED and the priority. */
#define MUR_PAGE_RESIDENT  0x80000000u
#define MUR_PAGE_PINNED    0x40000000u /* the page is not evicted once it is resident */
#define MUR_PAGE_REQUESTED 0x20000000u
#define MUR_PAGE_IN_FILE   0x10000000u /* the page is only in the file, not in the store */
#define MUR_PAGE_HELD      0x08000000u /* a checkpoint reads the page in the store: read only */
#define MUR_PAGE_ZERO      0x04000000u /* the page is zero; ignore the store's content */
#define MUR_PAGE_CHANGED   0x02000000u /* the store has content that the file lacks */
#define MUR_PAGE_POOL_PAGE 0x00FFFFFFu
#define MUR_PAGE_PRIORITY  0x000000FFu
/* Bits that loads and evictions do not change. */
#define MUR_PAGE_KEEPS \
    (MUR_PAGE_PINNED | MUR_PAGE_IN_FILE | MUR_PAGE_HELD | MUR_PAGE_ZERO | MUR_PAGE_CHANGED)

/* A pool page's record: word indices, and bits of its last word. */
#define MUR_POOL_PAGE   0u /* number of the page in the pool page, or MUR_NO_PAGE */
#define MUR_POOL_USED   1u /* the engine's frame in which the page was used last */
#define MUR_POOL_SEEN   2u /* MUR_POOL_USED at the previous murCmdUpdatePager */
#define MUR_POOL_STATE  3u
#define MUR_POOL_WORDS  4u
#define MUR_POOL_DIRTY  1u /* the page was written, and the store does not have the new content */
#define MUR_POOL_PINNED 2u /* PINNED, HELD: as MUR_PAGE_* in the directory */
#define MUR_POOL_HELD   4u

/* The list of requests: a count, then page numbers. The count may be above the capacity of the
 * list, because the count includes requests that found no space. */
#define MUR_REQUESTS_COUNT 0u
#define MUR_REQUESTS_LIST  4u

/* Pager reference for shaders: 64 bytes by value, for push constants or any buffer. It contains all
 * bounds of accesses. Accesses read no bounds from the pager's memory, so damaged memory changes
 * results but causes no access out of bounds. */
MUR_STRUCT(MurPagerRef) {
    MUR_ADDRESS directory;
    MUR_ADDRESS records;
    MUR_ADDRESS pool; /* the pool pages */
    MUR_ADDRESS requests;
    MUR_U32 pageCount;
    MUR_U32 poolPageCount;
    MUR_U32 pageShift; /* log2 of a page's bytes */
    MUR_U32 maxRequests;
    MUR_U32 frame;         /* number of the engine's current frame */
    MUR_U32 hostPageCount; /* host pages in the store; 0: one for every page */
    MUR_ADDRESS arguments; /* additional arguments of the library's own kernels */
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

/* Written by murCmdUpdatePager. The 64-bit numbers count pages since murCmdClearPager. */
typedef struct MurPagerStats {
    uint64_t hits;      /* resident pages that were used since the last call, each once per call */
    uint64_t misses;    /* requested pages, each once per call */
    uint64_t in;        /* loaded pages */
    uint64_t out;       /* pages that were written back */
    uint64_t evictions; /* evicted pages */
    uint64_t rejected;  /* requested pages without a pool page: the working set is too large */
    uint64_t deferred;  /* requested pages beyond maxPages */
    uint64_t overflow;  /* requests that found the list full; a lower bound */
    uint32_t resident;  /* resident pages after this call */
    uint32_t dirty;     /* dirty pages after this call */
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
