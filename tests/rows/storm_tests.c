/* Thousands of calls on rows of few classes at once: each pair of verbs is a cell of the
 * concurrency contract. By shaders in one dispatch, by commands without a barrier between, and by
 * threads on the host.
 *
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include "support/seed.h"

#include <pthread.h>

enum { CALLS = 5000, ROUNDS = 3, THREADS = 4, TRIALS = 3 };

static void storm_calls(Rows *rows, Random *random, uint32_t mix) {
    for (uint32_t i = 0; i < CALLS; ++i) {
        uint32_t verb;
        do {
            verb = random_below(random, ROW_VERBS);
        } while (!(mix >> verb & 1));
        const bool query = verb != ROW_INSERT && random_below(random, 4) == 0;
        rows_calls(rows)[i] = (RowCall){.verb = verb,
                                        .row = query ? MUR_ROW_QUERY
                                                     : random_below(random, rows->info.rowCount),
                                        .query = random_below(random, rows->info.classes)};
    }
}

typedef struct Worker {
    Rows *rows;
    MurHostTable host;
    uint32_t first;
} Worker;

static void *work(void *argument) {
    const Worker *worker = argument;
    rows_run_on_host(worker->rows, &worker->host, worker->first, CALLS, THREADS);
    return NULL;
}

/* All threads on one image. */
static void run_threads(Rows *rows) {
    Worker workers[THREADS];
    pthread_t threads[THREADS];
    const MurHostTable host = rows_download(rows);
    for (uint32_t i = 0; i < THREADS; ++i) {
        workers[i] = (Worker){rows, host, i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
    rows_upload(rows);
}

/* The first half inserts, the second finds, without a barrier between. */
static void run_commands(Rows *rows) {
    const uint32_t half = CALLS / 2;
    gpu_begin(rows->gpu);
    for (uint32_t first = 0; first < CALLS; first += half) {
        for (uint32_t i = first; i < first + half; ++i) {
            rows_calls(rows)[i].verb = first ? ROW_FIND : ROW_INSERT;
            rows_calls(rows)[i].row = rows_calls(rows)[i].query;
        }
        const MurRowBatch batch = rows_batch(rows, first, half);
        rows_record(rows, first ? ROW_FIND : ROW_INSERT, &batch);
    }
    gpu_submit(rows->gpu);
    rows_read_batch(rows, 0, CALLS);
}

/* Every mix of verbs: into an empty table, then into what the last one has left. */
static void storm(Gpu *gpu, uint32_t hooks, uint32_t classes) {
    const RowsInfo info = {.words = 5,
                           .stride = 5,
                           .classes = classes,
                           .rowCount = 64 * classes,
                           .hooks = hooks,
                           .capacity = 3800};
    for (uint32_t way = 0; way < 4; ++way) {
        Random random = {test_seed(way + 10 * hooks)};
        for (uint32_t mix = 1; mix < 1 << ROW_VERBS; ++mix) {
            Rows rows;
            rows_open(&rows, gpu, info);
            const bool churns = mix >> ROW_INSERT & mix >> ROW_ERASE & 1; /* tombstones */
            for (uint32_t trial = 0; trial < (churns ? 1 : TRIALS); ++trial) {
                storm_calls(&rows, &random, mix);
                switch (way) {
                case 0:
                    run_threads(&rows);
                    break;
                case 1:
                    if (hooks != HOOKS_BITS) {
                        rows_run(&rows, BY_BOUND, CALLS, ROUNDS);
                    } else {
                        run_commands(&rows);
                    }
                    break;
                default:
                    rows_run(&rows, way == 2 ? BY_SHADER : BY_BOUND, CALLS, ROUNDS);
                    break;
                }
                rows_check(&rows, CALLS, "all at once");
            }
            rows_close(&rows);
        }
    }
}

GPU_TEST(storms_of_equal_rows) {
    storm(gpu, HOOKS_BITS, 1);
    storm(gpu, HOOKS_BITS, 30);
    storm(gpu, HOOKS_SNAP, 7);
}

GPU_TEST(storms_of_rows_that_hash_alike) {
    storm(gpu, HOOKS_ONE, 7);
}
