/* The partitioned path of builds and inserts. A slice is MUR_SLICE consecutive slots of the table.
 * Kernels first split the batch into bins: a slice's bin has the pairs whose home slots are in the
 * slice. Then one workgroup per slice inserts the pairs of the bin in shared memory.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

/* The division of a batch into bins: their number, capacity and memory. A coarse bin has the pairs
 * of 1 << fineBits slices, which a second split step separates. */
typedef struct Bins {
    uint64_t slices;
    uint32_t fineBits;
    uint64_t coarse;                /* bins of the first of two split steps */
    uint64_t coarseRoom, sliceRoom; /* pairs per coarse bin, and per bin of a slice */
    uint64_t scratch;               /* bytes */
} Bins;

/* Returns the capacity of bins, in pairs, for this mean size: mean plus eight standard deviations,
 * which random keys never exceed. */
static uint64_t bin_room(uint64_t mean) {
    uint64_t root = 0;
    for (uint64_t bit = 1u << 16; bit; bit /= 2) {
        root += (root + bit) * (root + bit) <= mean ? bit : 0;
    }
    return (mean + 8 * (root + 1) + 63) / 32 * 32; /* whole cache lines */
}

static uint64_t tile(void) {
    return (uint64_t)MUR_SPLIT_ITEMS * mur_kernels[MUR_KERNEL_SLICES_SPLIT].group;
}

static bool builds(const MurRequest *request) {
    return request->command == MUR_COMMAND_BUILD;
}

static Bins plan_bins(const MurRequest *request) {
    const uint64_t capacity = request->table->ref.capacity;
    const uint64_t count = request->batch->maxCount;
    Bins bins = {.slices = mur_divide_up(capacity, MUR_SLICE)};
    uint32_t bits = 0;
    while ((bins.slices - 1) >> bits != 0) {
        ++bits;
    }
    /* Plans one split step if it makes enough bins, otherwise two with about equally many bins. */
    bins.fineBits = bins.slices <= MUR_SPLIT_BINS ? 0 : (bits + 1) / 2;
    bins.coarse = ((bins.slices - 1) >> bins.fineBits) + 1;
    const uint64_t slice = mur_least(capacity, MUR_SLICE);
    const uint64_t coarse = mur_least(capacity, (uint64_t)MUR_SLICE << bins.fineBits);
    bins.sliceRoom = mur_least(bin_room(mur_divide_up(count * slice, capacity)), MUR_SLICE_ROOM);
    bins.coarseRoom = bin_room(mur_divide_up(count * coarse, capacity));
    const uint64_t words = (MUR_SLICES_COUNTS + 4 * bins.slices + 3) / 4 * 4;
    const uint64_t coarsePairs = bins.fineBits ? bins.coarse * bins.coarseRoom : 0;
    /* A build stores the coarse bins in the table's slots, if they fit. */
    const bool apart = !builds(request) || coarsePairs > capacity;
    bins.scratch = 4 * words +
                   MUR_SLOT_SIZE * (bins.slices * bins.sliceRoom + (apart ? coarsePairs : 0));
    return bins;
}

/* Returns whether a request can use the partitioned path. moved: the largest distance in slots at
 * which kernels store a pair from its home slot. The probe limit must be at least this distance. */
static bool possible(const MurRequest *request, uint32_t kernels, uint32_t moved) {
    const MurTableRef *ref = &request->table->ref;
    const MurBatch *batch = request->batch;
    const bool reached = ref->probeSectors > moved / MUR_SECTOR_SLOTS ||
                         ref->probeSectors > ref->slotCount / MUR_SECTOR_SLOTS;
    return (request->table->kernels & kernels) && request->device->sharedMemory && reached &&
           mur_can(request->table->type, MUR_TYPE_PARTITIONED) &&
           (request->mode == MUR_MODE_ASSIGN || request->mode == MUR_MODE_INSERT) &&
           !mur_wants_results(batch) && batch->maxCount != 0 && batch->maxCount <= ref->capacity;
}

static double load(const MurRequest *request) {
    return (double)request->batch->maxCount / request->table->ref.capacity;
}

