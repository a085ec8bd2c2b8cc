/* The commands of all headers.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

#define CALL_TABLE (call->cmd, call->object)
#define CALL_INFO  (call->cmd, call->object, call->info)
#define CALL_WORD  (call->cmd, call->object, call->word)
#define CALL_MODE  (call->cmd, call->object, call->word, call->info)

COMMAND(murCmdClear, CALL_TABLE, TAKES(TABLES, 1))
COMMAND(murCmdBarrier, CALL_TABLE, TAKES(TABLES, 0))

/* ---- Commands with a batch ------------------------------------------------------------------ */

/* Describes a MurBatch. key: KEY or MULTI_KEY. Other parameters: flags (NONE, REQUIRED, ...) of
 * values, of slots and statusBits, and of oldValues. */
#define BATCH(key, ofValues, ofSlots, ofOldValues)                       \
    INFO(pBatch, MurBatch, .maxCount = ITEMS),                           \
        .members = {                                                     \
            MEMBER(MurBatch, countAddress, 4, 1, ADDRESS),               \
            MEMBER(MurBatch, keys, key, ITEMS, REQUIRED),                \
            MEMBER(MurBatch, values, VALUE, ITEMS, ofValues),            \
            MEMBER(MurBatch, statuses, 4, ITEMS, WRITTEN),               \
            MEMBER(MurBatch, slots, 4, ITEMS, ofSlots),                  \
            MEMBER(MurBatch, oldValues, VALUE, ITEMS, ofOldValues),      \
            MEMBER(MurBatch, statusBits, 4, (ITEMS + 31) / 32, ofSlots), \
            MEMBER(MurBatch, scratch, 16, 0, WRITTEN | WHOLE),           \
    }

#define SINGLE_VALUED REJECT(MULTI | ANY_ROWS, "one value per key")
#define BAD_BATCH                                                          \
    .bad = {BAD(MurBatch, flags, 1, NULL, LIMIT), BAD(MurBatch, flags, 2), \
            BAD(MurBatch, flags, 0x80000001)}

COMMAND(murCmdInsert, CALL_MODE, TAKES(TABLES, 9), .plain = 1, .rejects = {SINGLE_VALUED},
        .flags = WRITES | MODES | EMPTY, BATCH(KEY, REQUIRED, WRITTEN, WRITTEN), BAD_BATCH)
COMMAND(murCmdBuild, CALL_MODE, TAKES(TABLES, 10), .plain = 2,
        .rejects = {SINGLE_VALUED, {BUCKETS, "linear probing"}},
        .flags = WRITES | MODES | NO_UPDATE, BATCH(KEY, REQUIRED, WRITTEN, WRITTEN), BAD_BATCH)
COMMAND(murCmdFind, CALL_INFO, TAKES(TABLES, 9), .plain = 1, .rejects = {SINGLE_VALUED},
        .flags = RESULT | EMPTY, BATCH(KEY, WRITTEN, WRITTEN, NONE), BAD_BATCH)
COMMAND(murCmdErase, CALL_INFO, TAKES(TABLES, 9), .plain = 1, .rejects = {SINGLE_VALUED},
        .flags = WRITES | EMPTY, BATCH(KEY, WRITTEN, WRITTEN, NONE), BAD_BATCH)

/* ---- Commands that scan a table ------------------------------------------------------------- */

#define EXTRACT                                                                   \
    INFO(pExtract, MurExtract, .maxCount = ITEMS),                                \
        .predicates = offsetof(MurExtract, predicates),                           \
        .members = {                                                              \
            MEMBER(MurExtract, countAddress, 4, 1, REQUIRED | WRITTEN | ADDRESS), \
            MEMBER(MurExtract, keys, KEY, ITEMS, WRITTEN),                        \
            MEMBER(MurExtract, values, VALUE, ITEMS, WRITTEN),                    \
            MEMBER(MurExtract, slots, 4, ITEMS, WRITTEN),                         \
    }

COMMAND(murCmdExtract, CALL_INFO, TAKES(TABLES, 2), EXTRACT)
COMMAND(murCmdEraseWhere, CALL_INFO, TAKES(TABLES, 2), .flags = WRITES, EXTRACT)

COMMAND(murCmdStats, (call->cmd, call->object, *(const MurArray *)call->info), TAKES(TABLES, 2),
        .flags = BY_VALUE,
        .members = {{.name = "stats", .offset = 0, 4, sizeof(MurStats) / 4, REQUIRED | WRITTEN}})

/* ---- Rehash, merge, compact ----------------------------------------------------------------- */

