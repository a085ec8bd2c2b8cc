/* SPDX-License-Identifier: MIT */
#ifndef MUR_TRY_H
#define MUR_TRY_H

#include <vulkan/vulkan_core.h>

/* If the call fails, returns its result from the calling function. */
#define MUR_TRY(call)                  \
    do {                               \
        const VkResult tried = (call); \
        if (tried != VK_SUCCESS) {     \
            return tried;              \
        }                              \
    } while (0)

#endif
