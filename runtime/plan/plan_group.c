/* Groups. The batch is split by hash, independently of the table's slots, by what sorts batches: by
 * home slots of a table of 2^31 slots, of which each bin covers as many. Bins are as large as a
 * workgroup takes at once, if keys are distinct: by default nine standard deviations smaller.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

#include "../host/size.h"

enum { HOME_BITS = 31, LEVEL_BITS = 9 /* MUR_SORT_BINS */ };

/* How a batch is split: into 2^first bins, and each of these into 2^second; and where things lie in
 * scratch memory, in bytes. once, twice: keys, then values, after so many splits. */
typedef struct Split {
    uint32_t first, second;
    uint64_t tiles, slots, once, twice, end;
    uint64_t values; /* behind keys */
} Split;

static uint64_t align(uint64_t bytes) {
    return mur_divide_up(bytes, 16) * 16;
}

/* Of bins with more than one tile all but the last tile are full. */
static uint64_t most_tiles(uint64_t count) {
    return 2 * count / MUR_GROUP_ROOM;
}

static uint64_t most_keys(const MurShape *table, uint64_t count) {
    const uint64_t slots = table->ref.slotCount + 1ull;
    return count < slots ? count : slots;
}

static Split plan_split(const MurDevice *device, const MurShape *table, uint64_t count) {
    uint32_t bits = 0;
    while (device->sharedMemory && bits < 2 * LEVEL_BITS &&
           count >> bits > device->tuning.groupBinPairs) {
        ++bits;
    }
    const uint32_t first = bits <= LEVEL_BITS ? bits : (bits + 1) / 2;
    Split split = {.first = first, .second = bits - first};
    split.values = align(mur_key_size(mur_shape_format(table)) * count);
    const uint64_t pairs = split.values + align(4 * count);
    split.tiles = align(4 * (MUR_GROUP_COUNTERS + MUR_SORT_BINS + (1ull << bits)));
    split.slots = split.tiles + align(8 * most_tiles(count));
    split.once = split.slots + align(4 * most_keys(table, count));
    split.twice = split.once + (split.first ? pairs : 0);
    split.end = split.twice + (split.second ? pairs : 0);
    return split;
}

/* Splits what push says, and what is split already if that is not the batch; push then says what
 * has become of it. at: where the pairs go. */
static void plan_level(const MurGroup *group, const Split *split, uint64_t at, MurSortPush *push,
                       MurPlan *plan) {
    const bool first = push->coarse == 0;
    const uint64_t tile = (uint64_t)MUR_SORT_ITEMS * mur_kernels[MUR_KERNEL_SORT_MOVE].group;
    const uint64_t tiles = group->maxCount / tile + (first ? 1 : push->coarseBins);
    push->sortedKeys = group->scratch.address + at;
    push->sortedValues = push->sortedKeys + split->values;
    const MurPush level = {.sort = *push};
    mur_plan_step(plan, MUR_KERNEL_SORT_COUNT, &level, first ? mur_few(tiles) : tiles);
    mur_plan_step(plan, MUR_KERNEL_SORT_SCAN, &level, first ? 1 : push->coarseBins);
    mur_plan_step(plan, MUR_KERNEL_SORT_MOVE, &level, tiles);
    push->keys = push->sortedKeys;
    push->values = push->sortedValues;
    push->coarse = push->counters;
    push->coarseBins = 1u << split->first;
    push->counters += 4 * MUR_SORT_BINS;
    push->shift -= split->second;
    push->mask = (1u << split->second) - 1;
}

/* Returns where keys, values and the counters of the bins are afterwards. */
static MurSortPush plan_levels(const MurShape *table, const MurGroup *group, const Split *split,
                               MurPlan *plan) {
    MurSortPush push = {
        .table = table->ref,
        .keys = group->keys.address,
        .values = group->values.address,
        .count = group->countAddress,
        .counters = group->scratch.address + 4 * MUR_GROUP_COUNTERS,
        .maxCount = group->maxCount,
        .shift = HOME_BITS - split->first,
        .mask = UINT32_MAX,
    };
    push.table.capacity = 1u << HOME_BITS;
    if (split->first) {
        plan_level(group, split, split->once, &push, plan);
    }
    if (split->second) {
        plan_level(group, split, split->twice, &push, plan);
    }
    return push;
}

void mur_plan_group(const MurDevice *device, const MurShape *table, const MurGroup *group,
                    MurPlan *plan) {
    const Split split = plan_split(device, table, group->maxCount);
    const VkDeviceAddress scratch = group->scratch.address;
    const uint64_t words = group->groups.size / 4;
    MurPush push = {.group = {
                        .table = table->ref,
                        .count = group->countAddress,
                        .scratch = scratch,
                        .tiles = scratch + split.tiles,
                        .slots = scratch + split.slots,
                        .groups = group->groups.address,
                        .maxCount = group->maxCount,
                        .maxWords = words < UINT32_MAX ? (uint32_t)words : UINT32_MAX,
                        .bins = 1u << (split.first + split.second),
                    }};
    mur_begin_plan(table, plan);
    plan->scratch = split.end;
    mur_plan_clear_steps(table, plan);
    const uint64_t zeros = MUR_GROUP_COUNTERS + MUR_SORT_BINS + push.group.bins;
    mur_plan_beside(plan, MUR_KERNEL_GROUP_PREPARE, &push,
                    mur_groups(MUR_KERNEL_GROUP_PREPARE, zeros));
    if (group->maxCount == 0) {
        return;
    }
    const MurSortPush sorted = plan_levels(table, group, &split, plan);
    push.group.keys = sorted.keys;
    push.group.values = sorted.values;
    push.group.counters = sorted.coarse;
    const uint64_t tiles = mur_few(most_tiles(group->maxCount));
    mur_plan_step(plan, MUR_KERNEL_GROUP_BINS, &push, push.group.bins);
    mur_plan_step(plan, MUR_KERNEL_GROUP_COUNT, &push, tiles);
    mur_plan_step(plan, MUR_KERNEL_GROUP_OFFSETS, &push, tiles);
    mur_plan_step(plan, MUR_KERNEL_GROUP_PLACE, &push, tiles);
}
