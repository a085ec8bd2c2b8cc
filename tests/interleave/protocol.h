/* A model of the claim of a slot by 64-bit keys with 32-bit atomics, written from the comment of
 * shaders/murmuration/claim.glsl. Each step makes one memory access, so that steps of several
 * operations can run in any order. The model can contain one fault of the protocol.
 *
 * The model has bytes for words, because halves are only compared and copied. All fields are bytes,
 * so that states can be compared as memory.
 *
 * In bucketed tables, operations read whole buckets first and claim slots in another order: see
 * buckets.c.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PROTOCOL_H
#define MUR_TEST_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS = 6, KEYS = 3, OPERATIONS = 3, BUCKET = 2 };
/* EMPTY: an unclaimed half. NONE: the empty value. TOMB: an erased row. ROWS: row numbers. */
enum { EMPTY = 255, NONE = 0, TOMB = 254, ROWS = 9 };

typedef struct Key {
    uint8_t low, high; /* halves of the key's hash */
    uint8_t home;      /* home slot, or in buckets the first slot of the first bucket */
    uint8_t second;    /* in buckets, first slot of the second bucket */
} Key;

typedef struct Slot {
    uint8_t low, high, tag, value;
} Slot;

typedef struct Memory {
    Slot slots[SLOTS];
    uint8_t filter; /* filter of bucketed tables, one bit per position */
} Memory;

/* FREE stands for an eviction pass that frees the key's slot. */
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
    uint8_t before; /* one bit per operation that completed before this one began */
    uint8_t status, found;
    uint8_t own, open, second; /* own, open: masks of read slots. second: reads the second bucket */
    Slot seen;                 /* result of the last read */
    Memory start;              /* oldest state that reads may return */
} Operation;

/* Faults of the protocol. The test must detect each of them. */
typedef enum Fault {
    FAULT_NONE,
    FAULT_MARKERS_AS_THEY_ARE,      /* a half equal to the empty marker is stored, not 0 */
    FAULT_NO_TAG_FOR_REAL_ZEROES,   /* only keys with sentinel halves claim the tag */
    FAULT_ONE_TAG_FOR_ALL,          /* tags do not record which half was the sentinel */
    FAULT_NO_TAG,                   /* no key claims the tag */
    FAULT_LOW_HALF_NOT_COMPARED,    /* claims the high half of a foreign slot */
    FAULT_HIGH_HALF_TAKEN_ON_SIGHT, /* if only the high half is empty, does not claim it */
    FAULT_HIGH_HALF_STORED,         /* stores the high half without compare-and-swap */
    FAULT_PASSES_HALF_CLAIMED,      /* an insert skips half-claimed slots */
    FAULT_FIND_ENDS_AT_HALF_CLAIMED,
    FAULT_FIND_IGNORES_TAG,
    FAULT_FIND_IGNORES_HIGH_HALF,
    FAULT_VALUE_BEFORE_HIGH_HALF, /* stores the value after the claim of the low half */
    FAULT_LOSER_GIVES_BACK,       /* a failed claim of the high half empties the low half */
    FAULT_STALE_READ_BELIEVED,    /* stores to a word that a plain read showed as empty */
    FAULTS_OF_BUCKETS,
    FAULT_SECOND_NOT_LOOKED_AT = FAULTS_OF_BUCKETS, /* by inserts that find an open slot */
    FAULT_NO_BIT,
    FAULT_BIT_AFTER_CLAIM, /* sets the filter bit after the claim; not at all if it finds the key */
    FAULT_SECOND_FIRST,    /* claims in the second bucket before the first */
    FAULT_OPEN_BEFORE_OWN, /* claims an open slot instead of the key's own slot */
    FAULT_FIND_ENDS_AT_FREE,
    FAULT_FREES_BESIDE, /* an eviction pass frees slots during inserts */
    FAULTS_OF_ROWS,
    FAULT_NOT_YET_IS_ANOTHERS = FAULTS_OF_ROWS, /* compares no row whose hash is missing */
    FAULT_HASHES_ARE_ENOUGH,                    /* rows with equal hashes count as equal */
    FAULT_LOSER_GOES_ON,                        /* does not compare the row that won */
    FAULT_ROW_STORED,                           /* stores the row without compare-and-swap */
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

/* A word that a step reads has its current or its oldest state. The choice of a step is a mask of
 * the words with the current state. step_choices returns the words whose two states differ. Choices
 * include torn and reordered reads. Key words change only once, so two states suffice. */
uint32_t step_choices(const Operation *operation, const Memory *memory);
void step(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);

/* Functions of protocol.c that linear and bucketed tables share. */
Slot step_look(const Operation *operation, const Memory *memory, uint32_t choice);
bool step_is_open(const Setting *setting, Slot seen, Slot form);
void step_end(Operation *operation, Status status, uint8_t found);
void step_go_on(Operation *operation, const Slot *form, Fault fault);
void step_update(Operation *operation, Memory *memory);
bool step_claim(const Setting *setting, Operation *operation, Memory *memory);
void step_next_slot(Operation *operation);
void step_in_buckets(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);
/* Functions of rows.c. check_rows checks a table of rows after all operations. It returns an error
 * or NULL. values: output, the row that represents each key. */
void step_in_rows(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);
const char *check_rows(const Setting *setting, const Memory *memory, uint8_t *values);

#endif
