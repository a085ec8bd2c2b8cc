/* What commands record. The context gets a vkGetInstanceProcAddr of this program's, through which
 * every function that the library calls can be watched: the dispatches, barriers and labels of each
 * command are compared with what the header promises, and nothing may be allocated while recording.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SIZE = 4096, NAMES = 256 };

/* What is watched. Static, because the interposed functions have no user pointer. */
static struct {
    char log[LOG_SIZE];
    size_t length;
    uint64_t handles[NAMES]; /* named objects */
    char names[NAMES][64];
    uint32_t nameCount;
    uint32_t created;   /* Vulkan objects and allocations */
    uint32_t allocated; /* from pAllocator */
    int depth;          /* of labels */
} watch;

static void append(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(watch.log + watch.length, LOG_SIZE - watch.length, format, arguments);
    va_end(arguments);
    assert_true(written >= 0 && watch.length + (size_t)written < LOG_SIZE);
    watch.length += (size_t)written;
}

static const char *name_of(uint64_t handle) {
    for (uint32_t i = 0; i < watch.nameCount; ++i) {
        if (watch.handles[i] == handle) {
            return watch.names[i];
        }
    }
    return "?";
}

static VkResult VKAPI_CALL watch_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    assert_true(watch.nameCount < NAMES);
    watch.handles[watch.nameCount] = info->objectHandle;
    snprintf(watch.names[watch.nameCount++], sizeof watch.names[0], "%s", info->pObjectName);
    return vkSetDebugUtilsObjectNameEXT(device, info);
}

static void VKAPI_CALL watch_begin_label(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT *label) {
    append("%s {\n", label->pLabelName);
    watch.depth++;
    vkCmdBeginDebugUtilsLabelEXT(cmd, label);
}

static void VKAPI_CALL watch_end_label(VkCommandBuffer cmd) {
    append("}\n");
    watch.depth--;
    vkCmdEndDebugUtilsLabelEXT(cmd);
}

static void VKAPI_CALL watch_bind(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                  VkPipeline pipeline) {
    append("bind %d %s\n", (int)point, name_of((uint64_t)pipeline));
    vkCmdBindPipeline(cmd, point, pipeline);
}

static void VKAPI_CALL watch_push(VkCommandBuffer cmd, VkPipelineLayout layout,
                                  VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                  const void *values) {
    append("push 0x%x %u+%u\n", stages, offset, size);
    vkCmdPushConstants(cmd, layout, stages, offset, size, values);
}

static void VKAPI_CALL watch_dispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z) {
    append("dispatch %u %u %u\n", x, y, z);
    vkCmdDispatch(cmd, x, y, z);
}

static void VKAPI_CALL watch_barrier(VkCommandBuffer cmd, VkPipelineStageFlags before,
                                     VkPipelineStageFlags after, VkDependencyFlags flags,
                                     uint32_t memoryCount, const VkMemoryBarrier *memory,
                                     uint32_t bufferCount, const VkBufferMemoryBarrier *buffers,
                                     uint32_t imageCount, const VkImageMemoryBarrier *images) {
    append("barrier 0x%x 0x%x %u %u %u %u:", before, after, flags, memoryCount, bufferCount,
           imageCount);
    for (uint32_t i = 0; i < memoryCount; ++i) {
        append(" 0x%x 0x%x", memory[i].srcAccessMask, memory[i].dstAccessMask);
    }
    append("\n");
    vkCmdPipelineBarrier(cmd, before, after, flags, memoryCount, memory, bufferCount, buffers,
                         imageCount, images);
}

/* A function that creates or allocates is counted and passed on. */
#define COUNTED(name, parameters, arguments)             \
    static VkResult VKAPI_CALL count_##name parameters { \
        watch.created++;                                 \
        return name arguments;                           \
    }
COUNTED(vkCreateBuffer,
        (VkDevice device, const VkBufferCreateInfo *info, const VkAllocationCallbacks *allocator,
         VkBuffer *buffer),
        (device, info, allocator, buffer))
COUNTED(vkAllocateMemory,
        (VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator,
         VkDeviceMemory *memory),
        (device, info, allocator, memory))
COUNTED(vkCreateShaderModule,
        (VkDevice device, const VkShaderModuleCreateInfo *info,
         const VkAllocationCallbacks *allocator, VkShaderModule *module),
        (device, info, allocator, module))
