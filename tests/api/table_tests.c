/* Tables: required features of the context, pipelines, memory of the engine.
 *
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

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
    info.atomicWidth = MUR_ATOMIC_WIDTH_DEFAULT; /* the default is then 32 */
    gpu_require(murCreateTable(observed.context, &info, &table));
    assert_int_equal(murGetTableRef(table).flags & MUR_TABLE_INT64, 0);
    murDestroyTable(table);
    observe_close(&observed);
}

/* The code of K32V32 is always linked, that of other types on request. Linear and bucketed tables
 * have different code. A rejection names the function. */
GPU_TEST(tables_require_types_of_the_context) {
    static const struct {
        MurFormat format;
        uint32_t flags;
        MurFormatCode (*code)(void);
        const char *name;
    } types[] = {{MUR_FORMAT_K64V32, 0, murFormatK64V32, "murFormatK64V32()"},
                 {MUR_FORMAT_K64V64, 0, murFormatK64V64, "murFormatK64V64()"},
                 {MUR_FORMAT_K32, 0, murFormatK32, "murFormatK32()"},
                 {MUR_FORMAT_K64, 0, murFormatK64, "murFormatK64()"},
                 {MUR_FORMAT_K32V32, MUR_TABLE_BUCKETS, murBucketsK32V32, "murBucketsK32V32"},
                 {MUR_FORMAT_K64V32, MUR_TABLE_BUCKETS, murBucketsK64V32, "murBucketsK64V32"},
                 {MUR_FORMAT_K32, MUR_TABLE_BUCKETS, murBucketsK32, "murBucketsK32"},
                 {MUR_FORMAT_K64, MUR_TABLE_BUCKETS, murBucketsK64, "murBucketsK64"},
                 {MUR_FORMAT_R32, 0, murFormatR32, "murFormatR32"}};
    enum { TYPES = sizeof types / sizeof types[0], NONE = TYPES, LINEAR = 4 };
    for (size_t with = 0; with <= NONE; ++with) {
        Observed observed;
        MurContextCreateInfo contextInfo = observe(&observed, gpu);
        memset(contextInfo.formats, 0, sizeof contextInfo.formats);
        contextInfo.formats[0] = with < NONE ? types[with].code() : NULL;
        interpose_empty_shaders();
        gpu_require(murCreateContext(&contextInfo, &observed.context));
        MurTable table;
        for (size_t i = 0; i < TYPES; ++i) {
            const MurTableCreateInfo info = {.capacity = 10,
                                             .format = types[i].format,
                                             .emptyValue = MUR_EMPTY_VALUE_ZERO,
                                             .flags = types[i].flags};
            if (!gpu_offers(gpu, info.format, MUR_ATOMIC_WIDTH_DEFAULT)) {
                continue;
            }
            if (i != with) {
                expect_refused(&observed, murCreateTable(observed.context, &info, &table),
                               types[i].name);
                continue;
            }
            gpu_require(murCreateTable(observed.context, &info, &table));
            const bool zero = (murGetTableRef(table).flags & MUR_TABLE_ZERO) != 0;
            assert_true(i >= LINEAR || murGetPipelineCount(observed.context, &info) == 7);
            assert_true(i >= LINEAR || zero == !MUR_IS_SET(info.format)); /* not for sets */
            murDestroyTable(table);
        }
        const MurTableCreateInfo info = {.capacity = 10};
        gpu_require(murCreateTable(observed.context, &info, &table));
        murDestroyTable(table);
        observe_close(&observed);
    }
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
