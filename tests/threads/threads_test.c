/* Tests the documented thread-safety. Any number of threads may record with one context and shared
 * tables, each into its own command buffer. They may create and destroy objects at the same time.
 *
 * Worker threads never assert, because a failed assertion jumps to the stack of the test's own
 * thread. They return whether they succeeded.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/observe.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, ITEMS = 1000 };

typedef struct Worker {
    struct Team *team;
    uint32_t index;
    bool failed;
    Gpu lane;         /* has its own command buffer */
    GpuBuffer arrays; /* keys, values, statuses of the insert, and found values */
} Worker;

typedef struct Team {
    Observed observed;
    Gpu *gpu;
    pthread_barrier_t start;
    bool (*work)(Worker *worker);
    Worker workers[THREADS];
    MurTable shared;
} Team;

static void *run_worker(void *argument) {
    Worker *worker = argument;
    pthread_barrier_wait(&worker->team->start); /* all threads start together */
    worker->failed = !worker->team->work(worker);
    return NULL;
}

/* Runs `work` on all threads concurrently, and waits for the threads. */
static void start_team(Team *team, bool (*work)(Worker *worker)) {
    pthread_t threads[THREADS];
    team->work = work;
    assert_int_equal(pthread_barrier_init(&team->start, NULL, THREADS), 0);
    for (uint32_t i = 0; i < THREADS; ++i) {
        team->workers[i].team = team;
        team->workers[i].index = i;
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &team->workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    pthread_barrier_destroy(&team->start);
}

/* Runs work like start_team. Fails the test if a thread failed. */
static void run_team(Team *team, bool (*work)(Worker *worker)) {
    start_team(team, work);
    for (uint32_t i = 0; i < THREADS; ++i) {
        if (team->workers[i].failed) {
            fail_msg("thread %u failed; the last error logged: \"%s\"", i,
                     team->observed.log.lastError);
        }
    }
}

static MurTableCreateInfo table_info(uint32_t which) {
    return (MurTableCreateInfo){
        .capacity = THREADS * ITEMS,
        .atomicWidth = which % 2 ? MUR_ATOMIC_WIDTH_DEFAULT : MUR_ATOMIC_WIDTH_32,
    };
}

static void team_open(Team *team, Gpu *gpu) {
    memset(team, 0, sizeof *team);
    team->gpu = gpu;
    observe_open_blocking(&team->observed, gpu);
}

/* Opens a team that creates pipelines and tables, but executes nothing. */
static void team_open_idle(Team *team, Gpu *gpu) {
    team_open(team, gpu);
    interpose_empty_shaders();
}

static void team_close(Team *team) {
    observe_close(&team->observed); /* fails if objects were leaked */
}

#define TEAM_CASE(name) GPU_CASE(name, Team, team, team_open_idle, team_close)

static void open_lane(Gpu *gpu, Worker *worker) {
    gpu_open_lane(gpu, &worker->lane, gpu->queue, gpu->family);
    worker->arrays = gpu_buffer(gpu, 4 * 4 * ITEMS);
}

static void close_lane(Gpu *gpu, Worker *worker) {
    gpu_close_lane(&worker->lane);
    gpu_free(gpu, &worker->arrays);
}

/* Fills the arrays with keys that only this thread uses, for a table that all threads share. */
static void fill_arrays(Worker *worker, uint32_t round) {
    uint32_t *words = worker->arrays.mapped;
    for (uint32_t i = 0; i < ITEMS; ++i) {
        words[i] = THREADS * i + worker->index;
        words[ITEMS + i] = 10000 * round + words[i];
        words[2 * ITEMS + i] = words[3 * ITEMS + i] = UINT32_MAX;
    }
}

/* Records into the command buffer, which the main thread has begun. */
static bool record(Worker *worker) {
    const MurTable table = worker->team->shared;
    const VkCommandBuffer cmd = worker->lane.cmd;
    const GpuBuffer *arrays = &worker->arrays;
    MurBatch batch = {
        .maxCount = ITEMS,
        .keys = gpu_part(arrays, 0, ITEMS),
        .values = gpu_part(arrays, ITEMS, ITEMS),
        .statuses = gpu_part(arrays, 2 * ITEMS, ITEMS),
    };
    const bool good = murCmdBarrier(cmd, table) == VK_SUCCESS &&
                      murCmdInsert(cmd, table, MUR_MODE_ASSIGN, &batch) == VK_SUCCESS &&
                      murCmdBarrier(cmd, table) == VK_SUCCESS;
    batch.values = gpu_part(arrays, 3 * ITEMS, ITEMS);
    batch.statuses = (MurArray){0, 0};
    return good && murCmdFind(cmd, table, &batch) == VK_SUCCESS &&
           murCmdBarrier(cmd, table) == VK_SUCCESS;
}

static void check_arrays(const Team *team, uint32_t round, uint32_t status) {
    for (uint32_t t = 0; t < THREADS; ++t) {
        const uint32_t *words = team->workers[t].arrays.mapped;
        for (uint32_t i = 0; i < ITEMS; ++i) {
            if (words[2 * ITEMS + i] != status || words[3 * ITEMS + i] != words[ITEMS + i]) {
                fail_msg("round %u, thread %u, item %u: %s, found %u, expected %u", round, t, i,
                         murStatusName(words[2 * ITEMS + i]), words[3 * ITEMS + i],
                         words[ITEMS + i]);
            }
        }
    }
}

/* Four threads repeatedly record into one table. The recorded commands give correct results. */
GPU_TEST(threads_record_with_one_context_and_table) {
    enum { ROUNDS = 20 };
    Team team;
    team_open(&team, gpu);
    const MurTableCreateInfo info = table_info(0);
    gpu_require(murCreateTable(team.observed.context, &info, &team.shared));
    gpu_require(murBlockingClear(team.observed.blocking, team.shared));
    for (uint32_t i = 0; i < THREADS; ++i) {
        open_lane(gpu, &team.workers[i]);
    }
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = 0; i < THREADS; ++i) {
            team.workers[i].index = i;
            fill_arrays(&team.workers[i], round);
            gpu_begin(&team.workers[i].lane);
        }
        run_team(&team, record);
        for (uint32_t i = 0; i < THREADS; ++i) {
            gpu_submit(&team.workers[i].lane);
        }
        check_arrays(&team, round, round ? MUR_EXISTED : MUR_INSERTED);
    }
    MurStats stats;
    gpu_require(murBlockingStats(team.observed.blocking, team.shared, &stats));
    assert_int_equal(stats.live, THREADS * ITEMS);
    for (uint32_t i = 0; i < THREADS; ++i) {
        close_lane(gpu, &team.workers[i]);
    }
    murDestroyTable(team.shared);
    team_close(&team);
}

