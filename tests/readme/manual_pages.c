/* Runs the shader blocks of the manual about rows and pages.
 * SPDX-License-Identifier: MIT */
#include "manual.h"

#include <murmuration/paged.h>
#include <murmuration/rows.h>
#include <string.h>

enum { ITEMS = MANUAL_ITEMS, ROWS = 50, CLASSES = 7, WORDS = 8 };

/* A class is a set of equal rows: rows i, i + CLASSES, and so on. Requires that element i of the
 * result is the same row for all rows of a class, and a row of this class. The last element must be
 * the row that represents the query's class. */
static void check_firsts(const GpuBuffer *firsts, uint32_t query) {
    const uint32_t *words = firsts->mapped;
    for (uint32_t i = 0; i < ROWS; ++i) {
        assert_int_equal(words[i] % CLASSES, i % CLASSES);
        assert_int_equal(words[i], words[i % CLASSES]);
    }
    assert_int_equal(words[ROWS], query == MUR_NO_ROW ? MUR_NO_ROW : words[query]);
}

/* Damages the table: slots get invalid row numbers and no hashes. */
static void damage(Gpu *gpu, MurTable table) {
    static uint32_t image[1 << 12];
    const uint64_t size = murGetTableMemory(table).size;
    assert_true(size <= sizeof image);
    gpu_require(murBlockingDownload(gpu->blocking, table, image, size));
    for (uint32_t slot = 0; slot < murGetTableRef(table).slotCount; ++slot) {
        image[MUR_HEADER_WORDS + 2 * slot] = 0x00FFFFFF + 0x1000000 * (slot % 200);
        image[MUR_HEADER_WORDS + 2 * slot + 1] = 0;
    }
    gpu_require(murBlockingUpload(gpu->blocking, table, image, size));
}

GPU_TEST(equal_rows_have_one_representative) {
    MurTable points = GPU_TABLE(gpu, .capacity = 100, .type = murTypeRows());
    MurTable bits = GPU_TABLE(gpu, .capacity = 100, .type = murTypeRows(),
                              .flags = MUR_ROWS(WORDS, WORDS));
    GpuBuffer positions = gpu_buffer(gpu, sizeof(float[ROWS][4]));
    GpuBuffer rows = gpu_buffer(gpu, sizeof(uint32_t[ROWS][WORDS]));
    GpuBuffer firsts = gpu_buffer(gpu, 4 * (ROWS + 1));
    for (uint32_t i = 0; i < ROWS; ++i) { /* rows of class 3 equal the query on the page, 0.5 */
        for (uint32_t w = 0; w < 4; ++w) {
            ((float *)positions.mapped)[4 * i + w] = 0.5f + 0.1f * ((float)(i % CLASSES) - 3.0f) +
                                                     0.00001f * (float)(i % 5);
        }
        for (uint32_t w = 0; w < WORDS; ++w) {
            ((uint32_t *)rows.mapped)[WORDS * i + w] = w == i % CLASSES ? 1 : 0;
        }
    }
    const struct {
        MurTableRef table;
        uint32_t count, pad;
    } byPoint = {murGetTableRef(points), ROWS, 0};
    const struct {
        MurTableRef table;
        VkDeviceAddress rows;
        uint32_t count, pad;
    } byBits = {murGetTableRef(bits), rows.address, ROWS, 0};
    for (uint32_t damaged = 0; damaged < 2; ++damaged) {
        memset(firsts.mapped, 0xFF, (size_t)firsts.size);
        MANUAL_RUN(gpu, manual_rows_1, .bound = {manual_range(&positions), manual_range(&firsts)},
                   .push = &byPoint, .pushSize = sizeof byPoint, .groups = 1);
        if (!damaged) {
            check_firsts(&firsts, 3);
        }
        memset(firsts.mapped, 0xFF, (size_t)firsts.size);
        MANUAL_RUN(gpu, manual_rows_2, .bound = {manual_range(&firsts)}, .push = &byBits,
                   .pushSize = sizeof byBits, .groups = 1);
        if (!damaged) {
            check_firsts(&firsts, MUR_NO_ROW);
        }
        damage(gpu, points);
        damage(gpu, bits);
    }
    murDestroyTable(points);
    murDestroyTable(bits);
    gpu_free(gpu, &positions);
    gpu_free(gpu, &rows);
    gpu_free(gpu, &firsts);
}

