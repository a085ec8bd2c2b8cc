/* Files of pages that a pager and the host share: included by file_test.c.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGED_TEST_SHARED_FILES_H
#define PAGED_TEST_SHARED_FILES_H

#include <murmuration/host_paged.h>

typedef struct Loaded {
    void *chunks[2];
    void *image;
    MurHostPagedTable table;
} Loaded;

/* The table of a file, in memory of the host's own. */
static void load(Loaded *loaded, const PagedOptions *options, const MurPageFile *file) {
    uint64_t size;
    MurHostPages pages = {.pageCount = options->pageCount,
                          .pageSize = options->pageSize,
                          .chunkPages = options->chunkPages};
    for (uint32_t i = 0; i < 2; ++i) {
        loaded->chunks[i] = calloc(options->chunkPages, options->pageSize);
        assert_non_null(loaded->chunks[i]);
    }
    pages.ppChunks = loaded->chunks;
    gpu_require(murHostPagedGetImageSize(&options->info, &pages, &size));
    loaded->image = malloc(size);
    assert_non_null(loaded->image);
    gpu_require(
        murHostPagedLoad(&options->info, &pages, file, loaded->image, size, &loaded->table));
}

static void unload(Loaded *loaded) {
    free(loaded->chunks[0]);
    free(loaded->chunks[1]);
    free(loaded->image);
}

/* What a checkpoint had: with what was pending, all of it. Then some more. */
static void go_on(MurHostPagedTable *table, PagedKey *keys, Random *random) {
    uint32_t pending = 17;
    murHostPagedApply(table, &pending);
    assert_int_equal(pending, 0);
    for (uint32_t i = 0; i < KEYS; ++i) {
        const MurHostResult is = murHostPagedFind(table, 0, keys[i].key);
        assert_int_equal(is.status, keys[i].present ? MUR_FOUND : MUR_ABSENT);
        assert_true(is.value == (keys[i].present ? keys[i].value : 0));
    }
    for (uint32_t i = 0; i < 300; ++i) {
        PagedKey *k = &keys[random_below(random, KEYS)];
        k->value = 1 + random_below(random, 1000);
        k->present = true;
        assert_in_range(murHostPagedInsert(table, MUR_MODE_ASSIGN, 0, k->key, k->value).status,
                        MUR_INSERTED, MUR_EXISTED);
    }
}

/* All pages are in the file: none has been read, and each is counted. */
static void all_are_left(Paged *paged, uint32_t pages) {
    Gpu *gpu = paged->gpu;
    const MurPagedExtract extract = {.countAddress = paged->batch.address,
                                     .leftAddress = paged->batch.address + 4,
                                     .scratch = gpu_array(&paged->scratch)};
    gpu_begin(gpu);
    gpu_require(murCmdPagedExtract(gpu->cmd, paged->table, &extract));
    gpu_barrier(gpu);
    gpu_submit(gpu);
    const uint32_t *words = paged->batch.mapped;
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], pages);
}

/* The last checkpoint is loaded by the host, changed, saved; a pager goes on with that. */
static void the_host_has_a_turn(Run *run, Gpu *gpu, MurPageFile *file, Random *random) {
    PagedOptions options = options_of(file);
    State *state = &run->states[commits_of(file)];
    MurPagedStats stats;
    Loaded loaded;
    load(&loaded, &options, file);
    go_on(&loaded.table, state->keys, random);
    murHostPagedStats(&loaded.table, &stats);
    gpu_require(murHostPagedSave(&loaded.table, file));
    unload(&loaded);
    state->noted = stats.applied;
    state->pending = 0;
    Paged paged = reopen(gpu, options, state);
    all_are_left(&paged, stats.pages);
    paged_drain(&paged);
    paged_check_finds(&paged);
    paged_close(&paged);
}

static void host_and_pager_share_files(void **state) {
    static Run run;
    Random random = {test_seed(0x5A4E)};
    run_frames(&run, *state, &random);
    MurPageFile file = open_file(&run.fake, true);
    the_host_has_a_turn(&run, *state, &file, &random);
    murClosePageFile(&file);
    fake_free(&run.fake);
    paged_forget_kernel();
}

#endif
