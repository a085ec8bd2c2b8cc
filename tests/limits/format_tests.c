/* What each format takes: widths, arrays, modes and predicates; what is refused.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"
#include "support/observe.h"

#include <murmuration/growable.h>
#include <murmuration/multi.h>

#include <string.h>

EACH_LAYOUT(build_replaces_the_content) {
    enum { COUNT = 1000 };
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = COUNT});
    GpuBuffer arrays = gpu_buffer(gpu, 16 * COUNT);
    Bulk bulk = bulk_open(kind->format, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        bulk_set(&bulk, i, 3 * i, i + 1);
    }
    memcpy(arrays.mapped, bulk.keys, 8 * COUNT);
    memcpy((char *)arrays.mapped + 8 * COUNT, bulk.values, 8 * COUNT);
    const MurBatch batch = {
        .maxCount = COUNT,
        .keys = {arrays.address, 8 * COUNT},
        .values = {bulk_values(&bulk) ? arrays.address + 8 * COUNT : 0, 8 * COUNT},
    };
    for (uint32_t i = 0; i < 2; ++i) { /* the second time it replaces the first */
        VkCommandBuffer cmd = gpu_begin(gpu);
        gpu_require(murCmdBuild(cmd, pair.table, MUR_MODE_ASSIGN, &batch));
        gpu_submit(gpu);
        pair_adopt(&pair);
        assert_int_equal(oracle_stats(&pair.oracle).live, COUNT);
        assert_int_equal(oracle_find(&pair.oracle, 3 * (COUNT - 1)).status, MUR_FOUND);
    }
    bulk_close(&bulk);
    gpu_free(gpu, &arrays);
    pair_close(gpu, &pair);
}

EACH_KIND(arguments_are_refused) {
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = 10});
    GpuBuffer arrays = gpu_buffer(gpu, 1024);
    const bool set = kind_is_set(kind);
    const uint32_t keySize = 4 * kind_key_words(kind);
    const uint32_t valueSize = kind->format == MUR_FORMAT_K64V64 ? 8 : 4;
    const MurBatch good = {
        .maxCount = 8,
        .keys = {arrays.address, 8 * keySize},
        .values = {set ? 0 : arrays.address + 512, 8 * valueSize},
        .statuses = {arrays.address + 768, 32},
    };
    VkCommandBuffer cmd = gpu_begin(gpu);
    gpu_require(murCmdInsert(cmd, pair.table, MUR_MODE_ASSIGN, &good));
    MurBatch bad = good;
    bad.keys.size -= 1;
    assert_refused(murCmdFind(cmd, pair.table, &bad));
    bad = good;
    bad.keys.address += keySize / 2;
    assert_refused(murCmdErase(cmd, pair.table, &bad));
    bad = good;
    bad.values = (MurArray){arrays.address + 512, 8 * valueSize - 1};
    assert_refused(murCmdInsert(cmd, pair.table, MUR_MODE_ASSIGN,
                                &bad)); /* too short; of a set: there at all */
    bad.values = (MurArray){arrays.address + 512 + valueSize / 2, 8 * valueSize};
    assert_refused(murCmdFind(cmd, pair.table, &bad));
    bad.values = (MurArray){0, 0};
    assert_int_equal(murCmdInsert(cmd, pair.table, MUR_MODE_ASSIGN, &bad),
                     set ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
    for (MurInsertMode mode = 0; mode <= MUR_MODE_UPDATE; ++mode) {
        assert_int_equal(murCmdInsert(cmd, pair.table, mode, &good),
                         kind_offers(kind, mode) ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
    }
    const MurExtract extract = {.countAddress = arrays.address,
                                .predicates = {{.compare = MUR_COMPARE_EQUAL}}};
    assert_int_equal(murCmdExtract(cmd, pair.table, &extract),
                     set ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS);
    const MurExtract high = {
        .countAddress = arrays.address,
        .predicates = {{0}, {.word = MUR_PREDICATE_KEY_HIGH, .compare = MUR_COMPARE_EQUAL}}};
    assert_int_equal(murCmdExtract(cmd, pair.table, &high),
                     keySize == 4 ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS);
    vkEndCommandBuffer(cmd);
    gpu_free(gpu, &arrays);
    pair_close(gpu, &pair);
}

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

GPU_TEST(tables_that_cannot_be_in_buckets_are_refused) {
    static const struct {
        MurTableCreateInfo info;
        const char *why;
    } bad[] = {
        {{.format = MUR_FORMAT_K64V64, .flags = MUR_TABLE_BUCKETS}, "flags is 256"},
        {{.format = MUR_FORMAT_K64V32_MULTI, .flags = MUR_TABLE_BUCKETS}, "flags is 256"},
        {{.flags = MUR_TABLE_AGES}, "flags is 512"},
        {{.flags = MUR_TABLE_BUCKETS | MUR_TABLE_INT64}, "flags is 257"},
        {{.flags = MUR_TABLE_BUCKETS | 1024}, "flags is 1280"},
        {{.format = MUR_FORMAT_K32, .atomicWidth = MUR_ATOMIC_WIDTH_64, .flags = MUR_TABLE_BUCKETS},
         "atomicWidth"},
    };
    MurTable table;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        MurTableCreateInfo info = bad[i].info;
        info.capacity = 10;
        gpu_refused(gpu, murCreateTable(gpu->context, &info, &table), bad[i].why);
    }
    MurTableCreateInfo info = {.capacity = 10,
                               .format = MUR_FORMAT_K64V32,
                               .reservedValue = MUR_RESERVED_VALUE_ZERO,
                               .uses = {murUseMulti()},
                               .flags = MUR_TABLE_BUCKETS};
    gpu_refused(gpu, murCreateTable(gpu->context, &info, &table), "murUseMulti");
    info = (MurTableCreateInfo){.capacity = 10, .flags = MUR_TABLE_BUCKETS};
    MurGrowable growable;
    gpu_refused(gpu,
                murCreateGrowable(gpu->context,
                                  &(MurGrowableCreateInfo){.table = info, .framesInFlight = 2},
                                  &growable),
                "in buckets");
    info.capacity = MUR_MAX_BUCKET_CAPACITY + 1ull;
    assert_int_equal(murCreateTable(gpu->context, &info, &table), MUR_ERROR_TOO_LARGE);
}