static VkDeviceSize slot_map_size(const Call *call) {
    const MurTableRef ref = murGetTableRef(call->object);
    const uint32_t format = MUR_TABLE_FORMAT(ref.flags);
    return 4 * (ref.slotCount + (format == MUR_FORMAT_R32 ? 0ull : MUR_IS_SET(format) ? 2 : 1));
}

static VkDeviceSize compact_scratch(const Call *call) {
    return murGetScratchSize(call->object, MUR_COMMAND_COMPACT, 0, NULL);
}

#define CALL_MOVE (call->cmd, call->object, call->other, call->info)
#define MERGE     (call->cmd, call->object, call->other, call->word, call->info)
#define MOVED                                                 \
    MEMBER(MurRehash, slotMap, 4, 0, WRITTEN, slot_map_size), \
        MEMBER(MurRehash, result, 4, sizeof(MurRehashResult) / 4, WRITTEN)
#define NOT_MOVED REJECT(BIT(PLAIN), "murKernelsRehash"), REJECT(BUCKETS, "linear probing")

COMMAND(murCmdRehash, CALL_MOVE, TAKES(TABLES, 5), .rejects = {NOT_MOVED},
        .flags = WRITES | PAIR | OPTIONAL, .pOther = "destination",
        INFO(pRehash, MurRehash, .pNext = NULL), .members = {MOVED})
COMMAND(murCmdMerge, MERGE, TAKES(TABLES, 2),
        .rejects = {NOT_MOVED, {MULTI | ANY_ROWS, "one value per key"}},
        .flags = WRITES | PAIR | OPTIONAL | MODES, .pOther = "destination",
        INFO(pRehash, MurRehash, .pNext = NULL), .members = {MOVED})
COMMAND(murCmdCompact, CALL_INFO, TAKES(TABLES, 6), .rejects = {NOT_MOVED}, .flags = WRITES,
        INFO(pRehash, MurRehash, .pNext = NULL),
        .members = {MOVED, MEMBER(MurRehash, scratch, 32, 0, REQUIRED | WRITTEN, compact_scratch)})

/* ---- growable.h ----------------------------------------------------------------------------- */

#define FRAME(member, ...) BAD(MurGrowableFrame, member, __VA_ARGS__)

COMMAND(murCmdBeginGrowableFrame, (call->cmd, call->object, call->info, call->other),
        TAKES(BIT(GROWABLE), 1), .flags = ONCE, .pOther = "pUse",
        INFO(pFrame, MurGrowableFrame, .frame = 7, .completedFrame = 5, .maxInserts = 1),
        .bad = {FRAME(frame, 0), FRAME(completedFrame, 7), FRAME(completedFrame, 8),
                FRAME(completedFrame, 4, "completedFrame is 4, expected 5 to 6")})

#define UPDATE(member, ...) BAD(MurMirrorUpdate, member, __VA_ARGS__)

COMMAND(murCmdUpdateMirror, CALL_INFO, TAKES(BIT(MIRROR), 1), .flags = ONCE,
        INFO(pUpdate, MurMirrorUpdate, .frame = 7, .completedFrame = 5),
        .bad = {UPDATE(frame, 0), UPDATE(completedFrame, 7), UPDATE(completedFrame, 8),
                UPDATE(completedFrame, 4, "completedFrame is 4, expected 5 to 6"),
                UPDATE(capacity, (1ull << 31) + 1)})

/* ---- buckets.h ------------------------------------------------------------------------------ */

#define NO_BUCKETS REJECT(EXCEPT(BUCKETS), "murTypeBuckets")

COMMAND(murCmdBeginEviction, CALL_TABLE, TAKES(TABLES, 1), .rejects = {NO_BUCKETS})
COMMAND(murCmdEndEviction, CALL_TABLE, TAKES(TABLES, 1), .rejects = {NO_BUCKETS})
COMMAND(murCmdRebuildFilter, CALL_TABLE, TAKES(TABLES, 3), .rejects = {NO_BUCKETS})
COMMAND(murCmdEvict, CALL_INFO, TAKES(TABLES, 3),
        .rejects = {NO_BUCKETS, {BUCKETS & ~BIT(BUCKETS_K64V32), "MUR_TABLE_AGES"}},
        .flags = WRITES, INFO(pEvict, MurEvict, .maxLive = ITEMS, .maxErased = ITEMS),
        .members = {MEMBER(MurEvict, live, 4, ITEMS, WRITTEN),
                    MEMBER(MurEvict, erased, 4, ITEMS, WRITTEN),
                    MEMBER(MurEvict, result, 4, sizeof(MurEvictResult) / 4, REQUIRED | WRITTEN)},
        .bad = {BAD(MurEvict, reservedSlots, 9)})

