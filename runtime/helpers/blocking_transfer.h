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
    VkDeviceSize size; /* of both buffers; 0: none */
    MurBuffer staging;
    MurBuffer arrays;
    uint8_t *mapped;         /* staging */
    VkDeviceAddress address; /* arrays */
};

/* Is the helper valid, and the table on its device? */
VkResult mur_blocking_check(MurBlocking blocking, MurTable table);
/* Ensures that both buffers have at least this many bytes. */
VkResult mur_blocking_reserve(MurBlocking blocking, VkDeviceSize size);
/* Begins the command buffer; the second function ends it, submits, and waits. */
VkResult mur_blocking_start(MurBlocking blocking);
VkResult mur_blocking_submit(MurBlocking blocking);

#endif
