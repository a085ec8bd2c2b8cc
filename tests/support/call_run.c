/* SPDX-License-Identifier: MIT */
#include "call_code.h"

void call_run(Gpu *gpu, GpuKernel *kernel, Access access, const CallPush *push,
              const MurBufferRange *memory) {
    const uint32_t bound = access == ACCESS_ARRAY ? CALL_ARRAY_TABLES : access == ACCESS_BUFFER;
    for (uint32_t i = 0; i < bound; ++i) {
        gpu_bind_element(gpu, kernel, 0, i, memory[i]);
    }
    gpu_begin(gpu);
    gpu_dispatch(gpu, kernel, push, (push->tableCount + CALL_GROUP_TABLES - 1) / CALL_GROUP_TABLES);
    gpu_submit(gpu);
}
