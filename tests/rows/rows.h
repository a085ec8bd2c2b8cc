/* A table of rows, arrays of rows of a few classes, and the model: which row stands for each class.
 * A row's class is its number modulo their count, and rows are equal if their classes are.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ROWS_H
#define MUR_TEST_ROWS_H

#include "support/call_code.h"

#include <murmuration/rows.h>

enum { MAX_CLASSES = 300, MAX_CALLS = 8192 };

/* Ways to run the calls. Commands erase nothing, readers only find, and the host has threads. */
typedef enum Executor { BY_COMMAND, BY_READER, BY_HOST, BY_SHADER, BY_BOUND, EXECUTORS } Executor;

typedef struct RowsInfo {
    uint32_t words, stride, classes, rowCount, hooks, capacity;
    uint32_t probeLimit;
    bool zeroHash; /* CALL_HOOKS_ONE: the hash that would be stored as 0 */
} RowsInfo;

typedef struct Rows {
    Gpu *gpu;
    RowsInfo info;
    MurTableCreateInfo create;
    MurTable table;
    GpuBuffer rows, queries, words; /* words: of commands */
    GpuBuffer calls, answers;
    void *image;               /* for the host, of the table */
    uint32_t row[MAX_CLASSES]; /* that stands for each class, or MUR_NO_ROW */
    bool used[8192];           /* slots, since the table was empty */
    uint32_t erased;           /* of them, by erased rows */
} Rows;

/* A cleared table. */
void rows_open(Rows *rows, Gpu *gpu, RowsInfo info);
void rows_close(Rows *rows);
/* Puts another table in its place, of this capacity, into which nothing has been moved. */
MurTable rows_other_table(Rows *rows, uint32_t capacity);

uint32_t rows_class(const Rows *rows, const Call *call);
/* What the host is told of the rows. */
MurHostRows rows_on_host(const Rows *rows, uint32_t query);
/* The table's memory, downloaded; and back. */
MurHostTable rows_download(Rows *rows);
void rows_upload(Rows *rows);

Call *rows_calls(Rows *rows);
/* Runs calls that are written already; rounds: how many a shader's invocation makes. */
void rows_run(Rows *rows, Executor executor, uint32_t count, uint32_t rounds);
/* What a command is given for the calls. */
MurRowBatch rows_batch(Rows *rows, uint32_t first, uint32_t count);

/* Calls that ran at once: are the answers right, and does the table hold what they say, each class
 * once at most? The model does the same. */
void rows_check(Rows *rows, uint32_t count, const char *who);

#endif
