/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <murmuration/snapshot.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

GPU_SPIRV(calls_rows_32_address);
GPU_SPIRV(calls_rows_32_buffer);
GPU_SPIRV(calls_rows_read_address);

enum { SEED = 77, QUERIES_ABSENT = 8, THREADS = 4 };

/* Writes a row of a class. All rows of one class are equal. Rows of two classes differ in the words
 * at the positions of these classes. The words between two rows are random, because the library
 * must ignore them. */
static void fill_row(const RowsInfo *info, uint32_t *words, uint32_t class, uint32_t salt) {
    for (uint32_t w = 0; w < info->stride; ++w) {
        words[w] = w < info->words ? mur_hash(w, 1) : mur_hash(w, salt);
    }
    words[class % info->words] = class;
    for (uint32_t w = 1; info->hooks == CALL_HOOKS_SNAP && w < info->words; ++w) {
        words[w] = mur_hash(w, salt);
    }
    words[0] = info->hooks == CALL_HOOKS_SNAP ? class << 4 | (salt & 15) : words[0];
}

MurTable rows_other_table(Rows *rows, uint32_t capacity) {
    rows->create.capacity = capacity;
    MurTable table = gpu_table(rows->gpu, &rows->create);
    assert_true(murGetTableRef(table).slotCount < sizeof rows->used);
    return table;
}

void rows_open(Rows *rows, Gpu *gpu, RowsInfo info) {
    *rows = (Rows){.gpu = gpu, .info = info};
    const bool bits = info.hooks == CALL_HOOKS_BITS;
    rows->create = (MurTableCreateInfo){.seed = SEED,
                                        .probeLimit = info.probeLimit,
                                        .type = murTypeRows(),
                                        .flags = bits ? MUR_ROWS(info.words, info.stride) : 0,
                                        .kernels = {murKernelsRehash()}};
    rows->table = rows_other_table(rows, info.capacity);
    rows->rows = gpu_buffer(gpu, 4ull * info.stride * info.rowCount);
    rows->queries = gpu_buffer(gpu, 4ull * info.stride * (info.classes + QUERIES_ABSENT));
    rows->words = gpu_buffer(gpu, 4ull * 3 * MAX_CALLS);
    rows->calls = gpu_buffer(gpu, MAX_CALLS * sizeof(Call));
    rows->answers = gpu_buffer(gpu, MAX_CALLS * sizeof(Answer));
    rows->image = aligned_alloc(64, 1 << 17);
    assert_non_null(rows->image);
    for (uint32_t r = 0; r < info.rowCount; ++r) {
        fill_row(&info, (uint32_t *)rows->rows.mapped + (size_t)r * info.stride, r % info.classes,
                 r);
    }
    for (uint32_t q = 0; q < info.classes + QUERIES_ABSENT; ++q) {
        fill_row(&info, (uint32_t *)rows->queries.mapped + (size_t)q * info.stride, q, q + 7);
    }
    memset(rows->row, 0xFF, sizeof rows->row);
}

void rows_close(Rows *rows) {
    murDestroyTable(rows->table);
    gpu_free(rows->gpu, &rows->rows);
    gpu_free(rows->gpu, &rows->queries);
    gpu_free(rows->gpu, &rows->words);
    gpu_free(rows->gpu, &rows->calls);
    gpu_free(rows->gpu, &rows->answers);
    free(rows->image);
}

/* Returns the class of a call's row. Only queries have class `classes` or higher. */
static uint32_t rows_class(const Rows *rows, const Call *call) {
    return call->slot == MUR_ROW_QUERY ? call->other : call->slot % rows->info.classes;
}

Call *rows_calls(Rows *rows) {
    return rows->calls.mapped;
}

static uint32_t one_hash(const Rows *rows) {
    return mur_key(rows->info.zeroHash ? 0 : UINT32_MAX, SEED); /* last home: probes wrap */
}

/* The row that the host looks up. The callbacks for hash and comparison read it. One per thread,
 * because each thread makes its own calls. */
static _Thread_local const uint32_t *query_words;

