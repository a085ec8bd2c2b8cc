/* Finds the device features that the library requires, and enables them in the engine's structs.
 * SPDX-License-Identifier: MIT */
#include "objects.h"

/* Invocations per workgroup of the library's kernels. Vulkan guarantees only 128. */
enum { WORKGROUP = 256 };

static bool has_workgroups(const VkPhysicalDeviceLimits *limits) {
    return limits->maxComputeWorkGroupInvocations >= WORKGROUP &&
           limits->maxComputeWorkGroupSize[0] >= WORKGROUP;
}

MurFeatureFlags mur_supported_features(const MurInstanceFunctions *vki, VkPhysicalDevice device,
                                       const char **lack) {
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    };
    vki->vkGetPhysicalDeviceProperties2(device, &properties);
    if (properties.properties.apiVersion < VK_API_VERSION_1_2) {
        *lack = "Vulkan 1.2";
        return 0; /* older devices do not support the struct that is queried next */
    }
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
    };
    vki->vkGetPhysicalDeviceFeatures2(device, &features);
    bool groups = has_workgroups(&properties.properties.limits);
    *lack = !features12.bufferDeviceAddress ? "bufferDeviceAddress"
            : !groups                       ? "workgroups of 256 invocations"
                                            : NULL;
    if (*lack) {
        return 0;
    }
    MurFeatureFlags supported = MUR_FEATURE_BUFFER_DEVICE_ADDRESS;
    if (features.features.shaderInt64 && features12.shaderBufferInt64Atomics) {
        supported |= MUR_FEATURE_INT64_ATOMICS;
    }
    return supported;
}

VkResult murGetDeviceRequirements(VkInstance instance, VkPhysicalDevice physicalDevice,
                                  PFN_vkGetInstanceProcAddr getInstanceProcAddr,
                                  MurDeviceRequirements *pRequirements) {
    if (!instance || !physicalDevice || !pRequirements) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    MurLoader loader;
    if (!mur_open_loader(&loader, getInstanceProcAddr)) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    MurInstanceFunctions vki;
    VkResult result = VK_ERROR_INITIALIZATION_FAILED;
    if (!mur_load_instance(&loader, instance, &vki)) {
        const char *lack;
        MurFeatureFlags supported = mur_supported_features(&vki, physicalDevice, &lack);
        *pRequirements = (MurDeviceRequirements){
            .apiVersion = VK_API_VERSION_1_2,
            .required = MUR_FEATURE_BUFFER_DEVICE_ADDRESS,
            .optional = supported & MUR_FEATURE_INT64_ATOMICS,
        };
        result = lack ? MUR_ERROR_UNSUPPORTED : VK_SUCCESS;
    }
    mur_close_loader(&loader);
    return result;
}

static void *find_struct(const VkPhysicalDeviceFeatures2 *features, VkStructureType type) {
    VkBaseOutStructure *next = features->pNext;
    while (next && next->sType != type) {
        next = next->pNext;
    }
    return next;
}

/* Pointers to the features that are in structs of the pNext chain of VkPhysicalDeviceFeatures2. A
 * pointer is NULL if its struct is not in the chain. */
typedef struct Bits {
    VkBool32 *address;
    VkBool32 *atomics;
} Bits;

static Bits find_bits(const VkPhysicalDeviceFeatures2 *features) {
    VkPhysicalDeviceVulkan12Features *features12 = find_struct(
        features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    if (features12) {
        return (Bits){&features12->bufferDeviceAddress, &features12->shaderBufferInt64Atomics};
    }
    VkPhysicalDeviceBufferDeviceAddressFeatures *address = find_struct(
        features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    VkPhysicalDeviceShaderAtomicInt64Features *atomics = find_struct(
        features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES);
    return (Bits){address ? &address->bufferDeviceAddress : NULL,
                  atomics ? &atomics->shaderBufferInt64Atomics : NULL};
}

VkResult murEnableDeviceFeatures(MurFeatureFlags features, VkPhysicalDeviceFeatures2 *pFeatures) {
    const bool wantAddress = (features & MUR_FEATURE_BUFFER_DEVICE_ADDRESS) != 0;
    const bool wantAtomics = (features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const MurFeatureFlags all = MUR_FEATURE_BUFFER_DEVICE_ADDRESS | MUR_FEATURE_INT64_ATOMICS;
    const Bits bits = pFeatures ? find_bits(pFeatures) : (Bits){NULL, NULL};
    if (!pFeatures || (features & ~all) || (wantAddress && !bits.address) ||
        (wantAtomics && !bits.atomics)) {
        return MUR_ERROR_INVALID_ARGUMENT; /* without a context there is no log */
    }
    if (wantAddress) {
        *bits.address = VK_TRUE;
    }
    if (wantAtomics) {
        *bits.atomics = VK_TRUE;
        pFeatures->features.shaderInt64 = VK_TRUE;
    }
    return VK_SUCCESS;
}

MurFeatureFlags murGetEnabledFeatures(const VkPhysicalDeviceFeatures2 *pFeatures) {
    if (!pFeatures) {
        return 0;
    }
    const Bits bits = find_bits(pFeatures);
    const bool address = bits.address && *bits.address;
    const bool atomics = bits.atomics && *bits.atomics && pFeatures->features.shaderInt64;
    return (address ? MUR_FEATURE_BUFFER_DEVICE_ADDRESS : 0u) |
           (atomics ? MUR_FEATURE_INT64_ATOMICS : 0u);
}
