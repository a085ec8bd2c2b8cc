/* Push constants of the library's own kernels, and other declarations that the kernels share with
 * the runtime, for C and GLSL. Users do not need this file.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PUSH_H
#define MUR_PUSH_H

#include "../murmuration/hash.h"
#include "../murmuration/paged_layout.h"
#include "../murmuration/pager_layout.h"
#include "../murmuration/words.h"

/* An address of 0: the command has no such array. If the type compares keys, keys are their indices
 * in the array slots, mode is its length, and oldValues has keys that are in no array. */
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

/* Sorts a batch into bins by home slot, before a direct command (sort.glsl). Afterwards the kernel
 * of MurUnsortPush copies the results back to the order of the batch. */
MUR_STRUCT(MurSortPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS count;
    MUR_ADDRESS counters; /* per bin: its number of items, then the position of the next item */
    MUR_ADDRESS sortedKeys;
    MUR_ADDRESS sortedValues;
    MUR_ADDRESS places; /* for each item of the batch, its index in the sorted batch */
    /* 0 in the first split. In a second split: the address of the first split's counters, which are
     * then the ends of its bins. The second split divides each of these bins into mask + 1 bins. */
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
    MUR_U32 words;  /* 32-bit words per result, 1 or 2; 0: results has a bit per item */
    MUR_U32 status; /* the status for which an item's bit is 1 */
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

/* murCmdEvict, and the eviction passes of engines. */
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
    MUR_U32 ages;     /* 0: the pass retains all entries and reads no ages */
    MUR_U32 phase;    /* of filter.comp: MUR_EVICT_BEGIN before the pass, 0 after it */
    MUR_U32 reserved; /* MurEvict.reservedSlots */
};

#define MUR_EVICT_BEGIN        1u
#define MUR_EVICT_RESULT_WORDS 8u

/* Partitioned builds and inserts. One or two steps split the batch by home slot into bins, one per
 * slice of the table. Then a workgroup builds a slice, or inserts into it, in shared memory.
 * Scratch memory, in this order: the word MUR_SLICES_IRREGULAR, not 0 if some pairs cannot be
 * processed in this way; the item counts of the coarse bins; four words per slice (SLICE_*,
 * slices.glsl); the slices' bins; the coarse bins, unless a build stores them in the table. */
