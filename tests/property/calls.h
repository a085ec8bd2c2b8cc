/* In-shader calls as data, the same text for C and GLSL: a shader makes the calls it is told to and
 * writes down every answer.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_H
#define MUR_TEST_CALLS_H

#include "murmuration/layout.h"

#define CALL_GROUP_TABLES 32 /* tables of a workgroup, by device address */
#define CALL_ARRAY_TABLES 4  /* tables in the array of bound ones */

/* Which call. The lookups, which every shader can make, come first; "BARE" calls are the
 * overloads with fewer outputs. */
#define CALL_FIND           0u
#define CALL_FIND_SLOT      1u
#define CALL_FIND_SLOT_BARE 2u
#define CALL_SLOT_ENTRY     3u
#define CALL_SLOT_VALUE     4u
#define CALL_LOOKUPS        5u
/* A mode's call: with the slot, bare, with the slot and the value that was there before. */
#define CALL_INSERT        5u
#define CALL_UPSERT        6u
#define CALL_UPDATE        7u
#define CALL_ADD           8u
#define CALL_MIN           9u
#define CALL_MAX           10u
#define CALL_OR            11u
#define CALL_MODES         7u
#define CALL_BARE          12u /* the same seven */
#define CALL_OLD           19u /* the same seven */
#define CALL_INSERT_MODE   26u
#define CALL_ERASE         27u
#define CALL_ERASE_BARE    28u
#define CALL_SLOT_EXCHANGE 29u
/* Compares with what is there if the mode is odd, else with the value, its lowest bit inverted. */
#define CALL_SLOT_COMPARE_EXCHANGE 30u
#define CALL_COUNT                 31u

MUR_STRUCT(Call) {
    MUR_U32 call; /* CALL_* */
    MUR_U32 at;   /* a key, or for the slot calls a slot */
    MUR_U32 value;
    MUR_U32 mode; /* MUR_MODE_*, of CALL_INSERT_MODE */
};

/* Outputs that a call does not have are 0. */
MUR_STRUCT(Answer) {
    MUR_U32 call;   /* the call that was made */
    MUR_U32 status; /* the returned status, or 1 for true */
    MUR_U32 value;
    MUR_U32 slot; /* mur_slot_entry: the key */
};

MUR_STRUCT(CallPush) {
    MurTableRef table;  /* of a bound table */
    MUR_U32 first;      /* table that the first invocation works on */
    MUR_U32 tableCount; /* of the dispatch */
    MUR_U32 callCount;  /* calls a table */
    MUR_U32 pad;
};

#endif
