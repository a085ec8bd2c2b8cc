/* The commands of murmuration.h, growable.h and mirror.h.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

#include "batch.h"

#define CALL_TABLE (call->cmd, call->object)
#define CALL_INFO  (call->cmd, call->object, call->info)
#define CALL_MODE  (call->cmd, call->object, call->word, call->info)

COMMAND(murCmdClear, CALL_TABLE, TAKES(TABLES, 1))
COMMAND(murCmdBarrier, CALL_TABLE, TAKES(TABLES, 0))

/* ---- Commands with a batch ------------------------------------------------------------------ */

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
