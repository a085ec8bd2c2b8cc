/* Sorts a batch into bins, ranges of home slots, by a counting sort, before it is processed. In
 * tables far larger than the cache, each item in random order reads memory that no other item uses.
 * Neighbouring items of a sorted batch access the same memory, which is read and written once.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

static bool writes_values(const MurRequest *request) {
    return request->command == MUR_COMMAND_FIND || request->command == MUR_COMMAND_ERASE;
}

static bool has_results(const MurRequest *request) {
    const MurBatch *batch = request->batch;
    return mur_wants_results(batch) || (batch->values.address && writes_values(request));
}

/* Returns whether an array of statuses is needed: MurBatch.statusBits is computed from it, too. */
static bool wants_statuses(const MurBatch *batch) {
    return batch->statuses.address || batch->statusBits.address;
}

/* Offsets of arrays in scratch memory, in bytes. The counters are first; then come arrays that
 * every batch needs, then those for batches with results. */
typedef struct Layout {
    uint64_t keys, values, places, statuses, slots, oldValues, end;
} Layout;

static Layout layout(const MurRequest *request) {
    const MurBatch *batch = request->batch;
    const MurTypeInfo *type = request->table->type;
    const uint64_t count = batch->maxCount;
    const uint64_t valueSize = batch->values.address ? type->valueSize : 0;
    Layout at = {.keys = mur_round_up_16(4 * MUR_SORT_BINS)};
    at.values = at.keys + mur_round_up_16(type->keySize * count);
    at.places = at.values + mur_round_up_16(valueSize * count);
    at.statuses = at.places + (has_results(request) ? mur_round_up_16(4 * count) : 0);
    at.slots = at.statuses + (wants_statuses(batch) ? mur_round_up_16(4 * count) : 0);
    at.oldValues = at.slots + (batch->slots.address ? mur_round_up_16(4 * count) : 0);
    at.end = at.oldValues + (batch->oldValues.address ? mur_round_up_16(valueSize * count) : 0);
    return at;
}

/* Returns whether inserts are slower if they are sorted first. In slots of 16 bytes, a sector has
 * only two slots, so sorting gains about as much as moving the items costs: 0.89 to 1.07 of the
 * direct rate, mostly below 1 with results. With MUR_MODE_INSERT, duplicates in random order only
 * read their slot. Sorted duplicates all try to claim it: 0.45 of the direct rate for Zipf keys,
 * which outweighs 1.2 to 1.4 for distinct keys. */
static bool is_better_direct(const MurRequest *request) {
    const bool inserts = request->command == MUR_COMMAND_INSERT ||
                         request->command == MUR_COMMAND_BUILD;
    return inserts && (request->mode == MUR_MODE_INSERT || request->table->type->slotSize == 16);
}

/* Returns whether sorting saves time: in large tables and batches, items of a bin share memory. */
static bool pays(const MurRequest *request) {
    const MurTuning *tuning = &request->device->tuning;
    const float caches = request->command == MUR_COMMAND_FIND ? tuning->sortReadMinCacheRatio
                                                              : tuning->sortWriteMinCacheRatio;
    return !is_better_direct(request) &&
           (double)request->table->bytes >= caches * (double)tuning->cacheBytes &&
           request->batch->maxCount >=
               tuning->sortMinBatchFraction * (double)request->table->ref.capacity;
}

uint64_t mur_sort_scratch(const MurRequest *request) {
    const bool possible = (request->table->kernels & MUR_KERNELS_LARGE_BATCHES) &&
                          request->device->sharedMemory && request->batch->maxCount != 0;
    return possible && pays(request) ? layout(request).end : MUR_NOT_APPLICABLE;
}

/* Returns log2 of the number of home slots per bin. The slots of a few bins should fit into the
 * cache; larger bins have longer runs of consecutive writes. */
static uint32_t bin_shift(const MurRequest *request) {
    const MurTuning *tuning = &request->device->tuning;
    const MurTableRef *ref = &request->table->ref;
    const double bytes = tuning->sortBinCacheRatio * (double)tuning->cacheBytes;
    uint64_t binBytes = request->table->type->slotSize;
    uint32_t shift = 0;
    while (shift < 31 &&
           ((ref->capacity - 1) >> shift >= MUR_SORT_BINS || (double)binBytes < bytes)) {
        ++shift;
        binBytes *= 2;
    }
    return shift;
}

