/* A cache as engines run it: shaders find or insert and touch, murCmdAge drops what was not
 * touched, a shader goes over what is left, dispatched indirectly.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <murmuration/age.h>

#include "layout.h"

#include <string.h>

GPU_SPIRV(age_frame);
GPU_SPIRV(age_frame_bound);
GPU_SPIRV(age_visit);

enum { CAPACITY = 1000, COUNT = 100, STEP = 30, MAX_AGE = 3, FRAMES = 12, ROOM = 2048 };

typedef struct Cache {
    Gpu *gpu;
    MurTable table;
    uint32_t slots;
    GpuBuffer ages, lists, visits;
    GpuKernel frame, visit;
    bool bound;
} Cache;

static void open_cache(Gpu *gpu, Cache *cache, bool bound) {
    *cache = (Cache){.gpu = gpu, .bound = bound};
    cache->table = gpu_table(gpu, &(MurTableCreateInfo){.capacity = CAPACITY,
                                                        .format = MUR_FORMAT_K64V32,
                                                        .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                                        .uses = {murUseReclaim()}});
    cache->slots = murGetTableRef(cache->table).slotCount + MUR_EXTRA_SLOTS(MUR_FORMAT_K64V32);
    cache->ages = gpu_buffer(gpu, 4ull * cache->slots);
    cache->lists = gpu_buffer(gpu, 4 * (16 + ROOM));
    cache->visits = gpu_buffer(gpu, 4ull * cache->slots);
    memset(cache->ages.mapped, 0x99, cache->ages.size); /* anything */
    const uint32_t *code = bound ? age_frame_bound : age_frame;
    cache->frame = gpu_kernel(gpu, code, bound ? age_frame_bound_size : age_frame_size,
                              sizeof(FramePush), 1);
    cache->visit = gpu_kernel(gpu, age_visit, age_visit_size, sizeof(VisitPush), 0);
    gpu_bind(gpu, &cache->frame, 0, (MurBufferRange){cache->ages.buffer, 0, cache->ages.size});
}

static void close_cache(Cache *cache) {
    gpu_kernel_free(cache->gpu, &cache->frame);
    gpu_kernel_free(cache->gpu, &cache->visit);
    gpu_free(cache->gpu, &cache->ages);
    gpu_free(cache->gpu, &cache->lists);
    gpu_free(cache->gpu, &cache->visits);
    murDestroyTable(cache->table);
}

static MurAge age_of(const Cache *cache, uint32_t frame) {
    return (MurAge){
        .ages = gpu_part(&cache->ages, 0, cache->slots),
        .frame = frame,
        .maxAge = MAX_AGE,
        .live = gpu_part(&cache->lists, 16, ROOM),
        .maxLive = ROOM,
        .groupEntries = VISIT_GROUP,
        .result = gpu_part(&cache->lists, 0, MUR_AGE_WORDS),
    };
}

static void run_frame(Cache *cache, uint32_t frame, uint32_t first) {
    Gpu *gpu = cache->gpu;
    const MurAge age = age_of(cache, frame);
    const FramePush push = {.table = murGetTableRef(cache->table),
                            .ages = cache->ages.address,
                            .frame = frame,
                            .first = first,
                            .count = COUNT};
    const VisitPush visit = {.result = age.result.address,
                             .live = age.live.address,
                             .visits = cache->visits.address,
                             .maxLive = ROOM};
    memset(cache->visits.mapped, 0, cache->visits.size);
    VkCommandBuffer cmd = gpu_begin(gpu);
    gpu_dispatch(gpu, &cache->frame, &push, (4 * COUNT + 63) / 64);
    gpu_require(murCmdBarrier(cmd, cache->table));
    gpu_require(murCmdAge(cmd, cache->table, &age));
    gpu_barrier(gpu);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, cache->visit.pipeline);
    vkCmdPushConstants(cmd, cache->visit.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof visit,
                       &visit);
    vkCmdDispatchIndirect(cmd, cache->lists.buffer, 0);
    gpu_submit(gpu);
}

/* When a key was touched last: in this frame, or when its frames were over. Frame UINT32_MAX counts
 * as the next one. */
static uint32_t last_touch(uint32_t key, uint32_t frame, uint32_t number) {
    const uint32_t last = key / STEP < number ? key / STEP : number;
    return last < number && frame - number + last == MUR_AGE_UNTOUCHED ? last + 1 : last;
}

/* The keys of this frame and of those no older than MAX_AGE, each visited once. */
static void check_frame(Cache *cache, uint32_t frame, uint32_t number) {
    const uint32_t end = number * STEP + COUNT;
    uint32_t begin = 0, live = 0;
    while (number - last_touch(begin, frame, number) > MAX_AGE) {
        ++begin;
    }
    for (uint32_t slot = 0; slot < cache->slots; ++slot) {
        assert_in_range(((uint32_t *)cache->visits.mapped)[slot], 0, 1);
        live += ((uint32_t *)cache->visits.mapped)[slot];
    }
    assert_int_equal(live, end - begin);
    for (uint32_t key = 0; key < end; ++key) {
        const uint64_t wide = key | 7ull << 32;
        uint32_t value, status, slot;
        gpu_require(
            murBlockingFind(cache->gpu->blocking, cache->table, 1, &wide, &value, &status, &slot));
        assert_int_equal(status, key >= begin ? MUR_FOUND : MUR_ABSENT);
        if (status == MUR_FOUND) {
            assert_int_equal(((uint32_t *)cache->ages.mapped)[slot],
                             frame - number + last_touch(key, frame, number));
            assert_int_equal(((uint32_t *)cache->visits.mapped)[slot], 1);
        }
    }
}

/* Across the wrap of the count of frames. */
static void frames(Gpu *gpu, bool bound) {
    Cache cache;
    open_cache(gpu, &cache, bound);
    for (uint32_t i = 0; i < FRAMES; ++i) {
        const uint32_t frame = UINT32_MAX - FRAMES / 2 + i;
        run_frame(&cache, frame, i * STEP);
        check_frame(&cache, frame, i);
    }
    close_cache(&cache);
}

static void frames_by_address(void **state) {
    frames(*state, false);
}

static void frames_of_bound_ages(void **state) {
    frames(*state, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(frames_by_address),
        gpu_test(frames_of_bound_ages),
    };
    return cmocka_run_group_tests_name("age_shader", tests, gpu_group_setup, gpu_group_teardown);
}
