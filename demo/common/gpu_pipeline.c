/* Compute kernels. They get data by device address, so most pipeline layouts have only push
 * constants.
 * SPDX-License-Identifier: MIT */
#include "gpu.h"

enum { MAX_BUFFERS = 16 };

static bool createLayout(Gpu *gpu, uint32_t pushSize, const VkDescriptorSetLayout *setLayout,
                         VkPipelineLayout *layout) {
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = pushSize};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = setLayout && *setLayout ? 1 : 0,
        .pSetLayouts = setLayout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return gpuCheck(vkCreatePipelineLayout(gpu->device, &info, NULL, layout),
                    "creating a pipeline layout");
}

static bool createModule(Gpu *gpu, const uint32_t *code, size_t codeSize, VkShaderModule *module) {
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = codeSize,
        .pCode = code,
    };
    return gpuCheck(vkCreateShaderModule(gpu->device, &info, NULL, module),
                    "creating a shader module");
}

static bool createSet(Gpu *gpu, const VkDescriptorBufferInfo *buffers, uint32_t count,
                      GpuKernel *kernel) {
    VkDescriptorSetLayoutBinding bindings[MAX_BUFFERS];
    VkWriteDescriptorSet writes[MAX_BUFFERS];
    if (count > MAX_BUFFERS) {
        return gpuCheck(VK_ERROR_UNKNOWN, "more buffers than a kernel can have");
    }
    for (uint32_t i = 0; i < count; ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings,
    };
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pSetLayouts = &kernel->setLayout,
    };
    VkResult result = vkCreateDescriptorSetLayout(gpu->device, &layout, NULL, &kernel->setLayout);
    if (result == VK_SUCCESS) {
        result = vkCreateDescriptorPool(gpu->device, &pool, NULL, &kernel->pool);
    }
    if (result == VK_SUCCESS) {
        set.descriptorPool = kernel->pool;
        result = vkAllocateDescriptorSets(gpu->device, &set, &kernel->set);
    }
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; ++i) {
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = kernel->set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &buffers[i],
        };
    }
    if (result == VK_SUCCESS) {
        vkUpdateDescriptorSets(gpu->device, count, writes, 0, NULL);
    }
    return gpuCheck(result, "binding buffers");
}

bool gpuCreateKernel(Gpu *gpu, const char *name, const uint32_t *code, size_t codeSize,
                     uint32_t pushSize, GpuKernel *kernel) {
    return gpuCreateBoundKernel(gpu, name, code, codeSize, pushSize, NULL, 0, kernel);
}

static bool createPipeline(Gpu *gpu, GpuKernel *kernel) {
    VkShaderModule module;
    if (!createModule(gpu, kernel->code, kernel->codeSize, &module)) {
        return false;
    }
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = kernel->layout,
    };
    VkResult result = vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                               &kernel->pipeline);
    vkDestroyShaderModule(gpu->device, module, NULL);
    if (result == VK_SUCCESS) {
        gpuName(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)kernel->pipeline, kernel->name);
    }
    return gpuCheck(result, "creating a compute pipeline");
}

bool gpuCreateBoundKernel(Gpu *gpu, const char *name, const uint32_t *code, size_t codeSize,
                          uint32_t pushSize, const VkDescriptorBufferInfo *buffers, uint32_t count,
                          GpuKernel *kernel) {
    *kernel = (GpuKernel){.name = name, .code = code, .codeSize = codeSize, .pushSize = pushSize};
    return (count == 0 || createSet(gpu, buffers, count, kernel)) &&
           createLayout(gpu, pushSize, &kernel->setLayout, &kernel->layout) &&
           (gpuIsSlow(gpu) || createPipeline(gpu, kernel));
}

void gpuDestroyKernel(Gpu *gpu, GpuKernel *kernel) {
    if (kernel->layout) {
        vkDestroyPipeline(gpu->device, kernel->pipeline, NULL);
        vkDestroyPipelineLayout(gpu->device, kernel->layout, NULL);
    }
    if (kernel->setLayout) {
        vkDestroyDescriptorPool(gpu->device, kernel->pool, NULL);
        vkDestroyDescriptorSetLayout(gpu->device, kernel->setLayout, NULL);
    }
    *kernel = (GpuKernel){0};
}

/* Binds the kernel. On a slow device, the first dispatch also creates the pipeline. */
static bool bind(Gpu *gpu, const GpuKernel *kernel, const void *push) {
    if (!kernel->pipeline && !createPipeline(gpu, (GpuKernel *)kernel)) {
        gpu->failed = true;
        return false;
    }
    vkCmdBindPipeline(gpu->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    if (kernel->set) {
        vkCmdBindDescriptorSets(gpu->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                                &kernel->set, 0, NULL);
    }
    vkCmdPushConstants(gpu->cmd, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, kernel->pushSize,
                       push);
    return true;
}

void gpuDispatch(Gpu *gpu, const GpuKernel *kernel, const void *push, uint32_t x, uint32_t y,
                 uint32_t z) {
    if (bind(gpu, kernel, push)) {
        vkCmdDispatch(gpu->cmd, x, y, z);
    }
}

void gpuDispatchIndirect(Gpu *gpu, const GpuKernel *kernel, const void *push,
                         const GpuBuffer *groups, VkDeviceSize offset) {
    if (bind(gpu, kernel, push)) {
        vkCmdDispatchIndirect(gpu->cmd, groups->buffer, offset);
    }
}
