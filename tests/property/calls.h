/* In-shader calls as data, the same text for C and GLSL: a shader makes the calls it is told to and
 * writes down every answer.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_H
#define MUR_TEST_CALLS_H

#include "../support/call_numbers.h"
#include "murmuration/layout.h"

#define CALL_GROUP_TABLES 32 /* tables of a workgroup, by device address */
#define CALL_ARRAY_TABLES 4  /* tables in the array of bound ones */

/* In the order of the modes' calls. */
#define CALL_INSERT (CALL_MODE + 0u)
#define CALL_UPSERT (CALL_MODE + 1u)
#define CALL_UPDATE (CALL_MODE + 2u)
#define CALL_ADD    (CALL_MODE + 3u)
#define CALL_MIN    (CALL_MODE + 4u)
#define CALL_MAX    (CALL_MODE + 5u)
#define CALL_OR     (CALL_MODE + 6u)

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
