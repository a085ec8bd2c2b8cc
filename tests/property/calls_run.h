/* Runs in-shader calls on many small tables, one invocation each, and compares every answer and
 * every word of the tables with the oracle.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_RUN_H
#define MUR_TEST_CALLS_RUN_H

#include "calls_model.h"

/* How the shader reaches the table, and what it is compiled to do. */
typedef enum Access { ACCESS_ADDRESS, ACCESS_BUFFER, ACCESS_ARRAY, ACCESS_COUNT } Access;
typedef enum Width { WIDTH_32, WIDTH_64, READ_ONLY, WIDTH_COUNT } Width;

/* calls.comp in one of its variants. Bound tables come at binding 2: one, or an array of them. */
typedef struct CallKernel {
    Access access;
    VkDescriptorSetLayout setLayout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
} CallKernel;

CallKernel call_kernel_open(Gpu *gpu, Access access, Width width);
void call_kernel_close(Gpu *gpu, CallKernel *kernel);
/* "bound buffer, 64-bit atomics" and the like. */
const char *call_kernel_name(Access access, Width width);

/* The tables of one test, cleared, each with its oracle and its keys. */
typedef struct World World;
typedef struct WorldInfo {
    uint64_t seed;
    uint32_t tables; /* a multiple of 4 */
    uint32_t calls;  /* at most, a table and run */
    bool zero;
    bool wide;
} WorldInfo;

World *world_open(Gpu *gpu, const WorldInfo *info);
void world_close(World *world);
/* Clears the tables, on the GPU and in the oracle. */
void world_clear(World *world);
/* Makes up calls, the same for the same world and round, and runs them on GPU and oracle; false,
 * and says what, if an answer or a table differs. writable: false if the shader must not be able
 * to write. */
bool world_run(World *world, const CallKernel *kernel, CallSet set, uint32_t round, bool writable);
/* The calls of CALLS_BULK as bulk commands of one item each. */
bool world_run_bulk(World *world, uint32_t round);
/* The memory of all tables as the last run left it, gaps included; valid until the next run. */
const uint32_t *world_memory(const World *world, size_t *words);

#endif
