/* One murCmdBuild, run and checked slot by slot.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_BUILD_CHECK_H
#define MUR_BUILD_CHECK_H

#include "support/gpu.h"

#include <kernels/push.h>

typedef enum BuildKeys {
    KEYS_RANDOM, /* distinct */
    KEYS_TWICE,
    KEYS_REPEATED,    /* each eight times */
    KEYS_EQUAL,       /* one key */
    KEYS_ONE_SLICE,   /* distinct, all homes within few slots */
    KEYS_SLICE_ENDS,  /* distinct, a third of the homes in the last slots of slices */
    KEYS_TABLE_END,   /* distinct, all homes in the last slot */
    KEYS_WITH_SPECIAL /* distinct, among them the key of the extra slot; some values are reserved */
} BuildKeys;

/* What the state must say afterwards. */
typedef enum BuildOrder { ORDER_ANY, ORDER_YES, ORDER_NO } BuildOrder;

typedef struct BuildCase {
    uint64_t capacity;
    uint32_t count;
    uint32_t maxCount; /* 0: count, given by the host; else count comes from the GPU */
    BuildKeys keys;
    Way way;
    BuildOrder order;
    MurInsertMode mode;
    MurReservedValue reserved;
    MurAtomicWidth width;
    uint64_t probeLimit;
    bool overfull; /* more distinct keys than fit */
} BuildCase;

typedef struct BuildRun {
    Gpu *gpu;
    const BuildCase *test;
    MurTable table;
    uint32_t room; /* pairs that the arrays hold */
    GpuBuffer keys, values, results, count, scratch, image;
} BuildRun;

/* Builds and checks. The caller may go on using the table, then closes. */
BuildRun build_open(Gpu *gpu, const BuildCase *test);
void build_close(BuildRun *run);
void build_check(Gpu *gpu, const BuildCase *test); /* open and close */

/* Checks all slots against the state and returns the header. */
MurTableHeader build_check_slots(BuildRun *run);
/* Finds of count keys from the batch's first on, and of as many absent ones, give what they should:
 * each value is the key's, or whatever valueOf says. */
void build_check_finds(BuildRun *run);

#endif
