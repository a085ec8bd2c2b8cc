/* The variants of calls.comp.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALL_CODE_H
#define MUR_TEST_CALL_CODE_H

#include "calls.h"
#include "gpu.h"
#include "kinds.h"

/* The shader's access to the table. */
typedef enum Access { ACCESS_ADDRESS, ACCESS_BUFFER, ACCESS_ARRAY, ACCESS_COUNT } Access;

/* Returns whether this tier runs the variant. Compiling a variant takes a second, longer than all
 * of its cases. The normal tier has at most two accesses per layout. It omits variants whose code
 * other programs' shaders and the commands test. */
bool call_is_usual(Layout layout, Access access);
/* Returns the kernel of a variant. All layouts of a format share the read-only modules. Only linear
 * K32V32 has arrays, and only two layouts of bucketed tables have bound buffers. */
GpuKernel call_kernel(Gpu *gpu, Layout layout, Access access, bool readOnly);
/* Returns the kernel of another variant, by its symbol. */
#define CALL_KERNEL(gpu, symbol, access) \
    gpu_kernel(gpu, symbol, symbol##_size, sizeof(CallPush), (access) == ACCESS_BUFFER)
/* Runs the calls on a table and waits. With ACCESS_ADDRESS, runs them on push->tableCount tables.
 * memory: the range of the table, or with ACCESS_ARRAY the range of the whole array. */
void call_run(Gpu *gpu, GpuKernel *kernel, Access access, const CallPush *push,
              const MurBufferRange *memory);

#endif
