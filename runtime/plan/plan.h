/* Plans: the dispatches of a command, and the scratch memory with which it is fastest. A plan is a
 * pure function of the device's limits, the tuning, the objects and the command's arguments. No
 * planner calls Vulkan; objects/record.c records a plan.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_H
#define MUR_PLAN_H

#include <murmuration/murmuration.h>
#include <murmuration/tuning.h>

#include "../kernels/kernels.h"

/* The properties of a device that plans depend on. */
typedef struct MurDevice {
    bool sharedMemory; /* supports kernels with MUR_NEEDS_SHARED_MEMORY */
    bool software;     /* is a CPU, on which idle workgroups take time */
    MurTuning tuning;
} MurDevice;

enum { MUR_PLAN_STEPS = 24 };

/* A step is one dispatch. */
typedef struct MurStep {
    MurKernel kernel;
    bool barrier; /* a barrier between compute shaders precedes the dispatch */
    uint64_t groups;
    MurPush push;
} MurStep;

typedef struct MurPlan {
    const char *path;
    uint32_t tableFlags; /* flags of the table, which select pipelines */
    uint32_t stepCount;
    uint64_t scratch; /* bytes; batches: for the fastest path; other commands: required */
    MurStep steps[MUR_PLAN_STEPS];
} MurPlan;

/* A command and its arguments. Members that the command does not use are 0. */
typedef struct MurRequest {
    const MurDevice *device;
    const MurShape *table;  /* the table; the destination of a move */
    const MurShape *source; /* the source of a move */
    /* Commands of the folder paging: */
    const struct MurPagerShape *pager;
    const struct MurPagedShape *paged;
    uint32_t tableFlags; /* flags of the tables in pages, if table is NULL */
    union {
        MurCommand command; /* batches */
        MurKernel kernel;   /* commands of one kernel */
        uint32_t op;        /* command or kernel; other commands: see their planner */
    };
    union {
        MurInsertMode mode;
        uint32_t word; /* the mode, or the content, flags or priority */
    };
    uint32_t frame;
    union {
        const void *info; /* the command's struct, or NULL */
        const MurBatch *batch;
    };
} MurRequest;

/* Appends the steps of a command to a plan. */
typedef void MurPlanner(const MurRequest *request, MurPlan *plan);

/* steps.c. Makes an empty plan. The planner then appends the steps of the request's command. */
void mur_make_plan(const MurRequest *request, MurPlanner *planner, MurPlan *plan);

/* plan_batch.c. If a batch's maxCount is 0, only a build has steps: it clears the table.
 * mur_plan_kernel: one dispatch of MurRequest.kernel, with an invocation per item of a batch. */
MurPlanner mur_plan_batch, mur_plan_kernel;
/* plan_whole.c. MurRequest.op of an extraction is 1 if it erases the entries. */
MurPlanner mur_plan_clear, mur_plan_extract, mur_plan_stats;
/* MurRequest.op of mur_plan_filter: 1 before an eviction pass, 0 after it. mur_plan_evict without
 * info evicts no entry. */
MurPlanner mur_plan_filter, mur_plan_evict;
/* Commands of single table types: on value groups, on many values per key, on compared keys. */
MurPlanner mur_plan_group, mur_plan_retrieve, mur_plan_compared;
/* plan_rehash.c. MurRequest.info may be NULL, except for a compaction. */
MurPlanner mur_plan_rehash, mur_plan_merge, mur_plan_compact;
/* plan_rehash.c. Returns the bytes of scratch memory that murCmdCompact requires. */
uint64_t mur_compact_scratch(const MurShape *table);
/* Returns a size in bytes, rounded up to the alignment of the parts of a memory block. */
static inline uint64_t mur_aligned(uint64_t size) {
    return (size + MUR_TABLE_ALIGNMENT - 1) / MUR_TABLE_ALIGNMENT * MUR_TABLE_ALIGNMENT;
}

/* Returns the tuning for engines that set none. software: the device is a CPU. */
MurTuning mur_default_tuning(bool software);

#endif