/* Returns the number of created pipelines. Fails if a pipeline was created twice. */
static uint32_t made_pipelines(void) {
    assert_int_equal(interpose_calls(ON_vkDestroyPipeline), 0);
    return interpose_calls(ON_vkCreateComputePipelines);
}

static bool prepare(Worker *worker) {
    const MurTableCreateInfo info = table_info(0);
    return murPreparePipelines(worker->team->observed.context, &info) == VK_SUCCESS;
}

/* Returns the number of pipelines that one thread creates for the tables of this many workers. */
static int pipelines_of(Gpu *gpu, uint32_t kinds) {
    Team team;
    team_open_idle(&team, gpu);
    for (uint32_t i = 0; i < kinds; ++i) {
        const MurTableCreateInfo info = table_info(i);
        gpu_require(murPreparePipelines(team.observed.context, &info));
    }
    const int count = (int)made_pipelines();
    team_close(&team);
    assert_true(count >= 7);
    return count;
}

GPU_TEST(threads_preparing_equal_pipelines_create_each_once) {
    const int expected = pipelines_of(gpu, 1);
    for (uint32_t round = 0; round < 5; ++round) {
        Team team;
        team_open_idle(&team, gpu);
        run_team(&team, prepare);
        assert_int_equal(made_pipelines(), expected);
        assert_int_equal(team.observed.log.infos, expected);
        run_team(&team, prepare);
        assert_int_equal(made_pipelines(), expected);
        team_close(&team);
    }
}

