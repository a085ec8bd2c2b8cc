/* Push constants of the library's own kernels, and other declarations that the kernels share with
 * the runtime, for C and GLSL. Users do not need this file.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PUSH_H
#define MUR_PUSH_H

#include "../murmuration/hash.h"
#include "../murmuration/paged_layout.h"
#include "../murmuration/pager_layout.h"
#include "../murmuration/words.h"

/* An address of 0 means that the array is not given. In batches of rows, keys are row numbers,
 * slots is MurRowBatch.rows, mode is its number of rows, and oldValues is MurRowBatch.probeRows. */
MUR_STRUCT(MurBatchPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS statuses;
    MUR_ADDRESS slots;
    MUR_ADDRESS oldValues;
    MUR_ADDRESS statusBits;
    MUR_ADDRESS count; /* a 32-bit word, clamped to maxCount */
    MUR_U32 maxCount;
    MUR_U32 mode; /* MUR_MODE_* */
};

/* Sorts a batch into bins by home slot, before a direct command (sort.glsl). MurUnsortPush copies
 * the results back to the order of the batch. */
MUR_STRUCT(MurSortPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS count;
    MUR_ADDRESS counters; /* per bin: its number of items, then the position of the next item */
    MUR_ADDRESS sortedKeys;
    MUR_ADDRESS sortedValues;
    MUR_ADDRESS places; /* for each item of the batch, its index in the sorted batch */
    /* Address of the first split's counters, in a second split; they are then the ends of the first
     * split's bins. Each of these is split into mask + 1 bins. 0 in the first split. */
    MUR_ADDRESS coarse;
    MUR_U32 coarseBins;
    MUR_U32 maxCount;
    MUR_U32 shift; /* bin = (home >> shift) & mask */
    MUR_U32 mask;
};

MUR_STRUCT(MurUnsortPush) {
    MUR_ADDRESS count;
    MUR_ADDRESS places;
    MUR_ADDRESS sorted;
    MUR_ADDRESS results;
    MUR_U32 maxCount;
    MUR_U32 words;  /* per element of results: 1 or 2; 0: results has a bit per item */
    MUR_U32 status; /* the status that sets the bit */
    MUR_U32 pad;
};

#define MUR_SORT_BINS  512u
#define MUR_SORT_ITEMS 8u

MUR_STRUCT(MurPredicatePush) {
    MUR_U32 word;    /* MUR_PREDICATE_* */
    MUR_U32 compare; /* MUR_COMPARE_* */
    MUR_U32 mask;
    MUR_U32 reference;
};

MUR_STRUCT(MurExtractPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS slots;
    MUR_ADDRESS count;
    MurPredicatePush predicates[MUR_MAX_PREDICATES];
    MUR_U32 maxCount;
    MUR_U32 erases; /* 1: murCmdEraseWhere */
};

MUR_STRUCT(MurStatsPush) {
    MurTableRef table;
    MUR_ADDRESS stats;
    MUR_U32 phase; /* 0: reset the counters, 1: scan */
    MUR_U32 pad;
};

/* An eviction pass. */
MUR_STRUCT(MurEvictPush) {
    MurTableRef table;
    MUR_ADDRESS live;   /* slots of retained entries */
    MUR_ADDRESS erased; /* slots of evicted entries */
    MUR_ADDRESS result; /* MurEvictResult */
    MUR_U32 maxLive;
    MUR_U32 maxErased;
    MUR_U32 frame;
    MUR_U32 maxAge;
    MUR_U32 groupEntries;
    MUR_U32 ages;     /* 0: retains all entries */
    MUR_U32 phase;    /* of filter.comp: MUR_EVICT_BEGIN before the pass, else after it */
    MUR_U32 reserved; /* MurEvict.reservedSlots */
};

#define MUR_EVICT_BEGIN        1u
#define MUR_EVICT_RESULT_WORDS 8u

/* Partitioned builds and inserts. One or two steps split the batch by home slot into bins, one per
 * slice of the table. Then a workgroup builds a slice, or inserts into it, in shared memory.
 * Scratch memory, in words: MUR_SLICES_IRREGULAR, not 0 if some pairs cannot be processed in this
 * way; the item counts of the coarse bins; four words per slice (SLICE_*, slices.glsl); the slices'
 * bins; the coarse bins, which for a build are in the table's own slots if they fit there. */