COUNTED(vkCreatePipelineLayout,
        (VkDevice device, const VkPipelineLayoutCreateInfo *info,
         const VkAllocationCallbacks *allocator, VkPipelineLayout *layout),
        (device, info, allocator, layout))
COUNTED(vkCreateComputePipelines,
        (VkDevice device, VkPipelineCache cache, uint32_t count,
         const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
         VkPipeline *pipelines),
        (device, cache, count, infos, allocator, pipelines))

static void VKAPI_CALL unexpected(void) {
    print_error("the library called a device function that this test does not know\n");
    fail();
}

typedef struct Entry {
    const char *name;
    PFN_vkVoidFunction function;
} Entry;

static PFN_vkVoidFunction find_entry(const Entry *entries, size_t count, const char *name) {
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(entries[i].name, name) == 0) {
            return entries[i].function;
        }
    }
    return NULL;
}

#define ENTRY(name, function) \
    { #name, (PFN_vkVoidFunction)function }

/* What the library may call on a device: watched, counted, or harmless. Anything else fails. */
static PFN_vkVoidFunction VKAPI_CALL watch_device_function(VkDevice device, const char *name) {
    const Entry entries[] = {
        ENTRY(vkCmdBindPipeline, watch_bind),
        ENTRY(vkCmdPushConstants, watch_push),
        ENTRY(vkCmdDispatch, watch_dispatch),
        ENTRY(vkCmdPipelineBarrier, watch_barrier),
        ENTRY(vkCreateBuffer, count_vkCreateBuffer),
        ENTRY(vkAllocateMemory, count_vkAllocateMemory),
        ENTRY(vkCreateShaderModule, count_vkCreateShaderModule),
        ENTRY(vkCreatePipelineLayout, count_vkCreatePipelineLayout),
        ENTRY(vkCreateComputePipelines, count_vkCreateComputePipelines),
        ENTRY(vkDestroyBuffer, vkDestroyBuffer),
        ENTRY(vkFreeMemory, vkFreeMemory),
        ENTRY(vkDestroyShaderModule, vkDestroyShaderModule),
        ENTRY(vkDestroyPipelineLayout, vkDestroyPipelineLayout),
        ENTRY(vkDestroyPipeline, vkDestroyPipeline),
        ENTRY(vkGetBufferMemoryRequirements, vkGetBufferMemoryRequirements),
        ENTRY(vkBindBufferMemory, vkBindBufferMemory),
        ENTRY(vkGetBufferDeviceAddress, vkGetBufferDeviceAddress),
    };
    PFN_vkVoidFunction known = find_entry(entries, sizeof entries / sizeof entries[0], name);
    return known ? known : vkGetDeviceProcAddr(device, name) ? unexpected : NULL;
}

static PFN_vkVoidFunction VKAPI_CALL watch_instance_function(VkInstance instance,
                                                             const char *name) {
    const Entry entries[] = {
        ENTRY(vkGetDeviceProcAddr, watch_device_function),
        ENTRY(vkSetDebugUtilsObjectNameEXT, watch_name),
        ENTRY(vkCmdBeginDebugUtilsLabelEXT, watch_begin_label),
        ENTRY(vkCmdEndDebugUtilsLabelEXT, watch_end_label),
    };
    PFN_vkVoidFunction known = find_entry(entries, sizeof entries / sizeof entries[0], name);
    return known ? known : vkGetInstanceProcAddr(instance, name);
}

static void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment,
                                 VkSystemAllocationScope scope) {
    (void)user;
    (void)scope;
    watch.allocated++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void *VKAPI_CALL reallocate(void *user, void *memory, size_t size, size_t alignment,
                                   VkSystemAllocationScope scope) {
    (void)user;
    (void)alignment;
    (void)scope;
    watch.allocated++;
    return realloc(memory, size);
}

static void VKAPI_CALL release(void *user, void *memory) {
    (void)user;
    free(memory);
}

/* A watched context with a table of capacity 1000 (1128 slots), and arrays for any command. */
typedef struct Fixture {
    Gpu gpu;
    MurContext context;
    MurTable tables[2]; /* 32-bit, 64-bit */
    GpuBuffer arrays;
} Fixture;

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    Gpu *gpu = &fixture->gpu;
    gpu_open(gpu);
    static const VkAllocationCallbacks allocator = {
        .pfnAllocation = allocate,
        .pfnReallocation = reallocate,
        .pfnFree = release,
    };
    const MurContextCreateInfo info = {
        .instance = gpu->instance,
        .physicalDevice = gpu->physicalDevice,
        .device = gpu->device,
        .getInstanceProcAddr = watch_instance_function,
        .enabledFeatures = gpu->int64Atomics ? MUR_FEATURE_INT64_ATOMICS : 0,
        .pAllocator = &allocator,
    };
    gpu_require(murCreateContext(&info, &fixture->context));
    const MurAtomicWidth widths[] = {MUR_ATOMIC_WIDTH_32, MUR_ATOMIC_WIDTH_64};
    for (uint32_t i = 0; i < 2; ++i) {
        const MurTableCreateInfo table = {.capacity = 1000, .atomicWidth = widths[i]};
        gpu_require(murCreateTable(fixture->context, &table, &fixture->tables[i]));
    }
    assert_true(watch.created > 0 && watch.allocated > 0); /* the watching works */
    fixture->arrays = gpu_device_buffer(gpu, 1 << 16);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    murDestroyTable(fixture->tables[0]);
    murDestroyTable(fixture->tables[1]);
    murDestroyContext(fixture->context);
    gpu_free(&fixture->gpu, &fixture->arrays);
    gpu_close(&fixture->gpu);
    free(fixture);
    return 0;
}

