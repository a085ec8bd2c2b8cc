/* A library with a fault: linked with murcheck in place of the calls below, by the linker's --wrap.
 * MURCHECK_WRONG names the faulty call, which then omits one item, one dispatch or its barrier.
 * SPDX-License-Identifier: MIT */
#include "common/gpu.h"

#include <stdlib.h>
#include <string.h>

static bool isWrong(const char *call) {
    const char *name = getenv("MURCHECK_WRONG");
    return name && strcmp(name, call) == 0;
}

#define WRAP_BATCH(name)                                                                \
    VkResult __real_##name(VkCommandBuffer, MurTable, MurInsertMode, const MurBatch *); \
    VkResult __wrap_##name(VkCommandBuffer, MurTable, MurInsertMode, const MurBatch *); \
    VkResult __wrap_##name(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,     \
                           const MurBatch *batch) {                                     \
        MurBatch fewer = *batch;                                                        \
        fewer.maxCount -= isWrong(#name);                                               \
        return __real_##name(cmd, table, mode, &fewer);                                 \
    }
WRAP_BATCH(murCmdInsert)
WRAP_BATCH(murCmdBuild)

#define WRAP_LOOKUP(name)                                                                \
    VkResult __real_##name(VkCommandBuffer, MurTable, const MurBatch *);                 \
    VkResult __wrap_##name(VkCommandBuffer, MurTable, const MurBatch *);                 \
    VkResult __wrap_##name(VkCommandBuffer cmd, MurTable table, const MurBatch *batch) { \
        MurBatch fewer = *batch;                                                         \
        fewer.maxCount -= isWrong(#name);                                                \
        return __real_##name(cmd, table, &fewer);                                        \
    }
WRAP_LOOKUP(murCmdFind)
WRAP_LOOKUP(murCmdErase)

VkResult __real_murCmdRehash(VkCommandBuffer, MurTable, MurTable, const MurRehash *);
VkResult __wrap_murCmdRehash(VkCommandBuffer, MurTable, MurTable, const MurRehash *);
VkResult __wrap_murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                             const MurRehash *rehash) {
    return isWrong("murCmdRehash") ? murCmdClear(cmd, destination)
                                   : __real_murCmdRehash(cmd, source, destination, rehash);
}

void __real_gpuDispatch(Gpu *, const GpuKernel *, const void *, uint32_t, uint32_t, uint32_t);
void __wrap_gpuDispatch(Gpu *, const GpuKernel *, const void *, uint32_t, uint32_t, uint32_t);
void __wrap_gpuDispatch(Gpu *gpu, const GpuKernel *kernel, const void *push, uint32_t x, uint32_t y,
                        uint32_t z) {
    __real_gpuDispatch(gpu, kernel, push, x - isWrong("gpuDispatch"), y, z);
}
