/* SPDX-License-Identifier: MIT */
#ifndef MUR_TRY_H
#define MUR_TRY_H

#include <vulkan/vulkan_core.h>

/* If `call` fails, the function that uses this macro returns its result. */
#define MUR_TRY(call)                  \
    do {                               \
        const VkResult tried = (call); \
        if (tried != VK_SUCCESS) {     \
            return tried;              \
        }                              \
    } while (0)

#endif