static VkCommandBuffer begin(Fixture *fixture) {
    VkCommandBuffer cmd = gpu_begin(&fixture->gpu);
    watch.log[0] = '\0';
    watch.length = 0;
    watch.created = 0;
    watch.allocated = 0;
    return cmd;
}

/* The commands since begin recorded exactly this, and allocated nothing. */
static void expect(Fixture *fixture, const char *log) {
    assert_string_equal(watch.log, log);
    assert_int_equal(watch.created, 0);
    assert_int_equal(watch.allocated, 0);
    assert_int_equal(watch.depth, 0);
    gpu_submit(&fixture->gpu);
}

static MurBatch batch(const Fixture *fixture, uint32_t count) {
    return (MurBatch){
        .maxCount = count,
        .keys = gpu_part(&fixture->arrays, 0, 1024),
        .values = gpu_part(&fixture->arrays, 1024, 1024),
        .statuses = gpu_part(&fixture->arrays, 2048, 1024),
        .slots = gpu_part(&fixture->arrays, 3072, 1024),
    };
}

/* Stages and accesses by their Vulkan values: compute shader 0x800; shader read 0x20, write 0x40.
 */
#define BARRIER "barrier 0x800 0x800 0 1 0 0: 0x40 0x60\n"

static void clear_is_one_dispatch(void **state) {
    Fixture *fixture = *state;
    gpu_require(murCmdClear(begin(fixture), fixture->tables[0]));
    /* 16 stores of the header and 564 of slots, four an invocation. */
    expect(fixture, "murCmdClear {\nbind 1 murmuration CLEAR 0\npush 0x20 0+32\ndispatch 1 1 1\n}\n");
}

/* In workgroups of 256, finds of 128. */
static void batches_are_one_dispatch_each(void **state) {
    Fixture *fixture = *state;
    MurBatch one = batch(fixture, 256);
    MurBatch more = batch(fixture, 257);
    VkCommandBuffer cmd = begin(fixture);
    gpu_require(murCmdClear(cmd, fixture->tables[0]));
    gpu_require(murCmdClear(cmd, fixture->tables[1]));
    gpu_submit(&fixture->gpu);
    begin(fixture);
    gpu_require(murCmdInsert(cmd, fixture->tables[0], MUR_MODE_KEEP, &one));
    gpu_require(murCmdBarrier(cmd, fixture->tables[0]));
    gpu_require(murCmdInsert(cmd, fixture->tables[1], MUR_MODE_ASSIGN, &more));
    gpu_require(murCmdBarrier(cmd, fixture->tables[0]));
    gpu_require(murCmdFind(cmd, fixture->tables[1], &more));
    gpu_require(murCmdBarrier(cmd, fixture->tables[0]));
    gpu_require(murCmdErase(cmd, fixture->tables[0], &one));
    gpu_require(murCmdBarrier(cmd, fixture->tables[0]));
    gpu_require(murCmdErase(cmd, fixture->tables[1], &one));
    expect(
        fixture,
        "murCmdInsert {\nbind 1 murmuration INSERT 0\npush 0x20 0+80\n"
        "dispatch 1 1 1\n}\n" BARRIER
        "murCmdInsert {\nbind 1 murmuration INSERT 1\npush 0x20 0+80\n"
        "dispatch 2 1 1\n}\n" BARRIER "murCmdFind {\nbind 1 murmuration FIND 0\npush 0x20 0+80\n"
        "dispatch 3 1 1\n}\n" BARRIER "murCmdErase {\nbind 1 murmuration ERASE 0\npush 0x20 0+80\n"
        "dispatch 1 1 1\n}\n" BARRIER "murCmdErase {\nbind 1 murmuration ERASE 1\npush 0x20 0+80\n"
        "dispatch 1 1 1\n}\n");
}

