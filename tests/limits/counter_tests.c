/* The header's counters of inserts that failed: 64 bits in two words, by 32-bit atomics. Batches
 * and calls, which count as all commands do, carry once and at the right time.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"
#include "support/seed.h"

enum { MOST = 300, CLAIMED = 0x01010101 };

GPU_SPIRV(failures_address_32_spv);
GPU_SPIRV(failures_address_64_spv);
GPU_SPIRV(failures_buffer_32_spv);
GPU_SPIRV(failures_buffer_64_spv);
GPU_SPIRV(failures_combined_spv);

typedef enum Inserter { BY_BATCH, BY_SHADER, BY_SHADER_BOUND } Inserter;

static const char *const inserters[] = {"batch", "shader", "shader, bound buffer"};

typedef struct Path {
    Layout layout;
    Inserter inserter;
    bool sliced; /* by a kernel that counts by itself */
} Path;

static const TableKind *kind_of(const Path *path) {
    return layout_kind(path->layout, false);
}

typedef struct Run {
    Gpu *gpu;
    const Path *path;
    MurTable table;
    GpuBuffer keys, values, scratch;
    GpuKernel kernel;
} Run;

/* ---- Inserts of which each fails ------------------------------------------------------------- */

static void insert_batch(Run *run, uint32_t count, uint32_t valueWord) {
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < 2 * MOST; ++i) { /* two words a key or a value at most */
        keys[i] = i;
        values[i] = valueWord;
    }
    MurBatch batch = {.maxCount = count, .keys = gpu_array(&run->keys)};
    if (!kind_is_set(kind_of(run->path))) {
        batch.values = gpu_array(&run->values);
    }
    if (run->path->sliced) {
        batch.flags = MUR_BATCH_EXCLUSIVE;
        batch.scratch = gpu_array(&run->scratch);
        assert_in_range(murGetScratchSize(run->table, MUR_COMMAND_INSERT, MUR_MODE_KEEP, &batch), 1,
                        run->scratch.size);
    }
    gpu_require(murCmdInsert(run->gpu->cmd, run->table, MUR_MODE_KEEP, &batch));
}

static void insert(Run *run, uint32_t count, bool refused) {
    const uint32_t value = refused ? UINT32_MAX : 1;
    const struct {
        MurTableRef table;
        uint32_t count, value;
    } push = {murGetTableRef(run->table), count, value};
    gpu_begin(run->gpu);
    if (run->path->inserter == BY_BATCH) {
        insert_batch(run, count, value);
    } else {
        gpu_dispatch(run->gpu, &run->kernel, &push, (count + 63) / 64);
    }
    gpu_submit(run->gpu);
}

/* ---- What is counted ------------------------------------------------------------------------- */

typedef struct Counters {
    uint64_t full, refused;
} Counters;

static void preset(Run *run, Counters counters) {
    const MurBufferRange memory = murGetTableMemory(run->table);
    gpu_begin(run->gpu);
    vkCmdUpdateBuffer(run->gpu->cmd, memory.buffer, memory.offset + 4 * MUR_HEADER_FULL,
                      sizeof counters, &counters);
    gpu_submit(run->gpu);
}

