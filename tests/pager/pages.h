/* A pager in host-visible memory, and a model of its pages.
 * SPDX-License-Identifier: MIT */
#ifndef PAGER_TEST_PAGES_H
#define PAGER_TEST_PAGES_H

#include "support/gpu.h"

#include <murmuration/pager.h>

#include "layout.h"

enum { PAGES_CHUNKS = 64 };

/* Per page: the frame of its last use; hit: whether it was used since the last
 * murCmdUpdatePager. */
typedef struct PageNote {
    uint32_t used;
    bool hit, dirty, pinned;
} PageNote;

typedef struct Pages {
    Gpu *gpu;
    MurPager pager;
    MurPagerRequirements needs;
    GpuBuffer memory; /* memory of the pager */
    GpuBuffer chunks[PAGES_CHUNKS];
    GpuBuffer items, answers, stats, list;
    GpuKernel visit;
    uint32_t *model; /* expected content of pages, in 32-bit words */
    PageNote *notes;
    uint32_t pageWords, itemCount, framesInFlight;
    uint32_t frame;
    MurPagerStats counted; /* expected statistics */
} Pages;

/* Opens a pager with memory of its own. content: the initial content of the pages. PAGES_OPEN: with
 * paging forced, one frame in flight unless another number is given. */
Pages pages_open(Gpu *gpu, MurPagerCreateInfo info, MurPageContent content);
#define PAGES_OPEN(content, ...) \
    pages_open(gpu, (MurPagerCreateInfo){.flags = MUR_PAGER_FORCE, __VA_ARGS__}, content)
void pages_close(Pages *pages);

/* Return the address of a part of the pager's memory. */
uint32_t *pages_directory(const Pages *pages);
uint32_t *pages_requests(const Pages *pages);
uint32_t *pages_store(const Pages *pages, uint32_t page); /* NULL if it has no host page */
/* The state of host pages: MUR_HOST_*. */
uint32_t *pages_host(const Pages *pages);
/* Returns the expected words of a page. */
uint32_t *pages_model(const Pages *pages, uint32_t page);

/* Applies a successful visit to the model. Returns whether the loaded value is correct. */
bool pages_apply(Pages *pages, const VisitItem *item, uint32_t value);
/* Adds an item to the next visit. Only one item may access a word to which an item stores. */
void pages_add(Pages *pages, VisitItem item);
/* Runs the items and compares each result. Updates the model, and checks the list of requests. */
void pages_visit(Pages *pages);
/* Records murCmdUpdatePager, and checks all effects. */
void pages_page(Pages *pages, uint32_t maxPages);
void pages_flush(Pages *pages, MurFlushFlags flags);
/* Checks that directory, records, pool, store and host pages are consistent and that they agree
 * with the model. */
void pages_check(const Pages *pages);
/* Each function below runs a command on a list of pages. The list's `count` is in GPU memory. */
void pages_request(Pages *pages, uint32_t count, const uint32_t *list, uint32_t priority);
void pages_pin(Pages *pages, uint32_t count, const uint32_t *list, bool pinned);

#endif