MUR_STRUCT(MurSlicesPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS count;
    MUR_ADDRESS scratch;
    MUR_U32 maxCount;
    MUR_U32 flags;      /* MUR_SLICES_BUILD, MUR_SLICES_KEEP */
    MUR_U32 fineBits;   /* log2 of the slices per coarse bin; 0: no coarse bins, one step splits */
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
#define MUR_SLICE_SPILL 64u   /* maximum number of pairs that a slice pushes into the next one */
#define MUR_SLICE_CARRY 256u  /* this maximum in exact builds */
#define MUR_SPLIT_BINS  2048u /* maximum number of bins of one step */
#define MUR_SPLIT_ITEMS 7u    /* pairs per invocation of this step */
#define MUR_REST_LANES  8u    /* invocations that insert the overflow of one slice */
/* Word indices of scratch memory. */
#define MUR_SLICES_IRREGULAR 0u
#define MUR_SLICES_COARSE    16u
#define MUR_SLICES_COUNTS    (MUR_SLICES_COARSE + MUR_SPLIT_BINS)

/* murCmdRehash, murCmdMerge and murCmdCompact, which move entries from source to table. */
MUR_STRUCT(MurRehashPush) {
    MurTableRef source;
    MurTableRef table;
    MUR_ADDRESS slotMap;
    MUR_ADDRESS result;
    MUR_ADDRESS scratch; /* 0, or a word per chunk for direct inserts into an empty table */
    MUR_U32 mode;        /* MUR_MODE_*, for direct inserts only */
    MUR_U32 slice; /* slots of the table that a workgroup writes at a time; 0: inserts one by one */
    /* The source's slots per slot of the table, 32.32 fixed point, rounded down. */
    MUR_U32 ratioLow;
    MUR_U32 ratioHigh;
    MUR_U32 steps; /* number of slices that a workgroup writes, one after another */
    MUR_U32 pad;
};

/* Sectors per chunk of the destination. Direct inserts record full chunks, to skip them later. */
#define MUR_REHASH_CHUNK 4u

/* The streamed path of murCmdRehash, in which each workgroup writes slices: see
 * rehash_slices.comp. */
#define MUR_REHASH_WINDOW 992u /* slots in shared memory, for a slice and entries beyond its end */
#define MUR_REHASH_CARRY  48u  /* maximum distance of an entry from its home slot */
#define MUR_REHASH_BEFORE 256u /* slots before its first slice that a workgroup also reads */
#define MUR_REHASH_STEPS  32u  /* maximum number of slices per workgroup */
#define MUR_REHASH_READS  512u /* slots of the source read at once; twice as many in variant 1 */
#define MUR_REHASH_CLOSE  32u  /* of these, after the last home slot: a free one ends the run */

/* murCmdGroup. The batch is split by hash into bins, and a workgroup groups each bin in shared
 * memory. A bin of more than MUR_GROUP_ROOM pairs, or a batch that is not split, is cut into tiles
 * of at most that size. Scratch memory has in this order: the number of tiles, and of their keys;
 * per bin the number of keys without a slot; the counters of the bins; the tiles; the slots of the
 * tiles' keys; the batch after the first split; the batch after the second split. */
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
    MUR_U32 tile; /* pairs per tile, 1 ... MUR_GROUP_ROOM */
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
/* Maximum number of values of a group that is sorted without barriers between its steps. */
#define MUR_GROUP_SMALL 64u
/* Maximum number of values of a group that a workgroup sorts in 16 KiB of shared memory. */
#define MUR_GROUP_SORTED 3072u
/* Groups that a workgroup of group_ascend.comp sorts at a time. */
#define MUR_GROUP_CHUNK 64u

/* murCmdMultiRetrieve. Scratch memory, in this order: the number of values of each key, with bit
 * MUR_MULTI_HOLES; sums of MUR_MULTI_GROUP such numbers; the prefix sums of these. */
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
/* Maximum number of a key's ordinals that one invocation visits alone. A workgroup visits more. */
#define MUR_MULTI_SHORT 16u

/* The kernels of pagers. */
MUR_STRUCT(MurPagerPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* words that the kernels share: MUR_PAGER_HITS and the following */
    MUR_ADDRESS store; /* the first chunk; the block has the addresses of the other chunks */
    MUR_ADDRESS stats;
    MUR_U32 maxPages;   /* most pages to load; murCmdClearPager: pages with fixed host pages */
    MUR_U32 keepFrames; /* a page that was used in the last keepFrames frames is not evicted */
    MUR_U32 chunkShift; /* log2 of a chunk's pages */
    MUR_U32 flags;      /* MUR_PAGER_RESIDENT to MUR_PAGER_CHANGED */
    MUR_ADDRESS lists;  /* MUR_LISTS_* of this frame, in host-visible memory; 0: no file */
    MUR_U32 maxListed;  /* capacity of each list, in pages */
    MUR_U32 mapAt;      /* word index in lists of the host's copy of the map of host pages */
};

#define MUR_PAGER_RESIDENT 1u  /* all pages are always resident, in the store */
#define MUR_PAGER_FILL     2u  /* murCmdClearPager: pages are zero */
#define MUR_PAGER_EVICT    4u  /* murCmdFlushPager: pages are evicted */
#define MUR_PAGER_IN_FILE  8u  /* murCmdClearPager: pages are in the file */
#define MUR_PAGER_CHANGED  16u /* murCmdClearPager: the file does not have the store's content */

/* Word indices of the lists that the host and murCmdUpdatePager exchange per frame.
 * murCmdUpdatePager resets the first three words. */
#define MUR_LISTS_ARRIVED 0u /* from the host: number of pages that it read into the store */
#define MUR_LISTS_RELEASE 1u /* from the host: MUR_RELEASE_*, how the checkpoint ended */
#define MUR_LISTS_HOLD    2u /* from the host: 1 if a checkpoint begins, which holds pages */
#define MUR_LISTS_WANTED  3u /* to the host: number of requested pages that are in the file */
#define MUR_LISTS_HELD    4u /* to the host: 1 if pages are held */
#define MUR_LISTS_CHANGED 5u /* to the host: number of host pages that only a commit frees */
#define MUR_LISTS_FULL    6u /* to the host: 1 if MUR_LISTS_CHANGED has reached its limit */
#define MUR_LISTS_AT      8u /* maxListed arrived, then maxListed wanted pairs {page, priority} */
/* Bit of a page that has just got a host page: the host reads it even if it has read it before. */
#define MUR_WANTED_NEW 0x80000000u
/* Priorities of arrived pages that the host could not read: kernels take back their host pages. */
#define MUR_ARRIVED_FAILED  0x100u
#define MUR_ARRIVED_DAMAGED 0x200u /* the file's page is damaged: no later read can succeed */
/* After the pairs: a bit per page, 1 if it is held. */
#define MUR_LISTS_BITS(maxListed) (MUR_LISTS_AT + 4u * (maxListed))

#define MUR_RELEASE_WRITTEN 1u /* the file has the content of the held pages */
#define MUR_RELEASE_FAILED  2u /* the file lacks their content, so they are changed pages again */

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
 * following words are numbers of the current call. */
#define MUR_PAGER_HITS          32u
#define MUR_PAGER_HOLDING       33u /* pool pages with a page */
#define MUR_PAGER_DIRTY         34u /* pool pages with a dirty page */
#define MUR_PAGER_LISTED        35u /* requests in the list */
#define MUR_PAGER_LOST          36u /* requests that found the list full */
#define MUR_PAGER_ASKED         37u /* requested pages that can be loaded */
#define MUR_PAGER_FREE          38u /* pool pages whose page can be evicted, and empty ones */
#define MUR_PAGER_SERVED        39u /* pages to load */
#define MUR_PAGER_AGE           40u /* lowest chosen bin of ages: all pool pages of higher bins, */
#define MUR_PAGER_AGE_SOME      41u /* and this number of pool pages of this bin, are chosen */
#define MUR_PAGER_PRIORITY      42u /* the same two words for the priorities of requested pages */
#define MUR_PAGER_PRIORITY_SOME 43u
#define MUR_PAGER_TAKEN         44u /* four words: sums of the array `taken` of pager_assign.comp */
#define MUR_PAGER_EVICTED       48u
#define MUR_PAGER_WRITTEN       49u
#define MUR_PAGER_WANTED        50u /* requested pages that are in the file */
#define MUR_PAGER_COUNTS        64u
/* The bins: pool pages by age, free ones in the last bin; then requested pages by priority. */
#define MUR_PAGER_AGES        1024u
#define MUR_PAGER_PRIORITIES  256u
#define MUR_PAGER_BINS        (MUR_PAGER_AGES + MUR_PAGER_PRIORITIES)
#define MUR_PAGER_CHUNKS_AT   (MUR_PAGER_COUNTS + MUR_PAGER_BINS)
#define MUR_PAGER_MOST_CHUNKS 64u
/* The list of moves has four words per page to load: the pool page; the page to write back, or
 * MUR_NO_PAGE; the page to load, with MUR_PAGER_ZERO if its content is zero; and 0. */
#define MUR_PAGER_MOVES_AT (MUR_PAGER_CHUNKS_AT + 2u * MUR_PAGER_MOST_CHUNKS)
#define MUR_PAGER_MOVE     4u
#define MUR_PAGER_ZERO     0x80000000u
/* The state of host pages, if host pages are replaced: these words; per host page a word with its
 * owner and MUR_HOST_USED; the list of free host pages; the map, per page a word with its host
 * page. The last MUR_HOST_FIXED pages keep the last host pages. */
#define MUR_HOST_FREE    0u /* length of the list of free host pages */
#define MUR_HOST_READING 1u /* host pages that the host owns, because it reads pages into them */
#define MUR_HOST_CHANGED 2u /* host pages whose content is not in the last commit */
#define MUR_HOST_HAND    3u /* the host page that the clock algorithm examines next */
#define MUR_HOST_FIXED   4u /* number of host pages, the last ones, that are never replaced */
#define MUR_HOST_OWNERS  8u
/* Values for "no host page" in the map, and for "no owner". */
#define MUR_HOST_NONE    0xFFFFFFFFu
#define MUR_HOST_DAMAGED 0xFFFFFFFEu /* map: none ever, because the page is damaged in the file */
#define MUR_HOST_LOST    0xFFFFFFFEu /* owner: the host page is free, but not in the list */
#define MUR_HOST_USED    0x80000000u /* owner: the clock skips the host page once */
/* log2 of the bytes that a workgroup copies at a time, 16 per invocation. These pieces are small,
 * so that many workgroups copy one page; only many concurrent copies use the link's full rate. */
#define MUR_PAGER_PIECE_SHIFT 12u

/* Stores of 16 bytes per invocation in the kernels of murCmdClear and murCmdCompact. */
#define MUR_CLEAR_STORES 4u

/* Variants of the kernels of paged tables: each is a step (MUR_PAGED_STEP_*, MUR_BULK_STEP_*). Most
 * of these kernels have a MurPagedRef as push constants. */
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
 * entries, the pages that grow, and memory of two pages for each of these. The functions return
 * word indices, counted from the state's beginning. */
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

/* The last step of murCmdUpdatePagedTable: see paged_evict_new.comp. */
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

/* Copies the table's own memory (from the table of partitions to the end of the log) to the pager's
 * last pages, for a checkpoint or a flush, or back, for a clear. */
MUR_STRUCT(MurPagedPersistPush) {
    MurPagerRef pager;
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS partitions;
    MUR_ADDRESS state;
    MUR_U32 quads; /* 16-byte units of this memory; the words per pool page follow it */
    MUR_U32 first; /* the first of the pager's last pages, which store this memory */
    MUR_U32 chunkShift;
    MUR_U32 pad;
};

/* Arguments of bulk commands on paged tables. The first steps write them into scratch memory. The
 * push constants of later steps have their address. */
MUR_STRUCT(MurPagedArguments) {
    MUR_ADDRESS block; /* of the pager, for the store's chunks */
    MUR_ADDRESS store;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS statuses;
    MUR_ADDRESS partitions;
    MUR_ADDRESS count;
    /* A word per page: first its number of items, with MUR_BULK_WAITS if the log has entries for
     * it; then the index of its first item in the sorted batch. */
    MUR_ADDRESS pages;
    MUR_ADDRESS work;         /* numbers of pages and items; then MUR_BULK_WORDS per page */
    MUR_ADDRESS places;       /* per item: its page or MUR_PAGED_NONE, and its rank in the page */
    MUR_ADDRESS sortedKeys;   /* pairs of words */
    MUR_ADDRESS sortedValues; /* pairs of words */
    MUR_ADDRESS sortedItems;
    MUR_ADDRESS spare;  /* memory for one page per workgroup, in a rehash for two */
    MUR_ADDRESS result; /* counts the entries of an extraction, or the pages split by a rehash */
    MUR_ADDRESS left;   /* counts pages that the command could not read or split */
    MUR_U32 maxCount;
    MUR_U32 op; /* MUR_MODE_*, MUR_PAGED_ERASE, MUR_BULK_* */
    MUR_U32 chunkShift;
    MUR_U32 spareCount;
    MUR_U32 firstPage; /* an extraction reads pages firstPage to endPage - 1 */
    MUR_U32 endPage;
    MurPredicatePush predicates[MUR_MAX_PREDICATES];
};

/* Operations of bulk commands, in addition to MUR_MODE_* and MUR_PAGED_ERASE. */
#define MUR_BULK_FIND    8u
#define MUR_BULK_EXTRACT 9u
#define MUR_BULK_REHASH  10u
#define MUR_BULK_WAITS   0x80000000u /* see MurPagedArguments.pages */
/* Word indices of a page in `work`: the page, its range of the sorted batch. WORK_AT: the first. */
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

/* Copies blocks of 64 bytes to update a mirror. */
MUR_STRUCT(MurMirrorPush) {
    MUR_ADDRESS table; /* address of the mirrored table, or of a payload array */
    MUR_ADDRESS list;  /* address of the blocks' numbers in the table; 0: blocks 0, 1, ... */
    MUR_ADDRESS source;
    MUR_U32 count;
    MUR_U32 parts; /* size of the table in units of 16 bytes */
};

/* Writes `count` words to the arguments in memory, from word `first` on. */
#define MUR_ARGS_PUSHED 28u
MUR_STRUCT(MurArgsPush) {
    MUR_ADDRESS arguments;
    MUR_U32 first;
    MUR_U32 count;
    MUR_U32 words[MUR_ARGS_PUSHED];
};

/* MurBatchPush.mode of an insert also has these bits. */
#define MUR_MODE_MASK       0xFFu
#define MUR_MODE_HOME_FIRST 0x100u /* sets MUR_TABLE_HOME_FIRST for this command */
#define MUR_MODE_COMBINES   0x200u /* merges items of a workgroup with the same key */
/* MurBatchPush.mode of an erase that frees slots at once. */
#define MUR_ERASE_FREES 1u

#endif
