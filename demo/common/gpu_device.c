/* Instance, choice of a device, and the device.
 * SPDX-License-Identifier: MIT */
#include "gpu.h"
#include "message.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EXTENSIONS = 16 };

static const char validationLayer[] = "VK_LAYER_KHRONOS_validation";

static VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    Gpu *gpu = user;
    (void)severity;
    (void)types;
    ++gpu->messages;
    (void)sayError("validation: %s", data->pMessage);
    return VK_FALSE;
}

static void onLog(void *user, MurLogSeverity severity, const char *message) {
    (void)user;
    if (severity == MUR_LOG_ERROR) {
        (void)sayError("%s", message);
    }
}

static bool hasLayer(const char *name) {
    VkLayerProperties layers[64];
    uint32_t count = 64;
    VkResult result = vkEnumerateInstanceLayerProperties(&count, layers);
    for (uint32_t i = 0; i < count && result >= 0; ++i) {
        if (strcmp(layers[i].layerName, name) == 0) {
            return true;
        }
    }
    return false;
}

/* device: NULL for extensions of the instance. */
static bool hasExtension(VkPhysicalDevice device, const char *name) {
    VkExtensionProperties extensions[512];
    uint32_t count = 512;
    const VkResult result = device
                                ? vkEnumerateDeviceExtensionProperties(device, NULL, &count,
                                                                       extensions)
                                : vkEnumerateInstanceExtensionProperties(NULL, &count, extensions);
    for (uint32_t i = 0; i < count && result >= 0; ++i) {
        if (strcmp(extensions[i].extensionName, name) == 0) {
            return true;
        }
    }
    return false;
}

static VkDebugUtilsMessengerCreateInfoEXT messengerInfo(Gpu *gpu) {
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = onMessage,
        .pUserData = gpu,
    };
}

static bool createInstance(Gpu *gpu, const GpuOptions *options) {
    if (volkInitialize() != VK_SUCCESS) {
        return sayError("no Vulkan loader is installed (libvulkan.so.1)");
    }
    if (options->validation && !hasLayer(validationLayer)) {
        return sayError("the layer %s is not installed", validationLayer);
    }
    gpu->hasDebugUtils = hasExtension(NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
                         options->validation;
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(gpu);
    const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
    };
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enables,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = options->application,
        .apiVersion = VK_API_VERSION_1_2,
    };
    const char *const layers[] = {validationLayer};
    const char *extensions[MAX_EXTENSIONS];
    uint32_t extensionCount = 0;
    if (gpu->hasDebugUtils) {
        extensions[extensionCount++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    }
    for (uint32_t i = 0; i < options->extensionCount && extensionCount < MAX_EXTENSIONS; ++i) {
        extensions[extensionCount++] = options->extensions[i];
    }
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = options->validation ? &features : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = options->validation ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = extensionCount,
        .ppEnabledExtensionNames = extensions,
    };
    const VkResult result = vkCreateInstance(&info, NULL, &gpu->instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        gpu->instance = VK_NULL_HANDLE;
        return sayError("there is no Vulkan driver (Debian: mesa-vulkan-drivers has one for any "
                        "machine)");
    }
    if (!gpuCheck(result, "creating a Vulkan 1.2 instance")) {
        gpu->instance = VK_NULL_HANDLE;
        return false;
    }
    volkLoadInstance(gpu->instance);
    return !options->validation || gpuCheck(vkCreateDebugUtilsMessengerEXT(
                                                gpu->instance, &messenger, NULL, &gpu->messenger),
                                            "listening to the validation layers");
}

static bool presents(const Gpu *gpu, VkPhysicalDevice device, uint32_t family) {
    VkBool32 can = VK_FALSE;
    return !gpu->surface || (vkGetPhysicalDeviceSurfaceSupportKHR(device, family, gpu->surface,
                                                                  &can) == VK_SUCCESS &&
                             can);
}

/* Returns the first queue family for graphics, compute and the window (if any), or UINT32_MAX. */
static uint32_t findFamily(const Gpu *gpu, VkPhysicalDevice device, uint32_t *timestampBits) {
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families);
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (uint32_t i = 0; i < count; ++i) {
        if ((families[i].queueFlags & both) == both && presents(gpu, device, i)) {
            *timestampBits = families[i].timestampValidBits;
            return i;
        }
    }
    return UINT32_MAX;
}

/* Returns the reason why a device is unsuitable, or NULL. */
static const char *objection(const Gpu *gpu, VkPhysicalDevice device) {
    uint32_t bits;
    MurDeviceRequirements requirements;
    if (murGetDeviceRequirements(gpu->instance, device, vkGetInstanceProcAddr, &requirements) !=
        VK_SUCCESS) {
        return "it lacks Vulkan 1.2 or bufferDeviceAddress";
    }
    if (gpu->surface && !hasExtension(device, VK_KHR_SWAPCHAIN_EXTENSION_NAME)) {
        return "it cannot show pictures in a window; --headless needs none";
    }
    if (findFamily(gpu, device, &bits) != UINT32_MAX) {
        return NULL;
    }
    return gpu->surface ? "it has no queue that draws and shows pictures in this window; "
                          "--headless needs no window"
                        : "it has no queue for graphics and compute";
}

