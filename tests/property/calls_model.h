/* Random calls in shaders, and the oracle's results.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_MODEL_H
#define MUR_TEST_CALLS_MODEL_H

#include "support/gpu.h"

#include "oracle/oracle.h"
#include "sequence.h"
#include "support/calls.h"

/* Is the call for sets? Sets have no calls with values. */
bool call_is_of_sets(uint32_t call);
/* keys: the keys to use. lookups: only calls of read-only shaders. */
void calls_generate(Random *random, const Oracle *oracle, const TableKind *kind, bool lookups,
                    const uint64_t *keys, uint32_t keyCount, Call *calls, uint32_t count);

/* Applies the call to the oracle. writable: the shader is able to write the table. */
Answer calls_expect(Oracle *oracle, const Call *call, bool writable);
void calls_print(uint32_t index, const Call *call, const Answer *answer);

#endif
