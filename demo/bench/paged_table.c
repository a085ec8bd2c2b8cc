/* A paged table: creation, and applying pending writes.
 * SPDX-License-Identifier: MIT */
#include "paged_table.h"

/* Maximum number of submissions until no write is pending. */
enum { MOST_PAGINGS = 4096 };

bool pagedOpen(PagedTable *paged, Bench *bench, MurPagerCreateInfo pager,
               MurPagedTableCreateInfo table) {
    MurContext context = bench->gpu.context;
    MurPagerRequirements needs;
    *paged = (PagedTable){.bench = bench,
                          .pageSize = pager.pageSize,
                          .pageCount = pager.pageCount,
                          .frames = pager.poolPageCount};
    pager.framesInFlight = 1;
    pager.flags = MUR_PAGER_FORCE;
    if (!gpuCheck(murGetPagerRequirements(context, &pager, &needs), "a pager's description") ||
        !gpuCheck(murCreatePager(context, &pager, &paged->pager), "making a pager") ||
        !benchKeep(bench, (Made){.pager = paged->pager})) {
        return false;
    }
    table.pager = paged->pager;
    if (!gpuCheck(murGetPagedTableRequirements(context, &table, &paged->needs), "a description") ||
        !gpuCheck(murCreatePagedTable(context, &table, &paged->table), "making a paged table") ||
        !benchKeep(bench, (Made){.paged = paged->table})) {
        return false;
    }
    paged->gpuBytes = needs.size + paged->needs.size;
    return benchBuffer(bench, sizeof(MurPagedStats), GPU_HOST, "stats", &paged->stats);
}

bool pagedClear(const PagedTable *paged) {
    return gpuCheck(murCmdClearPagedTable(paged->bench->gpu.cmd, paged->table, MUR_PAGES_ZERO),
                    "clearing pages");
}

bool pagedPage(PagedTable *paged, uint32_t maxPages) {
    const MurPagedTableUpdate paging = {.pager = {.frame = ++paged->frame, .maxPages = maxPages},
                                        .stats = {paged->stats.address, sizeof(MurPagedStats)}};
    return gpuCheck(murCmdUpdatePagedTable(paged->bench->gpu.cmd, paged->table, &paging), "paging");
}

bool pagedSettle(PagedTable *paged, uint32_t pagings) {
    Gpu *gpu = &paged->bench->gpu;
    const MurPagedStats *stats = paged->stats.mapped;
    for (uint32_t i = 0; i < MOST_PAGINGS; ++i) {
        bool done = gpuBegin(gpu);
        for (uint32_t j = 0; j < pagings && done; ++j) {
            done = pagedPage(paged, paged->frames);
            gpuComputeBarrier(gpu);
        }
        gpuHostBarrier(gpu);
        if (!done || !gpuSubmit(gpu)) {
            return false;
        }
        if (stats->rejected != 0) {
            return sayError("paged table: its log was full");
        }
        if (stats->pending == 0) {
            paged->pages = stats->pages;
            return true;
        }
    }
    return sayError("paged table: %u writes stay pending", stats->pending);
}
