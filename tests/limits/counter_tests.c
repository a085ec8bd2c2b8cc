/* Tests the header's counters of failed inserts. With 32-bit atomics, a counter is two words, and
 * shader calls must carry into the high word exactly once. tests/semantics tests batches.
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"
#include "support/seed.h"

enum { MOST = 300, CLAIMED = 0x01010101 };

GPU_SPIRV(failures_address_32_spv);
GPU_SPIRV(failures_address_64_spv);
GPU_SPIRV(failures_buffer_32_spv);
GPU_SPIRV(failures_buffer_64_spv);
GPU_SPIRV(failures_combined_spv);

static GpuKernel kernel_of(Gpu *gpu, bool wide, bool bound) {
#define KERNEL(code) gpu_kernel(gpu, code, code##_size, sizeof(MurTableRef) + 8, bound)
    return bound  ? wide ? KERNEL(failures_buffer_64_spv) : KERNEL(failures_buffer_32_spv)
            : wide ? KERNEL(failures_address_64_spv)
                  : KERNEL(failures_address_32_spv);
}

/* Makes `count` inserts, whose keys are 0, 1, ... */
static void insert(Gpu *gpu, GpuKernel *kernel, MurTable table, uint32_t count, uint32_t value) {
    const struct {
        MurTableRef table;
        uint32_t count, value;
    } push = {murGetTableRef(table), count, value};
    gpu_begin(gpu);
    gpu_dispatch(gpu, kernel, &push, (count + 63) / 64);
    gpu_submit(gpu);
}

/* Sets the counter to `from`, and the other one to OTHER. Makes counts[i] inserts that fail: with
 * MUR_INVALID_VALUE if `refused`, else with MUR_FULL. Checks both counters after each. */
static void count_on(Gpu *gpu, GpuKernel *kernel, MurTable table, bool refused, uint64_t from,
                     const uint32_t counts[4]) {
    enum { OTHER = 5 };
    const MurBufferRange memory = murGetTableMemory(table);
    const uint64_t counters[] = {refused ? OTHER : from, refused ? from : OTHER};
    gpu_begin(gpu);
    vkCmdUpdateBuffer(gpu->cmd, memory.buffer, memory.offset + 4 * MUR_HEADER_FAILED_INSERTS,
                      sizeof counters, counters);
    gpu_submit(gpu);
    for (uint32_t i = 0; i < 4; ++i) {
        insert(gpu, kernel, table, counts[i], refused ? UINT32_MAX : 1);
        from += counts[i];
        const MurStats stats = gpu_stats(gpu, table);
        const uint64_t counted = refused ? stats.invalidValues : stats.failedInserts;
        const uint64_t other = refused ? stats.failedInserts : stats.invalidValues;
        if (counted != from || other != OTHER) {
            fail_msg("flags 0x%x, %u bindings, %s: counted 0x%llx, expected 0x%llx; others 0x%llx",
                     murGetTableRef(table).flags, kernel->bindings, refused ? "refused" : "full",
                     (unsigned long long)counted, (unsigned long long)from,
                     (unsigned long long)other);
        }
    }
}

/* Checks the carry in a shader that reads the table by address or in a bound buffer. All slots have
 * keys that the shader does not insert. */
static void shader_carries(Gpu *gpu, Layout layout, bool bound) {
    static const uint32_t slowly[] = {1, 1, 1, MOST}, atOnce[] = {MOST, 1, 1, 1};
    const TableKind *kind = layout_kind(layout, false);
    const MurTableCreateInfo info = kind_info(kind, 64);
    if (!gpu_offers(gpu, kind->format, kind->width)) {
        return;
    }
    MurTable table = gpu_table(gpu, &info);
    const MurBufferRange memory = murGetTableMemory(table);
    GpuKernel kernel = kernel_of(gpu, kind_is_wide(kind), bound);
    if (bound) {
        gpu_bind(gpu, &kernel, 0, memory);
    }
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, memory.buffer, memory.offset + MUR_HEADER_SIZE,
                    memory.size - MUR_HEADER_SIZE, CLAIMED);
    gpu_submit(gpu);
    for (int refused = 0; refused < 2; ++refused) {
        count_on(gpu, &kernel, table, refused, 0x7FFFFFFFEu, slowly);
        count_on(gpu, &kernel, table, refused, 0x100000000u - MOST / 2, atOnce);
    }
    murDestroyTable(table);
}

GPU_TEST(failed_inserts_carry_into_the_high_word) {
    for (uint32_t i = 0; i < (test_full() ? 4 : 2); ++i) {
        shader_carries(gpu, i % 2 ? LAYOUT_k32v32_64 : LAYOUT_k32v32_32, (i ^ i / 2) & 1);
    }
}

/* Inserts of equal keys in a subgroup are merged, except inserts of an invalid value. */
GPU_TEST(invalid_values_merge_with_no_others) {
    const MurTableCreateInfo info = kind_info(layout_kind(LAYOUT_k32v32_32, false), MOST);
    MurTable table = gpu_table(gpu, &info);
    GpuKernel kernel = gpu_kernel(gpu, failures_combined_spv, failures_combined_spv_size,
                                  sizeof(MurTableRef) + 8, 0);
    insert(gpu, &kernel, table, MOST, 7);
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, MOST / 2);
    assert_int_equal(stats.invalidValues, MOST / 2);
    murDestroyTable(table);
}
