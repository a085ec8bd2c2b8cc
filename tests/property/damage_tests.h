/* Tables whose memory has been tampered with.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_DAMAGE_H
#define MUR_TEST_DAMAGE_H

#include "calls_model.h"
#include "support/call_code.h"

/* Every call of the include, by shaders that have been compiled for other cases. */
void damage_by_calls(Gpu *gpu, const TableKind *kind, Layout shader, Access access, bool lookups);

#endif
