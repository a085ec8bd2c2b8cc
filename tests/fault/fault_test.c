/* Injects faults below the library: the Nth host allocation fails, the Nth call of a Vulkan
 * function fails, functions are missing, the device is lost. A failed call must return the fault's
 * error, log a message, leak nothing, and change no host array. The next call must succeed.
 * SPDX-License-Identifier: MIT */
#include "scene.h"

#include <stdio.h>
#include <string.h>

/* Numbers of host allocations and Vulkan objects of the library before a run. */
typedef struct Level {
    int host;
    int objects;
} Level;

static Level level(Scene *scene) {
    return (Level){atomic_load(&scene->observed.memory.live), interpose_objects()};
}

static void expect_level(Scene *scene, Level before, const char *what) {
    Level now = level(scene);
    if (now.host != before.host || now.objects != before.objects) {
        fail_msg("%s: %d host allocations and %d objects were left behind", what,
                 now.host - before.host, now.objects - before.objects);
    }
}

/* A failure must log a message, and change neither host arrays nor the number of objects. */
static void expect_clean_failure(Scene *scene, const Operation *operation, Level before,
                                 const char *what) {
    scene_expect_untouched(scene, what);
    if (scene->observed.log.errors == 0) {
        fail_msg("%s: an error without a message", what);
    }
    if (operation->creates) {
        assert_null(operation->creates(scene));
        expect_level(scene, before, what);
    }
    /* A blocking call leaves the helper with both of its buffers and their memory (four objects),
     * or with none. Other operations may leave pipelines, which belong to the context. */
    int made = interpose_objects() - before.objects;
    if (operation->check && made != 0 && made != 4) {
        fail_msg("%s: %d objects of a helper's four are left", what, made);
    }
}

/* Runs the operation once. The caller may have armed a fault. */
static VkResult run(Scene *scene, const Operation *operation) {
    scene_poison(scene);
    log_book_clear(&scene->observed.log);
    return operation->run(scene);
}

static void expect_success(Scene *scene, const Operation *operation) {
    scene_refill(scene);
    gpu_require(run(scene, operation));
    if (operation->check) {
        operation->check(scene);
    }
}

/* Runs the operation once. The nth call of the function returns `fault`. HOST_ALLOCATION: the
 * nth host allocation returns NULL, which drivers may tolerate. Returns false if there are fewer
 * calls. */
#define HOST_ALLOCATION INTERPOSED_COUNT
static bool fail_once(Scene *scene, const Operation *operation, Interposed function, uint32_t nth,
                      VkResult fault) {
    const bool host = function == HOST_ALLOCATION;
    HostMemory *memory = &scene->observed.memory;
    char what[128];
    snprintf(what, sizeof what, "%s, %s %u gives %s", operation->name,
             host ? "host allocation" : interpose_name(function), nth, murResultName(fault));
    const Level before = level(scene);
    host_memory_fail(memory, host ? nth : 0);
    interpose_fail(host ? ON_vkAllocateMemory : function, host ? 0 : nth, fault);
    const VkResult result = run(scene, operation);
    const bool failed = host ? atomic_load(&memory->failed) : interpose_failed();
    host_memory_fail(memory, 0);
    interpose_fail(ON_vkAllocateMemory, 0, VK_SUCCESS);
    if (result != (failed ? fault : VK_SUCCESS) &&
        !(host && failed && (result == VK_SUCCESS || result == VK_ERROR_OUT_OF_DEVICE_MEMORY))) {
        fail_msg("%s: got %s", what, murResultName(result));
    }
    if (result != VK_SUCCESS) {
        expect_clean_failure(scene, operation, before, what);
        expect_success(scene, operation);
    }
    operation->undo(scene);
    expect_level(scene, before, what);
    return failed;
}

/* Makes each call of the function fail once. Returns the number of calls. */
static uint32_t fail_each(Scene *scene, const Operation *operation, Interposed function,
                          VkResult fault) {
    uint32_t nth = 1;
    while (fail_once(scene, operation, function, nth, fault)) {
        assert_true(++nth < 10000);
    }
    return nth - 1;
}

/* Returns the number of pipelines of a table, one per kernel, which depends on the device. */
static uint32_t count_pipelines(Gpu *gpu) {
    Scene scene;
    scene_begin(&scene, gpu, &prepare_pipelines);
    gpu_require(prepare_pipelines.run(&scene));
    const uint32_t made = interpose_calls(ON_vkCreateComputePipelines);
    scene_end(&scene);
    assert_true(made > 5);
    return made;
}

