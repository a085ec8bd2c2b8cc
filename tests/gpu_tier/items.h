/* Push constants of items.comp, for C and GLSL: arrays of keys and values that are a function of
 * their index, and the judging of what a command did with them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef ITEMS_H
#define ITEMS_H

#include "murmuration/layout.h"
#include "murmuration/hash.h"

#define ITEMS_MAKE   0u /* write keys and values */
#define ITEMS_JUDGE  1u /* count the items whose status, value or slot is wrong */
#define ITEMS_LOOKUP 2u /* the same for lookups by this shader instead of a command's output */
#define ITEMS_SWEEP  3u /* count the items whose index does not survive mur_hash and mur_key */

#define ITEMS_WORKGROUP 256u

MUR_STRUCT(ItemsPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS statuses;
    MUR_ADDRESS slots;
    MUR_ADDRESS verdict; /* ItemsVerdict */
    MUR_U32 count;
    MUR_U32 task;
    MUR_U32 first; /* item i has the key whose hash is first + i * step */
    MUR_U32 step;
    MUR_U32 status; /* expected */
    MUR_U32 lowest; /* slots that are reported lie here or above */
};

/* Words. */
#define ITEMS_WRONG  0u /* items that failed */
#define ITEMS_JUDGED 1u /* items looked at */
#define ITEMS_FIRST  2u /* index of one that failed, */
#define ITEMS_STATUS 3u /* and what it got */
#define ITEMS_VALUE  4u
#define ITEMS_SLOT   5u
#define ITEMS_WORDS  6u

/* The value of a key: any 32 bits but the two reserved ones. */
MUR_INLINE MUR_U32 items_value(MUR_U32 key) {
    MUR_U32 value = mur_hash(key, 0x1234567u);
    return value == 0u || value == 0xFFFFFFFFu ? 1u : value;
}

#endif
