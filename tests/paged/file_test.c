/* Paged tables with a file: a checkpoint contains the whole table, with its pending writes.
 * SPDX-License-Identifier: MIT */
#include "paged.h"

#include <string.h>

enum { PAGES = 40, PAGE = 4096, KEYS = 4000 };

static PagedOptions usual_options(void) {
    return (PagedOptions){
        .info = {.atomicWidth = MUR_ATOMIC_WIDTH_32,
                 .emptyValue = MUR_EMPTY_VALUE_ZERO,
                 .partitionShift = 12,
                 .maxPending = 400,
                 .maxLeaves = 200},
        .pageCount = PAGES,
        .pageSize = PAGE,
        .poolPageCount = 3,
        .framesInFlight = 1,
        .chunkPages = 32, /* both chunks contain pages of the table */
        .keyCount = KEYS,
        .partitionKeys = 800,
    };
}

enum { SOME = 150 }; /* inserts in the log when the checkpoint begins */

static void some_keys(Paged *paged, uint32_t verb, uint64_t value) {
    paged_add_keys(paged, 0, SOME, verb, value);
    paged_run(paged);
}

static void begin_checkpoint(PagedFile *saved, uint32_t maxPages) {
    saved->paged.checkpoint = true;
    saved->paged.pump = 0;
    paged_page(&saved->paged, maxPages);
    assert_int_equal(saved->paged.checkpoints, 1);
}

static void saved_open(PagedFile *saved, Gpu *gpu) {
    paged_file_open(saved, gpu, usual_options());
    some_keys(&saved->paged, MUR_MODE_ASSIGN, 1000);
    paged_note(&saved->begun, &saved->paged);
    assert_int_equal(saved->paged.pending, SOME);
    begin_checkpoint(saved, 0);
}

/* Requires that the file has the checkpoint. Opens a new table from it after a power loss. */
static void saved_reopen(PagedFile *saved) {
    saved->paged.pump = UINT32_MAX;
    paged_page(&saved->paged, 0);
    assert_int_equal(saved->disk.commits, 1);
    paged_file_reopen(saved, &saved->begun);
}

static void saved_close(PagedFile *saved) {
    paged_drain(&saved->paged);
    paged_check_finds(&saved->paged);
    paged_file_close(saved);
}

/* A table opened from a file applies the pending writes of the file before new writes, including
 * writes that are recorded before the first murCmdUpdatePagedTable. */
GPU_TEST(pending_writes_of_a_checkpoint_come_first) {
    PagedFile saved;
    saved_open(&saved, gpu);
    saved_reopen(&saved);
    some_keys(&saved.paged, MUR_PAGED_ERASE, 0);
    assert_int_equal(saved.paged.pending, 2 * SOME);
    saved_close(&saved);
}

/* The checkpoint of a frame with two updates contains the table at the first of the two. */
GPU_TEST(frame_with_two_updates_has_one_checkpoint) {
    PagedFile saved;
    saved_open(&saved, gpu);
    some_keys(&saved.paged, MUR_MODE_ADD, 5);
    saved.paged.again = true;
    paged_page(&saved.paged, UINT32_MAX);
    assert_int_equal(saved.paged.flags, MUR_PAGER_UPDATE_CHECKPOINT);
    saved_reopen(&saved);
    saved_close(&saved);
}

/* A checkpoint contains both halves of a split page, even if no later write accessed them. */
GPU_TEST(checkpoint_contains_halves_of_split_pages) {
    enum { FEW = 300 }; /* FEW keys fit into a page; 2 * FEW keys split it once */
    PagedFile saved;
    paged_file_open(&saved, gpu, usual_options());
    for (uint32_t first = 0; first < 2 * FEW; first += FEW) {
        paged_add_keys(&saved.paged, first, FEW, MUR_MODE_ASSIGN, 1);
        paged_run(&saved.paged);
        paged_drain(&saved.paged);
    }
    assert_int_equal(paged_stats(&saved.paged)->pages, saved.paged.partitionCount + 1);
    paged_note(&saved.begun, &saved.paged);
    begin_checkpoint(&saved, 0);
    saved_reopen(&saved);
    saved_close(&saved);
}

/* The first checkpoint after a build writes all pages. In the meantime, resident pages may be split
 * and written, but the file must contain all pages as they were when the checkpoint began. */
