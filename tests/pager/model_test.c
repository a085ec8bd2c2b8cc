/* A pager against a model of every byte: frames in flight that load, store, sum, peek, pin, ask and
 * flush, with murCmdPage once or more in each; a file that is slow and fails, checkpoints, threads
 * that pump. Frames are numbered across 32 bits, some numbers are left out.
 *
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "pages.h"

#include "pager_file/disk.h"
#include "support/seed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PAGES = 100, FLIGHTS = 4, STEPS = 16, ITEMS = 256, LISTED = 512, PUMPS = 2 };
enum { SEGMENT = 16, MOST_FRAMES = 5000 };

/* What one command of a frame does, in the order of its commands. */
typedef enum StepKind { VISITS, PAGING, PINS, UNPINS, REQUESTS, FLUSH, EVICTION } StepKind;
typedef struct Step {
    StepKind kind;
    uint32_t first, count; /* of items, or of words of lists */
} Step;

/* Of a frame, in memory that the GPU sees. */
typedef struct Shared {
    VisitItem items[ITEMS];
    uint32_t answers[ITEMS][VISIT_ANSWER];
    uint32_t lists[LISTED];
    MurPagerStats stats;
} Shared;

typedef struct Flight {
    Gpu lane;
    GpuBuffer memory;
    Shared *shared;
    uint64_t frame;
    MurPagingFlags flags;
    Step steps[STEPS];
    uint32_t stepCount, itemCount, listed;
} Flight;

typedef struct Model {
    Disk disk; /* first: it is what the file's functions are given */
    Random random;
    Pages pages;
    bool files;
    uint32_t pageCount, pageFrameCount, inFlight;
    uint64_t used[MOST_PAGES]; /* the last frame that found the page; 0: none */
    uint8_t stays[MOST_PAGES]; /* 1: pinned; 2: and was there since */
    bool seen[MOST_PAGES];     /* by visit_all */
    Flight flights[FLIGHTS];
    uint32_t head, pending; /* flights, the oldest first */
    uint64_t frame, savedFrame, committed;
    uint32_t saved[MOST_PAGES * DISK_PAGE / 4]; /* at the checkpoint that began last */
    pthread_t pumps[PUMPS];
    uint32_t pumpCount, running;
    atomic_bool stop, wrong; /* wrong: a thread says so */
} Model;

/* ---- The file ------------------------------------------------------------------------------- */

/* A held page does not change while the host has it. */
static VkResult VKAPI_PTR write_slowly(void *user, uint32_t page, const void *bytes) {
    Model *model = user;
    uint8_t before[DISK_PAGE];
    memcpy(before, bytes, DISK_PAGE);
    (void)usleep(100);
    if (memcmp(before, bytes, DISK_PAGE) != 0) {
        model->wrong = true;
    }
    return disk_file(&model->disk).pfnWrite(user, page, before);
}

static void *pump_on(void *user) {
    Model *model = user;
    Random random = {(uintptr_t)&random};
    while (!model->stop) {
        const uint32_t most = 1 + random_below(&random, 30);
        uint32_t moved;
        (void)murPumpPager(model->pages.pager, most, &moved);
        if (moved > most) {
            model->wrong = true;
        }
        (void)usleep(moved ? 0 : random_below(&random, 2000));
    }
    return NULL;
}

static void start_pumps(Model *model) {
    model->stop = false;
    for (; model->running < model->pumpCount; ++model->running) {
        assert_int_equal(pthread_create(&model->pumps[model->running], NULL, pump_on, model), 0);
    }
}

static void stop_pumps(Model *model) {
    model->stop = true;
    for (; model->running != 0; --model->running) {
        (void)pthread_join(model->pumps[model->running - 1], NULL);
    }
}

static void require(Model *model, bool right, const char *what) {
    if (!right || model->wrong) {
        stop_pumps(model);
        (void)vkDeviceWaitIdle(model->pages.gpu->device);
        fail_msg("frame %llu: %s", (unsigned long long)model->frame,
                 right ? "a held page changed, or a pump moved too much" : what);
    }
}

/* ---- What frames should have done ----------------------------------------------------------- */