static const uint32_t *words_of(const Rows *rows, uint32_t row) {
    return row == MUR_ROW_QUERY
               ? query_words
               : (const uint32_t *)rows->rows.mapped + (size_t)row * rows->info.stride;
}

static uint32_t VKAPI_PTR hash_row(void *user, uint32_t row) {
    const Rows *rows = user;
    return rows->info.hooks == CALL_HOOKS_ONE ? one_hash(rows)
                                              : mur_hash_word(0, words_of(rows, row)[0] >> 4);
}

static VkBool32 VKAPI_PTR equal_rows(void *user, uint32_t a, uint32_t b) {
    const Rows *rows = user;
    const uint32_t *first = words_of(rows, a), *second = words_of(rows, b);
    return rows->info.hooks == CALL_HOOKS_SNAP
               ? first[0] >> 4 == second[0] >> 4
               : memcmp(first, second, 4 * (size_t)rows->info.words) == 0;
}

MurHostRows rows_on_host(const Rows *rows, uint32_t query) {
    query_words = (const uint32_t *)rows->queries.mapped + (size_t)query * rows->info.stride;
    MurHostRows host = {
        .rowCount = rows->info.rowCount, .flags = rows->create.flags, .pUserData = (void *)rows};
    if (rows->info.hooks == CALL_HOOKS_BITS) {
        host.pRows = rows->rows.mapped;
        host.pQuery = query_words;
    } else {
        host.pfnHash = hash_row;
        host.pfnEqual = equal_rows;
    }
    return host;
}

MurHostTable rows_download(Rows *rows) {
    MurHostTable host;
    const VkDeviceSize size = murGetTableMemory(rows->table).size;
    assert_true(size <= 1 << 17);
    gpu_require(murBlockingDownload(rows->gpu->blocking, rows->table, rows->image, size));
    gpu_require(murHostAttach(rows->image, size, &host));
    return host;
}

void rows_upload(Rows *rows) {
    gpu_require(murBlockingUpload(rows->gpu->blocking, rows->table, rows->image,
                                  murGetTableMemory(rows->table).size));
}

typedef struct Worker {
    Rows *rows;
    MurHostTable host;
    uint32_t first, count;
} Worker;

/* Runs every THREADS-th call. */
static void *work(void *argument) {
    const Worker *worker = argument;
    Answer *answers = worker->rows->answers.mapped;
    for (uint32_t i = worker->first; i < worker->count; i += THREADS) {
        const Call call = rows_calls(worker->rows)[i];
        const MurHostRows on = rows_on_host(worker->rows, call.other);
        const MurHostResult result = call.call == CALL_ROW_INSERT
                                         ? murHostInsertRow(&worker->host, &on, call.slot)
                                     : call.call == CALL_ROW_FIND
                                         ? murHostFindRow(&worker->host, &on, call.slot)
                                         : murHostEraseRow(&worker->host, &on, call.slot);
        answers[i] = (Answer){.status = result.status, .value = result.value, .slot = result.slot};
    }
    return NULL;
}

