/* Plans: what a command will record, and how much scratch memory would help. A plan is a pure
 * function of what the device can do, the tuning, the tables and the command's arguments; nothing
 * here calls Vulkan. Recording walks the plan's steps (device/record.c).
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

/* What the device offers that decides how commands go. */
typedef struct MurDevice {
    bool sharedMemory; /* MUR_NEEDS_SHARED_MEMORY */
    bool software;     /* a CPU: idle workgroups take time */
    MurTuning tuning;
} MurDevice;

/* A table, as plans see it. */
typedef struct MurShape {
    MurTableRef ref;
    uint64_t bytes;
    uint32_t uses; /* MUR_USES_* */
} MurShape;

/* A pager, as plans see it. */
typedef struct MurPagerShape {
    MurPagerRef ref;
    uint64_t block; /* address; the pool's end at most is block + bytes, if it is not the store */
    uint64_t bytes;
    uint64_t chunks[MUR_PAGER_CHUNKS]; /* addresses */
    uint32_t chunkCount;
    uint32_t chunkShift;
    uint32_t framesInFlight;
    uint32_t moveGroups; /* that move pages, at most, if that is fewer than few */
    bool resident;       /* the pool is the store */
    /* With a file; else 0. A frame's lists are at lists + listsSize * (frame % listsCount). */
    uint64_t lists;
    uint64_t listsSize;  /* bytes */
    uint32_t listsCount; /* a power of two, so that frames may wrap */
    uint32_t maxListed;  /* pages that each list holds */
} MurPagerShape;

/* A paged table, as plans see it. */
typedef struct MurPagedShape {
    MurPagedRef ref;
    uint64_t bytes; /* from the table of groups on, to the end of the state */
    /* Of these, what is kept in the store; and the pages of the pager that take it, behind those
     * that the reference knows, or none. */
    uint64_t keptBytes;
    uint32_t keptPages;
} MurPagedShape;

enum { MUR_PLAN_STEPS = 24 };

/* One dispatch. */
typedef struct MurStep {
    MurKernel kernel;
    bool barrier; /* one between compute shaders comes before it */
    uint64_t groups;
    MurPush push;
} MurStep;

typedef struct MurPlan {
    const char *way;
    uint32_t tableFlags; /* of the table whose pipelines are bound */
    uint32_t stepCount;
    uint64_t scratch; /* bytes with which the command takes its fastest way; 0: it needs none */
    MurStep steps[MUR_PLAN_STEPS];
} MurPlan;

/* A command on a batch of items. */
typedef struct MurRequest {
    const MurDevice *device;
    const MurShape *table;
    MurCommand command;
    MurInsertMode mode; /* of inserts and builds */
    const MurBatch *batch;
} MurRequest;

/* steps.c. A plan without steps, of tables with these flags; pagers: 0. */
void mur_begin_plan(uint32_t tableFlags, MurPlan *plan);

/* plan_batch.c. With maxCount 0 only a build plans anything. */
void mur_plan_batch(const MurRequest *request, MurPlan *plan);

/* plan_whole.c */
void mur_plan_clear(const MurShape *table, MurPlan *plan);
void mur_plan_extract(const MurShape *table, const MurExtract *extract, bool erases, MurPlan *plan);
void mur_plan_stats(const MurShape *table, MurArray stats, MurPlan *plan);

/* plan_buckets.c. age NULL: all entries stay. */
void mur_plan_filter(const MurShape *table, bool begins, MurPlan *plan);
void mur_plan_age(const MurShape *table, const MurAge *age, MurPlan *plan);

/* plan_rehash.c. rehash may be NULL but for compact. */
void mur_plan_rehash(const MurDevice *device, const MurShape *source, const MurShape *table,
                     const MurRehash *rehash, MurPlan *plan);
void mur_plan_merge(const MurShape *source, const MurShape *table, MurInsertMode mode,
                    const MurRehash *rehash, MurPlan *plan);
/* Bytes of scratch memory that murCmdCompact needs. */
uint64_t mur_compact_scratch(const MurShape *table);
void mur_plan_compact(const MurDevice *device, const MurShape *table, const MurRehash *rehash,
                      MurPlan *plan);

/* plan_multi.c. A kernel that does one thing for each item of a batch: MUR_KERNEL_MULTI_FIND. */
void mur_plan_kernel(const MurRequest *request, MurKernel kernel, uint32_t mode, MurPlan *plan);
void mur_plan_multi_retrieve(const MurShape *table, const MurMultiRetrieve *retrieve,
                             MurPlan *plan);

/* plan_group.c */
void mur_plan_group(const MurDevice *device, const MurShape *table, const MurGroup *group,
                    MurPlan *plan);

/* plan_rows.c */
void mur_plan_rows(const MurShape *table, MurKernel kernel, const MurRowBatch *batch,
                   MurPlan *plan);

/* plan_pager.c. Verbs are MUR_PAGES_*. */
void mur_plan_pages(const MurPagerShape *pager, const MurPages *pages, uint32_t verb,
                    uint32_t priority, uint32_t frame, MurPlan *plan);
/* These append steps to a plan that the caller begins. keep: what else a checkpoint has to write
 * into the store, before pages are held; or NULL. */
void mur_plan_clear_pager(const MurPagerShape *pager, MurPageContent content, MurPlan *plan);
void mur_plan_page(const MurPagerShape *pager, const MurPaging *paging, const MurStep *keep,
                   MurPlan *plan);
void mur_plan_flush_pager(const MurPagerShape *pager, MurFlushFlags flags, MurPlan *plan);

/* plan_paged.c */
void mur_plan_clear_paged(const MurPagedShape *table, const MurPagerShape *pager,
                          MurPageContent content, MurPlan *plan);
void mur_plan_flush_paged(const MurPagedShape *table, const MurPagerShape *pager, MurPlan *plan);
void mur_plan_page_table(const MurPagedShape *table, const MurPagerShape *pager,
                         const MurTablePaging *paging, MurPlan *plan);
/* op: MUR_MODE_*, MUR_PAGED_ERASE, MUR_BULK_FIND. builds: of a mode, into an empty table. */
void mur_plan_paged_batch(const MurPagedShape *table, const MurPagerShape *pager, uint32_t op,
                          bool builds, const MurPagedBatch *batch, MurPlan *plan);
void mur_plan_paged_extract(const MurPagedShape *table, const MurPagerShape *pager,
                            const MurPagedExtract *extract, MurPlan *plan);
void mur_plan_paged_rehash(const MurPagedShape *table, const MurPagerShape *pager,
                           const MurPagedRehash *rehash, MurPlan *plan);
/* Scratch memory for batches of so many items, with so many pages of the command's own. */
uint64_t mur_paged_scratch(const MurPagedShape *table, uint32_t maxCount, uint64_t pages);
uint64_t mur_paged_scratch_minimum(const MurPagedShape *table, uint32_t maxCount);
/* As many pages as pay. */
uint64_t mur_paged_own_pages(const MurPagedShape *table);

/* Where the next part of a memory may begin, in bytes. */
static inline uint64_t mur_aligned(uint64_t size) {
    return (size + MUR_TABLE_ALIGNMENT - 1) / MUR_TABLE_ALIGNMENT * MUR_TABLE_ALIGNMENT;
}

/* The tuning that an engine gets that gives none; software: the device is a CPU, on which only the
 * direct ways pay. */
MurTuning mur_default_tuning(bool software);

#endif