static uint32_t sum_of(uint32_t sum, const uint32_t *words) {
    for (uint32_t i = 0; i < DISK_PAGE / 4; ++i) {
        sum = 31 * sum + words[i];
    }
    return sum;
}

static void check_answer(Model *model, uint64_t frame, const VisitItem *item,
                         const uint32_t *answer) {
    const uint32_t page = item->page, word = item->word % (DISK_PAGE / 4);
    if (page >= model->pageCount) {
        require(model, answer[0] == MUR_NO_PAGE_FRAME, "a page out of range");
        return;
    }
    uint64_t *used = &model->used[page];
    if (answer[0] == MUR_NO_PAGE_FRAME) {
        require(model, *used == 0 || frame >= *used + model->inFlight, "a page went too early");
        require(model, model->stays[page] != 2, "a pinned page went");
        return;
    }
    require(model, answer[0] < model->pageFrameCount, "a page frame out of range");
    uint32_t *words = pages_model(&model->pages, page);
    model->seen[page] = true;
    model->stays[page] = model->stays[page] ? 2 : 0;
    *used = item->verb == VISIT_PEEK ? *used : frame;
    for (uint32_t i = 0; i < 4 && item->verb == VISIT_STORE_QUAD; ++i) {
        words[word / 4 * 4 + i] = item->value + i;
    }
    if (item->verb == VISIT_STORE) {
        words[word] = item->value;
    } else if (item->verb != VISIT_STORE_QUAD) {
        const uint32_t value = item->verb == VISIT_SUM ? sum_of(item->value, words) : words[word];
        require(model, answer[1] == value, "a wrong word");
    }
}

static void do_list(Model *model, const Flight *flight, const Step *step) {
    const uint32_t *list = &flight->shared->lists[step->first];
    for (uint32_t i = 0; i < step->count && step->kind != REQUESTS; ++i) {
        if (list[i] < model->pageCount) {
            uint8_t *stays = &model->stays[list[i]];
            *stays = step->kind == UNPINS ? 0 : *stays == 0 ? 1 : *stays;
            model->pages.notes[list[i]].pinned = *stays != 0;
        }
    }
}

static void do_step(Model *model, Flight *flight, const Step *step) {
    switch (step->kind) {
    case VISITS:
        for (uint32_t i = step->first; i < step->first + step->count; ++i) {
            check_answer(model, flight->frame, &flight->shared->items[i],
                         flight->shared->answers[i]);
        }
        break;
    case PAGING: /* the first of a frame takes its checkpoint */
        if (flight->flags) {
            memcpy(model->saved, model->pages.model, (size_t)DISK_PAGE * model->pageCount);
            model->savedFrame = flight->frame;
            flight->flags = 0;
        }
        break;
    case EVICTION:
        for (uint32_t page = 0; page < model->pageCount; ++page) {
            model->used[page] = model->stays[page] ? model->used[page] : 0;
        }
        break;
    default:
        do_list(model, flight, step);
    }
}

static void check_checkpoint(Model *model) {
    MurPagerStatus status;
    murGetPagerStatus(model->pages.pager, &status);
    if (status.checkpoint != model->committed) {
        model->committed = status.checkpoint;
        require(model, model->committed == model->savedFrame, "a checkpoint that nobody began");
        require(model,
                memcmp(model->disk.committed, model->saved, (size_t)DISK_PAGE * model->pageCount) ==
                    0,
                "a checkpoint is not what the pages were");
    }
}

/* The oldest one that is pending. */
static void complete(Model *model) {
    Flight *flight = &model->flights[model->head];
    check_checkpoint(model);
    gpu_wait(&flight->lane);
    for (uint32_t i = 0; i < flight->stepCount; ++i) {
        do_step(model, flight, &flight->steps[i]);
    }
    const MurPagerStats *stats = &flight->shared->stats;
    require(model, stats->resident <= model->pageFrameCount && stats->dirty <= stats->resident,
            "counts of pages");
    model->head = (model->head + 1) % FLIGHTS;
    --model->pending;
}

static void complete_all(Model *model) {
    while (model->pending != 0) {
        complete(model);
    }
}

