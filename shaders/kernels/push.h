/* Push constants of the library's own kernels, and other declarations that they share with the
 * runtime: the same text for C and GLSL. Users need nothing of it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PUSH_H
#define MUR_PUSH_H

#include "../murmuration/hash.h"
#include "../murmuration/paged_layout.h"
#include "../murmuration/pager_layout.h"
#include "../murmuration/words.h"

/* A zero address means "not wanted". In batches of rows keys are row numbers, slots is the array,
 * with `mode` rows, and oldValues the other one. */
MUR_STRUCT(MurBatchPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS statuses;
    MUR_ADDRESS slots;
    MUR_ADDRESS oldValues;
    MUR_ADDRESS statusBits;
    MUR_ADDRESS count; /* of a 32-bit count, clamped to maxCount */
    MUR_U32 maxCount;
    MUR_U32 mode; /* MUR_MODE_* */
};

/* Sorting a batch by home slot, roughly, before a direct command (sort.glsl), and taking its
 * results back to the order of the batch. */
MUR_STRUCT(MurSortPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS count;
    MUR_ADDRESS counters; /* by bin: the number of its items, then where the next one goes */
    MUR_ADDRESS sortedKeys;
    MUR_ADDRESS sortedValues;
    MUR_ADDRESS places; /* for each item of the batch, its index when sorted */
    /* A second time: the counters of the first, which have the end of each of its bins; or 0. Each
     * of them is then split into mask + 1 bins, with counters one after another. */
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
    MUR_U32 words;  /* an element of results: 1 or 2; 0: a bit, of a status */
    MUR_U32 status; /* that sets it */
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

/* A pass over a table in buckets. */
MUR_STRUCT(MurEvictPush) {
    MurTableRef table;
    MUR_ADDRESS live; /* slots of the entries that stay, and of those that go */
    MUR_ADDRESS erased;
    MUR_ADDRESS result; /* MurEvictResult */
    MUR_U32 maxLive;
    MUR_U32 maxErased;
    MUR_U32 frame;
    MUR_U32 maxAge;
    MUR_U32 groupEntries;
    MUR_U32 ages;     /* 0: all stay */
    MUR_U32 phase;    /* of filter.comp: MUR_EVICT_BEGIN, or else after the pass */
    MUR_U32 reserved; /* slots of each bucket that stay free, unless this frame used all entries */
};

#define MUR_EVICT_BEGIN        1u
#define MUR_EVICT_RESULT_WORDS 8u

/* Builds and inserts slice by slice: the batch is split by the top of the hash, in one or two
 * steps, into bins, one for each slice of the table; a workgroup builds a slice, or inserts into
 * it, in shared memory. Scratch memory, in words: pairs that cannot be done this way raise the
 * first one; then come the item counts of the coarse bins, four words for each slice (its item
 * count, and for exact builds its shift of incoming pairs, and their number), and the slices' bins
 * of sliceRoom pairs each. The coarse bins of a build lie in the table's own slots if they fit
 * there, others after those bins. */
MUR_STRUCT(MurSlicesPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS count;
    MUR_ADDRESS scratch;
    MUR_U32 maxCount;
    MUR_U32 flags;    /* MUR_SLICES_BUILD, MUR_SLICES_KEEP */
    MUR_U32 fineBits; /* a coarse bin holds 2^fineBits slices; 0: one step is enough */
    MUR_U32 coarseRoom;
    MUR_U32 sliceRoom;
    MUR_U32 pad;
};

#define MUR_SLICES_BUILD 1u /* the batch replaces the table's content */
#define MUR_SLICES_KEEP  2u /* MUR_MODE_INSERT instead of MUR_MODE_ASSIGN */

#define MUR_SHARED_MEMORY 24576u /* bytes: no kernel has more */

#define MUR_SLICE       1024u /* home slots a slice */
#define MUR_SLICE_BITS  10u
#define MUR_SLICE_ROOM  1280u /* most pairs that a slice's bin holds */
#define MUR_SLICE_SPILL 64u   /* most pairs that a slice may push into the next */
#define MUR_SLICE_CARRY 256u  /* the same; exact builds */
#define MUR_SPLIT_BINS  2048u /* most bins that one step splits into */
#define MUR_SPLIT_ITEMS 7u    /* pairs that an invocation of such a step takes */
#define MUR_REST_LANES  8u    /* invocations that insert the overflow of one slice */
/* Words of scratch. */
#define MUR_SLICES_IRREGULAR 0u
#define MUR_SLICES_COARSE    16u
#define MUR_SLICES_COUNTS    (MUR_SLICES_COARSE + MUR_SPLIT_BINS)

/* murCmdRehash, murCmdMerge, murCmdCompact: from source to table. */
MUR_STRUCT(MurRehashPush) {
    MurTableRef source;
    MurTableRef table;
    MUR_ADDRESS slotMap;
    MUR_ADDRESS result;
    MUR_ADDRESS scratch; /* a word a chunk, for direct inserts into an empty table; or 0 */
    MUR_U32 mode;        /* MUR_MODE_*, direct inserts only */
    MUR_U32 slice; /* slots of the table that a workgroup writes at a time; 0: direct inserts */
    /* Slots of the source a slot of the table, 32.32 fixed point, rounded down. */
    MUR_U32 ratioLow;
    MUR_U32 ratioHigh;
    MUR_U32 steps; /* slices that a workgroup writes, one after the other */
    MUR_U32 pad;
};

/* Sectors of the destination whose being full is noted together, by murCmdCompact. */
#define MUR_REHASH_CHUNK 4u

/* murCmdRehash as a stream: each workgroup writes some slices of the destination, see
 * rehash_slices.comp. */
#define MUR_REHASH_WINDOW 992u /* places for a slice's entries and those that go beyond it */
#define MUR_REHASH_CARRY  48u  /* furthest that an entry may be from its home slot */
#define MUR_REHASH_BEFORE 256u /* slots looked at before the first slice */
#define MUR_REHASH_STEPS  32u  /* most slices that a workgroup writes */
#define MUR_REHASH_READS  512u /* slots of the source read at once; twice as many if it is denser */
#define MUR_REHASH_CLOSE  32u  /* of them, beyond the last that can be a home, for a free one */

/* murCmdGroup. The batch is split by hash, each bin is grouped by a workgroup in shared memory. A
 * bin of more than MUR_GROUP_ROOM pairs, or a batch that is not split, is cut into tiles of that
 * size. Scratch memory: the number of tiles, and of their keys; the number of keys that each bin
 * leaves; the counters of the bins; the tiles; the slots of the tiles' keys; the batch, split once
 * and twice. */
MUR_STRUCT(MurGroupPush) {
    MurTableRef table;
    MUR_ADDRESS keys; /* by bin */
    MUR_ADDRESS values;
    MUR_ADDRESS count;    /* of the batch */
    MUR_ADDRESS counters; /* where each bin ends */
    MUR_ADDRESS scratch;
    MUR_ADDRESS tiles; /* pairs of words: where each begins and ends; or 0: of the whole batch */
    MUR_ADDRESS slots;
    MUR_ADDRESS groups;
    MUR_U32 maxCount;
    MUR_U32 maxWords; /* of groups */
    MUR_U32 bins;     /* 0: it is not split */
    MUR_U32 slotsLow; /* of the table a bin, 32.32 fixed point, rounded down */
    MUR_U32 slotsHigh;
    MUR_U32 pad;
};

/* Words of scratch memory. */
#define MUR_GROUP_TILES 1u
#define MUR_GROUP_KEYS  3u
#define MUR_GROUP_LEFT  4u
#define MUR_GROUP_ROOM  1024u
#define MUR_GROUP_LANES 32u /* invocations that insert the rest of one bin, at least */
/* Kernels made of group_tiles.comp. */
#define MUR_GROUP_BINS      0u
#define MUR_GROUP_COUNT     1u
#define MUR_GROUP_PLACE     2u
#define MUR_GROUP_SORT_BINS 3u
/* Groups of as many values at most are sorted without a barrier for each step. */
#define MUR_GROUP_SMALL 64u
/* Values of the largest group that a workgroup sorts: with its lists, 16 KiB have room for them. */
#define MUR_GROUP_SORTED 3072u
/* Groups that a workgroup sorts at a time, of those that no bin has sorted. */
#define MUR_GROUP_CHUNK 64u

/* murCmdMultiRetrieve. Scratch memory, in words: for each key its count, with MUR_MULTI_HOLES; then
 * the sum for each MUR_MULTI_GROUP keys, then their sums before. */
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
/* One invocation walks a key with at most this many ordinals; a workgroup walks one with more. */
#define MUR_MULTI_SHORT 16u

/* Pagers: murCmdUpdatePager and the others. */
MUR_STRUCT(MurPagerPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* MUR_PAGER_BLOCK_*: shared by the kernels, in words */
    MUR_ADDRESS store; /* its first chunk; the block has the addresses of the others */
    MUR_ADDRESS stats;
    MUR_U32 maxPages;
    MUR_U32 keepFrames; /* pages used in the last keepFrames frames of the engine are no victims */
    MUR_U32 chunkShift; /* logarithm of a chunk's pages */
    MUR_U32 flags;      /* MUR_PAGER_RESIDENT, ... */
    MUR_ADDRESS lists;  /* MUR_LISTS_*, of this frame, in memory that the host sees; 0: no file */
    MUR_U32 maxListed;  /* pages that each of them holds */
    MUR_U32 pad;
};

#define MUR_PAGER_RESIDENT 1u  /* pages are where they are stored, and stay there */
#define MUR_PAGER_FILL     2u  /* murCmdClearPager: pages are zero */
#define MUR_PAGER_EVICT    4u  /* murCmdFlushPager: pages are evicted */
#define MUR_PAGER_IN_FILE  8u  /* murCmdClearPager: pages are in the file */
#define MUR_PAGER_CHANGED  16u /* murCmdClearPager: the file does not have the store's content */

/* Exchanged by the host and murCmdUpdatePager per frame, in words. */
#define MUR_LISTS_ARRIVED 0u /* from the host: pages that the store has now; */
#define MUR_LISTS_RELEASE 1u /* the result for held pages, MUR_RELEASE_*; */
#define MUR_LISTS_HOLD    2u /* may pages be held? murCmdUpdatePager puts these three back */
#define MUR_LISTS_WANTED  3u /* to the host: pages asked for that are in the file; */
#define MUR_LISTS_HELD    4u /* 1: pages are held */
#define MUR_LISTS_AT      8u /* pairs of page and priority: maxListed arrived, as many wanted; */
/* then a bit for each page that is held. */
#define MUR_LISTS_BITS(maxListed) (MUR_LISTS_AT + 4u * (maxListed))

#define MUR_RELEASE_WRITTEN 1u /* the file has them */
#define MUR_RELEASE_FAILED  2u /* it has not: they have changed since the last checkpoint */

/* A list of pages. */
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

/* The addresses of some chunks of a store, for the block. */
#define MUR_CHUNKS_PUSHED 8u
MUR_STRUCT(MurChunksPush) {
    MUR_ADDRESS block;
    MUR_U32 first;
    MUR_U32 count;
    MUR_ADDRESS chunks[MUR_CHUNKS_PUSHED];
};

/* The block begins with MurPagerStats' words. Of the call that runs: */
#define MUR_PAGER_HITS          32u
#define MUR_PAGER_HOLDING       33u /* pool pages that hold a page */
#define MUR_PAGER_DIRTY         34u /* of them */
#define MUR_PAGER_LISTED        35u /* requests that the list holds */
#define MUR_PAGER_LOST          36u /* that it could not take */
#define MUR_PAGER_ASKED         37u /* pages that can be served */
#define MUR_PAGER_FREE          38u /* pool pages that can be had */
#define MUR_PAGER_SERVED        39u
#define MUR_PAGER_AGE           40u /* all pool pages of higher bins are victims, of this one: */
#define MUR_PAGER_AGE_SOME      41u
#define MUR_PAGER_PRIORITY      42u /* the same for the pages that are asked for */
#define MUR_PAGER_PRIORITY_SOME 43u
#define MUR_PAGER_TAKEN         44u /* so far: pool pages of higher bins, of this; pages too */
#define MUR_PAGER_EVICTED       48u
#define MUR_PAGER_WRITTEN       49u
#define MUR_PAGER_WANTED        50u /* pages asked for that are in the file */
#define MUR_PAGER_COUNTS        64u /* words before: */
/* Pool pages by age, free ones in the last bin; pages asked for by priority. */
#define MUR_PAGER_AGES        1024u
#define MUR_PAGER_PRIORITIES  256u
#define MUR_PAGER_BINS        (MUR_PAGER_AGES + MUR_PAGER_PRIORITIES)
#define MUR_PAGER_CHUNKS_AT   (MUR_PAGER_COUNTS + MUR_PAGER_BINS)
#define MUR_PAGER_MOST_CHUNKS 64u
/* For each page that is served: the pool page, the page to write back or MUR_NO_PAGE, the page to
 * bring in, with MUR_PAGER_ZERO if it is zero. */
#define MUR_PAGER_MOVES_AT (MUR_PAGER_CHUNKS_AT + 2u * MUR_PAGER_MOST_CHUNKS)
#define MUR_PAGER_MOVE     4u
#define MUR_PAGER_ZERO     0x80000000u
/* Logarithm of the bytes that a workgroup moves at a time, 16 an invocation: so few that a page
 * alone is the work of many workgroups, and many of them fill the link. */
#define MUR_PAGER_PIECE_SHIFT 12u

/* Stores of 16 bytes that an invocation of murCmdClear's kernel makes. */
#define MUR_CLEAR_STORES 4u

/* Paged tables. Most of their kernels have a MurPagedRef for push constants; the variant selects
 * such a kernel's step. */
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

/* A page to which entries of the log are applied, in words: where it is, its part of the list of
 * entries; and, if it is full, how many entries its table has. */
#define MUR_WORK_POOL_PAGE 0u
#define MUR_WORK_FIRST     1u
#define MUR_WORK_COUNT     2u
#define MUR_WORK_LIVE      3u
#define MUR_WORK_WORDS     4u
/* One that grows: its item of work, and the page that takes half of its entries. */
#define MUR_GROWING_WORK  0u
#define MUR_GROWING_PAGE  1u
#define MUR_GROWING_WORDS 2u

/* The state of a paged table goes on, behind the log, with a word for each pool page, the items of
 * work and the list of entries, those that grow, and two pages' room for each of these. In words
 * from the state's beginning. */
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

/* Its last step: new pages go where they belong, the log's other half is the one that is
 * written. */
MUR_STRUCT(MurPagedEvictNewPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS stats; /* of the paged table */
    MUR_ADDRESS state;
    MUR_U32 growing; /* words from there */
    MUR_U32 spare;
    MUR_U32 chunkShift;
    MUR_U32 pad;
};

/* The last pages of the pager may be the table's own: the image of its memory from the table
 * of partitions to the end of the log, as it was at a checkpoint or a flush. */
MUR_STRUCT(MurPagedPersistPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS partitions;
    MUR_ADDRESS state;
    MUR_U32 quads; /* of the image; the words of the pool pages begin behind it */
    MUR_U32 first; /* page of its own */
    MUR_U32 chunkShift;
    MUR_U32 pad;
};

/* Bulk commands on paged tables: the first steps write this into scratch memory, for the others,
 * which get its address. */
MUR_STRUCT(MurPagedArguments) {
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS statuses;
    MUR_ADDRESS partitions;
    MUR_ADDRESS count;
    MUR_ADDRESS pages;        /* a word each: how many items it has, MUR_BULK_WAITS; their place */
    MUR_ADDRESS work;         /* how many pages, and items, there are; then MUR_BULK_WORDS a page */
    MUR_ADDRESS places;       /* of each item: its page, or none, and its rank there */
    MUR_ADDRESS sortedKeys;   /* pairs of words */
    MUR_ADDRESS sortedValues; /* pairs of words */
    MUR_ADDRESS sortedItems;
    MUR_ADDRESS spare;  /* a page for each workgroup, two where pages are halved */
    MUR_ADDRESS result; /* of an extraction, entries; of a rehash, pages: how many there are */
    MUR_ADDRESS left;   /* pages that could not be read, or not halved */
    MUR_U32 maxCount;
    MUR_U32 op; /* MUR_MODE_*, MUR_PAGED_ERASE, MUR_BULK_* */
    MUR_U32 chunkShift;
    MUR_U32 spareCount;
    MUR_U32 firstPage; /* of an extraction, and the first that it leaves alone again */
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

/* Some words for memory, from word first on. */
#define MUR_ARGS_PUSHED 28u
MUR_STRUCT(MurArgsPush) {
    MUR_ADDRESS arguments;
    MUR_U32 first;
    MUR_U32 count;
    MUR_U32 words[MUR_ARGS_PUSHED];
};

/* In the push constants of an insert, next to the mode: MUR_TABLE_HOME_FIRST for this command;
 * items of a workgroup with the same key are combined. */
#define MUR_MODE_MASK       0xFFu
#define MUR_MODE_HOME_FIRST 0x100u
#define MUR_MODE_COMBINES   0x200u
/* In those of an erase: slots of tables in buckets become free at once. */
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
MUR_STATIC_ASSERT(sizeof(MurPagesPush) == 96);
MUR_STATIC_ASSERT(sizeof(MurChunksPush) == 80);
#endif
#endif
