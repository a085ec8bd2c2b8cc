/* SPDX-License-Identifier: MIT */
#include "filed.h"

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(pager_file_visit);

enum { MANY = 60 }; /* frames in which anything comes to an end */

uint32_t filed_word(uint32_t i) {
    static const uint32_t words[FILED_WORDS] = {0, 5, 600, 1023};
    return words[i];
}

static void open_flight(Filed *filed, Flight *flight) {
    gpu_open_lane(filed->gpu, &flight->lane, filed->gpu->queue, filed->gpu->family);
    flight->items = gpu_buffer(filed->gpu, FILED_ITEMS * sizeof(VisitItem));
    flight->answers = gpu_buffer(filed->gpu, 4ull * FILED_ITEMS * VISIT_ANSWER);
}

Filed filed_open(Gpu *gpu, const FiledOptions *options) {
    Filed filed = {.gpu = gpu, .options = *options, .frame = options->before};
    filed.completed = filed.frame;
    const MurPagerCreateInfo info = {
        .pageCount = options->pageCount,
        .pageSize = FILED_PAGE,
        .pageFrameCount = options->pageFrameCount,
        .framesInFlight = options->framesInFlight,
        .pFile = options->file,
        .maxFilePages = options->maxFilePages,
    };
    gpu_require(murCreatePager(gpu->context, &info, &filed.pager));
    filed.visit = gpu_kernel(gpu, pager_file_visit, pager_file_visit_size, sizeof(VisitPush), 0);
    filed.model = calloc(options->pageCount, 4 * FILED_WORDS);
    filed.saved = calloc(options->pageCount, 4 * FILED_WORDS);
    assert_true(filed.model && filed.saved);
    for (uint32_t i = 0; i < FILED_FLIGHTS; ++i) {
        open_flight(&filed, &filed.flights[i]);
    }
    GPU_RUN(gpu, murCmdClearPager(gpu->cmd, filed.pager, options->content));
    return filed;
}

void filed_close(Filed *filed) {
    filed_finish(filed);
    for (uint32_t i = 0; i < FILED_FLIGHTS; ++i) {
        gpu_free(filed->gpu, &filed->flights[i].items);
        gpu_free(filed->gpu, &filed->flights[i].answers);
        gpu_close_lane(&filed->flights[i].lane);
    }
    murDestroyPager(filed->pager);
    free(filed->model);
    free(filed->saved);
}

/* ---- Frames --------------------------------------------------------------------------------- */

static uint32_t *model_of(const Filed *filed, const VisitItem *item) {
    for (uint32_t i = 0; i < FILED_WORDS; ++i) {
        if (filed_word(i) == item->word) {
            return filed->model + (size_t)FILED_WORDS * item->page + i;
        }
    }
    return NULL;
}

/* What was loaded is what was stored last, in the order of frames. */
static void read_answers(Filed *filed, const Flight *flight) {
    const VisitItem *items = flight->items.mapped;
    const uint32_t *answers = flight->answers.mapped;
    for (uint32_t i = 0; i < flight->count; ++i) {
        if (answers[VISIT_ANSWER * i] == MUR_NO_PAGE_FRAME) {
            ++filed->misses;
            continue;
        }
        ++filed->hits;
        uint32_t *model = model_of(filed, &items[i]);
        if (items[i].verb == VISIT_STORE) {
            *model = items[i].value;
        } else if (answers[VISIT_ANSWER * i + 1] != *model) {
            (void)vkDeviceWaitIdle(filed->gpu->device);
            fail_msg("page %u word %u: 0x%x instead of 0x%x", items[i].page, items[i].word,
                     answers[VISIT_ANSWER * i + 1], *model);
        }
    }
    if (flight->checkpoint) {
        memcpy(filed->saved, filed->model, 4ull * FILED_WORDS * filed->options.pageCount);
        filed->savedFrame = flight->frame;
    }
}

static void complete(Filed *filed, Flight *flight) {
    if (flight->pending) {
        gpu_wait(&flight->lane);
        read_answers(filed, flight);
        flight->pending = false;
        filed->completed = flight->frame;
    }
}

