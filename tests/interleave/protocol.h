/* The claim of a slot of 64-bit keys by 32-bit atomics (shaders/murmuration/claim.glsl), one
 * memory access a step, so that the steps of several operations can be run in any order. Written
 * from that file's comment, and able to break the protocol in several ways.
 *
 * Words are bytes here, which changes nothing: halves are compared and copied, never calculated
 * with. All is bytes, so that states can be compared as memory.
 *
 * In buckets the same claim goes over slots in another order, which reads have shown before: see
 * buckets.c.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PROTOCOL_H
#define MUR_TEST_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS = 6, KEYS = 3, OPERATIONS = 3, BUCKET = 2 };
/* A half that nobody has claimed; the reserved value; and of rows: erased, and most row numbers. */
enum { EMPTY = 255, NONE = 0, TOMB = 254, ROWS = 9 };

typedef struct Key {
    uint8_t low, high; /* of the hash */
    uint8_t home;      /* in buckets: the first slot of its first bucket, */
    uint8_t second;    /* and of its second one */
} Key;

typedef struct Slot {
    uint8_t low, high, tag, value;
} Slot;

typedef struct Memory {
    Slot slots[SLOTS];
    uint8_t filter; /* in buckets: a bit for each of them */
} Memory;

/* FREE: in buckets, what a pass does to the key's slot. */
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

/* One operation under way. */
typedef struct Operation {
    uint8_t kind, key, value;
    uint8_t phase, slot;
    uint8_t started;
    uint8_t before; /* bits: operations that were done when this one started */
    uint8_t status, found;
    uint8_t own, open, second; /* slots of buckets that were read, as bits; is it the second? */
    Slot seen;                 /* by the last read */
    Memory start;              /* memory as its reads show it at the least */
} Operation;

/* Ways to be wrong; each must be noticed. */
typedef enum Fault {
    FAULT_NONE,
    FAULT_MARKERS_AS_THEY_ARE,      /* a half equal to the empty marker is stored, not 0 */
    FAULT_NO_TAG_FOR_REAL_ZEROES,   /* only keys with marker halves claim the tag */
    FAULT_ONE_TAG_FOR_ALL,          /* tags do not tell which half was the marker */
    FAULT_NO_TAG,                   /* nobody claims the tag */
    FAULT_LOW_HALF_NOT_COMPARED,    /* goes on to the high half of another's slot */
    FAULT_HIGH_HALF_TAKEN_ON_SIGHT, /* low half its own, high one empty: takes the slot as it is */
    FAULT_HIGH_HALF_STORED,         /* without comparing */
    FAULT_PASSES_HALF_CLAIMED,      /* an insert takes a half-claimed slot for another's */
    FAULT_FIND_ENDS_AT_HALF_CLAIMED,
    FAULT_FIND_IGNORES_TAG,
    FAULT_FIND_IGNORES_HIGH_HALF,
    FAULT_VALUE_BEFORE_HIGH_HALF, /* published when the low half is claimed */
    FAULT_LOSER_GIVES_BACK,       /* who loses the high half empties the low one */
    FAULT_STALE_READ_BELIEVED,    /* what a plain read shows as empty is stored to */
    FAULTS_OF_BUCKETS,
    FAULT_SECOND_NOT_LOOKED_AT = FAULTS_OF_BUCKETS, /* if the first one has an open slot */
    FAULT_NO_BIT,
    FAULT_BIT_AFTER_CLAIM, /* and who finds the key there leaves it to who claims */
    FAULT_SECOND_FIRST,    /* claims there before it does in the first */
    FAULT_OPEN_BEFORE_OWN, /* claims a slot that is open before one that is its own */
    FAULT_FIND_ENDS_AT_FREE,
    FAULT_FREES_BESIDE, /* a pass beside inserts */
    FAULTS_OF_ROWS,
    FAULT_NOT_YET_IS_ANOTHERS = FAULTS_OF_ROWS, /* a row without its hash is not compared */
    FAULT_HASHES_ARE_ENOUGH,                    /* nor is one of an equal hash */
    FAULT_LOSER_GOES_ON,                        /* does not look at the row that won */
    FAULT_ROW_STORED,                           /* without comparing */
    FAULT_TOMB_TAKEN,
    FAULT_ROW_SEEN_BEFORE, /* an insert believes a read from before it began */
    FAULT_COUNT
} Fault;

typedef struct Setting {
    Key keys[KEYS];
    bool buckets, rows;
    uint8_t keyOf[ROWS]; /* by row number: equal rows are of one key */
    Fault fault;
} Setting;

/* The words with which a key claims a slot; tag 0: it claims none. */
Slot stored_form(const Setting *setting, uint8_t key);

/* The choices of an operation's next step are sets of words, as bits: those that its read shows as
 * they are now, not as they were. step_choices: words for which that makes a difference. Each word
 * can be of another age, which covers torn reads and reads out of order: key words change once. */
uint32_t step_choices(const Operation *operation, const Memory *memory);
void step(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);

/* What both protocols share (protocol.c). */
Slot step_look(const Operation *operation, const Memory *memory, uint32_t choice);
bool step_is_open(const Setting *setting, Slot seen, Slot form);
void step_end(Operation *operation, Status status, uint8_t found);
void step_go_on(Operation *operation, const Slot *form, Fault fault);
void step_update(Operation *operation, Memory *memory);
bool step_claim(const Setting *setting, Operation *operation, Memory *memory);
void step_next_slot(Operation *operation);
void step_in_buckets(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);
/* rows.c; and what must hold of a table of rows when nothing runs: NULL, or what is wrong. values:
 * by key, the row that stands for it. */
void step_in_rows(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice);
const char *check_rows(const Setting *setting, const Memory *memory, uint8_t *values);

#endif
