/* The variants of calls.comp, and their pipelines.
 *
 * SPDX-License-Identifier: MIT */
#include "calls_run.h"

GPU_SPIRV(calls_address_32);
GPU_SPIRV(calls_address_64);
GPU_SPIRV(calls_address_read);
GPU_SPIRV(calls_buffer_32);
GPU_SPIRV(calls_buffer_64);
GPU_SPIRV(calls_buffer_read);
GPU_SPIRV(calls_array_32);
GPU_SPIRV(calls_array_64);
GPU_SPIRV(calls_array_read);

static const struct {
    const char *name;
    const uint32_t *code;
    const size_t *size;
} variants[ACCESS_COUNT][WIDTH_COUNT] = {
    {
        {"device address, 32-bit atomics", calls_address_32, &calls_address_32_size},
        {"device address, 64-bit atomics", calls_address_64, &calls_address_64_size},
        {"device address, read-only", calls_address_read, &calls_address_read_size},
    },
    {
        {"bound buffer, 32-bit atomics", calls_buffer_32, &calls_buffer_32_size},
        {"bound buffer, 64-bit atomics", calls_buffer_64, &calls_buffer_64_size},
        {"bound buffer, read-only", calls_buffer_read, &calls_buffer_read_size},
    },
    {
        {"array of bound buffers, 32-bit atomics", calls_array_32, &calls_array_32_size},
        {"array of bound buffers, 64-bit atomics", calls_array_64, &calls_array_64_size},
        {"array of bound buffers, read-only", calls_array_read, &calls_array_read_size},
    },
};

const char *call_kernel_name(Access access, Width width) {
    return variants[access][width].name;
}

static void create_layouts(Gpu *gpu, CallKernel *kernel) {
    VkDescriptorSetLayoutBinding bindings[3];
    for (uint32_t i = 0; i < 3; ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = i == 2 && kernel->access == ACCESS_ARRAY ? CALL_ARRAY_TABLES : 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 3,
        .pBindings = bindings,
    };
    gpu_require(vkCreateDescriptorSetLayout(gpu->device, &set, NULL, &kernel->setLayout));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(CallPush)};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &kernel->setLayout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    gpu_require(vkCreatePipelineLayout(gpu->device, &layout, NULL, &kernel->layout));
}

CallKernel call_kernel_open(Gpu *gpu, Access access, Width width) {
    CallKernel kernel = {.access = access};
    create_layouts(gpu, &kernel);
    kernel.pipeline = gpu_pipeline(gpu, variants[access][width].code, *variants[access][width].size,
                                   kernel.layout);
    return kernel;
}

void call_kernel_close(Gpu *gpu, CallKernel *kernel) {
    vkDestroyPipeline(gpu->device, kernel->pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, kernel->layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, kernel->setLayout, NULL);
    *kernel = (CallKernel){0};
}
