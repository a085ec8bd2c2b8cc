/* SPDX-License-Identifier: MIT */
#include "target.h"

#include <string.h>

MUR_STATIC_ASSERT(offsetof(Push, corners) == 56);

static const VkFormat formats[2] = {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_SINT};
static const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT |
                                         VK_SHADER_STAGE_COMPUTE_BIT;

static Image create_image(Gpu *gpu, VkFormat format) {
    Image image;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {TARGET_WIDTH, TARGET_HEIGHT, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    gpu_require(vkCreateImage(gpu->device, &info, NULL, &image.image));
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(gpu->device, image.image, &requirements);
    image.memory = gpu_allocate(gpu, &requirements, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    gpu_require(vkBindImageMemory(gpu->device, image.image, image.memory, 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    gpu_require(vkCreateImageView(gpu->device, &view, NULL, &image.view));
    return image;
}

/* Creates the render pass. It clears, draws, and prepares the images for copies. */
static void create_pass(Target *target) {
    VkAttachmentDescription attachments[2];
    VkAttachmentReference references[2];
    for (uint32_t i = 0; i < 2; ++i) {
        attachments[i] = (VkAttachmentDescription){
            .format = formats[i],
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        };
        references[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    }
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 2,
        .pColorAttachments = references,
    };
    const VkSubpassDependency copied = {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &copied,
    };
    gpu_require(vkCreateRenderPass(target->gpu->device, &info, NULL, &target->pass));
    const VkImageView views[2] = {target->images[0].view, target->images[1].view};
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = target->pass,
        .attachmentCount = 2,
        .pAttachments = views,
        .width = TARGET_WIDTH,
        .height = TARGET_HEIGHT,
        .layers = 1,
    };
    gpu_require(vkCreateFramebuffer(target->gpu->device, &framebuffer, NULL, &target->framebuffer));
}

static void create_layout(Target *target) {
    VkDevice device = target->gpu->device;
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < 2; ++i) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     stages, NULL};
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    gpu_require(vkCreateDescriptorSetLayout(device, &set, NULL, &target->setLayout));
    const VkPushConstantRange range = {stages, 0, sizeof(Push)};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &target->setLayout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    gpu_require(vkCreatePipelineLayout(device, &layout, NULL, &target->layout));
}

static void create_set(Target *target) {
    VkDevice device = target->gpu->device;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    gpu_require(vkCreateDescriptorPool(device, &pool, NULL, &target->descriptors));
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = target->descriptors,
        .descriptorSetCount = 1,
        .pSetLayouts = &target->setLayout,
    };
    gpu_require(vkAllocateDescriptorSets(device, &allocate, &target->set));
}

void target_bind(Target *target, MurTable table) {
    const MurBufferRange memory = murGetTableMemory(table);
    const VkDescriptorBufferInfo buffers[2] = {
        {memory.buffer, memory.offset, memory.size},
        {target->words.buffer, 0, VK_WHOLE_SIZE},
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = target->set,
        .descriptorCount = 2,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = buffers,
    };
    vkUpdateDescriptorSets(target->gpu->device, 1, &write, 0, NULL);
}

Target target_open(Gpu *gpu) {
    Target target = {.gpu = gpu};
    target.images[0] = create_image(gpu, formats[0]);
    target.images[1] = create_image(gpu, formats[1]);
    target.words = gpu_buffer(gpu, TARGET_PIXELS * sizeof(uint32_t));
    target.slopes = gpu_buffer(gpu, TARGET_PIXELS * 2 * sizeof(int32_t));
    create_pass(&target);
    create_layout(&target);
    create_set(&target);
    return target;
}

void target_close(Target *target) {
    VkDevice device = target->gpu->device;
    vkDestroyPipeline(device, target->pipeline, NULL);
    vkDestroyPipelineLayout(device, target->layout, NULL);
    vkDestroyDescriptorPool(device, target->descriptors, NULL);
    vkDestroyDescriptorSetLayout(device, target->setLayout, NULL);
    vkDestroyFramebuffer(device, target->framebuffer, NULL);
    vkDestroyRenderPass(device, target->pass, NULL);
    for (uint32_t i = 0; i < 2; ++i) {
        vkDestroyImageView(device, target->images[i].view, NULL);
        vkDestroyImage(device, target->images[i].image, NULL);
        vkFreeMemory(device, target->images[i].memory, NULL);
    }
    gpu_free(target->gpu, &target->words);
    gpu_free(target->gpu, &target->slopes);
}

