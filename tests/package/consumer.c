/* A minimal engine: device, context, table, insert, and its own shader with lookups. Each consumer
 * project builds it differently. The code is in the common subset of C11 and C++17.
 *
 *   consumer SHADER.spv...
 *
 * With CONSUMER_VOLK it calls Vulkan through its own volk, otherwise through libvulkan's
 * prototypes.
 * SPDX-License-Identifier: MIT */
#ifdef CONSUMER_VOLK
#include <volk.h>
#else
#include <vulkan/vulkan.h>
#endif

#include <murmuration/blocking.h>
#include <murmuration/murmuration.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };

#define ZEROED(type, name) \
    type name;             \
    memset(&name, 0, sizeof name)

#define REQUIRE(condition) require(condition, #condition, __LINE__)
#define SUCCEED(call)      REQUIRE((call) == VK_SUCCESS)

static void require(int holds, const char *condition, int line) {
    if (!holds) {
        fprintf(stderr, "consumer:%d: not true: %s\n", line, condition);
        exit(1);
    }
}

typedef struct Engine {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    uint32_t family;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkBuffer buffer; /* contains keys, values and results */
    VkDeviceMemory memory;
    VkDeviceAddress address;
    uint32_t *words;
    MurContext context;
    MurTable table;
} Engine;

/* Push constants of consumer.comp. */
typedef struct Push {
    MurTableRef table;
    VkDeviceAddress keys;
    VkDeviceAddress results;
    uint32_t count;
    uint32_t pad;
} Push;

/* The buffer: 2 * COUNT keys (the first half is inserted), COUNT values, 2 * COUNT results. */
enum { KEYS = 0, VALUES = 2 * COUNT, RESULTS = 3 * COUNT, WORDS = 5 * COUNT };

static uint32_t key_of(uint32_t i) {
    return (i + 1) * 2654435761u;
}

static void VKAPI_PTR on_log(void *user, MurLogSeverity severity, const char *message) {
    (void)user;
    if (severity == MUR_LOG_ERROR) {
        fprintf(stderr, "consumer: %s\n", message);
    }
}

static PFN_vkGetInstanceProcAddr instance_proc_addr(void) {
#ifdef CONSUMER_VOLK
    return vkGetInstanceProcAddr;
#else
    return NULL; /* the library then finds the system's loader */
#endif
}