MUR_STRUCT(MurSlicesPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS count;
    MUR_ADDRESS scratch;
    MUR_U32 maxCount;
    MUR_U32 flags;      /* MUR_SLICES_BUILD, MUR_SLICES_KEEP */
    MUR_U32 fineBits;   /* log2 of the slices per coarse bin; 0: one step is sufficient */
    MUR_U32 coarseRoom; /* pairs per coarse bin */
    MUR_U32 sliceRoom;  /* pairs per bin of a slice */
    MUR_U32 pad;
};

#define MUR_SLICES_BUILD 1u /* the batch replaces the table's content */
#define MUR_SLICES_KEEP  2u /* MUR_MODE_INSERT instead of MUR_MODE_ASSIGN */

#define MUR_SHARED_MEMORY 24576u /* bytes: no kernel uses more */

#define MUR_SLICE       1024u /* home slots per slice */
#define MUR_SLICE_BITS  10u
#define MUR_SLICE_ROOM  1280u /* maximum of sliceRoom */
#define MUR_SLICE_SPILL 64u   /* maximum number of pairs that a slice pushes into the next */
#define MUR_SLICE_CARRY 256u  /* the same maximum for exact builds */
#define MUR_SPLIT_BINS  2048u /* maximum number of bins of one step */
#define MUR_SPLIT_ITEMS 7u    /* pairs per invocation of such a step */
#define MUR_REST_LANES  8u    /* invocations that insert the overflow of one slice */
/* Word indices of scratch memory. */
#define MUR_SLICES_IRREGULAR 0u
#define MUR_SLICES_COARSE    16u
#define MUR_SLICES_COUNTS    (MUR_SLICES_COARSE + MUR_SPLIT_BINS)

/* murCmdRehash, murCmdMerge, murCmdCompact: moves entries from source to table. */
MUR_STRUCT(MurRehashPush) {
    MurTableRef source;
    MurTableRef table;
    MUR_ADDRESS slotMap;
    MUR_ADDRESS result;
    MUR_ADDRESS scratch; /* 0, or a word per chunk for direct inserts into an empty table */
    MUR_U32 mode;        /* MUR_MODE_*, for direct inserts only */
    MUR_U32 slice; /* slots of the table that a workgroup writes at a time; 0: direct inserts */
    /* The source's slots per slot of the table, 32.32 fixed point, rounded down. */
    MUR_U32 ratioLow;
    MUR_U32 ratioHigh;
    MUR_U32 steps; /* slices that a workgroup writes, one after the other */
    MUR_U32 pad;
};

/* Sectors per chunk of the destination. Direct inserts record which chunks are full. */
#define MUR_REHASH_CHUNK 4u

/* The streamed path of murCmdRehash: each workgroup writes some slices of the destination, see
 * rehash_slices.comp. */
#define MUR_REHASH_WINDOW 992u /* slots in shared memory, for a slice and entries beyond its end */
#define MUR_REHASH_CARRY  48u  /* maximum distance of an entry from its home slot */
#define MUR_REHASH_BEFORE 256u /* slots before its first slice that a workgroup also reads */
#define MUR_REHASH_STEPS  32u  /* maximum number of slices per workgroup */
#define MUR_REHASH_READS  512u /* slots of the source read at once; doubled for a dense source */
#define MUR_REHASH_CLOSE  32u  /* slots of these after the last home slot: one should be free */

/* murCmdGroup. The batch is split by hash into bins; a workgroup groups each bin in shared memory.
 * A bin of more than MUR_GROUP_ROOM pairs, or a batch that is not split, is cut into tiles of that
 * size. Scratch memory: the number of tiles, and of their keys; per bin the number of keys without
 * a slot; the counters of the bins; the tiles; the slots of the tiles' keys; the batch after one
 * split and after two. */
MUR_STRUCT(MurGroupPush) {
    MurTableRef table;
    MUR_ADDRESS keys; /* sorted by bin */
    MUR_ADDRESS values;
    MUR_ADDRESS count;    /* of the batch */
    MUR_ADDRESS counters; /* the end of each bin */
    MUR_ADDRESS scratch;
    MUR_ADDRESS tiles; /* begin and end of each tile; 0: tiles of the whole batch */
    MUR_ADDRESS slots;
    MUR_ADDRESS groups;
    MUR_U32 maxCount;
    MUR_U32 maxWords; /* of groups */
    MUR_U32 bins;     /* 0: the batch is not split */
    MUR_U32 slotsLow; /* the table's slots per bin, 32.32 fixed point, rounded down */
    MUR_U32 slotsHigh;
    MUR_U32 pad;
};

