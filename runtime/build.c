/* murCmdBuild: the direct path (clear and insert), or one of two that
 * split the batch by hash into bins, one for each slice of the table, and build each slice
 * in shared memory.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Measured on one GPU: below this many pairs inserting directly is faster; in tables that become so full
 * that probes are long, below the second. */
enum { MUR_BUILD_LEAST = 1 << 20, MUR_BUILD_LEAST_FULL = 1 << 13 };

/* Loads up to which a path is taken. Beyond the first, pairs move too far within their slices; beyond
 * the last, more pairs could come into some slice from the one before than the exact path takes. */
#define MUR_BUILD_SLICED_LOAD 0.78
#define MUR_BUILD_FULL_LOAD   0.85
#define MUR_BUILD_EXACT_LOAD  0.965

typedef struct BuildPlan {
    MurBuildPath path;
    MurBins bins;
    VkDeviceSize scratch; /* bytes; 0: the direct path */
} BuildPlan;

bool mur_can_slice(MurContext context) {
    return context->limits.maxGroupSize >= MUR_LARGE_WORKGROUP_SIZE &&
           context->limits.sharedMemory >= MUR_SHARED_MEMORY;
}

/* The path for this many pairs. */
static MurBuildPath choose_path(MurTable table, uint32_t maxCount) {
    MurContext context = table->context;
    const MurTableRef *ref = &table->ref;
    const uint64_t mostSlots = (uint64_t)MUR_SPLIT_BINS * MUR_SPLIT_BINS * MUR_SLICE;
    /* No pair moves further than two slices from its home, so no probe limit is exceeded. */
    bool possible = mur_table_format(table) == MUR_FORMAT_K32V32 && mur_can_slice(context) &&
                    maxCount && maxCount <= ref->capacity && ref->capacity <= mostSlots &&
                    (ref->probeSectors > 2 * MUR_SLICE / MUR_SECTOR_SLOTS ||
                     ref->probeSectors > ref->slotCount / MUR_SECTOR_SLOTS);
    if (!possible) {
        return MUR_BUILD_DIRECT;
    }
    if (context->buildPath != MUR_BUILD_AUTO) {
        return context->buildPath;
    }
    const double load = (double)maxCount / ref->capacity;
    const bool full = load >= MUR_BUILD_FULL_LOAD && !context->limits.software;
    return maxCount < (uint32_t)(full ? MUR_BUILD_LEAST_FULL : MUR_BUILD_LEAST) ? MUR_BUILD_DIRECT
           : load <= MUR_BUILD_SLICED_LOAD                                                    ? MUR_BUILD_SLICED
           : load <= MUR_BUILD_EXACT_LOAD                                       ? MUR_BUILD_EXACT
                                                                                : MUR_BUILD_DIRECT;
}

static BuildPlan plan_build(MurTable table, uint32_t maxCount) {
    BuildPlan plan = {.path = choose_path(table, maxCount)};
    if (plan.path == MUR_BUILD_DIRECT) {
        return plan;
    }
    plan.bins = mur_plan_bins(table, maxCount, false);
    plan.scratch = plan.bins.scratch;
    return plan;
}

VkDeviceSize murGetScratchSize(MurTable table, MurCommand command, uint32_t maxCount) {
    if (!table) {
        return 0;
    }
    switch (command) {
    case MUR_COMMAND_BUILD: {
        /* What is not built in shared memory is inserted. */
        const VkDeviceSize scratch = plan_build(table, maxCount).scratch;
        return scratch ? scratch : mur_sort_scratch(table, maxCount, MUR_COMMAND_INSERT);
    }
    case MUR_COMMAND_INSERT:
        return mur_insert_scratch(table, maxCount);
    case MUR_COMMAND_FIND:
    case MUR_COMMAND_ERASE:
    case MUR_COMMAND_MULTI_INSERT:
        return mur_sort_scratch(table, maxCount, command);
    }
    return 0;
}

/* Workgroups of kernels that mostly have nothing to do. */
static uint64_t few(uint64_t groups) {
    return groups < 1024 ? groups : 1024;
}

static void record_sliced(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                          const MurBatch *batch, const BuildPlan *plan) {
    MurContext context = table->context;
    const uint32_t keep = mode == MUR_INSERT_KEEP ? MUR_SLICES_KEEP : 0;
    const MurSlicesPush push = mur_bins_push(table, batch, &plan->bins, MUR_SLICES_BUILD | keep);
    const uint32_t slices = plan->bins.slices;
    const bool exact = plan->path == MUR_BUILD_EXACT;
    const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    const struct {
        MurKernel kernel;
        uint64_t groups;
    } steps[] = {
        {MUR_KERNEL_SLICES_SPLIT, plan->bins.tiles},
        {MUR_KERNEL_SLICES_SPLIT_FINE, plan->bins.fineTiles},
        {MUR_KERNEL_BUILD_SLICES, exact ? 0 : slices},
        {MUR_KERNEL_BUILD_SETTLE, exact ? 0 : slices / MUR_WORKGROUP_SIZE + 1},
        {MUR_KERNEL_BUILD_CARRY, exact ? slices : 0},
        {MUR_KERNEL_BUILD_SCAN, exact ? slices / MUR_WORKGROUP_SIZE + 1 : 0},
        {MUR_KERNEL_BUILD_EXACT, exact ? slices : 0},
        {wide ? MUR_KERNEL_SLICES_REST_64 : MUR_KERNEL_SLICES_REST_32,
         few(table->ref.slotCount / MUR_WORKGROUP_SIZE + 1)},
    };
    mur_dispatch(context, cmd, MUR_KERNEL_SLICES_PREPARE, &push, sizeof push,
                 MUR_HEADER_SIZE / 16 + MUR_SLICES_COUNTS + (uint64_t)slices +
                     table->ref.slotCount - table->ref.capacity);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        if (steps[i].groups) {
            mur_barrier(context, cmd);
            mur_dispatch_groups(context, cmd, steps[i].kernel, &push, sizeof push, steps[i].groups);
        }
    }
}

VkResult murCmdBuild(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                     const MurBatch *pBatch) {
    const char *command = "murCmdBuild";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = mur_check_insert(table, command, mode, pBatch);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    MurContext context = table->context;
    mur_begin_label(context, cmd, command);
    BuildPlan plan = plan_build(table, pBatch->maxCount);
    if (!mur_lets_partition(pBatch, mode, plan.scratch)) {
        plan.path = MUR_BUILD_DIRECT;
    }
    if (plan.path != MUR_BUILD_DIRECT) {
        record_sliced(cmd, table, mode, pBatch, &plan);
    } else {
        result = murCmdClear(cmd, table);
        if (pBatch->maxCount) {
            mur_barrier(context, cmd);
            mur_record_insert(cmd, table, mode, pBatch);
        }
    }
    mur_end_label(context, cmd);
    return result;
}