/* Makes each call of each function fail once. pipelines: how many the operation creates. */
static void fail_calls_with(Scene *scene, const Operation *operation, VkResult fault,
                            uint32_t pipelines) {
    static const Interposed functions[] = {
#define LIST(name) ON_##name,
        INTERPOSE_CREATING(LIST) INTERPOSE_FALLIBLE(LIST)
#undef LIST
    };
    const uint32_t expected = pipelines ? 2 * pipelines : operation->faults;
    uint32_t faults = 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        if (functions[i] == ON_vkSetDebugUtilsObjectNameEXT) {
            continue; /* no error: see failing_object_names_are_no_error */
        }
        if (interpose_calls(functions[i]) == 0) {
            continue; /* the operation makes no such call */
        }
        faults += fail_each(scene, operation, functions[i], fault);
    }
    if (faults != expected) {
        fail_msg("%s: %u calls could fail, expected %u", operation->name, faults, expected);
    }
}

/* Injects each fault. atLeast: minimum number of host allocations by the library alone. */
static void sweep(Gpu *gpu, const Operation *operation, uint32_t atLeast) {
    const uint32_t pipelines = operation->makesPipelines ? count_pipelines(gpu) : 0;
    Scene scene;
    scene_begin(&scene, gpu, operation);
    assert_true(fail_each(&scene, operation, HOST_ALLOCATION, VK_ERROR_OUT_OF_HOST_MEMORY) >=
                atLeast);
    fail_calls_with(&scene, operation, VK_ERROR_OUT_OF_DEVICE_MEMORY, pipelines);
    fail_calls_with(&scene, operation, VK_ERROR_DEVICE_LOST, pipelines);
    scene_end(&scene);
}

#define SWEEP(operation, atLeast)        \
    GPU_TEST(faults_in_##operation) {    \
        sweep(gpu, &operation, atLeast); \
    }
SWEEP(create_context, 1)
SWEEP(create_context_of_two_families, 2)
SWEEP(prepare_pipelines, 0)
SWEEP(create_table, 1)
SWEEP(create_pager, 1)
SWEEP(create_paged_table, 1)
SWEEP(create_growable, 1)
SWEEP(create_mirror, 1)
SWEEP(create_blocking, 1)
SWEEP(blocking_clear, 0)
SWEEP(blocking_insert, 0)
SWEEP(blocking_find, 0)
SWEEP(blocking_erase, 0)
SWEEP(blocking_extract, 0)
SWEEP(blocking_stats, 0)

