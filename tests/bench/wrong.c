/* A library that does something else than asked: linked with murbench in place of the calls below,
 * by the linker's --wrap. MURBENCH_WRONG names the call that fails; without it all is as it should
 * be. It fails in timed runs only: what verifies them must not fail in the same way. One item of a
 * batch is left out, the smallest error that there is.
 *
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#define WRAP(type, name, ...)        \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

static bool timing;

WRAP(bool, benchTime, Bench *bench, const Timed *timed, double *milliseconds) {
    timing = true;
    const bool done = __real_benchTime(bench, timed, milliseconds);
    timing = false;
    return done;
}

static bool wrong(const char *call) {
    const char *name = getenv("MURBENCH_WRONG");
    return timing && name && strcmp(name, call) == 0;
}

/* The batch without its last item. */
static MurBatch but_one(const MurBatch *batch, const char *call) {
    MurBatch changed = *batch;
    if (wrong(call) && changed.maxCount > 0) {
        --changed.maxCount;
    }
    return changed;
}

WRAP(VkResult, murCmdFind, VkCommandBuffer cmd, MurTable table, const MurBatch *batch) {
    const MurBatch changed = but_one(batch, "find");
    return __real_murCmdFind(cmd, table, &changed);
}

WRAP(VkResult, murCmdErase, VkCommandBuffer cmd, MurTable table, const MurBatch *batch) {
    const MurBatch changed = but_one(batch, "erase");
    return __real_murCmdErase(cmd, table, &changed);
}

WRAP(VkResult, murCmdInsert, VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
     const MurBatch *batch) {
    const MurBatch changed = but_one(batch, "insert");
    return __real_murCmdInsert(cmd, table, mode, &changed);
}

WRAP(VkResult, murCmdBuild, VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
     const MurBatch *batch) {
    const MurBatch changed = but_one(batch, "build");
    return __real_murCmdBuild(cmd, table, mode, &changed);
}

WRAP(VkResult, murCmdExtract, VkCommandBuffer cmd, MurTable table, const MurExtract *extract) {
    MurExtract changed = *extract;
    changed.maxCount -= wrong("extract");
    return __real_murCmdExtract(cmd, table, &changed);
}

WRAP(VkResult, murCmdClear, VkCommandBuffer cmd, MurTable table) {
    return wrong("clear") ? VK_SUCCESS : __real_murCmdClear(cmd, table);
}

WRAP(VkResult, murCmdStats, VkCommandBuffer cmd, MurTable table, MurArray stats) {
    return wrong("stats") ? VK_SUCCESS : __real_murCmdStats(cmd, table, stats);
}

/* For shaders that use the include: a workgroup too few. */
WRAP(void, benchDispatch, Bench *bench, const GpuKernel *kernel, const void *push, uint32_t items) {
    const uint32_t few = wrong("shader") && items > 256 ? 256 : 0;
    __real_benchDispatch(bench, kernel, push, items - few);
}
