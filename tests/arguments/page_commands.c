/* The commands of pager.h and paged.h.
 *
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

#define CALL_TABLE (call->cmd, call->object)
#define CALL_INFO  (call->cmd, call->object, call->info)
#define CALL_WORD  (call->cmd, call->object, call->word)
#define CALL_MODE  (call->cmd, call->object, call->word, call->info)

#define KEPT BIT(PAGED_BY_HASH)

/* ---- pager.h -------------------------------------------------------------------------------- */

#define A_PAGER .types = BIT(PAGER)
/* Without a file. */
#define BAD_CONTENT                                                        \
    .bad = {BAD_PARAMETER(content, 3), BAD_PARAMETER(content, UINT32_MAX), \
            BAD_PARAMETER(content, MUR_PAGES_IN_FILE)}

COMMAND(murCmdPagerBarrier, CALL_TABLE, A_PAGER)
COMMAND(murCmdClearPager, CALL_WORD, A_PAGER, BAD_CONTENT)
COMMAND(murCmdFlushPager, CALL_WORD, A_PAGER,
        .bad = {BAD_PARAMETER(flags, 2), BAD_PARAMETER(flags, 0x80000001)})
COMMAND(murCmdPage, CALL_INFO, A_PAGER, INFO(pPaging, MurPaging, .frame = 1),
        .members = {{AT(MurPaging, stats), 8, sizeof(MurPagerStats) / 8, WRITTEN}},
        .bad = {BAD(MurPaging, flags, MUR_PAGING_CHECKPOINT), BAD(MurPaging, flags, 0x80000000)})

#define PAGES                                                                                   \
    INFO(pPages, MurPages, .maxCount = ITEMS), .members = {                                     \
                                                   {AT(MurPages, countAddress), 4, 1, ADDRESS}, \
                                                   {AT(MurPages, pages), 4, ITEMS, REQUIRED},   \
    }

COMMAND(murCmdRequestPages, (call->cmd, call->object, call->info, call->word, 1), A_PAGER,
        .flags = EMPTY, PAGES,
        .bad = {BAD_PARAMETER(priority, 256), BAD_PARAMETER(priority, UINT32_MAX)})
COMMAND(murCmdPinPages, CALL_INFO, A_PAGER, .flags = EMPTY, PAGES)
COMMAND(murCmdUnpinPages, CALL_INFO, A_PAGER, .flags = EMPTY, PAGES)

/* ---- paged.h: tables ------------------------------------------------------------------------ */

COMMAND(murCmdClearPagedTable, CALL_WORD, .types = PAGED,
        .bad = {BAD_PARAMETER(content, 3), BAD_PARAMETER(content, UINT32_MAX),
                BAD_PARAMETER(content, MUR_PAGES_IN_FILE, "murReadPagedTable"),
                BAD_PARAMETER(content, MUR_PAGES_IN_STORE, "kept", 0, PAGED & ~KEPT),
                BAD_PARAMETER(content, MUR_PAGES_IN_STORE, "no table", MUR_ERROR_BAD_IMAGE, KEPT)})
COMMAND(murCmdFlushPagedTable, CALL_TABLE, .types = PAGED, .rejects = {{PAGED & ~KEPT, "kept"}})
COMMAND(murCmdPageTable, CALL_INFO, .types = PAGED,
        INFO(pPaging, MurTablePaging, .paging = {.frame = 1}),
        .members = {{AT(MurTablePaging, paging.stats), 8, sizeof(MurPagerStats) / 8, WRITTEN},
                    {AT(MurTablePaging, stats), 8, sizeof(MurPagedStats) / 8, WRITTEN}},
        .bad = {BAD(MurTablePaging, paging.pNext, 1, "pNext"),
                BAD(MurTablePaging, paging.flags, MUR_PAGING_CHECKPOINT, "flags")})

/* ---- paged.h: batches ----------------------------------------------------------------------- */

static VkDeviceSize batch_scratch(const Call *call) {
    return murGetPagedScratchMinimum(call->object, ITEMS);
}

static VkDeviceSize scratch_of_no_items(const Call *call) {
    return murGetPagedScratchMinimum(call->object, 0);
}

#define PAGED_BATCH(ofValues)                                                        \
    INFO(pBatch, MurPagedBatch, .maxCount = ITEMS),                                  \
        .members = {                                                                 \
            {AT(MurPagedBatch, countAddress), 4, 1, ADDRESS},                        \
            {AT(MurPagedBatch, partitions), 4, ITEMS, REQUIRED | PARTITIONS},        \
            {AT(MurPagedBatch, keys), KEY, ITEMS, REQUIRED},                         \
            {AT(MurPagedBatch, values), VALUE, ITEMS, ofValues},                     \
            {AT(MurPagedBatch, statuses), 4, ITEMS, WRITTEN},                        \
            {AT(MurPagedBatch, scratch), 256, 0, REQUIRED | WRITTEN, batch_scratch}, \
    }

COMMAND(murCmdPagedInsert, CALL_MODE, .types = PAGED, .flags = MODES | EMPTY, PAGED_BATCH(REQUIRED))
COMMAND(murCmdPagedBuild, CALL_MODE, .types = PAGED, .flags = MODES, PAGED_BATCH(REQUIRED))
COMMAND(murCmdPagedFind, CALL_INFO, .types = PAGED, .flags = EMPTY, PAGED_BATCH(WRITTEN))
COMMAND(murCmdPagedErase, CALL_INFO, .types = PAGED, .flags = EMPTY, PAGED_BATCH(WRITTEN))

/* ---- paged.h: all pages --------------------------------------------------------------------- */

#define NO_ITEMS_SCRATCH 256, 0, REQUIRED | WRITTEN, scratch_of_no_items

COMMAND(murCmdPagedExtract, CALL_INFO, .types = PAGED,
        INFO(pExtract, MurPagedExtract, .maxCount = ITEMS),
        .predicates = offsetof(MurPagedExtract, predicates),
        .members = {{AT(MurPagedExtract, countAddress), 4, 1, REQUIRED | WRITTEN | ADDRESS},
                    {AT(MurPagedExtract, leftAddress), 4, 1, WRITTEN | ADDRESS},
                    {AT(MurPagedExtract, partitions), 4, ITEMS, WRITTEN | PARTITIONS},
                    {AT(MurPagedExtract, keys), KEY, ITEMS, WRITTEN},
                    {AT(MurPagedExtract, values), VALUE, ITEMS, WRITTEN},
                    {AT(MurPagedExtract, scratch), NO_ITEMS_SCRATCH}})
COMMAND(murCmdPagedRehash, CALL_INFO, .types = PAGED,
        .rejects = {{PAGED & ~BIT(PAGED_BY_HASH), "MUR_PAGE_BY_HASH"}},
        INFO(pRehash, MurPagedRehash, NULL),
        .members = {{AT(MurPagedRehash, countAddress), 4, 1, WRITTEN | ADDRESS},
                    {AT(MurPagedRehash, leftAddress), 4, 1, WRITTEN | ADDRESS},
                    {AT(MurPagedRehash, scratch), NO_ITEMS_SCRATCH}})
