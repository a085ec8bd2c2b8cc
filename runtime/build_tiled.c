/* murCmdBuild's paths for tables of few slices. Both sort tiles of the batch by bin first, which needs
 * nothing prepared. Tiled: slices gather their pairs, and what they push out is settled after that.
 * Windowed, for the smallest: each slice sees for itself what reaches into it, so that two dispatches
 * are all.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

enum {
    MUR_SPREAD_TILE = 4 * MUR_WORKGROUP_SIZE,
    MUR_SPREAD_LARGE_TILE = 4 * MUR_LARGE_WORKGROUP_SIZE,
    MUR_TILED_LARGE_TILE = 8 * MUR_LARGE_WORKGROUP_SIZE,
};

/* Pairs of a tile in a window that its MUR_SPREAD_LANES invocations take nearly always, hashes being
 * what they are: 14 of 32. */
#define MUR_SPREAD_MEAN 14.0

/* How a batch is cut, and who gathers it. */
typedef struct TilePlan {
    uint32_t tile; /* pairs */
    uint32_t tiles;
    uint32_t binBits;
    uint64_t bins;
    uint64_t groups; /* slices or windows */
    bool windowed;
    bool spread;
} TilePlan;

static TilePlan cut(MurTable table, uint32_t maxCount, uint32_t tile, uint32_t binBits,
                    uint32_t sliceBits) {
    return (TilePlan){
        .tile = tile,
        .tiles = (maxCount - 1) / tile + 1,
        .binBits = binBits,
        .bins = (((uint64_t)table->ref.capacity - 1) >> binBits) + 1,
        .groups = (((uint64_t)table->ref.capacity - 1) >> sliceBits) + 1,
        .windowed = sliceBits != binBits,
    };
}

/* Few tiles make a slice read from few places, many keep the GPU busy. */
static TilePlan plan_tiled(MurTable table, uint32_t maxCount) {
    const bool small = maxCount <= MUR_TILE_COUNT * (uint32_t)MUR_SPREAD_LARGE_TILE / 2;
    return cut(table, maxCount, small ? MUR_SPREAD_LARGE_TILE : MUR_TILED_LARGE_TILE,
               MUR_TILED_BITS, MUR_TILED_BITS);
}

static TilePlan plan_windowed(MurTable table, uint32_t maxCount) {
    const bool small = maxCount <= MUR_SPREAD_TILES * MUR_SPREAD_TILE &&
                       table->ref.capacity <= MUR_TILE_FEW_BINS << (MUR_SPREAD_BITS - 2);
    TilePlan spread = cut(table, maxCount, small ? MUR_SPREAD_TILE : MUR_SPREAD_LARGE_TILE,
                          MUR_SPREAD_BITS - 2, MUR_SPREAD_BITS);
    const double window = 1.25 * (1u << MUR_SPREAD_BITS);
    if (spread.tiles <= MUR_SPREAD_TILES && spread.bins <= MUR_TILE_BINS &&
        spread.tile * window <= MUR_SPREAD_MEAN * table->ref.capacity) {
        spread.spread = true;
        return spread;
    }
    return cut(table, maxCount, MUR_SPREAD_LARGE_TILE, MUR_LISTED_BITS - 2, MUR_LISTED_BITS);
}

static TilePlan plan(MurTable table, uint32_t maxCount, bool windowed) {
    return windowed ? plan_windowed(table, maxCount) : plan_tiled(table, maxCount);
}

/* No pair moves further than two slices from its home, so no probe limit is exceeded. */
static bool may_move(MurTable table) {
    const uint32_t sectors = (2u << MUR_TILED_BITS) / MUR_SECTOR_SLOTS;
    return table->ref.probeSectors > sectors ||
           table->ref.probeSectors > table->ref.slotCount / MUR_SECTOR_SLOTS;
}

bool mur_fits_tiles(MurTable table, uint32_t maxCount, bool windowed) {
    const TilePlan tiles = plan(table, maxCount, windowed);
    const uint32_t most = windowed ? MUR_LISTED_TILES : MUR_TILE_COUNT;
    return table->context->limits.subgroups && may_move(table) && tiles.bins <= MUR_TILE_BINS &&
           tiles.tiles <= most;
}

/* Where the parts of the scratch memory begin, in bytes. */
typedef struct TileScratch {
    uint64_t pairs, spills, end;
} TileScratch;

static TileScratch place_scratch(const TilePlan *tiles) {
    const uint64_t words = (MUR_TILE_BEGINS + tiles->tiles * (tiles->bins + 2) + 3) / 4 * 4;
    TileScratch scratch = {.pairs = 4 * words};
    scratch.spills = scratch.pairs + MUR_SLOT_SIZE * (uint64_t)tiles->tiles * tiles->tile;
    scratch.end = scratch.spills;
    if (!tiles->windowed) {
        scratch.end += MUR_SLOT_SIZE * tiles->bins * MUR_BUILD_SPILL;
    }
    return scratch;
}

VkDeviceSize mur_tiled_scratch(MurTable table, uint32_t maxCount, bool windowed) {
    const TilePlan tiles = plan(table, maxCount, windowed);
    return place_scratch(&tiles).end;
}

static MurKernel sort_kernel(uint32_t tile) {
    return tile == MUR_SPREAD_TILE         ? MUR_KERNEL_TILE_SORT_1024
           : tile == MUR_SPREAD_LARGE_TILE ? MUR_KERNEL_TILE_SORT_2048
                                           : MUR_KERNEL_TILE_SORT_4096;
}

static MurKernel gather_kernel(const TilePlan *tiles) {
    return !tiles->windowed ? MUR_KERNEL_TILE_GATHER
           : tiles->spread  ? MUR_KERNEL_TILE_SPREAD
                            : MUR_KERNEL_TILE_LISTED;
}

void mur_record_tiled(VkCommandBuffer cmd, MurTable table, const MurBatch *batch, bool windowed) {
    MurContext context = table->context;
    const TilePlan tiles = plan(table, batch->maxCount, windowed);
    const TileScratch scratch = place_scratch(&tiles);
    const MurTilePush push = {
        .table = table->ref,
        .keys = batch->keys.address,
        .values = batch->values.address,
        .count = batch->count,
        .scratch = batch->scratch.address,
        .maxCount = batch->maxCount,
        .tile = tiles.tile,
        .binBits = tiles.binBits,
        .pairs = (uint32_t)(scratch.pairs / 16),
        .spills = (uint32_t)(scratch.spills / 16),
    };
    mur_dispatch_groups(context, cmd, sort_kernel(tiles.tile), &push, sizeof push,
                        (uint64_t)tiles.tiles + 1);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, gather_kernel(&tiles), &push, sizeof push, tiles.groups + 1);
    if (!windowed) {
        /* Rarely does anything; but what it does in parallel then would take one workgroup long. */
        const uint64_t few = 128;
        const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
        mur_barrier(context, cmd);
        mur_dispatch_groups(context, cmd,
                            wide ? MUR_KERNEL_TILE_AGAIN_64 : MUR_KERNEL_TILE_AGAIN_32, &push,
                            sizeof push, few);
    }
}
