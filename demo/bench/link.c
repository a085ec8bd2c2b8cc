/* The link to host memory: bandwidth of kernels and copies, for each host-visible memory type.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "shaders/push.h"

typedef enum Way { WAY_IN, WAY_OUT, WAY_BOTH, WAY_COPY_IN, WAY_COPY_OUT, WAY_COUNT } Way;
static const char *const names[WAY_COUNT] = {"link in", "link out", "link both", "copy in",
                                             "copy out"};

typedef struct Link {
    Bench *bench;
    const char *suite;
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

static bool verifyLink(const Link *link) {
    const uint32_t count = (uint32_t)(link->bytes / 4);
    const bool in = link->way != WAY_OUT && link->way != WAY_COPY_OUT;
    const bool out = link->way != WAY_IN && link->way != WAY_COPY_IN;
    return (!in || benchIsValues(link->bench, "link", &link->device, 0, count)) &&
           (!out || benchIsValues(link->bench, "link", &link->other, 0, count));
}

static bool timeWay(Link *link, Way way, VkDeviceSize bytes, Timing *timing) {
    const GpuBuffer *const results[] = {&link->device, &link->other};
    link->way = way;
    link->bytes = bytes;
    return benchForget(link->bench, 2, results) &&
           benchTime(link->bench, &(Timed){.run = runLink, .user = link}, timing) &&
           verifyLink(link);
}

static bool addRow(Link *link, const char *operation, const char *memory, double rate,
                   const char *unit, Timing timing) {
    Row row = {
        .suite = link->suite, .operation = operation, .timing = timing, .rate = rate, .unit = unit};
    benchSay(&row, "%s", memory);
    return benchRow(link->bench, &row);
}

static bool rowsOf(Link *link, const char *memory, VkDeviceSize bytes, LinkRates *rates) {
    for (int way = 0; way < WAY_COUNT; ++way) {
        Timing timing;
        if (!timeWay(link, (Way)way, bytes, &timing)) {
            return false;
        }
        const double rate = 1e-6 * (double)bytes * (way == WAY_BOTH ? 2 : 1) / timing.milliseconds;
        if (way >= WAY_BOTH) {
            *(way == WAY_BOTH      ? &rates->both
              : way == WAY_COPY_IN ? &rates->in
                                   : &rates->out) = (Figure){rate, timing.clocks};
        }
        if (!addRow(link, names[way], memory, rate, "GB/s", timing)) {
            return false;
        }
    }
    for (VkDeviceSize page = LINK_PIECE; page <= 4 * LINK_PIECE; page *= 4) {
        Timing timing;
        char alone[80];
        snprintf(alone, sizeof alone, "%s, %u KiB", memory, (unsigned)(page >> 10));
        if (!timeWay(link, WAY_IN, page, &timing) ||
            !addRow(link, "link in alone", alone, 1e3 * timing.milliseconds, "us", timing)) {
            return false;
        }
    }
    return true;
}

/* Copies the values from the device. */
BENCH_STEP(fillHost, const Link, link) {
    benchCopy(bench, &link->pairs.values, 0, link->host.size, &link->host, 0);
    return true;
}

/* Returns whether the type is host-visible and coherent, and different from earlier types. */
static bool isNew(const Gpu *gpu, uint32_t type) {
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryType *types = gpu->memory.memoryTypes;
    bool fresh = (types[type].propertyFlags & host) == host;
    for (uint32_t i = 0; i < type; ++i) {
        fresh = fresh && (types[i].propertyFlags != types[type].propertyFlags ||
                          types[i].heapIndex != types[type].heapIndex);
    }
    return fresh;
}

static bool rowsOfType(Link *link, uint32_t type, VkDeviceSize bytes, LinkRates *rates) {
    Gpu *gpu = &link->bench->gpu;
    const VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[type].propertyFlags;
    const bool cached = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
    char memory[64];
    snprintf(memory, sizeof memory, "%s, %s",
             flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT ? "device-local" : "host memory",
             cached ? "cached" : "uncached");
    LinkRates own;
    const uint32_t made = link->bench->madeCount;
    const bool done = gpuCreateBufferIn(gpu, bytes, type, "host", &link->host) &&
                      benchKeep(link->bench, (Made){.buffer = link->host}) &&
                      gpuCreateBufferIn(gpu, bytes, type, "other", &link->other) &&
                      benchKeep(link->bench, (Made){.buffer = link->other}) &&
                      benchOnce(link->bench, fillHost, link) && rowsOf(link, memory, bytes, &own);
    benchRelease(link->bench, made);
    /* A pager's store uses the first cached type. */
    if (done && (rates->in.rate <= 0 || cached)) {
        *rates = own;
    }
    return done;
}

bool linkRows(Bench *bench, const char *suite, LinkRates *rates) {
    const VkDeviceSize bytes = bench->options.quick ? 1u << 20 : 1u << 28;
    Link link = {.bench = bench, .suite = suite};
    const Gpu *gpu = &bench->gpu;
    const uint32_t made = bench->madeCount;
    bool done = benchPairs(bench, (uint32_t)(bytes / 4), 1, 1, &link.pairs) &&
                benchBuffer(bench, bytes, GPU_DEVICE, "device", &link.device);
    bool local = false;
    *rates = (LinkRates){.in = {.rate = 0}};
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount && done; ++i) {
        const bool isLocal = (gpu->memory.memoryTypes[i].propertyFlags &
                              VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
        /* A pager uses device-local memory as a store only if there is no other type. */
        if (isNew(gpu, i) && (!isLocal || !local)) {
            local = local || isLocal;
            done = rowsOfType(&link, i, bytes, rates);
        }
    }
    benchRelease(bench, made);
    return done;
}