/* ---- Frames --------------------------------------------------------------------------------- */

static Flight *begin_frame(Model *model, bool checkpoint) {
    Random *random = &model->random;
    const uint64_t next = model->frame + 1 +
                          (random_below(random, 40) ? 0 : random_below(random, 3));
    while (model->pending != 0 && (next - model->flights[model->head].frame >= model->inFlight ||
                                   random_below(random, 6) == 0)) {
        complete(model);
    }
    const uint64_t busy = model->pending ? model->flights[model->head].frame : next;
    Flight *flight = &model->flights[(model->head + model->pending++) % FLIGHTS];
    flight->frame = model->frame = next;
    flight->flags = 0;
    flight->stepCount = flight->itemCount = flight->listed = 0;
    if (model->files) {
        const MurPagerFrame frame = {
            .frame = next, .completedFrame = busy - 1, .checkpoint = checkpoint};
        gpu_require(murBeginPagerFrame(model->pages.pager, &frame, &flight->flags));
    }
    gpu_require(murCmdPagerBarrier(gpu_begin(&flight->lane), model->pages.pager));
    return flight;
}

static void end_frame(Model *model, Flight *flight) {
    gpu_send(&flight->lane);
    if (model->files && model->pumpCount == 0) {
        (void)murPumpPager(model->pages.pager,
                           random_below(&model->random, 4) * random_below(&model->random, 8), NULL);
    }
}

static MurArray array_of(const Flight *flight, const void *at, uint64_t size) {
    const ptrdiff_t offset = (const uint8_t *)at - (const uint8_t *)flight->shared;
    return (MurArray){flight->memory.address + (uint64_t)offset, size};
}

static void end_step(Model *model, Flight *flight, Step step) {
    assert_true(flight->stepCount < STEPS);
    flight->steps[flight->stepCount++] = step;
    gpu_require(murCmdPagerBarrier(flight->lane.cmd, model->pages.pager));
}

static void record_paging(Model *model, Flight *flight, uint32_t maxPages) {
    gpu_require(murCmdPage(
        flight->lane.cmd, model->pages.pager,
        &(MurPaging){.frame = (uint32_t)flight->frame,
                     .maxPages = maxPages,
                     .flags = flight->flags,
                     .stats = array_of(flight, &flight->shared->stats, sizeof(MurPagerStats))}));
    end_step(model, flight, (Step){.kind = PAGING});
}

/* Items from first on. */
static void record_visits(Model *model, Flight *flight, uint32_t first) {
    const VisitPush push = {.pager = murGetPagerRef(model->pages.pager, (uint32_t)flight->frame),
                            .items = array_of(flight, &flight->shared->items[first], 0).address,
                            .answers = array_of(flight, flight->shared->answers[first], 0).address,
                            .count = flight->itemCount - first};
    gpu_dispatch(&flight->lane, &model->pages.visit, &push, (push.count + 63) / 64);
    end_step(model, flight, (Step){VISITS, first, push.count});
}

static void add_item(Flight *flight, VisitItem item) {
    assert_true(flight->itemCount < ITEMS);
    flight->shared->items[flight->itemCount++] = item;
}

/* Nobody else uses a page that is stored to. */
static void random_visits(Model *model, Flight *flight) {
    Random *random = &model->random;
    uint8_t taken[MOST_PAGES + 5] = {0};
    const uint32_t first = flight->itemCount, near = random_below(random, model->pageCount);
    for (uint32_t i = random_below(random, 60); i != 0; --i) {
        const uint32_t verb = random_below(random, 5);
        const uint32_t page = random_below(random, 3)
                                  ? (near + random_below(random, 8)) % model->pageCount
                                  : random_below(random, model->pageCount + 5);
        const uint8_t how = verb == VISIT_STORE || verb == VISIT_STORE_QUAD ? 2 : 1;
        if (taken[page] + how <= 2 || (taken[page] == 1 && how == 1)) {
            taken[page] = how;
            add_item(flight, (VisitItem){page, verb, (uint32_t)random_next(random),
                                         (uint32_t)random_next(random), random_below(random, 300)});
        }
    }
    record_visits(model, flight, first);
}

