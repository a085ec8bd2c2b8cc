/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "gpu.h"
#include "seed.h"
#include "watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Gpu *opened; /* the open device; a program has at most one */

static void skip_case(Gpu *gpu) {
    gpu->skipped = true;
    skip();
}

static bool lacks_int64(const Gpu *gpu, VkResult result) {
    return gpu && !gpu->int64Atomics && result == MUR_ERROR_UNSUPPORTED &&
           strstr(gpu->lastLog, "MUR_FEATURE_INT64_ATOMICS");
}

bool gpu_offers(const Gpu *gpu, uint32_t format, MurAtomicWidth width) {
    const bool buckets = format == MUR_FORMAT_K64 && width == MUR_ATOMIC_WIDTH_32;
    const MurTableCreateInfo info = {.capacity = 1,
                                     .type = format_type(format, buckets ? MUR_TABLE_BUCKETS : 0),
                                     .atomicWidth = width};
    MurTableRequirements needs;
    const VkResult result = murGetTableRequirements(gpu->context, &info, &needs);
    assert_true(result == VK_SUCCESS || lacks_int64(gpu, result));
    return result == VK_SUCCESS;
}

void gpu_skip_unless_it_runs(Gpu *gpu, const uint32_t *code, size_t codeSize) {
    enum { HEADER = 5, CAPABILITY = 2 << 16 | 17, INT64 = 11, INT64_ATOMICS = 12 };
    for (size_t i = HEADER; i < codeSize / 4 && code[i] == CAPABILITY; i += 2) {
        if (!gpu->int64Atomics && (code[i + 1] == INT64 || code[i + 1] == INT64_ATOMICS)) {
            skip_case(gpu);
        }
    }
}

void gpu_require_(VkResult result, const char *expression, const char *file, int line) {
    if (lacks_int64(opened, result)) {
        skip_case(opened);
    }
    if (result != VK_SUCCESS) {
        print_error("%s:%d: %s: %s\n", file, line, expression, murResultName(result));
        _fail(file, line);
    }
}

void gpu_refused_(Gpu *gpu, VkResult result, const char *text, const char *call, const char *file,
                  int line) {
    if (result != MUR_ERROR_INVALID_ARGUMENT || !strstr(gpu->lastLog, text) || gpu->logErrors > 1) {
        print_error("%s:%d: %s: %s; the log says \"%s\", expected \"%s\"\n", file, line, call,
                    murResultName(result), gpu->lastLog, text);
        _fail(file, line);
    }
    gpu->lastLog[0] = '\0';
    gpu->logErrors = 0;
}

static bool environment_set(const char *name) {
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

bool gpu_validates(void) {
    return !environment_set("MUR_TEST_NO_VALIDATION");
}

static VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                      VkDebugUtilsMessageTypeFlagsEXT types,
                                      const VkDebugUtilsMessengerCallbackDataEXT *data,
                                      void *user) {
    Gpu *gpu = user;
    (void)types;
    (void)severity;
    if (gpu->expectMessages) {
        ++gpu->expected;
    } else {
        ++gpu->messages;
        print_error("validation: %s\n", data->pMessage);
    }
    return VK_FALSE;
}

static void on_log(void *user, MurLogSeverity severity, const char *message) {
    Gpu *gpu = user;
    if (severity == MUR_LOG_ERROR) {
        ++gpu->logErrors;
        snprintf(gpu->lastLog, sizeof gpu->lastLog, "%s", message);
    }
}

static void create_instance(Gpu *gpu) {
    const bool validate = gpu_validates();
    const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT,
    };
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = gpu,
    };
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = environment_set("MUR_TEST_GPU_AV") ? 3 : 1,
        .pEnabledValidationFeatures = enables,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "murmuration tests",
        .apiVersion = VK_API_VERSION_1_2,
    };
    const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
    const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = validate ? &features : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = validate ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = extensions,
    };
    gpu_require(volkInitialize());
    gpu_require(vkCreateInstance(&info, NULL, &gpu->instance));
    volkLoadInstance(gpu->instance);
    if (validate) {
        gpu_require(
            vkCreateDebugUtilsMessengerEXT(gpu->instance, &messenger, NULL, &gpu->messenger));
    }
}

static int preference(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    default:
        return 1;
    }
}

