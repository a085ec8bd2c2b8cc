/* What the programs of the GPU tier share.
 *
 *   PROGRAM [--scale N] [PATTERN]    sizes divided by 2^N, for a rehearsal on a small device;
 *                                    only the cases whose names match
 *
 * SPDX-License-Identifier: MIT */
#ifndef TIER_H
#define TIER_H

#include "support/gpu.h"

#include "items.h"

/* Reads the command line. */
void tier_arguments(int argc, char **argv);
bool tier_rehearsal(void);
/* A size, divided by the scale; 1 at least. */
uint32_t tier_size(uint64_t size);

/* Batches that are made, judged and kept on the GPU: device-local arrays, and the kernel for
 * them. */
typedef struct Items {
    Gpu *gpu;
    GpuKernel kernel;
    GpuBuffer keys, values, statuses, slots;
    GpuBuffer verdict;
    GpuBuffer scratch; /* handle 0: none */
    uint32_t count;
} Items;

void items_open(Gpu *gpu, Items *items, uint32_t count);
void items_close(Items *items);
/* Lends commands on this table as much scratch memory as they ask for, if they do; do they? */
bool items_lend(Items *items, MurTable table);

/* All items. */
MurBatch items_batch(const Items *items);

/* Records the making of keys, whose hashes are first, first + step, ..., and of their values. Then
 * a barrier. */
void items_record_make(const Items *items, MurTable table, uint32_t first, uint32_t step);

/* The same, executed. */
void items_make(const Items *items, MurTable table, uint32_t first, uint32_t step);

/* Records a command on all items, its outputs overwritten beforehand, between barriers. */
typedef enum ItemsCommand { ITEMS_INSERT, ITEMS_FIND, ITEMS_ERASE } ItemsCommand;
void items_record(const Items *items, MurTable table, ItemsCommand command);

/* The items' common properties, for judging. */
typedef struct ItemsExpected {
    uint32_t task; /* ITEMS_JUDGE, ITEMS_LOOKUP or ITEMS_SWEEP */
    uint32_t first, step;
    uint32_t status;
    uint32_t lowest; /* slot */
} ItemsExpected;
void items_record_judging(const Items *items, MurTable table, const ItemsExpected *expected);
/* After the judging has run: fails the test, naming an item, unless all were as expected. */
void items_require(const Items *items, const char *what);

/* Runs a command on all items and judges its outputs. */
void items_run(const Items *items, MurTable table, ItemsCommand command,
               const ItemsExpected *expected, const char *what);

#endif
