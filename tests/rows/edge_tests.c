/* Row tables that are full or damaged, and calls for rows on other tables.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include <murmuration/snapshot.h>

#include <string.h>

static void open_small(Rows *rows, Gpu *gpu) {
    ROWS_OPEN(rows, .words = 3, .stride = 4, .classes = 20, .rowCount = 100, .capacity = 50);
    for (uint32_t i = 0; i < 100; ++i) {
        rows_calls(rows)[i] = (Call){.call = CALL_ROW_INSERT, .slot = i};
    }
}

static MurTable make(Gpu *gpu, uint32_t format, uint32_t flags, uint32_t seed) {
    return GPU_TABLE(gpu, .capacity = 50, .type = format_type(format, 0), .flags = flags,
                     .seed = seed, .kernels = {murKernelsRehash()});
}

/* There are 60 classes of equal rows, too many for the table, so some rows report MUR_FULL. The
 * item count is in GPU memory. */
GPU_TEST(full_row_tables_report_full) {
    Rows rows;
    ROWS_OPEN(&rows, .words = 2, .stride = 2, .classes = 60, .rowCount = 60, .capacity = 20,
              .probeLimit = 4);
    for (uint32_t i = 0; i < 64; ++i) {
        rows_calls(&rows)[i] = (Call){.call = CALL_ROW_INSERT, .slot = i % 32 * 2 + i / 32};
    }
    rows_calls(&rows)[31].slot = MUR_ROW_QUERY;
    rows_calls(&rows)[63].slot = MUR_NO_ROW;
    for (uint32_t by = 0; by < 3; ++by) {
        static const Executor executors[] = {BY_COMMAND, BY_HOST, BY_SHADER};
        GPU_RUN(rows.gpu, murCmdClear(rows.gpu->cmd, rows.table));
        rows_run(&rows, executors[by], 64, 1);
        uint32_t told[MUR_CONTENDED + 1] = {0};
        for (uint32_t i = 0; i < 64; ++i) {
            const Answer *answer = (Answer *)rows.answers.mapped + i;
            ++told[answer->status];
            assert_int_equal(answer->value == MUR_NO_ROW, answer->status != MUR_INSERTED);
        }
        const MurStats stats = gpu_stats(rows.gpu, rows.table);
        assert_int_equal(told[MUR_INVALID_VALUE], 4); /* rows 60 and 61, and two invalid rows */
        assert_int_equal(told[MUR_INSERTED] + told[MUR_FULL], 60);
        assert_true(told[MUR_FULL] >= 60 - murGetTableRef(rows.table).slotCount);
        assert_int_equal(stats.live, told[MUR_INSERTED]);
        assert_int_equal(stats.failedInserts, told[MUR_FULL]);
        assert_int_equal(stats.invalidValues, told[MUR_INVALID_VALUE]);
    }
    GPU_RUN(rows.gpu, murCmdClear(rows.gpu->cmd, rows.table));
    MurRowBatch batch = rows_batch(&rows, 0, 64);
    *(uint32_t *)rows.answers.mapped = 5;
    batch.countAddress = rows.answers.address;
    GPU_RUN(rows.gpu, murCmdInsertRows(rows.gpu->cmd, rows.table, &batch));
    assert_int_equal(gpu_stats(rows.gpu, rows.table).live, 5);
    rows_close(&rows);
}

/* The array has more rows than the table has slots, so inserts probe up to the limit. This must
 * also work on lavapipe, which ends the loops of an invocation after 65,535 iterations. Only slots
 * beyond the limit stay free. */
GPU_TEST(overfull_row_tables_use_nearly_all_slots) {
    MurTable table = GPU_TABLE(gpu, .capacity = 16384, .type = murTypeRows(),
                               .flags = MUR_ROWS(1, 1));
    const uint32_t slots = murGetTableRef(table).slotCount, count = slots + 64;
    GpuBuffer rows = gpu_buffer(gpu, 4 * count);
    for (uint32_t i = 0; i < count; ++i) {
        ((uint32_t *)rows.mapped)[i] = i;
    }
    const MurRowBatch batch = {.maxCount = count, .rows = {rows.address, 4 * count}};
    GPU_RUN(gpu, murCmdClear(gpu->cmd, table));
    GPU_RUN(gpu, murCmdInsertRows(gpu->cmd, table, &batch));
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live + stats.failedInserts, count);
    assert_true(stats.freeSlots < slots / 50);
    gpu_free(gpu, &rows);
    murDestroyTable(table);
}

