/* Paged tables with a file against the model. Random frames have calls, batches and rehashes; pins,
 * requests and flushes of pages; checkpoints; and several murCmdUpdatePagedTable. At random times
 * the test drops the table in any state. A new table must continue from the last checkpoint of the
 * file, which must be complete.
 * SPDX-License-Identifier: MIT */
#include "paged.h"

#include "support/disk.h"
#include "support/seed.h"

#include <stdlib.h>

enum { MOST_LISTED = 24, MOST_PAGES = 100 };

typedef struct Model {
    Random random;
    Disk disk;
    PagedOptions options;
    Paged paged, begun,
        committed; /* models at the last begun and committed checkpoint; .keys may be NULL */
    GpuBuffer list;
} Model;

static void draw_options(Model *model, uint32_t format, MurAtomicWidth width,
                         const MurPageFile *file) {
    Random *random = &model->random;
    const MurPageLocality locality = (MurPageLocality)random_below(random, 3);
    model->options = (PagedOptions){
        .info = {.type = format_type(format, 0),
                 .atomicWidth = width,
                 .emptyValue = (MurEmptyValue)random_below(random, 2),
                 .locality = locality,
                 .seed = (uint32_t)random_next(random),
                 .partitionShift = 12,
                 .basePages = locality == MUR_PAGE_BY_HASH ? 1 + random_below(random, 9) : 0,
                 .probeLimit = 16 + random_below(random, 2) * 100, /* many page splits or few */
                 .maxPending = 64 + random_below(random, 600),
                 .maxLeaves = 256},
        .pageCount = 60 + random_below(random, MOST_PAGES - 60),
        .pageSize = DISK_PAGE,
        .poolPageCount = 2 + random_below(random, random_below(random, 3) ? 6 : 40),
        .framesInFlight = 1 + random_below(random, 2),
        .chunkPages = random_below(random, 2) * 16,
        .hostExtra = random_below(random, 2) *
                     (2 + random_below(random, 40)), /* the limit may be all pages */
        .keyCount = 3000,
        .partitionKeys = locality == MUR_PAGE_BY_KEY ? 300 : 0,
        .file = file,
    };
}

/* Runs a command of the pager on random pages of the table. */
static void random_pages(Model *model) {
    Random *random = &model->random;
    Gpu *gpu = model->paged.gpu;
    MurPager pager = model->paged.pager;
    const uint32_t pages = murGetPagedTableRef(model->paged.table, 0).pager.pageCount;
    const uint32_t kind = random_below(random, 6), count = kind == 0 ? 2 : MOST_LISTED;
    for (uint32_t i = 0; i < count; ++i) {
        ((uint32_t *)model->list.mapped)[i] = random_below(random, pages);
    }
    const MurPageList list = {.maxCount = count, .pages = gpu_part(&model->list, 0, count)};
    GPU_RUN(gpu, kind == 0  ? murCmdPinPages(gpu->cmd, pager, &list)
                 : kind < 3 ? murCmdUnpinPages(gpu->cmd, pager, &list)
                 : kind < 5 ? murCmdRequestPages(gpu->cmd, pager, &list, 255, model->paged.frame)
                            : murCmdFlushPager(gpu->cmd, pager,
                                               random_below(random, 2) ? MUR_FLUSH_EVICT : 0));
}

/* Unpins all pages. If pinned pages filled the pool, pending writes could not be applied. */
static void unpin_all(Model *model) {
    Gpu *gpu = model->paged.gpu;
    for (uint32_t i = 0; i < MOST_PAGES; ++i) {
        ((uint32_t *)model->list.mapped)[i] = i;
    }
    const MurPageList all = {.maxCount = MOST_PAGES, .pages = gpu_array(&model->list)};
    GPU_RUN(gpu, murCmdUnpinPages(gpu->cmd, model->paged.pager, &all));
}

/* Runs murCmdUpdatePagedTable. saves: begins a checkpoint unless one is active. */
static void page(Model *model, bool saves) {
    Random *random = &model->random;
    Paged *paged = &model->paged;
    paged->checkpoint = paged->checkpoint || saves || random_below(random, 3) == 0;
    paged->pump = saves || random_below(random, 3) == 0 ? UINT32_MAX : random_below(random, 5);
    paged_page(paged, random_below(random, 2) ? UINT32_MAX : random_below(random, 6));
    paged_see_commit(paged);
}

