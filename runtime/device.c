/* What a device must have, and switching it on in the engine's own structs.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

static bool has_workgroups(const VkPhysicalDeviceLimits *limits) {
    return limits->maxComputeWorkGroupInvocations >= MUR_WORKGROUP_SIZE &&
           limits->maxComputeWorkGroupSize[0] >= MUR_WORKGROUP_SIZE;
}

MurFeatureFlags mur_supported_features(const MurInstanceTable *vki, VkPhysicalDevice device,
                                       const char **lack) {
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    };
    vki->vkGetPhysicalDeviceProperties2(device, &properties);
    if (properties.properties.apiVersion < VK_API_VERSION_1_2) {
        *lack = "Vulkan 1.2";
        return 0; /* does not know the struct that is asked for next */
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
    MurInstanceTable vki;
    VkResult result = VK_ERROR_INITIALIZATION_FAILED;
    if (mur_load_instance_table(&loader, instance, &vki)) {
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

static void *find_struct(VkPhysicalDeviceFeatures2 *features, VkStructureType type) {
    VkBaseOutStructure *next = features->pNext;
    while (next && next->sType != type) {
        next = next->pNext;
    }
    return next;
}

VkResult murEnableDeviceFeatures(MurFeatureFlags features, VkPhysicalDeviceFeatures2 *pFeatures) {
    if (!pFeatures) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    VkPhysicalDeviceVulkan12Features *features12 = find_struct(
        pFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceBufferDeviceAddressFeatures *address = find_struct(
        pFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    VkPhysicalDeviceShaderAtomicInt64Features *atomics = find_struct(
        pFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES);
    VkBool32 *addressBit = features12 ? &features12->bufferDeviceAddress
                           : address  ? &address->bufferDeviceAddress
                                      : NULL;
    VkBool32 *atomicsBit = features12 ? &features12->shaderBufferInt64Atomics
                           : atomics  ? &atomics->shaderBufferInt64Atomics
                                      : NULL;
    bool wantAddress = (features & MUR_FEATURE_BUFFER_DEVICE_ADDRESS) != 0;
    bool wantAtomics = (features & MUR_FEATURE_INT64_ATOMICS) != 0;
    if ((wantAddress && !addressBit) || (wantAtomics && !atomicsBit)) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    if (wantAddress) {
        *addressBit = VK_TRUE;
    }
    if (wantAtomics) {
        *atomicsBit = VK_TRUE;
        pFeatures->features.shaderInt64 = VK_TRUE;
    }
    return VK_SUCCESS;
}