/* If a slot has no hash yet, every operation must compare the rows. */
GPU_CASE(slots_without_a_hash_are_compared, Rows, rows, open_small, rows_close) {
    rows_run(rows, BY_COMMAND, 100, 1);
    const MurHostTable host = rows_download(rows);
    for (uint32_t i = 0; i < host.ref.slotCount; ++i) {
        ((uint32_t *)rows->image)[MUR_HEADER_WORDS + 2 * i + 1] = 0;
    }
    rows_upload(rows);
    for (uint32_t by = 0; by < EXECUTORS; ++by) {
        for (uint32_t i = 0; i < 100; ++i) {
            rows_calls(rows)[i].call = by == BY_READER ? CALL_ROW_FIND : CALL_ROW_INSERT;
        }
        rows_run(rows, by, 100, 1);
        for (uint32_t i = 0; i < 100; ++i) {
            assert_int_equal(((Answer *)rows->answers.mapped)[i].status,
                             by == BY_READER ? MUR_FOUND : MUR_EXISTED);
        }
    }
}

/* Makes the calls in every way that supports them. All must return this status and no row. */
static void run_all(Rows *rows, uint32_t verb, uint32_t count, uint32_t status) {
    for (uint32_t i = 0; i < count; ++i) {
        rows_calls(rows)[i].call = verb;
    }
    for (uint32_t by = 0; by < EXECUTORS; ++by) {
        if ((by == BY_COMMAND && (verb == CALL_ROW_ERASE || rows->info.hooks != CALL_HOOKS_BITS)) ||
            (by == BY_READER && verb != CALL_ROW_FIND)) {
            continue;
        }
        rows_run(rows, by, count, 1);
        for (uint32_t i = 0; i < count; ++i) {
            const Answer *answer = (Answer *)rows->answers.mapped + i;
            assert_int_equal(answer->status, status);
            assert_int_equal(answer->value, MUR_NO_ROW);
        }
    }
}

/* Opens a table with the first 100 of 200 rows. The array ends after row 99. The other rows are
 * equal to them, so reads past the end would find rows. */
static void open_half(Rows *rows, Gpu *gpu, uint32_t hooks) {
    ROWS_OPEN(rows, .words = 3, .stride = 4, .classes = 20, .rowCount = 200, .hooks = hooks,
              .capacity = 50);
    for (uint32_t i = 0; i < 100; ++i) {
        rows_calls(rows)[i] = (Call){.call = CALL_ROW_INSERT, .slot = i};
    }
    rows_run(rows, BY_SHADER, 100, 1);
    rows->info.rowCount = 100;
}

/* Damaged slots contain row numbers just past the array, then far past it. Half of them have no
 * hash. */
GPU_TEST(row_numbers_of_damaged_slots_are_not_read) {
    for (uint32_t hooks = 0; hooks < CALL_HOOKS; ++hooks) {
        Rows rows;
        open_half(&rows, gpu, hooks);
        for (uint32_t add = 100; add != 0; add = add == 100 ? 0xF0000000u : 0) {
            const MurHostTable host = rows_download(&rows);
            uint32_t *words = (uint32_t *)rows.image + MUR_HEADER_WORDS;
            for (uint32_t i = 0; i < host.ref.slotCount; ++i) {
                if (words[2 * i] != MUR_EMPTY) {
                    words[2 * i] += add;
                    words[2 * i + 1] *= i % 2;
                }
            }
            rows_upload(&rows);
            run_all(&rows, CALL_ROW_FIND, 100, MUR_ABSENT);
            run_all(&rows, CALL_ROW_ERASE, 100, MUR_ABSENT);
        }
        rows_close(&rows);
    }
}

