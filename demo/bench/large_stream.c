/* A table whose pages are mostly in host memory: 64-bit keys at load 0.8. Bulk inserts fill it from
 * host memory, part by part. Then random keys are looked up.
 * SPDX-License-Identifier: MIT */
#include "large.h"

#include <murmuration/host.h>

enum { STRIDE = 0x3C6EF35F };

static uint32_t pagesOf(uint32_t pageSlots, uint32_t log2) {
    return (uint32_t)((double)(1ull << log2) / (0.8 * pageSlots)) + 1;
}

/* Opens a table. Halves its size until there is enough memory. */
static bool openTable(LargeTable *table, uint64_t poolBytes) {
    Bench *bench = table->bench;
    const bool quick = bench->options.quick;
    const uint32_t pageSize = quick ? 4096 : 65536;
    MurPagerCreateInfo pager = {.pageCount = 1, .pageSize = pageSize, .poolPageCount = 1};
    MurPagedTableCreateInfo info = {.type = murHostTypeK64V32(),
                                    .locality = MUR_PAGE_BY_HASH,
                                    .probeLimit = pageSize / 16}; /* pages are filled, not split */
    PagedTable one = {0};
    bool done = false;
    const uint32_t made = bench->madeCount;
    const bool opened = pagedOpen(&one, bench, pager, info);
    benchRelease(bench, made);
    while (opened && !done && table->log2 >= table->partLog2) {
        const uint32_t pages = pagesOf(one.needs.pageSlots, table->log2);
        pager.pageCount = info.basePages = pages;
        pager.poolPageCount = (uint32_t)(poolBytes / pageSize);
        done = pagedOpen(&table->on, bench, pager, info);
        if (!done) {
            benchRelease(bench, made);
            --table->log2;
        }
    }
    return done;
}

static uint64_t tableBytes(const LargeTable *table) {
    return (uint64_t)table->on.pages * table->on.pageSize;
}

static bool addRow(const LargeTable *table, const char *operation, uint32_t pairs, Timing timing,
                   double bytes, const Figure *ceiling, const char *what, uint32_t reps) {
    const PagedTable *on = &table->on;
    Row row = largeRow(table, operation, pairs, timing);
    row.tableBytes = tableBytes(table) + on->needs.size;
    row.rate = 1e-6 * bytes / timing.milliseconds;
    row.unit = "GB/s";
    row.scratch = table->scratch.size;
    row.reps = reps;
    benchAddCeiling(&row, ceiling->rate, ceiling);
    benchSay(&row, "2^%u pairs, %u KiB, pool of %.3g GB, %s", table->log2, on->pageSize >> 10,
             1e-9 * on->frames * on->pageSize, what);
    return benchRow(table->bench, &row);
}

/* The first part writes each page, later parts read and write it. The ceiling counts each part as
 * read once; if the command reads it again, this is part of its time. */
static bool insertRow(LargeTable *table) {
    const Figure *link = &table->link->both;
    const uint32_t parts = 1u << (table->log2 - table->partLog2);
    Timing timing = {.clocks = link->clocks};
    bool done = true;
    for (uint32_t part = 0; part < parts && done; ++part) {
        double milliseconds;
        done = largeInsert(table, part, &milliseconds);
        timing.milliseconds += milliseconds;
    }
    done = done && pagedSettle(&table->on, 1) && largeHolds(table, "paged insert bulk");
    const double bytes = (2.0 * parts - 1) * (double)tableBytes(table) +
                         12.0 * (double)(1ull << table->log2);
    char what[48];
    snprintf(what, sizeof what, "%u batches in host memory", parts);
    return done && addRow(table, "paged insert bulk", (uint32_t)(1ull << table->log2), timing,
                          bytes, link, what, parts);
}

static bool findRow(LargeTable *table) {
    LargeItems items = largePart(table, 0);
    Timing timing;
    items.stride = STRIDE;
    return largeAsk(table, items) &&
           benchTime(table->bench, &(Timed){NULL, largeFind, table}, &timing) &&
           largeVerify(table, "paged find bulk") &&
           addRow(table, "paged find bulk", items.count, timing, (double)tableBytes(table),
                  &table->link->in, "random keys", 0);
}

bool streamRows(Bench *bench, const char *suite, const LinkRates *link, uint32_t log2,
                uint32_t partLog2, uint64_t poolBytes) {
    LargeTable table = {.bench = bench,
                        .suite = suite,
                        .link = link,
                        .kind = LARGE_PAIRS,
                        .log2 = log2,
                        .partLog2 = partLog2};
    const uint32_t made = bench->madeCount;
    const bool done = openTable(&table, poolBytes) && largeOpen(&table, GPU_HOST) &&
                      insertRow(&table) && findRow(&table);
    benchRelease(bench, made);
    return done;
}
