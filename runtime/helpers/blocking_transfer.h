/* Shared by the files of the blocking helper. SPDX-License-Identifier: MIT */
#ifndef MUR_BLOCKING_TRANSFER_H
#define MUR_BLOCKING_TRANSFER_H

#include "../objects/objects.h"

#include <murmuration/blocking.h>

struct MurBlocking_T {
    MurContext context;
    MurBlockingCreateInfo info;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkDeviceSize size; /* bytes of each of the two buffers; 0: there are none */
    MurBuffer staging;
    MurBuffer arrays;
    uint8_t *mapped;         /* the memory of staging */
    VkDeviceAddress address; /* the address of arrays */
};

/* Checks that the helper is valid, and that the table is on its device. */
VkResult mur_blocking_check(MurBlocking blocking, MurTable table);
/* Ensures that the buffers staging and arrays have at least this number of bytes. */
VkResult mur_blocking_reserve(MurBlocking blocking, VkDeviceSize size);
/* mur_blocking_start begins the command buffer; mur_blocking_submit ends it, submits, and waits. */
VkResult mur_blocking_start(MurBlocking blocking);
VkResult mur_blocking_submit(MurBlocking blocking);

#endif
