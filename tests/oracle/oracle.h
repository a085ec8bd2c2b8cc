/* The oracle: one table in plain C, slot by slot, for operations that run one after another.
 *
 * Written from what the headers promise, not from the shaders: linear probing from the home slot,
 * every slot at most once, up to the end of the last sector that the probe limit allows. It shares
 * the names of statuses, modes and header words with the library and no code, the hash included.
 *
 * What follows from it: which slot a key gets, the status of every operation, the failure counters,
 * the state bits, the statistics and every word of the table's memory. A test that runs many items
 * at once, in no particular order, cannot predict which slot a key gets; it reads the table back
 * (oracle_adopt), checks what must hold of it, and goes on from there.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ORACLE_H
#define MUR_TEST_ORACLE_H

#include <murmuration/layout.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct OracleSlot {
    bool claimed; /* by this key, until the table is cleared: an erased key keeps its slot */
    uint32_t key;
    uint32_t value; /* the reserved value: no entry lives here */
} OracleSlot;

typedef struct OracleConfig {
    uint32_t capacity;
    uint32_t slotCount; /* as murGetTableRequirements says */
    uint32_t seed;
    uint64_t probeLimit; /* as in MurTableCreateInfo: 0 is the default */
    bool zero;           /* the reserved value is 0 instead of 0xFFFFFFFF */
    bool wide;           /* 64-bit atomics: only a flag in the header to the oracle */
} OracleConfig;

typedef struct Oracle {
    OracleConfig config;
    uint32_t none;         /* the reserved value */
    uint32_t probeSectors; /* sectors that a probe visits */
    uint64_t full;         /* failed inserts since the last clear */
    uint64_t refused;
    bool ordered; /* state bits. No operation here sets this one; a test may, on both sides */
    bool wrapped;
    OracleSlot
        *slots; /* slotCount + 2; the last two, the extra slots, always belong to one key each */
} Oracle;

/* What an operation reports. */
typedef struct OracleResult {
    uint32_t status; /* MUR_* */
    uint32_t value;  /* find: the value; erase: what was erased; else the reserved value */
    uint32_t slot;   /* or MUR_NO_SLOT */
} OracleResult;

/* An empty table, as after a clear. oracle_copy: into one opened with the same configuration. */
void oracle_open(Oracle *oracle, const OracleConfig *config);
void oracle_close(Oracle *oracle);
void oracle_copy(Oracle *to, const Oracle *from);
void oracle_clear(Oracle *oracle);

uint32_t oracle_hash(uint32_t key, uint32_t seed);
uint32_t oracle_key(uint32_t hash, uint32_t seed); /* the key of that hash */
uint32_t oracle_home(const Oracle *oracle, uint32_t key);

/* The first slot on the key's way that is its own or unclaimed; MUR_NO_SLOT: neither within reach.
 */
uint32_t oracle_probe(const Oracle *oracle, uint32_t key);
/* The slot that the key has claimed, an entry or not, or MUR_NO_SLOT. */
uint32_t oracle_claimed(const Oracle *oracle, uint32_t key);
/* The key's value, or the reserved value. */
uint32_t oracle_value(const Oracle *oracle, uint32_t key);

bool oracle_offers(const Oracle *oracle, uint32_t mode);
/* The value word after an insert by mode of value over old, either of which may stand for absence.
 */
uint32_t oracle_combine(const Oracle *oracle, uint32_t mode, uint32_t old, uint32_t value);

OracleResult oracle_find(const Oracle *oracle, uint32_t key);
OracleResult oracle_insert(Oracle *oracle, uint32_t mode, uint32_t key, uint32_t value);
OracleResult oracle_erase(Oracle *oracle, uint32_t key);
/* As mur_slot_exchange: returns the value replaced. */
uint32_t oracle_exchange(Oracle *oracle, uint32_t slot, uint32_t value);
uint32_t oracle_compare_exchange(Oracle *oracle, uint32_t slot, uint32_t compare, uint32_t value);

/* (word & mask) compare reference, as MurPredicate; mask 0 means all bits. */
bool oracle_satisfies(uint32_t compare, uint32_t mask, uint32_t reference, uint32_t value);
MurStats oracle_stats(const Oracle *oracle);

/* Memory of the table, header first: oracle_image_words words. */
size_t oracle_image_words(const Oracle *oracle);
void oracle_image(const Oracle *oracle, uint32_t *words);
/* Takes the slots, and nothing else, from an image. */
void oracle_adopt(Oracle *oracle, const uint32_t *words);

#endif
