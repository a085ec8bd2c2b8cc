/* Objects of an engine that C snippets use, with their usual names. The snippets of a page are
 * compiled in one function, in the page's order. They may define these objects again.
 * SPDX-License-Identifier: MIT */
#include <vulkan/vulkan.h>

#include <murmuration/blocking.h>
#include <murmuration/buckets.h>
#include <murmuration/database.h>
#include <murmuration/group.h>
#include <murmuration/growable.h>
#include <murmuration/host_group.h>
#include <murmuration/host_multi.h>
#include <murmuration/mirror.h>
#include <murmuration/multi.h>
#include <murmuration/paged.h>
#include <murmuration/rows.h>
#include <murmuration/snapshot.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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
extern VkDescriptorSet descriptorSet;
extern uint32_t groups;

/* Frames: the engine's current frame number, and the last completed frame. */
extern uint32_t n, thisFrame;
extern uint64_t completed;
extern bool saveNow;

extern uint32_t count, maxValues;
extern VkDeviceAddress keysAddress, valuesAddress, statusesAddress, offsetsAddress, foundAddress,
    groupsAddress;
extern VkDeviceAddress countAddress, totalAddress, slotMapAddress, resultAddress;
extern const MurArray scratch;

extern const MurContextCreateInfo contextInfo;
extern const MurTableCreateInfo tableInfo;
extern const MurBatch batch;
extern MurContext context;
extern MurTable table, larger;

void VKAPI_PTR logMessage(void *pUserData, MurLogSeverity severity, const char *message);
