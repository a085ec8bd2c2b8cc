/* Shared by the programs of the GPU tier.
 *
 *   PROGRAM [--scale N] [PATTERN]    divides sizes by 2^N, to rehearse on a small device;
 *                                    runs only cases whose names match
 * SPDX-License-Identifier: MIT */
#ifndef TIER_H
#define TIER_H

#include "support/gpu.h"

#include "items.h"

void tier_arguments(int argc, char **argv);
bool tier_rehearsal(void);
/* Returns a size divided by the scale, at least 1. */
uint32_t tier_size(uint64_t size);

/* Batches on the GPU: device-local arrays, and the kernel that creates and judges them. */
typedef struct Items {
    Gpu *gpu;
    GpuKernel kernel;
    GpuBuffer keys, values, statuses, slots;
    GpuBuffer verdict;
    GpuBuffer scratch; /* scratch memory; handle 0: none */
    uint32_t count;
} Items;

void items_open(Gpu *gpu, Items *items, uint32_t count);
void items_close(Items *items);
/* Allocates the scratch memory of commands on this table. Returns false if a command of
 * ItemsCommand needs none. */
bool items_lend(Items *items, MurTable table);

MurBatch items_batch(const Items *items);

/* Records the creation of values and keys (with hashes first, first + step, ...), and a barrier. */
void items_record_make(const Items *items, MurTable table, uint32_t first, uint32_t step);

/* Records the creation (items_record_make) and executes it. */
void items_make(const Items *items, MurTable table, uint32_t first, uint32_t step);

/* Records a command on all items, between barriers. Overwrites the outputs first. */
typedef enum ItemsCommand { ITEMS_INSERT, ITEMS_FIND, ITEMS_ERASE } ItemsCommand;
void items_record(const Items *items, MurTable table, ItemsCommand command);

/* Expected properties of all items. */
typedef struct ItemsExpected {
    uint32_t task; /* ITEMS_JUDGE or ITEMS_LOOKUP */
    uint32_t first, step;
    uint32_t status;
    uint32_t lowest; /* lowest valid slot */
} ItemsExpected;
void items_record_judging(const Items *items, MurTable table, const ItemsExpected *expected);
/* After the judging kernel: fails the test and names an item if one was wrong. */
void items_require(const Items *items, const char *what);

/* Runs a command on all items and judges its outputs. */
void items_run(const Items *items, MurTable table, ItemsCommand command,
               const ItemsExpected *expected, const char *what);

#endif
