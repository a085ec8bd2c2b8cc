/* The timed operations of a trial, for the suites: each makes one verified row.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_OPERATIONS_H
#define MURBENCH_OPERATIONS_H

#include "trial.h"

/* Each takes what setup it needs by itself; all but erases leave the table full when they found it
 * so, and finds are of the table as it is. What is said of scratch memory: as much as the library
 * asks for. */
typedef enum Operation {
    OPERATION_INSERT, /* all pairs into the empty table */
    OPERATION_INSERT_STATUSES,
    OPERATION_INSERT_SCRATCH,
    OPERATION_INSERT_STATUSES_SCRATCH,
    OPERATION_INSERT_EXCLUSIVE, /* with scratch memory, and the table to itself */
    OPERATION_AGAIN,            /* all pairs, which are there already */
    OPERATION_AGAIN_STATUSES,
    OPERATION_AGAIN_SCRATCH,
    OPERATION_AGAIN_STATUSES_SCRATCH,
    OPERATION_BUILD,    /* murCmdBuild, with its scratch memory */
    OPERATION_FIND_HIT, /* all pairs */
    OPERATION_FIND_HIT_SCRATCH,
    OPERATION_FIND_MISS, /* as many absent keys */
    OPERATION_FIND_MISS_SCRATCH,
    OPERATION_CONTAINS_HIT, /* the same two, answers a bit each */
    OPERATION_CONTAINS_MISS,
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
/* The rows of a list, up to OPERATION_COUNT; but none for an insert with scratch memory that asks
 * for none. */
bool operationRows(Trial *trial, const Operation *list);
/* Fills the table and gives the rows of a list, first in no order, then, where this device can put
 * it in order, in order. */
bool operationRowsInStates(Trial *trial, const Operation *list);

#endif
