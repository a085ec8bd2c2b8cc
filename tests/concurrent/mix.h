/* The operations of a storm (a dispatch of many concurrent operations), as eight letters: F find, K
 * insert, A assign, + add, < min, > max, | or, U update, E erase, X exchange by slot, T take (erase
 * by slot), C compare and exchange by slot, and, only for bulk commands, W erase where.
 * SPDX-License-Identifier: MIT */
#ifndef MIX_H
#define MIX_H

#include "support/cases.h"

#include <string.h>

static inline uint32_t storm_mix(const char *text) {
    const char *names = "AK+<>|UFEXTWC"; /* in the order of MUR_MODE_*, then STORM_* */
    uint32_t mix = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        const char *name = strchr(names, text[i]);
        assert_non_null(name);
        mix |= (uint32_t)(name - names) << (4 * i);
    }
    return mix;
}

#endif