/* Word indices of scratch memory, and constants. */
#define MUR_GROUP_TILES 1u
#define MUR_GROUP_KEYS  3u
#define MUR_GROUP_LEFT  4u
#define MUR_GROUP_ROOM  1024u
#define MUR_GROUP_LANES 32u /* minimum number of invocations that insert a bin's remaining keys */
/* Variants of group_tiles.comp. */
#define MUR_GROUP_BINS      0u
#define MUR_GROUP_COUNT     1u
#define MUR_GROUP_PLACE     2u
#define MUR_GROUP_SORT_BINS 3u
/* Maximum number of values of a group that is sorted without a barrier per step. */
#define MUR_GROUP_SMALL 64u
/* Maximum number of values of a group that a workgroup sorts in 16 KiB of shared memory. */
#define MUR_GROUP_SORTED 3072u
/* Groups that a workgroup of group_ascend.comp sorts at a time. */
#define MUR_GROUP_CHUNK 64u

/* murCmdMultiRetrieve. Scratch memory, in words: the count of each key, with MUR_MULTI_HOLES; then
 * the sums of MUR_MULTI_GROUP keys each; then the prefix sums of these. */
MUR_STRUCT(MurMultiPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS count; /* of keys */
    MUR_ADDRESS offsets;
    MUR_ADDRESS values;
    MUR_ADDRESS indices;
    MUR_ADDRESS total;
    MUR_ADDRESS scratch;
    MUR_U32 maxCount;
    MUR_U32 maxValues;
};

#define MUR_MULTI_GROUP 256u
/* Maximum number of a key's ordinals that one invocation visits. A workgroup visits more. */
#define MUR_MULTI_SHORT 16u

/* The kernels of pagers. */
MUR_STRUCT(MurPagerPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* words that the kernels share: MUR_PAGER_HITS, ... */
    MUR_ADDRESS store; /* the first chunk; the block has the addresses of the other chunks */
    MUR_ADDRESS stats;
    MUR_U32 maxPages;   /* murCmdClearPager: number of last pages with host pages for good */
    MUR_U32 keepFrames; /* pages used in the last keepFrames frames are not evicted */
    MUR_U32 chunkShift; /* log2 of a chunk's pages */
    MUR_U32 flags;      /* MUR_PAGER_RESIDENT, ... */
    MUR_ADDRESS lists;  /* MUR_LISTS_* of this frame, in host-visible memory; 0: no file */
    MUR_U32 maxListed;  /* capacity of each list, in pages */
    MUR_U32 mapAt;      /* word index in lists: the host's copy of the map of host pages */
};

#define MUR_PAGER_RESIDENT 1u  /* all pages are always resident, in the store */
#define MUR_PAGER_FILL     2u  /* murCmdClearPager: pages are zero */
#define MUR_PAGER_EVICT    4u  /* murCmdFlushPager: pages are evicted */
#define MUR_PAGER_IN_FILE  8u  /* murCmdClearPager: pages are in the file */
#define MUR_PAGER_CHANGED  16u /* murCmdClearPager: the file does not have the store's content */

/* Word indices of the lists that the host and murCmdUpdatePager exchange per frame.
 * murCmdUpdatePager resets the first three words. */
#define MUR_LISTS_ARRIVED 0u /* from the host: number of pages that it has read into the store */
#define MUR_LISTS_RELEASE 1u /* from the host: MUR_RELEASE_*, the result for held pages */
#define MUR_LISTS_HOLD    2u /* from the host: 1 if pages may be held */
#define MUR_LISTS_WANTED  3u /* to the host: number of requested pages that are in the file */
#define MUR_LISTS_HELD    4u /* to the host: 1 if pages are held */
#define MUR_LISTS_CHANGED 5u /* to the host: number of host pages that only a commit frees */
#define MUR_LISTS_FULL    6u /* to the host: 1 if this number has reached its limit */
#define MUR_LISTS_AT      8u /* maxListed arrived, then maxListed wanted pairs {page, priority} */
/* A wanted page with this bit has just got a host page, and is read whatever the host has noted. */
#define MUR_WANTED_NEW 0x80000000u
/* Priorities of arrived pages that the host could not read: it returns their host pages. */
#define MUR_ARRIVED_FAILED  0x100u
#define MUR_ARRIVED_DAMAGED 0x200u /* and never can */
/* After the pairs: a bit per page, 1 if it is held. */
#define MUR_LISTS_BITS(maxListed) (MUR_LISTS_AT + 4u * (maxListed))

