/* In-shader calls as data, the same text for C and GLSL. Keys and values are 64 bits wide here
 * whatever the format; a shader takes the low words where its format has no more.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_FORMAT_CALLS_H
#define MUR_TEST_FORMAT_CALLS_H

#include "murmuration/layout.h"

/* Lookups come first. BARE: the overload with fewer outputs. Sets have no _VALUE, and of the modes
 * only CALL_INSERT. */
#define CALL_FIND           0u
#define CALL_FIND_SLOT      1u
#define CALL_FIND_SLOT_BARE 2u
#define CALL_SLOT_ENTRY     3u
#define CALL_SLOT_VALUE     4u
#define CALL_LOOKUPS        5u
#define CALL_MODE           5u  /* + MUR_MODE_*: mur_upsert, mur_insert, mur_add, ... */
#define CALL_MODE_BARE      12u /* + MUR_MODE_* */
#define CALL_MODE_OLD       19u /* + MUR_MODE_*: with the value that was there before */
#define CALL_INSERT_MODE    26u
#define CALL_ERASE          27u
#define CALL_ERASE_BARE     28u
#define CALL_SLOT_EXCHANGE  29u
/* Compares with what is there if the mode is odd, else with the value, its lowest bit inverted. */
#define CALL_SLOT_COMPARE_EXCHANGE 30u
#define CALL_COUNT                 31u

MUR_STRUCT(Call) {
    MUR_ADDRESS key;
    MUR_ADDRESS value;
    MUR_U32 call;
    MUR_U32 mode; /* of CALL_INSERT_MODE */
    MUR_U32 slot; /* of the slot calls */
    MUR_U32 pad;
};

/* Outputs that a call does not have are 0. */
MUR_STRUCT(Answer) {
    MUR_ADDRESS key; /* mur_slot_entry */
    MUR_ADDRESS value;
    MUR_U32 status; /* or 1 for true */
    MUR_U32 slot;
};

MUR_STRUCT(CallPush) {
    MurTableRef table;  /* of a bound table */
    MUR_ADDRESS tables; /* references, by device address */
    MUR_ADDRESS calls;
    MUR_ADDRESS answers;
    MUR_U32 tableCount;
    MUR_U32 callCount; /* a table */
};

#endif