/* ---- group.h -------------------------------------------------------------------------------- */

static VkDeviceSize group_scratch(const Call *call) {
    return murGetScratchSize(call->object, MUR_COMMAND_GROUP, 0, &(MurBatch){.maxCount = ITEMS});
}

#define GROUPED (BIT(K32V32) | BIT(K32V32_ZERO) | BIT(K64V32))
COMMAND(murCmdGroup, CALL_INFO, TAKES(TABLES, 12),
        .rejects = {{BIT(PLAIN), "murKernelsGroup"},
                    {EXCEPT(BIT(PLAIN) | GROUPED), "murTypeK64V32()"}},
        .flags = WRITES, INFO(pGroup, MurGroup, .maxCount = ITEMS),
        .members = {MEMBER(MurGroup, countAddress, 4, 1, ADDRESS),
                    MEMBER(MurGroup, keys, KEY, ITEMS, REQUIRED),
                    MEMBER(MurGroup, values, 4, ITEMS, REQUIRED),
                    MEMBER(MurGroup, groups, 4, 1, REQUIRED | WRITTEN | WHOLE),
                    MEMBER(MurGroup, scratch, 16, 0, REQUIRED | WRITTEN, group_scratch)},
        .bad = {BAD(MurGroup, maxCount, MUR_MAX_GROUPED + 1), BAD(MurGroup, maxCount, UINT32_MAX),
                BAD(MurGroup, flags, 2)})

/* ---- multi.h -------------------------------------------------------------------------------- */

#define NO_MULTI REJECT(EXCEPT(MULTI), "murTypeMulti")
#define MULTI_BATCH(...) \
    BATCH(MULTI_KEY, __VA_ARGS__, NONE, NONE), .bad = {BAD(MurBatch, flags, MUR_BATCH_EXCLUSIVE)}

COMMAND(murCmdMultiInsert, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = WRITES | EMPTY, MULTI_BATCH(REQUIRED))
COMMAND(murCmdMultiCount, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI}, .flags = EMPTY,
        MULTI_BATCH(REQUIRED | WRITTEN))
COMMAND(murCmdMultiFind, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = RESULT | EMPTY, MULTI_BATCH(WRITTEN))
COMMAND(murCmdMultiErase, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = WRITES | EMPTY, MULTI_BATCH(REQUIRED))
COMMAND(murCmdMultiEraseKeys, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = WRITES | EMPTY, MULTI_BATCH(WRITTEN))

static VkDeviceSize retrieve_scratch(const Call *call) {
    return murGetScratchSize(call->object, MUR_COMMAND_MULTI_RETRIEVE, 0,
                             &(MurBatch){.maxCount = ITEMS});
}

COMMAND(murCmdMultiRetrieve, CALL_INFO, TAKES(TABLES, 4), .rejects = {NO_MULTI}, .flags = EMPTY,
        INFO(pRetrieve, MurMultiRetrieve, .maxCount = ITEMS, .maxValues = ITEMS),
        .members = {MEMBER(MurMultiRetrieve, countAddress, 4, 1, ADDRESS),
                    MEMBER(MurMultiRetrieve, keys, MULTI_KEY, ITEMS, REQUIRED),
                    MEMBER(MurMultiRetrieve, offsets, 4, ITEMS + 1, REQUIRED | WRITTEN),
                    MEMBER(MurMultiRetrieve, values, 4, ITEMS, REQUIRED | WRITTEN),
                    MEMBER(MurMultiRetrieve, keyIndices, 4, ITEMS, WRITTEN),
                    MEMBER(MurMultiRetrieve, totalAddress, 4, 1, WRITTEN | ADDRESS),
                    MEMBER(MurMultiRetrieve, scratch, 4, 0, REQUIRED | WRITTEN, retrieve_scratch)},
        .bad = {BAD(MurMultiRetrieve, maxCount, UINT32_MAX)})

/* ---- rows.h --------------------------------------------------------------------------------- */

/* Number of words of all rows in a batch. The last row ends before its stride does. */
enum { ALL_ROWS = (ITEMS - 1) * ROW_STRIDE + ROW_WORDS };

#define NO_ROWS REJECT(BIT(SHADER_ROWS), "MUR_ROWS"), REJECT(EXCEPT(ANY_ROWS), "murTypeRows")
/* Describes a MurRowBatch. count: number of words of `rows` that the command may read. Other
 * parameters: flags (NONE, REQUIRED, ...) of rowIndices and of probeRows. */
