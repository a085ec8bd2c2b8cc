/* Faulty calls of the library, which the linker's --wrap inserts into murbench. MURBENCH_WRONG
 * names the faulty call; without it, all calls are correct. Calls are faulty only in timed runs, so
 * that verification does not fail in the same way. A fault omits one item of a batch.
 * MURBENCH_WRONG can also name a series of times for the clocks' reference, which murbench then
 * measures on any device.
 * SPDX-License-Identifier: MIT */
#include "bench/operations.h"
#include "bench/shaders/push.h"

#include <murmuration/group.h>
#include <murmuration/multi.h>
#include <murmuration/paged.h>
#include <murmuration/rows.h>

#include <stdlib.h>
#include <string.h>

#define WRAP(type, name, ...)        \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

static bool timing;

WRAP(bool, benchTime, Bench *bench, const Timed *timed, Timing *result) {
    timing = true;
    const bool done = __real_benchTime(bench, timed, result);
    timing = false;
    return done;
}

static bool asked(const char *what) {
    const char *name = getenv("MURBENCH_WRONG");
    return name && strcmp(name, what) == 0;
}

static bool wrong(const char *call) {
    return timing && asked(call);
}

/* Wraps a command with a batch. The faulty call omits the last item. */
#define WRAP_ITEMS(name, Object, Items, count, call)                               \
    WRAP(VkResult, name, VkCommandBuffer cmd, Object object, const Items *items) { \
        Items changed = *items;                                                    \
        changed.count -= wrong(call) && changed.count > 0;                         \
        return __real_##name(cmd, object, &changed);                               \
    }
WRAP_ITEMS(murCmdFind, MurTable, MurBatch, maxCount, "find")
WRAP_ITEMS(murCmdErase, MurTable, MurBatch, maxCount, "erase")
WRAP_ITEMS(murCmdMultiInsert, MurTable, MurBatch, maxCount, "multi insert")
WRAP_ITEMS(murCmdMultiCount, MurTable, MurBatch, maxCount, "multi count")
WRAP_ITEMS(murCmdMultiRetrieve, MurTable, MurMultiRetrieve, maxValues, "multi retrieve")
WRAP_ITEMS(murCmdExtract, MurTable, MurExtract, maxCount, "extract")
WRAP_ITEMS(murCmdGroup, MurTable, MurGroup, maxCount, "group")
WRAP_ITEMS(murCmdInsertRows, MurTable, MurRowBatch, maxCount, "insert rows")
WRAP_ITEMS(murCmdFindRows, MurTable, MurRowBatch, maxCount, "find rows")
WRAP_ITEMS(murCmdPagedFind, MurPagedTable, MurPagedBatch, maxCount, "paged find")

/* Wraps a command with a batch and a mode. The faulty call omits the last item. */
#define WRAP_MODE(name, Object, Items, call)                                     \
    WRAP(VkResult, name, VkCommandBuffer cmd, Object object, MurInsertMode mode, \
         const Items *items) {                                                   \
        Items changed = *items;                                                  \
        changed.maxCount -= wrong(call) && changed.maxCount > 0;                 \
        return __real_##name(cmd, object, mode, &changed);                       \
    }
WRAP_MODE(murCmdInsert, MurTable, MurBatch,
          mode == MUR_MODE_INSERT && wrong("keep") ? "keep"
          : mode == MUR_MODE_ADD && wrong("add")   ? "add"
                                                   : "insert")
WRAP_MODE(murCmdBuild, MurTable, MurBatch, "build")
WRAP(VkResult, murCmdPagedInsert, VkCommandBuffer cmd, MurPagedTable object, MurInsertMode mode,
     const MurPagedBatch *items) {
    MurPagedBatch changed = *items;
    changed.maxCount -= asked("paged insert"); /* it is not repeated, so it has its own timing */
    return __real_murCmdPagedInsert(cmd, object, mode, &changed);
}

WRAP(VkResult, murCmdClear, VkCommandBuffer cmd, MurTable table) {
    return wrong("clear") ? VK_SUCCESS : __real_murCmdClear(cmd, table);
}

WRAP(VkResult, murCmdStats, VkCommandBuffer cmd, MurTable table, MurArray stats) {
    return wrong("stats") ? VK_SUCCESS : __real_murCmdStats(cmd, table, stats);
}

WRAP(VkResult, murCmdRehash, VkCommandBuffer cmd, MurTable source, MurTable destination,
     const MurRehash *rehash) {
    return wrong("rehash") ? murCmdClear(cmd, destination)
                           : __real_murCmdRehash(cmd, source, destination, rehash);
}

WRAP(VkResult, murCmdMerge, VkCommandBuffer cmd, MurTable source, MurTable destination,
     MurInsertMode mode, const MurRehash *merge) {
    return wrong("merge") ? VK_SUCCESS : __real_murCmdMerge(cmd, source, destination, mode, merge);
}

