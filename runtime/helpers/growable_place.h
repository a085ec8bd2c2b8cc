/* The memory of a growable's current or former table: the engine's or the library's.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_GROWABLE_PLACE_H
#define MUR_GROWABLE_PLACE_H

#include "../objects/objects.h"

#include <murmuration/growable.h>

typedef struct MurGrowablePlace {
    MurTable table;
    MurBufferRange memory; /* memory of the engine; empty if the table has its own */
    MurBufferRange map;    /* the slot map of the move to the next table; empty before that */
    MurBuffer ownMap;      /* the buffer of the member map; empty if the engine provides it */
} MurGrowablePlace;

/* Creates a table. info: complete description of the growable. caller: the function for messages
 * about pfnAllocate; NULL: no log, because the caller can continue without the table. On failure,
 * all members of place are zero. */
VkResult mur_make_place(MurContext context, const MurGrowableCreateInfo *info, const char *caller,
                        uint64_t capacity, MurGrowablePlace *place);
void mur_free_place(MurContext context, const MurGrowableCreateInfo *info, MurGrowablePlace *place);

/* mur_make_slot_map creates the slot map of a move to the next table, if the growable has slot
 * maps. mur_slot_map_array returns it as an array. */
VkResult mur_make_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                           MurGrowablePlace *place);
void mur_free_slot_map(MurContext context, const MurGrowableCreateInfo *info,
                       MurGrowablePlace *place);
MurArray mur_slot_map_array(MurContext context, const MurGrowablePlace *place);

#endif
