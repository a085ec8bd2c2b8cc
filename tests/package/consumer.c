/* A minimal engine: device, context, table, insert, and its own shader with lookups. Each consumer
 * project builds it differently. The code is in the common subset of C11 and C++17.
 *
 *   consumer DEVICES SHADER.spv...
 *
 * creates DEVICES devices at the same time, each with a context and a table. With CONSUMER_VOLK it
 * calls Vulkan through its own volk, otherwise through libvulkan's prototypes.
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

enum { MAX_DEVICES = 4, COUNT = 1000 };

#define ZEROED(type, name) \
    type name;             \
    memset(&name, 0, sizeof name)

#define REQUIRE(condition) require(condition, #condition, __LINE__)
#define SUCCEED(call)      succeed(call, #call, __LINE__)

static void require(int holds, const char *condition, int line) {
    if (!holds) {
        fprintf(stderr, "consumer:%d: not true: %s\n", line, condition);
        exit(1);
    }
}

static void succeed(VkResult result, const char *call, int line) {
    if (result != VK_SUCCESS) {
        fprintf(stderr, "consumer:%d: %s: %s\n", line, call, murResultName(result));
        exit(1);
    }
}

typedef struct Engine {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    uint32_t family;
} Engine;

typedef struct Device {
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
    uint32_t salt; /* makes keys and values of each device different */
} Device;

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

