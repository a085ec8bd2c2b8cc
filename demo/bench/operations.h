/* The timed operations of a trial, for the suites: each makes one verified row.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_OPERATIONS_H
#define MURBENCH_OPERATIONS_H

#include "trial.h"

/* Each takes what setup it needs by itself; all but OPERATION_ERASE leave the table full when they
 * found it so, and finds are of the table as it is. */
typedef enum Operation {
    OPERATION_INSERT,           /* all pairs into the empty table */
    OPERATION_INSERT_STATUSES,  /* the same, telling what became of each */
    OPERATION_INSERT_SCRATCH,   /* the same as the first, with the scratch that the insert wants */
    OPERATION_INSERT_EXCLUSIVE, /* ... and the table to itself */
    OPERATION_BUILD,            /* murCmdBuild, with its scratch */
    OPERATION_FIND_HIT,         /* all pairs */
    OPERATION_FIND_MISS,        /* as many absent keys */
    OPERATION_FIND_HIT_SCRATCH, /* the same two with scratch memory */
    OPERATION_FIND_MISS_SCRATCH,
    OPERATION_ERASE, /* a part of the pairs: half of them, if trial.part says nothing else */
    OPERATION_ERASE_SCRATCH,
    OPERATION_FIND_ERASED, /* all pairs, when that part is erased */
    OPERATION_REINSERT,    /* the erased part again */
    OPERATION_REINSERT_SCRATCH,
    OPERATION_INSERT_HALF, /* the part when the others are there: half to full load */
    OPERATION_INSERT_HALF_SCRATCH,
    OPERATION_INSERT_HALF_EXCLUSIVE,
    OPERATION_REHASH, /* all pairs into trial.other */
    OPERATION_COUNT
} Operation;

/* Bytes of scratch memory that the operation gives: as many as the library asks for just now. */
uint64_t operationScratch(const Trial *trial, Operation operation);
/* Times and verifies, and gives the row. */
bool operationMeasure(Trial *trial, Operation operation, Row *row);
/* The same, and adds the row; but none for an insert with scratch that asks for none. */
bool operationRow(Trial *trial, Operation operation);
/* The rows of a list, up to OPERATION_COUNT. */
bool operationRows(Trial *trial, const Operation *list);

#endif
