/* murminimal: a tour of Murmuration. A device, a context, a table; bulk insert, erase and find;
 * then our own shader (cells.comp), which claims cells in the table and allocates a payload for
 * each new cell. Begin at main; plumbing.c has the parts that every Vulkan program has.
 * SPDX-License-Identifier: MIT */
#include "plumbing.h"

#include <murmuration/murmuration.h>

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 10000, CELLS = 1024 };

/* cells.comp, compiled and embedded by the build, and its push constants. */
extern const uint32_t cells_spv[];
extern const size_t cells_spv_size;
typedef struct Push {
    MurTableRef cells;
    VkDeviceAddress pool;
    uint32_t points, phase;
} Push;
typedef struct Pool {
    uint32_t newCount, payloadCount;
    uint32_t newSlots[CELLS];
    uint32_t cellsWithoutPayload; /* written by murCmdExtract */
} Pool;
typedef struct Items { /* arrays of the bulk commands */
    uint32_t keys[3], values[3], found[3], statuses[3];
} Items;

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
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &features12};
    CHECK(murEnableDeviceFeatures(needs.required | needs.optional, &features));
    open_device(vulkan, &features);
    return needs.required | needs.optional;
}

/* Step 2. A context: one per device. */
static MurContext make_context(const Vulkan *vulkan, MurFeatureFlags features) {
    const MurContextCreateInfo info = {.instance = vulkan->instance,
                                       .physicalDevice = vulkan->gpu,
                                       .device = vulkan->device,
                                       .getInstanceProcAddr = vkGetInstanceProcAddr,
                                       .enabledFeatures = features,
                                       .pfnLog = on_log}; /* reports why a call failed */
    MurContext context;
    CHECK(murCreateContext(&info, &context));
    return context;
}

/* Step 4. Bulk commands on arrays in GPU memory. Each command here must see the result of the
 * command before it, so there is a barrier between them. */
static void try_bulk_commands(Vulkan *vulkan, MurTable table) {
    Buffer buffer = make_buffer(vulkan, sizeof(Items), MUR_ARRAY_USAGE);
    Items *items = buffer.mapped;
    *items = (Items){.keys = {7, 1000000, 0xFFFFFFFF}, .values = {70, 80, 90}};
    const MurArray keys = {buffer.address + offsetof(Items, keys), sizeof items->keys};
    const MurArray values = {buffer.address + offsetof(Items, values), sizeof items->values};
    const MurArray found = {buffer.address + offsetof(Items, found), sizeof items->found};
    const MurArray statuses = {buffer.address + offsetof(Items, statuses), sizeof items->statuses};
    const MurBatch insert = {.maxCount = 3, .keys = keys, .values = values};
    const MurBatch erase = {.maxCount = 1, .keys = keys}; /* the first key */
    const MurBatch find = {.maxCount = 3, .keys = keys, .values = found, .statuses = statuses};
    VkCommandBuffer cmd = begin_commands(vulkan);
    CHECK(murCmdClear(cmd, table)); /* until then a new table's contents are undefined */
    CHECK(murCmdBarrier(cmd, table));
    CHECK(murCmdInsert(cmd, table, MUR_MODE_ASSIGN, &insert));
    CHECK(murCmdBarrier(cmd, table));
    CHECK(murCmdErase(cmd, table, &erase));
    CHECK(murCmdBarrier(cmd, table));
    CHECK(murCmdFind(cmd, table, &find));
    submit_and_wait(vulkan, cmd); /* also makes the results visible to the host */
    for (int i = 0; i < 3; ++i) {
        printf("key %10u: %-6s value %u\n", items->keys[i], murStatusName(items->statuses[i]),
               items->found[i]);
    }
    free_buffer(vulkan, &buffer);
}

/* Step 5. A frame of an engine: clear, claim (phase 0), allocate (phase 1), check. Library commands
 * and our own dispatches use the same table, with the same barriers between them. */
static void record_frame(VkCommandBuffer cmd, MurTable table, Pipeline pipeline,
                         VkDeviceAddress pool) {
    CHECK(murCmdBarrier(cmd, table)); /* after the previous submit */
    CHECK(murCmdClear(cmd, table));
    for (uint32_t phase = 0; phase < 2; ++phase) {
        const Push push = {murGetTableRef(table), pool, POINTS, phase};
        CHECK(murCmdBarrier(cmd, table)); /* covers the pool, too */
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
        vkCmdPushConstants(cmd, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push,
                           &push);
        vkCmdDispatch(cmd, (POINTS + 63) / 64, 1, 1);
    }
    const MurExtract extract = {
        /* without arrays: counts the entries whose value is >= CELLS */
        .countAddress = pool + offsetof(Pool, cellsWithoutPayload),
        .predicates = {{.compare = MUR_COMPARE_GREATER_EQUAL, .reference = CELLS}}};
    CHECK(murCmdBarrier(cmd, table));
    CHECK(murCmdExtract(cmd, table, &extract));
}

/* Step 6. Check the shader's results: every cell that contains a point has a payload. */
static void report(const Pool *pool) {
    printf("%d points fell into %u cells; %u payloads\n", POINTS, pool->newCount,
           pool->payloadCount);
    if (pool->newCount != pool->payloadCount || pool->cellsWithoutPayload != 0) {
        fprintf(stderr, "murminimal: %u cells have no payload\n", pool->cellsWithoutPayload);
        exit(EXIT_FAILURE);
    }
}

int main(void) {
    Vulkan vulkan = {0};
    open_instance(&vulkan);
    MurContext context = make_context(&vulkan, open_device_for_tables(&vulkan));

    /* Step 3. A table, in the library's memory (an engine can supply its own). With 32-bit atomics,
     * so that cells.comp can write it on every GPU. */
    const MurTableCreateInfo info = {
        .capacity = 4 * CELLS, .atomicWidth = MUR_ATOMIC_WIDTH_32, .pName = "cells"};
    MurTable table;
    CHECK(murCreateTable(context, &info, &table));
    try_bulk_commands(&vulkan, table);

    Buffer pool = make_buffer(&vulkan, sizeof(Pool), MUR_ARRAY_USAGE);
    *(Pool *)pool.mapped = (Pool){0};
    Pipeline pipeline = make_pipeline(&vulkan, cells_spv, cells_spv_size, sizeof(Push));
    VkCommandBuffer cmd = begin_commands(&vulkan);
    record_frame(cmd, table, pipeline, pool.address);
    submit_and_wait(&vulkan, cmd);
    report(pool.mapped);

    free_pipeline(&vulkan, &pipeline);
    free_buffer(&vulkan, &pool);
    murDestroyTable(table);
    murDestroyContext(context);
    close_vulkan(&vulkan);
    return EXIT_SUCCESS;
}
