/* Where a growable's table is, or was: memory of the engine's or of the library's own.
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
    MurBuffer ownMap;      /* what it is in, if it is not the engine's */
} MurGrowablePlace;

/* info: the growable's, complete. caller: whom errors of pfnAllocate are logged for; NULL: they are
 * not, the caller goes on without. What cannot be made leaves a place of zeros. */
VkResult mur_make_place(MurContext context, const MurGrowableCreateInfo *info, const char *caller,
                        uint64_t capacity, MurGrowablePlace *place);
void mur_free_place(MurContext context, const MurGrowableCreateInfo *info, MurGrowablePlace *place);

/* The slot map of the move away from a place, if the growable has them; and its array. */
VkResult mur_make_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                           MurGrowablePlace *place);
void mur_free_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                       MurGrowablePlace *place);
MurArray mur_slot_map_array(MurContext context, const MurGrowablePlace *place);

#endif