static void pick_device(Gpu *gpu) {
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    VkResult result = vkEnumeratePhysicalDevices(gpu->instance, &count, devices);
    assert_true(result == VK_SUCCESS || result == VK_INCOMPLETE);
    const char *wanted = getenv("MUR_TEST_DEVICE");
    int best = 0;
    for (uint32_t i = 0; i < count; ++i) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        int score = wanted ? (strtoul(wanted, NULL, 10) == i) : preference(properties.deviceType);
        if (score > best) {
            best = score;
            gpu->physicalDevice = devices[i];
            gpu->properties = properties;
        }
    }
    if (!gpu->physicalDevice) {
        fail_msg("no Vulkan device found (mesa-vulkan-drivers has a software one)");
    }
    gpu->software = gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    gpu->sharedMemory = limits->maxComputeWorkGroupInvocations >= 512 &&
                        limits->maxComputeWorkGroupSize[0] >= 512 &&
                        limits->maxComputeSharedMemorySize >= 24 << 10;
}

/* Returns the first queue family that has all wanted flags and none of the unwanted flags. */
static uint32_t find_family(const Gpu *gpu, VkQueueFlags wanted, VkQueueFlags unwanted,
                            uint32_t queues) {
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physicalDevice, &count, families);
    for (uint32_t i = 0; i < count; ++i) {
        VkQueueFlags flags = families[i].queueFlags;
        if ((flags & wanted) == wanted && !(flags & unwanted) && families[i].queueCount >= queues) {
            return i;
        }
    }
    fail_msg("no queue family of at least %u queues has flags 0x%x and not 0x%x", queues, wanted,
             unwanted);
    return UINT32_MAX;
}

static void pick_families(Gpu *gpu, const GpuOptions *options) {
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    if (environment_set("MUR_TEST_ONE_QUEUE")) {
        gpu->family = gpu->secondFamily = find_family(gpu, both, 0, 1);
        return;
    }
    gpu->family = options->computeOnly
                      ? find_family(gpu, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT, 1)
                      : find_family(gpu, both, 0, options->secondQueue ? 2 : 1);
    gpu->secondFamily = options->secondFamily
                            ? find_family(gpu, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT, 1)
                            : gpu->family;
}

static void create_device(Gpu *gpu, const GpuOptions *options) {
    MurDeviceRequirements requirements;
    gpu_require(murGetDeviceRequirements(gpu->instance, gpu->physicalDevice, vkGetInstanceProcAddr,
                                         &requirements));
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
    };
    MurFeatureFlags wanted = requirements.required | requirements.optional;
    gpu_require(murEnableDeviceFeatures(wanted, &features));
    gpu->int64Atomics = (wanted & MUR_FEATURE_INT64_ATOMICS) != 0;
    /* Features for tests that write tables in graphics stages and in arrays of bound tables. */
    VkPhysicalDeviceFeatures supported;
    vkGetPhysicalDeviceFeatures(gpu->physicalDevice, &supported);
    features.features.fragmentStoresAndAtomics = supported.fragmentStoresAndAtomics;
    features.features.vertexPipelineStoresAndAtomics = supported.vertexPipelineStoresAndAtomics;
    features.features.shaderStorageBufferArrayDynamicIndexing =
        supported.shaderStorageBufferArrayDynamicIndexing;
    features12.timelineSemaphore = VK_TRUE; /* every Vulkan 1.2 device supports it */
    bool oneQueue = environment_set("MUR_TEST_ONE_QUEUE");
    const float priorities[] = {1.0f, 1.0f};
    const VkDeviceQueueCreateInfo queues[] = {
        {
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = gpu->family,
            .queueCount = options->secondQueue && !oneQueue ? 2 : 1,
            .pQueuePriorities = priorities,
        },
        {
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = gpu->secondFamily,
            .queueCount = 1,
            .pQueuePriorities = priorities,
        },
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = gpu->secondFamily == gpu->family ? 1 : 2,
        .pQueueCreateInfos = queues,
    };
    gpu_require(vkCreateDevice(gpu->physicalDevice, &info, NULL, &gpu->device));
    vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
    if (options->secondQueue || options->secondFamily) {
        uint32_t index = gpu->secondFamily == gpu->family ? queues[0].queueCount - 1 : 0;
        vkGetDeviceQueue(gpu->device, gpu->secondFamily, index, &gpu->secondQueue);
    }
}

static void create_commands(Gpu *gpu) {
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = gpu->family,
    };
    gpu_require(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool));
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    gpu_require(vkAllocateCommandBuffers(gpu->device, &buffer, &gpu->cmd));
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    gpu_require(vkCreateFence(gpu->device, &fence, NULL, &gpu->fence));
}

