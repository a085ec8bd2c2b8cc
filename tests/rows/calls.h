/* In-shader calls on rows as data, the same text for C and GLSL: see support/calls.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ROWS_CALLS_H
#define MUR_TEST_ROWS_CALLS_H

#include "murmuration/rows_layout.h"

#define ROW_GROUP 64
/* By address, arrays are told to begin so many rows before they do: words beyond 2^32. */
#define ROW_FAR 0x80000000u

#define ROW_INSERT 0u
#define ROW_FIND   1u
#define ROW_ERASE  2u
#define ROW_VERBS  3u

/* When rows are equal: bit for bit; bit for bit, with one hash for all; if their first words are
 * but for the lowest four bits. */
#define HOOKS_BITS 0u
#define HOOKS_ONE  1u
#define HOOKS_SNAP 2u
#define HOOKS      3u

MUR_STRUCT(RowCall) {
    MUR_U32 verb;
    MUR_U32 row;   /* or MUR_ROW_QUERY: then */
    MUR_U32 query; /* the row of the other array */
    MUR_U32 pad;
};

MUR_STRUCT(RowAnswer) {
    MUR_U32 status;
    MUR_U32 there;
    MUR_U32 slot; /* of inserts that tell it */
    MUR_U32 pad;
};

MUR_STRUCT(RowsPush) {
    MurTableRef table;
    MUR_ADDRESS rows;
    MUR_ADDRESS queries;
    MUR_ADDRESS calls;
    MUR_ADDRESS answers;
    MUR_U32 callCount;
    MUR_U32 rounds; /* calls of an invocation, one after another */
    MUR_U32 words;
    MUR_U32 stride;
    MUR_U32 rowCount;
    MUR_U32 hooks;
    MUR_U32 oneHash;
};

#endif
