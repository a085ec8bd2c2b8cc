/* A table with a twentieth of its pages on the GPU: 2^31 pairs of 64-bit keys at load 0.8 in host
 * memory, or as many as fit. Bulk inserts fill it from host memory, part by part. Then random keys
 * are looked up.
 *
 * SPDX-License-Identifier: MIT */
#include "large.h"

#include <murmuration/host.h>

enum { LEAST_LOG2 = 28, STRIDE = 0x3C6EF35F };

static uint32_t pagesOf(uint32_t pageSlots, uint32_t log2) {
    return (uint32_t)((double)(1ull << log2) / (0.8 * pageSlots)) + 1;
}

/* Opens a table. Halves its size until there is enough memory. */
static bool openTable(LargeTable *table) {
    Bench *bench = table->large->bench;
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
    table->partLog2 = quick ? 10 : LEAST_LOG2;
    for (table->log2 = quick ? 12 : 31; opened && !done && table->log2 >= table->partLog2;) {
        const uint32_t pages = pagesOf(one.needs.pageSlots, table->log2);
        pager.pageCount = info.basePages = pages;
        pager.poolPageCount = quick ? pages / 20 + 1 : (3u << 30) / pageSize;
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
    return benchRow(table->large->bench, &row);
}

/* The first part writes each page, later parts read and write it. The ceiling counts each part as
 * read once; if the command reads it again, this is part of its time. */
static bool insertRow(LargeTable *table) {
    const Figure *link = &table->large->link.both;
    const uint32_t parts = 1u << (table->log2 - table->partLog2);
    Timing timing = {.clocks = link->clocks};
    bool done = true;
    for (uint32_t part = 0; part < parts && done; ++part) {
        double milliseconds;
        done = largeInsert(table, part, &milliseconds);
        timing.milliseconds += milliseconds;
    }
    done = done && pagedSettle(&table->on, 1) && largeHolds(table, "large insert");
    const double bytes = (2.0 * parts - 1) * (double)tableBytes(table) +
                         12.0 * (double)(1ull << table->log2);
    char what[48];
    snprintf(what, sizeof what, "%u batches in host memory", parts);
    return done && addRow(table, "large insert", (uint32_t)(1ull << table->log2), timing, bytes,
                          link, what, parts);
}

static bool findRow(LargeTable *table) {
    LargeItems items = largePart(table, 0);
    Timing timing;
    items.stride = STRIDE;
    return largeAsk(table, items) &&
           benchTime(table->large->bench, &(Timed){NULL, largeFind, table}, &timing) &&
           largeVerify(table, "large find") &&
           addRow(table, "large find", items.count, timing, (double)tableBytes(table),
                  &table->large->link.in, "random keys", 0);
}

bool largeStreamRows(const Large *large) {
    LargeTable table = {.large = large, .kind = LARGE_PAIRS};
    const uint32_t made = large->bench->madeCount;
    const bool done = openTable(&table) && largeOpen(&table, GPU_HOST) && insertRow(&table) &&
                      findRow(&table);
    benchRelease(large->bench, made);
    return done;
}
