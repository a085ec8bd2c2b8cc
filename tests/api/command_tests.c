/* Commands: every bad argument is refused by name with nothing recorded; what good ones record.
 *
 * SPDX-License-Identifier: MIT */
#include "api.h"

#include <string.h>

GPU_SPIRV(api_store_spv);

enum { COUNT = 100 };

/* A valid batch to spoil, and what a refused command must leave alone. */
typedef struct Bench {
    Observed observed;
    Gpu *gpu;
    GpuBuffer buffer;
    MurTable max, zero; /* by reserved value */
    MurBatch batch;
    MurExtract extract;
} Bench;

static MurArray array_at(const Bench *bench, uint32_t which) {
    return gpu_part(&bench->buffer, which * COUNT, COUNT);
}

static void bench_open(Bench *bench, Gpu *gpu) {
    memset(bench, 0, sizeof *bench);
    observe_open_idle(&bench->observed, gpu);
    bench->gpu = gpu;
    bench->buffer = gpu_buffer(gpu, 4 * COUNT * 7);
    MurTableCreateInfo info = {.capacity = COUNT};
    gpu_require(murCreateTable(bench->observed.context, &info, &bench->max));
    info.reservedValue = MUR_RESERVED_VALUE_ZERO;
    gpu_require(murCreateTable(bench->observed.context, &info, &bench->zero));
    bench->batch = (MurBatch){
        .maxCount = COUNT,
        .keys = array_at(bench, 0),
        .values = array_at(bench, 1),
        .statuses = array_at(bench, 2),
        .slots = array_at(bench, 3),
    };
    bench->extract = (MurExtract){
        .maxCount = COUNT,
        .countAddress = array_at(bench, 4).address,
        .keys = array_at(bench, 0),
        .values = array_at(bench, 1),
        .slots = array_at(bench, 2),
    };
    log_book_clear(&bench->observed.log);
    gpu_begin(gpu);
}

static void bench_close(Bench *bench) {
    gpu_submit(bench->gpu);
    murDestroyTable(bench->max);
    murDestroyTable(bench->zero);
    gpu_free(bench->gpu, &bench->buffer);
    observe_close(&bench->observed);
}

#define BENCH_CASE(name) GPU_CASE(name, Bench, bench, bench_open, bench_close)

static void refuse(Bench *bench, VkResult result, const char *text, const char *what) {
    expect_error(&bench->observed, result, MUR_ERROR_INVALID_ARGUMENT, text, what);
    if (interpose_recorded() != 0) {
        fail_msg("%s: %u calls were recorded", what, interpose_recorded());
    }
}

typedef VkResult Command(VkCommandBuffer cmd, MurTable table, const MurBatch *batch);

static VkResult insert(VkCommandBuffer cmd, MurTable table, const MurBatch *batch) {
    return murCmdInsert(cmd, table, MUR_MODE_KEEP, batch);
}

/* One array of the batch made wrong in each way. */
static void refuse_array(Bench *bench, Command *command, MurArray *array, bool required,
                         const char *name) {
    VkCommandBuffer cmd = bench->gpu->cmd;
    const MurArray good = *array;
    for (uint32_t bytes = 1; bytes < 4; ++bytes) {
        *array = (MurArray){good.address + bytes, good.size};
        refuse(bench, command(cmd, bench->max, &bench->batch), name, "misaligned");
    }
    const VkDeviceSize sizes[] = {0, 3, 4, good.size - 4, good.size - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        *array = (MurArray){good.address, sizes[i]};
        refuse(bench, command(cmd, bench->max, &bench->batch), name, "short");
    }
    if (required) {
        *array = (MurArray){0, good.size};
        refuse(bench, command(cmd, bench->max, &bench->batch), name, "missing");
    }
    *array = good;
}

