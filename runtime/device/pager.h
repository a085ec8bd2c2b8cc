/* Pagers: what their commands, and users of the commands, need of them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGER_H
#define MUR_PAGER_H

#include "device.h"

#include <murmuration/pager.h>

struct MurPager_T {
    MurContext context;
    MurPagerShape shape;
    MurBuffer memory; /* of the library's own; else none */
    MurBuffer chunks[MUR_PAGER_CHUNKS];
    uint8_t *mapped[MUR_PAGER_CHUNKS];
};

/* pager_store.c. Finds the store's memory, or makes it; what it has made is in pager even if it
 * fails. */
VkResult mur_provide_store(MurPager pager, const MurPagerCreateInfo *info,
                           const MurPagerRequirements *needs);
/* A range of the engine's, or NULL: no memory; its address. */
VkResult mur_check_range(MurContext context, const char *function, const char *what, uint32_t index,
                         const MurBufferRange *range, VkDeviceSize size, VkDeviceAddress *address);

#endif
