/* Finding Vulkan: the engine's vkGetInstanceProcAddr, or the system's loader.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

static void *open_library(void) {
#if defined(_WIN32)
    return (void *)LoadLibraryA("vulkan-1.dll");
#elif defined(__APPLE__)
    void *library = dlopen("libvulkan.1.dylib", RTLD_NOW | RTLD_LOCAL);
    return library ? library : dlopen("libMoltenVK.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    return dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
}

static PFN_vkGetInstanceProcAddr library_entry(void *library) {
#if defined(_WIN32)
    return (PFN_vkGetInstanceProcAddr)(void (*)(void))GetProcAddress((HMODULE)library,
                                                                     "vkGetInstanceProcAddr");
#else
    /* C has no conversion from an object pointer to a function pointer; POSIX has, through
     * memory. */
    PFN_vkGetInstanceProcAddr entry = NULL;
    *(void **)&entry = dlsym(library, "vkGetInstanceProcAddr");
    return entry;
#endif
}

bool mur_open_loader(MurLoader *loader, PFN_vkGetInstanceProcAddr given) {
    loader->library = NULL;
    loader->vkGetInstanceProcAddr = given;
    if (given) {
        return true;
    }
    loader->library = open_library();
    if (!loader->library) {
        return false;
    }
    loader->vkGetInstanceProcAddr = library_entry(loader->library);
    if (!loader->vkGetInstanceProcAddr) {
        mur_close_loader(loader);
        return false;
    }
    return true;
}

void mur_close_loader(MurLoader *loader) {
    if (loader->library) {
#if defined(_WIN32)
        FreeLibrary((HMODULE)loader->library);
#else
        dlclose(loader->library);
#endif
    }
    loader->library = NULL;
}

bool mur_load_instance_table(const MurLoader *loader, VkInstance instance,
                             MurInstanceTable *table) {
#define MUR_LOAD(name) table->name = (PFN_##name)loader->vkGetInstanceProcAddr(instance, #name)
    MUR_LOAD(vkGetPhysicalDeviceProperties2);
    MUR_LOAD(vkGetPhysicalDeviceFeatures2);
    MUR_LOAD(vkGetPhysicalDeviceMemoryProperties);
    MUR_LOAD(vkGetPhysicalDeviceQueueFamilyProperties);
    MUR_LOAD(vkGetDeviceProcAddr);
    MUR_LOAD(vkSetDebugUtilsObjectNameEXT);
    MUR_LOAD(vkCmdBeginDebugUtilsLabelEXT);
    MUR_LOAD(vkCmdEndDebugUtilsLabelEXT);
#undef MUR_LOAD
    /* A label that is begun must be ended: both functions or none. */
    if (!table->vkCmdBeginDebugUtilsLabelEXT || !table->vkCmdEndDebugUtilsLabelEXT) {
        table->vkCmdBeginDebugUtilsLabelEXT = NULL;
        table->vkCmdEndDebugUtilsLabelEXT = NULL;
    }
    return table->vkGetPhysicalDeviceProperties2 && table->vkGetPhysicalDeviceFeatures2 &&
           table->vkGetPhysicalDeviceMemoryProperties &&
           table->vkGetPhysicalDeviceQueueFamilyProperties && table->vkGetDeviceProcAddr;
}
