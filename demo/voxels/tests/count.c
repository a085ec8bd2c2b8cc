/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include "common/message.h"
#include "count_layout.h"

#include <string.h>

GPU_SPIRV(voxels_spv_count);

static GpuKernel kernel;

void countClose(Gpu *gpu) {
    gpuDestroyKernel(gpu, &kernel);
}

static bool countOnGpu(Store *store, const GpuBuffer *sums) {
    Gpu *gpu = store->gpu;
    const CountPush push = {.world = store->ref, .sums = sums->address};
    if ((!kernel.layout &&
         !gpuCreateKernel(gpu, GPU_CODE(voxels_spv_count), sizeof push, &kernel)) ||
        !gpuBegin(gpu)) {
        return false;
    }
    storeBarrier(store);
    gpuDispatch(gpu, &kernel, &push, storeGroups(store, store->ref.bricks.slotCount, 128), 1, 1);
    gpuFullBarrier(gpu);
    gpuCopy(gpu, &store->buffers[WORLD_STATE], 0, sums, 4 * COUNT_WORDS, 4 * STATE_WORDS);
    gpuCopy(gpu, &store->buffers[WORLD_RECORDS], 0, sums, 4 * (COUNT_WORDS + STATE_WORDS),
            16 * EDIT_RECORDS);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu);
}

/* Checks that tables, pool and voxels agree with each other. */
static bool checkBooks(const uint32_t *words, const History *history) {
    const uint32_t *state = words + COUNT_WORDS, *records = state + STATE_WORDS;
    const uint32_t bricks = words[COUNT_BRICKS], taken = state[STATE_TOP] - state[STATE_FREE];
    uint32_t retained = 0; /* pool bricks of undo records */
    for (uint64_t i = history->oldest; i < history->newest; ++i) {
        retained += records[4 * (i % EDIT_RECORDS) + 2];
    }
    return (words[COUNT_WRONG] == 0 && words[COUNT_REGIONAL] == bricks &&
            state[STATE_BRICKS] == bricks && taken == words[COUNT_PAYLOADS] + retained) ||
           sayError("the table has %u bricks, of which %u are not as they should be; the regions "
                    "count %u, the state %u; of the pool %u are in use, by bricks %u, by undo %u",
                    bricks, words[COUNT_WRONG], words[COUNT_REGIONAL], state[STATE_BRICKS], taken,
                    words[COUNT_PAYLOADS], retained);
}

bool countWorld(World *world, WorldCount *count) {
    Gpu *gpu = world->store.gpu;
    GpuBuffer sums = {0};
    bool done = gpuCreateBuffer(gpu, 4 * (COUNT_WORDS + STATE_WORDS + 4 * EDIT_RECORDS), GPU_HOST,
                                "sums", &sums);
    if (done) {
        const uint32_t *words = sums.mapped;
        memset(sums.mapped, 0, 4 * COUNT_WORDS);
        done = countOnGpu(&world->store, &sums) && checkBooks(words, &world->history);
        count->solid = words[COUNT_SOLID_LOW] | (uint64_t)words[COUNT_SOLID_HIGH] << 32;
        count->sum = words[COUNT_SUM_LOW] | (uint64_t)words[COUNT_SUM_HIGH] << 32;
    }
    gpuDestroyBuffer(gpu, &sums);
    return done;
}