static void refuse_batches(Gpu *gpu, Command *command, bool valuesRequired, const char *name) {
    Bench bench;
    bench_open(&bench, gpu);
    MurBatch *batch = &bench.batch;
    refuse(&bench, command(NULL, bench.max, batch), "cmd", name);
    refuse(&bench, command(gpu->cmd, NULL, batch), NULL, name); /* nowhere to log to */
    refuse(&bench, command(gpu->cmd, bench.max, NULL), "pBatch", name);
    batch->pNext = batch;
    refuse(&bench, command(gpu->cmd, bench.max, batch), "pNext", name);
    batch->pNext = NULL;
    for (uint32_t bytes = 1; bytes < 4; ++bytes) {
        batch->countAddress = bench.extract.countAddress + bytes;
        refuse(&bench, command(gpu->cmd, bench.max, batch), "count", name);
    }
    batch->countAddress = 0;
    refuse_array(&bench, command, &batch->keys, true, "keys");
    refuse_array(&bench, command, &batch->values, valuesRequired, "values");
    refuse_array(&bench, command, &batch->statuses, false, "statuses");
    refuse_array(&bench, command, &batch->slots, false, "slots");
    batch->statusBits = array_at(&bench, 5);
    batch->statusBits.size = 16;
    refuse_array(&bench, command, &batch->statusBits, false, "statusBits");
    batch->oldValues = array_at(&bench, 6);
    if (valuesRequired) {
        refuse_array(&bench, command, &batch->oldValues, false, "oldValues");
    } else {
        refuse(&bench, command(gpu->cmd, bench.max, batch), "oldValues must be none", name);
    }
    bench_close(&bench);
}

GPU_TEST(bad_inserts_record_nothing) {
    refuse_batches(gpu, insert, true, "murCmdInsert");
}

GPU_TEST(bad_finds_record_nothing) {
    refuse_batches(gpu, murCmdFind, false, "murCmdFind");
}

GPU_TEST(bad_erasures_record_nothing) {
    refuse_batches(gpu, murCmdErase, false, "murCmdErase");
}

/* Keys of 64 bits at multiples of 8; scratch memory at those of 16, below the last address. */
BENCH_CASE(wide_elements_are_aligned_to_their_size) {
    const MurTableCreateInfo info = {.capacity = COUNT, .format = MUR_FORMAT_K64V32};
    MurTable table;
    gpu_require(murCreateTable(bench->observed.context, &info, &table));
    log_book_clear(&bench->observed.log);
    const MurArray keys = gpu_part(&bench->buffer, 0, COUNT);
    const MurBatch batch = {.maxCount = COUNT / 4, .keys = keys, .values = array_at(bench, 2)};
    MurBatch wrong = batch;
    wrong.keys = (MurArray){keys.address + 4, keys.size - 4};
    refuse(bench, insert(bench->gpu->cmd, table, &wrong), "keys", "keys at 4");
    wrong = batch;
    wrong.scratch = (MurArray){array_at(bench, 3).address / 16 * 16 + 8, 64};
    refuse(bench, insert(bench->gpu->cmd, table, &wrong), "scratch", "scratch memory at 8");
    wrong.scratch = (MurArray){0 - 32ull, 33};
    refuse(bench, insert(bench->gpu->cmd, table, &wrong), "last address", "scratch memory's end");
    murDestroyTable(table);
}

BENCH_CASE(a_find_needs_somewhere_to_put_its_answer) {
    const MurArray none = {0, 0};
    bench->batch.values = bench->batch.statuses = bench->batch.slots = none;
    refuse(bench, murCmdFind(bench->gpu->cmd, bench->max, &bench->batch), "values", "murCmdFind");
}

BENCH_CASE(modes_that_a_table_does_not_offer_are_refused) {
    VkCommandBuffer cmd = bench->gpu->cmd;
    const int max[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR, 7, -1, INT32_MAX};
    const int zero[] = {MUR_MODE_MIN, 7, -1, INT32_MIN};
    for (size_t i = 0; i < sizeof max / sizeof max[0]; ++i) {
        refuse(bench, murCmdInsert(cmd, bench->max, (MurInsertMode)max[i], &bench->batch), "mode",
               "reserved value 0xFFFFFFFF");
    }
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; ++i) {
        refuse(bench, murCmdInsert(cmd, bench->zero, (MurInsertMode)zero[i], &bench->batch), "mode",
               "reserved value 0");
    }
    refuse(bench, murCmdBuild(cmd, bench->max, MUR_MODE_UPDATE, &bench->batch), "MUR_MODE_UPDATE",
           "murCmdBuild");
}

static void refuse_extract_array(Bench *bench, MurArray *array, const char *name) {
    const MurArray good = *array;
    *array = (MurArray){good.address + 2, good.size};
    refuse(bench, murCmdExtract(bench->gpu->cmd, bench->max, &bench->extract), name, "misaligned");
    *array = (MurArray){good.address, good.size - 1};
    refuse(bench, murCmdExtract(bench->gpu->cmd, bench->max, &bench->extract), name, "short");
    *array = good;
}

