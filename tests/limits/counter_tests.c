/* The header's counters of inserts that failed: 64 bits in two words, by 32-bit atomics. Whatever
 * counts, by whichever command or call, carries once and at the right time.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"
#include "support/seed.h"

#include <murmuration/multi.h>

enum { MOST = 300, CLAIMED = 0x01010101 };

GPU_SPIRV(failures_address_32_spv);
GPU_SPIRV(failures_address_64_spv);
GPU_SPIRV(failures_buffer_32_spv);
GPU_SPIRV(failures_buffer_64_spv);
GPU_SPIRV(failures_combined_spv);

typedef enum Inserter { BY_BATCH, BY_MULTI_BATCH, BY_MERGE, BY_SHADER, BY_SHADER_BOUND } Inserter;

static const char *const inserters[] = {"batch", "batch of many values", "merge", "shader",
                                        "shader, bound buffer"};

typedef struct Path {
    Layout layout;
    Inserter inserter;
    Way way;
} Path;

static const TableKind *kind_of(const Path *path) {
    return layout_kind(path->layout, path->inserter == BY_MULTI_BATCH);
}

typedef struct Run {
    Gpu *gpu;
    const Path *path;
    MurTable table, source; /* source: of merges */
    GpuBuffer keys, values, scratch;
    GpuKernel kernel;
} Run;

static bool counts_refused(const Path *path) {
    return !kind_is_set(kind_of(path)) && path->inserter != BY_MERGE;
}

/* ---- Inserts of which each fails ------------------------------------------------------------- */

static void insert_batch(Run *run, uint32_t count, uint32_t valueWord) {
    const Path *path = run->path;
    const bool multi = path->inserter == BY_MULTI_BATCH;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < 2 * MOST; ++i) { /* two words a key or a value at most */
        keys[i] = multi ? 7 : i;
        values[i] = valueWord;
    }
    MurBatch batch = {.maxCount = count, .keys = gpu_array(&run->keys)};
    if (!kind_is_set(kind_of(path))) {
        batch.values = gpu_array(&run->values);
    }
    if (path->way == WAY_SLICES) {
        batch.flags = MUR_BATCH_EXCLUSIVE;
    }
    if (path->way != WAY_DIRECT) {
        batch.scratch = gpu_array(&run->scratch);
        const VkDeviceSize size = murGetScratchSize(run->table, MUR_COMMAND_INSERT, MUR_MODE_KEEP,
                                                    &batch);
        assert_in_range(size, 1, run->scratch.size);
    }
    gpu_require(multi ? murCmdMultiInsert(run->gpu->cmd, run->table, &batch)
                      : murCmdInsert(run->gpu->cmd, run->table, MUR_MODE_KEEP, &batch));
}

static void merge(Run *run, uint32_t count) {
    Gpu *gpu = run->gpu;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = i;
        values[i] = 1;
    }
    const MurBatch batch = {
        .maxCount = count, .keys = gpu_array(&run->keys), .values = gpu_array(&run->values)};
    gpu_require(murCmdClear(gpu->cmd, run->source));
    murCmdBarrier(gpu->cmd, run->source);
    gpu_require(murCmdInsert(gpu->cmd, run->source, MUR_MODE_KEEP, &batch));
    murCmdBarrier(gpu->cmd, run->source);
    gpu_require(murCmdMerge(gpu->cmd, run->source, run->table, MUR_MODE_KEEP, NULL));
}

static void insert(Run *run, uint32_t count, bool refused) {
    const uint32_t value = refused ? UINT32_MAX : 1;
    const struct {
        MurTableRef table;
        uint32_t count, value;
    } push = {murGetTableRef(run->table), count, value};
    gpu_begin(run->gpu);
    switch (run->path->inserter) {
    case BY_BATCH:
    case BY_MULTI_BATCH:
        insert_batch(run, count, value);
        break;
    case BY_MERGE:
        merge(run, count);
        break;
    default:
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
    const bool multi = path->inserter == BY_MULTI_BATCH;
    MurTableCreateInfo info = kind_info(kind_of(path), path->way == WAY_SLICES ? 2048 : 64);
    const bool merges = path->inserter == BY_MERGE;
    if (path->way != WAY_DIRECT) {
        info.uses[0] = murUseScratch();
    } else if (multi || merges) {
        info.uses[0] = multi ? murUseMulti() : murUseRehash();
    }
    const MurTableCreateInfo sourceInfo = {.capacity = 2 * MOST, .uses = {murUseRehash()}};
    Run run = {.gpu = gpu,
               .path = path,
               .table = gpu_table(gpu, &info),
               .source = merges ? gpu_table(gpu, &sourceInfo) : NULL,
               .keys = gpu_buffer(gpu, 8 * MOST),
               .values = gpu_buffer(gpu, 8 * MOST),
               .scratch = gpu_buffer(gpu, 1 << 20)};
    print_message("  %s, %s\n", kind_of(path)->name, inserters[path->inserter]);
    open_kernel(&run);
    gpu_take(gpu, path->way);
    fill(&run);
    carry_once(&run, false);
    if (counts_refused(path)) {
        carry_once(&run, true);
    }
    gpu_take(gpu, WAY_DEFAULT);
    gpu_free(gpu, &run.keys);
    gpu_free(gpu, &run.values);
    gpu_free(gpu, &run.scratch);
    murDestroyTable(run.source);
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
        run_paths(gpu, &(const Path){layout, BY_BATCH, WAY_DIRECT}, 1);
    }
}

GPU_TEST(sliced_batches_carry) {
    static const Path paths[] = {{LAYOUT_k32v32_32, BY_BATCH, WAY_SLICES},
                                 {LAYOUT_k32v32_64, BY_BATCH, WAY_SLICES}};
    run_paths(gpu, paths, test_full() ? 2 : 1);
}

GPU_TEST(batches_of_many_values_carry) {
    static const Path paths[] = {{LAYOUT_k64v32_32, BY_MULTI_BATCH, WAY_DIRECT},
                                 {LAYOUT_k64v32_64, BY_MULTI_BATCH, WAY_DIRECT}};
    run_paths(gpu, paths, test_full() ? 2 : 1);
}

GPU_TEST(merges_carry) {
    run_paths(gpu, &(const Path){LAYOUT_k32v32_32, BY_MERGE, WAY_DIRECT}, 1);
}

GPU_TEST(shaders_carry) {
    static const Path paths[] = {{LAYOUT_k32v32_32, BY_SHADER, WAY_DIRECT},
                                 {LAYOUT_k32v32_64, BY_SHADER_BOUND, WAY_DIRECT},
                                 {LAYOUT_k32v32_64, BY_SHADER, WAY_DIRECT},
                                 {LAYOUT_k32v32_32, BY_SHADER_BOUND, WAY_DIRECT}};
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
