/* The claim of a slot by 64-bit keys with 32-bit atomics (shaders/murmuration/claim.glsl), one
 * memory access per step, so that steps of several operations can run in any order. Written from
 * that file's comment. Can break the protocol in several ways.
 *
 * Words are bytes here. This changes nothing, because halves are compared and copied, never
 * calculated with. All fields are bytes, so that states can be compared as memory.
 *
 * In bucketed tables the claim processes slots in another order, after reads of whole buckets: see
 * buckets.c.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PROTOCOL_H
#define MUR_TEST_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS = 6, KEYS = 3, OPERATIONS = 3, BUCKET = 2 };
/* EMPTY: an unclaimed half. NONE: the empty value. TOMB: an erased row. ROWS: number of rows. */
enum { EMPTY = 255, NONE = 0, TOMB = 254, ROWS = 9 };

typedef struct Key {
    uint8_t low, high; /* of the hash */
    uint8_t home;      /* bucketed: first slot of its first bucket, */
    uint8_t second;    /* and of its second one */
} Key;

typedef struct Slot {
    uint8_t low, high, tag, value;
} Slot;

typedef struct Memory {
    Slot slots[SLOTS];
    uint8_t filter; /* bucketed: one bit per filter position */
} Memory;

/* FREE: a pass over buckets evicts the key's slot. */
typedef enum Kind { KEEP, ASSIGN, FIND, ERASE, KIND_COUNT, FREE = KIND_COUNT } Kind;

typedef enum Phase {
    READ,
    FILTER,
    SET_FILTER,
    CLAIM_LOW,
    CLAIM_HIGH,
    CLAIM_TAG,
    UPDATE,
    DONE
} Phase;

typedef enum Status { ABSENT, FOUND, INSERTED, EXISTED, ERASED, FULL } Status;

/* One operation in progress. */
typedef struct Operation {
    uint8_t kind, key, value;
    uint8_t phase, slot;
    uint8_t started;
    uint8_t before; /* bits: operations completed before this one began */
    uint8_t status, found;
    uint8_t own, open, second; /* slots of the read buckets, as bits; is it the second bucket? */
    Slot seen;                 /* by the last read */
    Memory start;              /* the oldest state that its reads may return */
} Operation;

/* Faults. Each must be detected. */
typedef enum Fault {
    FAULT_NONE,
    FAULT_MARKERS_AS_THEY_ARE,      /* a half equal to the empty marker is stored, not 0 */
    FAULT_NO_TAG_FOR_REAL_ZEROES,   /* only keys with sentinel halves claim the tag */
    FAULT_ONE_TAG_FOR_ALL,          /* tags do not record which half was the sentinel */
    FAULT_NO_TAG,                   /* no key claims the tag */
    FAULT_LOW_HALF_NOT_COMPARED,    /* claims the high half of a foreign slot */
    FAULT_HIGH_HALF_TAKEN_ON_SIGHT, /* only the high half is empty: no claim */
    FAULT_HIGH_HALF_STORED,         /* without compare-and-swap */
    FAULT_PASSES_HALF_CLAIMED,      /* an insert treats a half-claimed slot as foreign */
    FAULT_FIND_ENDS_AT_HALF_CLAIMED,
    FAULT_FIND_IGNORES_TAG,
    FAULT_FIND_IGNORES_HIGH_HALF,
    FAULT_VALUE_BEFORE_HIGH_HALF, /* published after the claim of the low half */
    FAULT_LOSER_GIVES_BACK,       /* the loser of the high half empties the low half */
    FAULT_STALE_READ_BELIEVED,    /* stores to a word that a plain read showed as empty */
    FAULTS_OF_BUCKETS,
    FAULT_SECOND_NOT_LOOKED_AT = FAULTS_OF_BUCKETS, /* if the first bucket has an open slot */
    FAULT_NO_BIT,
    FAULT_BIT_AFTER_CLAIM, /* and another insert that finds the key does not set it */
    FAULT_SECOND_FIRST,    /* claims in the second bucket before the first */
    FAULT_OPEN_BEFORE_OWN, /* claims an open slot before the key's own */
    FAULT_FIND_ENDS_AT_FREE,
    FAULT_FREES_BESIDE, /* a pass concurrent with inserts */
    FAULTS_OF_ROWS,
    FAULT_NOT_YET_IS_ANOTHERS = FAULTS_OF_ROWS, /* does not compare a row that has no hash yet */
    FAULT_HASHES_ARE_ENOUGH,                    /* does not compare rows with equal hashes */
    FAULT_LOSER_GOES_ON,                        /* does not compare the row that won */
    FAULT_ROW_STORED,                           /* without compare-and-swap */
    FAULT_TOMB_TAKEN,
    FAULT_ROW_SEEN_BEFORE, /* an insert uses a read from before it began */
    FAULT_COUNT
} Fault;

typedef struct Setting {
    Key keys[KEYS];
    bool buckets, rows;
    uint8_t keyOf[ROWS]; /* key of each row number; equal rows have one key */
    Fault fault;
} Setting;

/* Returns the words with which a key claims a slot; tag 0: the key claims no tag. */
Slot stored_form(const Setting *setting, uint8_t key);

/* A choice of a step is a set of words, as bits: those words are read in their current state, all
 * others in their oldest. step_choices: words whose states differ. Each word can have a different
 * age; this covers torn and reordered reads, because key words change once. */
uint32_t step_choices(const Operation *operation, const Memory *memory);
void step(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);

/* Shared by both protocols (protocol.c). */
Slot step_look(const Operation *operation, const Memory *memory, uint32_t choice);
bool step_is_open(const Setting *setting, Slot seen, Slot form);
void step_end(Operation *operation, Status status, uint8_t found);
void step_go_on(Operation *operation, const Slot *form, Fault fault);
void step_update(Operation *operation, Memory *memory);
bool step_claim(const Setting *setting, Operation *operation, Memory *memory);
void step_next_slot(Operation *operation);
void step_in_buckets(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);
/* rows.c. check_rows: invariants of a table of rows at rest; returns NULL or an error. values: by
 * key, the row that represents it. */
void step_in_rows(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);
const char *check_rows(const Setting *setting, const Memory *memory, uint8_t *values);

#endif
