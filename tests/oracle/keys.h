/* Keys with chosen hashes: the one place where tests make them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_KEYS_H
#define MUR_TEST_KEYS_H

#include "oracle.h"

/* Returns the smallest word of a hash whose home is this slot. Home h of capacity c covers the
 * words from here to the first word of home h + 1. */
uint32_t first_word(uint64_t capacity, uint64_t home);

typedef enum KeyStyle {
    KEYS_RANDOM,
    KEYS_HARD,        /* first those of hard_key, then small multiples of a prime */
    KEYS_AT,          /* all homes are slot .at */
    KEYS_MIDDLE,      /* all homes are the slot in the middle */
    KEYS_END,         /* all homes are the last slot: enough of them wrap around */
    KEYS_HALF,        /* all homes are in the lower half */
    KEYS_ROW,         /* homes from slot 100 on, one key each, two keys for the first one */
    KEYS_PILE,        /* the first 600 have the home in the middle, the others are random */
    KEYS_CLUMPS,      /* homes in three short ranges, far apart */
    KEYS_RANGE_ENDS,  /* a third of the homes are at the ends of ranges of .at slots */
    KEYS_AT_FULL_ROW, /* the first .count have the homes from .at on in turn, the others home .at */
} KeyStyle;

typedef struct Keys {
    KeyStyle style;
    uint32_t at;
    uint32_t count;   /* of KEYS_AT_FULL_ROW */
    uint32_t sharing; /* N random keys each share the word that decides the home; 0: one */
    uint32_t special; /* the key of this number is that of the first extra slot; 0: none is */
} Keys;

/* Returns key number i of a table with this format, capacity and seed. Keys of different numbers
 * differ. */
uint64_t numbered_key(const Keys *keys, const OracleConfig *table, uint32_t i);
/* Returns a key whose hash differs from the hash of that key in one bit. It has nearly the
 * same home and is rarely one of the numbered keys. */
uint64_t neighbour_key(const Keys *keys, const OracleConfig *table, uint32_t i);

#endif
