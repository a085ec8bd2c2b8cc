/* Random in-shader calls, and what the oracle says they answer.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_MODEL_H
#define MUR_TEST_CALLS_MODEL_H

#include "support/gpu.h"

#include "oracle/oracle.h"
#include "sequence.h"
#include "support/calls.h"

/* Sets have no calls with values. */
bool call_is_of_sets(uint32_t call);
/* keys: the keys that the calls use. lookups: those that a read-only shader can make. */
void calls_generate(Random *random, const Oracle *oracle, const TableKind *kind, bool lookups,
                    const uint64_t *keys, uint32_t keyCount, Call *calls, uint32_t count);

/* Makes the call on the oracle. writable: the shader may write the table at all. */
Answer calls_expect(Oracle *oracle, const Call *call, bool writable);
void calls_print(uint32_t index, const Call *call, const Answer *answer);

#endif