static void open_engine(Engine *engine) {
    memset(engine, 0, sizeof *engine);
    ZEROED(VkApplicationInfo, application);
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    ZEROED(VkInstanceCreateInfo, info);
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
#ifdef CONSUMER_VOLK
    SUCCEED(volkInitialize());
#endif
    SUCCEED(vkCreateInstance(&info, NULL, &engine->instance));
#ifdef CONSUMER_VOLK
    volkLoadInstance(engine->instance);
#endif
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    SUCCEED(vkEnumeratePhysicalDevices(engine->instance, &count, devices));
    const char *wanted = getenv("MUR_TEST_DEVICE");
    unsigned long index = wanted ? strtoul(wanted, NULL, 10) : 0;
    REQUIRE(index < count);
    engine->physicalDevice = devices[index];
    VkQueueFamilyProperties families[16];
    uint32_t familyCount = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(engine->physicalDevice, &familyCount, families);
    engine->family = 0;
    while (engine->family < familyCount &&
           !(families[engine->family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
        ++engine->family;
    }
    REQUIRE(engine->family < familyCount);
}

static void create_device(Engine *engine, MurFeatureFlags *enabled) {
    MurDeviceRequirements requirements;
    SUCCEED(murGetDeviceRequirements(engine->instance, engine->physicalDevice, instance_proc_addr(),
                                     &requirements));
    ZEROED(VkPhysicalDeviceVulkan12Features, features12);
    features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    ZEROED(VkPhysicalDeviceFeatures2, features);
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &features12;
    *enabled = requirements.required | requirements.optional;
    SUCCEED(murEnableDeviceFeatures(*enabled, &features));
    const float priority = 1.0f;
    ZEROED(VkDeviceQueueCreateInfo, queue);
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = engine->family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    ZEROED(VkDeviceCreateInfo, info);
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    SUCCEED(vkCreateDevice(engine->physicalDevice, &info, NULL, &engine->device));
    vkGetDeviceQueue(engine->device, engine->family, 0, &engine->queue);
}

static uint32_t host_memory_type(const Engine *engine, uint32_t allowed) {
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(engine->physicalDevice, &memory);
    uint32_t type = 0;
    while (type < memory.memoryTypeCount &&
           (!(allowed & (1u << type)) ||
            (memory.memoryTypes[type].propertyFlags & wanted) != wanted)) {
        ++type;
    }
    REQUIRE(type < memory.memoryTypeCount);
    return type;
}

static void create_buffer(Engine *engine) {
    ZEROED(VkBufferCreateInfo, info);
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = WORDS * sizeof(uint32_t);
    info.usage = MUR_ARRAY_USAGE;
    SUCCEED(vkCreateBuffer(engine->device, &info, NULL, &engine->buffer));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(engine->device, engine->buffer, &requirements);
    ZEROED(VkMemoryAllocateFlagsInfo, flags);
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    ZEROED(VkMemoryAllocateInfo, allocate);
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.pNext = &flags;
    allocate.allocationSize = requirements.size;
    allocate.memoryTypeIndex = host_memory_type(engine, requirements.memoryTypeBits);
    SUCCEED(vkAllocateMemory(engine->device, &allocate, NULL, &engine->memory));
    SUCCEED(vkBindBufferMemory(engine->device, engine->buffer, engine->memory, 0));
    ZEROED(VkBufferDeviceAddressInfo, address);
    address.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    address.buffer = engine->buffer;
    engine->address = vkGetBufferDeviceAddress(engine->device, &address);
    void *mapped;
    SUCCEED(vkMapMemory(engine->device, engine->memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    engine->words = (uint32_t *)mapped;
}

static void create_commands(Engine *engine) {
    ZEROED(VkCommandPoolCreateInfo, pool);
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = engine->family;
    SUCCEED(vkCreateCommandPool(engine->device, &pool, NULL, &engine->pool));
    ZEROED(VkCommandBufferAllocateInfo, buffer);
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    buffer.commandPool = engine->pool;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    SUCCEED(vkAllocateCommandBuffers(engine->device, &buffer, &engine->cmd));
}

static void create_table(Engine *engine, MurFeatureFlags enabled) {
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        engine->words[KEYS + i] = key_of(i);
    }
    for (uint32_t i = 0; i < COUNT; ++i) {
        engine->words[VALUES + i] = i;
    }
    ZEROED(MurContextCreateInfo, context);
    context.instance = engine->instance;
    context.physicalDevice = engine->physicalDevice;
    context.device = engine->device;
    context.getInstanceProcAddr = instance_proc_addr();
    context.enabledFeatures = enabled;
    context.pfnLog = on_log;
    SUCCEED(murCreateContext(&context, &engine->context));
    ZEROED(MurTableCreateInfo, table);
    table.capacity = COUNT;
    SUCCEED(murCreateTable(engine->context, &table, &engine->table));
}

static void begin(Engine *engine) {
    SUCCEED(vkResetCommandPool(engine->device, engine->pool, 0));
    ZEROED(VkCommandBufferBeginInfo, info);
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    SUCCEED(vkBeginCommandBuffer(engine->cmd, &info));
}

static void submit(Engine *engine) {
    SUCCEED(vkEndCommandBuffer(engine->cmd));
    ZEROED(VkSubmitInfo, info);
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &engine->cmd;
    SUCCEED(vkQueueSubmit(engine->queue, 1, &info, VK_NULL_HANDLE));
    SUCCEED(vkQueueWaitIdle(engine->queue));
}

static void record_inserts(Engine *engine) {
    ZEROED(MurBatch, batch);
    batch.maxCount = COUNT;
    batch.keys.address = engine->address + KEYS * sizeof(uint32_t);
    batch.keys.size = COUNT * sizeof(uint32_t);
    batch.values.address = engine->address + VALUES * sizeof(uint32_t);
    batch.values.size = COUNT * sizeof(uint32_t);
    SUCCEED(murCmdClear(engine->cmd, engine->table));
    SUCCEED(murCmdBarrier(engine->cmd, engine->table));
    SUCCEED(murCmdInsert(engine->cmd, engine->table, MUR_MODE_INSERT, &batch));
    SUCCEED(murCmdBarrier(engine->cmd, engine->table));
}

static VkShaderModule load_shader(Engine *engine, const char *path) {
    enum { MAX_WORDS = 1 << 16 };
    uint32_t *code = (uint32_t *)malloc(MAX_WORDS * sizeof *code);
    FILE *file = fopen(path, "rb");
    REQUIRE(code && file);
    size_t words = fread(code, sizeof *code, MAX_WORDS, file);
    fclose(file);
    REQUIRE(words > 0 && words < MAX_WORDS);
    ZEROED(VkShaderModuleCreateInfo, info);
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = words * sizeof *code;
    info.pCode = code;
    VkShaderModule module;
    SUCCEED(vkCreateShaderModule(engine->device, &info, NULL, &module));
    free(code);
    return module;
}

static void record_lookups(Engine *engine, VkPipelineLayout layout, VkPipeline pipeline) {
    ZEROED(Push, push);
    push.table = murGetTableRef(engine->table);
    push.keys = engine->address + KEYS * sizeof(uint32_t);
    push.results = engine->address + RESULTS * sizeof(uint32_t);
    push.count = 2 * COUNT;
    vkCmdBindPipeline(engine->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushConstants(engine->cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(engine->cmd, (2 * COUNT + 63) / 64, 1, 1);
    ZEROED(VkMemoryBarrier, barrier);
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(engine->cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void run_shader(Engine *engine, const char *path) {
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
    ZEROED(VkPipelineLayoutCreateInfo, layoutInfo);
    layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layoutInfo.pushConstantRangeCount = 1;
    layoutInfo.pPushConstantRanges = &range;
    VkPipelineLayout layout;
    SUCCEED(vkCreatePipelineLayout(engine->device, &layoutInfo, NULL, &layout));
    ZEROED(VkComputePipelineCreateInfo, info);
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = load_shader(engine, path);
    info.stage.pName = "main";
    info.layout = layout;
    VkPipeline pipeline;
    SUCCEED(vkCreateComputePipelines(engine->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    memset(engine->words + RESULTS, 0xA5, 2 * COUNT * sizeof(uint32_t));
    begin(engine);
    record_inserts(engine);
    record_lookups(engine, layout, pipeline);
    submit(engine);
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        uint32_t expected = i < COUNT ? i : UINT32_MAX;
        if (engine->words[RESULTS + i] != expected) {
            fprintf(stderr, "consumer: %s, key %u: expected %u, got %u\n", path, key_of(i),
                    expected, engine->words[RESULTS + i]);
            exit(1);
        }
    }
    vkDestroyPipeline(engine->device, pipeline, NULL);
    vkDestroyShaderModule(engine->device, info.stage.module, NULL);
    vkDestroyPipelineLayout(engine->device, layout, NULL);
}

/* Calls the optional helper, to show that it links. Requires the right statistics. */
static void check_stats(Engine *engine) {
    ZEROED(MurBlockingCreateInfo, info);
    info.queue = engine->queue;
    info.queueFamilyIndex = engine->family;
    MurBlocking blocking;
    SUCCEED(murCreateBlocking(engine->context, &info, &blocking));
    MurStats stats;
    SUCCEED(murBlockingStats(blocking, engine->table, &stats));
    REQUIRE(stats.live == COUNT);
    murDestroyBlocking(blocking);
}

static void close_engine(Engine *engine) {
    murDestroyTable(engine->table);
    murDestroyContext(engine->context);
    vkDestroyCommandPool(engine->device, engine->pool, NULL);
    vkDestroyBuffer(engine->device, engine->buffer, NULL);
    vkFreeMemory(engine->device, engine->memory, NULL);
    vkDestroyDevice(engine->device, NULL);
    vkDestroyInstance(engine->instance, NULL);
}

int main(int argc, char **argv) {
    Engine engine;
    MurFeatureFlags enabled;
    REQUIRE(murGetVersion() == MUR_VERSION);
    open_engine(&engine);
    create_device(&engine, &enabled);
    create_buffer(&engine);
    create_commands(&engine);
    create_table(&engine, enabled);
    for (int shader = 1; shader < argc; ++shader) {
        run_shader(&engine, argv[shader]);
    }
    check_stats(&engine);
    close_engine(&engine);
    printf("consumer: version %d.%d.%d, shaders %d: right\n", MUR_VERSION_MAJOR, MUR_VERSION_MINOR,
           MUR_VERSION_PATCH, argc - 1);
    return 0;
}