#define MUR_RELEASE_WRITTEN 1u /* the file has the held pages */
#define MUR_RELEASE_FAILED  2u /* the file lacks them: they count as changed again */

/* Commands on a list of pages. */
MUR_STRUCT(MurPagesPush) {
    MurPagerRef pager;
    MUR_ADDRESS pages;
    MUR_ADDRESS count;
    MUR_U32 maxCount;
    MUR_U32 verb; /* MUR_PAGES_* */
    MUR_U32 priority;
    MUR_U32 pad;
};

#define MUR_PAGES_REQUEST 0u
#define MUR_PAGES_PIN     1u
#define MUR_PAGES_UNPIN   2u

/* Writes the addresses of some chunks of a store to the block. */
#define MUR_CHUNKS_PUSHED 8u
MUR_STRUCT(MurChunksPush) {
    MUR_ADDRESS block;
    MUR_U32 first;
    MUR_U32 count;
    MUR_ADDRESS chunks[MUR_CHUNKS_PUSHED];
};

/* Word indices of the block. It begins with the words of MurPagerStats, which are cumulative. The
 * following words are numbers of the current call: */
#define MUR_PAGER_HITS          32u
#define MUR_PAGER_HOLDING       33u /* pool pages with a page */
#define MUR_PAGER_DIRTY         34u /* pool pages with a dirty page */
#define MUR_PAGER_LISTED        35u /* requests in the list */
#define MUR_PAGER_LOST          36u /* requests when the list was full */
#define MUR_PAGER_ASKED         37u /* requested pages that can be loaded */
#define MUR_PAGER_FREE          38u /* available pool pages */
#define MUR_PAGER_SERVED        39u /* pages to load */
#define MUR_PAGER_AGE           40u /* bin of ages: all pool pages of higher bins are used, */
#define MUR_PAGER_AGE_SOME      41u /* and this number of pool pages of this bin */
#define MUR_PAGER_PRIORITY      42u /* the same two words for requested pages */
#define MUR_PAGER_PRIORITY_SOME 43u
#define MUR_PAGER_TAKEN         44u /* four words: taken of pager_assign.comp */
#define MUR_PAGER_EVICTED       48u
#define MUR_PAGER_WRITTEN       49u
#define MUR_PAGER_WANTED        50u /* requested pages that are in the file */
#define MUR_PAGER_COUNTS        64u /* the first of the bins: */
/* Pool pages by age, free ones in the last bin; then requested pages by priority. */
#define MUR_PAGER_AGES        1024u
#define MUR_PAGER_PRIORITIES  256u
#define MUR_PAGER_BINS        (MUR_PAGER_AGES + MUR_PAGER_PRIORITIES)
#define MUR_PAGER_CHUNKS_AT   (MUR_PAGER_COUNTS + MUR_PAGER_BINS)
#define MUR_PAGER_MOST_CHUNKS 64u
/* The list of moves: per page to load, the pool page; the page to write back, or MUR_NO_PAGE; the
 * page to load, with MUR_PAGER_ZERO if it is zero; and 0. */
#define MUR_PAGER_MOVES_AT (MUR_PAGER_CHUNKS_AT + 2u * MUR_PAGER_MOST_CHUNKS)
#define MUR_PAGER_MOVE     4u
#define MUR_PAGER_ZERO     0x80000000u
/* State of host pages that are replaced: these words; a word per host page, its owner, with
 * MUR_HOST_USED; the list of free host pages; and the map, a word per page with its host page. The
 * last pages can have host pages for good, the last ones. */
#define MUR_HOST_FREE    0u /* length of the list of free host pages */
#define MUR_HOST_READING 1u /* host pages that the host owns, because it reads pages into them */
#define MUR_HOST_CHANGED 2u /* host pages whose content is not in the last commit */
#define MUR_HOST_HAND    3u /* of the clock: the host page to examine next */
#define MUR_HOST_FIXED   4u /* host pages that are never replaced, the last ones */
#define MUR_HOST_OWNERS  8u
/* Host pages of a page, and owners of a host page, that do not exist. */
#define MUR_HOST_NONE    0xFFFFFFFFu
#define MUR_HOST_DAMAGED 0xFFFFFFFEu /* page: never gets one, because the file's page is damaged */
#define MUR_HOST_LOST    0xFFFFFFFEu /* host page: free, but not in the list */
#define MUR_HOST_USED    0x80000000u /* the clock passes the host page once */
/* log2 of the bytes that a workgroup copies at a time, 16 per invocation. The pieces are so small
 * that many workgroups copy one page, and their number fills the link. */
