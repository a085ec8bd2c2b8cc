/* Suite multi: rows of many words as keys. Inserts return the row that represents each row; lookups
 * of rows of another array are a join. SPDX-License-Identifier: MIT */
#include "shaders/push.h"
#include "trial.h"

#include <murmuration/rows.h>

enum { ROWS, QUERIES, FOUND, JOINED, STATUSES, BUFFERS };

typedef struct Join {
    Bench *bench;
    MurTable table;
    GpuBuffer buffers[BUFFERS];
    uint32_t rows, kinds, words; /* rows of a class are equal; rows and classes are powers of two */
} Join;

static MurArray array(const Join *join, int buffer) {
    return trialArray(&join->buffers[buffer]);
}

/* Returns push constants for rows of the classes from firstKind on. told: their results. */
static RowsPush pushOf(const Join *join, int rows, int told, uint32_t firstKind) {
    const GpuBuffer *buffers = join->buffers;
    return (RowsPush){.rows = buffers[rows].address,
                      .told = told == BUFFERS ? 0 : buffers[told].address,
                      .stands = buffers[FOUND].address,
                      .wrong = join->bench->wrong.address,
                      .count = join->rows,
                      .words = join->words,
                      .mask = join->kinds - 1,
                      .firstKind = firstKind};
}

static bool makeRows(const Join *join, int rows, uint32_t firstKind) {
    const RowsPush push = pushOf(join, rows, BUFFERS, firstKind);
    return benchCheck(join->bench, "rows", KERNEL_rows, &push, join->rows);
}

static bool openJoin(Join *join) {
    MurTableCreateInfo info = trialInfo(2ull * join->kinds, MUR_ATOMIC_WIDTH_32, 0);
    info.type = murTypeRows();
    info.flags = MUR_ROWS(join->words, join->words);
    bool done = benchTable(join->bench, &info, &join->table);
    for (int i = 0; i < BUFFERS && done; ++i) {
        const uint64_t words = i <= QUERIES ? join->words : 1;
        done = benchBuffer(join->bench, 4 * words * join->rows, GPU_DEVICE, "rows",
                           &join->buffers[i]);
    }
    return done && makeRows(join, ROWS, 0);
}

BENCH_STEP(setupEmpty, const Join, join) {
    return tableClear(bench, join->table);
}

BENCH_STEP(runInsert, const Join, join) {
    const MurRowBatch batch = {.maxCount = join->rows,
                               .rows = array(join, ROWS),
                               .matches = array(join, FOUND),
                               .statuses = array(join, STATUSES)};
    return gpuCheck(murCmdInsertRows(bench->gpu.cmd, join->table, &batch), "inserting");
}

BENCH_STEP(runFind, const Join, join) {
    const MurRowBatch batch = {.maxCount = join->rows,
                               .rows = array(join, ROWS),
                               .probeRows = array(join, QUERIES),
                               .matches = array(join, JOINED)};
    return gpuCheck(murCmdFindRows(bench->gpu.cmd, join->table, &batch), "finding");
}

/* Checks that one row per class was inserted, and that all rows of the class returned this row. */
static bool verifyInsert(Join *join) {
    const RowsPush push = pushOf(join, ROWS, FOUND, 0);
    uint32_t inserted;
    return benchCheck(join->bench, "insert rows", KERNEL_rows, &push, join->rows) &&
           benchCount(join->bench, &join->buffers[STATUSES], join->rows, MUR_INSERTED, &inserted) &&
           (inserted == join->kinds || sayError("insert rows: %u were inserted", inserted));
}

static bool verifyHit(Join *join) {
    const RowsPush push = pushOf(join, QUERIES, JOINED, 0);
    return benchCheck(join->bench, "find rows", KERNEL_rows, &push, join->rows);
}

static bool verifyMiss(Join *join) {
    return benchIsAll(join->bench, "find rows", &join->buffers[JOINED], 0, join->rows, MUR_NO_ROW);
}

static bool row(Join *join, const char *operation, bool (*setup)(Bench *bench, void *join),
                bool (*run)(Bench *bench, void *join), bool (*verify)(Join *join)) {
    const GpuBuffer *const told[] = {&join->buffers[JOINED], &join->buffers[STATUSES],
                                     &join->buffers[FOUND]};
    Timing timing;
    if (!benchForget(join->bench, setup ? 3 : 1, told) ||
        !benchTime(join->bench, &(Timed){setup, run, join}, &timing) || !verify(join)) {
        return false;
    }
    Row row = tableRow(join->table, "multi", operation, setup ? "empty" : "unordered", join->rows,
                       timing);
    row.load = 0.5;
    benchSay(&row, "%u words, %u alike", join->words, join->rows / join->kinds);
    return benchRow(join->bench, &row);
}

static bool rows(Bench *bench, uint32_t bits, uint32_t words, uint32_t alike) {
    const uint32_t made = bench->madeCount;
    Join join = {.bench = bench, .rows = 1u << bits, .kinds = (1u << bits) / alike, .words = words};
    const bool done = openJoin(&join) &&
                      row(&join, "insert rows", setupEmpty, runInsert, verifyInsert) &&
                      makeRows(&join, QUERIES, 0) &&
                      row(&join, "find rows hit", NULL, runFind, verifyHit) &&
                      makeRows(&join, QUERIES, join.kinds) &&
                      row(&join, "find rows miss", NULL, runFind, verifyMiss);
    benchRelease(bench, made);
    return done;
}

bool rowsAsKeys(Bench *bench) {
    const uint32_t most = bench->options.quick ? 11 : 24, max = bench->options.maxLog2;
    const uint32_t bits = most < max ? most : max;
    return rows(bench, bits, 4, 1) && rows(bench, bits, 4, 8) && rows(bench, bits, 16, 1) &&
           rows(bench, bits, 16, 8);
}
