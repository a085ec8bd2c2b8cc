/* Tests of functions that need no device: requirements, features, names, the version.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <string.h>

static VkResult requirements_of(Gpu *gpu, PFN_vkGetInstanceProcAddr get,
                                MurDeviceRequirements *requirements) {
    return murGetDeviceRequirements(gpu->instance, gpu->physicalDevice, get, requirements);
}

GPU_TEST(requirements_name_what_is_needed) {
    MurDeviceRequirements requirements;
    gpu_require(requirements_of(gpu, vkGetInstanceProcAddr, &requirements));
    assert_int_equal(requirements.apiVersion, VK_API_VERSION_1_2);
    assert_int_equal(requirements.required, MUR_FEATURE_BUFFER_DEVICE_ADDRESS);
    VkPhysicalDeviceVulkan12Features has = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &has};
    vkGetPhysicalDeviceFeatures2(gpu->physicalDevice, &features);
    const bool wide = features.features.shaderInt64 && has.shaderBufferInt64Atomics;
    assert_int_equal(requirements.optional, wide ? MUR_FEATURE_INT64_ATOMICS : 0);
}

GPU_TEST(requirements_with_null_arguments_are_rejected) {
    MurDeviceRequirements requirements = {.apiVersion = 3};
    assert_refused(
        murGetDeviceRequirements(NULL, gpu->physicalDevice, vkGetInstanceProcAddr, &requirements));
    assert_refused(murGetDeviceRequirements(gpu->instance, VK_NULL_HANDLE, vkGetInstanceProcAddr,
                                            &requirements));
    assert_refused(requirements_of(gpu, vkGetInstanceProcAddr, NULL));
    assert_int_equal(requirements.apiVersion, 3);
}

static void make_old(VkPhysicalDeviceProperties2 *properties) {
    properties->properties.apiVersion = VK_API_VERSION_1_1;
}

static void make_small(VkPhysicalDeviceProperties2 *properties) {
    properties->properties.limits.maxComputeWorkGroupInvocations =
        128; /* the lowest limit that Vulkan allows */
}

static void *in_chain(void *start, VkStructureType type) {
    VkBaseOutStructure *next = start;
    while (next && next->sType != type) {
        next = next->pNext;
    }
    return next;
}

