/* Push constants of items.comp and its verdict on a command's results, shared by C and GLSL. Keys
 * and values are functions of their index.
 * SPDX-License-Identifier: MIT */
#ifndef ITEMS_H
#define ITEMS_H

#include "murmuration/layout.h"
#include "murmuration/hash.h"

#define ITEMS_MAKE   0u /* write keys and values */
#define ITEMS_JUDGE  1u /* count the items with a wrong status, value or slot */
#define ITEMS_LOOKUP 2u /* count the wrong results of lookups by this shader */

#define ITEMS_WORKGROUP 256u

MUR_STRUCT(ItemsPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS statuses;
    MUR_ADDRESS slots;
    MUR_ADDRESS verdict; /* address of an ItemsVerdict */
    MUR_U32 count;
    MUR_U32 task;
    MUR_U32 first; /* item i has the key with hash first + i * step */
    MUR_U32 step;
    MUR_U32 status; /* status that every item must report */
    MUR_U32 lowest; /* lowest valid slot that an item may report */
};

/* Offsets in 32-bit words. */
#define ITEMS_WRONG  0u /* number of items that failed */
#define ITEMS_JUDGED 1u /* number of judged items */
#define ITEMS_FIRST  2u /* index of one failed item */
#define ITEMS_STATUS 3u /* status of the item at ITEMS_FIRST */
#define ITEMS_VALUE  4u
#define ITEMS_SLOT   5u
#define ITEMS_WORDS  6u

/* Returns the value of a key: any 32 bits except 0 and 0xFFFFFFFF. */
MUR_INLINE MUR_U32 items_value(MUR_U32 key) {
    MUR_U32 value = mur_hash(key, 0x1234567u);
    return value == 0u || value == 0xFFFFFFFFu ? 1u : value;
}

#endif
