/* Tests a counter of the header. Carries are tested by tests/semantics (batches, by address) and
 * tests/languages (bound buffers).
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

enum { COUNT = 300 };

GPU_SPIRV(failures_spv);

/* Inserts of equal keys in a subgroup are merged, except inserts of an invalid value. */
GPU_TEST(invalid_values_merge_with_no_others) {
    const MurTableCreateInfo info = kind_info(layout_kind(LAYOUT_k32v32_32, false), COUNT);
    MurTable table = gpu_table(gpu, &info);
    const struct {
        MurTableRef table;
        uint32_t count, pad;
    } push = {murGetTableRef(table), COUNT, 0};
    GpuKernel kernel = gpu_kernel(gpu, failures_spv, failures_spv_size, sizeof push, 0);
    gpu_begin(gpu);
    gpu_dispatch(gpu, &kernel, &push, (COUNT + 63) / 64);
    gpu_submit(gpu);
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, COUNT / 2);
    assert_int_equal(stats.invalidValues, COUNT / 2);
    murDestroyTable(table);
}
