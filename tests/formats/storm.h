/* Many invocations on few keys of many tables, and what is counted of them, the same text for C and
 * GLSL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_FORMAT_STORM_H
#define MUR_TEST_FORMAT_STORM_H

#include "murmuration/layout.h"

#define STORM_WORKGROUP 64
#define STORM_ROUNDS    4u /* operations of an invocation on a table */

/* What an invocation may do, as bits of a mix. Values are made of the key's number, so that another
 * key's value is noticed; of values of two words the high one, by which they are ordered, is the
 * low one with each bit inverted. ADD adds 1, or to values of two words 2^32 - 1: it carries. */
#define STORM_KEEP   0u
#define STORM_ASSIGN 1u
#define STORM_ADD    2u
#define STORM_FIND   3u
#define STORM_ERASE  4u
#define STORM_MIN    5u
#define STORM_UPDATE 6u

/* Of one key of one table. */
MUR_STRUCT(Tally) {
    MUR_U32 inserted, erased, full;
    MUR_U32 wrong;     /* a value of another key, or half of one; a status that cannot be */
    MUR_U32 elsewhere; /* 0xFFFFFFFF minus the first slot that was reported */
    MUR_U32 last;      /* the last slot */
    MUR_U32 adds;
    MUR_U32 sumLow, sumHigh; /* of values erased, by words, each with its own carries lost */
    MUR_U32 least;           /* of the low words given to minima: inverted, but of values of two */
    MUR_U32 pad0, pad1;
};

MUR_STRUCT(StormPush) {
    MurTableRef table;   /* if bound; else: */
    MUR_ADDRESS tables;  /* references */
    MUR_ADDRESS keys;    /* pairs of words */
    MUR_ADDRESS tallies; /* keyCount for each table */
    MUR_U32 tableCount;
    MUR_U32 keyCount;
    MUR_U32 mix;
    MUR_U32 seed;
};

#endif
