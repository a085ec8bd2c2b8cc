/* The oracle: a table of any format in plain C, slot by slot, for sequential operations.
 *
 * Written from the promises of the headers, not from the shaders: linear probing from the home
 * slot, each slot at most once, up to the end of the last sector that the probe limit allows; or
 * two buckets, the first free slot of the first, then of the second. It shares names of statuses,
 * modes and header words with the library, but no code; it has its own hashes.
 *
 * It predicts the slot of each key, the status of every operation, the failure counters, the state
 * bits, the statistics, and every word of table memory. If a test runs many items in an unspecified
 * order, slots cannot be predicted. Such a test reads the table back (oracle_adopt), which checks
 * the invariants of any table, and continues from there.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ORACLE_H
#define MUR_TEST_ORACLE_H

#include <murmuration/words.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct OracleConfig {
    uint32_t format; /* MUR_FORMAT_* */
    uint32_t capacity;
    uint32_t slotCount; /* of murGetTableRequirements */
    uint32_t seed;
    uint64_t probeLimit; /* of MurTableCreateInfo: 0 is the default */
    bool zero;           /* the empty value is 0 instead of all ones; always for sets */
    bool wide;           /* 64-bit atomics: sets a header flag; bucketed sets then need no tags */
    uint32_t flags;      /* MUR_TABLE_BUCKETS, MUR_TABLE_AGES */
} OracleConfig;

/* Only sets have tombstones. In maps an erased key keeps its slot until the table is cleared. */
typedef enum OracleState { ORACLE_FREE, ORACLE_CLAIMED, ORACLE_TOMB } OracleState;

typedef struct OracleSlot {
    OracleState state;
    uint64_t key;   /* of a tombstone: the erased key */
    uint64_t value; /* the empty value: no entry. Entries of sets have 1 */
} OracleSlot;

typedef struct Oracle {
    OracleConfig config;
    uint64_t none;         /* the empty value */
    uint32_t probeSectors; /* sectors that a probe reads */
    uint64_t full;         /* failed inserts since the last clear */
    uint64_t refused;
    bool ordered; /* state bits. No operation sets ordered; a test may, on both sides */
    bool wrapped;
    uint32_t slots; /* slotCount and the extra slots, which belong to one key each */
    OracleSlot *slot;
    /* Bucketed tables: the end of table memory, with two filters and the stamps. Only tests set a
     * stamp or swap the filters. */
    uint32_t *filters, *ages;
    uint32_t filter; /* the front filter: 0 or 1 */
} Oracle;

/* Result of an operation. */
typedef struct OracleResult {
    uint32_t status; /* MUR_* */
    uint32_t slot;   /* or MUR_NO_SLOT */
    uint64_t value;  /* previous value, or the empty value */
} OracleResult;

/* Opens an empty table, as after a clear. */
void oracle_open(Oracle *oracle, const OracleConfig *config);
void oracle_close(Oracle *oracle);
void oracle_clear(Oracle *oracle);
/* Returns a copy. The second function copies into a table opened with the same configuration. */
Oracle oracle_copy(const Oracle *oracle);
void oracle_assign(Oracle *to, const Oracle *from);

/* As murHostRebuildFilter: frees tombstones, and filter 0 becomes the front filter. As
 * murCmdRebuildFilter: the back filter becomes the front filter. */
void oracle_rebuild(Oracle *oracle);
void oracle_switch_filters(Oracle *oracle);

bool oracle_is_set(uint32_t format);
uint32_t oracle_slot_words(uint32_t format);
uint32_t oracle_slot_count(uint32_t format, uint64_t capacity); /* the library's rule, restated */

/* A hash is {low, high} in one word; a 32-bit hash is low. oracle_key: returns the key of a
 * hash. */