static VkPipelineShaderStageCreateInfo shader(Target *target, Code code,
                                              VkShaderStageFlagBits stage) {
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code.size,
        .pCode = code.words,
    };
    VkPipelineShaderStageCreateInfo result = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .pName = "main",
    };
    gpu_require(vkCreateShaderModule(target->gpu->device, &info, NULL, &result.module));
    return result;
}

static void create_graphics(Target *target, const VkPipelineShaderStageCreateInfo *shaders,
                            VkPrimitiveTopology topology) {
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = topology};
    const VkViewport viewport = {0, 0, TARGET_WIDTH, TARGET_HEIGHT, 0, 1};
    const VkRect2D scissor = {{0, 0}, {TARGET_WIDTH, TARGET_HEIGHT}};
    const VkPipelineViewportStateCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor,
    };
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineColorBlendAttachmentState writes = {.colorWriteMask = VK_COLOR_COMPONENT_R_BIT |
                                                                          VK_COLOR_COMPONENT_G_BIT};
    /* Both attachments have the same state, because some devices have no independent blending. */
    const VkPipelineColorBlendAttachmentState attachments[2] = {writes, writes};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = attachments,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = 2,
        .pStages = shaders,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &view,
        .pRasterizationState = &rasterization,
        .pMultisampleState = &multisample,
        .pColorBlendState = &blend,
        .layout = target->layout,
        .renderPass = target->pass,
    };
    gpu_require(vkCreateGraphicsPipelines(target->gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                          &target->pipeline));
}

void target_graphics(Target *target, Code vertex, Code fragment, VkPrimitiveTopology topology) {
    const VkPipelineShaderStageCreateInfo shaders[2] = {
        shader(target, vertex, VK_SHADER_STAGE_VERTEX_BIT),
        shader(target, fragment, VK_SHADER_STAGE_FRAGMENT_BIT),
    };
    create_graphics(target, shaders, topology);
    vkDestroyShaderModule(target->gpu->device, shaders[0].module, NULL);
    vkDestroyShaderModule(target->gpu->device, shaders[1].module, NULL);
    target->bindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
}

void target_compute(Target *target, Code code) {
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = shader(target, code, VK_SHADER_STAGE_COMPUTE_BIT),
        .layout = target->layout,
    };
    gpu_require(vkCreateComputePipelines(target->gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                         &target->pipeline));
    vkDestroyShaderModule(target->gpu->device, info.stage.module, NULL);
    target->bindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
}

static void draw(Target *target, VkCommandBuffer cmd, uint32_t count) {
    const VkClearValue clear[2] = {
        {.color = {.uint32 = {TARGET_UNTOUCHED}}},
        {.color = {.int32 = {0, 0}}},
    };
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = target->pass,
        .framebuffer = target->framebuffer,
        .renderArea = {{0, 0}, {TARGET_WIDTH, TARGET_HEIGHT}},
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDraw(cmd, count, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {TARGET_WIDTH, TARGET_HEIGHT, 1},
    };
    vkCmdCopyImageToBuffer(cmd, target->images[0].image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           target->words.buffer, 1, &region);
    vkCmdCopyImageToBuffer(cmd, target->images[1].image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           target->slopes.buffer, 1, &region);
}

void target_run(Target *target, const Push *push, uint32_t count) {
    VkCommandBuffer cmd = target->gpu->cmd;
    memset(target->words.mapped, 0xA5, (size_t)target->words.size);
    vkCmdBindPipeline(cmd, target->bindPoint, target->pipeline);
    vkCmdBindDescriptorSets(cmd, target->bindPoint, target->layout, 0, 1, &target->set, 0, NULL);
    vkCmdPushConstants(cmd, target->layout, stages, 0, sizeof *push, push);
    if (target->bindPoint == VK_PIPELINE_BIND_POINT_COMPUTE) {
        vkCmdDispatch(cmd, (TARGET_PIXELS + 63) / 64, 1, 1);
    } else {
        draw(target, cmd, count);
    }
}

uint32_t target_word(const Target *target, uint32_t x, uint32_t y) {
    return ((const uint32_t *)target->words.mapped)[y * TARGET_WIDTH + x];
}

const int32_t *target_slope(const Target *target, uint32_t x, uint32_t y) {
    return (const int32_t *)target->slopes.mapped + 2 * (y * TARGET_WIDTH + x);
}
