/* murminimal: a tour of Murmuration. A device, a context, a table; bulk insert, find and erase;
 * then our own shader (cells.comp), which claims cells in the table and allocates a payload for
 * each new one. Code without Murmuration is in plumbing.c.
 *
 * SPDX-License-Identifier: MIT */
#include "plumbing.h"

#include <murmuration/blocking.h> /* includes murmuration.h, which engines use */

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 10000, CELLS = 1024 };

/* cells.comp, compiled and embedded by the build, and its push constants. */
extern const uint32_t cells_spv[];
extern const size_t cells_spv_size;
typedef struct Push {
    MurTableRef cells;
    VkDeviceAddress pool;
    uint32_t points;
    uint32_t phase;
} Push;
typedef struct Pool {
    uint32_t newCount;
    uint32_t payloadCount;
    uint32_t newSlots[CELLS];
} Pool;

static void on_log(void *user, MurLogSeverity severity, const char *message) {
    (void)user;
    fprintf(severity == MUR_LOG_ERROR ? stderr : stdout, "murmuration: %s\n", message);
}

/* Step 1. Before the device exists: query the features that the library requires of this GPU. They
 * are enabled in the same structs that the engine fills in. */
static MurFeatureFlags open_device_for_tables(Vulkan *vulkan) {
    MurDeviceRequirements needs;
    CHECK(murGetDeviceRequirements(vulkan->instance, vulkan->gpu, vkGetInstanceProcAddr, &needs));
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
    };
    CHECK(murEnableDeviceFeatures(needs.required | needs.optional, &features));
    open_device(vulkan, &features);
    return needs.required | needs.optional;
}

/* Step 2. A context: one per device. */
static MurContext make_context(const Vulkan *vulkan, MurFeatureFlags features) {
    const MurContextCreateInfo info = {
        .instance = vulkan->instance,
        .physicalDevice = vulkan->gpu,
        .device = vulkan->device,
        .getInstanceProcAddr = vkGetInstanceProcAddr,
        .enabledFeatures = features,
        .pfnLog = on_log, /* reports why a call returned an error */
    };
    MurContext context;
    CHECK(murCreateContext(&info, &context));
    return context;
}

/* Step 4. Bulk operations on host arrays. An engine instead records murCmdInsert and other
 * commands into its own command buffers; the blocking helper uploads, records, submits, waits
 * and downloads. */
static void try_bulk_operations(MurBlocking blocking, MurTable table) {
    uint32_t keys[] = {7, 1000000, 0xFFFFFFFF}; /* every key is legal */
    uint32_t values[] = {70, 80, 90};
    uint32_t statuses[3];
    CHECK(murBlockingClear(blocking, table)); /* until then a new table's contents are undefined */
    CHECK(murBlockingInsert(blocking, table, MUR_MODE_ASSIGN, 3, keys, values, NULL, NULL));
    CHECK(murBlockingErase(blocking, table, 1, keys, NULL, NULL, NULL));
    CHECK(murBlockingFind(blocking, table, 3, keys, values, statuses, NULL));
    for (int i = 0; i < 3; ++i) {
        printf("key %10u: %-6s value %u\n", keys[i], murStatusName(statuses[i]), values[i]);
    }
}

/* Step 5. A frame of an engine: clear, claim (phase 0), allocate (phase 1). Library commands and
 * our own dispatches use the same table; a barrier is required between any two of them. */
static void record_frame(VkCommandBuffer cmd, MurTable table, Pipeline pipeline,
                         VkDeviceAddress pool) {
    CHECK(murCmdClear(cmd, table));
    for (uint32_t phase = 0; phase < 2; ++phase) {
        const Push push = {murGetTableRef(table), pool, POINTS, phase};
        CHECK(murCmdBarrier(cmd, table));
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
        vkCmdPushConstants(cmd, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push,
                           &push);
        vkCmdDispatch(cmd, (POINTS + 63) / 64, 1, 1);
    }
}

/* Step 6. Check the shader's results: every cell that contains a point has a payload. */
static void report(MurBlocking blocking, MurTable table, const Pool *pool) {
    MurStats stats;
    CHECK(murBlockingStats(blocking, table, &stats));
    printf("%d points fell into %u cells; %u payloads; longest probe %u slots\n", POINTS,
           stats.live, pool->payloadCount, stats.probeMax);
    uint32_t cells[CELLS], payloads[CELLS], count;
    CHECK(murBlockingExtract(blocking, table, 0, NULL, CELLS, cells, payloads, NULL, &count));
    for (uint32_t i = 0; i < count; ++i) {
        if (payloads[i] >= pool->payloadCount) {
            fprintf(stderr, "murminimal: cell %u has no payload\n", cells[i]);
            exit(EXIT_FAILURE);
        }
    }
}

int main(void) {
    Vulkan vulkan = {0};
    open_instance(&vulkan);
    MurFeatureFlags features = open_device_for_tables(&vulkan);
    MurContext context = make_context(&vulkan, features);

    /* Step 3. A table, in the library's memory (an engine can supply its own). With 32-bit atomics,
     * so that cells.comp can write it on every GPU. */
    const MurTableCreateInfo info = {
        .capacity = 4 * CELLS, .atomicWidth = MUR_ATOMIC_WIDTH_32, .pName = "cells"};
    MurTable table;
    CHECK(murCreateTable(context, &info, &table));
    const MurBlockingCreateInfo blockingInfo = {.queue = vulkan.queue,
                                                .queueFamilyIndex = vulkan.family};
    MurBlocking blocking;
    CHECK(murCreateBlocking(context, &blockingInfo, &blocking));
    try_bulk_operations(blocking, table);

    Buffer pool = make_buffer(&vulkan, sizeof(Pool), MUR_ARRAY_USAGE);
    *(Pool *)pool.mapped = (Pool){0};
    Pipeline pipeline = make_pipeline(&vulkan, cells_spv, cells_spv_size, sizeof(Push));
    VkCommandBuffer cmd = begin_commands(&vulkan);
    record_frame(cmd, table, pipeline, pool.address);
    submit_and_wait(&vulkan, cmd);
    report(blocking, table, pool.mapped);

    free_pipeline(&vulkan, &pipeline);
    free_buffer(&vulkan, &pool);
    murDestroyBlocking(blocking);
    murDestroyTable(table);
    murDestroyContext(context);
    close_vulkan(&vulkan);
    return EXIT_SUCCESS;
}
