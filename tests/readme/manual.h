/* Runs the shader blocks of the manual: manual_PAGE_N is block N of its page. CMakeLists.txt
 * generates them, and fails if a block is not run.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_README_MANUAL_H
#define MUR_TEST_README_MANUAL_H

#include "support/gpu.h"

enum { MANUAL_ITEMS = 64 }; /* invocations of a workgroup, in every block */

typedef struct ManualRun {
    MurBufferRange bound[GPU_MAX_BINDINGS]; /* by binding number; unused bindings have no buffer */
    uint32_t groups;
    const void *push;
    size_t pushSize;
} ManualRun;

/* Dispatches the block's shader and waits. */
#define MANUAL_RUN(gpu, symbol, ...)                                             \
    do {                                                                         \
        GPU_SPIRV(symbol);                                                       \
        manual_run(gpu, symbol, symbol##_size, &(const ManualRun){__VA_ARGS__}); \
    } while (0)
void manual_run(Gpu *gpu, const uint32_t *code, size_t size, const ManualRun *run);

MurBufferRange manual_range(const GpuBuffer *buffer);

#endif