static void random_frame(Model *model) {
    Random *random = &model->random;
    Paged *paged = &model->paged;
    if (random_below(random, 4)) {
        paged_random_frame(paged, random, random_below(random, 4) ? 150 : 1500, 9);
    }
    if (random_below(random, 3) == 0) {
        random_pages(model);
    }
    if (random_below(random, 5)) {
        paged->again = paged->frame != 1 && random_below(random, 4) == 0;
        page(model, false);
    }
}

/* Requires that an extract reports all pages as not read, because they are only in the file. */
static void all_are_left(Paged *paged) {
    Gpu *gpu = paged->gpu;
    const MurPagedExtract extract = {.countAddress = paged->batch.address,
                                     .leftAddress = paged->batch.address + 4,
                                     .scratch = gpu_array(&paged->scratch)};
    GPU_RUN(gpu, murCmdPagedExtract(gpu->cmd, paged->table, &extract));
    const uint32_t *words = paged->batch.mapped;
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], paged_stats(paged)->pages);
}

/* Opens a new table, which continues from the last checkpoint if there is one. */
static void begin_life(Model *model, Gpu *gpu) {
    const Paged *state = &model->committed;
    model->options.reopens = state->keys != NULL;
    disk_crash(&model->disk);
    model->paged = paged_open(gpu, &model->options);
    model->paged.begun = &model->begun;
    model->paged.committed = &model->committed;
    if (state->keys) {
        paged_resume(&model->paged, state);
    }
    if (state->keys && random_below(&model->random, 2)) {
        paged_page(&model->paged, 0);
        assert_int_equal(model->paged.pending, state->pending);
        all_are_left(&model->paged);
    }
    for (uint32_t i = 0; state->keys && i < model->options.keyCount; ++i) {
        if (state->keys[i].noted && random_below(&model->random, 2)) {
            paged_add(&model->paged, i, MUR_PAGED_ERASE, 0); /* after all pending writes */
        }
    }
    paged_run(&model->paged);
}

/* Applies all pending writes, and finds all keys. */
static void finish(Model *model) {
    unpin_all(model);
    model->paged.checkpoint = false;
    model->paged.pump = UINT32_MAX; /* unfinished checkpoints keep pool pages dirty */
    paged_drain(&model->paged);
    paged_check_finds(&model->paged);
    paged_see_commit(&model->paged);
}

/* Runs one model from its first table to its last. Returns the number of frames. */
static uint32_t run_model(Gpu *gpu, Random *seeds, uint32_t format, MurAtomicWidth width) {
    static Model model;
    model = (Model){.random = {random_next(seeds)}, .list = gpu_buffer(gpu, 4 * MOST_PAGES)};
    MurPageFile file;
    draw_options(&model, format, width, &file);
    disk_make(&model.disk, model.options.pageCount);
    file = disk_file(&model.disk);
    uint32_t frames = 0;
    for (uint32_t lives = 2 + random_below(&model.random, 4); lives != 0; --lives) {
        begin_life(&model, gpu);
        for (uint32_t i = random_below(&model.random, 30); i != 0; --i, ++frames) {
            random_frame(&model);
        }
        if (lives == 1 || random_below(&model.random, 3) == 0) {
            finish(&model);
        }
        for (uint32_t i = random_below(&model.random, 2) * 3; i != 0; --i) {
            page(&model, true); /* completes one checkpoint, then begins and completes another */
        }
        paged_close(&model.paged);
    }
    free(model.begun.keys);
    free(model.committed.keys);
    disk_free(&model.disk);
    gpu_free(gpu, &model.list);
    return frames;
}

static void run_frames(Gpu *gpu, Random *seeds, uint32_t count, uint32_t format,
                       MurAtomicWidth width) {
    for (uint32_t frames = 0; frames < count;) {
        frames += run_model(gpu, seeds, format, width);
    }
}

/* The normal tier tests one format, the long tier all formats and widths. */
GPU_TEST(paged_tables_agree_with_the_model) {
    Random seeds = {test_seed(0x7AB1)};
    run_frames(gpu, &seeds, test_full() ? 10000 : 200, MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32);
    for (uint32_t i = 0; test_full() && gpu->int64Atomics && i < MUR_FORMAT_COUNT; ++i) {
        run_frames(gpu, &seeds, 2000, i, MUR_ATOMIC_WIDTH_DEFAULT);
    }
    if (test_full()) {
        run_frames(gpu, &seeds, 2000, MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32);
    }
}
