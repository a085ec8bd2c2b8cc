/* A minimal engine: device, context, table, insert, and its own shader with lookups. Each consumer
 * project builds it differently, with the plumbing of demo/minimal. The code is in the common
 * subset of C11 and C++17, with designated initialisers.
 *
 *   consumer SHADER.spv...
 *
 * With CONSUMER_VOLK it calls Vulkan through its own volk, otherwise through libvulkan's
 * prototypes.
 * SPDX-License-Identifier: MIT */
#ifdef CONSUMER_VOLK
#include <volk.h>
#endif

#include <murmuration/blocking.h>
#include <murmuration/murmuration.h>

#include "plumbing.c"

#include <string.h>

enum { COUNT = 1000 };

/* Push constants of consumer.comp. */
typedef struct Push {
    MurTableRef table;
    VkDeviceAddress keys;
    VkDeviceAddress results;
    uint32_t count;
    uint32_t pad;
} Push;

/* Arrays in GPU memory. The first half of the keys is inserted, all are looked up. */
typedef struct Arrays {
    uint32_t keys[2 * COUNT], values[COUNT], results[2 * COUNT];
} Arrays;

static void require(int holds, const char *condition) {
    if (!holds) {
        fprintf(stderr, "consumer: not true: %s\n", condition);
        exit(1);
    }
}
#define REQUIRE(condition) require(condition, #condition)

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

/* The instance and its first device. */
static void open_first(Vulkan *vulkan) {
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
#ifdef CONSUMER_VOLK
    CHECK(volkInitialize());
#endif
    CHECK(vkCreateInstance(&info, NULL, &vulkan->instance));
#ifdef CONSUMER_VOLK
    volkLoadInstance(vulkan->instance);
#endif
    uint32_t count = 1;
    REQUIRE(vkEnumeratePhysicalDevices(vulkan->instance, &count, &vulkan->gpu) >= VK_SUCCESS);
}

static MurContext open_context(Vulkan *vulkan) {
    MurDeviceRequirements needs;
    CHECK(murGetDeviceRequirements(vulkan->instance, vulkan->gpu, instance_proc_addr(), &needs));
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    features.pNext = &features12;
    const MurFeatureFlags enabled = needs.required | needs.optional;
    CHECK(murEnableDeviceFeatures(enabled, &features));
    open_device(vulkan, &features);
    MurContextCreateInfo info;
    memset(&info, 0, sizeof info);
    info.instance = vulkan->instance;
    info.physicalDevice = vulkan->gpu;
    info.device = vulkan->device;
    info.getInstanceProcAddr = instance_proc_addr();
    info.enabledFeatures = enabled;
    info.pfnLog = on_log;
    MurContext context;
    CHECK(murCreateContext(&info, &context));
    return context;
}

static Pipeline load_shader(Vulkan *vulkan, const char *path) {
    static uint32_t code[1 << 16];
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    const size_t size = fread(code, 1, sizeof code, file);
    fclose(file);
    REQUIRE(size > 0 && size < sizeof code);
    return make_pipeline(vulkan, code, size, sizeof(Push));
}

/* Inserts the first half of the keys, and looks all keys up by the engine's shader. */
static void run_shader(Vulkan *vulkan, MurTable table, const Buffer *buffer, const char *path) {
    Arrays *arrays = (Arrays *)buffer->mapped;
    Pipeline pipeline = load_shader(vulkan, path);
    MurBatch batch;
    memset(&batch, 0, sizeof batch);
    batch.maxCount = COUNT;
    batch.keys.address = buffer->address;
    batch.values.address = buffer->address + offsetof(Arrays, values);
    batch.keys.size = batch.values.size = sizeof arrays->values;
    const Push push = {murGetTableRef(table), buffer->address,
                       buffer->address + offsetof(Arrays, results), 2 * COUNT, 0};
    memset(arrays->results, 0xA5, sizeof arrays->results);
    VkCommandBuffer cmd = begin_commands(vulkan);
    CHECK(murCmdClear(cmd, table));
    CHECK(murCmdBarrier(cmd, table));
    CHECK(murCmdInsert(cmd, table, MUR_MODE_INSERT, &batch));
    CHECK(murCmdBarrier(cmd, table));
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
    vkCmdPushConstants(cmd, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(cmd, (2 * COUNT + 63) / 64, 1, 1);
    submit_and_wait(vulkan, cmd);
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        const uint32_t expected = i < COUNT ? i : UINT32_MAX;
        if (arrays->results[i] != expected) {
            fprintf(stderr, "consumer: %s, key %u: expected %u, got %u\n", path, arrays->keys[i],
                    expected, arrays->results[i]);
            exit(1);
        }
    }
    free_pipeline(vulkan, &pipeline);
}

/* Calls the optional helper, to show that it links. Requires the right statistics. */
static void check_stats(const Vulkan *vulkan, MurContext context, MurTable table) {
    MurBlockingCreateInfo info;
    memset(&info, 0, sizeof info);
    info.queue = vulkan->queue;
    info.queueFamilyIndex = vulkan->family;
    MurBlocking blocking;
    CHECK(murCreateBlocking(context, &info, &blocking));
    MurStats stats;
    CHECK(murBlockingStats(blocking, table, &stats));
    REQUIRE(stats.live == COUNT);
    murDestroyBlocking(blocking);
}

int main(int argc, char **argv) {
    REQUIRE(murGetVersion() == MUR_VERSION);
    Vulkan vulkan;
    open_first(&vulkan);
    MurContext context = open_context(&vulkan);
    MurTableCreateInfo info;
    memset(&info, 0, sizeof info);
    info.capacity = COUNT;
    MurTable table;
    CHECK(murCreateTable(context, &info, &table));
    Buffer buffer = make_buffer(&vulkan, sizeof(Arrays), MUR_ARRAY_USAGE);
    Arrays *arrays = (Arrays *)buffer.mapped;
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        arrays->keys[i] = (i + 1) * 2654435761u;
        arrays->values[i % COUNT] = i % COUNT;
    }
    for (int shader = 1; shader < argc; ++shader) {
        run_shader(&vulkan, table, &buffer, argv[shader]);
    }
    check_stats(&vulkan, context, table);
    free_buffer(&vulkan, &buffer);
    murDestroyTable(table);
    murDestroyContext(context);
    close_vulkan(&vulkan);
    printf("consumer: version %d.%d.%d, shaders %d: right\n", MUR_VERSION_MAJOR, MUR_VERSION_MINOR,
           MUR_VERSION_PATCH, argc - 1);
    return 0;
}