/* Delays the first pipeline creations until each thread has begun one. A thread must not wait for a
 * pipeline that another thread creates, but must continue with other pipelines. */
static pthread_barrier_t meeting;
static atomic_uint meeting_calls;

static void meet(void) {
    if (atomic_fetch_add(&meeting_calls, 1) < THREADS) {
        pthread_barrier_wait(&meeting);
    }
}

TEAM_CASE(threads_share_the_work_of_preparing) {
    const MurTableCreateInfo info = table_info(0);
    atomic_store(&meeting_calls, 0);
    assert_int_equal(pthread_barrier_init(&meeting, NULL, THREADS), 0);
    interposition.pipelines = meet;
    run_team(team, prepare);
    pthread_barrier_destroy(&meeting);
    assert_int_equal(made_pipelines(), murGetPipelineCount(team->observed.context, &info));
}

/* If creation fails in one thread, this thread reports the failure, and another thread creates the
 * missing pipeline. */
GPU_TEST(pipeline_that_failed_in_one_thread_is_created_by_another) {
    const uint32_t expected = (uint32_t)pipelines_of(gpu, 1);
    const uint32_t calls[] = {1, 2, expected / 2, expected};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        Team team;
        team_open_idle(&team, gpu);
        interpose_fail(ON_vkCreateComputePipelines, calls[i], VK_ERROR_OUT_OF_HOST_MEMORY);
        start_team(&team, prepare);
        uint32_t failed = 0;
        for (uint32_t t = 0; t < THREADS; ++t) {
            failed += team.workers[t].failed;
        }
        assert_int_equal(failed, 1);
        assert_int_equal(team.observed.log.errors, 1);
        assert_int_equal(made_pipelines(), expected + 1);
        assert_int_equal(team.observed.log.infos, expected);
        team_close(&team);
    }
}

/* All threads request the same pipeline. When a call returns, the pipeline must exist. */
static atomic_uint arrived;
static atomic_bool made;

static void make_slowly(void) {
    const struct timespec pause = {.tv_nsec = 20000000};
    while (atomic_load(&arrived) < THREADS) {
        nanosleep(&pause, NULL);
    }
    nanosleep(&pause, NULL); /* otherwise a thread that does not wait could go undetected */
    atomic_store(&made, true);
}

static bool prepare_first(Worker *worker) {
    const MurTableCreateInfo info = table_info(0);
    atomic_fetch_add(&arrived, 1);
    return murPreparePipeline(worker->team->observed.context, &info, 0) == VK_SUCCESS &&
           atomic_load(&made);
}

TEAM_CASE(threads_wait_for_the_one_pipeline) {
    atomic_store(&arrived, 0);
    atomic_store(&made, false);
    interposition.pipelines = make_slowly;
    run_team(team, prepare_first);
    assert_int_equal(made_pipelines(), 1);
}

/* Each job creates one pipeline. */
static atomic_uint next_job;

static bool run_jobs(Worker *worker) {
    const MurContext context = worker->team->observed.context;
    const MurTableCreateInfo info = table_info(0);
    const uint32_t count = murGetPipelineCount(context, &info);
    for (uint32_t job; (job = atomic_fetch_add(&next_job, 1)) < count;) {
        if (murPreparePipeline(context, &info, job) != VK_SUCCESS) {
            return false;
        }
    }
    return count != 0;
}

