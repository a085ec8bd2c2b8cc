/* The commands of buckets.h, group.h, multi.h and rows.h.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

#include "batch.h"

#define CALL_TABLE (call->cmd, call->object)
#define CALL_INFO  (call->cmd, call->object, call->info)

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

#define NO_MULTI         REJECT(EXCEPT(MULTI), "murTypeMulti")
#define MULTI_BATCH(...) BATCH(MULTI_KEY, __VA_ARGS__, NONE, NONE)
#define BAD_BATCH        .bad = {BAD(MurBatch, flags, MUR_BATCH_EXCLUSIVE)}

COMMAND(murCmdMultiInsert, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = WRITES | EMPTY, MULTI_BATCH(REQUIRED), BAD_BATCH)
COMMAND(murCmdMultiCount, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI}, .flags = EMPTY,
        MULTI_BATCH(REQUIRED | WRITTEN), BAD_BATCH)
COMMAND(murCmdMultiFind, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = RESULT | EMPTY, MULTI_BATCH(WRITTEN), BAD_BATCH)
COMMAND(murCmdMultiErase, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = WRITES | EMPTY, MULTI_BATCH(REQUIRED), BAD_BATCH)
COMMAND(murCmdMultiEraseKeys, CALL_INFO, TAKES(TABLES, 1), .rejects = {NO_MULTI},
        .flags = WRITES | EMPTY, MULTI_BATCH(WRITTEN), BAD_BATCH)

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