static void record_list(Model *model, Flight *flight, StepKind kind, uint32_t count,
                        const uint32_t *list) {
    MurPager pager = model->pages.pager;
    VkCommandBuffer cmd = flight->lane.cmd;
    uint32_t *words = &flight->shared->lists[flight->listed];
    const uint32_t first = flight->listed + 1;
    assert_true(first + count <= LISTED);
    words[0] = count;
    memcpy(words + 1, list, 4ull * count);
    flight->listed += 1 + count;
    const MurPages pages = {.maxCount = count,
                            .countAddress = array_of(flight, words, 4).address,
                            .pages = array_of(flight, words + 1, 4ull * count)};
    gpu_require(kind == PINS ? murCmdPinPages(cmd, pager, &pages)
                : kind == UNPINS
                    ? murCmdUnpinPages(cmd, pager, &pages)
                    : murCmdRequestPages(cmd, pager, &pages, count, (uint32_t)flight->frame));
    end_step(model, flight, (Step){kind, first, count});
}

static void random_command(Model *model, Flight *flight) {
    Random *random = &model->random;
    const StepKind kind = PINS + random_below(random, 5);
    if (kind >= FLUSH) {
        if (random_below(random, 2)) {
            gpu_require(murCmdFlushPager(flight->lane.cmd, model->pages.pager,
                                         kind == EVICTION ? MUR_FLUSH_EVICT : 0));
            end_step(model, flight, (Step){.kind = kind});
        }
        return;
    }
    uint32_t list[40];
    const uint32_t count = 1 + random_below(random, kind == PINS ? 2 : 40);
    for (uint32_t i = 0; i < count; ++i) {
        list[i] = random_below(random, model->pageCount + 3);
    }
    record_list(model, flight, kind, count, list);
}

static void random_frame(Model *model) {
    Random *random = &model->random;
    Flight *flight = begin_frame(model, random_below(random, 5) == 0);
    for (uint32_t left = 1 + random_below(random, 3); left != 0; --left) {
        if (random_below(random, 3) == 0) {
            random_command(model, flight);
        }
        random_visits(model, flight);
        if (left == 1 || random_below(random, 3) == 0) {
            record_paging(model, flight,
                          random_below(random, 3) ? UINT32_MAX : random_below(random, 6));
        }
    }
    end_frame(model, flight);
}

/* ---- Pagers --------------------------------------------------------------------------------- */

static void model_open(Model *model, Gpu *gpu, Random *seeds, bool files) {
    *model = (Model){.random = {random_next(seeds)}};
    Random *random = &model->random;
    model->pageCount = 2 + random_below(random, random_below(random, 3) ? MOST_PAGES - 1 : 10);
    model->pageFrameCount = 1 + random_below(random, 1 + model->pageCount / (files ? 3 : 1));
    model->inFlight = 1 + random_below(random, FLIGHTS);
    disk_make(&model->disk, model->pageCount);
    MurPageFile file = disk_file(&model->disk);
    file.pfnWrite = write_slowly;
    model->files = files;
    PagesOptions options = {
        .pageCount = model->pageCount,
        .pageSize = DISK_PAGE,
        .pageFrameCount = model->pageFrameCount,
        .framesInFlight = model->inFlight,
        .maxRequests = random_below(random, 2) * (1 + random_below(random, model->pageCount)),
        .chunkPages = random_below(random, 4) ? 2u << random_below(random, 6) : 0,
        .content = files ? (MurPageContent)random_below(random, 3)
                         : (MurPageContent)random_below(random, 2),
        .flags = MUR_PAGER_FORCE,
        .file = files ? &file : NULL,
        .maxFilePages = random_below(random, 2) * (1 + random_below(random, 20)),
    };
    const size_t bytes = (size_t)DISK_PAGE * model->pageCount;
    model->pages = pages_open(gpu, &options);
    model->pageFrameCount = murGetPagerRef(model->pages.pager, 0).pageFrameCount;
    if (options.content == MUR_PAGES_IN_FILE) {
        for (size_t i = 0; i < bytes / 4; ++i) {
            model->pages.model[i] = mur_hash((uint32_t)i, 1);
        }
        memcpy(model->disk.now, model->pages.model, bytes);
        memcpy(model->disk.committed, model->pages.model, bytes);
    }
    model->pumpCount = files ? random_below(random, PUMPS + 1) : 0;
    model->frame = random_below(random, 2) ? 0 : UINT32_MAX - random_below(random, 60);
    for (uint32_t i = 0; i < FLIGHTS; ++i) {
        Flight *flight = &model->flights[i];
        gpu_open_lane(gpu, &flight->lane, gpu->queue, gpu->family);
        flight->memory = gpu_buffer(gpu, sizeof(Shared));
        flight->shared = flight->memory.mapped;
    }
}