static void take_addresses(VkPhysicalDeviceFeatures2 *features) {
    VkPhysicalDeviceVulkan12Features *features12 = in_chain(
        features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    features12->bufferDeviceAddress = VK_FALSE;
}

static void take_int64(VkPhysicalDeviceFeatures2 *features) {
    features->features.shaderInt64 = VK_FALSE;
}

static void take_atomics(VkPhysicalDeviceFeatures2 *features) {
    VkPhysicalDeviceVulkan12Features *features12 = in_chain(
        features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    features12->shaderBufferInt64Atomics = VK_FALSE;
}

/* Devices that lack a requirement. text: must be in the error message of murCreateContext. */
static const struct {
    void (*properties)(VkPhysicalDeviceProperties2 *);
    void (*features)(VkPhysicalDeviceFeatures2 *);
    const char *text;
} lacks[] = {{make_old, NULL, "Vulkan 1.2"},
             {make_small, NULL, "workgroups"},
             {NULL, take_addresses, "bufferDeviceAddress"},
             {NULL, take_int64, "enabledFeatures"},
             {NULL, take_atomics, "enabledFeatures"}};
enum { NEEDED = 3, LACKS = 5 }; /* only 64-bit atomics need the last two requirements */

GPU_TEST(requirements_report_missing_features) {
    for (size_t i = 0; i < LACKS; ++i) {
        MurDeviceRequirements requirements = {0};
        interpose_start();
        interposition.bendProperties = lacks[i].properties;
        interposition.bendFeatures = lacks[i].features;
        assert_int_equal(requirements_of(gpu, interpose_get_instance_proc_addr, &requirements),
                         i < NEEDED ? MUR_ERROR_UNSUPPORTED : VK_SUCCESS);
        assert_int_equal(requirements.apiVersion, VK_API_VERSION_1_2); /* set despite the error */
        assert_int_equal(requirements.required, MUR_FEATURE_BUFFER_DEVICE_ADDRESS);
        assert_true(i < NEEDED || requirements.optional == 0);
    }
}

GPU_TEST(context_on_device_without_requirements_is_rejected) {
    for (size_t i = 0; i < LACKS; ++i) {
        Observed observed;
        MurContextCreateInfo info = observe(&observed, gpu);
        info.enabledFeatures |= i < NEEDED ? 0u : MUR_FEATURE_INT64_ATOMICS;
        interposition.bendFeatures = lacks[i].features;
        interposition.bendProperties = lacks[i].properties;
        VkResult result = murCreateContext(&info, &observed.context);
        expect_error(&observed, result, MUR_ERROR_UNSUPPORTED, lacks[i].text, lacks[i].text);
        assert_null(observed.context);
        observe_close(&observed);
    }
}

/* Other code may have created the device without bufferDeviceAddress. */
GPU_TEST(context_on_device_without_addresses_is_rejected) {
    const VkPhysicalDeviceFeatures2 none = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    const MurFeatureFlags enabled[] = {murGetEnabledFeatures(&none), MUR_FEATURE_INT64_ATOMICS};
    for (size_t i = 0; i < sizeof enabled / sizeof enabled[0]; ++i) {
        Observed observed;
        MurContextCreateInfo info = observe(&observed, gpu);
        info.enabledFeatures = enabled[i] & (gpu->int64Atomics ? UINT32_MAX : 0u);
        const VkResult result = murCreateContext(&info, &observed.context);
        expect_error(&observed, result, MUR_ERROR_UNSUPPORTED, "enabledFeatures",
                     "bufferDeviceAddress");
        assert_null(observed.context);
        observe_close(&observed);
    }
}

enum { BOTH = MUR_FEATURE_BUFFER_DEVICE_ADDRESS | MUR_FEATURE_INT64_ATOMICS };

/* The features in the struct of Vulkan 1.2 (one), and in separate structs with another one between
 * them (several). */
typedef struct Chains {
    VkPhysicalDeviceVulkan12Features features12;
    VkPhysicalDeviceShaderAtomicInt64Features atomics;
    VkPhysicalDevice16BitStorageFeatures between;
    VkPhysicalDeviceBufferDeviceAddressFeatures address;
    VkPhysicalDeviceFeatures2 one, several;
} Chains;

static void make_chains(Chains *chains) {
    *chains = (Chains){
        .features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
        .atomics = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES},
        .between = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                    .pNext = &chains->atomics},
        .address = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
                    .pNext = &chains->between},
        .one = {.pNext = &chains->features12},
        .several = {.pNext = &chains->address},
    };
}

PLAIN_TEST(features_are_enabled_and_reported) {
    for (MurFeatureFlags flags = 0; flags <= BOTH; ++flags) {
        Chains has;
        make_chains(&has);
        has.features12.timelineSemaphore = VK_TRUE;
        gpu_require(murEnableDeviceFeatures(flags, &has.one));
        gpu_require(murEnableDeviceFeatures(flags, &has.several));
        const VkBool32 addresses = (flags & MUR_FEATURE_BUFFER_DEVICE_ADDRESS) != 0;
        const VkBool32 atomics = (flags & MUR_FEATURE_INT64_ATOMICS) != 0;
        assert_int_equal(has.features12.bufferDeviceAddress, addresses);
        assert_int_equal(has.features12.shaderBufferInt64Atomics, atomics);
        assert_int_equal(has.one.features.shaderInt64, atomics);
        assert_int_equal(has.address.bufferDeviceAddress, addresses);
        assert_int_equal(has.atomics.shaderBufferInt64Atomics, atomics);
        assert_int_equal(has.several.features.shaderInt64, atomics);
        assert_int_equal(murGetEnabledFeatures(&has.one), flags);
        assert_int_equal(murGetEnabledFeatures(&has.several), flags);
        gpu_require(murEnableDeviceFeatures(0, &has.one)); /* disables no feature */
        assert_int_equal(murGetEnabledFeatures(&has.one), flags);
        assert_int_equal(has.features12.timelineSemaphore, VK_TRUE);
    }
}

PLAIN_TEST(wide_atomics_are_reported_only_with_both_features) {
    Chains has;
    make_chains(&has);
    gpu_require(murEnableDeviceFeatures(BOTH, &has.one));
    gpu_require(murEnableDeviceFeatures(BOTH, &has.several));
    has.one.features.shaderInt64 = has.atomics.shaderBufferInt64Atomics = VK_FALSE;
    assert_int_equal(murGetEnabledFeatures(&has.one), MUR_FEATURE_BUFFER_DEVICE_ADDRESS);
    assert_int_equal(murGetEnabledFeatures(&has.several), MUR_FEATURE_BUFFER_DEVICE_ADDRESS);
    has.address.pNext = NULL;
    assert_int_equal(murGetEnabledFeatures(&has.several), MUR_FEATURE_BUFFER_DEVICE_ADDRESS);
    has.several.pNext = NULL;
    assert_int_equal(murGetEnabledFeatures(&has.several), 0);
    assert_int_equal(murGetEnabledFeatures(NULL), 0);
}