GPU_TEST(threads_prepare_pipelines_one_by_one) {
    const int expected = pipelines_of(gpu, 1);
    Team team;
    team_open_idle(&team, gpu);
    const MurTableCreateInfo info = table_info(0);
    assert_int_equal(murGetPipelineCount(team.observed.context, &info), expected);
    atomic_store(&next_job, 0);
    run_team(&team, run_jobs);
    assert_int_equal(made_pipelines(), expected);
    gpu_require(murPreparePipelines(team.observed.context, &info)); /* nothing is left to create */
    assert_int_equal(made_pipelines(), expected);
    team_close(&team);
}

static bool create_and_destroy(Worker *worker) {
    for (uint32_t i = 0; i < 25; ++i) {
        const MurTableCreateInfo info = table_info(worker->index + i);
        MurTable table;
        if (murCreateTable(worker->team->observed.context, &info, &table) != VK_SUCCESS ||
            murGetTableRef(table).capacity != info.capacity) {
            return false;
        }
        murDestroyTable(table);
    }
    return true;
}

GPU_TEST(threads_create_and_destroy_tables) {
    const int expected = pipelines_of(gpu, 2);
    Team team;
    team_open_idle(&team, gpu);
    run_team(&team, create_and_destroy);
    assert_int_equal(made_pipelines(), expected);
    int live = team.observed.memory.live;
    int objects = interpose_objects();
    run_team(&team, create_and_destroy);
    assert_int_equal(team.observed.memory.live, live);
    assert_int_equal(interpose_objects(), objects);
    team_close(&team);
}

/* Odd threads create and destroy tables while even threads record. */
static bool mix(Worker *worker) {
    return worker->index % 2 ? create_and_destroy(worker) : record(worker);
}

TEAM_CASE(threads_record_while_others_create) {
    const MurTableCreateInfo info = table_info(0);
    gpu_require(murCreateTable(team->observed.context, &info, &team->shared));
    for (uint32_t i = 0; i < THREADS; i += 2) {
        open_lane(gpu, &team->workers[i]);
    }
    for (uint32_t round = 0; round < 5; ++round) {
        for (uint32_t i = 0; i < THREADS; i += 2) {
            gpu_begin(&team->workers[i].lane);
        }
        run_team(team, mix);
    }
    for (uint32_t i = 0; i < THREADS; i += 2) {
        close_lane(gpu, &team->workers[i]);
    }
    murDestroyTable(team->shared);
}

static bool fail_often(Worker *worker) {
    bool right = true;
    for (uint32_t i = 0; i < 100; ++i) {
        const MurTableCreateInfo info = {.capacity = 0};
        MurTable table;
        right &= murCreateTable(worker->team->observed.context, &info, &table) ==
                 MUR_ERROR_INVALID_ARGUMENT;
        right &= table == NULL;
    }
    return right;
}

TEAM_CASE(errors_of_all_threads_are_logged) {
    run_team(team, fail_often);
    assert_int_equal(team->observed.log.errors, THREADS * 100);
    assert_non_null(strstr(team->observed.log.lastError, "capacity"));
}

static bool own_context(Worker *worker) {
    Gpu *gpu = worker->team->gpu;
    const MurContextCreateInfo info = {
        .instance = gpu->instance,
        .physicalDevice = gpu->physicalDevice,
        .device = gpu->device,
        .getInstanceProcAddr = interpose_get_instance_proc_addr,
        .enabledFeatures = MUR_FEATURE_BUFFER_DEVICE_ADDRESS,
        .pfnLog = log_book_write,
        .pLogUserData = &worker->team->observed.log,
    };
    for (uint32_t i = 0; i < 3; ++i) {
        MurContext context;
        MurTable table;
        const MurTableCreateInfo tableInfo = {.capacity = 100};
        if (murCreateContext(&info, &context) != VK_SUCCESS ||
            murCreateTable(context, &tableInfo, &table) != VK_SUCCESS) {
            return false;
        }
        murDestroyTable(table);
        murDestroyContext(context);
    }
    return true;
}

TEAM_CASE(threads_have_contexts_of_their_own) {
    run_team(team, own_context);
}
