/* calls.comp in its variants.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALL_CODE_H
#define MUR_TEST_CALL_CODE_H

#include "calls.h"
#include "gpu.h"
#include "kinds.h"

/* How the shader reaches the table. */
typedef enum Access { ACCESS_ADDRESS, ACCESS_BUFFER, ACCESS_ARRAY, ACCESS_COUNT } Access;

/* Does this tier make it? A compiler takes a second for each, longer than all of its cases: in the
 * normal tier a layout is reached in one way, those that other programs' shaders and the commands
 * have are left to the long one. */
bool call_is_usual(Layout layout, Access access);
/* Variants that read alone there are for each format, arrays for K32V32: these
 * for tables in buckets, too. Of those two layouts are bound. */
GpuKernel call_kernel(Gpu *gpu, Layout layout, Access access, bool readOnly);
/* The kernel of another variant, by its symbol. */
#define CALL_KERNEL(gpu, symbol, access) \
    gpu_kernel(gpu, symbol, symbol##_size, sizeof(CallPush), (access) == ACCESS_BUFFER)
/* Runs the calls of a table (ACCESS_ADDRESS: of push->tableCount) and waits. For an array: its
 * memory is that of all elements. */
void call_run(Gpu *gpu, GpuKernel *kernel, Access access, const CallPush *push,
              const MurBufferRange *memory);

#endif