GPU_TEST(rows_beyond_the_array_are_rejected) {
    Rows rows;
    open_half(&rows, gpu, CALL_HOOKS_BITS);
    for (uint32_t first = 100; first != 0; first = first == 100 ? MUR_NO_ROW - 99 : 0) {
        for (uint32_t i = 0; i < 100; ++i) {
            rows_calls(&rows)[i].slot = first + i == MUR_ROW_QUERY ? MUR_NO_ROW : first + i;
        }
        run_all(&rows, CALL_ROW_FIND, 100, MUR_ABSENT);
        run_all(&rows, CALL_ROW_ERASE, 100, MUR_ABSENT);
        run_all(&rows, CALL_ROW_INSERT, 100, MUR_INVALID_VALUE);
    }
    for (uint32_t i = 0; i < 2; ++i) { /* a batch cannot use the query as a row number */
        rows_calls(&rows)[i] = (Call){.call = CALL_ROW_FIND, .slot = i ? MUR_ROW_QUERY : 0};
    }
    rows_run(&rows, BY_COMMAND, 2, 1);
    assert_int_equal(((Answer *)rows.answers.mapped)[0].status, MUR_FOUND);
    assert_int_equal(((Answer *)rows.answers.mapped)[1].status, MUR_ABSENT);
    rows_close(&rows);
}

/* Row tables have no sentinel slots. Memory where other tables have them, in the header or after
 * the slots, must not be read. */
GPU_CASE(damaged_headers_add_no_slots, Rows, rows, open_small, rows_close) {
    MurTable own = rows->table;
    MurTableCreateInfo info = rows->create;
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &info, &needs));
    GpuBuffer memory = gpu_buffer(gpu, needs.size + 16), result = gpu_buffer(gpu, 256);
    info.memory = (MurBufferRange){.buffer = memory.buffer, .size = needs.size};
    rows->table = gpu_table(gpu, &info);
    rows_run(rows, BY_COMMAND, 100, 1);
    const MurStats before = gpu_stats(gpu, rows->table);
    const uint32_t entries[] = {7, 1, 8, 2}; /* words that are entries in other tables */
    memcpy((uint8_t *)memory.mapped + needs.size, entries, sizeof entries);
    MurRehash rehash = {.result = gpu_array(&result)};
    for (uint32_t compacts = 0; compacts < 2; ++compacts) {
        memset((uint32_t *)memory.mapped + MUR_HEADER_EXTRA, 0xFF, 8);
        const MurStats stats = gpu_stats(gpu, rows->table);
        assert_memory_equal(&stats, &before, sizeof stats);
        uint32_t numbers[100], count;
        gpu_require(murBlockingExtract(gpu->blocking, rows->table, 0, NULL, 100, numbers, NULL,
                                       NULL, &count));
        assert_int_equal(count, before.live);
        GpuBuffer scratch = gpu_buffer(
            gpu, murGetScratchSize(rows->table, MUR_COMMAND_COMPACT, 0, NULL));
        rehash.scratch = compacts ? gpu_array(&scratch) : (MurArray){0};
        GPU_RUN(gpu, compacts ? murCmdCompact(gpu->cmd, rows->table, &rehash)
                              : murCmdRehash(gpu->cmd, rows->table, own, &rehash));
        assert_int_equal(((const MurRehashResult *)result.mapped)->moved, before.live);
        assert_int_equal(((const MurRehashResult *)result.mapped)->failed, 0);
        gpu_free(gpu, &scratch);
    }
    murDestroyTable(rows->table);
    rows->table = own;
    gpu_free(gpu, &memory);
    gpu_free(gpu, &result);
}