void mur_plan_sort(const MurRequest *request, MurBatch *sorted, MurPlan *plan) {
    const MurBatch *batch = request->batch;
    const Layout at = layout(request);
    const VkDeviceAddress scratch = batch->scratch.address;
    const uint64_t tile = (uint64_t)MUR_SORT_ITEMS * mur_kernels[MUR_KERNEL_SORT_MOVE].group;
    const uint64_t tiles = mur_divide_up(batch->maxCount, tile);
    const bool values = batch->values.address != 0 && !writes_values(request);
    const MurPush push = {.sort = {
                              .table = request->table->ref,
                              .keys = batch->keys.address,
                              .values = values ? batch->values.address : 0,
                              .count = batch->countAddress,
                              .counters = scratch,
                              .sortedKeys = scratch + at.keys,
                              .sortedValues = values ? scratch + at.values : 0,
                              .places = has_results(request) ? scratch + at.places : 0,
                              .maxCount = batch->maxCount,
                              .shift = bin_shift(request),
                              .mask = UINT32_MAX,
                          }};
    mur_plan_step_concurrent(plan, MUR_KERNEL_SORT_PREPARE, &push, /* concurrent with a clear */
                             mur_groups(MUR_KERNEL_SORT_PREPARE, MUR_SORT_BINS));
    mur_plan_step(plan, MUR_KERNEL_SORT_COUNT, &push, mur_persistent_groups(tiles));
    mur_plan_step(plan, MUR_KERNEL_SORT_SCAN, &push, 1);
    mur_plan_step(plan, MUR_KERNEL_SORT_MOVE, &push, tiles);
    *sorted = *batch;
    sorted->keys.address = scratch + at.keys;
    sorted->values.address = batch->values.address ? scratch + at.values : 0;
    sorted->statuses.address = wants_statuses(batch) ? scratch + at.statuses : 0;
    sorted->slots.address = batch->slots.address ? scratch + at.slots : 0;
    sorted->oldValues.address = batch->oldValues.address ? scratch + at.oldValues : 0;
    sorted->statusBits.address = 0;
}

/* Returns the status for which MurBatch.statusBits has the bit of an item set. */
static uint32_t done_status(const MurRequest *request) {
    return request->command == MUR_COMMAND_FIND    ? MUR_FOUND
           : request->command == MUR_COMMAND_ERASE ? MUR_ERASED
           : request->mode == MUR_MODE_UPDATE      ? MUR_EXISTED
                                                   : MUR_INSERTED;
}

void mur_plan_unsort(const MurRequest *request, const MurBatch *sorted, MurPlan *plan) {
    const MurBatch *batch = request->batch;
    const uint32_t valueSize = request->table->type->valueSize;
    const struct {
        VkDeviceAddress from, to;
        uint32_t words;
    } arrays[] = {
        {sorted->statuses.address, batch->statuses.address, 1},
        {sorted->slots.address, batch->slots.address, 1},
        {sorted->oldValues.address, batch->oldValues.address, valueSize / 4},
        {sorted->statuses.address, batch->statusBits.address, 0},
        {sorted->values.address, writes_values(request) ? batch->values.address : 0, valueSize / 4},
    };
    bool first = true;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        if (!arrays[i].to) {
            continue;
        }
        const MurPush push = {.unsort = {
                                  .count = batch->countAddress,
                                  .places = batch->scratch.address + layout(request).places,
                                  .sorted = arrays[i].from,
                                  .results = arrays[i].to,
                                  .maxCount = batch->maxCount,
                                  .words = arrays[i].words,
                                  .status = done_status(request),
                              }};
        const uint64_t groups = mur_groups(MUR_KERNEL_UNSORT, batch->maxCount);
        (first ? mur_plan_step : mur_plan_step_concurrent)(plan, MUR_KERNEL_UNSORT, &push, groups);
        first = false;
    }
}
