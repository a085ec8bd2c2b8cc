/* Tests which atomic widths each format accepts.
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

static void require_creation(Gpu *gpu, uint32_t format, uint32_t width, VkResult expected) {
    const MurTableCreateInfo info = {
        .capacity = 10, .type = format_type(format, 0), .atomicWidth = (MurAtomicWidth)width};
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

GPU_TEST(formats_accept_their_atomic_widths) {
    /* For each format: whether it accepts the default width, 32 and 64. */
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
}