uint64_t oracle_hash(uint32_t format, uint64_t key, uint32_t seed);
uint64_t oracle_key(uint32_t format, uint64_t hash, uint32_t seed);
/* Returns the word of a hash that decides the home; and a hash with this word and another. */
uint32_t oracle_home_word(uint32_t format, uint64_t hash);
uint64_t oracle_hash_of(uint32_t format, uint32_t homeWord, uint32_t other);
/* Returns the key of an extra slot: 0, 1, ... */
uint64_t oracle_extra_key(uint32_t format, uint32_t extra, uint32_t seed);
uint32_t oracle_home(const Oracle *oracle, uint64_t key);

/* Returns key i with a hash that is hard on tables, for this seed: halves that are 0, a sentinel or
 * next to one, few different low halves, homes that are close or at the ends. All keys differ. */
enum { HARD_KEYS = 48 };
uint64_t hard_key(uint32_t format, uint32_t seed, uint32_t i);

/* Bucketed tables: first slot of the key's buckets, which may be equal; its bit in each filter. */
uint32_t oracle_bucket(const Oracle *oracle, uint64_t key, uint32_t which);
uint32_t oracle_filter_bit(const Oracle *oracle, uint64_t key);

/* Returns the first slot on the key's path that is its own or free (in buckets its own, otherwise
 * the first free one), or MUR_NO_SLOT if there is none in reach. */
uint32_t oracle_probe(const Oracle *oracle, uint64_t key);
/* Returns the slot that the key has claimed, also without an entry, or MUR_NO_SLOT. Extra slots are
 * always claimed. */
uint32_t oracle_claimed(const Oracle *oracle, uint64_t key);
/* Returns the key's value, or the empty value. */
uint64_t oracle_value(const Oracle *oracle, uint64_t key);
/* Returns false, and the empty value, if the slot has no entry. */
bool oracle_entry(const Oracle *oracle, uint32_t slot, uint64_t *key, uint64_t *value);

bool oracle_offers(const Oracle *oracle, uint32_t mode);
/* Returns the value after an insert by mode of value over old. Both may be the empty value. */
uint64_t oracle_combine(const Oracle *oracle, uint32_t mode, uint64_t old, uint64_t value);

OracleResult oracle_find(const Oracle *oracle, uint64_t key);
/* For sets, value and mode do not matter, except that accumulating modes are unsupported. */
OracleResult oracle_insert(Oracle *oracle, uint32_t mode, uint64_t key, uint64_t value);
OracleResult oracle_erase(Oracle *oracle, uint64_t key);
/* mur_slot_exchange and mur_slot_compare_exchange: return the previous value. */
uint64_t oracle_exchange(Oracle *oracle, uint32_t slot, uint64_t value);
uint64_t oracle_compare_exchange(Oracle *oracle, uint32_t slot, uint64_t compare, uint64_t value);

/* Does the entry satisfy the predicate? word and compare: MUR_PREDICATE_* and MUR_COMPARE_*. */
bool oracle_satisfies(uint32_t word, uint32_t compare, uint32_t mask, uint32_t reference,
                      uint64_t key, uint64_t value);

MurStats oracle_stats(const Oracle *oracle);

/* Returns the first slot that contradicts MUR_STATE_ORDERED, or MUR_NO_SLOT. In each cluster the
 * words that decide homes must rise (the two largest are equal), and no key is before its home. */
uint32_t oracle_disorder(const Oracle *oracle);

/* Words of the whole table memory: header and slots. */
size_t oracle_image_words(const Oracle *oracle);
void oracle_image(const Oracle *oracle, uint32_t *words);
/* Adds all counters in the words of a table's memory to the header's counter. */
void oracle_sum_counters(const Oracle *oracle, uint32_t *words);
/* Reads slots, counters and state from table memory. Returns NULL, or a description of an error,
 * valid until the next call. Every slot must be free or wholly claimed, every key must be in the
 * only slot where a probe ends, sentinel hashes in their own slots; in buckets, every key of a
 * second bucket has its filter bit. */
const char *oracle_adopt(Oracle *oracle, const uint32_t *words);

#endif
