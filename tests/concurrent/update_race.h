/* Changes of a value between the read and the exchange of an update, and the shader's results.
 * Shared by C and GLSL.
 * SPDX-License-Identifier: MIT */
#ifndef UPDATE_RACE_H
#define UPDATE_RACE_H

#include "murmuration/layout.h"

#define RACE_NOTHING 0u
#define RACE_ONCE    1u /* the value changes before the first exchange */
#define RACE_OFTEN   2u /* the value changes before each exchange except the last */
#define RACE_ALWAYS  3u
#define RACE_ERASE   4u
#define RACE_RETURN  5u /* the key is erased and inserted again before the first exchange */
#define RACE_KINDS   6u

/* The low words of values. The high word of a 64-bit value is the inverted low word. */
#define RACE_FIRST   1u
#define RACE_OTHER   100u /* plus the number of changes so far: the value that a change writes */
#define RACE_UPDATED 7u

#define RACE_GROUP 64u /* one key per invocation */

MUR_STRUCT(RacePush) {
    MurTableRef table;
    MUR_ADDRESS results;
    MUR_U32 kind;
    MUR_U32 pad;
};

MUR_STRUCT(RaceResult) {
    MUR_U32 status;
    MUR_U32 slot;
    MUR_U32 inserted; /* the slot that the first insert returned */
    MUR_U32 old;
    MUR_U32 after;   /* value after the update */
    MUR_U32 present; /* 1 if the key is present after the update */
    MUR_U32 races;
    MUR_U32 torn; /* 1 if the words of a value do not match */
};

#endif
