/* What the README's C snippets take as given: an engine's own objects, under their usual names. The
 * snippets follow one another in one function, as the README tells them.
 *
 * SPDX-License-Identifier: MIT */
#include <vulkan/vulkan.h>

#include <murmuration/blocking.h>
#include <murmuration/murmuration.h>

#include <stddef.h>
#include <stdint.h>

extern VkInstance instance;
extern VkPhysicalDevice physicalDevice;
extern VkDevice device;
extern VkQueue queue;
extern uint32_t queueFamilyIndex;
extern VkPipelineCache pipelineCache;
extern VkPhysicalDeviceFeatures2 features2;

extern VkCommandBuffer cmd, computeCmd;
extern uint32_t computeFamily, graphicsFamily;
extern VkPipelineLayout layout;
extern VkPipeline pipeline;
extern uint32_t groups;

extern uint32_t count;
extern VkDeviceAddress keysAddress, valuesAddress;

extern MurContext context;
extern MurTable table;
