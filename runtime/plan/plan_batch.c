/* Commands on a batch of items, and the paths of each command. The fastest path is first.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

/* Returns the insert mode and two flags for the kernel. MUR_MODE_HOME_FIRST: the kernel claims the
 * home slot without reading it first. This is faster if the table fits into the cache.
 * MUR_MODE_COMBINES: the kernel merges items with the same key before it inserts them, because such
 * items would wait for each other at their slot. Assigns are merged only if the table is larger
 * than the cache: cache misses then hide the time of merging. A batch with oldValues is never
 * merged, because every item has its own old value. */
static uint32_t insert_mode(const MurRequest *request) {
    const MurTuning *tuning = &request->device->tuning;
    const bool cached = (double)request->table->bytes <=
                        tuning->homeFirstMaxCacheRatio * (double)tuning->cacheBytes;
    const MurTypeInfo *type = request->table->type;
    const bool narrow = type->keySize == 4 && type->valueSize == 4;
    /* Kernels can merge assigns and updates only for 32-bit values; sets have no values. */
    const bool replaces = type->valueSize == 4;
    const bool combines = request->batch->oldValues.address  ? false
                          : request->mode == MUR_MODE_ASSIGN ? replaces && !cached
                          : request->mode == MUR_MODE_UPDATE ? replaces
                                                             : request->mode != MUR_MODE_INSERT;
    return request->mode | (cached && narrow ? MUR_MODE_HOME_FIRST : 0) |
           (combines ? MUR_MODE_COMBINES : 0);
}

static void plan_items(const MurRequest *request, const MurBatch *batch, MurPlan *plan) {
    static const MurKernel kernels[] = {[MUR_COMMAND_INSERT] = MUR_KERNEL_INSERT,
                                        [MUR_COMMAND_BUILD] = MUR_KERNEL_INSERT,
                                        [MUR_COMMAND_FIND] = MUR_KERNEL_FIND,
                                        [MUR_COMMAND_ERASE] = MUR_KERNEL_ERASE};
    const MurKernel kernel = kernels[request->command];
    const bool frees = kernel == MUR_KERNEL_ERASE && batch->flags & MUR_BATCH_EXCLUSIVE;
    const uint32_t mode = kernel == MUR_KERNEL_INSERT ? insert_mode(request)
                          : frees                     ? MUR_ERASE_FREES
                                                      : 0;
    const MurPush push = mur_batch_push(request, batch, mode);
    mur_plan_items(plan, kernel, &push, batch->maxCount);
}

static uint64_t no_scratch(const MurRequest *request) {
    (void)request;
    return 0;
}

static void plan_clear_for_build(const MurRequest *request, MurPlan *plan) {
    if (request->command == MUR_COMMAND_BUILD) {
        mur_plan_clear_steps(request->table, plan);
    }
}

static void plan_direct(const MurRequest *request, MurPlan *plan) {
    plan_clear_for_build(request, plan);
    plan_items(request, request->batch, plan);
}

static void plan_sorted(const MurRequest *request, MurPlan *plan) {
    MurBatch sorted;
    plan_clear_for_build(request, plan);
    mur_plan_sort(request, &sorted, plan);
    plan_items(request, &sorted, plan);
    mur_plan_unsort(request, &sorted, plan);
}

enum { INSERTS = 1 << MUR_COMMAND_INSERT, BUILDS = 1 << MUR_COMMAND_BUILD, ALL_BATCHES = 15 };
static const MurPath batch_paths[] = {
    {"slices", INSERTS, mur_insert_slices_scratch, mur_plan_insert_slices},
    {"slices", BUILDS, mur_build_slices_scratch, mur_plan_build_slices},
    {"exact", BUILDS, mur_build_exact_scratch, mur_plan_build_exact},
    {"sorted", ALL_BATCHES, mur_sort_scratch, plan_sorted},
    {"direct", ALL_BATCHES, no_scratch, plan_direct},
};

static bool has_scratch(const MurBatch *batch, uint64_t scratch) {
    return scratch == 0 || (batch->scratch.address != 0 && batch->scratch.size >= scratch);
}

void mur_plan_batch(const MurRequest *request, MurPlan *plan) {
    bool fastest = true;
    for (const MurPath *path = batch_paths;; ++path) {
        const bool open = path->commands >> request->command & 1 &&
                          (mur_can(request->table->type, MUR_TYPE_ORDERED) ||
                           path->scratch == no_scratch);
        const uint64_t scratch = open ? path->scratch(request) : MUR_NOT_APPLICABLE;
        if (scratch == MUR_NOT_APPLICABLE) {
            continue;
        }
        plan->scratch = fastest ? scratch : plan->scratch;
        fastest = false;
        if (has_scratch(request->batch, scratch)) {
            plan->path = path->name;
            path->plan(request, plan);
            return;
        }
    }
}

void mur_plan_kernel(const MurRequest *request, MurPlan *plan) {
    const MurPush push = mur_batch_push(request, request->batch, 0);
    mur_plan_items(plan, request->kernel, &push, request->batch->maxCount);
}
