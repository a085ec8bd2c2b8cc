/* Tests of table creation: required features of the context, pipelines, memory of the engine.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <murmuration/host.h>
#include <murmuration/multi.h>

#include <string.h>

IDLE_CASE(pipelines_of_bad_arguments_are_rejected) {
    const MurContext context = observed->context;
    const MurTableCreateInfo info = {.capacity = 10};
    const uint32_t count = murGetPipelineCount(context, &info);
    assert_true(count >= 7);
    expect_refused(observed, murPreparePipeline(context, &info, count), "index");
    expect_refused(observed, murPreparePipeline(context, NULL, 0), "pCreateInfo");
    expect_refused(observed, murPreparePipeline(NULL, &info, 0), NULL);
    assert_int_equal(murGetPipelineCount(NULL, &info), 0);
    assert_int_equal(observed->log.errors, 0);
    assert_int_equal(murGetPipelineCount(context, NULL), 0);
    assert_int_equal(observed->log.errors, 1);
}

GPU_TEST(wide_tables_need_the_feature) {
    Observed observed;
    MurContextCreateInfo contextInfo = observe(&observed, gpu);
    contextInfo.enabledFeatures = MUR_FEATURE_BUFFER_DEVICE_ADDRESS;
    interpose_empty_shaders();
    gpu_require(murCreateContext(&contextInfo, &observed.context));
    MurTableCreateInfo info = {.capacity = 10, .atomicWidth = MUR_ATOMIC_WIDTH_64};
    MurTable table;
    expect_error(&observed, murCreateTable(observed.context, &info, &table), MUR_ERROR_UNSUPPORTED,
                 "atomicWidth", "table");
    assert_null(table);
    expect_error(&observed, murPreparePipelines(observed.context, &info), MUR_ERROR_UNSUPPORTED,
                 "atomicWidth", "pipelines");
    info.atomicWidth = MUR_ATOMIC_WIDTH_DEFAULT; /* 32 in this context */
    gpu_require(murCreateTable(observed.context, &info, &table));
    assert_int_equal(murGetTableRef(table).flags & MUR_TABLE_INT64, 0);
    murDestroyTable(table);
    observe_close(&observed);
}

/* A context can create tables of every type. Types for tables in host memory have no kernels:
 * creation rejects them, and the error names the type. */
IDLE_CASE(context_creates_tables_of_every_type) {
    static const struct {
        MurType (*type)(void), (*host)(void);
        uint32_t pipelines;
        const char *name;
    } types[] = {{murTypeK32V32, murHostTypeK32V32, 7, "murTypeK32V32()"},
                 {murTypeK64V32, murHostTypeK64V32, 7, "murTypeK64V32()"},
                 {murTypeK64V64, murHostTypeK64V64, 7, "murTypeK64V64()"},
                 {murTypeK32, murHostTypeK32, 7, "murTypeK32()"},
                 {murTypeK64, murHostTypeK64, 7, "murTypeK64()"},
                 {murTypeBucketsK32V32, murHostTypeBucketsK32V32, 9, "murTypeBucketsK32V32()"},
                 {murTypeBucketsK64V32, murHostTypeBucketsK64V32, 9, "murTypeBucketsK64V32()"},
                 {murTypeBucketsK32, murHostTypeBucketsK32, 9, "murTypeBucketsK32()"},
                 {murTypeBucketsK64, murHostTypeBucketsK64, 9, "murTypeBucketsK64()"},
                 {murTypeMultiK32, murHostTypeMultiK32, 13, "murTypeMultiK32()"},
                 {murTypeMultiK64, murHostTypeMultiK64, 13, "murTypeMultiK64()"},
                 {murTypeRows, murHostTypeRows, 6, "murTypeRows()"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        MurTableCreateInfo info = {
            .capacity = 10, .type = types[i].host(), .emptyValue = MUR_EMPTY_VALUE_ZERO};
        const uint32_t format = type_format(info.type);
        MurTable table;
        if (format < MUR_FORMAT_COUNT && !gpu_offers(gpu, format, MUR_ATOMIC_WIDTH_DEFAULT)) {
            continue;
        }
        expect_refused(observed, murCreateTable(observed->context, &info, &table), types[i].name);
        info.type = types[i].type();
        assert_int_equal(murGetPipelineCount(observed->context, &info), types[i].pipelines);
        gpu_require(murCreateTable(observed->context, &info, &table));
        const uint32_t flags = murGetTableRef(table).flags;
        const bool zero = (flags & MUR_TABLE_ZERO) != 0;
        assert_int_equal(MUR_TABLE_FORMAT(flags), format);
        assert_int_equal(zero, !MUR_IS_SET(format)); /* sets have no empty value */
        murDestroyTable(table);
    }
}

/* Without a type, a table has 32-bit keys and values, and the pipelines of murTypeK32V32(). */
IDLE_CASE(tables_without_a_type_are_of_k32v32) {
    MurTableCreateInfo info = {.capacity = 10};
    MurTable tables[2];
    assert_int_equal(murGetPipelineCount(observed->context, &info), 7);
    gpu_require(murCreateTable(observed->context, &info, &tables[0]));
    assert_int_equal(interpose_calls(ON_vkCreateComputePipelines), 7);
    info.type = murTypeK32V32();
    gpu_require(murCreateTable(observed->context, &info, &tables[1]));
    assert_int_equal(interpose_calls(ON_vkCreateComputePipelines), 7);
    assert_int_equal(murGetTableRef(tables[0]).flags, murGetTableRef(tables[1]).flags);
    murDestroyTable(tables[0]);
    murDestroyTable(tables[1]);
}

IDLE_CASE(destroying_a_table_keeps_engine_memory) {
    MurTableCreateInfo info = {.capacity = 1000};
    MurTableRequirements needed;
    gpu_require(murGetTableRequirements(observed->context, &info, &needed));
    GpuBuffer buffer = gpu_device_buffer(gpu, 1024 + needed.size);
    info.memory = (MurBufferRange){buffer.buffer, 1024, VK_WHOLE_SIZE};
    MurTable table;
    gpu_require(murCreateTable(observed->context, &info, &table));
    const MurBufferRange memory = murGetTableMemory(table);
    assert_true(memory.buffer == buffer.buffer);
    assert_int_equal(memory.offset, 1024);
    assert_int_equal(memory.size, needed.size);
    assert_int_equal(murGetTableRef(table).address, buffer.address + 1024);
    assert_int_equal(interpose_calls(ON_vkCreateBuffer), 0);
    assert_int_equal(interpose_calls(ON_vkAllocateMemory), 0);
    murDestroyTable(table);
    assert_int_equal(interpose_calls(ON_vkDestroyBuffer), 0);
    assert_int_equal(interpose_calls(ON_vkFreeMemory), 0);
    gpu_free(gpu, &buffer);
}