#define ROW_BATCH(count, ofNumbers, ofQueries)                              \
    INFO(pBatch, MurRowBatch, .maxCount = ITEMS),                           \
        .members = {                                                        \
            MEMBER(MurRowBatch, countAddress, 4, 1, ADDRESS),               \
            MEMBER(MurRowBatch, rows, 4, count, REQUIRED | WHOLE),          \
            MEMBER(MurRowBatch, rowIndices, 4, ITEMS, ofNumbers),           \
            MEMBER(MurRowBatch, probeRows, 4, ALL_ROWS, ofQueries | WHOLE), \
            MEMBER(MurRowBatch, matches, 4, ITEMS, WRITTEN),                \
            MEMBER(MurRowBatch, statuses, 4, ITEMS, WRITTEN),               \
    }

COMMAND(murCmdInsertRows, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_ROWS},
        .flags = WRITES | EMPTY, ROW_BATCH(ALL_ROWS, ABSENT, NONE))
COMMAND(murCmdFindRows, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_ROWS}, .flags = EMPTY,
        ROW_BATCH(ALL_ROWS, ABSENT, ABSENT))
COMMAND_AS(find_rows_by_number, murCmdFindRows, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_ROWS},
           ROW_BATCH(0, 0, NONE))
COMMAND_AS(find_rows_by_query, murCmdFindRows, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_ROWS},
           ROW_BATCH(0, NONE, 0))

#define KEPT BIT(PAGED_BY_HASH)

/* ---- pager.h -------------------------------------------------------------------------------- */

/* Invalid contents for a pager without a page file. */
#define BAD_CONTENT                                                        \
    .bad = {BAD_PARAMETER(content, 3), BAD_PARAMETER(content, UINT32_MAX), \
            BAD_PARAMETER(content, MUR_PAGES_IN_FILE)}

COMMAND(murCmdPagerBarrier, CALL_TABLE, TAKES(BIT(PAGER), 0))
COMMAND(murCmdClearPager, CALL_WORD, TAKES(BIT(PAGER), 9), BAD_CONTENT)
COMMAND(murCmdFlushPager, CALL_WORD, TAKES(BIT(PAGER), 1),
        .bad = {BAD_PARAMETER(flags, 1, NULL, LIMIT), BAD_PARAMETER(flags, 2),
                BAD_PARAMETER(flags, 0x80000001)})
COMMAND(murCmdUpdatePager, CALL_INFO, TAKES(BIT(PAGER), 4),
        INFO(pUpdate, MurPagerUpdate, .frame = 1),
        .members = {MEMBER(MurPagerUpdate, stats, 8, sizeof(MurPagerStats) / 8, WRITTEN)},
        .bad = {BAD(MurPagerUpdate, flags, MUR_PAGER_UPDATE_CHECKPOINT),
                BAD(MurPagerUpdate, flags, 0x80000000)})

#define PAGES                                                 \
    INFO(pPages, MurPageList, .maxCount = ITEMS),             \
        .members = {                                          \
            MEMBER(MurPageList, countAddress, 4, 1, ADDRESS), \
            MEMBER(MurPageList, pages, 4, ITEMS, REQUIRED),   \
    }

COMMAND(murCmdRequestPages, (call->cmd, call->object, call->info, call->word, 1),
        TAKES(BIT(PAGER), 1), .flags = EMPTY, PAGES,
        .bad = {BAD_PARAMETER(priority, 255, NULL, LIMIT), BAD_PARAMETER(priority, 256),
                BAD_PARAMETER(priority, UINT32_MAX)})
COMMAND(murCmdPinPages, CALL_INFO, TAKES(BIT(PAGER), 1), .flags = EMPTY, PAGES)
COMMAND(murCmdUnpinPages, CALL_INFO, TAKES(BIT(PAGER), 1), .flags = EMPTY, PAGES)

/* ---- paged.h: tables ------------------------------------------------------------------------ */

COMMAND(murCmdClearPagedTable, CALL_WORD, TAKES(PAGED, 11),
        .bad = {BAD_PARAMETER(content, 3), BAD_PARAMETER(content, UINT32_MAX),
                BAD_PARAMETER(content, MUR_PAGES_IN_FILE, "murReadPagedTable"),
                BAD_PARAMETER(content, MUR_PAGES_IN_STORE, "persistent", 0, PAGED & ~KEPT),
                BAD_PARAMETER(content, MUR_PAGES_IN_STORE, "no table", MUR_ERROR_CORRUPT, KEPT)})
