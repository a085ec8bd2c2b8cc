/* Forces commands to use one path, by the tuning that engines can also set.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_WAYS_H
#define MUR_TEST_WAYS_H

#include <murmuration/tuning.h>

typedef enum Way {
    WAY_DEFAULT,    /* the library chooses */
    WAY_DIRECT,     /* all commands process one entry at a time */
    WAY_HOME_FIRST, /* WAY_DIRECT, but inserts try the home slot before they read it */
    WAY_SORTED,     /* sorted batches and value groups, with bins as small as possible */
    WAY_SLICES,     /* partitioned inserts and builds */
    WAY_EXACT,      /* partitioned builds that count the pairs of each partition first */
    WAY_STREAM,     /* rehashes that stream through both tables, in few workgroups */
    WAY_COUNT
} Way;

const char *way_name(Way way);

/* Returns the tuning that forces a path. own: the context's default tuning. Commands without this
 * path use the direct path. */
MurTuning way_tuning(const MurTuning *own, Way way);

#endif