GPU_TEST(helper_works_after_failed_growth) {
    enum { MANY = 100000 };
    static uint32_t keys[MANY], values[MANY];
    for (uint32_t allocation = 1; allocation <= 2; ++allocation) {
        Scene scene;
        scene_begin(&scene, gpu, &blocking_find);
        scene_poison(&scene);
        gpu_require(blocking_find.run(&scene)); /* makes the helper create small buffers */
        interpose_fail(ON_vkAllocateMemory, allocation, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        values[MANY - 1] = 5;
        VkResult result = murBlockingFind(scene.observed.blocking, scene.table, MANY, keys, values,
                                          NULL, NULL);
        assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_int_equal(values[MANY - 1], 5);
        expect_success(&scene, &blocking_find);
        gpu_require(
            murBlockingFind(scene.observed.blocking, scene.table, MANY, keys, values, NULL, NULL));
        assert_int_equal(values[MANY - 1], 0); /* key 0 has value 0 */
        scene_end(&scene);
    }
}

GPU_TEST(failed_table_allocation_keeps_pipelines_usable) {
    Scene scene;
    scene_begin(&scene, gpu, &prepare_pipelines);
    const MurTableCreateInfo info = {.capacity = 1000};
    interpose_fail(ON_vkAllocateMemory, 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(murCreateTable(scene.observed.context, &info, &scene.table),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(scene.table);
    uint32_t made = interpose_calls(ON_vkCreateComputePipelines);
    gpu_require(murCreateTable(scene.observed.context, &info, &scene.table));
    assert_int_equal(interpose_calls(ON_vkCreateComputePipelines), made);
    scene_end(&scene);
}

GPU_TEST(failing_object_names_are_no_error) {
    Scene scene;
    scene_begin(&scene, gpu, &prepare_pipelines);
    interpose_fail(ON_vkSetDebugUtilsObjectNameEXT, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
    gpu_require(prepare_pipelines.run(&scene));
    assert_true(interpose_failed());
    assert_int_equal(scene.observed.log.errors, 0);
    scene_end(&scene);
}

GPU_TEST(everything_can_be_destroyed_after_device_loss) {
    Scene scene;
    scene_begin(&scene, gpu, &blocking_find);
    scene_poison(&scene);
    gpu_require(blocking_find.run(&scene));
    interpose_lose_device();
    scene_poison(&scene);
    assert_int_equal(blocking_find.run(&scene), VK_ERROR_DEVICE_LOST);
    assert_int_equal(blocking_erase.run(&scene), VK_ERROR_DEVICE_LOST);
    scene_expect_untouched(&scene, "device lost");
    MurTable table;
    const MurTableCreateInfo info = {.capacity = 10};
    assert_int_equal(murCreateTable(scene.observed.context, &info, &table), VK_ERROR_DEVICE_LOST);
    assert_null(table);
    scene_end(&scene); /* fails if an object is left */
}

/* Creates a context while a function is missing. Checks the error and the text of its message. */
static void expect_without(Gpu *gpu, const char *function, VkResult expected, const char *text) {
    Observed observed;
    const MurContextCreateInfo info = observe(&observed, gpu);
    interposition.hidden = function;
    VkResult result = murCreateContext(&info, &observed.context);
    assert_null(observed.context);
    expect_error(&observed, result, expected, text, function);
    observe_close(&observed);
}

GPU_TEST(a_missing_instance_function_is_an_error) {
    static const char *const functions[] = {
        "vkGetPhysicalDeviceProperties2",
        "vkGetPhysicalDeviceFeatures2",
        "vkGetPhysicalDeviceMemoryProperties",
        "vkGetPhysicalDeviceQueueFamilyProperties",
        "vkGetDeviceProcAddr",
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        expect_without(gpu, functions[i], VK_ERROR_INITIALIZATION_FAILED, "instance lacks");
    }
}

GPU_TEST(a_missing_device_function_is_an_error) {
#define LIST(name) #name,
    static const char *const functions[] = {
        INTERPOSE_CREATING(LIST) INTERPOSE_DESTROYING(LIST) "vkAllocateCommandBuffers",
        "vkBindBufferMemory",
        "vkMapMemory",
        "vkResetCommandPool",
        "vkBeginCommandBuffer",
        "vkEndCommandBuffer",
        "vkResetFences",
        "vkQueueSubmit",
        "vkWaitForFences",
        "vkCmdBindPipeline",
        "vkCmdPushConstants",
        "vkCmdDispatch",
        "vkCmdPipelineBarrier",
        "vkCmdCopyBuffer",
        "vkGetBufferMemoryRequirements",
    };
#undef LIST
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        expect_without(gpu, functions[i], VK_ERROR_INITIALIZATION_FAILED, functions[i]);
    }
}

GPU_TEST(a_device_without_buffer_addresses_is_unsupported) {
    expect_without(gpu, "vkGetBufferDeviceAddress", MUR_ERROR_UNSUPPORTED,
                   "vkGetBufferDeviceAddress");
}

GPU_TEST(missing_debug_functions_are_no_error) {
    static const char *const functions[] = {
        "vkSetDebugUtilsObjectNameEXT",
        "vkCmdBeginDebugUtilsLabelEXT",
        "vkCmdEndDebugUtilsLabelEXT",
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        Scene scene;
        memset(&scene, 0, sizeof scene);
        scene_begin(&scene, gpu, &create_context);
        interposition.hidden = functions[i];
        gpu_require(create_context.run(&scene));
        blocking_find.prepare(&scene);
        gpu_require(run(&scene, &blocking_find));
        scene_end(&scene);
        assert_int_equal(interpose_open_labels(), 0);
    }
}

GPU_TEST(device_requirements_need_instance_functions) {
    interpose_start();
    interposition.hidden = "vkGetPhysicalDeviceFeatures2";
    MurDeviceRequirements requirements = {.apiVersion = 5};
    assert_int_equal(murGetDeviceRequirements(gpu->instance, gpu->physicalDevice,
                                              interpose_get_instance_proc_addr, &requirements),
                     VK_ERROR_INITIALIZATION_FAILED);
    assert_int_equal(requirements.apiVersion, 5);
}
