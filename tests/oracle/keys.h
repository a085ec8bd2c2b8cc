/* Keys with chosen hashes, for all tests.
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
    KEYS_AT,          /* all homes are slot `at` */
    KEYS_MIDDLE,      /* all homes are the slot in the middle */
    KEYS_END,         /* all homes are the last slot: many keys wrap */
    KEYS_HALF,        /* all homes are in the lower half */
    KEYS_ROW,         /* homes from slot 100 on, one key each, but two for the first */
    KEYS_PILE,        /* the first 600 have the home in the middle, the others are random */
    KEYS_CLUMPS,      /* homes in three short ranges, far apart */
    KEYS_RANGE_ENDS,  /* a third of the homes are at the ends of ranges of `at` slots */
    KEYS_AT_FULL_ROW, /* homes of the first `count`: at, at + 1, ...; of the rest: at */
} KeyStyle;

typedef struct Keys {
    KeyStyle style;
    uint32_t at;
    uint32_t count;   /* of KEYS_AT_FULL_ROW */
    uint32_t sharing; /* N random keys share each word that decides the home; 0: one */
    uint32_t special; /* number of the first extra slot's key; 0: no such key */
} Keys;

/* Returns key number i of a table with this format, capacity and seed. Keys of different numbers
 * differ. */
uint64_t numbered_key(const Keys *keys, const OracleConfig *table, uint32_t i);
/* Returns a key whose hash differs in one bit from that of key i. It has nearly the same home and
 * is rarely a numbered key. */
uint64_t neighbour_key(const Keys *keys, const OracleConfig *table, uint32_t i);

#endif
