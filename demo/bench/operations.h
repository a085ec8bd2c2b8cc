/* The timed operations of a trial, for the suites: each makes one verified row.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_OPERATIONS_H
#define MURBENCH_OPERATIONS_H

#include "trial.h"

/* Each takes what setup it needs by itself; all but erases leave the table full when they found it
 * so, and finds are of the table as it is. Of each its name in rows, the command, what that is
 * given (PART: it is on a part of the pairs, half of them, if trial.part says nothing else;
 * SCRATCH: as much memory as the library asks for; BITS: answers a bit each), and what it finds:
 * EMPTY, FULL or OTHERS, all pairs but that part, or that part ERASED. A rehash takes all pairs
 * into trial.other. */
#define OPERATIONS(X)                                                                   \
    X(INSERT, "insert", INSERT, 0, EMPTY)                                               \
    X(INSERT_STATUSES, "insert", INSERT, STATUSES, EMPTY)                               \
    X(INSERT_SCRATCH, "insert", INSERT, SCRATCH, EMPTY)                                 \
    X(INSERT_STATUSES_SCRATCH, "insert", INSERT, STATUSES | SCRATCH, EMPTY)             \
    X(INSERT_EXCLUSIVE, "insert", INSERT, EXCLUSIVE | SCRATCH, EMPTY)                   \
    X(AGAIN, "insert again", INSERT, 0, AS_IS)                                          \
    X(AGAIN_STATUSES, "insert again", INSERT, STATUSES, AS_IS)                          \
    X(AGAIN_SCRATCH, "insert again", INSERT, SCRATCH, AS_IS)                            \
    X(AGAIN_STATUSES_SCRATCH, "insert again", INSERT, STATUSES | SCRATCH, AS_IS)        \
    X(BUILD, "build", BUILD, SCRATCH, AS_IS)                                            \
    X(FIND_HIT, "find hit", FIND, 0, AS_IS)                                             \
    X(FIND_HIT_SCRATCH, "find hit", FIND, SCRATCH, AS_IS)                               \
    X(FIND_MISS, "find miss", FIND, ABSENT, AS_IS)                                      \
    X(FIND_MISS_SCRATCH, "find miss", FIND, ABSENT | SCRATCH, AS_IS)                    \
    X(CONTAINS_HIT, "contains hit", FIND, BITS, AS_IS)                                  \
    X(CONTAINS_MISS, "contains miss", FIND, BITS | ABSENT, AS_IS)                       \
    X(ERASE, "erase half", ERASE, PART | STATUSES, FULL)                                \
    X(ERASE_SCRATCH, "erase half", ERASE, PART | STATUSES | SCRATCH, FULL)              \
    X(FIND_ERASED, "find after erase", FIND, 0, ERASED)                                 \
    X(REINSERT, "reinsert", INSERT, PART | STATUSES, ERASED)                            \
    X(REINSERT_SCRATCH, "reinsert", INSERT, PART | STATUSES | SCRATCH, ERASED)          \
    X(INSERT_HALF, "insert half", INSERT, PART, OTHERS)                                 \
    X(INSERT_HALF_SCRATCH, "insert half", INSERT, PART | SCRATCH, OTHERS)               \
    X(INSERT_HALF_EXCLUSIVE, "insert half", INSERT, PART | EXCLUSIVE | SCRATCH, OTHERS) \
    X(REHASH, "rehash", REHASH, 0, AS_IS)
#define OPERATION(id, ...) OPERATION_##id,
typedef enum Operation { OPERATIONS(OPERATION) OPERATION_COUNT } Operation;
#undef OPERATION

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
