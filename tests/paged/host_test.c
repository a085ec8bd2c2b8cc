/* Paged tables that are larger than host memory: a page that is not in host memory arrives like one
 * that is read for the first time, and changed pages stay until a checkpoint commits.
 * SPDX-License-Identifier: MIT */
#include "paged.h"

#include <errno.h>

enum { PAGES = 160, POOL = 3, EXTRA = 4, KEYS = 6000, BASE = 10, ROUND = 1000, MOST_ROUNDS = 100 };

/* Opens a table of many pages, with host memory only for POOL + EXTRA pages and the table. */
static void begin(PagedFile *host, Gpu *gpu, uint32_t maxPending) {
    paged_file_open(host, gpu,
                    (PagedOptions){
                        .info = {.atomicWidth = MUR_ATOMIC_WIDTH_32, /* pipelines of file_test.c */
                                 .emptyValue = MUR_EMPTY_VALUE_ZERO,
                                 .locality = MUR_PAGE_BY_HASH,
                                 .basePages = BASE,
                                 .maxPending = maxPending},
                        .pageCount = PAGES,
                        .pageSize = DISK_PAGE,
                        .poolPageCount = POOL,
                        .framesInFlight = 1,
                        .chunkPages = 16,
                        .hostExtra = EXTRA,
                        .keyCount = KEYS,
                    });
}

/* From now on, updates begin the checkpoints that the pager requests. */
static void save_if_needed(PagedFile *host) {
    host->paged.begun = &host->begun;
    host->paged.committed = &host->committed;
}

static MurPagerStatus status_of(const PagedFile *host) {
    MurPagerStatus status;
    murGetPagerStatus(host->paged.pager, &status);
    return status;
}

static void insert(PagedFile *host, uint32_t first, uint32_t count) {
    paged_add_keys(&host->paged, first, count, MUR_MODE_ASSIGN, 1);
    paged_run_bulk(&host->paged, MUR_MODE_ASSIGN, 4);
    assert_int_equal(host->paged.refused, 0);
}

static void fill(PagedFile *host) {
    for (uint32_t first = 0; first < KEYS; first += ROUND) {
        insert(host, first, ROUND);
        paged_drain(&host->paged);
    }
}

/* Finds keys of a few pages by bulk commands, which request the pages that they could not read. */
static void find_few(PagedFile *host, uint32_t first) {
    Paged *paged = &host->paged;
    uint64_t missing = 1;
    for (uint32_t rounds = 0; missing != 0; ++rounds) {
        const uint64_t before = paged->notResident;
        paged_add_keys(paged, first, 2, CALL_FIND, 0);
        paged_run_bulk(paged, CALL_FIND, 4);
        missing = paged->notResident - before;
        paged_page(paged, 0);
        assert_true(rounds < 6);
    }
}

/* Counts the entries of all pages, a few pages at a time, which it requests by their numbers. */
static uint32_t count_entries(PagedFile *host) {
    enum { FEW = 4 };
    Paged *paged = &host->paged;
    Gpu *gpu = paged->gpu;
    uint32_t *words = paged->batch.mapped, sum = 0, rounds = 0;
    const MurPageList list = {.maxCount = FEW, .pages = gpu_part(&paged->batch, 8, FEW)};
    for (uint32_t first = 0; first < paged_stats(paged)->pages;) {
        const MurPagedExtract extract = {.firstPage = first,
                                         .pageCount = FEW,
                                         .countAddress = paged->batch.address,
                                         .leftAddress = paged->batch.address + 4,
                                         .scratch = gpu_array(&paged->scratch)};
        GPU_RUN(gpu, murCmdPagedExtract(gpu->cmd, paged->table, &extract));
        for (uint32_t i = 0; i < FEW; ++i) {
            words[8 + i] = first + i;
        }
        sum += words[1] == 0 ? words[0] : 0;
        first += words[1] == 0 ? FEW : 0;
        GPU_RUN(gpu, murCmdRequestPages(gpu->cmd, paged->pager, &list, 255, paged->frame));
        paged_page(paged, UINT32_MAX);
        assert_true(rounds++ < PAGES * MOST_ROUNDS);
    }
    return sum;
}

GPU_TEST(table_larger_than_host_memory_has_all_entries) {
    PagedFile host;
    begin(&host, gpu, 3000);
    save_if_needed(&host);
    fill(&host);
    assert_true(paged_stats(&host.paged)->pages >= 2 * (EXTRA + POOL));
    assert_true(host.paged.checkpoints > 2);
    paged_check_finds(&host.paged);
    for (uint32_t first = 0; first < KEYS; first += KEYS / 8) {
        find_few(&host, first);
    }
    assert_int_equal(count_entries(&host), KEYS);
    assert_true(host.disk.reads >= 2 * paged_stats(&host.paged)->pages);
    const uint32_t commits = host.disk.commits;
    host.paged.checkpoint = true;
    for (uint32_t i = 0; i < 4; ++i) {
        paged_page(&host.paged, 0);
    }
    paged_see_commit(&host.paged);
    assert_true(host.disk.commits > commits);
    paged_file_reopen(&host, &host.committed);
    paged_check_finds(&host.paged);
    paged_file_close(&host);
}

