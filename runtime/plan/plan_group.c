/* Plans murCmdGroup. Sort passes split the batch into bins by hash. A pair's bin is its home slot
 * in a table with one slot per bin, so bins do not depend on the real table's slots. If keys are
 * distinct, a workgroup processes a whole bin at once: its capacity is by default nine standard
 * deviations above the mean size of a bin.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

#include <murmuration/group.h>

enum { LEVEL_BITS = 9 /* MUR_SORT_BINS */ };
_Static_assert(MUR_GROUP_MAX_ASCENDING == MUR_GROUP_SORTED, "group.h states the limit");

/* Describes the split of a batch. The first split makes `first` bins (0: no split), a second one
 * divides each into 2^second bins; `bins` is the final number. Other members are byte offsets in
 * scratch memory; at `once` and `twice` are keys, then values, after one and two splits. */
typedef struct Split {
    uint32_t first, second, bins;
    uint64_t tiles, slots, once, twice, end;
    uint64_t values; /* bytes from the keys to the values */
} Split;

/* Returns whether this number of bins is sufficient. One workgroup writes all slots of a bin, so a
 * bin must have few slots. */
static bool is_dense(const MurShape *table, uint64_t bins) {
    enum { ROUNDS = 1024 };
    return table->ref.slotCount / bins < (uint64_t)ROUNDS * 2 * MUR_GROUP_ROOM;
}

/* Returns the number of 32-bit words of scratch memory that must first be zero. */
static uint64_t zeros(uint64_t bins) {
    return MUR_GROUP_LEFT + MUR_SORT_BINS + 2 * bins;
}

/* Returns the number of pairs per tile. On software devices, whose loops end early, an invocation
 * inserts at most one key of a tile, then two keys without a slot in their bin. */
static uint32_t tile_pairs(const MurDevice *device) {
    return device->software ? mur_kernels[MUR_KERNEL_GROUP_COUNT].group : MUR_GROUP_ROOM;
}

/* Bins that exceed a workgroup's capacity consist of tiles, which are full except for the last one.
 * Returns the maximum number of such tiles. */
static uint64_t most_tiles(const MurDevice *device, uint64_t count) {
    return 2 * count / tile_pairs(device);
}

static uint64_t most_keys(const MurShape *table, uint64_t count) {
    return mur_least(count, table->ref.slotCount + 1ull);
}

static Split plan_group_split(const MurDevice *device, const MurShape *table, uint64_t count) {
    const uint64_t bins = count / (device->tuning.groupBinMaxPairs + 1ull) + 1;
    uint32_t bits = 0;
    while (device->sharedMemory && bits < 2 * LEVEL_BITS && bins > 1ull << bits) {
        ++bits;
    }
    Split split = {0};
    if (bits != 0 && is_dense(table, bins)) {
        split.second = bits <= LEVEL_BITS ? 0 : bits / 2;
        const uint64_t first = mur_divide_up(bins, 1ull << split.second);
        split.first = first < MUR_SORT_BINS ? (uint32_t)first : MUR_SORT_BINS;
        split.bins = split.first << split.second;
    }
    split.values = mur_round_up_16(table->type->keySize * count);
    const uint64_t pairs = split.values + mur_round_up_16(4 * count);
    split.tiles = mur_round_up_16(4 * zeros(split.bins));
    split.slots = split.tiles + mur_round_up_16(8 * most_tiles(device, count));
    split.once = split.slots + mur_round_up_16(4 * most_keys(table, count));
    split.twice = split.once + (split.first ? pairs : 0);
    split.end = split.twice + (split.second ? pairs : 0);
    return split;
}

/* Appends the steps that split the pairs at the addresses in push. Then push has the addresses of
 * the result. at: offset of the result in scratch memory. */
static void plan_level(const MurGroup *group, const Split *split, uint64_t at, MurSortPush *push,
                       MurPlan *plan) {
    const bool first = push->coarse == 0;
    const uint64_t tile = (uint64_t)MUR_SORT_ITEMS * mur_kernels[MUR_KERNEL_SORT_MOVE].group;
    const uint64_t tiles = group->maxCount / tile + (first ? 1 : push->coarseBins);
    push->sortedKeys = group->scratch.address + at;
    push->sortedValues = push->sortedKeys + split->values;
    const MurPush level = {.sort = *push};
    mur_plan_step(plan, MUR_KERNEL_SORT_COUNT, &level,
                  first ? mur_persistent_groups(tiles) : tiles);
    mur_plan_step(plan, MUR_KERNEL_SORT_SCAN, &level, first ? 1 : push->coarseBins);
    mur_plan_step(plan, MUR_KERNEL_SORT_MOVE, &level, tiles);
    push->keys = push->sortedKeys;
    push->values = push->sortedValues;
    push->coarse = push->counters;
    push->coarseBins = split->first;
    push->counters += 4 * MUR_SORT_BINS;
    push->shift = 0;
    push->mask = (1u << split->second) - 1;
}

