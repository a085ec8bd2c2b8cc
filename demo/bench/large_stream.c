/* A table of which the GPU holds a twentieth: 2^31 pairs of 64-bit keys at load 0.8 in host memory,
 * or as many as the host gives memory for. Filled by bulk inserts from host memory, a part after
 * the other; then random keys are looked up all over it.
 *
 * SPDX-License-Identifier: MIT */
#include "large.h"

#include <string.h>

enum { LEAST_LOG2 = 28, STRIDE = 0x3C6EF35F };

typedef struct Stream {
    const Large *large;
    PagedTable on;
    GpuBuffer keys, values; /* in host memory: a part of the batch, the same for each */
    GpuBuffer queries, found, scratch;
    uint32_t log2, partLog2;
    LargeItems items;
} Stream;

static uint32_t pagesOf(const PagedTable *one, uint32_t log2) {
    return (uint32_t)((double)(1ull << log2) / (0.8 * one->needs.pageSlots)) + 1;
}

/* Halves it while there is no memory. */
static bool openTable(Stream *stream) {
    Bench *bench = stream->large->bench;
    const bool quick = bench->options.quick;
    const uint32_t pageSize = quick ? 4096 : 65536;
    MurPagerCreateInfo pager = {.pageCount = 1, .pageSize = pageSize, .pageFrameCount = 1};
    MurPagedTableCreateInfo table = {.format = MUR_FORMAT_K64V32,
                                     .locality = MUR_PAGE_BY_HASH,
                                     .probeLimit = pageSize / 16}; /* pages are filled, not split */
    PagedTable one;
    if (!pagedOpen(&one, bench, pager, table)) {
        pagedClose(&one);
        return false;
    }
    bool done = false;
    for (stream->log2 = quick ? 12 : 31; !done && stream->log2 >= stream->partLog2;) {
        const uint32_t pages = pagesOf(&one, stream->log2);
        pager.pageCount = table.basePages = pages;
        pager.pageFrameCount = quick ? pages / 20 + 1 : (3u << 30) / pageSize;
        done = pagedOpen(&stream->on, bench, pager, table);
        if (!done) {
            pagedClose(&stream->on);
            --stream->log2;
        }
    }
    pagedClose(&one);
    return done;
}

static bool openStream(Stream *stream) {
    const uint64_t part = 1ull << stream->partLog2;
    Gpu *gpu = &stream->large->bench->gpu;
    return openTable(stream) && gpuCreateBuffer(gpu, 8 * part, GPU_HOST, "keys", &stream->keys) &&
           gpuCreateBuffer(gpu, 4 * part, GPU_HOST, "values", &stream->values) &&
           gpuCreateBuffer(gpu, 8 * part, GPU_DEVICE, "queries", &stream->queries) &&
           gpuCreateBuffer(gpu, 4 * part, GPU_DEVICE, "found", &stream->found) &&
           gpuCreateBuffer(gpu, murGetPagedScratchSize(stream->on.table, (uint32_t)part),
                           GPU_DEVICE, "scratch", &stream->scratch);
}

static void closeStream(Stream *stream) {
    Gpu *gpu = &stream->large->bench->gpu;
    pagedClose(&stream->on);
    gpuDestroyBuffer(gpu, &stream->keys);
    gpuDestroyBuffer(gpu, &stream->values);
    gpuDestroyBuffer(gpu, &stream->queries);
    gpuDestroyBuffer(gpu, &stream->found);
    gpuDestroyBuffer(gpu, &stream->scratch);
}

static uint64_t tableBytes(const Stream *stream) {
    return (uint64_t)stream->on.pages * stream->on.pageSize;
}

static bool addRow(const Stream *stream, const char *operation, Timing timing, double bytes,
                   const Figure *ceiling, const char *what, uint32_t reps) {
    const PagedTable *on = &stream->on;
    Row row = {.suite = "large",
               .operation = operation,
               .state = "unordered",
               .format = "K64V32",
               .pairs = stream->items.count,
               .capacity = (uint64_t)on->pages * on->needs.pageSlots,
               .tableBytes = tableBytes(stream) + on->needs.size,
               .timing = timing,
               .rate = 1e-6 * bytes / timing.milliseconds,
               .unit = "GB/s",
               .scratch = stream->scratch.size,
               .reps = reps};
    row.load = (double)(1ull << stream->log2) / (double)row.capacity;
    benchAddCeiling(&row, ceiling->rate, ceiling);
    benchSay(&row, "2^%u pairs, %u KiB, pool of %.3g GB, %s", stream->log2, on->pageSize >> 10,
             1e-9 * on->frames * on->pageSize, what);
    return benchRow(stream->large->bench, &row);
}

