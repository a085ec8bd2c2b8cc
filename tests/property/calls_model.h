/* Random calls in shaders, and their results by the oracle.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_MODEL_H
#define MUR_TEST_CALLS_MODEL_H

#include "support/gpu.h"

#include "oracle/oracle.h"
#include "sequence.h"
#include "support/call_code.h"

/* Returns whether tables without values support the call. */
bool call_is_of_sets(uint32_t call);
/* Generates calls on these keys. lookups: only calls that read-only shaders support. */
void calls_generate(Random *random, const Oracle *oracle, const TableKind *kind, bool lookups,
                    const uint64_t *keys, uint32_t keyCount, Call *calls, uint32_t count);

/* Applies a call to the oracle. writable: false if the shader must reject writes. */
Answer calls_expect(Oracle *oracle, const Call *call, bool writable);
void calls_print(uint32_t index, const Call *call, const Answer *answer);

/* Makes every call of murmuration.glsl on damaged tables, by shaders compiled for other cases. */
void damage_by_calls(Gpu *gpu, const TableKind *kind, Layout shader, Access access, bool lookups);

#endif