/* From so many on, so many more. */
static void count_on(Run *run, bool refused, uint64_t from, const uint32_t *counts,
                     uint32_t countCount) {
    enum { OTHER = 5 };
    preset(run, refused ? (Counters){OTHER, from} : (Counters){from, OTHER});
    for (uint32_t i = 0; i < countCount; ++i) {
        insert(run, counts[i], refused);
        from += counts[i];
        const MurStats stats = gpu_stats(run->gpu, run->table);
        const uint64_t counted = refused ? stats.refused : stats.full;
        const uint64_t other = refused ? stats.full : stats.refused;
        if (counted != from || other != OTHER) {
            fail_msg("%s, %s: counted 0x%llx %s inserts, expected 0x%llx; and 0x%llx %s ones, "
                     "expected %d",
                     kind_of(run->path)->name, inserters[run->path->inserter],
                     (unsigned long long)counted, refused ? "refused" : "full",
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

/* ---- Each path ------------------------------------------------------------------------------- */

static void open_kernel(Run *run) {
    const bool wide = kind_is_wide(kind_of(run->path));
    if (run->path->inserter == BY_SHADER_BOUND) {
        run->kernel = gpu_kernel(run->gpu, wide ? failures_buffer_64_spv : failures_buffer_32_spv,
                                 wide ? failures_buffer_64_spv_size : failures_buffer_32_spv_size,
                                 sizeof(MurTableRef) + 8, 1);
        gpu_bind(run->gpu, &run->kernel, 0, murGetTableMemory(run->table));
    } else if (run->path->inserter == BY_SHADER) {
        run->kernel = gpu_kernel(run->gpu, wide ? failures_address_64_spv : failures_address_32_spv,
                                 wide ? failures_address_64_spv_size : failures_address_32_spv_size,
                                 sizeof(MurTableRef) + 8, 0);
    }
}

/* Every slot is claimed by some key that nobody inserts. */
static void fill(Run *run) {
    const MurBufferRange memory = murGetTableMemory(run->table);
    gpu_begin(run->gpu);
    vkCmdFillBuffer(run->gpu->cmd, memory.buffer, memory.offset + MUR_HEADER_SIZE,
                    memory.size - MUR_HEADER_SIZE, CLAIMED);
    gpu_submit(run->gpu);
}

static void run_path(Gpu *gpu, const Path *path) {
    MurTableCreateInfo info = kind_info(kind_of(path), path->sliced ? 2048 : 64);
    info.uses[0] = path->sliced ? murUseScratch() : NULL;
    Run run = {.gpu = gpu,
               .path = path,
               .table = gpu_table(gpu, &info),
               .keys = gpu_buffer(gpu, 8 * MOST),
               .values = gpu_buffer(gpu, 8 * MOST),
               .scratch = gpu_buffer(gpu, 1 << 20)};
    print_message("  %s, %s\n", kind_of(path)->name, inserters[path->inserter]);
    open_kernel(&run);
    gpu_take(gpu, path->sliced ? WAY_SLICES : WAY_DIRECT);
    fill(&run);
    carry_once(&run, false);
    if (!kind_is_set(kind_of(path))) {
        carry_once(&run, true);
    }
    gpu_take(gpu, WAY_DEFAULT);
    gpu_free(gpu, &run.scratch);
    gpu_free(gpu, &run.keys);
    gpu_free(gpu, &run.values);
    murDestroyTable(run.table);
}

static void run_paths(Gpu *gpu, const Path *paths, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const TableKind *kind = kind_of(&paths[i]);
        if (gpu_offers(gpu, kind->format, kind->width)) {
            run_path(gpu, &paths[i]);
        }
    }
}

GPU_TEST(batches_carry) {
    for (Layout layout = 0; layout < LAYOUT_COUNT; ++layout) {
        run_paths(gpu, &(const Path){layout, BY_BATCH, false}, 1);
    }
}

GPU_TEST(sliced_batches_carry) {
    static const Path paths[] = {{LAYOUT_k32v32_32, BY_BATCH, true},
                                 {LAYOUT_k32v32_64, BY_BATCH, true}};
    run_paths(gpu, paths, test_full() ? 2 : 1);
}

GPU_TEST(shaders_carry) {
    static const Path paths[] = {{LAYOUT_k32v32_32, BY_SHADER, false},
                                 {LAYOUT_k32v32_64, BY_SHADER_BOUND, false},
                                 {LAYOUT_k32v32_64, BY_SHADER, false},
                                 {LAYOUT_k32v32_32, BY_SHADER_BOUND, false}};
    run_paths(gpu, paths, test_full() ? 4 : 2);
}

/* Those of a subgroup that have the same key become one; but not with a value that is refused. */
GPU_TEST(refused_values_join_no_others) {
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
    assert_int_equal(stats.refused, MOST / 2);
    murDestroyTable(table);
}