static uint32_t key_of(const Device *d, uint32_t i) {
    return (i + 1) * 2654435761u + d->salt;
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

static void create_device(const Engine *engine, Device *d, MurFeatureFlags *enabled) {
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
    SUCCEED(vkCreateDevice(engine->physicalDevice, &info, NULL, &d->device));
    vkGetDeviceQueue(d->device, engine->family, 0, &d->queue);
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

static void create_buffer(const Engine *engine, Device *d) {
    ZEROED(VkBufferCreateInfo, info);
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = WORDS * sizeof(uint32_t);
    info.usage = MUR_ARRAY_USAGE;
    SUCCEED(vkCreateBuffer(d->device, &info, NULL, &d->buffer));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(d->device, d->buffer, &requirements);
    ZEROED(VkMemoryAllocateFlagsInfo, flags);
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    ZEROED(VkMemoryAllocateInfo, allocate);
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.pNext = &flags;
    allocate.allocationSize = requirements.size;
    allocate.memoryTypeIndex = host_memory_type(engine, requirements.memoryTypeBits);
    SUCCEED(vkAllocateMemory(d->device, &allocate, NULL, &d->memory));
    SUCCEED(vkBindBufferMemory(d->device, d->buffer, d->memory, 0));
    ZEROED(VkBufferDeviceAddressInfo, address);
    address.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    address.buffer = d->buffer;
    d->address = vkGetBufferDeviceAddress(d->device, &address);
    void *mapped;
    SUCCEED(vkMapMemory(d->device, d->memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    d->words = (uint32_t *)mapped;
}

static void create_commands(const Engine *engine, Device *d) {
    ZEROED(VkCommandPoolCreateInfo, pool);
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = engine->family;
    SUCCEED(vkCreateCommandPool(d->device, &pool, NULL, &d->pool));
    ZEROED(VkCommandBufferAllocateInfo, buffer);
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    buffer.commandPool = d->pool;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    SUCCEED(vkAllocateCommandBuffers(d->device, &buffer, &d->cmd));
}

static void open_device(const Engine *engine, Device *d, uint32_t index) {
    memset(d, 0, sizeof *d);
    d->salt = 1000003u * index;
    MurFeatureFlags enabled;
    create_device(engine, d, &enabled);
    create_buffer(engine, d);
    create_commands(engine, d);
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        d->words[KEYS + i] = key_of(d, i);
    }
    for (uint32_t i = 0; i < COUNT; ++i) {
        d->words[VALUES + i] = i + d->salt;
    }
    ZEROED(MurContextCreateInfo, context);
    context.instance = engine->instance;
    context.physicalDevice = engine->physicalDevice;
    context.device = d->device;
    context.getInstanceProcAddr = instance_proc_addr();
    context.enabledFeatures = enabled;
    context.pfnLog = on_log;
    SUCCEED(murCreateContext(&context, &d->context));
    ZEROED(MurTableCreateInfo, table);
    table.capacity = COUNT;
    table.seed = d->salt;
    SUCCEED(murCreateTable(d->context, &table, &d->table));
}

static void begin(Device *d) {
    SUCCEED(vkResetCommandPool(d->device, d->pool, 0));
    ZEROED(VkCommandBufferBeginInfo, info);
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    SUCCEED(vkBeginCommandBuffer(d->cmd, &info));
}

static void submit(Device *d) {
    SUCCEED(vkEndCommandBuffer(d->cmd));
    ZEROED(VkSubmitInfo, info);
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &d->cmd;
    SUCCEED(vkQueueSubmit(d->queue, 1, &info, VK_NULL_HANDLE));
    SUCCEED(vkQueueWaitIdle(d->queue));
}

static void fill_table(Device *d) {
    ZEROED(MurBatch, batch);
    batch.maxCount = COUNT;
    batch.keys.address = d->address + KEYS * sizeof(uint32_t);
    batch.keys.size = COUNT * sizeof(uint32_t);
    batch.values.address = d->address + VALUES * sizeof(uint32_t);
    batch.values.size = COUNT * sizeof(uint32_t);
    begin(d);
    SUCCEED(murCmdClear(d->cmd, d->table));
    SUCCEED(murCmdBarrier(d->cmd, d->table));
    SUCCEED(murCmdInsert(d->cmd, d->table, MUR_MODE_INSERT, &batch));
    SUCCEED(murCmdBarrier(d->cmd, d->table));
    submit(d);
}

static VkShaderModule load_shader(Device *d, const char *path) {
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
    SUCCEED(vkCreateShaderModule(d->device, &info, NULL, &module));
    free(code);
    return module;
}

static void record_lookups(Device *d, VkPipelineLayout layout, VkPipeline pipeline) {
    ZEROED(Push, push);
    push.table = murGetTableRef(d->table);
    push.keys = d->address + KEYS * sizeof(uint32_t);
    push.results = d->address + RESULTS * sizeof(uint32_t);
    push.count = 2 * COUNT;
    begin(d);
    vkCmdBindPipeline(d->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushConstants(d->cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(d->cmd, (2 * COUNT + 63) / 64, 1, 1);
    ZEROED(VkMemoryBarrier, barrier);
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(d->cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
    submit(d);
}

static void run_shader(Device *d, const char *path) {
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
    ZEROED(VkPipelineLayoutCreateInfo, layoutInfo);
    layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layoutInfo.pushConstantRangeCount = 1;
    layoutInfo.pPushConstantRanges = &range;
    VkPipelineLayout layout;
    SUCCEED(vkCreatePipelineLayout(d->device, &layoutInfo, NULL, &layout));
    ZEROED(VkComputePipelineCreateInfo, info);
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = load_shader(d, path);
    info.stage.pName = "main";
    info.layout = layout;
    VkPipeline pipeline;
    SUCCEED(vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    memset(d->words + RESULTS, 0xA5, 2 * COUNT * sizeof(uint32_t));
    record_lookups(d, layout, pipeline);
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        uint32_t expected = i < COUNT ? i + d->salt : UINT32_MAX;
        if (d->words[RESULTS + i] != expected) {
            fprintf(stderr, "consumer: %s, salt %u, key %u: expected %u, got %u\n", path, d->salt,
                    key_of(d, i), expected, d->words[RESULTS + i]);
            exit(1);
        }
    }
    vkDestroyPipeline(d->device, pipeline, NULL);
    vkDestroyShaderModule(d->device, info.stage.module, NULL);
    vkDestroyPipelineLayout(d->device, layout, NULL);
}

/* Calls the optional helper, to show that it links. Requires the right statistics. */
static void check_stats(const Engine *engine, Device *d) {
    ZEROED(MurBlockingCreateInfo, info);
    info.queue = d->queue;
    info.queueFamilyIndex = engine->family;
    MurBlocking blocking;
    SUCCEED(murCreateBlocking(d->context, &info, &blocking));
    MurStats stats;
    SUCCEED(murBlockingStats(blocking, d->table, &stats));
    REQUIRE(stats.live == COUNT);
    murDestroyBlocking(blocking);
}

static void close_device(Device *d) {
    murDestroyTable(d->table);
    murDestroyContext(d->context);
    vkDestroyCommandPool(d->device, d->pool, NULL);
    vkDestroyBuffer(d->device, d->buffer, NULL);
    vkFreeMemory(d->device, d->memory, NULL);
    vkDestroyDevice(d->device, NULL);
}

int main(int argc, char **argv) {
    int count = argc > 2 ? atoi(argv[1]) : 0;
    REQUIRE(count >= 1 && count <= MAX_DEVICES);
    REQUIRE(murGetVersion() == MUR_VERSION);
    Engine engine;
    Device devices[MAX_DEVICES];
    open_engine(&engine);
    for (int i = 0; i < count; ++i) {
        open_device(&engine, &devices[i], (uint32_t)i);
    }
    for (int i = 0; i < count; ++i) {
        fill_table(&devices[i]);
    }
    /* Devices are closed one by one, while the others still work, because they share nothing. */
    for (int i = 0; i < count; ++i) {
        for (int shader = 2; shader < argc; ++shader) {
            run_shader(&devices[i], argv[shader]);
        }
        check_stats(&engine, &devices[i]);
        close_device(&devices[i]);
    }
    vkDestroyInstance(engine.instance, NULL);
    printf("consumer: version %d.%d.%d, devices %d, shaders %d: right\n", MUR_VERSION_MAJOR,
           MUR_VERSION_MINOR, MUR_VERSION_PATCH, count, argc - 2);
    return 0;
}
