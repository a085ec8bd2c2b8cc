/* murCmdUpdatePager: the speed of loading and evicting pages, compared with copies in the same run,
 * and the time of a single page.
 *
 * The pager has twice as many pages as pool pages. Each run requests absent pages, so that resident
 * pages are evicted. If these must be dirty, they are written before. Finally the pages are
 * compared with their expected content: resident pages directly, and evicted pages after they were
 * loaded again.
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "shaders/push.h"

#include <murmuration/pager.h>

#include <stdlib.h>

/* The pager distinguishes this many ages. A pool of this size evicts exactly the oldest page. */
enum { AGES = 1000 };

typedef struct Paging {
    Bench *bench;
    MurPager pager;
    GpuBuffer list;  /* a list of all page numbers */
    GpuBuffer stats; /* host-visible */
    uint64_t in;     /* number of pages that must have been loaded so far */
    uint32_t pageSize, frames;
    uint32_t each; /* pages loaded per run */
    uint32_t next; /* first page of the next run */
    uint32_t frame;
    bool dirty, asks; /* asks: requests are timed */
    uint32_t *versions;
} Paging;

static uint32_t pageCount(const Paging *paging) {
    return 2 * paging->frames;
}

static PagesPush pushOf(const Paging *paging, uint32_t first, uint32_t count, uint32_t task,
                        uint32_t version) {
    return (PagesPush){.pager = murGetPagerRef(paging->pager, paging->frame),
                       .errors = paging->bench->wrong.address,
                       .first = first,
                       .count = count,
                       .version = version,
                       .task = task};
}

/* Writes the store's initial content, version 0. */
static bool fillStore(Paging *paging) {
    Gpu *gpu = &paging->bench->gpu;
    const uint32_t words = paging->pageSize / 4;
    for (uint32_t page = 0; page < pageCount(paging); ++page) {
        uint32_t *to = murGetPagerStorePage(paging->pager, page);
        for (uint32_t i = 0; i < words; ++i) {
            to[i] = mur_hash(page * words + i, 0);
        }
        ((uint32_t *)paging->list.mapped)[page] = page;
    }
    return gpuBegin(gpu) &&
           gpuCheck(murCmdClearPager(gpu->cmd, paging->pager, MUR_PAGES_IN_STORE), "clearing") &&
           gpuSubmit(gpu);
}

static bool openPaging(Paging *paging, Bench *bench, uint32_t pageSize, uint32_t frames) {
    *paging = (Paging){.bench = bench, .pageSize = pageSize, .frames = frames, .frame = 1};
    const MurPagerCreateInfo info = {.pageCount = 2 * frames,
                                     .pageSize = pageSize,
                                     .poolPageCount = frames,
                                     .framesInFlight = 1,
                                     .flags = MUR_PAGER_FORCE};
    paging->versions = calloc(2ull * frames, sizeof *paging->versions);
    return (paging->versions || sayError("no memory for versions")) &&
           gpuCheck(murCreatePager(bench->gpu.context, &info, &paging->pager), "making a pager") &&
           benchKeep(bench, (Made){.pager = paging->pager}) &&
           benchBuffer(bench, 8ull * frames, GPU_HOST, "list", &paging->list) &&
           benchBuffer(bench, sizeof(MurPagerStats), GPU_HOST, "stats", &paging->stats) &&
           fillStore(paging);
}

static bool ask(Paging *paging) {
    const MurPageList pages = {
        .maxCount = paging->each,
        .pages = {paging->list.address + 4ull * paging->next, 4ull * paging->each}};
    return gpuCheck(
        murCmdRequestPages(paging->bench->gpu.cmd, paging->pager, &pages, 1, paging->frame),
        "asking for pages");
}

/* Evicts the oldest resident pages, which are half of all pages before the next pages. */
BENCH_STEP(setupPages, Paging, paging) {
    const uint32_t oldest = (paging->next + paging->each + paging->frames) % pageCount(paging);
    bool done = true;
    paging->next = (paging->next + paging->each) % pageCount(paging);
    ++paging->frame;
    if (paging->dirty) {
        const uint32_t version = ++paging->versions[oldest];
        for (uint32_t i = 1; i < paging->each; ++i) {
            paging->versions[oldest + i] = version;
        }
        const PagesPush push = pushOf(paging, oldest, paging->each, PAGES_FILL, version);
        done = benchDispatch(bench, KERNEL_pages, &push, 256 * push.count);
    }
    gpuComputeBarrier(&bench->gpu);
    return done && (paging->asks || ask(paging));
}

BENCH_STEP(runPages, Paging, paging) {
    const MurPagerUpdate page = {.frame = paging->frame, .maxPages = paging->frames};
    paging->in += paging->each;
    bool done = true;
    if (paging->asks) {
        const PagesPush push = pushOf(paging, paging->next, 1, PAGES_ASK, 0);
        done = benchDispatch(bench, KERNEL_pages, &push, 256);
        gpuComputeBarrier(&bench->gpu);
    }
    return done && gpuCheck(murCmdUpdatePager(bench->gpu.cmd, paging->pager, &page), "paging");
}

