/* Plans: the dispatches of a command, and the scratch memory with which it is fastest. A plan is a
 * pure function of the device's limits, the tuning, the objects and the command's arguments. No
 * planner calls Vulkan; device/record.c records a plan.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_H
#define MUR_PLAN_H

#include <murmuration/buckets.h>
#include <murmuration/group.h>
#include <murmuration/multi.h>
#include <murmuration/murmuration.h>
#include <murmuration/paged.h>
#include <murmuration/pager.h>
#include <murmuration/rows.h>
#include <murmuration/tuning.h>

#include "../kernels/kernels.h"

/* Input of plans: a device. */
typedef struct MurDevice {
    bool sharedMemory; /* it runs kernels of MUR_NEEDS_SHARED_MEMORY */
    bool software;     /* it is a CPU, on which idle workgroups take time */
    MurTuning tuning;
} MurDevice;

/* Input of plans: a table. */
typedef struct MurShape {
    const MurTypeInfo *type;
    MurTableRef ref;
    uint64_t bytes;
    uint32_t kernels; /* MUR_KERNELS_* */
} MurShape;

/* Returns the slots, with those in the header. */
static inline uint32_t mur_slots(const MurShape *shape) {
    return shape->ref.slotCount + shape->type->sentinels;
}

/* Input of plans: a pager. */
typedef struct MurPagerShape {
    MurPagerRef ref;
    uint64_t block; /* address; the pool ends at block + bytes, unless it is the store */
    uint64_t bytes;
    uint64_t chunks[MUR_PAGER_CHUNKS]; /* addresses */
    uint32_t chunkCount;
    uint32_t chunkShift;
    uint32_t framesInFlight;
    uint32_t moveGroups; /* most workgroups that move pages */
    bool resident;       /* the pool is the store */
    /* 0 without a file. The lists of a frame are at lists + listsSize * (frame % listsCount). */
    uint64_t lists;
    uint64_t listsSize;  /* bytes */
    uint32_t listsCount; /* a power of two, because frame numbers wrap */
    uint32_t maxListed;  /* capacity of each list, in pages */
} MurPagerShape;

/* Input of plans: a paged table. */
typedef struct MurPagedShape {
    MurPagedRef ref;
    uint64_t bytes; /* from the table of groups to the end of the state */
    /* The first keptBytes of these are kept in the store, in the persistentPages pages of the pager
     * that follow the pages of the reference. 0: nothing is kept. */
    uint64_t keptBytes;
    uint32_t persistentPages;
} MurPagedShape;

enum { MUR_PLAN_STEPS = 24 };

/* One dispatch. */
typedef struct MurStep {
    MurKernel kernel;
    bool barrier; /* a barrier between compute shaders precedes the dispatch */
    uint64_t groups;
    MurPush push;
} MurStep;

typedef struct MurPlan {
    const char *way;
    uint32_t tableFlags; /* select pipelines; pagers: 0 */
    uint32_t stepCount;
    uint64_t scratch; /* bytes: batches: of the fastest path; other commands: required; 0: none */
    MurStep steps[MUR_PLAN_STEPS];
} MurPlan;

/* A command and its arguments. Members that the command does not take are 0. */
typedef struct MurRequest {
    const MurDevice *device;
    const MurShape *table;  /* moves: the destination */
    const MurShape *source; /* moves only */
    const MurPagerShape *pager;
    const MurPagedShape *paged;
    union {
        MurCommand command; /* batches */
        MurKernel kernel;   /* commands of one kernel: multi-value tables, rows */
        uint32_t op;        /* MUR_PAGES_*; paged batches: MUR_MODE_*, MUR_PAGED_ERASE, _FIND */
    };
    union {
        MurInsertMode mode;
        uint32_t word; /* the content, flags or priority */
    };
    uint32_t frame;
    union {
        const void *info; /* the command's struct; NULL: none */
        const MurBatch *batch;
    };
} MurRequest;

/* Appends the steps of a command to a plan. */
typedef void MurPlanner(const MurRequest *request, MurPlan *plan);

/* steps.c. Makes a plan of a command alone. */
void mur_make_plan(const MurRequest *request, MurPlanner *planner, MurPlan *plan);

/* plan_batch.c. With maxCount 0 only a build has steps. */
MurPlanner mur_plan_batch, mur_plan_kernel, mur_plan_rows, mur_plan_multi_retrieve;
/* plan_whole.c */
MurPlanner mur_plan_clear, mur_plan_extract, mur_plan_erase_where, mur_plan_stats;
/* The same file: passes over tables in buckets. With info NULL, age retains all entries. */
MurPlanner mur_plan_begin_filter, mur_plan_end_filter, mur_plan_evict;
/* plan_rehash.c. info may be NULL, except for compact. */
MurPlanner mur_plan_rehash, mur_plan_merge, mur_plan_compact;
/* plan_group.c */
MurPlanner mur_plan_group;
/* plan_pager.c */
MurPlanner mur_plan_pages, mur_plan_clear_pager, mur_plan_update_pager, mur_plan_flush_pager;
/* plan_paged.c. A build's table becomes empty first. */
MurPlanner mur_plan_clear_paged, mur_plan_flush_paged, mur_plan_update_paged_table;
MurPlanner mur_plan_paged_batch, mur_plan_paged_build, mur_plan_paged_extract;
MurPlanner mur_plan_paged_rehash;

/* plan_rehash.c. Returns the bytes of scratch memory that murCmdCompact requires. */
uint64_t mur_compact_scratch(const MurShape *table);
/* plan_paged.c. Return bytes of scratch memory for batches of maxCount items, with this number of
 * pages of the command's own, and with the smallest number that a command takes. */
uint64_t mur_paged_scratch(const MurPagedShape *table, uint32_t maxCount, uint64_t pages);
uint64_t mur_paged_scratch_minimum(const MurPagedShape *table, uint32_t maxCount);
/* Returns the number of own pages with which a command is fastest. */
uint64_t mur_paged_own_pages(const MurPagedShape *table);

/* Rounds up to the alignment of parts of a memory, in bytes. */
static inline uint64_t mur_aligned(uint64_t size) {
    return (size + MUR_TABLE_ALIGNMENT - 1) / MUR_TABLE_ALIGNMENT * MUR_TABLE_ALIGNMENT;
}

/* Returns the tuning of engines that set none. software: the device is a CPU. */
MurTuning mur_default_tuning(bool software);

#endif
