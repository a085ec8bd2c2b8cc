/* Forces the path of commands by the tuning that engines also have.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_WAYS_H
#define MUR_TEST_WAYS_H

#include <murmuration/tuning.h>

typedef enum Way {
    WAY_DEFAULT,    /* the library's choice */
    WAY_DIRECT,     /* all commands entry by entry */
    WAY_HOME_FIRST, /* the same; inserts try the home slot before they read */
    WAY_SORTED,     /* sorted batches, also of groups, with the finest bins */
    WAY_SLICES,     /* partitioned inserts and builds */
    WAY_EXACT,      /* partitioned builds after counting */
    WAY_STREAM,     /* rehashes that stream through both tables, in few workgroups */
    WAY_COUNT
} Way;

const char *way_name(Way way);

/* own: the context's default tuning. A command without this path uses the direct one. */
MurTuning way_tuning(const MurTuning *own, Way way);

#endif