static void run_on_host(Rows *rows, uint32_t count) {
    Worker workers[THREADS];
    pthread_t threads[THREADS];
    const MurHostTable host = rows_download(rows);
    for (uint32_t i = 0; i < THREADS; ++i) {
        workers[i] = (Worker){rows, host, i, count};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
    rows_upload(rows);
}

/* Returns an array that ends directly after the last row. */
static MurArray tight(const Rows *rows, const GpuBuffer *buffer, uint32_t count) {
    const RowsInfo *info = &rows->info;
    return (MurArray){buffer->address, 4ull * ((count - 1) * info->stride + info->words)};
}

/* Returns the batch of these calls. Rows in order, and queries, need no row numbers. */
MurRowBatch rows_batch(Rows *rows, uint32_t first, uint32_t count) {
    const Call *calls = rows_calls(rows) + first;
    const bool queries = calls[0].slot == MUR_ROW_QUERY;
    uint32_t *numbers = (uint32_t *)rows->words.mapped + first;
    bool in_order = true;
    for (uint32_t i = 0; i < count; ++i) {
        numbers[i] = calls[i].slot;
        in_order = in_order && (queries || numbers[i] == i);
    }
    return (MurRowBatch){
        .maxCount = count,
        .rows = tight(rows, &rows->rows, rows->info.rowCount),
        .probeRows = queries ? tight(rows, &rows->queries, rows->info.classes + QUERIES_ABSENT)
                             : (MurArray){0},
        .rowIndices = in_order ? (MurArray){0} : gpu_part(&rows->words, first, count),
        .matches = gpu_part(&rows->words, MAX_CALLS + first, count),
        .statuses = gpu_part(&rows->words, 2 * MAX_CALLS + first, count),
    };
}

/* Runs one command for each run of calls with equal verbs, without barriers between commands. */
static void run_commands(Rows *rows, uint32_t count) {
    const Call *calls = rows_calls(rows);
    VkCommandBuffer cmd = rows->gpu->cmd;
    gpu_begin(rows->gpu);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && calls[end].call == calls[first].call; ++end) {
        }
        const MurRowBatch batch = rows_batch(rows, first, end - first);
        gpu_require(calls[first].call == CALL_ROW_INSERT
                        ? murCmdInsertRows(cmd, rows->table, &batch)
                        : murCmdFindRows(cmd, rows->table, &batch));
    }
    gpu_submit(rows->gpu);
    const uint32_t *words = rows->words.mapped;
    for (uint32_t i = 0; i < count; ++i) {
        ((Answer *)rows->answers.mapped)[i] = (Answer){
            .status = words[2 * MAX_CALLS + i], .value = words[MAX_CALLS + i], .slot = MUR_NO_SLOT};
    }
}

static void run_shader(Rows *rows, Executor executor, uint32_t count, uint32_t rounds) {
    Gpu *gpu = rows->gpu;
    const Access access = executor == BY_BOUND ? ACCESS_BUFFER : ACCESS_ADDRESS;
    GpuKernel kernel = executor == BY_READER   ? CALL_KERNEL(gpu, calls_rows_read_address, access)
                       : executor == BY_SHADER ? CALL_KERNEL(gpu, calls_rows_32_address, access)
                                               : CALL_KERNEL(gpu, calls_rows_32_buffer, access);
    const uint64_t far = executor == BY_BOUND ? 0 : 4ull * CALL_ROW_FAR * rows->info.stride;
    const CallPush push = {
        .table = murGetTableRef(rows->table),
        .tables = rows->rows.address - far,
        .queries = rows->queries.address - far,
        .calls = rows->calls.address,
        .answers = rows->answers.address,
        .tableCount = count / rounds,
        .callCount = rounds,
        .words = rows->info.words,
        .stride = rows->info.stride,
        .rowCount = rows->info.rowCount,
        .hooks = rows->info.hooks,
        .oneHash = one_hash(rows),
    };
    const MurBufferRange memory = murGetTableMemory(rows->table);
    call_run(gpu, &kernel, access, &push, &memory);
}

void rows_run(Rows *rows, Executor executor, uint32_t count, uint32_t rounds) {
    assert_int_equal(count % rounds, 0);
    rows->by = executor;
    if (executor == BY_HOST) {
        run_on_host(rows, count);
    } else if (executor == BY_COMMAND) {
        run_commands(rows, count);
    } else {
        run_shader(rows, executor, count, rounds);
    }
}

/* The results of all calls on one class of equal rows. */
typedef struct Told {
    uint32_t before, after; /* rows that represented the class before and after; or MUR_NO_ROW */
    uint32_t inserted, erased;
    uint32_t row; /* row that an erase returned, or that was inserted last */
} Told;