BENCH_CASE(bad_extractions_record_nothing) {
    VkCommandBuffer cmd = bench->gpu->cmd;
    MurExtract *extract = &bench->extract;
    const char *name = "murCmdExtract";
    refuse(bench, murCmdExtract(NULL, bench->max, extract), "cmd", name);
    refuse(bench, murCmdExtract(cmd, NULL, extract), NULL, name);
    refuse(bench, murCmdExtract(cmd, bench->max, NULL), "pExtract", name);
    extract->pNext = extract;
    refuse(bench, murCmdExtract(cmd, bench->max, extract), "pNext", name);
    extract->pNext = NULL;
    const VkDeviceAddress count = extract->countAddress;
    extract->countAddress = 0;
    refuse(bench, murCmdExtract(cmd, bench->max, extract), "count", name);
    extract->countAddress = count + 1;
    refuse(bench, murCmdExtract(cmd, bench->max, extract), "count", name);
    extract->countAddress = count;
    const int compares[] = {-1, MUR_COMPARE_GREATER_EQUAL + 1, INT32_MAX};
    for (size_t i = 0; i < 3; ++i) {
        extract->predicates[i].compare = (uint32_t)compares[i];
        refuse(bench, murCmdExtract(cmd, bench->max, extract), ".compare", name);
        extract->predicates[i].compare = MUR_COMPARE_ALWAYS;
    }
    const uint32_t words[] = {MUR_PREDICATE_KEY_HIGH, MUR_PREDICATE_INDEX, MUR_PREDICATE_INDEX + 1,
                              UINT32_MAX};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        const size_t at = i % MUR_MAX_PREDICATES;
        extract->predicates[at] = (MurPredicate){.word = words[i], .compare = MUR_COMPARE_EQUAL};
        refuse(bench, murCmdExtract(cmd, bench->max, extract), ".word", name);
        extract->predicates[at].word = MUR_PREDICATE_KEY_LOW;
    }
    refuse_extract_array(bench, &extract->keys, "keys");
    refuse_extract_array(bench, &extract->values, "values");
    refuse_extract_array(bench, &extract->slots, "slots");
}

BENCH_CASE(bad_statistics_record_nothing) {
    VkCommandBuffer cmd = bench->gpu->cmd;
    const MurArray good = {bench->buffer.address, sizeof(MurStats)};
    const char *name = "murCmdStats";
    refuse(bench, murCmdStats(NULL, bench->max, good), "cmd", name);
    refuse(bench, murCmdStats(cmd, NULL, good), NULL, name);
    refuse(bench, murCmdStats(cmd, bench->max, (MurArray){0, good.size}), "stats", name);
    refuse(bench, murCmdStats(cmd, bench->max, (MurArray){good.address + 1, good.size}), "stats",
           name);
    refuse(bench, murCmdStats(cmd, bench->max, (MurArray){good.address, good.size - 1}), "stats",
           name);
}

BENCH_CASE(bad_clears_and_barriers_record_nothing) {
    refuse(bench, murCmdClear(NULL, bench->max), "cmd", "murCmdClear");
    refuse(bench, murCmdClear(bench->gpu->cmd, NULL), NULL, "murCmdClear");
    refuse(bench, murCmdBarrier(NULL, bench->max), "cmd", "murCmdBarrier");
    refuse(bench, murCmdBarrier(bench->gpu->cmd, NULL), NULL, "murCmdBarrier");
}

BENCH_CASE(no_items_record_nothing) {
    const MurBatch none = {0};
    gpu_require(insert(bench->gpu->cmd, bench->max, &none));
    gpu_require(murCmdFind(bench->gpu->cmd, bench->max, &none));
    gpu_require(murCmdErase(bench->gpu->cmd, bench->max, &none));
    bench->batch.maxCount = 0;
    gpu_require(insert(bench->gpu->cmd, bench->max, &bench->batch));
    assert_int_equal(interpose_recorded(), 0);
    assert_int_equal(bench->observed.log.errors, 0);
}

/* Longer arrays than needed are fine, up to the longest that can be said. */
BENCH_CASE(long_arrays_are_taken) {
    bench->batch.keys.size = 0 - bench->batch.keys.address;
    bench->batch.values.size = 0 - bench->batch.values.address;
    gpu_require(murCmdClear(bench->gpu->cmd, bench->max));
    gpu_require(murCmdBarrier(bench->gpu->cmd, bench->max));
    gpu_require(insert(bench->gpu->cmd, bench->max, &bench->batch));
}

