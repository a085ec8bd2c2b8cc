/* Finds Vulkan's functions by the engine's vkGetInstanceProcAddr, or by the system's loader.
 * SPDX-License-Identifier: MIT */
#include "functions.h"

#include <stddef.h>

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
    /* C has no conversion from an object to a function pointer, so this stores one as the other. */
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

const char *mur_load_instance(const MurLoader *loader, VkInstance instance,
                              MurInstanceFunctions *functions) {
    const char *missing = NULL;
#define MUR_OPTIONAL(name) \
    functions->name = (PFN_##name)loader->vkGetInstanceProcAddr(instance, #name);
#define MUR_REQUIRED(name) \
    MUR_OPTIONAL(name)     \
    missing = functions->name ? missing : #name;
    MUR_INSTANCE_FUNCTIONS(MUR_REQUIRED, MUR_OPTIONAL)
#undef MUR_REQUIRED
#undef MUR_OPTIONAL
    /* Every label that begins must end, so both label functions are used, or none. */
    if (!functions->vkCmdBeginDebugUtilsLabelEXT || !functions->vkCmdEndDebugUtilsLabelEXT) {
        functions->vkCmdBeginDebugUtilsLabelEXT = NULL;
        functions->vkCmdEndDebugUtilsLabelEXT = NULL;
    }
    return missing;
}

const char *mur_load_device(PFN_vkGetDeviceProcAddr getDeviceProcAddr, VkDevice device,
                            MurDeviceFunctions *functions) {
    const char *missing = NULL;
#define MUR_REQUIRED(name)                                          \
    functions->name = (PFN_##name)getDeviceProcAddr(device, #name); \
    missing = functions->name ? missing : #name;
    MUR_DEVICE_FUNCTIONS(MUR_REQUIRED)
#undef MUR_REQUIRED
    return missing;
}
