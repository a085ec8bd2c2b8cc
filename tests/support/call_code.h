/* The variants of calls.comp.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALL_CODE_H
#define MUR_TEST_CALL_CODE_H

#include "calls.h"
#include "gpu.h"
#include "kinds.h"

/* The shader's access to the table. */
typedef enum Access { ACCESS_ADDRESS, ACCESS_BUFFER, ACCESS_ARRAY, ACCESS_COUNT } Access;

/* Does this tier run it? Compiling takes a second per variant, longer than all of its cases. The
 * normal tier has one access per layout, and leaves variants that other programs' shaders and the
 * commands cover to the long tier. */
bool call_is_usual(Layout layout, Access access);
/* There is a read-only variant per format; arrays for K32V32. These also have bucketed tables; two
 * layouts of bucketed tables are bound. */
GpuKernel call_kernel(Gpu *gpu, Layout layout, Access access, bool readOnly);
/* Returns the kernel of another variant, by its symbol. */
#define CALL_KERNEL(gpu, symbol, access) \
    gpu_kernel(gpu, symbol, symbol##_size, sizeof(CallPush), (access) == ACCESS_BUFFER)
/* Runs the calls on a table (ACCESS_ADDRESS: on push->tableCount tables) and waits. For an array,
 * its memory contains all elements. */
void call_run(Gpu *gpu, GpuKernel *kernel, Access access, const CallPush *push,
              const MurBufferRange *memory);

#endif
