/* A pager with a file, frames of lookups and stores with some in flight, and what its pages should
 * hold.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGER_FILE_FILED_H
#define PAGER_FILE_FILED_H

#include "support/gpu.h"

#include <murmuration/pager.h>

#include "pager/layout.h"

enum {
    FILED_PAGE = 4096,
    FILED_WORDS = 4, /* of each page that tests use */
    FILED_ITEMS = 64,
    FILED_FLIGHTS = 2
};

typedef struct FiledOptions {
    uint32_t pageCount, pageFrameCount, framesInFlight, maxFilePages;
    MurPageContent content;
    const MurPageFile *file;
    uint64_t before; /* frame numbers begin behind this one */
} FiledOptions;

/* What is recorded of a frame until it is completed. */
typedef struct Flight {
    Gpu lane; /* its command buffer and fence */
    uint64_t frame;
    bool pending, checkpoint;
    GpuBuffer items, answers;
    uint32_t count;
} Flight;

typedef struct Filed {
    Gpu *gpu;
    MurPager pager;
    GpuBuffer memory; /* of the pager */
    GpuKernel visit;
    FiledOptions options;
    Flight flights[FILED_FLIGHTS];
    uint64_t frame, completed;
    uint32_t *model; /* FILED_WORDS a page, as of the last completed frame */
    uint32_t *saved; /* as of the frame whose checkpoint began last */
    uint64_t savedFrame;
    uint32_t hits, misses; /* answers so far */
    bool forgetful;        /* murCmdPage is not given the flags that it should */
    bool twice;            /* a frame has two of it */
} Filed;

Filed filed_open(Gpu *gpu, const FiledOptions *options);
void filed_close(Filed *filed);

/* The word that holds the model's word i. */
uint32_t filed_word(uint32_t i);

/* One frame that looks pages up: no page twice. Waits for the one before the last. */
void filed_frame(Filed *filed, const VisitItem *items, uint32_t count, bool checkpoint);
/* Waits for all frames. */
void filed_finish(Filed *filed);
/* Frames and pumps until each page has been read once, and is what it should be. */
void filed_check_all(Filed *filed);
/* Frames and pumps until no checkpoint is under way. */
void filed_settle(Filed *filed);
MurPagerStatus filed_status(const Filed *filed);
VkResult filed_pump(const Filed *filed, uint32_t pages);

/* These are the pages of a model. */
void filed_require(const Filed *filed, const uint8_t *pages, const uint32_t *model);

#endif
