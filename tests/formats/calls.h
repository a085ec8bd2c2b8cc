/* In-shader calls as data, the same text for C and GLSL. Keys and values are 64 bits wide here
 * whatever the format; a shader takes the low words where its format has no more.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_FORMAT_CALLS_H
#define MUR_TEST_FORMAT_CALLS_H

#include "../support/call_numbers.h"
#include "murmuration/layout.h"

/* Of the modes' calls the one of a mode is CALL_MODE, CALL_BARE or CALL_OLD + MUR_MODE_*. Sets have
 * no _VALUE, and of the modes only MUR_MODE_KEEP. */

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
