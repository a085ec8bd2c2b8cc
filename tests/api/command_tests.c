/* Tests of the Vulkan state that commands leave in a command buffer.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <string.h>

GPU_SPIRV(api_store_spv);

enum { COUNT = 100, ROUNDS = 6 };

/* Engines bind descriptor sets once per frame, so commands must leave these sets bound. */
IDLE_CASE(descriptor_sets_stay_bound) {
    MurTable table = observed_table(observed, COUNT);
    GpuBuffer arrays = gpu_buffer(gpu, 4 * COUNT * 2), words = gpu_buffer(gpu, 4 * ROUNDS);
    memset(words.mapped, 0, 4 * ROUNDS);
    const MurArray stats = gpu_part(&arrays, 0, COUNT);
    const MurBatch batch = {
        .maxCount = COUNT, .keys = stats, .values = gpu_part(&arrays, COUNT, COUNT)};
    GpuKernel kernel = gpu_kernel(gpu, api_store_spv, api_store_spv_size, 8, 1);
    gpu_bind(gpu, &kernel, 0, (MurBufferRange){words.buffer, 0, words.size});
    VkCommandBuffer cmd = gpu_begin(gpu);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &kernel.set,
                            0, NULL);
    gpu_require(murCmdClear(cmd, table));
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        const uint32_t push[] = {i, 100 + i};
        gpu_barrier(gpu);
        gpu_require(i % 2 ? murCmdStats(cmd, table, stats)
                          : murCmdInsert(cmd, table, MUR_MODE_INSERT, &batch));
        gpu_barrier(gpu);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
        vkCmdPushConstants(cmd, kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, push);
        vkCmdDispatch(cmd, 1, 1, 1);
    }
    gpu_submit(gpu);
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        assert_int_equal(((const uint32_t *)words.mapped)[i], 100 + i);
    }
    gpu_free(gpu, &words);
    gpu_free(gpu, &arrays);
    murDestroyTable(table);
}