/* Without a checkpoint, writes to further pages stay in the log, and splits wait. */
GPU_TEST(full_host_memory_keeps_writes_pending_until_a_checkpoint) {
    PagedFile host;
    begin(&host, gpu, 3000);
    insert(&host, 0, 3 * ROUND);
    for (uint32_t i = 0; i < 20; ++i) {
        paged_page(&host.paged, UINT32_MAX);
    }
    assert_true(host.paged.pending != 0);
    assert_true(status_of(&host).needsCheckpoint);
    assert_int_equal(host.disk.writes, 0);
    save_if_needed(&host);
    paged_drain(&host.paged);
    assert_true(host.disk.commits != 0);
    paged_check_finds(&host.paged);
    paged_file_close(&host);
}

/* A batch needs more new pages than host pages are free, while the log is full. Leaves whose page
 * would never be cleared must stay without a page; their keys are absent. */
GPU_TEST(batch_makes_no_page_without_host_memory_and_log) {
    PagedFile host;
    begin(&host, gpu, 2);
    save_if_needed(&host);
    paged_add_keys(&host.paged, 0, 2, MUR_MODE_ASSIGN, 1);
    paged_run(&host.paged);
    paged_add_keys(&host.paged, ROUND, ROUND, MUR_MODE_ASSIGN, 1);
    paged_run_bulk(&host.paged, MUR_MODE_ASSIGN, 4);
    assert_true(host.paged.refused != 0);
    paged_drain(&host.paged);
    paged_check_finds(&host.paged);
    paged_file_close(&host);
}

/* Runs an update, and I/O that may fail. */
static void run_frame(PagedFile *host) {
    host->paged.pump = 0;
    paged_page(&host->paged, UINT32_MAX);
    (void)murProcessPagerIo(host->paged.pager, UINT32_MAX, NULL);
}

GPU_TEST(failing_disk_loses_no_entry_of_a_table) {
    PagedFile host;
    begin(&host, gpu, 3000);
    save_if_needed(&host);
    insert(&host, 0, ROUND);
    for (uint32_t i = 0; i < 12; ++i) {
        host.disk.failWrite = i % 2 ? 0 : host.disk.writes + 1 + i;
        host.disk.failCommit = i % 2 ? host.disk.commits + 1 : 0;
        run_frame(&host);
    }
    assert_in_range(status_of(&host).failures, 2, 12);
    assert_int_equal(host.committed.keys == NULL, host.disk.commits == status_of(&host).failures);
    host.disk.failWrite = host.disk.failCommit = 0;
    host.paged.pump = UINT32_MAX;
    paged_drain(&host.paged);
    fill(&host);
    for (uint32_t i = 0; i < 12; ++i) {
        host.disk.failRead = host.disk.reads + 1;
        for (uint32_t key = 0; key < KEYS; key += 40) {
            paged_add(&host.paged, key, CALL_FIND, 0);
        }
        paged_run(&host.paged);
        run_frame(&host);
    }
    host.disk.failRead = 0;
    host.paged.pump = UINT32_MAX;
    assert_int_equal(status_of(&host).systemError, EIO);
    paged_check_finds(&host.paged);
    paged_file_close(&host);
}

GPU_TEST(host_memory_must_exceed_the_pool_and_the_table_itself) {
    Disk disk;
    disk_make(&disk, PAGES);
    const MurPageFile file = disk_file(&disk);
    MurPagerCreateInfo info = {.pageCount = PAGES,
                               .pageSize = DISK_PAGE,
                               .poolPageCount = POOL,
                               .framesInFlight = 1,
                               .hostPageCount = POOL + 2,
                               .pFile = &file};
    MurPagedTableCreateInfo table = {.maxPending = 8, .maxLeaves = 8, .basePages = 1};
    MurPagedTable none;
    gpu_require(murCreatePager(gpu->context, &info, &table.pager));
    gpu_refused(gpu, murCreatePagedTable(gpu->context, &table, &none),
                "the pager's hostPageCount is 5, expected 6");
    MurPagedTableRequirements needs; /* does not require the host pages */
    gpu_require(murGetPagedTableRequirements(gpu->context, &table, &needs));
    murDestroyPager(table.pager);
    info.hostPageCount = POOL + needs.persistentPages + 2;
    assert_int_equal(info.hostPageCount, 6);
    gpu_require(murCreatePager(gpu->context, &info, &table.pager));
    gpu_require(murCreatePagedTable(gpu->context, &table, &none));
    gpu_refused(gpu, murCmdClearPagedTable(gpu->cmd, none, MUR_PAGES_IN_STORE),
                "content is MUR_PAGES_IN_STORE, expected another one, because hostPageCount is 6");
    murDestroyPagedTable(none);
    murDestroyPager(table.pager);
    disk_free(&disk);
}