static void model_close(Model *model) {
    for (uint32_t i = 0; i < FLIGHTS; ++i) {
        Flight *flight = &model->flights[i];
        gpu_free(model->pages.gpu, &flight->memory);
        gpu_close_lane(&flight->lane);
    }
    pages_close(&model->pages);
    disk_free(&model->disk);
}

/* With nothing under way, not even a pump. */
static void check_all(Model *model) {
    complete_all(model);
    stop_pumps(model);
    pages_check(&model->pages);
    for (uint32_t page = 0; page < model->pageCount; ++page) {
        const size_t at = (size_t)DISK_PAGE * page;
        if (pages_directory(&model->pages)[page] & MUR_PAGE_IN_FILE) {
            assert_memory_equal(model->disk.now + at, pages_model(&model->pages, page), DISK_PAGE);
        }
    }
    Disk *disk = &model->disk;
    const bool fails = random_below(&model->random, 2);
    disk->failRead = fails * (disk->reads + 1 + random_below(&model->random, 5));
    disk->failWrite = fails * (disk->writes + 1 + random_below(&model->random, 30));
    disk->failCommit = fails * (disk->commits + 1);
    start_pumps(model);
}

/* Every page comes if none is pinned, and is right; and so is a checkpoint of them. */
static void visit_all(Model *model) {
    const uint64_t start = model->frame + 1;
    uint32_t list[MOST_PAGES], left = model->pageCount;
    memset(model->seen, 0, sizeof model->seen);
    for (uint32_t page = 0; page < model->pageCount; ++page) {
        list[page] = page;
    }
    for (uint32_t frames = 0; left != 0 || (model->files && model->committed < start); ++frames) {
        require(model, frames < MOST_FRAMES, "pages or a checkpoint that never come");
        Flight *flight = begin_frame(model, true);
        record_list(model, flight, UNPINS, model->pageCount, list);
        for (uint32_t page = 0; page < model->pageCount; ++page) {
            if (!model->seen[page]) {
                add_item(flight, (VisitItem){page, VISIT_SUM, 0, page, 255});
            }
        }
        record_visits(model, flight, 0);
        record_paging(model, flight, UINT32_MAX);
        end_frame(model, flight);
        complete_all(model);
        check_checkpoint(model);
        left = 0;
        for (uint32_t page = 0; page < model->pageCount; ++page) {
            left += !model->seen[page];
        }
    }
}

/* Frames that were run. */
static uint32_t run_model(Gpu *gpu, Random *seeds, bool files) {
    static Model model;
    model_open(&model, gpu, seeds, files);
    const uint32_t segments = 2 + random_below(&model.random, 4);
    start_pumps(&model);
    for (uint32_t i = 0; i < SEGMENT * segments; ++i) {
        random_frame(&model);
        if (i % SEGMENT == SEGMENT - 1) {
            check_all(&model);
        }
    }
    if (random_below(&model.random, 3)) {
        visit_all(&model);
    } /* or not: pages are on their way and a checkpoint is */
    complete_all(&model);
    stop_pumps(&model);
    model_close(&model);
    return SEGMENT * segments;
}

GPU_TEST(every_byte_is_what_the_model_says) {
    Random seeds = {test_seed(0xB17E)};
    const uint32_t frames = test_full() ? 20000 : 1200;
    for (uint32_t run = 0, i = 0; run < frames; ++i) {
        run += run_model(gpu, &seeds, i % 3 != 0);
    }
}