void filed_finish(Filed *filed) {
    for (uint32_t i = 1; i <= FILED_FLIGHTS; ++i) {
        complete(filed, &filed->flights[(filed->frame + i) % FILED_FLIGHTS]);
    }
}

void filed_frame(Filed *filed, const VisitItem *items, uint32_t count, bool checkpoint) {
    ++filed->frame;
    Flight *flight = &filed->flights[filed->frame % FILED_FLIGHTS];
    complete(filed, flight);
    if (filed->options.framesInFlight == 1) {
        filed_finish(filed);
    }
    assert_true(count <= FILED_ITEMS);
    for (uint32_t i = 0; i < count; ++i) {
        ((VisitItem *)flight->items.mapped)[i] = items[i];
    }
    flight->count = count;
    flight->frame = filed->frame;
    flight->pending = true;
    MurPagingFlags flags = 0;
    const MurPagerFrame frame = {
        .frame = filed->frame, .completedFrame = filed->completed, .checkpoint = checkpoint};
    gpu_require(murBeginPagerFrame(filed->pager, &frame, &flags));
    flags = filed->forgetful ? 0 : flags;
    flight->checkpoint = flags != 0;
    const VisitPush push = {.pager = murGetPagerRef(filed->pager, (uint32_t)filed->frame),
                            .items = flight->items.address,
                            .answers = flight->answers.address,
                            .count = count};
    gpu_begin(&flight->lane);
    gpu_barrier(&flight->lane); /* after the frame before */
    gpu_dispatch(&flight->lane, &filed->visit, &push, (count + 63) / 64);
    gpu_barrier(&flight->lane);
    for (uint32_t i = 0; i < (filed->twice ? 2 : 1); ++i) {
        gpu_require(murCmdPage(
            flight->lane.cmd, filed->pager,
            &(MurPaging){.frame = (uint32_t)filed->frame, .maxPages = UINT32_MAX, .flags = flags}));
        gpu_barrier(&flight->lane);
    }
    gpu_send(&flight->lane);
}

/* ---- Ends ----------------------------------------------------------------------------------- */

MurPagerStatus filed_status(const Filed *filed) {
    MurPagerStatus status;
    murGetPagerStatus(filed->pager, &status);
    return status;
}

VkResult filed_pump(const Filed *filed, uint32_t pages) {
    uint32_t moved;
    const VkResult result = murPumpPager(filed->pager, pages, &moved);
    assert_true(moved <= pages);
    return result;
}

void filed_check_all(Filed *filed) {
    for (uint32_t page = 0; page < filed->options.pageCount; ++page) {
        const uint32_t hits = filed->hits;
        for (uint32_t i = 0; filed->hits == hits; ++i) {
            assert_true(i < MANY);
            const VisitItem item = {.page = page, .verb = VISIT_LOAD, .word = filed_word(page % 4)};
            filed_frame(filed, &item, 1, false);
            filed_finish(filed);
            (void)filed_pump(filed, 1000);
        }
    }
}

void filed_settle(Filed *filed) {
    for (uint32_t i = 0; i < 4; ++i) {
        filed_frame(filed, NULL, 0, false);
        (void)filed_pump(filed, UINT32_MAX);
    }
    assert_int_equal(filed_status(filed).checkpointUnderWay, 0);
}

void filed_require(const Filed *filed, const uint8_t *pages, const uint32_t *model) {
    bool same = true;
    for (uint32_t page = 0; page < filed->options.pageCount; ++page) {
        uint32_t words[FILED_PAGE / 4];
        memcpy(words, pages + (size_t)FILED_PAGE * page, sizeof words);
        for (uint32_t i = 0; i < FILED_WORDS; ++i) {
            same = same && words[filed_word(i)] == model[FILED_WORDS * page + i];
        }
    }
    if (!same) {
        (void)vkDeviceWaitIdle(filed->gpu->device);
    }
    assert_true(same);
}
