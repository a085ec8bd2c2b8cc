/* murCmdBuild's path for tables of few slices: three dispatches, none of which prepares or finishes
 * anything for another.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* A tile's pairs per invocation of the kernel that sorts it: few tiles make a gathering slice read
 * from few places, many keep the GPU busy. */
static uint32_t tile_items(uint32_t maxCount) {
    const uint64_t most = (uint64_t)MUR_TILE_COUNT / 2 * MUR_LARGE_WORKGROUP_SIZE;
    return maxCount <= most ? 1 : maxCount <= 4 * most ? 4 : 8;
}

/* Many small slices keep the GPU busy; where there are enough, larger ones have less to look up. */
static uint32_t slice_bits(MurTable table) {
    return table->ref.capacity <= 1u << 20 ? 10 : 11;
}

static uint64_t slice_count(MurTable table) {
    return (((uint64_t)table->ref.capacity - 1) >> slice_bits(table)) + 1;
}

static uint32_t tile_count(uint32_t maxCount) {
    const uint32_t tile = tile_items(maxCount) * MUR_LARGE_WORKGROUP_SIZE;
    return (maxCount - 1) / tile + 1;
}

bool mur_fits_tiles(MurTable table, uint32_t maxCount) {
    /* No pair moves further than two slices from its home, so no probe limit is exceeded. */
    const uint32_t sectors = (2u << slice_bits(table)) / MUR_SECTOR_SLOTS;
    return slice_count(table) <= MUR_TILE_SLICES && tile_count(maxCount) <= MUR_TILE_COUNT &&
           (table->ref.probeSectors > sectors ||
            table->ref.probeSectors > table->ref.slotCount / MUR_SECTOR_SLOTS);
}

VkDeviceSize mur_tiled_scratch(MurTable table, uint32_t maxCount) {
    uint64_t tiles = tile_count(maxCount);
    uint64_t words = (MUR_TILE_BEGINS + tiles * (slice_count(table) + 2) + 3) / 4 * 4;
    return 4 * words + MUR_SLOT_SIZE * slice_count(table) * MUR_BUILD_SPILL +
           MUR_SLOT_SIZE * tiles * tile_items(maxCount) * (uint64_t)MUR_LARGE_WORKGROUP_SIZE;
}

void mur_record_tiled(VkCommandBuffer cmd, MurTable table, const MurBatch *batch) {
    MurContext context = table->context;
    const uint32_t items = tile_items(batch->maxCount);
    const uint32_t tiles = tile_count(batch->maxCount);
    const MurTilePush push = {
        .table = table->ref,
        .keys = batch->keys.address,
        .values = batch->values.address,
        .count = batch->count,
        .scratch = batch->scratch.address,
        .maxCount = batch->maxCount,
        .tile = items * MUR_LARGE_WORKGROUP_SIZE,
        .sliceBits = slice_bits(table),
    };
    /* The last step mostly has one item a slice, and little to do; rarely, the whole batch. */
    const uint64_t few = 128;
    const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    mur_dispatch_groups(context, cmd,
                        items == 1   ? MUR_KERNEL_TILE_SORT_1
                        : items == 4 ? MUR_KERNEL_TILE_SORT_4
                                     : MUR_KERNEL_TILE_SORT_8,
                        &push, sizeof push, tiles);
    mur_barrier(context, cmd);
    mur_dispatch_groups(
        context, cmd, push.sliceBits == 10 ? MUR_KERNEL_TILE_GATHER_10 : MUR_KERNEL_TILE_GATHER_11,
        &push, sizeof push, slice_count(table));
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, wide ? MUR_KERNEL_TILE_SETTLE_64 : MUR_KERNEL_TILE_SETTLE_32,
                        &push, sizeof push, few);
}