static MurPager open_pager(Gpu *gpu) {
    const MurPagerCreateInfo info = {.pageCount = ITEMS,
                                     .pageSize = 4096,
                                     .poolPageCount = ITEMS,
                                     .framesInFlight = 1,
                                     .flags = MUR_PAGER_FORCE};
    MurPager pager;
    gpu_require(murCreatePager(gpu->context, &info, &pager));
    return pager;
}

/* The first frame requests pages, the second frame uses them. */
GPU_TEST(requested_pages_are_written) {
    MurPager pager = open_pager(gpu);
    for (uint32_t page = 0; page < ITEMS; ++page) {
        *(uint32_t *)murGetPagerStorePage(pager, page) = page % 2 ? 5 : 0;
    }
    GPU_RUN(gpu, murCmdClearPager(gpu->cmd, pager, MUR_PAGES_IN_STORE));
    for (uint32_t frame = 1; frame <= 2; ++frame) {
        const MurPagerRef ref = murGetPagerRef(pager, frame);
        const MurPagerUpdate paging = {.frame = frame, .maxPages = ITEMS};
        MANUAL_RUN(gpu, manual_pages_1, .push = &ref, .pushSize = sizeof ref, .groups = 1);
        GPU_RUN(gpu, murCmdUpdatePager(gpu->cmd, pager, &paging));
    }
    GPU_RUN(gpu, murCmdFlushPager(gpu->cmd, pager, 0));
    for (uint32_t page = 0; page < ITEMS; ++page) {
        assert_int_equal(*(const uint32_t *)murGetPagerStorePage(pager, page), page % 2);
    }
    murDestroyPager(pager);
}

GPU_TEST(paged_table_has_every_key) {
    MurPager pager = open_pager(gpu);
    const MurPagedTableCreateInfo info = {
        .pager = pager, .atomicWidth = MUR_ATOMIC_WIDTH_32, .locality = MUR_PAGE_BY_HASH};
    MurPagedTable table;
    gpu_require(murCreatePagedTable(gpu->context, &info, &table));
    GpuBuffer ref = gpu_buffer(gpu, sizeof(MurPagedRef));
    GPU_RUN(gpu, murCmdClearPagedTable(gpu->cmd, table, MUR_PAGES_ZERO));
    for (uint32_t frame = 1; frame <= 4; ++frame) {
        *(MurPagedRef *)ref.mapped = murGetPagedTableRef(table, frame);
        MANUAL_RUN(gpu, manual_pages_2, .bound = {manual_range(&ref)}, .groups = 1);
        const MurPagedTableUpdate paging = {.pager = {.frame = frame, .maxPages = ITEMS}};
        GPU_RUN(gpu, murCmdUpdatePagedTable(gpu->cmd, table, &paging));
    }
    GpuBuffer keys = gpu_buffer(gpu, 4 * ITEMS), values = gpu_buffer(gpu, 4 * ITEMS);
    GpuBuffer scratch = gpu_buffer(gpu, murGetPagedScratchSize(table, ITEMS));
    for (uint32_t i = 0; i < ITEMS; ++i) {
        ((uint32_t *)keys.mapped)[i] = i;
    }
    const MurPagedBatch batch = {.maxCount = ITEMS,
                                 .keys = gpu_array(&keys),
                                 .values = gpu_array(&values),
                                 .scratch = gpu_array(&scratch)};
    GPU_RUN(gpu, murCmdPagedFind(gpu->cmd, table, &batch));
    for (uint32_t i = 0; i < ITEMS; ++i) {
        assert_int_equal(((const uint32_t *)values.mapped)[i], 1);
    }
    gpu_free(gpu, &keys);
    gpu_free(gpu, &values);
    gpu_free(gpu, &scratch);
    gpu_free(gpu, &ref);
    murDestroyPagedTable(table);
    murDestroyPager(pager);
}
