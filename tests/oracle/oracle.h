/* The oracle: one table of any format in plain C, slot by slot, for operations that run one after
 * another.
 *
 * Written from what the headers promise, not from the shaders: linear probing from the home slot,
 * every slot at most once, up to the end of the last sector that the probe limit allows; or two
 * buckets, the first free slot of the first, then of the second. It shares
 * the names of statuses, modes and header words with the library and no code, the hashes included.
 *
 * What follows from it: which slot a key gets, the status of every operation, the failure counters,
 * the state bits, the statistics and every word of the table's memory. A test that runs many items
 * at once, in no particular order, cannot predict which slot a key gets; it reads the table back
 * (oracle_adopt), which checks what must hold of any table, and goes on from there.
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
    uint32_t slotCount; /* as murGetTableRequirements says */
    uint32_t seed;
    uint64_t probeLimit; /* as in MurTableCreateInfo: 0 is the default */
    bool zero;           /* the reserved value is 0 instead of all ones; of sets it always is */
    bool wide;      /* 64-bit atomics: a flag in the header; sets in buckets need no tags then */
    uint32_t flags; /* MUR_TABLE_BUCKETS, MUR_TABLE_AGES */
} OracleConfig;

/* Tombs are of sets. Elsewhere an erased key keeps its slot until the table is cleared. */
typedef enum OracleState { ORACLE_FREE, ORACLE_CLAIMED, ORACLE_TOMB } OracleState;

typedef struct OracleSlot {
    OracleState state;
    uint64_t key;   /* of a tomb: the one that was erased */
    uint64_t value; /* the reserved value: no entry lives here. Entries of sets have 1 */
} OracleSlot;

typedef struct Oracle {
    OracleConfig config;
    uint64_t none;         /* the reserved value */
    uint32_t probeSectors; /* sectors that a probe visits */
    uint64_t full;         /* failed inserts since the last clear */
    uint64_t refused;
    bool ordered; /* state bits. No operation here sets this one; a test may, on both sides */
    bool wrapped;
    uint32_t slots; /* slotCount and the extra ones, which belong to one key each */
    OracleSlot *slot;
    /* In buckets: the end of the table's memory, two filters and the ages. Nobody but a test sets
     * an age, or changes which filter counts. */
    uint32_t *filters, *ages;
    uint32_t filter; /* the one that counts: 0 or 1 */
} Oracle;

/* What an operation reports. */
typedef struct OracleResult {
    uint32_t status; /* MUR_* */
    uint32_t slot;   /* or MUR_NO_SLOT */
    uint64_t value;  /* what was there before, or the reserved value */
} OracleResult;

/* An empty table, as after a clear. */
void oracle_open(Oracle *oracle, const OracleConfig *config);
void oracle_close(Oracle *oracle);
void oracle_clear(Oracle *oracle);
/* Another one like it, and: into one opened with the same configuration. */
Oracle oracle_copy(const Oracle *oracle);
void oracle_assign(Oracle *to, const Oracle *from);

/* As murHostRebuildFilter: keys that are erased hold no slots then, and the first filter counts. As
 * murCmdRebuildFilter: it counts that did not. */
void oracle_rebuild(Oracle *oracle);
void oracle_switch_filters(Oracle *oracle);

bool oracle_is_set(uint32_t format);
uint32_t oracle_slot_words(uint32_t format);
uint32_t oracle_slot_count(uint32_t format, uint64_t capacity); /* as the library's, restated */

/* A hash is {low, high} in one word; 32-bit ones are low. oracle_key: the key of a hash. */
uint64_t oracle_hash(uint32_t format, uint64_t key, uint32_t seed);
uint64_t oracle_key(uint32_t format, uint64_t hash, uint32_t seed);
/* The word of a hash that decides the home slot, and a hash that has this one and another. */
uint32_t oracle_home_word(uint32_t format, uint64_t hash);
uint64_t oracle_hash_of(uint32_t format, uint32_t homeWord, uint32_t other);
/* The key that lives in an extra slot: 0, 1, ... */
uint64_t oracle_extra_key(uint32_t format, uint32_t extra, uint32_t seed);
uint32_t oracle_home(const Oracle *oracle, uint64_t key);

/* Key number i whose hash, for this seed, is awkward: halves that are 0, a marker, or next to one,
 * few different low halves, home slots together or at the ends. All different. */
enum { HARD_KEYS = 48 };
uint64_t hard_key(uint32_t format, uint32_t seed, uint32_t i);

/* In buckets: the first slots of the key's two, which may be one; and its bit of each filter. */
uint32_t oracle_bucket(const Oracle *oracle, uint64_t key, uint32_t which);
uint32_t oracle_filter_bit(const Oracle *oracle, uint64_t key);

/* The first slot on the key's way that is its own or free, in buckets its own, else the first free
 * one; MUR_NO_SLOT: neither within reach. */
uint32_t oracle_probe(const Oracle *oracle, uint64_t key);
/* The slot that the key has claimed, an entry or not, as extra ones always are; or MUR_NO_SLOT. */
uint32_t oracle_claimed(const Oracle *oracle, uint64_t key);
/* The key's value, or the reserved value. */
uint64_t oracle_value(const Oracle *oracle, uint64_t key);
/* false, and the reserved value, if no entry is there. */
bool oracle_entry(const Oracle *oracle, uint32_t slot, uint64_t *key, uint64_t *value);

bool oracle_offers(const Oracle *oracle, uint32_t mode);
/* The value after an insert by mode of value over old, either of which may stand for absence. */
uint64_t oracle_combine(const Oracle *oracle, uint32_t mode, uint64_t old, uint64_t value);

OracleResult oracle_find(const Oracle *oracle, uint64_t key);
/* Of sets value and mode say nothing but that modes that combine are not offered. */
OracleResult oracle_insert(Oracle *oracle, uint32_t mode, uint64_t key, uint64_t value);
OracleResult oracle_erase(Oracle *oracle, uint64_t key);
/* mur_slot_exchange and mur_slot_compare_exchange: the value that was there. */
uint64_t oracle_exchange(Oracle *oracle, uint32_t slot, uint64_t value);
uint64_t oracle_compare_exchange(Oracle *oracle, uint32_t slot, uint64_t compare, uint64_t value);

/* Does the entry satisfy the predicate? word and compare: MUR_PREDICATE_* and MUR_COMPARE_*. */
bool oracle_satisfies(uint32_t word, uint32_t compare, uint32_t mask, uint32_t reference,
                      uint64_t key, uint64_t value);

MurStats oracle_stats(const Oracle *oracle);

/* The first slot that belies MUR_STATE_ORDERED, or MUR_NO_SLOT: in each cluster the words that
 * decide homes rise, the two largest counting as one, and no key is before its home. */
uint32_t oracle_disorder(const Oracle *oracle);

/* The table's whole memory: header and slots. */
size_t oracle_image_words(const Oracle *oracle);
void oracle_image(const Oracle *oracle, uint32_t *words);
/* In an image of such a table the header counts what all counters have counted. */
void oracle_sum_counters(const Oracle *oracle, uint32_t *words);
/* Takes slots, counters and state from an image. Returns what is wrong with it, in words that stay
 * valid until the next call, or NULL: every slot is free or wholly claimed, every key in the one
 * slot where a probe for it ends, the markers' keys in their own; in buckets, every key of a second
 * one has its bit. */
const char *oracle_adopt(Oracle *oracle, const uint32_t *words);

#endif
