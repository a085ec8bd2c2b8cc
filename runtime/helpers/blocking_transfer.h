/* What the files of the blocking helper share. SPDX-License-Identifier: MIT */
#ifndef MUR_BLOCKING_TRANSFER_H
#define MUR_BLOCKING_TRANSFER_H

#include "../device/device.h"

#include <murmuration/blocking.h>

struct MurBlocking_T {
    MurContext context;
    MurBlockingCreateInfo info;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkDeviceSize size; /* of both buffers; 0: none yet */
    MurBuffer staging;
    MurBuffer arrays;
    uint8_t *mapped;         /* staging */
    VkDeviceAddress address; /* arrays */
};

/* Is the helper there, and the table of its device? */
VkResult mur_blocking_check(MurBlocking blocking, MurTable table);
/* Both buffers hold this many bytes at least. */
VkResult mur_blocking_reserve(MurBlocking blocking, VkDeviceSize size);
/* Begins the command buffer; ends it, submits, and waits. */
VkResult mur_blocking_start(MurBlocking blocking);
VkResult mur_blocking_submit(MurBlocking blocking);

#endif
