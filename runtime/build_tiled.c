/* murCmdBuild's path for tables of few slices: three dispatches, none of which prepares or finishes
 * anything for another.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* A tile's pairs per invocation of the kernel that sorts it: the fewest with which no slice has to
 * gather from more tiles than its workgroup has invocations. */
static uint32_t tile_items(uint32_t maxCount) {
    const uint64_t most = (uint64_t)MUR_WORKGROUP_SIZE * MUR_LARGE_WORKGROUP_SIZE;
    return maxCount <= most ? 1 : maxCount <= 4 * most ? 4 : 8;
}

static uint64_t slice_count(MurTable table) {
    return ((uint64_t)table->ref.capacity + MUR_BUILD_SLICE - 1) / MUR_BUILD_SLICE;
}

static uint32_t tile_count(uint32_t maxCount) {
    const uint32_t tile = tile_items(maxCount) * MUR_LARGE_WORKGROUP_SIZE;
    return (maxCount - 1) / tile + 1;
}

bool mur_fits_tiles(MurTable table) {
    return slice_count(table) <= MUR_TILE_SLICES;
}

VkDeviceSize mur_tiled_scratch(MurTable table, uint32_t maxCount) {
    uint64_t tiles = tile_count(maxCount);
    uint64_t words = (MUR_TILE_BEGINS + tiles * (slice_count(table) + 2) + 3) / 4 * 4;
    return 4 * words +
           MUR_SLOT_SIZE * tiles * tile_items(maxCount) * (uint64_t)MUR_LARGE_WORKGROUP_SIZE;
}

void mur_record_tiled(VkCommandBuffer cmd, MurTable table, const MurBatch *batch) {
    MurContext context = table->context;
    const uint32_t items = tile_items(batch->maxCount);
    const uint32_t tiles = tile_count(batch->maxCount);
    uint32_t laneBits = 0;
    while (tiles << laneBits < MUR_WORKGROUP_SIZE && laneBits < 6) {
        ++laneBits;
    }
    const MurTilePush push = {
        .table = table->ref,
        .keys = batch->keys.address,
        .values = batch->values.address,
        .count = batch->count,
        .scratch = batch->scratch.address,
        .maxCount = batch->maxCount,
        .tile = items * MUR_LARGE_WORKGROUP_SIZE,
        .laneBits = laneBits,
    };
    /* Of the last step, which mostly has nothing to do. */
    const uint64_t groups = ((uint64_t)batch->maxCount + MUR_WORKGROUP_SIZE - 1) /
                            MUR_WORKGROUP_SIZE;
    const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    mur_dispatch_groups(context, cmd,
                        items == 1   ? MUR_KERNEL_TILE_SORT_1
                        : items == 4 ? MUR_KERNEL_TILE_SORT_4
                                     : MUR_KERNEL_TILE_SORT_8,
                        &push, sizeof push, tiles);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, MUR_KERNEL_TILE_GATHER, &push, sizeof push,
                        slice_count(table));
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, wide ? MUR_KERNEL_TILE_MEND_64 : MUR_KERNEL_TILE_MEND_32,
                        &push, sizeof push, groups < 128 ? groups : 128);
}