/* Appends the steps of all splits. Returns the addresses of the keys, values and bin counters. */
static MurSortPush plan_levels(const MurShape *table, const MurGroup *group, const Split *split,
                               MurPlan *plan) {
    MurSortPush push = {
        .table = table->ref,
        .keys = group->keys.address,
        .values = group->values.address,
        .count = group->countAddress,
        .counters = group->scratch.address + 4 * ((uint64_t)MUR_GROUP_LEFT + split->bins),
        .maxCount = group->maxCount,
        .shift = split->second,
        .mask = UINT32_MAX,
    };
    push.table.capacity = split->bins;
    if (split->first) {
        plan_level(group, split, split->once, &push, plan);
    }
    if (split->second) {
        plan_level(group, split, split->twice, &push, plan);
    }
    return push;
}

/* Appends the first steps, which clear the table. If the batch is split into bins, they clear only
 * the header, because later steps write all slots. */
static void plan_start(const MurShape *table, const Split *split, const MurPush *push,
                       MurPlan *plan) {
    if (split->bins) {
        const MurPush header = {.table = table->ref};
        mur_plan_step(plan, MUR_KERNEL_CLEAR, &header, 1);
    } else {
        mur_plan_clear_steps(table, plan);
    }
    mur_plan_step_concurrent(plan, MUR_KERNEL_GROUP_PREPARE, push,
                             mur_groups(MUR_KERNEL_GROUP_PREPARE, zeros(split->bins)));
}

void mur_plan_group(const MurRequest *request, MurPlan *plan) {
    const MurDevice *device = request->device;
    const MurShape *table = request->table;
    const MurGroup *group = request->info;
    const Split split = plan_group_split(device, table, group->maxCount);
    const VkDeviceAddress scratch = group->scratch.address;
    const uint64_t words = group->groups.size / 4;
    const uint64_t slots = split.bins ? ((uint64_t)table->ref.capacity << 32) / split.bins : 0;
    MurPush push = {.group = {
                        .table = table->ref,
                        .count = group->countAddress,
                        .scratch = scratch,
                        .tiles = split.bins ? scratch + split.tiles : 0,
                        .slots = scratch + split.slots,
                        .groups = group->groups.address,
                        .maxCount = group->maxCount,
                        .maxWords = words < UINT32_MAX ? (uint32_t)words : UINT32_MAX,
                        .bins = split.bins,
                        .slotsLow = (uint32_t)slots,
                        .slotsHigh = (uint32_t)(slots >> 32),
                        .tile = tile_pairs(device),
                    }};
    plan->scratch = split.end;
    plan_start(table, &split, &push, plan);
    if (group->maxCount == 0) {
        return;
    }
    const MurSortPush sorted = plan_levels(table, group, &split, plan);
    push.group.keys = sorted.keys;
    push.group.values = sorted.values;
    push.group.counters = sorted.coarse;
    const uint64_t tiles = split.bins ? most_tiles(device, group->maxCount)
                                      : mur_divide_up(group->maxCount, tile_pairs(device));
    /* Probes per invocation and tile. Software devices do fewer, and get a workgroup per tile. */
    const uint32_t each = MUR_GROUP_ROOM / mur_kernels[MUR_KERNEL_GROUP_COUNT].group;
    const uint64_t lanes = (uint64_t)split.bins *
                           (device->software ? MUR_GROUP_ROOM / 2 : MUR_GROUP_LANES);
    const uint64_t left = mur_groups(MUR_KERNEL_GROUP_COUNT, lanes);
    const bool ascending = (group->flags & MUR_GROUP_ASCENDING) != 0;
    mur_plan_step(plan, ascending ? MUR_KERNEL_GROUP_SORT_BINS : MUR_KERNEL_GROUP_BINS, &push,
                  split.bins);
    mur_plan_step(plan, MUR_KERNEL_GROUP_COUNT, &push,
                  mur_spread(device, tiles < left ? left : tiles, each));
    mur_plan_step(plan, MUR_KERNEL_GROUP_OFFSETS, &push, mur_persistent_groups(tiles));
    mur_plan_step(plan, MUR_KERNEL_GROUP_PLACE, &push, mur_spread(device, tiles, each));
    if (ascending) {
        const uint64_t keys = most_keys(table, group->maxCount);
        const uint64_t chunks = mur_divide_up(keys, MUR_GROUP_CHUNK);
        mur_plan_step(plan, MUR_KERNEL_GROUP_ASCEND, &push, mur_spread(device, chunks, each));
    }
}
