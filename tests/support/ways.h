/* Forcing the ways in which commands can go, by the tuning that engines have, too.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_WAYS_H
#define MUR_TEST_WAYS_H

#include <murmuration/tuning.h>

typedef enum Way {
    WAY_DEFAULT,    /* what the library would choose */
    WAY_DIRECT,     /* all commands entry by entry */
    WAY_HOME_FIRST, /* the same; inserts try for the home slot before they look */
    WAY_SORTED,     /* sorted batches, also of groups, into as fine bins as there are */
    WAY_SLICES,     /* inserts and builds slice by slice */
    WAY_EXACT,      /* builds slice by slice after counting */
    WAY_STREAM,     /* rehashes through both tables in order, in few workgroups */
    WAY_COUNT
} Way;

const char *way_name(Way way);

/* own: the context's tuning as it came. Where a command cannot go this way it goes the direct
 * one. */
MurTuning way_tuning(const MurTuning *own, Way way);

#endif