/* The engine states the size of a row. If the header has another size, no row is read. */
GPU_CASE(headers_with_other_row_sizes_find_nothing, Rows, rows, open_small, rows_close) {
    static const uint32_t flags[] = {MUR_ROWS(2047, 2047), MUR_ROWS(2, 4), MUR_ROWS(3, 5), 0};
    rows_run(rows, BY_COMMAND, 100, 1);
    MurHostTable host = rows_download(rows);
    const MurHostRows on = rows_on_host(rows, 0), hooks = {.rowCount = 100};
    assert_int_equal(murHostFindRow(&host, &on, 7).status, MUR_FOUND);
    assert_int_equal(murHostFindRow(&host, &hooks, 7).status, MUR_ABSENT);
    for (uint32_t i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
        ((uint32_t *)rows->image)[MUR_HEADER_FLAGS] = MUR_FORMAT_R32 << MUR_TABLE_FORMAT_SHIFT |
                                                      flags[i];
        gpu_require(murHostAttach(rows->image, 1 << 17, &host));
        assert_int_equal(MUR_ROW_WORDS(host.ref.flags), MUR_ROW_WORDS(flags[i]));
        for (uint32_t row = 0; row < 100; ++row) {
            assert_int_equal(murHostFindRow(&host, &on, row).status, MUR_ABSENT);
            assert_int_equal(murHostEraseRow(&host, &on, row).status, MUR_ABSENT);
            assert_int_equal(murHostInsertRow(&host, &on, row).status, MUR_UNSUPPORTED);
        }
    }
}

/* Saving rejects slots with content that no insert leaves. */
GPU_CASE(damaged_tables_are_not_saved, Rows, rows, open_small, rows_close) {
    rows_run(rows, BY_COMMAND, 100, 1);
    const MurHostTable host = rows_download(rows);
    uint32_t *words = (uint32_t *)rows->image + MUR_HEADER_WORDS;
    gpu_require(murWriteSnapshot(&host, rows->answers.mapped, rows->answers.size));
    words[0] = words[0] == MUR_EMPTY ? 5 : words[0];
    words[1] = 0;
    assert_int_equal(murWriteSnapshot(&host, rows->answers.mapped, rows->answers.size),
                     MUR_ERROR_CORRUPT);
    ((uint32_t *)rows->image)[MUR_HEADER_EXTRA] = 1;
    MurHostTable again;
    assert_int_equal(murHostAttach(rows->image, 1 << 17, &again), MUR_ERROR_CORRUPT);
}

/* Calls for rows on tables of keys, and calls for keys on tables of rows, have no effect. */
GPU_CASE(row_calls_on_other_table_types_do_nothing, Rows, rows, open_small, rows_close) {
    MurTable own = rows->table;
    rows->table = make(gpu, MUR_FORMAT_K32V32, 0, rows->create.seed);
    for (uint32_t i = 0; i < 90; ++i) {
        rows_calls(rows)[i].call = i % 3;
    }
    for (uint32_t by = 0; by < 3; ++by) {
        rows_run(rows, by == 0 ? BY_HOST : by == 1 ? BY_SHADER : BY_BOUND, 90, 1);
        for (uint32_t i = 0; i < 90; ++i) {
            const Answer *answer = (Answer *)rows->answers.mapped + i;
            const bool erase = i % 3 == CALL_ROW_ERASE && by != 0;
            assert_int_equal(answer->status,
                             i % 3 == CALL_ROW_INSERT || erase ? MUR_UNSUPPORTED : MUR_ABSENT);
            assert_int_equal(answer->value, MUR_NO_ROW);
        }
        assert_int_equal(gpu_stats(gpu, rows->table).freeSlots,
                         murGetTableRef(rows->table).slotCount + 1);
    }
    murDestroyTable(rows->table);
    rows->table = own;
    const MurHostTable host = rows_download(rows);
    const uint32_t key = 5, value = 6;
    uint32_t status = 0;
    assert_int_equal(murHostInsert(&host, MUR_MODE_INSERT, 5, 6).status, MUR_UNSUPPORTED);
    assert_int_equal(murHostFind(&host, 5).status, MUR_ABSENT);
    assert_int_equal(murHostErase(&host, 5).status, MUR_ABSENT);
    assert_int_equal(murHostSlotExchange(&host, 0, 5), 0);
    assert_int_equal(
        murHostInsertBatch(&host, MUR_MODE_INSERT, 1, &key, &value, NULL, &status, NULL), 0);
    assert_int_equal(status, MUR_UNSUPPORTED);
    assert_int_equal(murHostFindBatch(&host, 1, &key, NULL, &status, NULL), 0);
    assert_int_equal(murHostEraseBatch(&host, 1, &key, NULL, &status, NULL), 0);
    assert_int_equal(status, MUR_UNSUPPORTED);
    rows_upload(rows);
    rows_check(rows, 0);
}
