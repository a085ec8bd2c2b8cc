/* What each format takes: widths, and the code that the context must have.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"
#include "support/observe.h"

#include <string.h>

static void require_creation(Gpu *gpu, uint32_t format, uint32_t width, VkResult expected) {
    const MurTableCreateInfo info = {
        .capacity = 10, .format = format, .atomicWidth = (MurAtomicWidth)width};
    MurTableRequirements needs;
    const VkResult result = murGetTableRequirements(gpu->context, &info, &needs);
    if (result != expected) {
        fail_msg("format %u with width %u: %s", format, width, murResultName(result));
    }
    MurTable table = VK_NULL_HANDLE;
    assert_int_equal(murCreateTable(gpu->context, &info, &table), expected);
    if (expected == VK_SUCCESS) {
        const uint32_t flags = murGetTableRef(table).flags;
        const bool narrow = format == MUR_FORMAT_K32 || format == MUR_FORMAT_R32;
        const bool wide = width == 64 || (width == 0 && !narrow);
        assert_int_equal(flags, format << MUR_TABLE_FORMAT_SHIFT | (wide ? MUR_TABLE_INT64 : 0));
    }
    murDestroyTable(table);
}

GPU_TEST(formats_take_their_widths) {
    /* By format: with the default, with 32 and with 64. */
    static const bool takes[][3] = {
        {true, true, true},  {true, true, true},  {true, true, false},
        {true, false, true}, {true, false, true}, {true, true, false},
    };
    for (uint32_t format = 0; format <= MUR_FORMAT_R32; ++format) {
        for (uint32_t i = 0; i < 3; ++i) {
            require_creation(gpu, format, 32 * i,
                             takes[format][i] ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
        }
    }
    require_creation(gpu, MUR_FORMAT_R32 + 1, 0, MUR_ERROR_INVALID_ARGUMENT);
}

/* A context without the code of a table's type names the function that gives it: that of linear
 * tables does not serve tables in buckets. */
GPU_TEST(tables_without_their_code_are_rejected) {
    static const struct {
        MurFormat format;
        uint32_t flags;
        const char *code;
    } types[] = {{MUR_FORMAT_K32V32, MUR_TABLE_BUCKETS, "murBucketsK32V32"},
                 {MUR_FORMAT_K64V32, MUR_TABLE_BUCKETS, "murBucketsK64V32"},
                 {MUR_FORMAT_K32, MUR_TABLE_BUCKETS, "murBucketsK32"},
                 {MUR_FORMAT_K64, MUR_TABLE_BUCKETS, "murBucketsK64"},
                 {MUR_FORMAT_R32, 0, "murFormatR32"}};
    const MurFormatCode others[] = {murFormatK64V32(), murFormatK32(), murFormatK64()};
    Observed observed;
    MurContextCreateInfo context = observe(&observed, gpu);
    memset(context.formats, 0, sizeof context.formats);
    memcpy(context.formats, others, sizeof others);
    gpu_require(murCreateContext(&context, &observed.context));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        const MurTableCreateInfo info = {.capacity = 10,
                                         .format = types[i].format,
                                         .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                         .flags = types[i].flags};
        MurTable table;
        expect_refused(&observed, murCreateTable(observed.context, &info, &table), types[i].code);
    }
    observe_close(&observed);
}
