/* Tables of rows that are full, damaged, or of the other kind.
 *
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include <murmuration/snapshot.h>

#include <string.h>

static void open_small(Rows *rows, Gpu *gpu) {
    rows_open(rows, gpu,
              (RowsInfo){.words = 3, .stride = 4, .classes = 20, .rowCount = 100, .capacity = 50});
    for (uint32_t i = 0; i < 100; ++i) {
        rows_calls(rows)[i] = (RowCall){.verb = ROW_INSERT, .row = i};
    }
}

static MurTable make(Gpu *gpu, uint32_t format, uint32_t flags, uint32_t seed) {
    return GPU_TABLE(gpu, .capacity = 50, .format = format, .flags = flags, .seed = seed,
                     .uses = {murUseRehash()});
}

/* Of 60 classes as many are told that there is no slot as do not fit, and the count of items comes
 * from the GPU. */
GPU_TEST(full_tables_say_so) {
    Rows rows;
    rows_open(&rows, gpu,
              (RowsInfo){.words = 2,
                         .stride = 2,
                         .classes = 60,
                         .rowCount = 60,
                         .capacity = 20,
                         .probeLimit = 4});
    for (uint32_t i = 0; i < 64; ++i) {
        rows_calls(&rows)[i] = (RowCall){.verb = ROW_INSERT, .row = i % 32 * 2 + i / 32};
    }
    rows_calls(&rows)[31].row = MUR_ROW_QUERY;
    rows_calls(&rows)[63].row = MUR_NO_ROW;
    for (uint32_t by = 0; by < 3; ++by) {
        static const Executor executors[] = {BY_COMMAND, BY_HOST, BY_SHADER};
        if (executors[by] == BY_SHADER) { /* shaders know no last row */
            rows_calls(&rows)[30].row = MUR_ROW_QUERY;
            rows_calls(&rows)[62].row = MUR_NO_ROW;
        }
        GPU_RUN(rows.gpu, murCmdClear(rows.gpu->cmd, rows.table));
        rows_run(&rows, executors[by], 64, 1);
        uint32_t told[MUR_BUSY + 1] = {0};
        for (uint32_t i = 0; i < 64; ++i) {
            const RowAnswer *answer = (RowAnswer *)rows.answers.mapped + i;
            ++told[answer->status];
            assert_int_equal(answer->there == MUR_NO_ROW, answer->status != MUR_INSERTED);
        }
        const MurStats stats = gpu_stats(rows.gpu, rows.table);
        assert_int_equal(told[MUR_REFUSED], 4); /* rows 60, 61, and none */
        assert_int_equal(told[MUR_INSERTED] + told[MUR_FULL], 60);
        assert_true(told[MUR_FULL] >= 60 - murGetTableRef(rows.table).slotCount);
        assert_int_equal(stats.live, told[MUR_INSERTED]);
        assert_int_equal(stats.full, told[MUR_FULL]);
        assert_int_equal(stats.refused, told[MUR_REFUSED]);
    }
    GPU_RUN(rows.gpu, murCmdClear(rows.gpu->cmd, rows.table));
    MurRowBatch batch = rows_batch(&rows, 0, 64);
    *(uint32_t *)rows.answers.mapped = 5;
    batch.countAddress = rows.answers.address;
    GPU_RUN(rows.gpu, murCmdInsertRows(rows.gpu->cmd, rows.table, &batch));
    assert_int_equal(gpu_stats(rows.gpu, rows.table).live, 5);
    rows_close(&rows);
}

/* Where the hash has not come yet, rows are compared, by everybody. */
GPU_CASE(slots_without_a_hash_are_compared, Rows, rows, open_small, rows_close) {
    rows_run(rows, BY_COMMAND, 100, 1);
    const MurHostTable host = rows_download(rows);
    for (uint32_t i = 0; i < host.ref.slotCount; ++i) {
        ((uint32_t *)rows->image)[MUR_HEADER_WORDS + 2 * i + 1] = 0;
    }
    rows_upload(rows);
    for (uint32_t by = 0; by < EXECUTORS; ++by) {
        for (uint32_t i = 0; i < 100; ++i) {
            rows_calls(rows)[i].verb = by == BY_READER ? ROW_FIND : ROW_INSERT;
        }
        rows_run(rows, by, 100, 1);
        for (uint32_t i = 0; i < 100; ++i) {
            assert_int_equal(((RowAnswer *)rows->answers.mapped)[i].status,
                             by == BY_READER ? MUR_FOUND : MUR_EXISTED);
        }
    }
}

