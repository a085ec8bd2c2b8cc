/* Calls in shaders as data, shared by C and GLSL: a shader makes the listed calls and stores every
 * result. Keys and values are 64 bits wide for every format; shaders of narrower formats use the
 * low words.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_H
#define MUR_TEST_CALLS_H

#include "murmuration/layout.h"
#include "murmuration/rows_layout.h"

#define CALL_GROUP_TABLES 32 /* invocations per workgroup, one per table unless all use one table */
#define CALL_ARRAY_TABLES 4  /* tables in the array of bound buffers */

/* Lookups, which every shader has. "BARE" calls are the overloads with fewer outputs. */
#define CALL_FIND           0u
#define CALL_FIND_SLOT      1u
#define CALL_FIND_SLOT_BARE 2u
#define CALL_SLOT_ENTRY     3u
#define CALL_SLOT_VALUE     4u
#define CALL_LOOKUPS        5u
/* Calls with a mode. CALL_MODE returns the slot, CALL_BARE has no outputs, and CALL_OLD returns the
 * slot and the previous value. */
#define CALL_MODE          5u
#define CALL_MODES         7u
#define CALL_BARE          12u
#define CALL_OLD           19u
#define CALL_INSERT_MODE   26u
#define CALL_ERASE         27u
#define CALL_ERASE_BARE    28u
#define CALL_SLOT_EXCHANGE 29u
/* Compares and exchanges a slot's value. The expected value is the present one if the call's mode
 * is odd, otherwise the new value with the lowest bit inverted (so that the exchange fails). */
#define CALL_SLOT_COMPARE_EXCHANGE 30u
#define CALL_COUNT                 31u

/* Calls on multi-value tables. A visit makes every lookup; each other call makes one write. */
#define CALL_MULTI_VISIT     0u
#define CALL_MULTI_INSERT    1u
#define CALL_MULTI_ERASE     2u
#define CALL_MULTI_ERASE_KEY 3u
#define CALL_MULTI_SINGLE    4u /* every single-value call; status: sum of their statuses */

/* Calls on rows. */
#define CALL_ROW_INSERT 0u
#define CALL_ROW_FIND   1u
#define CALL_ROW_ERASE  2u
#define CALL_ROWS       3u
/* Shaders that access tables by address add this number to each row index, and tests subtract the
 * size of as many rows from the array's address. Offsets then exceed 2^32 bytes. */
#define CALL_ROW_FAR 0x80000000u
/* Three definitions of equal rows. BITS: all bits are equal. ONE: all bits are equal, and all rows
 * have one hash. SNAP: the first words are equal except for the lowest four bits. */
#define CALL_HOOKS_BITS 0u
#define CALL_HOOKS_ONE  1u
#define CALL_HOOKS_SNAP 2u
#define CALL_HOOKS      3u

/* The call of a mode is CALL_MODE, CALL_BARE or CALL_OLD + MUR_MODE_*. Sets support no calls on
 * values, and only MUR_MODE_INSERT. */

MUR_STRUCT(Call) {
    MUR_ADDRESS key;
    MUR_ADDRESS value;
    MUR_U32 call;
    MUR_U32 mode;  /* the mode of CALL_INSERT_MODE; CALL_MULTI_VISIT: 1 for a 64-bit key */
    MUR_U32 slot;  /* the slot of a call by slot; calls on rows: the row, or MUR_ROW_QUERY */
    MUR_U32 other; /* calls on rows: the row of the query; other calls do not use it */
};

/* Outputs that a call does not have are 0. */
MUR_STRUCT(Answer) {
    MUR_ADDRESS key;   /* mur_slot_entry: the key; visit: sums of values, by cursor and ordinal */
    MUR_ADDRESS value; /* the value; visit: the found value, high word: the count; rows: the row */
    MUR_U32 status;    /* the status, or 1 for true and 0 for false */
    MUR_U32 slot;      /* the slot; visit and CALL_MULTI_ERASE_KEY: number of values */
};

MUR_STRUCT(CallPush) {
    MurTableRef table;  /* a bound table, a row table or a multi-value table */
    MUR_ADDRESS tables; /* address of the table references; in calls on rows: of the rows */
    MUR_ADDRESS calls;
    MUR_ADDRESS answers;
    MUR_U32 tableCount;
    MUR_U32 callCount;   /* per table */
    MUR_ADDRESS queries; /* this and the following members are used for rows only */
    MUR_U32 words;
    MUR_U32 stride;
    MUR_U32 rowCount;
    MUR_U32 hooks;
    MUR_U32 oneHash;
};

#endif
