/* Keys with chosen hashes, for all tests.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_KEYS_H
#define MUR_TEST_KEYS_H

#include "oracle.h"

/* Returns the smallest hash word whose home is this slot. Words up to the first word of the next
 * home have the same home. */
uint32_t first_word(uint64_t capacity, uint64_t home);

typedef enum KeyStyle {
    KEYS_RANDOM,
    KEYS_HARD,        /* the keys of hard_key come first, then small multiples of a prime */
    KEYS_AT,          /* all keys have the home slot `at` */
    KEYS_MIDDLE,      /* all keys have the home slot in the middle */
    KEYS_END,         /* all keys have the last home slot, so that probes wrap */
    KEYS_HALF,        /* all homes are in the lower half of the table */
    KEYS_ROW,         /* one key per home from slot 100 on, but two for slot 100 */
    KEYS_PILE,        /* 600 keys with the home in the middle, then random keys */
    KEYS_CLUMPS,      /* homes in three short ranges that are far apart */
    KEYS_RANGE_ENDS,  /* a third of the homes is at the ends of ranges of `at` slots */
    KEYS_AT_FULL_ROW, /* homes at, at + 1, ... of `count` keys; further keys have home `at` */
} KeyStyle;

typedef struct Keys {
    KeyStyle style;
    uint32_t at;
    uint32_t count;   /* number of keys, for KEYS_AT_FULL_ROW */
    uint32_t sharing; /* number of random keys per word that decides the home; 0: one key */
    uint32_t special; /* number of the key of the first extra slot; 0: no such key */
} Keys;

/* Returns key number i of a table with this configuration. All keys differ. */
uint64_t numbered_key(const Keys *keys, const OracleConfig *table, uint32_t i);
/* Returns a key whose hash differs from that of key i in one bit. It has nearly the same home and
 * is rarely equal to a numbered key. */
uint64_t neighbour_key(const Keys *keys, const OracleConfig *table, uint32_t i);

#endif