/* One after another, each command's own calls. */
static void expect_recorded(uint32_t *dispatches, uint32_t *barriers, uint32_t newDispatches,
                            uint32_t newBarriers) {
    *dispatches += newDispatches;
    *barriers += newBarriers;
    assert_int_equal(interpose_calls(ON_vkCmdDispatch), *dispatches);
    assert_int_equal(interpose_calls(ON_vkCmdPipelineBarrier), *barriers);
    assert_int_equal(interpose_calls(ON_vkCmdBindPipeline), *dispatches);
    assert_int_equal(interpose_calls(ON_vkCmdPushConstants), *dispatches);
}

BENCH_CASE(commands_record_what_the_header_says) {
    VkCommandBuffer cmd = bench->gpu->cmd;
    uint32_t dispatches = 0, barriers = 0;
    gpu_require(murCmdClear(cmd, bench->max));
    expect_recorded(&dispatches, &barriers, 1, 0);
    gpu_require(murCmdBarrier(cmd, bench->max));
    expect_recorded(&dispatches, &barriers, 0, 1);
    gpu_require(insert(cmd, bench->max, &bench->batch));
    expect_recorded(&dispatches, &barriers, 1, 0);
    gpu_barrier(bench->gpu); /* the program's own: not through the library */
    gpu_require(murCmdFind(cmd, bench->max, &bench->batch));
    expect_recorded(&dispatches, &barriers, 1, 0);
    gpu_barrier(bench->gpu);
    gpu_require(murCmdErase(cmd, bench->max, &bench->batch));
    expect_recorded(&dispatches, &barriers, 1, 0);
    gpu_barrier(bench->gpu);
    gpu_require(murCmdExtract(cmd, bench->max, &bench->extract));
    expect_recorded(&dispatches, &barriers, 2, 1);
    gpu_barrier(bench->gpu);
    gpu_require(murCmdStats(cmd, bench->max, array_at(bench, 0)));
    expect_recorded(&dispatches, &barriers, 2, 1);
}

/* An engine binds its sets once a frame: commands between its dispatches leave them bound. */
BENCH_CASE(descriptor_sets_stay_bound) {
    VkCommandBuffer cmd = gpu->cmd;
    GpuBuffer words = gpu_buffer(gpu, 4 * 6);
    memset(words.mapped, 0, 4 * 6);
    GpuKernel kernel = gpu_kernel(gpu, api_store_spv, api_store_spv_size, 8, 1);
    gpu_bind(gpu, &kernel, 0, (MurBufferRange){words.buffer, 0, words.size});
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &kernel.set,
                            0, NULL);
    gpu_require(murCmdClear(cmd, bench->max));
    for (uint32_t i = 0; i < 6; ++i) {
        const uint32_t push[] = {i, 100 + i};
        gpu_barrier(gpu);
        gpu_require(i % 2 ? murCmdStats(cmd, bench->max, array_at(bench, 0))
                          : insert(cmd, bench->max, &bench->batch));
        gpu_barrier(gpu);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
        vkCmdPushConstants(cmd, kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, push);
        vkCmdDispatch(cmd, 1, 1, 1);
    }
    gpu_submit(gpu);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_int_equal(((const uint32_t *)words.mapped)[i], 100 + i);
    }
    gpu_free(gpu, &words);
    gpu_begin(gpu);
}

BENCH_CASE(recording_allocates_nothing) {
    VkCommandBuffer cmd = bench->gpu->cmd;
    uint32_t allocations = bench->observed.memory.calls;
    int objects = interpose_objects();
    uint32_t pipelines = interpose_calls(ON_vkCreateComputePipelines);
    for (uint32_t i = 0; i < 100; ++i) {
        gpu_require(murCmdClear(cmd, bench->max));
        gpu_barrier(bench->gpu);
        gpu_require(insert(cmd, bench->max, &bench->batch));
        gpu_barrier(bench->gpu);
        gpu_require(murCmdFind(cmd, bench->max, &bench->batch));
        gpu_barrier(bench->gpu);
        gpu_require(murCmdErase(cmd, bench->max, &bench->batch));
        gpu_barrier(bench->gpu);
        gpu_require(murCmdExtract(cmd, bench->max, &bench->extract));
        gpu_barrier(bench->gpu);
        gpu_require(murCmdStats(cmd, bench->max, array_at(bench, 0)));
        gpu_barrier(bench->gpu);
    }
    assert_int_equal(bench->observed.memory.calls, allocations);
    assert_int_equal(interpose_objects(), objects);
    assert_int_equal(interpose_calls(ON_vkCreateComputePipelines), pipelines);
}