GPU_TEST(changes_during_a_checkpoint_are_not_in_it) {
    enum { BASE = 13 };
    PagedFile saved;
    uint32_t left;
    PagedOptions options = usual_options();
    options.info.locality = MUR_PAGE_BY_HASH;
    options.info.basePages = BASE;
    options.partitionKeys = 0;
    paged_file_open(&saved, gpu, options);
    Paged *paged = &saved.paged;
    paged_add_keys(paged, 0, 4 * SOME, MUR_MODE_ASSIGN, 1);
    paged_build(paged, MUR_MODE_ASSIGN, 4);
    paged_note(&saved.begun, &saved.paged);
    some_keys(paged, CALL_FIND, 0); /* these finds request pages */
    begin_checkpoint(&saved, UINT32_MAX);
    assert_int_equal(paged_rehash(paged, 6, &left), options.poolPageCount);
    assert_int_equal(left, BASE - options.poolPageCount);
    paged_add_keys(paged, 0, 2 * SOME, MUR_MODE_ASSIGN, 5000);
    paged_run_bulk(paged, MUR_MODE_ASSIGN, 4);
    assert_true(paged->answered > 0 && paged->pending > 0); /* writes to pages and to the log */
    paged->pump = UINT32_MAX;
    for (uint32_t i = 0; i < 3; ++i) {
        paged_page(paged, 0);
    }
    assert_int_equal(saved.disk.commits, 1);
    paged_drain(paged);
    assert_true(paged_rehash(paged, 6, &left) >= BASE - options.poolPageCount);
    assert_int_equal(left, 0);
    paged_check_finds(paged);
    paged_file_reopen(&saved, &saved.begun);
    saved_close(&saved);
}

/* Fails unless the call returned this result and logged one error that contains the text. */
static void fails(Gpu *gpu, VkResult result, VkResult expected, const char *text) {
    assert_int_equal(result, expected);
    assert_int_equal(gpu->logErrors, 1);
    assert_non_null(strstr(gpu->lastLog, text));
    gpu->logErrors = 0;
}

static void read_fails(Gpu *gpu, MurPagedTable table, VkResult result, const char *text) {
    fails(gpu, murReadPagedTable(table), result, text);
    VkCommandBuffer cmd = (VkCommandBuffer)gpu; /* not used */
    fails(gpu, murCmdClearPagedTable(cmd, table, MUR_PAGES_IN_FILE), MUR_ERROR_INVALID_ARGUMENT,
          "murReadPagedTable");
}

GPU_TEST(wrong_files_are_rejected) {
    PagedFile saved;
    const PagedOptions options = usual_options();
    paged_file_open(&saved, gpu, options);
    Paged *paged = &saved.paged;
    MurPagedTableCreateInfo info = options.info;
    MurPagedTableRequirements needs;
    MurPagedTable other;
    info.pager = paged->pager;
    gpu_require(murGetPagedTableRequirements(gpu->context, &info, &needs));
    assert_in_range(needs.persistentPages, 1, (needs.size + PAGE - 1) / PAGE);
    assert_int_equal(murGetPagedTableRef(paged->table, 0).pager.pageCount,
                     PAGES - needs.persistentPages);
    info.maxPending = 64 * PAGES; /* more than 64 log entries per page are not allowed */
    fails(gpu, murCreatePagedTable(gpu->context, &info, &other), MUR_ERROR_INVALID_ARGUMENT,
          "the pager's pageCount is");
    info = (MurPagedTableCreateInfo){
        .pager = paged->pager, .locality = MUR_PAGE_BY_HASH, .basePages = PAGES, .maxPending = 8};
    fails(gpu, murCreatePagedTable(gpu->context, &info, &other), MUR_ERROR_INVALID_ARGUMENT,
          "the pager's pageCount is");
    read_fails(gpu, paged->table, MUR_ERROR_CORRUPT, "no table");
    VkCommandBuffer cmd = (VkCommandBuffer)gpu; /* not used */
    fails(gpu, murCmdClearPagedTable(cmd, paged->table, MUR_PAGES_IN_STORE), MUR_ERROR_CORRUPT,
          "no table");
    paged->checkpoint = true;
    paged_page(paged, 0);
    paged_page(paged, 0);
    assert_int_equal(saved.disk.commits, 1);
    gpu_require(murReadPagedTable(paged->table));
    info = options.info;
    info.pager = paged->pager;
    info.seed = 1;
    gpu_require(murCreatePagedTable(gpu->context, &info, &other));
    read_fails(gpu, other, MUR_ERROR_CORRUPT, "another description");
    saved.disk.failRead = saved.disk.reads + 1;
    read_fails(gpu, other, MUR_ERROR_FILE, "reading page");
    murDestroyPagedTable(other);
    paged_file_close(&saved);
}
