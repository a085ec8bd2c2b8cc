/* Parts that every engine has: an instance, a device, a pipeline, a buffer, a submit. Code about
 * Murmuration is in minimal.c. SPDX-License-Identifier: MIT */
#ifndef PLUMBING_H
#define PLUMBING_H

#include <vulkan/vulkan.h>

#include <stddef.h>
#include <stdint.h>

typedef struct Vulkan {
    VkInstance instance;
    VkPhysicalDevice gpu;
    VkDevice device;
    uint32_t family; /* supports compute */
    VkQueue queue;
    VkCommandPool pool;
} Vulkan;

/* Ends the program with one line on stderr if the call failed. */
#define CHECK(call) check(call, #call)
void check(VkResult result, const char *call);

/* Opens the instance and the first GPU, otherwise the first device of any type. */
void open_instance(Vulkan *vulkan);
void open_device(Vulkan *vulkan, const VkPhysicalDeviceFeatures2 *features);
void close_vulkan(Vulkan *vulkan);

/* A host-visible buffer that shaders access by address. */
typedef struct Buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    void *mapped;
} Buffer;
Buffer make_buffer(Vulkan *vulkan, VkDeviceSize size, VkBufferUsageFlags usage);
void free_buffer(Vulkan *vulkan, Buffer *buffer);

/* A compute pipeline whose only input is push constants. */
typedef struct Pipeline {
    VkPipelineLayout layout;
    VkPipeline pipeline;
} Pipeline;
Pipeline make_pipeline(Vulkan *vulkan, const uint32_t *code, size_t codeSize, uint32_t pushSize);
void free_pipeline(Vulkan *vulkan, Pipeline *pipeline);

VkCommandBuffer begin_commands(Vulkan *vulkan);
/* Records a barrier from compute shaders to host reads, submits, and waits. */
void submit_and_wait(Vulkan *vulkan, VkCommandBuffer cmd);

#endif
