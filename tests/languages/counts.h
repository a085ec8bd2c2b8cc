/* How many operations of each call were compared, by language and format: README.md has the table,
 * and a case compares it with what ran.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_COUNTS_H
#define MUR_TEST_COUNTS_H

#include "run.h"

/* Rows of the table. */
typedef enum Call {
    CALL_FIND,
    CALL_FIND_VALUE,
    CALL_SLOT_VALUE,
    CALL_ENTRY,
    CALL_SPATIAL,
    CALL_CENTER,
    CALL_MODES, /* and MUR_MODE_* */
    CALL_ERASE = CALL_MODES + MUR_MODE_UPDATE + 1,
    CALL_ERASE_ONLY,
    CALL_EXCHANGE,
    CALL_COMPARE,
    CALL_REFUSED,
    CALL_STORM_KEEP,
    CALL_STORM_ERASE,
    CALL_STORM_SUM,
    CALL_COUNT
} Call;

/* Those of an operation of the trace, and of a program that writes or only looks up. */
Call call_of(const Operation *operation, bool refused);
void count_calls(int language, uint32_t format, bool writes, Call call, uint32_t count);

/* Fails unless the table in the file README.md is that of each language that has run. */
void counts_of_the_readme(void **state);

#endif