/* Appends the steps that write a batch's pairs into bins. push (output): constants of all steps. */
static Bins plan_split(const MurRequest *request, MurPush *push, MurPlan *plan) {
    const MurBatch *batch = request->batch;
    const MurTableRef *ref = &request->table->ref;
    const Bins bins = plan_bins(request);
    *push = (MurPush){.slices = {
                          .table = *ref,
                          .keys = batch->keys.address,
                          .values = batch->values.address,
                          .count = batch->countAddress,
                          .scratch = batch->scratch.address,
                          .maxCount = batch->maxCount,
                          .flags = (builds(request) ? MUR_SLICES_BUILD : 0) |
                                   (request->mode == MUR_MODE_INSERT ? MUR_SLICES_KEEP : 0),
                          .fineBits = bins.fineBits,
                          .coarseRoom = (uint32_t)bins.coarseRoom,
                          .sliceRoom = (uint32_t)bins.sliceRoom,
                      }};
    uint64_t prepared = MUR_SLICES_COUNTS + bins.slices;
    if (builds(request)) {
        prepared += MUR_HEADER_SIZE / 16 + (uint64_t)ref->slotCount - ref->capacity;
    }
    mur_plan_items(plan, MUR_KERNEL_SLICES_PREPARE, push, prepared);
    mur_plan_step(plan, MUR_KERNEL_SLICES_SPLIT, push, mur_divide_up(batch->maxCount, tile()));
    if (bins.fineBits) {
        mur_plan_step(plan, MUR_KERNEL_SLICES_SPLIT_FINE, push,
                      bins.coarse * mur_divide_up(bins.coarseRoom, tile()));
    }
    return bins;
}

uint64_t mur_insert_slices_scratch(const MurRequest *request) {
    const MurTuning *tuning = &request->device->tuning;
    const bool alone = (request->batch->flags & MUR_BATCH_EXCLUSIVE) != 0;
    if (!alone || !possible(request, MUR_KERNELS_LARGE_BATCHES, MUR_SLICE) ||
        request->batch->maxCount < tuning->partitionInsertMinItems ||
        load(request) < tuning->partitionInsertMinBatchFraction) {
        return MUR_NOT_APPLICABLE;
    }
    return plan_bins(request).scratch;
}

void mur_plan_insert_slices(const MurRequest *request, MurPlan *plan) {
    MurPush push;
    const Bins bins = plan_split(request, &push, plan);
    mur_plan_step(plan, MUR_KERNEL_INSERT_SLICES, &push, bins.slices);
    const uint32_t group = mur_kernels[MUR_KERNEL_SLICES_OVERFLOW].group;
    const uint64_t lanes = request->device->software ? 2 * group : MUR_REST_LANES;
    mur_plan_items(plan, MUR_KERNEL_SLICES_OVERFLOW, &push, bins.slices * lanes);
}

static void plan_rest(const MurRequest *request, const MurPush *push, MurPlan *plan) {
    mur_plan_step(plan, MUR_KERNEL_SLICES_OVERFLOW, push,
                  mur_spread(request->device,
                             mur_groups(MUR_KERNEL_SLICES_OVERFLOW, request->table->ref.slotCount),
                             1));
}

/* Returns the scratch memory of a build in bytes, or MUR_NOT_APPLICABLE. A build moves no pair
 * further than two slices from its home slot. */
static uint64_t build_scratch(const MurRequest *request, double most, uint32_t leastCount) {
    return possible(request, MUR_KERNELS_BUILD, 2 * MUR_SLICE) && load(request) <= most &&
                   request->batch->maxCount >= leastCount
               ? plan_bins(request).scratch
               : MUR_NOT_APPLICABLE;
}

uint64_t mur_build_slices_scratch(const MurRequest *request) {
    const MurTuning *tuning = &request->device->tuning;
    return build_scratch(request, tuning->partitionBuildMaxLoad, tuning->buildMinItems);
}

void mur_plan_build_slices(const MurRequest *request, MurPlan *plan) {
    MurPush push;
    const Bins bins = plan_split(request, &push, plan);
    mur_plan_step(plan, MUR_KERNEL_BUILD_SLICES, &push, bins.slices);
    mur_plan_items(plan, MUR_KERNEL_BUILD_SORT_BORDERS, &push, bins.slices);
    plan_rest(request, &push, plan);
}

uint64_t mur_build_exact_scratch(const MurRequest *request) {
    const MurTuning *tuning = &request->device->tuning;
    const bool full = load(request) >= tuning->fullBuildMinLoad;
    return build_scratch(request, tuning->exactBuildMaxLoad,
                         full ? tuning->buildMinItemsWhenFull : tuning->buildMinItems);
}

void mur_plan_build_exact(const MurRequest *request, MurPlan *plan) {
    MurPush push;
    const Bins bins = plan_split(request, &push, plan);
    mur_plan_step(plan, MUR_KERNEL_BUILD_CARRY, &push, bins.slices);
    mur_plan_items(plan, MUR_KERNEL_BUILD_SCAN, &push, bins.slices);
    mur_plan_step(plan, MUR_KERNEL_BUILD_EXACT, &push, bins.slices);
    plan_rest(request, &push, plan);
}