#define MUR_PAGER_PIECE_SHIFT 12u

/* Stores of 16 bytes per invocation in the kernel of murCmdClear. */
#define MUR_CLEAR_STORES 4u

/* Paged tables. The push constants of most of their kernels are a MurPagedRef; the variant of the
 * kernel selects the step. */
#define MUR_PAGED_STEP_RESET     0u
#define MUR_PAGED_STEP_REQUEST   1u
#define MUR_PAGED_STEP_COUNT     2u
#define MUR_PAGED_STEP_PLACE     3u
#define MUR_PAGED_STEP_SCATTER   4u
#define MUR_PAGED_STEP_APPLY     0u
#define MUR_PAGED_STEP_GROW      1u
#define MUR_PAGED_STEP_STREAM    2u
#define MUR_PAGED_STEP_SPLIT     0u
#define MUR_PAGED_STEP_DIRECTORY 1u
#define MUR_PAGED_STEP_PERSIST   0u
#define MUR_PAGED_STEP_RESTORE   1u

/* Word indices of a work item, a page to which entries of the log are applied: its pool page, its
 * range in the list of entries, and, if it is full, the number of entries in its table. */
#define MUR_WORK_POOL_PAGE 0u
#define MUR_WORK_FIRST     1u
#define MUR_WORK_COUNT     2u
#define MUR_WORK_LIVE      3u
#define MUR_WORK_WORDS     4u
/* Word indices of a page that grows: its work item, and the new page for half of its entries. */
#define MUR_GROWING_WORK  0u
#define MUR_GROWING_PAGE  1u
#define MUR_GROWING_WORDS 2u

/* After the log, the state of a paged table has a word per pool page, the work items, the list of
 * entries, the pages that grow, and memory of two pages for each of these. These functions return
 * word indices from the state's beginning. */
MUR_INLINE MUR_U32 mur_paged_work_at(MUR_U32 maxLeaves, MUR_U32 maxPending, MUR_U32 poolPageCount) {
    return mur_paged_pool_at(maxLeaves, maxPending) + poolPageCount;
}

MUR_INLINE MUR_U32 mur_paged_growing_at(MUR_U32 maxLeaves, MUR_U32 maxPending,
                                        MUR_U32 poolPageCount) {
    return mur_paged_work_at(maxLeaves, maxPending, poolPageCount) +
           (MUR_WORK_WORDS + 1u) * maxPending;
}

MUR_INLINE MUR_U32 mur_paged_spare_at(MUR_U32 maxLeaves, MUR_U32 maxPending,
                                      MUR_U32 poolPageCount) {
    MUR_U32 end = mur_paged_growing_at(maxLeaves, maxPending, poolPageCount) +
                  MUR_GROWING_WORDS * MUR_PAGE_SPLITS;
    return (end + 63u) / 64u * 64u;
}

/* Last step of murCmdUpdatePagedTable: writes new pages to the store or to their pool pages, and
 * makes shaders append to the other half of the log. */
MUR_STRUCT(MurPagedEvictNewPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS stats; /* of the paged table */
    MUR_ADDRESS state;
    MUR_U32 growing; /* word index in the state, like spare */
    MUR_U32 spare;
    MUR_U32 chunkShift;
    MUR_U32 pad;
};

/* Copies the table's own memory, from the table of partitions to the end of the log, to or from the
 * pager's last pages: a checkpoint, a flush or a clear. */
MUR_STRUCT(MurPagedPersistPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS partitions;
    MUR_ADDRESS state;
    MUR_U32 quads; /* 16-byte units of this memory; after it come the words per pool page */
    MUR_U32 first; /* the first of the pager's last pages, which store this memory */
    MUR_U32 chunkShift;
    MUR_U32 pad;
};

/* Bulk commands on paged tables: the first steps write these arguments into scratch memory. The
 * push constants of later steps have their address. */