WRAP(VkResult, murCmdCompact, VkCommandBuffer cmd, MurTable table, const MurRehash *rehash) {
    return wrong("compact") ? VK_SUCCESS : __real_murCmdCompact(cmd, table, rehash);
}

WRAP(VkResult, murCmdUpdatePager, VkCommandBuffer cmd, MurPager pager,
     const MurPagerUpdate *paging) {
    MurPagerUpdate changed = *paging;
    changed.maxPages = wrong("page") ? 0 : paging->maxPages;
    return __real_murCmdUpdatePager(cmd, pager, &changed);
}

/* Wraps dispatches of shaders that include the library. Faults: one workgroup too few (in all
 * dispatches, or in a cache's pass), one key too few, or retained entries
 * that are missing in the cache's filter. */
WRAP(bool, benchDispatch, Bench *bench, Kernel kernel, const void *push, uint32_t items) {
    static const char *const passes[] = {"cache update", "cache resolve", "cache query"};
    CachePush cache = {.task = UINT32_MAX};
    MultiPush visit = {.queryCount = 0};
    if (kernel >= KERNEL_cache_UPDATE_64 && kernel <= KERNEL_cache_RESERVE_narrow) {
        memcpy(&cache, push, sizeof cache);
    }
    if (kernel == KERNEL_group_visit && wrong("shader")) {
        memcpy(&visit, push, sizeof visit);
        --visit.queryCount;
        return __real_benchDispatch(bench, kernel, &visit, items);
    }
    const bool pass = cache.task <= CACHE_QUERY && asked(passes[cache.task]);
    const bool go = asked("cache stay") && cache.task == CACHE_RESOLVE;
    const uint32_t left = wrong("shader") ? 256 : pass ? 512 : 0;
    cache.stay = 0;
    return __real_benchDispatch(bench, kernel, go ? &cache : push,
                                items - (items > left ? left : 0));
}

/* ---- Faults of the tuning, and simulated times ---------------------------------------------- */

WRAP(VkResult, murSetTuning, MurContext context, const MurTuning *tuning) {
    return asked("tuning") ? VK_SUCCESS : __real_murSetTuning(context, tuning);
}

WRAP(VkDeviceSize, murGetScratchSize, MurTable table, MurCommand command, MurInsertMode mode,
     const MurBatch *batch) {
    const VkDeviceSize size = __real_murGetScratchSize(table, command, mode, batch);
    return asked("scratch") && size == 0 ? 16 : size;
}

/* Simulates times that are proportional to pairs by the first path, and constant by the second.
 * --tune measures each operation by the first path, then by the second. */
WRAP(bool, operationMeasure, Trial *trial, Operation operation, Row *row) {
    static bool second[OPERATION_COUNT];
    trial->bench->options.reps = asked("times") ? 1 : trial->bench->options.reps;
    const bool done = __real_operationMeasure(trial, operation, row);
    if (done && asked("times")) {
        row->timing.milliseconds = second[operation] ? 1400 : trial->part;
        second[operation] = !second[operation];
    }
    return done;
}

/* ---- Simulated clocks ----------------------------------------------------------------------- */

/* Returns the n-th time of the reference, relative to the best time, or 0 to read the real
 * reference. A reading takes 0.03 s, and quick runs wait for at least 0.13 s. */
static double factor(const char *series, unsigned n) {
    return strcmp(series, "clocks idle first") == 0  ? (n < 4 ? 3.5 : 1)
           : strcmp(series, "clocks late") == 0      ? (n < 12 ? 3.5 : 1)
           : strcmp(series, "clocks drifting") == 0  ? (n % 10 == 9 ? 1.3 : 1)
           : strcmp(series, "clocks throttled") == 0 ? (n < 20 ? 1 : 1.3)
           : strcmp(series, "clocks never") == 0     ? (n % 2 ? 1 : 1.3)
           : strcmp(series, "clocks real") == 0      ? n >= 1
                                                     : 0;
}

/* Any device has a reference if a series is requested. "clocks real" begins with real readings. */
WRAP(bool, clocksWatched, const Gpu *gpu) {
    const char *name = getenv("MURBENCH_WRONG");
    return (name && strncmp(name, "clocks", 6) == 0) || __real_clocksWatched(gpu);
}

WRAP(bool, clocksMeasure, Clocks *clocks, double busy, double *reference, double *seconds) {
    static unsigned readings;
    const char *name = getenv("MURBENCH_WRONG");
    const double times = factor(name ? name : "", readings++);
    *reference = 0.1 * times;
    *seconds = 0.03;
    return times > 0 || __real_clocksMeasure(clocks, busy, reference, seconds);
}
