/* The oracle: a model of a table of any format in plain C, slot by slot, for sequential operations.
 *
 * It is written from the promises of the headers, not from the shaders. A linear probe begins at
 * the home slot and reads each slot at most once, up to the end of the last sector that the probe
 * limit allows. In bucketed tables, an insert uses the first free slot of the first bucket, then of
 * the second bucket. The oracle shares names of statuses, modes and header words with the library,
 * but no code; it has its own hashes.
 *
 * It predicts the slot of each key, the status of every operation, the failure counters, the state
 * bits, the statistics, and every word of table memory. If a test runs many items in an unspecified
 * order, slots cannot be predicted. Such a test copies the table's content to the oracle
 * (oracle_adopt), which checks the invariants of any table, and continues with this content.
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
    uint32_t slotCount; /* slots from murGetTableRequirements */
    uint32_t seed;
    uint64_t probeLimit; /* as in MurTableCreateInfo; 0 is the default */
    bool zero;           /* the empty value is 0 instead of all ones; always for sets */
    bool wide;           /* 64-bit atomics: sets a header flag; bucketed sets then have no tags */
    uint32_t flags;      /* MUR_TABLE_BUCKETS, MUR_TABLE_AGES */
} OracleConfig;

/* Only sets have tombstones: elsewhere, the slot of an erased key stays ORACLE_CLAIMED. */
typedef enum OracleState { ORACLE_FREE, ORACLE_CLAIMED, ORACLE_TOMB } OracleState;

typedef struct OracleSlot {
    OracleState state;
    uint64_t key;   /* the key, or the erased key of a tombstone */
    uint64_t value; /* the empty value if there is no entry; 1 for entries of sets */
} OracleSlot;

typedef struct Oracle {
    OracleConfig config;
    uint64_t none;         /* the empty value */
    uint32_t probeSectors; /* sectors that a probe reads */
    uint64_t full;         /* failed inserts since the last clear */
    uint64_t refused;
    bool ordered; /* state bits; only tests set `ordered`, operations clear it */
    bool wrapped;
    uint32_t slots; /* slotCount plus the extra slots, each of which belongs to one key */
    OracleSlot *slot;
    /* The words after the slots of bucketed tables: two filters, then ages. Only tests change ages
     * and swap filters. */
    uint32_t *filters, *ages;
    uint32_t filter; /* the front filter: 0 or 1 */
} Oracle;

/* Result of an operation. */
typedef struct OracleResult {
    uint32_t status; /* MUR_* */
    uint32_t slot;   /* slot of the key, or MUR_NO_SLOT */
    uint64_t value;  /* previous value, or the empty value */
} OracleResult;

/* Opens an empty table, equal to a table after murCmdClear. */
void oracle_open(Oracle *oracle, const OracleConfig *config);
void oracle_close(Oracle *oracle);
void oracle_clear(Oracle *oracle);
/* oracle_copy returns a copy of the model. oracle_assign copies to one with the same config. */
Oracle oracle_copy(const Oracle *oracle);
void oracle_assign(Oracle *to, const Oracle *from);

/* oracle_rebuild does the same as murHostRebuildFilter: it frees tombstones, and filter 0 becomes
 * the front filter. oracle_switch_filters only swaps the filters, as murCmdRebuildFilter does. */
void oracle_rebuild(Oracle *oracle);
void oracle_switch_filters(Oracle *oracle);

bool oracle_is_set(uint32_t format);
uint32_t oracle_slot_words(uint32_t format);
uint32_t oracle_slot_count(uint32_t format, uint64_t capacity); /* computed without the library */

/* Hashes are one 64-bit number, whose low word is the low half or the whole 32-bit hash. oracle_key
 * returns the key of a hash. */
uint64_t oracle_hash(uint32_t format, uint64_t key, uint32_t seed);
uint64_t oracle_key(uint32_t format, uint64_t hash, uint32_t seed);
/* Returns a hash made of the word that decides the home and another word. */
uint64_t oracle_hash_of(uint32_t format, uint32_t homeWord, uint32_t other);
/* Returns the key of extra slot 0, 1, ... */
uint64_t oracle_extra_key(uint32_t format, uint32_t extra, uint32_t seed);
uint32_t oracle_home(const Oracle *oracle, uint64_t key);

