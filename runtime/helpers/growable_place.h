/* The memory of a growable's current or former table: the engine's or the library's.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_GROWABLE_PLACE_H
#define MUR_GROWABLE_PLACE_H

#include "../device/device.h"

#include <murmuration/growable.h>

typedef struct MurGrowablePlace {
    MurTable table;
    MurBufferRange memory; /* the engine's; none: the table has its own */
    MurBufferRange map;    /* the slot map of the move away from here; none until then */
    MurBuffer ownMap;      /* its buffer, if it is not the engine's */
} MurGrowablePlace;

/* info: the growable's, complete. caller: function for which errors of pfnAllocate are logged;
 * NULL: they are not logged, because the caller continues without the place. On failure all fields
 * of the place are zero. */
VkResult mur_make_place(MurContext context, const MurGrowableCreateInfo *info, const char *caller,
                        uint64_t capacity, MurGrowablePlace *place);
void mur_free_place(MurContext context, const MurGrowableCreateInfo *info, MurGrowablePlace *place);

/* Creates the slot map of the move away from a place, if the growable has slot maps; and returns
 * its array. */
VkResult mur_make_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                           MurGrowablePlace *place);
void mur_free_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                       MurGrowablePlace *place);
MurArray mur_slot_map_array(MurContext context, const MurGrowablePlace *place);

#endif
