/* The timed operations of a trial, for suites. Each produces one verified row.
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_OPERATIONS_H
#define MURBENCH_OPERATIONS_H

#include "trial.h"

/* Columns: an operation's name in rows; its command; its inputs and outputs; the state before it.
 * PART: it uses a part of the pairs, half of them unless trial.part is set. SCRATCH: with the
 * memory that the library requests. BITS: results as bits. States: EMPTY; FULL; OTHERS, all pairs
 * except the part; ERASED, the part is erased. Each operation makes its own setup. All except
 * erases leave a full table full. A rehash moves all pairs to trial.other. MUR_INSERT (with
 * MUR_MODE_INSERT) and MUR_FIND are a user's shader with one call per invocation; their rows are
 * compared with the previous row, the library's command. */
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
    X(REHASH, "rehash", REHASH, 0, AS_IS)                                               \
    X(SHADER_INSERT, "insert", MUR_INSERT, 0, EMPTY)                                    \
    X(SHADER_AGAIN, "insert again", MUR_INSERT, 0, AS_IS)                               \
    X(SHADER_HIT, "find hit", MUR_FIND, 0, AS_IS)                                       \
    X(SHADER_HIT_COHERENT, "find hit", MUR_FIND, COHERENT, AS_IS)                       \
    X(SHADER_MISS, "find miss", MUR_FIND, ABSENT, AS_IS)                                \
    X(SHADER_MISS_COHERENT, "find miss", MUR_FIND, ABSENT | COHERENT, AS_IS)
#define OPERATION(id, ...) OPERATION_##id,
typedef enum Operation { OPERATIONS(OPERATION) OPERATION_COUNT } Operation;
#undef OPERATION

/* Returns the bytes of scratch memory that the library currently requests for the operation. */
uint64_t operationScratch(const Trial *trial, Operation operation);
/* Times and verifies the operation, and returns the row. */
bool operationMeasure(Trial *trial, Operation operation, Row *row);
/* Produces the rows of a list that ends with OPERATION_COUNT. Omits inserts with scratch memory if
 * the library requests none. */
bool operationRows(Trial *trial, const Operation *list);
/* Fills the table and produces the rows of a list: first unsorted, then sorted if possible. */
bool operationRowsInStates(Trial *trial, const Operation *list);

#endif
