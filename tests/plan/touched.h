/* What kernels declare to read and to write, in runtime/kernels/kernels.def.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TOUCHED_H
#define MUR_TOUCHED_H

#include <kernels/kernels.h>

/* What a kernel touches, each named like the address in its push constants, and its bit. Sorts have
 * no source, groups no offsets and no indices beside them, paged tables no total. The pager's block
 * is up to the pool; with the state of a paged table goes what lies in it from there on. */
#define MUR_TOUCHED(X)   \
    X(TABLE, 0)          \
    X(SOURCE, 1)         \
    X(COARSE, 1)         \
    X(KEYS, 2)           \
    X(VALUES, 3)         \
    X(STATUSES, 4)       \
    X(SLOTS, 5)          \
    X(COUNT, 6)          \
    X(SCRATCH, 7)        \
    X(COUNTERS, 8)       \
    X(SORTED_KEYS, 9)    \
    X(SORTED_VALUES, 10) \
    X(PLACES, 11)        \
    X(SORTED, 12)        \
    X(RESULTS, 13)       \
    X(SLOT_MAP, 14)      \
    X(RESULT, 15)        \
    X(STATS, 16)         \
    X(OFFSETS, 17)       \
    X(GROUPS, 17)        \
    X(INDICES, 18)       \
    X(TILES, 18)         \
    X(TOTAL, 19)         \
    X(LEFT, 19)          \
    X(OLD_VALUES, 20)    \
    X(STATUS_BITS, 21)   \
    X(PAGER, 22)         \
    X(POOL, 23)          \
    X(STORE, 24)         \
    X(PAGES, 25)         \
    X(LISTS, 26)         \
    X(STATE, 27)         \
    X(PARTITIONS, 28)    \
    X(LIVE, 29)          \
    X(ERASED, 30)
#define MUR_TOUCHES(name, bit) MUR_TOUCHES_##name = 1 << (bit),
typedef enum MurTouches { MUR_TOUCHED(MUR_TOUCHES) MUR_TOUCHES_NONE = 0 } MurTouches;
#undef MUR_TOUCHES

/* By kernel: MurTouches. */
typedef struct Touched {
    uint32_t reads, writes;
} Touched;
extern const Touched kernels_touch[MUR_KERNEL_COUNT];

/* Of two kernels that a plan records without a barrier between them although both write the same
 * memory: the GPU lets only one of them do anything. */
bool kernels_alternate(MurKernel a, MurKernel b);

#endif