static LargeItems partOf(const Stream *stream, uint32_t part) {
    return (LargeItems){.kind = LARGE_PAIRS,
                        .first = part << stream->partLog2,
                        .count = 1u << stream->partLog2,
                        .stride = 1,
                        .mask = (uint32_t)((1ull << stream->log2) - 1)};
}

/* ---- Inserts -------------------------------------------------------------------------------- */

static bool insertPart(Stream *stream, uint32_t part, double *milliseconds) {
    Gpu *gpu = &stream->large->bench->gpu;
    const LargeItems items = partOf(stream, part);
    const MurPagedBatch batch = largeBatch(&items, &stream->keys, &stream->values,
                                           &stream->scratch);
    if (!gpuBegin(gpu)) {
        return false;
    }
    bool done = part != 0 || pagedClear(&stream->on);
    largeMake(stream->large, &items, &stream->keys, &stream->values);
    gpuFullBarrier(gpu);
    gpuTimestamp(gpu, 0);
    done = done && gpuCheck(murCmdPagedInsert(gpu->cmd, stream->on.table, MUR_MODE_ASSIGN, &batch),
                            "inserting into pages");
    gpuTimestamp(gpu, 1);
    done = gpuSubmit(gpu) && done;
    *milliseconds += gpuMilliseconds(gpu, 0, 1);
    return done;
}

static bool runFind(Bench *bench, void *user) {
    const Stream *stream = user;
    const MurPagedBatch batch = largeBatch(&stream->items, &stream->queries, &stream->found,
                                           &stream->scratch);
    return gpuCheck(murCmdPagedFind(bench->gpu.cmd, stream->on.table, &batch), "finding in pages");
}

/* Makes the queries. */
static bool ask(Stream *stream, LargeItems items) {
    Gpu *gpu = &stream->large->bench->gpu;
    stream->items = items;
    if (!gpuBegin(gpu)) {
        return false;
    }
    largeMake(stream->large, &items, &stream->queries, &stream->found);
    return gpuSubmit(gpu) &&
           benchForget(stream->large->bench, 1, (const GpuBuffer *const[]){&stream->found});
}

/* Every pair is found, with its value. */
static bool holdsPart(Stream *stream, uint32_t part) {
    Gpu *gpu = &stream->large->bench->gpu;
    return ask(stream, partOf(stream, part)) && gpuBegin(gpu) &&
           runFind(stream->large->bench, stream) && gpuSubmit(gpu) &&
           largeVerify(stream->large, "large insert", &stream->items, &stream->found);
}

/* The first part writes each page, the others read and write it; all are read themselves, once at
 * least: what more the command reads of them counts as its time. */
static bool insertRow(Stream *stream) {
    const uint32_t parts = 1u << (stream->log2 - stream->partLog2);
    Timing timing = {.milliseconds = 0};
    bool done = true;
    for (uint32_t part = 0; part < parts && done; ++part) {
        done = insertPart(stream, part, &timing.milliseconds);
    }
    done = done && pagedSettle(&stream->on, 1);
    for (uint32_t part = 0; part < parts && done; ++part) {
        done = holdsPart(stream, part);
    }
    const double bytes = (2.0 * parts - 1) * (double)tableBytes(stream) +
                         12.0 * (double)(1ull << stream->log2);
    timing.clocks = stream->large->link.both.clocks;
    stream->items.count = (uint32_t)(1ull << stream->log2);
    char what[48];
    snprintf(what, sizeof what, "%u batches in host memory", parts);
    return done &&
           addRow(stream, "large insert", timing, bytes, &stream->large->link.both, what, parts);
}

static bool findRow(Stream *stream) {
    LargeItems items = partOf(stream, 0);
    Timing timing;
    items.stride = STRIDE;
    return ask(stream, items) &&
           benchTime(stream->large->bench, &(Timed){NULL, runFind, stream}, &timing) &&
           largeVerify(stream->large, "large find", &items, &stream->found) &&
           addRow(stream, "large find", timing, (double)tableBytes(stream), &stream->large->link.in,
                  "random keys", 0);
}

bool largeStreamRows(const Large *large) {
    Stream stream;
    memset(&stream, 0, sizeof stream);
    stream.large = large;
    stream.partLog2 = large->bench->options.quick ? 10 : LEAST_LOG2;
    const bool done = openStream(&stream) && insertRow(&stream) && findRow(&stream);
    closeStream(&stream);
    return done;
}