void gpu_open_lane(const Gpu *gpu, Gpu *lane, VkQueue queue, uint32_t family) {
    *lane = *gpu;
    lane->queue = queue;
    lane->family = family;
    lane->blocking = VK_NULL_HANDLE;
    lane->kept = NULL;
    create_commands(lane);
}

void gpu_close_lane(Gpu *lane) {
    gpu_free_kept(lane);
    vkDestroyFence(lane->device, lane->fence, NULL);
    vkDestroyCommandPool(lane->device, lane->pool, NULL);
}

static void create_context(Gpu *gpu) {
    const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    gpu_require(vkCreatePipelineCache(gpu->device, &cache, NULL, &gpu->cache));
    const uint32_t families[] = {gpu->family, gpu->secondFamily};
    const MurContextCreateInfo info = {
        .instance = gpu->instance,
        .physicalDevice = gpu->physicalDevice,
        .device = gpu->device,
        .getInstanceProcAddr = vkGetInstanceProcAddr,
        .enabledFeatures = MUR_FEATURE_BUFFER_DEVICE_ADDRESS |
                           (gpu->int64Atomics ? MUR_FEATURE_INT64_ATOMICS : 0u),
        .pipelineCache = gpu->cache,
        .queueFamilyIndexCount = gpu->secondFamily == gpu->family ? 1 : 2,
        .pQueueFamilyIndices = families,
        .pfnLog = on_log,
        .pLogUserData = gpu,
    };
    gpu_require(murCreateContext(&info, &gpu->context));
    gpu->tuning = murGetTuning(gpu->context);
    const MurBlockingCreateInfo blocking = {
        .queue = gpu->queue,
        .queueFamilyIndex = gpu->family,
    };
    gpu_require(murCreateBlocking(gpu->context, &blocking, &gpu->blocking));
}

void gpu_open_with(Gpu *gpu, const GpuOptions *options) {
    memset(gpu, 0, sizeof *gpu);
    create_instance(gpu);
    pick_device(gpu);
    pick_families(gpu, options);
    create_device(gpu, options);
    create_commands(gpu);
    create_context(gpu);
    opened = gpu;
}

void gpu_open(Gpu *gpu) {
    gpu_open_with(gpu,
                  &(const GpuOptions){.computeOnly = environment_set("MUR_TEST_COMPUTE_QUEUE")});
    print_message("device: %s\n", gpu->properties.deviceName);
}

void gpu_open_second(const Gpu *gpu, Gpu *second) {
    *second = *gpu;
    second->kept = NULL;
    create_device(second, &(GpuOptions){0});
    create_commands(second);
    create_context(second);
}

void gpu_close_device(Gpu *gpu) {
    murDestroyBlocking(gpu->blocking);
    murDestroyContext(gpu->context);
    vkDestroyPipelineCache(gpu->device, gpu->cache, NULL);
    gpu_close_lane(gpu);
    vkDestroyDevice(gpu->device, NULL);
}

void gpu_close(Gpu *gpu) {
    opened = NULL;
    gpu->expectMessages |= gpu->skipped;
    gpu_close_device(gpu);
    if (gpu->messenger) {
        vkDestroyDebugUtilsMessengerEXT(gpu->instance, gpu->messenger, NULL);
    }
    vkDestroyInstance(gpu->instance, NULL);
    assert_int_equal(gpu->messages, 0);
}

int gpu_group_setup(void **state) {
    Gpu *gpu = test_allocate(sizeof *gpu);
    gpu_open(gpu);
    *state = gpu;
    return 0;
}

int gpu_group_teardown(void **state) {
    gpu_close(*state);
    free(*state);
    return 0;
}

int gpu_test_setup(void **state) {
    Gpu *gpu = *state;
    gpu->messagesBefore = gpu->messages;
    gpu->expectMessages = false;
    gpu->expected = 0;
    gpu->logErrors = 0;
    gpu->lastLog[0] = '\0';
    gpu_take(gpu, WAY_DEFAULT);
    watchdog(test_full() ? 3600 : 300); /* tests of --long use all cores */
    return 0;
}

int gpu_test_teardown(void **state) {
    Gpu *gpu = *state;
    watchdog(0);
    return gpu->messages == gpu->messagesBefore ? 0 : -1;
}

