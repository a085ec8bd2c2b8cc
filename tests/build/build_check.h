/* One murCmdBuild, run and checked slot by slot.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_BUILD_CHECK_H
#define MUR_BUILD_CHECK_H

#include "oracle/pair.h"

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
    uint32_t capacity;
    uint32_t count;
    uint32_t maxCount; /* 0: count, given by the host; else count comes from the GPU */
    BuildKeys keys;
    Way way;
    BuildOrder order;
    MurInsertMode mode;
    const TableKind *kind; /* of K32V32; NULL: with 64-bit atomics */
    uint64_t probeLimit;
    bool overfull; /* more distinct keys than fit */
} BuildCase;

typedef struct BuildRun {
    Gpu *gpu;
    const BuildCase *test;
    Pair pair;
    uint32_t room; /* pairs that the arrays hold */
    GpuBuffer keys, values, count, scratch;
} BuildRun;

/* Builds and checks. The caller may go on using the table, then closes. */
BuildRun build_open(Gpu *gpu, const BuildCase *test);
void build_close(BuildRun *run);
void build_check(Gpu *gpu, const BuildCase *test); /* open and close */

/* Checks all slots against the batch and the state; finds give what there is, and no more. */
void build_check_table(BuildRun *run);

#endif
