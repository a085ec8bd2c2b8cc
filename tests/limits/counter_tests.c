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

typedef struct Run {
    Gpu *gpu;
    const char *name;
    MurTable table;
    GpuKernel kernel;
} Run;

/* Makes `count` inserts that fail: with MUR_INVALID_VALUE if `refused`, else with MUR_FULL. */
static void insert(Run *run, uint32_t count, bool refused) {
    const struct {
        MurTableRef table;
        uint32_t count, value;
    } push = {murGetTableRef(run->table), count, refused ? UINT32_MAX : 1};
    gpu_begin(run->gpu);
    gpu_dispatch(run->gpu, &run->kernel, &push, (count + 63) / 64);
    gpu_submit(run->gpu);
}

typedef struct Counters {
    uint64_t full, refused;
} Counters;

static void preset(Run *run, Counters counters) {
    const MurBufferRange memory = murGetTableMemory(run->table);
    gpu_begin(run->gpu);
    vkCmdUpdateBuffer(run->gpu->cmd, memory.buffer, memory.offset + 4 * MUR_HEADER_FAILED_INSERTS,
                      sizeof counters, &counters);
    gpu_submit(run->gpu);
}

/* Sets the counter to `from`, makes counts[i] failed inserts, and checks the counter after each. */
static void count_on(Run *run, bool refused, uint64_t from, const uint32_t *counts,
                     uint32_t countCount) {
    enum { OTHER = 5 };
    preset(run, refused ? (Counters){OTHER, from} : (Counters){from, OTHER});
    for (uint32_t i = 0; i < countCount; ++i) {
        insert(run, counts[i], refused);
        from += counts[i];
        const MurStats stats = gpu_stats(run->gpu, run->table);
        const uint64_t counted = refused ? stats.invalidValues : stats.failedInserts;
        const uint64_t other = refused ? stats.failedInserts : stats.invalidValues;
        if (counted != from || other != OTHER) {
            fail_msg("%s: counted 0x%llx %s inserts, expected 0x%llx; and 0x%llx %s ones, "
                     "expected %d",
                     run->name, (unsigned long long)counted, refused ? "refused" : "full",
                     (unsigned long long)from, (unsigned long long)other,
                     refused ? "full" : "refused", OTHER);
        }
    }
}

static void carry_once(Run *run, bool refused) {
    static const uint32_t slowly[] = {1, 1, 1, MOST};
    static const uint32_t atOnce[] = {MOST, 1};
    count_on(run, refused, 0x7FFFFFFFEu, slowly, 4);
    count_on(run, refused, 0x100000000u - MOST / 2, atOnce, 2);
}

/* Fills all slots with keys that the later calls do not insert. */
static void fill(Run *run) {
    const MurBufferRange memory = murGetTableMemory(run->table);
    gpu_begin(run->gpu);
    vkCmdFillBuffer(run->gpu->cmd, memory.buffer, memory.offset + MUR_HEADER_SIZE,
                    memory.size - MUR_HEADER_SIZE, CLAIMED);
    gpu_submit(run->gpu);
}

/* Checks the carry in a shader that reads the table by address or in a bound buffer. */
static void shader_carries(Gpu *gpu, Layout layout, bool bound) {
    const TableKind *kind = layout_kind(layout, false);
    const MurTableCreateInfo info = kind_info(kind, 64);
    const bool wide = kind_is_wide(kind);
    if (!gpu_offers(gpu, kind->format, kind->width)) {
        return;
    }
#define KERNEL(code) gpu_kernel(gpu, code, code##_size, sizeof(MurTableRef) + 8, bound)
    Run run = {.gpu = gpu,
               .name = bound ? "bound buffer" : "address",
               .table = gpu_table(gpu, &info),
               .kernel = bound  ? wide ? KERNEL(failures_buffer_64_spv)
                                       : KERNEL(failures_buffer_32_spv)
                          : wide ? KERNEL(failures_address_64_spv)
                                : KERNEL(failures_address_32_spv)};
    if (bound) {
        gpu_bind(gpu, &run.kernel, 0, murGetTableMemory(run.table));
    }
    fill(&run);
    carry_once(&run, false);
    carry_once(&run, true);
    murDestroyTable(run.table);
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
    const struct {
        MurTableRef table;
        uint32_t count, value;
    } push = {murGetTableRef(table), MOST, 7};
    gpu_begin(gpu);
    gpu_dispatch(gpu, &kernel, &push, (MOST + 63) / 64);
    gpu_submit(gpu);
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, MOST / 2);
    assert_int_equal(stats.invalidValues, MOST / 2);
    murDestroyTable(table);
}
