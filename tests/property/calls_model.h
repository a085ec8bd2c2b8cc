/* Random in-shader calls, and what the oracle says they answer.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_MODEL_H
#define MUR_TEST_CALLS_MODEL_H

#include "calls.h"
#include "oracle/oracle.h"
#include "sequence.h"

typedef enum CallSet {
    CALLS_ALL,
    CALLS_LOOKUPS, /* what a read-only shader can call */
    CALLS_BULK     /* what the bulk commands do too */
} CallSet;

/* A small table in the engine's memory. */
TableSpec calls_table(Random *random, bool zero, bool wide);
OracleConfig calls_config(const TableSpec *spec, uint32_t slotCount);

/* keys: the keys that the calls use. */
void calls_generate(Random *random, CallSet set, const TableSpec *spec, uint32_t slotCount,
                    const uint32_t *keys, uint32_t keyCount, Call *calls, uint32_t count);

/* Makes the call on the oracle. writable: the shader may write the table at all. */
Answer calls_expect(Oracle *oracle, const Call *call, bool writable);
/* Is it the same answer, in all that the call promises? */
bool calls_agree(const Answer *expected, const Answer *got);
void calls_print(uint32_t index, const Call *call, const Answer *answer);
/* The mode of an insert; false for another call. */
bool calls_mode(const Call *call, uint32_t *mode);

#endif