static void extract_has_a_barrier_between_its_dispatches(void **state) {
    Fixture *fixture = *state;
    const MurExtract extract = {
        .maxCount = 1024,
        .countAddress = fixture->arrays.address + 4 * 4096,
        .keys = gpu_part(&fixture->arrays, 0, 1024),
    };
    gpu_require(murCmdExtract(begin(fixture), fixture->tables[0], &extract));
    /* 282 sectors and the extra slot. */
    expect(fixture, "murCmdExtract {\nbind 1 murmuration RESET 0\npush 0x20 0+80\n"
                    "dispatch 1 1 1\n" BARRIER
                    "bind 1 murmuration EXTRACT 0\npush 0x20 0+80\ndispatch 2 1 1\n}\n");
}

static void stats_have_a_barrier_between_their_dispatches(void **state) {
    Fixture *fixture = *state;
    MurArray stats = gpu_part(&fixture->arrays, 0, MUR_STATS_WORDS);
    gpu_require(murCmdStats(begin(fixture), fixture->tables[0], stats));
    /* 1128 slots and the extra slot. */
    expect(fixture, "murCmdStats {\nbind 1 murmuration STATS 0\npush 0x20 0+48\n"
                    "dispatch 1 1 1\n" BARRIER
                    "bind 1 murmuration STATS 0\npush 0x20 0+48\ndispatch 5 1 1\n}\n");
}

static void the_barrier_is_from_exit_to_entry(void **state) {
    Fixture *fixture = *state;
    gpu_require(murCmdBarrier(begin(fixture), fixture->tables[0]));
    char text[128];
    snprintf(text, sizeof text, "barrier 0x%x 0x%x 0 1 0 0: 0x%x 0x%x\n", MUR_EXIT_STAGES,
             MUR_ENTRY_STAGES, MUR_EXIT_ACCESS, MUR_ENTRY_ACCESS);
    assert_string_equal(text, BARRIER);
    expect(fixture, text);
}

static void nothing_is_recorded_for_no_items_and_on_errors(void **state) {
    Fixture *fixture = *state;
    MurBatch empty = batch(fixture, 0);
    MurBatch tooShort = batch(fixture, 1025);
    const MurExtract extract = {.maxCount = 1};
    VkCommandBuffer cmd = begin(fixture);
    gpu_require(murCmdInsert(cmd, fixture->tables[0], MUR_MODE_KEEP, &empty));
    gpu_require(murCmdFind(cmd, fixture->tables[0], &empty));
    gpu_require(murCmdErase(cmd, fixture->tables[0], &empty));
    const VkResult wrong = MUR_ERROR_INVALID_ARGUMENT;
    assert_int_equal(murCmdInsert(cmd, fixture->tables[0], MUR_MODE_KEEP, &tooShort), wrong);
    assert_int_equal(murCmdFind(cmd, fixture->tables[0], &tooShort), wrong);
    assert_int_equal(murCmdErase(cmd, fixture->tables[0], &tooShort), wrong);
    assert_int_equal(murCmdExtract(cmd, fixture->tables[0], &extract), wrong);
    assert_int_equal(murCmdStats(cmd, fixture->tables[0], (MurArray){0, 0}), wrong);
    assert_int_equal(murCmdClear(cmd, NULL), wrong);
    expect(fixture, "");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        gpu_test(clear_is_one_dispatch),
        gpu_test(batches_are_one_dispatch_each),
        gpu_test(extract_has_a_barrier_between_its_dispatches),
        gpu_test(stats_have_a_barrier_between_their_dispatches),
        gpu_test(the_barrier_is_from_exit_to_entry),
        gpu_test(nothing_is_recorded_for_no_items_and_on_errors),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests_name("recording", tests, setup, teardown);
}
