/* Splitting a batch by hash into bins, one for each slice of the table, which workgroups then build or
 * insert in shared memory: how many bins, how large, where. murCmdBuild and murCmdInsert.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* A bin's room: its mean share and eight standard deviations: random keys never exceed it. */
static uint64_t room(uint64_t mean) {
    uint64_t root = 0;
    for (uint64_t bit = 1u << 16; bit; bit /= 2) {
        root += (root + bit) * (root + bit) <= mean ? bit : 0;
    }
    return (mean + 8 * (root + 1) + 63) / 32 * 32; /* whole cache lines */
}

static uint64_t divide_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Pairs of a step's workgroup. */
enum { TILE = MUR_SPLIT_ITEMS * MUR_LARGE_WORKGROUP_SIZE };

_Static_assert(4 * (MUR_SPLIT_BINS + TILE) <= MUR_SHARED_MEMORY,
               "a tile's words and the bins' counters");

MurBins mur_plan_bins(MurTable table, uint32_t maxCount, bool apart) {
    const uint64_t capacity = table->ref.capacity;
    MurBins bins = {.slices = (uint32_t)divide_up(capacity, MUR_SLICE)};
    uint32_t bits = 0;
    while ((bins.slices - 1) >> bits != 0) {
        ++bits;
    }
    /* One step if its bins suffice, else two of about as many bins each. */
    bins.fineBits = bins.slices <= MUR_SPLIT_BINS ? 0 : (bits + 1) / 2;
    const uint32_t coarseBins = ((bins.slices - 1) >> bins.fineBits) + 1;
    const uint64_t slice = least(capacity, MUR_SLICE);
    const uint64_t coarse = least(capacity, (uint64_t)MUR_SLICE << bins.fineBits);
    bins.sliceRoom = (uint32_t)least(room(divide_up(maxCount * slice, capacity)), MUR_SLICE_ROOM);
    bins.coarseRoom = (uint32_t)room(divide_up(maxCount * coarse, capacity));
    bins.tiles = divide_up(maxCount, TILE);
    if (bins.fineBits) {
        bins.fineTiles = coarseBins * divide_up(bins.coarseRoom, TILE);
    }
    const uint64_t words = (MUR_SLICES_COUNTS + 4ull * bins.slices + 3) / 4 * 4;
    uint64_t pairs = (uint64_t)bins.slices * bins.sliceRoom;
    const uint64_t coarsePairs = (uint64_t)coarseBins * bins.coarseRoom;
    if (bins.fineBits && (apart || coarsePairs > capacity)) {
        pairs += coarsePairs; /* else they lie in the table's slots */
    }
    bins.scratch = 4 * words + MUR_SLOT_SIZE * pairs;
    return bins;
}

MurSlicesPush mur_bins_push(MurTable table, const MurBatch *batch, const MurBins *bins,
                           uint32_t flags) {
    return (MurSlicesPush){
        .table = table->ref,
        .keys = batch->keys.address,
        .values = batch->values.address,
        .count = batch->count,
        .scratch = batch->scratch.address,
        .maxCount = batch->maxCount,
        .flags = flags,
        .fineBits = bins->fineBits,
        .coarseRoom = bins->coarseRoom,
        .sliceRoom = bins->sliceRoom,
    };
}

bool mur_lets_partition(const MurBatch *batch, MurInsertMode mode, VkDeviceSize scratch) {
    return scratch && batch->scratch.address && batch->scratch.size >= scratch &&
           (mode == MUR_INSERT_ASSIGN || mode == MUR_INSERT_KEEP) && !batch->statuses.address &&
           !batch->slots.address;
}
