/* Compute shaders of tests, each created once.
 * SPDX-License-Identifier: MIT */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

/* A cached kernel without its descriptor set, or, if code is NULL, the descriptor pool of a set. */
typedef struct GpuKept {
    struct GpuKept *next;
    const uint32_t *code;
    GpuKernel kernel;
} GpuKept;

void gpu_free_kept(Gpu *gpu) {
    while (gpu->kept) {
        GpuKept *kept = gpu->kept;
        gpu->kept = kept->next;
        vkDestroyDescriptorPool(gpu->device, kept->kernel.descriptors, NULL);
        vkDestroyPipeline(gpu->device, kept->kernel.pipeline, NULL);
        vkDestroyPipelineLayout(gpu->device, kept->kernel.layout, NULL);
        vkDestroyDescriptorSetLayout(gpu->device, kept->kernel.setLayout, NULL);
        free(kept);
    }
}

static void create_set(Gpu *gpu, GpuKernel *kernel) {
    if (kernel->bindings == 0) {
        return;
    }
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       kernel->bindings * kernel->elements};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    GpuKept *kept = test_allocate(sizeof *kept);
    gpu_require(vkCreateDescriptorPool(gpu->device, &pool, NULL, &kept->kernel.descriptors));
    kept->next = gpu->kept;
    gpu->kept = kept;
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = kept->kernel.descriptors,
        .descriptorSetCount = 1,
        .pSetLayouts = &kernel->setLayout,
    };
    gpu_require(vkAllocateDescriptorSets(gpu->device, &set, &kernel->set));
}

static void create_layouts(Gpu *gpu, GpuKernel *kernel) {
    VkDescriptorSetLayoutBinding bindings[GPU_MAX_BINDINGS];
    for (uint32_t i = 0; i < kernel->bindings; ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = kernel->elements,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = kernel->bindings,
        .pBindings = bindings,
    };
    gpu_require(vkCreateDescriptorSetLayout(gpu->device, &layout, NULL, &kernel->setLayout));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, kernel->pushSize};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &kernel->setLayout,
        .pushConstantRangeCount = kernel->pushSize ? 1 : 0,
        .pPushConstantRanges = &range,
    };
    gpu_require(vkCreatePipelineLayout(gpu->device, &info, NULL, &kernel->layout));
}

static VkPipeline gpu_pipeline(Gpu *gpu, const uint32_t *code, size_t codeSize,
                               VkPipelineLayout layout) {
    gpu_skip_unless_it_runs(gpu, code, codeSize);
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = codeSize,
        .pCode = code,
    };
    VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = layout,
    };
    VkPipeline made;
    gpu_require(vkCreateShaderModule(gpu->device, &module, NULL, &pipeline.stage.module));
    gpu_require(vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &made));
    vkDestroyShaderModule(gpu->device, pipeline.stage.module, NULL);
    return made;
}

static GpuKernel make_kernel(Gpu *gpu, const uint32_t *code, size_t codeSize, GpuKernel made) {
    assert_true(made.bindings <= GPU_MAX_BINDINGS);
    GpuKept *kept = gpu->kept;
    while (kept && kept->code != code) {
        kept = kept->next;
    }
    if (!kept) {
        gpu_skip_unless_it_runs(gpu, code, codeSize); /* before anything is created */
        kept = test_allocate(sizeof *kept);
        *kept = (GpuKept){gpu->kept, code, made};
        create_layouts(gpu, &kept->kernel);
        kept->kernel.pipeline = gpu_pipeline(gpu, code, codeSize, kept->kernel.layout);
        gpu->kept = kept;
    }
    GpuKernel kernel = kept->kernel;
    assert_true(kernel.pushSize == made.pushSize && kernel.bindings == made.bindings);
    create_set(gpu, &kernel);
    return kernel;
}

GpuKernel gpu_kernel(Gpu *gpu, const uint32_t *code, size_t codeSize, uint32_t pushSize,
                     uint32_t bindings) {
    return make_kernel(gpu, code, codeSize,
                       (GpuKernel){.pushSize = pushSize, .bindings = bindings, .elements = 1});
}

GpuKernel gpu_kernel_of_array(Gpu *gpu, const uint32_t *code, size_t codeSize, uint32_t pushSize,
                              uint32_t elements) {
    return make_kernel(gpu, code, codeSize,
                       (GpuKernel){.pushSize = pushSize, .bindings = 1, .elements = elements});
}

void gpu_bind(Gpu *gpu, GpuKernel *kernel, uint32_t binding, MurBufferRange range) {
    gpu_bind_element(gpu, kernel, binding, 0, range);
}

void gpu_bind_element(Gpu *gpu, GpuKernel *kernel, uint32_t binding, uint32_t element,
                      MurBufferRange range) {
    const VkDescriptorBufferInfo buffer = {range.buffer, range.offset, range.size};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = kernel->set,
        .dstBinding = binding,
        .dstArrayElement = element,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &buffer,
    };
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
}

void gpu_dispatch(Gpu *gpu, const GpuKernel *kernel, const void *push, uint32_t groups) {
    vkCmdBindPipeline(gpu->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    if (kernel->bindings) {
        vkCmdBindDescriptorSets(gpu->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                                &kernel->set, 0, NULL);
    }
    if (kernel->pushSize) {
        vkCmdPushConstants(gpu->cmd, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           kernel->pushSize, push);
    }
    vkCmdDispatch(gpu->cmd, groups, 1, 1);
}
