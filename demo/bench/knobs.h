/* The library's debug knobs, which force what it otherwise chooses: for measuring what its choices
 * are made from, and for tables in a state that the default choice would not leave. No figure of
 * a suite is of a command that a knob changed.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_KNOBS_H
#define MURBENCH_KNOBS_H

#include "common/gpu.h"

typedef enum Knob {
    KNOB_BUILD_PATH,
    KNOB_INSERT_PATH,
    KNOB_SORT,
    KNOB_COUNT
} Knob;

/* Sets a knob to one of its values, by name; NULL: back to the default, the library's choice. For
 * commands recorded, and scratch sizes asked for, from now on. A name that the knob does not have
 * is a mistake in this program and ends it. */
void knobSet(MurContext context, Knob knob, const char *value);
/* The names of a knob's values, the default first; NULL after the last. */
const char *knobValue(Knob knob, uint32_t index);
void knobsReset(MurContext context);

#endif
