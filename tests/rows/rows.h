/* A row table, arrays of rows of a few classes, and the model: the row that represents each class.
 * The class of a row is its number modulo the class count. Rows of the same class are equal.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ROWS_H
#define MUR_TEST_ROWS_H

#include "support/call_code.h"

#include <murmuration/rows.h>

enum { MAX_CLASSES = 300, MAX_CALLS = 8192 };

/* How calls are made. Commands do not erase, BY_READER only finds, and BY_HOST runs threads. */
typedef enum Executor { BY_COMMAND, BY_READER, BY_HOST, BY_SHADER, BY_BOUND, EXECUTORS } Executor;

typedef struct RowsInfo {
    uint32_t words, stride, classes, rowCount, hooks, capacity;
    uint32_t probeLimit;
    bool zeroHash; /* CALL_HOOKS_ONE: all rows have a hash that slots cannot store */
} RowsInfo;

typedef struct Rows {
    Gpu *gpu;
    RowsInfo info;
    MurTableCreateInfo create;
    MurTable table;
    GpuBuffer rows, queries, words; /* words: numbers of rows, for commands */
    GpuBuffer calls, answers;
    void *image;               /* the host's copy of table memory */
    uint32_t row[MAX_CLASSES]; /* row that represents each class, or MUR_NO_ROW */
    bool used[8192];           /* slots in use since the table was empty */
    uint32_t erased;           /* number of slots of erased rows */
    Executor by;               /* of the last calls, for failure reports */
} Rows;

/* Opens a cleared table. */
void rows_open(Rows *rows, Gpu *gpu, RowsInfo info);
#define ROWS_OPEN(rows, ...) rows_open(rows, gpu, (RowsInfo){__VA_ARGS__})
void rows_close(Rows *rows);
/* Replaces the table by an empty table with this capacity. */
MurTable rows_other_table(Rows *rows, uint32_t capacity);

/* Returns the description of the rows for the host. */
MurHostRows rows_on_host(const Rows *rows, uint32_t query);
/* rows_download copies the table's memory to the host, and rows_upload copies it back. */
MurHostTable rows_download(Rows *rows);
void rows_upload(Rows *rows);

Call *rows_calls(Rows *rows);
/* Runs the calls in rows_calls. rounds: number of calls per invocation of a shader. */
void rows_run(Rows *rows, Executor executor, uint32_t count, uint32_t rounds);
/* Returns a command's arguments for these calls. */
MurRowBatch rows_batch(Rows *rows, uint32_t first, uint32_t count);

/* Checks the results of concurrent calls. The table must agree with them, and contain at most one
 * row of each class. Updates the model. */
void rows_check(Rows *rows, uint32_t count);

#endif
