/* Tests of the Vulkan state that commands leave in a command buffer.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <string.h>

GPU_SPIRV(api_store_spv);

enum { COUNT = 100 };

/* A table and the arguments of its commands. */
typedef struct Bench {
    Observed observed;
    Gpu *gpu;
    GpuBuffer buffer;
    MurTable table;
    MurBatch batch;
    MurExtract extract;
} Bench;

static MurArray array_at(const Bench *bench, uint32_t which) {
    return gpu_part(&bench->buffer, which * COUNT, COUNT);
}

static void bench_open(Bench *bench, Gpu *gpu) {
    memset(bench, 0, sizeof *bench);
    observe_open_idle(&bench->observed, gpu);
    bench->gpu = gpu;
    bench->buffer = gpu_buffer(gpu, 4 * COUNT * 5);
    bench->table = observed_table(&bench->observed, COUNT);
    bench->batch = (MurBatch){
        .maxCount = COUNT,
        .keys = array_at(bench, 0),
        .values = array_at(bench, 1),
        .statuses = array_at(bench, 2),
        .slots = array_at(bench, 3),
    };
    bench->extract = (MurExtract){
        .maxCount = COUNT,
        .countAddress = array_at(bench, 4).address,
        .keys = array_at(bench, 0),
        .values = array_at(bench, 1),
        .slots = array_at(bench, 2),
    };
    log_book_clear(&bench->observed.log);
    gpu_begin(gpu);
}

static void bench_close(Bench *bench) {
    gpu_submit(bench->gpu);
    murDestroyTable(bench->table);
    gpu_free(bench->gpu, &bench->buffer);
    observe_close(&bench->observed);
}

#define BENCH_CASE(name) GPU_CASE(name, Bench, bench, bench_open, bench_close)

static VkResult insert(VkCommandBuffer cmd, MurTable table, const MurBatch *batch) {
    return murCmdInsert(cmd, table, MUR_MODE_INSERT, batch);
}

/* Engines bind descriptor sets once per frame, so commands must leave these sets bound. */
BENCH_CASE(descriptor_sets_stay_bound) {
    VkCommandBuffer cmd = gpu->cmd;
    GpuBuffer words = gpu_buffer(gpu, 4 * 6);
    memset(words.mapped, 0, 4 * 6);
    GpuKernel kernel = gpu_kernel(gpu, api_store_spv, api_store_spv_size, 8, 1);
    gpu_bind(gpu, &kernel, 0, (MurBufferRange){words.buffer, 0, words.size});
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &kernel.set,
                            0, NULL);
    gpu_require(murCmdClear(cmd, bench->table));
    for (uint32_t i = 0; i < 6; ++i) {
        const uint32_t push[] = {i, 100 + i};
        gpu_barrier(gpu);
        gpu_require(i % 2 ? murCmdStats(cmd, bench->table, array_at(bench, 0))
                          : insert(cmd, bench->table, &bench->batch));
        gpu_barrier(gpu);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
        vkCmdPushConstants(cmd, kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, push);
        vkCmdDispatch(cmd, 1, 1, 1);
    }
    gpu_submit(gpu);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_int_equal(((const uint32_t *)words.mapped)[i], 100 + i);
    }
    gpu_free(gpu, &words);
    gpu_begin(gpu);
}