static const char *wrong_call(const Rows *rows, const Call *call, const Answer *answer,
                              const Told *told) {
    const uint32_t status = answer->status;
    const bool does[CALL_ROWS] = {status == MUR_INSERTED || status == MUR_EXISTED,
                                  status == MUR_FOUND, status == MUR_ERASED};
    const bool there = does[call->call];
    if (!there && (call->call == CALL_ROW_INSERT || status != MUR_ABSENT)) {
        return "another verb's status";
    }
    if (there != (answer->value != MUR_NO_ROW) ||
        (there && answer->value % rows->info.classes != rows_class(rows, call))) {
        return "another class's row";
    }
    if (status == MUR_INSERTED && answer->value != call->slot) {
        return "another's row, though inserted";
    }
    if (told->erased == 0) {
        return there && answer->value != told->after ? "a row that does not stand"
               : !there && call->call != CALL_ROW_ERASE && told->before != MUR_NO_ROW ? "not found"
                                                                                      : NULL;
    }
    return NULL;
}

static void read_table(Rows *rows, Told *told, uint32_t *slots) {
    const uint32_t classes = rows->info.classes;
    uint32_t numbers[MAX_CLASSES + 1], at[MAX_CLASSES + 1], count = 0;
    gpu_require(murBlockingExtract(rows->gpu->blocking, rows->table, 0, NULL, classes + 1, numbers,
                                   NULL, at, &count));
    assert_true(count <= classes);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t c = numbers[i] % classes;
        assert_true(numbers[i] < rows->info.rowCount);
        assert_int_equal(told[c].after, MUR_NO_ROW); /* each class has at most one row */
        told[c].after = numbers[i];
        slots[c] = at[i];
    }
    MurStats stats = gpu_stats(rows->gpu, rows->table), onHost;
    assert_int_equal(stats.live, count);
    assert_int_equal(stats.erased, rows->erased);
    assert_int_equal(stats.live + stats.erased + stats.freeSlots,
                     murGetTableRef(rows->table).slotCount);
    const MurHostTable host = rows_download(rows);
    murHostStats(&host, &onHost);
    assert_memory_equal(&stats, &onHost, sizeof stats);
    static uint8_t file[1 << 18]; /* saving fails unless every slot and the state are valid */
    gpu_require(murWriteSnapshot(&host, file, sizeof file));
}

void rows_check(Rows *rows, uint32_t count) {
    const Call *calls = rows->calls.mapped;
    const Answer *answers = rows->answers.mapped;
    Told told[MAX_CLASSES + QUERIES_ABSENT];
    uint32_t slots[MAX_CLASSES];
    for (uint32_t c = 0; c < MAX_CLASSES + QUERIES_ABSENT; ++c) {
        const uint32_t row = c < rows->info.classes ? rows->row[c] : MUR_NO_ROW;
        told[c] = (Told){.before = row, .row = row, .after = MUR_NO_ROW};
    }
    for (uint32_t i = 0; i < count; ++i) {
        Told *of = &told[rows_class(rows, &calls[i])];
        of->inserted += answers[i].status == MUR_INSERTED;
        of->erased += answers[i].status == MUR_ERASED;
        of->row = answers[i].status == MUR_INSERTED ? calls[i].slot : of->row;
        rows->erased += answers[i].status == MUR_ERASED;
    }
    read_table(rows, told, slots);
    for (uint32_t i = 0; i < count; ++i) {
        const char *wrong = wrong_call(rows, &calls[i], &answers[i],
                                       &told[rows_class(rows, &calls[i])]);
        if (wrong) {
            fail_msg("executor %u, %u words, hooks %u, call %u, verb %u of row %u: %s", rows->by,
                     rows->info.words, rows->info.hooks, i, calls[i].call, calls[i].slot, wrong);
        }
    }
    for (uint32_t c = 0; c < rows->info.classes; ++c) {
        const Told *of = &told[c];
        const bool before = of->before != MUR_NO_ROW, after = of->after != MUR_NO_ROW;
        assert_int_equal(before + of->inserted - of->erased, after);
        assert_true(of->erased || of->row == of->after);
        if (after && (of->erased || !before)) {
            assert_false(rows->used[slots[c]]); /* no two rows use one slot */
            rows->used[slots[c]] = true;
        }
        rows->row[c] = of->after;
    }
}