static uint32_t memory_type(Gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags flags) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu->physicalDevice, &memory);
    /* Host-visible buffers use cached memory if possible, because other memory is slow to read. */
    bool host = (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
    for (uint32_t i = 0; i < 2 * memory.memoryTypeCount; ++i) {
        uint32_t type = i % memory.memoryTypeCount;
        VkMemoryPropertyFlags cached = host ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0;
        VkMemoryPropertyFlags wanted = i < memory.memoryTypeCount ? flags | cached : flags;
        bool fits = (memory.memoryTypes[type].propertyFlags & wanted) == wanted;
        if (fits && (allowed & (1u << type)) != 0) {
            return type;
        }
    }
    fail_msg("no memory type with properties 0x%x", flags);
    return 0;
}

VkDeviceMemory gpu_allocate(Gpu *gpu, const VkMemoryRequirements *needs,
                            VkMemoryPropertyFlags flags) {
    const VkMemoryAllocateFlagsInfo allocateFlags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &allocateFlags,
        .allocationSize = needs->size,
        .memoryTypeIndex = memory_type(gpu, needs->memoryTypeBits, flags),
    };
    VkDeviceMemory memory;
    gpu_require(vkAllocateMemory(gpu->device, &allocate, NULL, &memory));
    return memory;
}

static GpuBuffer create_buffer(Gpu *gpu, VkDeviceSize size, VkMemoryPropertyFlags flags) {
    GpuBuffer buffer = {.size = size};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
    };
    gpu_require(vkCreateBuffer(gpu->device, &info, NULL, &buffer.buffer));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(gpu->device, buffer.buffer, &requirements);
    buffer.memory = gpu_allocate(gpu, &requirements, flags);
    gpu_require(vkBindBufferMemory(gpu->device, buffer.buffer, buffer.memory, 0));
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer.buffer,
    };
    buffer.address = vkGetBufferDeviceAddress(gpu->device, &address);
    if (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) {
        gpu_require(vkMapMemory(gpu->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped));
    }
    return buffer;
}

GpuBuffer gpu_buffer(Gpu *gpu, VkDeviceSize size) {
    return create_buffer(
        gpu, size, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
}

GpuBuffer gpu_device_buffer(Gpu *gpu, VkDeviceSize size) {
    return create_buffer(gpu, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

void gpu_free(Gpu *gpu, GpuBuffer *buffer) {
    vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
    vkFreeMemory(gpu->device, buffer->memory, NULL);
    memset(buffer, 0, sizeof *buffer);
}

MurArray gpu_array(const GpuBuffer *buffer) {
    return (MurArray){buffer->address, buffer->size};
}

MurArray gpu_part(const GpuBuffer *buffer, uint64_t first, uint64_t count) {
    return (MurArray){buffer->address + 4 * first, 4 * count};
}

VkCommandBuffer gpu_begin(Gpu *gpu) {
    gpu_require(vkResetCommandPool(gpu->device, gpu->pool, 0));
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    gpu_require(vkBeginCommandBuffer(gpu->cmd, &info));
    return gpu->cmd;
}

void gpu_barrier(Gpu *gpu) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    vkCmdPipelineBarrier(gpu->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

void gpu_send(Gpu *gpu) {
    gpu_require(vkEndCommandBuffer(gpu->cmd));
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &gpu->cmd,
    };
    gpu_require(vkQueueSubmit(gpu->queue, 1, &info, gpu->fence));
}

void gpu_wait(Gpu *gpu) {
    gpu_require(vkWaitForFences(gpu->device, 1, &gpu->fence, VK_TRUE, GPU_WAIT));
    gpu_require(vkResetFences(gpu->device, 1, &gpu->fence));
}

void gpu_submit(Gpu *gpu) {
    gpu_barrier(gpu);
    gpu_send(gpu);
    gpu_wait(gpu);
}

void gpu_take(Gpu *gpu, Way way) {
    const MurTuning tuning = way_tuning(&gpu->tuning, way);
    gpu->way = way;
    gpu_require(murSetTuning(gpu->context, &tuning));
}

MurTable gpu_table(Gpu *gpu, const MurTableCreateInfo *info) {
    MurTable table;
    gpu_require(murCreateTable(gpu->context, info, &table));
    gpu_require(murBlockingClear(gpu->blocking, table));
    return table;
}

MurStats gpu_stats(Gpu *gpu, MurTable table) {
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, table, &stats));
    return stats;
}
