/* murCmdInsert of large batches that bring scratch memory: split by hash into slices of the table,
 * which workgroups then bring into shared memory, insert into and write back. No key moves.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Measured on one GPU: a batch must be this large, and this part of the capacity, to be worth
 * reading and writing the whole table. */
enum { MUR_INSERT_LEAST = 1 << 21, MUR_INSERT_LEAST_PART = 12 };

static bool is_worthwhile(MurTable table, uint32_t maxCount) {
    const MurTableRef *ref = &table->ref;
    const MurContext context = table->context;
    const uint64_t mostSlots = (uint64_t)MUR_SPLIT_BINS * MUR_SPLIT_BINS * MUR_SLICE;
    /* A probe within a slice must not pass the limit. */
    const bool possible = MUR_TABLE_FORMAT(ref->flags) == MUR_FORMAT_K32V32 &&
                          mur_can_slice(context) && maxCount && maxCount <= ref->capacity &&
                          ref->capacity <= mostSlots &&
                          (ref->probeSectors > MUR_SLICE / MUR_SECTOR_SLOTS ||
                           ref->probeSectors > ref->slotCount / MUR_SECTOR_SLOTS);
    if (context->sortPath >= MUR_SORT_ALWAYS) {
        return false;
    }
    if (!possible || context->insertPath != MUR_INSERT_AUTO) {
        return possible && context->insertPath == MUR_INSERT_SLICED;
    }
    return !context->limits.software && maxCount >= MUR_INSERT_LEAST &&
           maxCount >= ref->capacity / MUR_INSERT_LEAST_PART;
}

VkDeviceSize mur_sliced_insert_scratch(MurTable table, uint32_t maxCount) {
    return is_worthwhile(table, maxCount) ? mur_plan_bins(table, maxCount, true).scratch : 0;
}

void mur_record_sliced_insert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                              const MurBatch *batch) {
    MurContext context = table->context;
    const MurBins bins = mur_plan_bins(table, batch->maxCount, true);
    const uint32_t keep = mode == MUR_INSERT_KEEP ? MUR_SLICES_KEEP : 0;
    const MurSlicesPush push = mur_bins_push(table, batch, &bins, keep);
    const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    const struct {
        MurKernel kernel;
        uint64_t groups;
    } steps[] = {
        {MUR_KERNEL_SLICES_PREPARE, (MUR_SLICES_COUNTS + bins.slices) / MUR_WORKGROUP_SIZE + 1},
        {MUR_KERNEL_SLICES_SPLIT, bins.tiles},
        {MUR_KERNEL_SLICES_SPLIT_FINE, bins.fineTiles},
        {MUR_KERNEL_INSERT_SLICES, bins.slices},
        {wide ? MUR_KERNEL_SLICES_REST_64 : MUR_KERNEL_SLICES_REST_32,
         (uint64_t)bins.slices * MUR_REST_LANES / MUR_WORKGROUP_SIZE + 1},
    };
    mur_begin_label(context, cmd, "murCmdInsert");
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        if (steps[i].groups) {
            if (i) {
                mur_barrier(context, cmd);
            }
            mur_dispatch_groups(context, cmd, steps[i].kernel, &push, sizeof push, steps[i].groups);
        }
    }
    mur_end_label(context, cmd);
}
