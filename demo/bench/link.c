/* The link to host memory of the type that a pager's store has: bandwidth of kernels and copies.
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "shaders/push.h"

typedef enum Way { WAY_IN, WAY_OUT, WAY_BOTH, WAY_COPY_IN, WAY_COPY_OUT, WAY_COUNT } Way;
static const char *const names[WAY_COUNT] = {"link in", "link out", "link both", "copy in",
                                             "copy out"};

typedef struct Link {
    Pairs pairs; /* values are the source of copies to host memory */
    GpuBuffer device, host, other;
    VkDeviceSize bytes;
    Way way;
} Link;

/* Copies in one direction. In: the values in `host` to `device`. Out: the values to `other`. */
BENCH_STEP(runLink, const Link, link) {
    const GpuBuffer *values = &link->pairs.values;
    const bool in = link->way != WAY_OUT && link->way != WAY_COPY_OUT;
    const GpuBuffer *from = in ? &link->host : values, *to = in ? &link->device : &link->other;
    LinkPush push = {
        .from = from->address, .to = to->address, .pieces = (uint32_t)(link->bytes / LINK_PIECE)};
    if (link->way >= WAY_COPY_IN) {
        gpuCopy(&bench->gpu, from, 0, to, 0, link->bytes);
        return true;
    }
    if (link->way == WAY_BOTH) {
        push.backFrom = values->address;
        push.backTo = link->other.address;
    }
    return benchDispatch(bench, KERNEL_link, &push,
                         256 * push.pieces * (link->way == WAY_BOTH ? 2 : 1));
}

static bool verifyLink(Bench *bench, const Link *link) {
    const uint32_t count = (uint32_t)(link->bytes / 4);
    const bool in = link->way != WAY_OUT && link->way != WAY_COPY_OUT;
    const bool out = link->way != WAY_IN && link->way != WAY_COPY_IN;
    return (!in || benchIsValues(bench, "link", &link->device, 0, count)) &&
           (!out || benchIsValues(bench, "link", &link->other, 0, count));
}

static bool linkRow(Bench *bench, const char *suite, Link *link, Figure *figure) {
    const GpuBuffer *const results[] = {&link->device, &link->other};
    Row row = {.suite = suite, .operation = names[link->way], .unit = "GB/s"};
    if (!benchForget(bench, 2, results) ||
        !benchTime(bench, &(Timed){.run = runLink, .user = link}, &row.timing) ||
        !verifyLink(bench, link)) {
        return false;
    }
    row.rate = 1e-6 * (double)link->bytes * (link->way == WAY_BOTH ? 2 : 1) /
               row.timing.milliseconds;
    *figure = (Figure){row.rate, row.timing.clocks};
    return benchRow(bench, &row);
}

/* Copies the values from the device. */
BENCH_STEP(fillHost, const Link, link) {
    benchCopy(bench, &link->pairs.values, 0, link->host.size, &link->host, 0);
    return true;
}

bool linkRows(Bench *bench, const char *suite, LinkRates *rates) {
    Link link = {.bytes = bench->options.quick ? 1u << 20 : 1u << 28};
    const uint32_t made = bench->madeCount;
    Figure figures[WAY_COUNT] = {{0, 0}};
    bool done = benchPairs(bench, (uint32_t)(link.bytes / 4), 1, 1, &link.pairs) &&
                benchBuffer(bench, link.bytes, GPU_DEVICE, "device", &link.device) &&
                benchBuffer(bench, link.bytes, GPU_HOST, "host", &link.host) &&
                benchBuffer(bench, link.bytes, GPU_HOST, "other", &link.other) &&
                benchOnce(bench, fillHost, &link);
    for (int way = 0; way < WAY_COUNT && done; ++way) {
        link.way = (Way)way;
        done = linkRow(bench, suite, &link, &figures[way]);
    }
    *rates = (LinkRates){figures[WAY_COPY_IN], figures[WAY_COPY_OUT], figures[WAY_BOTH]};
    benchRelease(bench, made);
    return done;
}
