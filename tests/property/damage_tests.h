/* Tables with overwritten memory.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_DAMAGE_H
#define MUR_TEST_DAMAGE_H

#include "support/call_code.h"

/* Returns whether tables without values support the call. */
bool call_is_of_sets(uint32_t call);
/* Makes every call of murmuration.glsl on damaged tables, by shaders compiled for other cases. */
void damage_by_calls(Gpu *gpu, const TableKind *kind, Layout shader, Access access, bool lookups);

#endif
