/* A pager against a model of every byte. Frames in flight load, store, sum, peek, pin, request and
 * flush pages, with one or more murCmdUpdatePager per frame. The page file is slow and fails at
 * times. There are checkpoints and I/O threads. Frame numbers exceed 32 bits and have gaps.
 * SPDX-License-Identifier: MIT */
#include "run.h"

#include "support/seed.h"

#include <string.h>

enum { SEGMENT = 16 };

typedef struct Model {
    Run run;
    Disk disk;
    Random random;
    uint32_t pageCount;
} Model;

/* Adds random visits (accesses to pages). Per frame, a page with a store has no other visit. */
static void random_visits(Model *model, uint32_t at) {
    Random *random = &model->random;
    uint8_t taken[RUN_PAGES + 5] = {0};
    const uint32_t first = model->run.flights[at].itemCount,
                   near = random_below(random, model->pageCount);
    for (uint32_t i = random_below(random, 60); i != 0; --i) {
        const uint32_t verb = random_below(random, 5);
        const uint32_t page = random_below(random, 3)
                                  ? (near + random_below(random, 8)) % model->pageCount
                                  : random_below(random, model->pageCount + 5);
        const uint8_t how = verb == VISIT_STORE || verb == VISIT_STORE_QUAD ? 2 : 1;
        if (taken[page] + how <= 2 || (taken[page] == 1 && how == 1)) {
            taken[page] = how;
            run_add(&model->run, at,
                    (VisitItem){page, verb, (uint32_t)random_next(random),
                                (uint32_t)random_next(random), random_below(random, 300)});
        }
    }
    run_visits(&model->run, at, first);
}

static void random_command(Model *model, uint32_t at) {
    Random *random = &model->random;
    const StepKind kind = PINS + random_below(random, 5);
    if (kind >= FLUSH) {
        if (random_below(random, 2)) {
            run_flush(&model->run, at, kind);
        }
        return;
    }
    uint32_t list[40];
    const uint32_t count = 1 + random_below(random, kind == PINS ? 2 : 40);
    for (uint32_t i = 0; i < count; ++i) {
        list[i] = random_below(random, model->pageCount + 3);
    }
    run_list(&model->run, at, kind, count, list);
}

/* Runs one frame. Sometimes first waits for earlier frames, or skips frame numbers. */
static void random_frame(Model *model) {
    Random *random = &model->random;
    Run *run = &model->run;
    while (run->frames.pending != 0 && random_below(random, 6) == 0) {
        frames_complete(&run->frames);
    }
    const uint32_t skipped = random_below(random, 40) ? 0 : random_below(random, 3);
    const uint32_t at = run_begin(run, run->frame + 1 + skipped, random_below(random, 5) == 0);
    for (uint32_t left = 1 + random_below(random, 3); left != 0; --left) {
        if (random_below(random, 3) == 0) {
            random_command(model, at);
        }
        random_visits(model, at);
        if (left == 1 || random_below(random, 3) == 0) {
            run_paging(run, at, random_below(random, 3) ? UINT32_MAX : random_below(random, 6));
        }
    }
    run_send(run, at);
    if (run->files && run->pumpCount == 0) {
        (void)run_pump(run, random_below(random, 4) * random_below(random, 8));
    }
}

static void model_open(Model *model, Gpu *gpu, Random *seeds, bool files) {
    *model = (Model){.random = {random_next(seeds)}};
    Random *random = &model->random;
    model->pageCount = 2 + random_below(random, random_below(random, 3) ? RUN_PAGES - 1 : 10);
    disk_make(&model->disk, model->pageCount);
    model->disk.slow = true;
    const MurPageFile file = disk_file(&model->disk);
    MurPageContent content = (MurPageContent)random_below(random, files ? 3 : 2);
    MurPagerCreateInfo options = {
        .pageCount = model->pageCount,
        .pageSize = DISK_PAGE,
        .poolPageCount = 1 + random_below(random, 1 + model->pageCount / (files ? 3 : 1)),
        .framesInFlight = 1 + random_below(random, FRAMES_MAX),
        .maxRequests = random_below(random, 2) * (1 + random_below(random, model->pageCount)),
        .chunkPages = random_below(random, 4) ? 2u << random_below(random, 6) : 0,
        .flags = MUR_PAGER_FORCE,
        .pFile = files ? &file : NULL,
        .maxFilePages = random_below(random, 2) * (1 + random_below(random, 20)),
    };
    if (files && random_below(random, 2)) { /* the limit may allow all pages */
        const uint32_t least = options.poolPageCount + 1;
        options.hostPageCount = least + random_below(random, model->pageCount);
        content = random_below(random, 2) ? MUR_PAGES_ZERO : MUR_PAGES_IN_FILE;
    }
    Run *run = &model->run;
    run_open(run, gpu, options, content, &model->disk,
             random_below(random, 2) ? 0 : UINT32_MAX - random_below(random, 60));
    if (content == MUR_PAGES_IN_FILE) {
        run_fill_disk(run);
    }
    run->pumpCount = files ? random_below(random, RUN_PUMPS + 1) : 0;
}

/* Waits until no frame and no I/O is active, and checks all pages. */
static void check_all(Model *model) {
    Run *run = &model->run;
    run_drain(run);
    run_stop_pumps(run);
    pages_check(&run->pages);
    for (uint32_t page = 0; page < model->pageCount; ++page) {
        const size_t at = (size_t)DISK_PAGE * page;
        if (pages_directory(&run->pages)[page] & MUR_PAGE_IN_FILE) {
            assert_memory_equal(model->disk.now + at, pages_model(&run->pages, page), DISK_PAGE);
        }
    }
    Disk *disk = &model->disk;
    const bool fails = random_below(&model->random, 2);
    disk->failRead = fails * (disk->reads + 1 + random_below(&model->random, 5));
    disk->failWrite = fails * (disk->writes + 1 + random_below(&model->random, 30));
    disk->failCommit = fails * (disk->commits + 1);
    run_start_pumps(run);
}

/* Runs one pager with random parameters. Returns the number of frames. */
static uint32_t run_model(Gpu *gpu, Random *seeds, bool files) {
    static Model model;
    model_open(&model, gpu, seeds, files);
    const uint32_t segments = 2 + random_below(&model.random, 4);
    run_start_pumps(&model.run);
    for (uint32_t i = 0; i < SEGMENT * segments; ++i) {
        random_frame(&model);
        if (i % SEGMENT == SEGMENT - 1) {
            check_all(&model);
        }
    }
    if (random_below(&model.random, 3)) {
        run_visit_all(&model.run, files);
    } /* otherwise the pager closes with pending visits and an active checkpoint */
    run_close(&model.run);
    disk_free(&model.disk);
    return SEGMENT * segments;
}

GPU_TEST(every_byte_agrees_with_the_model) {
    Random seeds = {test_seed(0xB17E)};
    const uint32_t frames = test_full() ? 20000 : 1200;
    for (uint32_t run = 0, i = 0; run < frames; ++i) {
        run += run_model(gpu, &seeds, i % 3 != 0);
    }
}
