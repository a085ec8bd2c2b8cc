/* The commands of pager.h and paged.h.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

#define CALL_TABLE (call->cmd, call->object)
#define CALL_INFO  (call->cmd, call->object, call->info)
#define CALL_WORD  (call->cmd, call->object, call->word)
#define CALL_MODE  (call->cmd, call->object, call->word, call->info)

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