PLAIN_TEST(feature_chain_without_needed_struct_is_rejected_unchanged) {
    Chains has;
    make_chains(&has);
    has.address.pNext = NULL;
    assert_refused(murEnableDeviceFeatures(BOTH, &has.several));
    assert_int_equal(has.address.bufferDeviceAddress, VK_FALSE);
    assert_int_equal(has.several.features.shaderInt64, VK_FALSE);
    gpu_require(murEnableDeviceFeatures(MUR_FEATURE_BUFFER_DEVICE_ADDRESS, &has.several));
    assert_int_equal(has.address.bufferDeviceAddress, VK_TRUE);
    has.several.pNext = NULL;
    assert_refused(murEnableDeviceFeatures(MUR_FEATURE_BUFFER_DEVICE_ADDRESS, &has.several));
    assert_refused(murEnableDeviceFeatures(BOTH, NULL));
}

PLAIN_TEST(unknown_features_are_rejected) {
    Chains has;
    make_chains(&has);
    for (uint32_t bit = 2; bit < 32; ++bit) {
        assert_refused(murEnableDeviceFeatures(BOTH | 1u << bit, &has.one));
    }
    assert_int_equal(murGetEnabledFeatures(&has.one), 0);
    assert_int_equal(has.one.features.shaderInt64, VK_FALSE);
}

PLAIN_TEST(every_result_has_a_name) {
#define NAME(result) \
    { result, #result }
    static const struct {
        VkResult result;
        const char *name;
    } names[] = {NAME(VK_SUCCESS),
                 NAME(VK_NOT_READY),
                 NAME(VK_TIMEOUT),
                 NAME(VK_INCOMPLETE),
                 NAME(VK_ERROR_OUT_OF_HOST_MEMORY),
                 NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY),
                 NAME(VK_ERROR_INITIALIZATION_FAILED),
                 NAME(VK_ERROR_DEVICE_LOST),
                 NAME(VK_ERROR_MEMORY_MAP_FAILED),
                 NAME(VK_ERROR_TOO_MANY_OBJECTS),
                 NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS),
                 NAME(MUR_ERROR_INVALID_ARGUMENT),
                 NAME(MUR_ERROR_TOO_LARGE),
                 NAME(MUR_ERROR_UNSUPPORTED),
                 NAME(MUR_ERROR_CORRUPT),
                 NAME(MUR_ERROR_VERSION),
                 NAME(MUR_ERROR_FILE)};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        assert_string_equal(murResultName(names[i].result), names[i].name);
    }
    assert_string_equal(murResultName((VkResult)-12345), "unknown VkResult");
    assert_string_equal(murResultName((VkResult)INT32_MIN), "unknown VkResult");
}

/* Vulkan's extensions use codes around -1,000,000,000. The library's codes must differ. */
PLAIN_TEST(library_codes_lie_outside_vulkans) {
    const VkResult codes[] = {MUR_ERROR_INVALID_ARGUMENT, MUR_ERROR_TOO_LARGE,
                              MUR_ERROR_UNSUPPORTED};
    for (size_t i = 0; i < 3; ++i) {
        assert_true((int)codes[i] < -1999999999);
    }
}

PLAIN_TEST(every_status_has_a_name) {
    static const char *const names[] = {"absent",    "found",        "inserted",      "existed",
                                        "erased",    "full",         "invalid value", "unsupported",
                                        "contended", "not resident", "pending"};
    const uint32_t count = sizeof names / sizeof names[0];
    for (uint32_t i = 0; i < count; ++i) {
        assert_string_equal(murStatusName(i), names[i]);
    }
    assert_string_equal(murStatusName(count), "unknown status");
    assert_string_equal(murStatusName(UINT32_MAX), "unknown status");
}

PLAIN_TEST(linked_version_equals_the_headers) {
    assert_int_equal(murGetVersion(), MUR_VERSION);
    assert_int_equal(MUR_VERSION,
                     10000 * MUR_VERSION_MAJOR + 100 * MUR_VERSION_MINOR + MUR_VERSION_PATCH);
}
