/* Shared by grid.c and grid.comp. SPDX-License-Identifier: MIT */
#ifndef GRID_H
#define GRID_H

#include "murmuration/layout.h"

/* Coordinates are 0 ... 1023, packed into 10 bits each, x lowest. A cell's edge equals the join's
 * distance. */
#define GRID_AXIS  1024u
#define GRID_SHIFT 6u
#define GRID_CELL  64u
#define GRID_CELLS 16u /* per axis */

#define GRID_PHASE_CELLS 0u /* the cell of each point */
#define GRID_PHASE_JOIN  1u /* all pairs of points in one cell, and within the distance */

MUR_STRUCT(GridPush) {
    MurTableRef cells;
    MUR_ADDRESS points;
    MUR_ADDRESS others;  /* join: the points in the table */
    MUR_ADDRESS keys;    /* cells: written */
    MUR_ADDRESS indices; /* cells: written, 0, 1, ... */
    MUR_ADDRESS groups;  /* join: of the points in the table */
    MUR_ADDRESS same;    /* join: pairs in one cell, after their number */
    MUR_ADDRESS close;   /* join: pairs within the distance, after their number */
    MUR_U32 count;
    MUR_U32 phase;
    MUR_U32 maxPairs;
    MUR_U32 pad;
};

#endif