EACH_KIND(buckets_are_filled_by_inserts_alone) {
    if (!kind->flags) {
        return;
    }
    MurTableCreateInfo info = kind_info(kind, 100);
    info.uses[0] = murUseRehash();
    info.uses[1] = murUseBuild();
    MurTable table = gpu_table(gpu, &info), other = gpu_table(gpu, &info);
    GpuBuffer arrays = gpu_buffer(gpu, 4096);
    const MurBatch batch = {
        .maxCount = 1, .keys = gpu_array(&arrays), .values = gpu_array(&arrays)};
    const MurRehash compact = {.scratch = gpu_array(&arrays)};
    gpu_begin(gpu);
    gpu_refused(gpu, murCmdBuild(gpu->cmd, table, MUR_MODE_KEEP, &batch), "in buckets");
    gpu_refused(gpu, murCmdRehash(gpu->cmd, other, table, NULL), "in buckets");
    gpu_refused(gpu, murCmdMerge(gpu->cmd, other, table, MUR_MODE_KEEP, NULL), "in buckets");
    gpu_refused(gpu, murCmdCompact(gpu->cmd, table, &compact), "in buckets");
    gpu_refused(gpu, murCmdAge(gpu->cmd, table, &(MurAge){0}), "MUR_TABLE_AGES");
    gpu_submit(gpu);
    murDestroyTable(other);
    murDestroyTable(table);
    gpu_free(gpu, &arrays);
}

/* The code of tables in buckets is their own; the others' does not do. */
GPU_TEST(code_of_buckets_must_be_linked) {
    static const char *const names[] = {"murBucketsK32V32", "murBucketsK64V32", "murBucketsK32",
                                        "murBucketsK64"};
    const MurFormatCode others[] = {murFormatK64V32(), murFormatK32(), murFormatK64()};
    Observed observed;
    MurContextCreateInfo context = observe(&observed, gpu);
    memset(context.formats, 0, sizeof context.formats);
    memcpy(context.formats, others, sizeof others);
    gpu_require(murCreateContext(&context, &observed.context));
    for (uint32_t format = 0; format < 4; ++format) {
        const MurTableCreateInfo info = {.capacity = 10,
                                         .format = format,
                                         .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                         .flags = MUR_TABLE_BUCKETS};
        MurTable table;
        const VkResult result = murCreateTable(observed.context, &info, &table);
        assert_refused(result);
        assert_non_null(strstr(observed.log.lastError, names[format]));
    }
    observe_close(&observed);
}