/* Row numbers far behind the array lead nobody there; snapshots refuse what no claim leaves. */
GPU_CASE(damaged_tables_lead_nowhere, Rows, rows, open_small, rows_close) {
    rows_run(rows, BY_COMMAND, 100, 1);
    const MurHostTable host = rows_download(rows);
    uint32_t *words = (uint32_t *)rows->image + MUR_HEADER_WORDS;
    for (uint32_t i = 0; i < host.ref.slotCount; ++i) {
        if (words[2 * i] != MUR_EMPTY) {
            words[2 * i] |= 0xF0000000u;
        }
    }
    rows_upload(rows);
    for (uint32_t i = 0; i < 100; ++i) {
        rows_calls(rows)[i].verb = ROW_FIND;
    }
    for (uint32_t by = 0; by < 2; ++by) {
        rows_run(rows, by ? BY_HOST : BY_COMMAND, 100, 1);
        for (uint32_t i = 0; i < 100; ++i) {
            assert_int_equal(((RowAnswer *)rows->answers.mapped)[i].status, MUR_ABSENT);
        }
    }
    gpu_require(murWriteSnapshot(&host, rows->answers.mapped, rows->answers.size));
    words[0] = words[0] == MUR_EMPTY ? 5 : words[0];
    words[1] = 0;
    assert_int_equal(murWriteSnapshot(&host, rows->answers.mapped, rows->answers.size),
                     MUR_ERROR_BAD_IMAGE);
    ((uint32_t *)rows->image)[MUR_HEADER_EXTRA] = 1;
    MurHostTable again;
    assert_int_equal(murHostAttach(rows->image, 1 << 17, &again), MUR_ERROR_BAD_IMAGE);
}

/* Calls on rows in tables of keys, and on keys in tables of rows, do nothing. */
GPU_CASE(tables_of_the_other_kind_are_left_alone, Rows, rows, open_small, rows_close) {
    MurTable own = rows->table;
    rows->table = make(gpu, MUR_FORMAT_K32V32, 0, rows->create.seed);
    for (uint32_t i = 0; i < 90; ++i) {
        rows_calls(rows)[i].verb = i % 3;
    }
    for (uint32_t by = 0; by < 3; ++by) {
        rows_run(rows, by == 0 ? BY_HOST : by == 1 ? BY_SHADER : BY_BOUND, 90, 1);
        for (uint32_t i = 0; i < 90; ++i) {
            const RowAnswer *answer = (RowAnswer *)rows->answers.mapped + i;
            const bool erase = i % 3 == ROW_ERASE && by != 0;
            assert_int_equal(answer->status,
                             i % 3 == ROW_INSERT || erase ? MUR_UNSUPPORTED : MUR_ABSENT);
            assert_int_equal(answer->there, MUR_NO_ROW);
        }
        assert_int_equal(gpu_stats(gpu, rows->table).free,
                         murGetTableRef(rows->table).slotCount + 1);
    }
    murDestroyTable(rows->table);
    rows->table = own;
    const MurHostTable host = rows_download(rows);
    const uint32_t key = 5, value = 6;
    uint32_t status = 0;
    assert_int_equal(murHostInsert(&host, MUR_MODE_KEEP, 5, 6).status, MUR_UNSUPPORTED);
    assert_int_equal(murHostFind(&host, 5).status, MUR_ABSENT);
    assert_int_equal(murHostErase(&host, 5).status, MUR_ABSENT);
    assert_int_equal(murHostSlotExchange(&host, 0, 5), 0);
    assert_int_equal(murHostInsertBatch(&host, MUR_MODE_KEEP, 1, &key, &value, NULL, &status, NULL),
                     0);
    assert_int_equal(status, MUR_UNSUPPORTED);
    assert_int_equal(murHostFindBatch(&host, 1, &key, NULL, &status, NULL), 0);
    assert_int_equal(murHostEraseBatch(&host, 1, &key, NULL, &status, NULL), 0);
    assert_int_equal(status, MUR_UNSUPPORTED);
    rows_upload(rows);
    rows_check(rows, 0, "nobody");
}