static int preference(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    default:
        return 1;
    }
}

static bool pickDevice(Gpu *gpu, int wanted) {
    VkPhysicalDevice devices[32];
    uint32_t count = 32;
    VkResult result = vkEnumeratePhysicalDevices(gpu->instance, &count, devices);
    if (result < 0 || count == 0) {
        return sayError("no Vulkan device found");
    }
    if (wanted >= 0 && (uint32_t)wanted >= count) {
        return sayError("there is no device %d: the last one is %u", wanted, count - 1);
    }
    int best = 0;
    const char *why = NULL;
    for (uint32_t i = 0; i < count; ++i) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        int score = wanted < 0 ? preference(properties.deviceType) : (uint32_t)wanted == i;
        if (score > best) {
            const char *against = objection(gpu, devices[i]);
            why = against ? against : why;
            if (!against) {
                best = score;
                gpu->physicalDevice = devices[i];
                gpu->properties = properties;
            }
        }
    }
    return best > 0 || sayError("no device will do: %s", why ? why : "none has a known type");
}

static bool createDevice(Gpu *gpu, MurFeatureFlags optional) {
    MurDeviceRequirements needs;
    if (!gpuCheck(murGetDeviceRequirements(gpu->instance, gpu->physicalDevice,
                                           vkGetInstanceProcAddr, &needs),
                  "asking what the device has")) {
        return false;
    }
    gpu->features = needs.required | (needs.optional & optional);
    uint32_t timestampBits = 0;
    gpu->family = findFamily(gpu, gpu->physicalDevice, &timestampBits);
    gpu->timestampMask = timestampBits == 0    ? 0
                         : timestampBits >= 64 ? UINT64_MAX
                                               : ((uint64_t)1 << timestampBits) - 1;
    vkGetPhysicalDeviceMemoryProperties(gpu->physicalDevice, &gpu->memory);
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
    };
    if (!gpuCheck(murEnableDeviceFeatures(gpu->features, &features), "choosing device features")) {
        return false;
    }
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = gpu->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const char *const extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = gpu->surface ? 1 : 0,
        .ppEnabledExtensionNames = extensions,
    };
    if (!gpuCheck(vkCreateDevice(gpu->physicalDevice, &info, NULL, &gpu->device),
                  "creating the device")) {
        gpu->device = VK_NULL_HANDLE;
        return false;
    }
    volkLoadDevice(gpu->device);
    vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
    return true;
}

static bool createObjects(Gpu *gpu) {
    const MurContextCreateInfo context = {
        .instance = gpu->instance,
        .physicalDevice = gpu->physicalDevice,
        .device = gpu->device,
        .getInstanceProcAddr = vkGetInstanceProcAddr,
        .enabledFeatures = gpu->features,
        .pfnLog = onLog,
    };
    return gpuCreateCommands(gpu, &gpu->own) &&
           gpuCheck(murCreateContext(&context, &gpu->context), "creating the table context");
}

static bool createSurface(Gpu *gpu, const GpuOptions *options) {
    return !options->createSurface ||
           gpuCheck(options->createSurface(options->user, gpu->instance, &gpu->surface),
                    "making the window's surface");
}

bool gpuOpen(Gpu *gpu, const GpuOptions *options) {
    memset(gpu, 0, sizeof *gpu);
    if (createInstance(gpu, options) && createSurface(gpu, options) &&
        pickDevice(gpu, options->device) && createDevice(gpu, options->optional) &&
        createObjects(gpu)) {
        return true;
    }
    gpuClose(gpu);
    return false;
}

bool gpuIsSlow(const Gpu *gpu) {
    return gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

void gpuClose(Gpu *gpu) {
    if (gpu->device) {
        murDestroyContext(gpu->context);
        gpuDestroyCommands(gpu, &gpu->own);
        vkDestroyDevice(gpu->device, NULL);
    }
    if (gpu->instance) {
        if (gpu->surface) {
            vkDestroySurfaceKHR(gpu->instance, gpu->surface, NULL);
        }
        if (gpu->messenger) {
            vkDestroyDebugUtilsMessengerEXT(gpu->instance, gpu->messenger, NULL);
        }
        vkDestroyInstance(gpu->instance, NULL);
    }
    gpu->device = VK_NULL_HANDLE;
    gpu->surface = VK_NULL_HANDLE;
    gpu->instance = VK_NULL_HANDLE; /* the count of messages remains */
}