/* Returns key i of a list of difficult keys for this seed, which all differ. Halves of their hashes
 * are 0, a sentinel or next to a sentinel. Many share the low half. Homes are close to each other
 * or at the ends of the table. */
enum { HARD_KEYS = 48 };
uint64_t hard_key(uint32_t format, uint32_t seed, uint32_t i);

/* For bucketed tables: returns the first slot of the key's first (0) or second (1) bucket. The two
 * may be equal. oracle_filter_bit returns the number of the key's bit in each filter. */
uint32_t oracle_bucket(const Oracle *oracle, uint64_t key, uint32_t which);
uint32_t oracle_filter_bit(const Oracle *oracle, uint64_t key);

/* Returns the key's own slot, otherwise the first free slot of its probe, or MUR_NO_SLOT if the
 * probe ends before. A linear probe stops at the first slot of either sort. */
uint32_t oracle_probe(const Oracle *oracle, uint64_t key);
/* Returns the slot that the key has claimed, even if it has no entry, or MUR_NO_SLOT. Extra slots
 * are always claimed. */
uint32_t oracle_claimed(const Oracle *oracle, uint64_t key);
/* Returns the key's value, or the empty value. */
uint64_t oracle_value(const Oracle *oracle, uint64_t key);
/* Reads the entry of a slot. Returns false, and the empty value, if there is none. */
bool oracle_entry(const Oracle *oracle, uint32_t slot, uint64_t *key, uint64_t *value);

bool oracle_offers(const Oracle *oracle, uint32_t mode);
/* Returns the value of a key after an insert of `value` by a mode. old: its value before. Both may
 * be the empty value. */
uint64_t oracle_combine(const Oracle *oracle, uint32_t mode, uint64_t old, uint64_t value);

OracleResult oracle_find(const Oracle *oracle, uint64_t key);
/* Inserts a key. Sets ignore value and mode; accumulating modes are unsupported. */
OracleResult oracle_insert(Oracle *oracle, uint32_t mode, uint64_t key, uint64_t value);
OracleResult oracle_erase(Oracle *oracle, uint64_t key);
/* Like mur_slot_exchange and mur_slot_compare_exchange. Return the previous value. */
uint64_t oracle_exchange(Oracle *oracle, uint32_t slot, uint64_t value);
uint64_t oracle_compare_exchange(Oracle *oracle, uint32_t slot, uint64_t compare, uint64_t value);

/* Returns whether an entry satisfies a predicate (MUR_PREDICATE_*, MUR_COMPARE_*). */
bool oracle_satisfies(uint32_t word, uint32_t compare, uint32_t mask, uint32_t reference,
                      uint64_t key, uint64_t value);

MurStats oracle_stats(const Oracle *oracle);

/* Returns the first slot that contradicts MUR_STATE_ORDERED, or MUR_NO_SLOT. In each cluster, the
 * words that decide homes must not decrease (the two largest words count as equal), and each key
 * must be at or after its home. */
uint32_t oracle_disorder(const Oracle *oracle);

/* The words of the whole table memory: header and slots. */
size_t oracle_image_words(const Oracle *oracle);
void oracle_image(const Oracle *oracle, uint32_t *words);
/* Adds all counters of table memory to the counter in its header, and sets them to 0. */
void oracle_sum_counters(const Oracle *oracle, uint32_t *words);
/* Copies slots, counters and state from table memory. Returns NULL, or a description of an error
 * that is valid until the next call. Each slot must be free or completely claimed. Each key must be
 * in the only slot at which its probe ends; keys with sentinel hashes must be in extra slots. In
 * bucketed tables, each key in its second bucket must have its filter bit. */
const char *oracle_adopt(Oracle *oracle, const uint32_t *words);

#endif
