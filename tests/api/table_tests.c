/* Tables: bad descriptions and bad memory.
 *
 * SPDX-License-Identifier: MIT */
#include "api.h"

#include <stdio.h>
#include <string.h>

static const VkBaseInStructure extension_struct;

/* Refused by all that take descriptions; preparation does not look at the size. */
static void refuse_description(Observed *observed, const MurTableCreateInfo *info,
                               VkResult expected, const char *text) {
    MurTable table = (MurTable)(uintptr_t)1;
    MurTableRequirements requirements = {.slotCount = 77};
    VkResult result = murCreateTable(observed->context, info, &table);
    expect_error(observed, result, expected, text, "creation");
    assert_null(table);
    result = murGetTableRequirements(observed->context, info, &requirements);
    expect_error(observed, result, expected, text, "requirements");
    assert_int_equal(requirements.slotCount, 77);
    if (strcmp(text, "capacity") != 0) {
        result = murPreparePipelines(observed->context, info);
        expect_error(observed, result, expected, text, "preparation");
    }
}

IDLE_CASE(bad_descriptions_are_refused) {
    const VkResult bad = MUR_ERROR_INVALID_ARGUMENT;
    const struct {
        MurTableCreateInfo info;
        VkResult expected;
        const char *text;
    } cases[] = {
        {{.capacity = 10, .pNext = &extension_struct}, bad, "pNext"},
        {{.capacity = 0}, bad, "capacity"},
        {{.capacity = 1ull << 32}, MUR_ERROR_TOO_LARGE, "capacity"},
        {{.capacity = 10, .reservedValue = (MurReservedValue)2}, bad, "reservedValue"},
        {{.capacity = 10, .reservedValue = (MurReservedValue)-1}, bad, "reservedValue"},
        {{.capacity = 10, .atomicWidth = (MurAtomicWidth)16}, bad, "atomicWidth"},
        {{.capacity = 10, .atomicWidth = (MurAtomicWidth)128}, bad, "atomicWidth"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        refuse_description(observed, &cases[i].info, cases[i].expected, cases[i].text);
    }
    assert_int_equal(interpose_objects(), 1); /* the pipeline layout */
    assert_int_equal(interpose_calls(ON_vkCreateComputePipelines), 0);
}

IDLE_CASE(a_use_is_named_once) {
    const MurTableCreateInfo infos[] = {
        {.capacity = 10, .uses = {murUseScratch(), murUseScratch()}},
        {.capacity = 10, .uses = {murUseBuild(), murUseRehash(), murUseBuild()}},
    };
    for (size_t i = 0; i < sizeof infos / sizeof infos[0]; ++i) {
        expect_refused(observed, murPreparePipelines(observed->context, &infos[i]), "are the same");
    }
}

IDLE_CASE(null_arguments_are_named) {
    MurContext context = observed->context;
    const MurTableCreateInfo info = {.capacity = 10};
    MurTable table = (MurTable)(uintptr_t)1;
    MurTableRequirements requirements;
    expect_refused(observed, murCreateTable(context, NULL, &table), "pCreateInfo");
    assert_null(table);
    expect_refused(observed, murCreateTable(context, &info, NULL), "pTable");
    expect_refused(observed, murPreparePipelines(context, NULL), "pCreateInfo");
    expect_refused(observed, murPreparePipeline(context, NULL, 0), "pCreateInfo");
    expect_refused(observed, murPreparePipeline(NULL, &info, 0), NULL);
    const uint32_t count = murGetPipelineCount(context, &info);
    assert_true(count >= 7);
    expect_refused(observed, murPreparePipeline(context, &info, count), "index");
    assert_int_equal(murGetPipelineCount(NULL, &info), 0);
    assert_int_equal(observed->log.errors, 0);
    assert_int_equal(murGetPipelineCount(context, NULL), 0);
    assert_int_equal(observed->log.errors, 1);
    log_book_clear(&observed->log);
    expect_refused(observed, murGetTableRequirements(context, NULL, &requirements), "pCreateInfo");
    expect_refused(observed, murGetTableRequirements(context, &info, NULL), "pRequirements");
    /* Without a context there is no log. */
    table = (MurTable)(uintptr_t)1;
    expect_refused(observed, murCreateTable(NULL, &info, &table), NULL);
    assert_null(table);
    expect_refused(observed, murPreparePipelines(NULL, &info), NULL);
    expect_refused(observed, murGetTableRequirements(NULL, &info, &requirements), NULL);
    assert_int_equal(interpose_objects(), 1);
}

PLAIN_TEST(a_null_table_has_an_empty_reference) {
    const MurTableRef ref = murGetTableRef(NULL);
    const MurBufferRange memory = murGetTableMemory(NULL);
    assert_int_equal(ref.address, 0);
    assert_int_equal(ref.slotCount, 0);
    assert_true(memory.buffer == VK_NULL_HANDLE);
    assert_int_equal(memory.size, 0);
}

GPU_TEST(wide_tables_need_the_feature) {
    Observed observed;
    MurContextCreateInfo contextInfo = observe(&observed, gpu);
    contextInfo.enabledFeatures = 0;
    interpose_empty_shaders();
    gpu_require(murCreateContext(&contextInfo, &observed.context));
    MurTableCreateInfo info = {.capacity = 10, .atomicWidth = MUR_ATOMIC_WIDTH_64};
    MurTable table;
    expect_error(&observed, murCreateTable(observed.context, &info, &table), MUR_ERROR_UNSUPPORTED,
                 "atomicWidth", "table");
    assert_null(table);
    expect_error(&observed, murPreparePipelines(observed.context, &info), MUR_ERROR_UNSUPPORTED,
                 "atomicWidth", "pipelines");
    info.atomicWidth = MUR_ATOMIC_WIDTH_DEFAULT; /* then means 32 */
    gpu_require(murCreateTable(observed.context, &info, &table));
    assert_int_equal(murGetTableRef(table).flags & MUR_TABLE_INT64, 0);
    murDestroyTable(table);
    observe_close(&observed);
}

/* K32V32's code is always there; that of other formats, if the context says so. */
GPU_TEST(formats_are_those_of_the_context) {
    static const struct {
        MurFormat format;
        MurFormatCode (*code)(void);
        const char *name;
    } formats[] = {{MUR_FORMAT_K64V32, murFormatK64V32, "murFormatK64V32()"},
                   {MUR_FORMAT_K64V64, murFormatK64V64, "murFormatK64V64()"},
                   {MUR_FORMAT_K32, murFormatK32, "murFormatK32()"},
                   {MUR_FORMAT_K64, murFormatK64, "murFormatK64()"}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        if (!gpu_offers(gpu, formats[i].format, MUR_ATOMIC_WIDTH_DEFAULT)) {
            continue;
        }
        for (int with = 0; with < 2; ++with) {
            Observed observed;
            MurContextCreateInfo contextInfo = observe(&observed, gpu);
            memset(contextInfo.formats, 0, sizeof contextInfo.formats);
            contextInfo.formats[0] = with ? formats[i].code() : NULL;
            interpose_empty_shaders();
            gpu_require(murCreateContext(&contextInfo, &observed.context));
            MurTableCreateInfo info = {.capacity = 10,
                                       .format = formats[i].format,
                                       .reservedValue = MUR_RESERVED_VALUE_ZERO};
            MurTable table;
            if (with) {
                gpu_require(murCreateTable(observed.context, &info, &table));
                assert_int_equal(murGetPipelineCount(observed.context, &info), 7);
                const bool zero = (murGetTableRef(table).flags & MUR_TABLE_ZERO) != 0;
                assert_int_equal(zero, !MUR_IS_SET(info.format)); /* sets have no values */
                murDestroyTable(table);
            }
            const size_t other = with ? (i + 1) % 4 : i;
            info.format = formats[other].format;
            expect_refused(&observed, murCreateTable(observed.context, &info, &table),
                           formats[other].name);
            info.format = MUR_FORMAT_K32V32;
            gpu_require(murCreateTable(observed.context, &info, &table));
            murDestroyTable(table);
            observe_close(&observed);
        }
    }
}

/* Memory of the engine's: what is wrong with the range, for a buffer of the table's size. */
static void refuse_memory(Observed *observed, const GpuBuffer *buffer, VkDeviceSize offset,
                          VkDeviceSize size, const char *text) {
    char what[96];
    snprintf(what, sizeof what, "offset %llu, size %llu of %llu", (unsigned long long)offset,
             (unsigned long long)size, (unsigned long long)buffer->size);
    const MurTableCreateInfo info = {
        .capacity = 1000,
        .memory = {buffer->buffer, offset, size},
    };
    MurTable table = (MurTable)(uintptr_t)1;
    int live = observed->memory.live;
    VkResult result = murCreateTable(observed->context, &info, &table);
    expect_error(observed, result, MUR_ERROR_INVALID_ARGUMENT, text, what);
    assert_null(table);
    assert_int_equal(observed->memory.live, live);
}

IDLE_CASE(bad_memory_is_refused) {
    const MurTableCreateInfo info = {.capacity = 1000};
    gpu_require(murPreparePipelines(observed->context, &info));
    log_book_clear(&observed->log);
    MurTableRequirements needed;
    gpu_require(murGetTableRequirements(observed->context, &info, &needed));
    GpuBuffer exact = gpu_device_buffer(gpu, needed.size);
    GpuBuffer small = gpu_device_buffer(gpu, needed.size / 2);
    GpuBuffer large = gpu_device_buffer(gpu, 2 * needed.size);
    for (VkDeviceSize offset = 1; offset < needed.alignment; offset *= 2) {
        refuse_memory(observed, &large, offset, needed.size, "not a multiple of 256");
    }
    gpu_free(gpu, &large);
    refuse_memory(observed, &exact, 0, needed.size - 1, "size");
    refuse_memory(observed, &exact, 0, 0, "size");
    refuse_memory(observed, &exact, 4096, needed.size, "offset");
    refuse_memory(observed, &exact, 1ull << 40, needed.size, "offset");
    refuse_memory(observed, &exact, UINT64_MAX - 255, needed.size, "offset");
    refuse_memory(observed, &small, 0, needed.size, "buffer's");
    refuse_memory(observed, &small, 0, UINT64_MAX, "buffer's");
    const GpuBuffer none = {.size = 0};
    refuse_memory(observed, &none, needed.alignment, 0, "memory.buffer");
    refuse_memory(observed, &none, 0, needed.size, "memory.buffer");
    gpu_free(gpu, &exact);
    gpu_free(gpu, &small);
}

IDLE_CASE(engine_memory_is_left_alone_by_destruction) {
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
