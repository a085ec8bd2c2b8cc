/* The debug knobs: the one file here that looks into the library.
 *
 * SPDX-License-Identifier: MIT */
#include "knobs.h"

#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOB_VALUES = 8 };

/* A knob is an enumeration in the context whose value 0 is the default. */
static const struct {
    size_t offset;
    const char *values[KNOB_VALUES]; /* by the value that they name */
} knobs[KNOB_COUNT] = {
    [KNOB_BUILD_PATH] = {offsetof(struct MurContext_T, buildPath),
                         {[MUR_BUILD_AUTO] = "auto",
                          [MUR_BUILD_DIRECT] = "direct",
                          [MUR_BUILD_SLICED] = "sliced",
                          [MUR_BUILD_EXACT] = "exact"}},
    [KNOB_INSERT_PATH] = {offsetof(struct MurContext_T, insertPath),
                          {[MUR_INSERT_AUTO] = "auto",
                           [MUR_INSERT_LOOK] = "look",
                           [MUR_INSERT_HOME] = "home",
                           [MUR_INSERT_SLICED] = "sliced"}},
    [KNOB_SORT] = {offsetof(struct MurContext_T, sortPath),
                   {[MUR_SORT_AUTO] = "auto",
                    [MUR_SORT_NEVER] = "never",
                    [MUR_SORT_ALWAYS] = "always",
                    [MUR_SORT_FINE] = "fine"}},
};
_Static_assert(sizeof(MurBuildPath) == sizeof(int), "a knob is as wide as an int");
_Static_assert(sizeof(MurInsertPath) == sizeof(int), "a knob is as wide as an int");
_Static_assert(sizeof(MurSortPath) == sizeof(int), "a knob is as wide as an int");

void knobSet(MurContext context, Knob knob, const char *value) {
    for (int i = 0; i < KNOB_VALUES; ++i) {
        const char *name = knobs[knob].values[i];
        if (name && (!value || strcmp(name, value) == 0)) {
            memcpy((char *)context + knobs[knob].offset, &i, sizeof i);
            return;
        }
    }
    fprintf(stderr, "murbench: knob %d has no value \"%s\"\n", (int)knob, value);
    abort();
}

const char *knobValue(Knob knob, uint32_t index) {
    return index < KNOB_VALUES ? knobs[knob].values[index] : NULL;
}

void knobsReset(MurContext context) {
    for (int knob = 0; knob < KNOB_COUNT; ++knob) {
        knobSet(context, (Knob)knob, NULL);
    }
}