COMMAND(murCmdFlushPagedTable, CALL_TABLE, TAKES(PAGED, 2),
        .rejects = {{PAGED & ~KEPT, "persistent"}})
COMMAND(murCmdUpdatePagedTable, CALL_INFO, TAKES(PAGED, 12),
        INFO(pUpdate, MurPagedTableUpdate, .pager = {.frame = 1}),
        .members = {MEMBER(MurPagedTableUpdate, pager.stats, 8, sizeof(MurPagerStats) / 8, WRITTEN),
                    MEMBER(MurPagedTableUpdate, stats, 8, sizeof(MurPagedStats) / 8, WRITTEN)},
        .bad = {BAD(MurPagedTableUpdate, pager.pNext, 1, "pNext"),
                BAD(MurPagedTableUpdate, pager.flags, MUR_PAGER_UPDATE_CHECKPOINT, "flags")})

/* ---- paged.h: batches ----------------------------------------------------------------------- */

static VkDeviceSize batch_scratch(const Call *call) {
    return murGetPagedScratchMinimum(call->object, ITEMS);
}

static VkDeviceSize scratch_of_no_items(const Call *call) {
    return murGetPagedScratchMinimum(call->object, 0);
}

#define PAGED_BATCH(ofValues)                                                          \
    INFO(pBatch, MurPagedBatch, .maxCount = ITEMS),                                    \
        .members = {                                                                   \
            MEMBER(MurPagedBatch, countAddress, 4, 1, ADDRESS),                        \
            MEMBER(MurPagedBatch, partitions, 4, ITEMS, REQUIRED | PARTITIONS),        \
            MEMBER(MurPagedBatch, keys, KEY, ITEMS, REQUIRED),                         \
            MEMBER(MurPagedBatch, values, VALUE, ITEMS, ofValues),                     \
            MEMBER(MurPagedBatch, statuses, 4, ITEMS, WRITTEN),                        \
            MEMBER(MurPagedBatch, scratch, 256, 0, REQUIRED | WRITTEN, batch_scratch), \
    }

COMMAND(murCmdPagedInsert, CALL_MODE, TAKES(PAGED, 10), .flags = MODES | EMPTY,
        PAGED_BATCH(REQUIRED))
COMMAND(murCmdPagedBuild, CALL_MODE, TAKES(PAGED, 21), .flags = MODES, PAGED_BATCH(REQUIRED))
COMMAND(murCmdPagedFind, CALL_INFO, TAKES(PAGED, 10), .flags = EMPTY, PAGED_BATCH(WRITTEN))
COMMAND(murCmdPagedErase, CALL_INFO, TAKES(PAGED, 10), .flags = EMPTY, PAGED_BATCH(WRITTEN))

/* ---- paged.h: all pages --------------------------------------------------------------------- */

#define NO_ITEMS_SCRATCH 256, 0, REQUIRED | WRITTEN, scratch_of_no_items

COMMAND(murCmdPagedExtract, CALL_INFO, TAKES(PAGED, 6),
        INFO(pExtract, MurPagedExtract, .maxCount = ITEMS),
        .predicates = offsetof(MurPagedExtract, predicates),
        .members = {MEMBER(MurPagedExtract, countAddress, 4, 1, REQUIRED | WRITTEN | ADDRESS),
                    MEMBER(MurPagedExtract, leftAddress, 4, 1, WRITTEN | ADDRESS),
                    MEMBER(MurPagedExtract, partitions, 4, ITEMS, WRITTEN | PARTITIONS),
                    MEMBER(MurPagedExtract, keys, KEY, ITEMS, WRITTEN),
                    MEMBER(MurPagedExtract, values, VALUE, ITEMS, WRITTEN),
                    MEMBER(MurPagedExtract, scratch, NO_ITEMS_SCRATCH)})
COMMAND(murCmdPagedRehash, CALL_INFO, TAKES(PAGED, 9),
        .rejects = {{PAGED & ~BIT(PAGED_BY_HASH), "MUR_PAGE_BY_HASH"}},
        INFO(pRehash, MurPagedRehash, .pNext = NULL),
        .members = {MEMBER(MurPagedRehash, countAddress, 4, 1, WRITTEN | ADDRESS),
                    MEMBER(MurPagedRehash, leftAddress, 4, 1, WRITTEN | ADDRESS),
                    MEMBER(MurPagedRehash, scratch, NO_ITEMS_SCRATCH)})
