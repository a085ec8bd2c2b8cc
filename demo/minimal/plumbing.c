/* SPDX-License-Identifier: MIT */
#include "plumbing.h"

#include <murmuration/murmuration.h>

#include <stdio.h>
#include <stdlib.h>

void check(VkResult result, const char *call) {
    if (result != VK_SUCCESS) {
        fprintf(stderr, "murminimal: %s: %s\n", call, murResultName(result));
        exit(EXIT_FAILURE);
    }
}

void open_instance(Vulkan *vulkan) {
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_2,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    CHECK(vkCreateInstance(&info, NULL, &vulkan->instance));
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    VkResult result = vkEnumeratePhysicalDevices(vulkan->instance, &count, devices);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0) {
        fprintf(stderr, "murminimal: no Vulkan device found\n");
        exit(EXIT_FAILURE);
    }
    vulkan->gpu = devices[0];
    for (uint32_t i = count; i-- > 0;) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) {
            vulkan->gpu = devices[i];
        }
    }
}

static uint32_t compute_family(VkPhysicalDevice gpu) {
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu, &count, families);
    for (uint32_t i = 0; i < count; ++i) {
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
            return i;
        }
    }
    fprintf(stderr, "murminimal: the device has no compute queue\n");
    exit(EXIT_FAILURE);
}

void open_device(Vulkan *vulkan, const VkPhysicalDeviceFeatures2 *features) {
    vulkan->family = compute_family(vulkan->gpu);
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = vulkan->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    CHECK(vkCreateDevice(vulkan->gpu, &info, NULL, &vulkan->device));
    vkGetDeviceQueue(vulkan->device, vulkan->family, 0, &vulkan->queue);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = vulkan->family,
    };
    CHECK(vkCreateCommandPool(vulkan->device, &pool, NULL, &vulkan->pool));
}

void close_vulkan(Vulkan *vulkan) {
    vkDestroyCommandPool(vulkan->device, vulkan->pool, NULL);
    vkDestroyDevice(vulkan->device, NULL);
    vkDestroyInstance(vulkan->instance, NULL);
}

static uint32_t host_memory_type(VkPhysicalDevice gpu, uint32_t allowed) {
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu, &memory);
    uint32_t type = 0; /* Vulkan guarantees that it exists */
    while (!(allowed >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted) {
        ++type;
    }
    return type;
}

Buffer make_buffer(Vulkan *vulkan, VkDeviceSize size, VkBufferUsageFlags usage) {
    Buffer buffer;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = usage,
    };
    CHECK(vkCreateBuffer(vulkan->device, &info, NULL, &buffer.buffer));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(vulkan->device, buffer.buffer, &requirements);
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = requirements.size,
        .memoryTypeIndex = host_memory_type(vulkan->gpu, requirements.memoryTypeBits),
    };
    CHECK(vkAllocateMemory(vulkan->device, &allocate, NULL, &buffer.memory));
    CHECK(vkBindBufferMemory(vulkan->device, buffer.buffer, buffer.memory, 0));
    CHECK(vkMapMemory(vulkan->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped));
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer.buffer,
    };
    buffer.address = vkGetBufferDeviceAddress(vulkan->device, &address);
    return buffer;
}

void free_buffer(Vulkan *vulkan, Buffer *buffer) {
    vkDestroyBuffer(vulkan->device, buffer->buffer, NULL);
    vkFreeMemory(vulkan->device, buffer->memory, NULL);
}

Pipeline make_pipeline(Vulkan *vulkan, const uint32_t *code, size_t codeSize, uint32_t pushSize) {
    Pipeline pipeline;
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushSize};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    CHECK(vkCreatePipelineLayout(vulkan->device, &layout, NULL, &pipeline.layout));
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = codeSize,
        .pCode = code,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = pipeline.layout,
    };
    CHECK(vkCreateShaderModule(vulkan->device, &module, NULL, &info.stage.module));
    CHECK(vkCreateComputePipelines(vulkan->device, VK_NULL_HANDLE, 1, &info, NULL,
                                   &pipeline.pipeline));
    vkDestroyShaderModule(vulkan->device, info.stage.module, NULL);
    return pipeline;
}

void free_pipeline(Vulkan *vulkan, Pipeline *pipeline) {
    vkDestroyPipeline(vulkan->device, pipeline->pipeline, NULL);
    vkDestroyPipelineLayout(vulkan->device, pipeline->layout, NULL);
}

VkCommandBuffer begin_commands(Vulkan *vulkan) {
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = vulkan->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cmd;
    CHECK(vkAllocateCommandBuffers(vulkan->device, &info, &cmd));
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    CHECK(vkBeginCommandBuffer(cmd, &begin));
    return cmd;
}

void submit_and_wait(Vulkan *vulkan, VkCommandBuffer cmd) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = MUR_EXIT_ACCESS,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, MUR_EXIT_STAGES, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL,
                         0, NULL);
    CHECK(vkEndCommandBuffer(cmd));
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    CHECK(vkQueueSubmit(vulkan->queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(vulkan->queue));
    vkFreeCommandBuffers(vulkan->device, vulkan->pool, 1, &cmd);
}