static bool runOnce(Bench *bench, void *user) {
    bool done = setupPages(bench, user);
    gpuComputeBarrier(&bench->gpu);
    done = done && runPages(bench, user);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

/* Fills the pool with one page per frame, and 256 frames per submission. */
static bool fillPool(Paging *paging) {
    Gpu *gpu = &paging->bench->gpu;
    bool done = true;
    for (uint32_t i = 0; i < paging->frames && done;) {
        done = gpuBegin(gpu);
        for (uint32_t j = 0; j < 256 && i < paging->frames && done; ++j) {
            done = runOnce(paging->bench, paging);
            i += paging->each;
        }
        done = done && gpuSubmit(gpu);
    }
    return done;
}

BENCH_STEP(pageOnce, const Paging, paging) {
    const MurPagerUpdate page = {.frame = paging->frame,
                                 .maxPages = paging->frames,
                                 .stats = {paging->stats.address, sizeof(MurPagerStats)}};
    return gpuCheck(murCmdUpdatePager(bench->gpu.cmd, paging->pager, &page), "reading statistics");
}

/* Checks the last loaded pages. Updates the pager once more, to get its statistics. */
static bool check(Paging *paging, MurPagerStats *stats) {
    const PagesPush push = pushOf(paging, paging->next, paging->each, PAGES_CHECK,
                                  paging->versions[paging->next]);
    const bool done = benchOnce(paging->bench, pageOnce, paging);
    *stats = *(const MurPagerStats *)paging->stats.mapped;
    return done && benchCheck(paging->bench, "paging", KERNEL_pages, &push, 256 * push.count);
}

/* Checks the last loaded pages, the number of loaded pages, and the last evicted pages after they
 * were loaded again. */
static bool verifyPages(Paging *paging) {
    Gpu *gpu = &paging->bench->gpu;
    MurPagerStats stats;
    if (!check(paging, &stats)) {
        return false;
    }
    if (stats.in != paging->in) {
        return sayError("paging: %llu pages came instead of %llu", (unsigned long long)stats.in,
                        (unsigned long long)paging->in);
    }
    paging->next = (paging->next + paging->frames) % pageCount(paging);
    ++paging->frame;
    const bool done = gpuBegin(gpu) && ask(paging) && gpuSubmit(gpu) && check(paging, &stats);
    paging->in = stats.in;
    return done;
}

static Row pagingRow(const Paging *paging, const char *operation, Timing timing) {
    return (Row){
        .suite = "paging", .operation = operation, .pairs = paging->each, .timing = timing};
}

static bool traffic(Paging *paging, bool dirty, const LinkRates *link) {
    Timing timing;
    paging->each = paging->frames;
    paging->dirty = dirty;
    if (!fillPool(paging) ||
        !benchTime(paging->bench, &(Timed){setupPages, runPages, paging}, &timing) ||
        !verifyPages(paging)) {
        return false;
    }
    const double bytes = (double)paging->each * paging->pageSize * (dirty ? 2 : 1);
    Row row = pagingRow(paging, dirty ? "page in + out" : "page in", timing);
    row.rate = 1e-6 * bytes / timing.milliseconds;
    row.unit = "GB/s";
    benchAddCeiling(&row, link->in.rate + (dirty ? link->out.rate : 0), &link->in);
    benchSay(&row, "%u KiB, %.4g MiB each way", paging->pageSize >> 10,
             (double)paging->each * paging->pageSize / (1 << 20));
    return benchRow(paging->bench, &row);
}

static bool alone(Paging *paging, bool dirty, bool asks) {
    Timing timing;
    paging->each = paging->frames > AGES ? paging->frames / 64 : 1;
    paging->asks = false;
    paging->dirty = false;
    if (!fillPool(paging)) {
        return false;
    }
    paging->next += paging->each - 1;
    paging->each = 1;
    paging->dirty = dirty;
    paging->asks = asks;
    if (!benchTime(paging->bench, &(Timed){setupPages, runPages, paging}, &timing) ||
        !verifyPages(paging)) {
        return false;
    }
    Row row = pagingRow(paging, "page alone", timing);
    row.rate = 1e3 * timing.milliseconds;
    row.unit = "us";
    benchSay(&row, "%u KiB of %u frames, %s victim%s", paging->pageSize >> 10, paging->frames,
             dirty ? "dirty" : "clean", asks ? ", and asking" : "");
    return benchRow(paging->bench, &row);
}

/* Adds rows: 64 MiB at once; each page of a pool of 1000 alone; and a pool of 1 GiB, which measures
 * the scan of its pool pages. */
static bool pagerRows(Bench *bench, uint32_t pageSize, uint32_t frames, const LinkRates *link) {
    Paging paging;
    const uint32_t made = bench->madeCount;
    const bool opened = openPaging(&paging, bench, pageSize, frames);
    const bool done = opened &&
                      (link ? traffic(&paging, false, link) && traffic(&paging, true, link)
                            : alone(&paging, false, false) &&
                                  (frames > AGES ||
                                   (alone(&paging, true, false) && alone(&paging, false, true))));
    benchRelease(bench, made);
    free(paging.versions);
    return done;
}

bool suitePaging(Bench *bench) {
    const bool quick = bench->options.quick;
    const uint32_t bytes = quick ? 1u << 18 : 1u << 26, some = quick ? 16 : AGES;
    LinkRates link;
    return linkRows(bench, "paging", &link) && pagedRows(bench) &&
           streamRows(bench, "paging", &link, quick ? 12 : 24, quick ? 12 : 24,
                      quick ? 4096 : 16u << 20) &&
           pagerRows(bench, 4096, bytes / 4096, &link) &&
           pagerRows(bench, 16384, bytes / 16384, &link) &&
           pagerRows(bench, 65536, bytes / 65536, &link) && pagerRows(bench, 4096, some, NULL) &&
           pagerRows(bench, 65536, some, NULL) &&
           pagerRows(bench, 4096, quick ? 1024 : 1u << 18, NULL);
}