MUR_STRUCT(MurPagedArguments) {
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS statuses;
    MUR_ADDRESS partitions;
    MUR_ADDRESS count;
    /* A word per page: its number of items, with MUR_BULK_WAITS if the log has entries for it.
     * Later the index of its first item in the sorted batch. */
    MUR_ADDRESS pages;
    MUR_ADDRESS work;         /* numbers of pages and of items; then MUR_BULK_WORDS per page */
    MUR_ADDRESS places;       /* per item: its page or MUR_PAGED_NONE, and its rank in the page */
    MUR_ADDRESS sortedKeys;   /* pairs of words */
    MUR_ADDRESS sortedValues; /* pairs of words */
    MUR_ADDRESS sortedItems;
    MUR_ADDRESS spare;  /* own pages: memory for one page per workgroup, in a rehash for two */
    MUR_ADDRESS result; /* counts the entries of an extraction, or the pages split by a rehash */
    MUR_ADDRESS left;   /* counts pages that were not read, or not split */
    MUR_U32 maxCount;
    MUR_U32 op; /* MUR_MODE_*, MUR_PAGED_ERASE, MUR_BULK_* */
    MUR_U32 chunkShift;
    MUR_U32 spareCount;
    MUR_U32 firstPage; /* an extraction reads pages firstPage to endPage - 1 */
    MUR_U32 endPage;
    MurPredicatePush predicates[MUR_MAX_PREDICATES];
};

#define MUR_BULK_FIND    8u
#define MUR_BULK_EXTRACT 9u
#define MUR_BULK_REHASH  10u
#define MUR_BULK_WAITS   0x80000000u
#define MUR_BULK_PAGE    0u
#define MUR_BULK_FIRST   1u
#define MUR_BULK_COUNT   2u
#define MUR_BULK_WORDS   3u
#define MUR_BULK_WORK_AT 2u

#define MUR_BULK_STEP_RESET   0u
#define MUR_BULK_STEP_MARK    1u
#define MUR_BULK_STEP_MAKE    2u
#define MUR_BULK_STEP_COUNT   3u
#define MUR_BULK_STEP_PLACE   4u
#define MUR_BULK_STEP_SCATTER 5u

/* Copies blocks of 64 bytes, for an update of a mirror. */
MUR_STRUCT(MurMirrorPush) {
    MUR_ADDRESS table; /* or payload array */
    MUR_ADDRESS list;  /* the blocks' numbers there; 0: in order */
    MUR_ADDRESS source;
    MUR_U32 count;
    MUR_U32 parts; /* of 16 bytes, of the table */
};

/* Writes some words to memory, from word first on. */
#define MUR_ARGS_PUSHED 28u
MUR_STRUCT(MurArgsPush) {
    MUR_ADDRESS arguments;
    MUR_U32 first;
    MUR_U32 count;
    MUR_U32 words[MUR_ARGS_PUSHED];
};

/* MurBatchPush.mode of an insert also has these bits. */
#define MUR_MODE_MASK       0xFFu
#define MUR_MODE_HOME_FIRST 0x100u /* MUR_TABLE_HOME_FIRST for this command */
#define MUR_MODE_COMBINES   0x200u /* merges items of a workgroup with the same key */
/* MurBatchPush.mode of an erase: frees slots at once. */
#define MUR_ERASE_FREES 1u

#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
MUR_STATIC_ASSERT(sizeof(MurBatchPush) == 96);
MUR_STATIC_ASSERT(sizeof(MurSortPush) == 112);
MUR_STATIC_ASSERT(sizeof(MurUnsortPush) == 48);
MUR_STATIC_ASSERT(sizeof(MurExtractPush) == 120);
MUR_STATIC_ASSERT(sizeof(MurStatsPush) == 48);
MUR_STATIC_ASSERT(sizeof(MurSlicesPush) == 88);
MUR_STATIC_ASSERT(sizeof(MurRehashPush) == 112);
MUR_STATIC_ASSERT(sizeof(MurGroupPush) == 120);
MUR_STATIC_ASSERT(sizeof(MurMultiPush) == 96);
MUR_STATIC_ASSERT(sizeof(MurPagerPush) == 120);
MUR_STATIC_ASSERT(sizeof(MurPagedEvictNewPush) == 112);
MUR_STATIC_ASSERT(sizeof(MurPagedPersistPush) == 112);
MUR_STATIC_ASSERT(sizeof(MurPagedArguments) == 200);
MUR_STATIC_ASSERT(sizeof(MurArgsPush) == 128);
MUR_STATIC_ASSERT(sizeof(MurMirrorPush) == 32);
MUR_STATIC_ASSERT(sizeof(MurPagesPush) == 96);
MUR_STATIC_ASSERT(sizeof(MurChunksPush) == 80);
#endif
#endif
