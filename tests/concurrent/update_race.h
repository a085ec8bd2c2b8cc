/* What happens to a key's value between an update's look and its exchange, and what the shader
 * tells of it; the same text for C and GLSL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef UPDATE_RACE_H
#define UPDATE_RACE_H

#include "murmuration/layout.h"

#define RACE_NOTHING 0u
#define RACE_ONCE    1u /* it changes, the first time */
#define RACE_OFTEN   2u /* each time but the last */
#define RACE_ALWAYS  3u
#define RACE_ERASE   4u
#define RACE_RETURN  5u /* it is erased and inserted again, the first time */
#define RACE_KINDS   6u

/* Values, as low words; the high one, where there is one, is the complement. */
#define RACE_FIRST   1u
#define RACE_OTHER   100u /* and how often it was changed, this time included */
#define RACE_UPDATED 7u

#define RACE_GROUP 64u /* an invocation a key */

MUR_STRUCT(RacePush) {
    MurTableRef table;
    MUR_ADDRESS results;
    MUR_U32 kind;
    MUR_U32 pad;
};

MUR_STRUCT(RaceResult) {
    MUR_U32 status;
    MUR_U32 slot;
    MUR_U32 inserted; /* the slot that the key had got */
    MUR_U32 old;
    MUR_U32 after;
    MUR_U32 present; /* afterwards */
    MUR_U32 races;
    MUR_U32 torn; /* a value whose words do not belong together */
};

#endif
