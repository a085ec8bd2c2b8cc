/* Lies about results, told to the checks to see that they find them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_LIES_H
#define MUR_TEST_BULK_LIES_H

#include "bulk_run.h"

/* Changes a run's results; false if they have no place for this lie, and nothing changed. */
typedef bool (*Falsify)(uint32_t *words, const Run *run);

typedef struct Lie {
    const char *name;
    Falsify falsify;
} Lie;

enum { LIE_COUNT = 17 };
extern const Lie lies[LIE_COUNT];

#endif
