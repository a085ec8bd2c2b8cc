/* Tests of several queues of one device and one context: concurrently on two tables, alternately on
 * one table, and of two families with concurrent sharing and with ownership transfer.
 * SPDX-License-Identifier: MIT */
#include "tier.h"

#include "support/watchdog.h"

#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS = 8, SETS = 64 };

/* Set r has the hashes 1 + r + i * step. The step is a multiple of SETS, so sets are disjoint. */
static uint32_t step_of(const Items *items) {
    return UINT32_MAX / items->count / SETS * SETS;
}

/* Setup of a case: fails if the device lacks a requirement. */
static int open_device(void **state) {
    Gpu *gpu = test_allocate(sizeof *gpu);
    gpu_open_with(gpu, *state);
    watchdog(300);
    *state = gpu;
    return 0;
}

static int close_device(void **state) {
    gpu_close(*state);
    free(*state);
    watchdog(0);
    return 0;
}

/* One thread's work on one queue: rounds of disjoint key sets. */
typedef struct Worker {
    Gpu lane;
    Items items;
    MurTable table;
    bool inserts, finds;
    VkSemaphore timeline; /* value r + 1: round r is inserted; VK_NULL_HANDLE: none */
    uint64_t judged, wrong;
    pthread_t thread;
} Worker;

/* Guards the queue: in a rehearsal on a small device, both threads share one queue. */
static pthread_mutex_t queueLock = PTHREAD_MUTEX_INITIALIZER;

/* Submits the lane's commands. wait, signal: values of the timeline, or 0 for none. */
static void submit(Gpu *lane, VkSemaphore timeline, uint64_t wait, uint64_t signal) {
    gpu_barrier(lane);
    gpu_require(vkEndCommandBuffer(lane->cmd));
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait ? 1 : 0,
        .pWaitSemaphoreValues = &wait,
        .signalSemaphoreValueCount = signal ? 1 : 0,
        .pSignalSemaphoreValues = &signal,
    };
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = wait ? 1 : 0,
        .pWaitSemaphores = &timeline,
        .pWaitDstStageMask = &stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &lane->cmd,
        .signalSemaphoreCount = signal ? 1 : 0,
        .pSignalSemaphores = &timeline,
    };
    if (wait && tier_rehearsal()) {
        /* The host waits, because the same queue signals and must not wait for itself. */
        const VkSemaphoreWaitInfo waiting = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
            .semaphoreCount = 1,
            .pSemaphores = &timeline,
            .pValues = &wait,
        };
        gpu_require(vkWaitSemaphores(lane->device, &waiting, GPU_WAIT));
    }
    pthread_mutex_lock(&queueLock);
    VkResult result = vkQueueSubmit(lane->queue, 1, &info, lane->fence);
    pthread_mutex_unlock(&queueLock);
    gpu_require(result);
    gpu_wait(lane);
}

static void judge(Worker *worker, uint32_t round, uint32_t task, uint32_t status, uint64_t wait,
                  uint64_t signal) {
    const Items *items = &worker->items;
    const ItemsExpected expected = {task, 1 + round, step_of(items), status, 0};
    items_record_judging(items, worker->table, &expected);
    submit(&worker->lane, worker->timeline, wait, signal);
    const uint32_t *words = worker->items.verdict.mapped;
    worker->wrong += words[ITEMS_WRONG];
    worker->judged += words[ITEMS_JUDGED];
}

static void *work(void *argument) {
    Worker *worker = argument;
    Items *items = &worker->items;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        uint64_t done = worker->timeline ? round + 1 : 0;
        if (worker->inserts) {
            gpu_begin(&worker->lane);
            items_record_make(items, worker->table, 1 + round, step_of(items));
            items_record(items, worker->table, ITEMS_INSERT);
            judge(worker, round, ITEMS_JUDGE, MUR_INSERTED, 0, done);
        }
        if (worker->finds) {
            gpu_begin(&worker->lane);
            items_record_make(items, worker->table, 1 + round, step_of(items));
            items_record(items, worker->table, ITEMS_FIND);
            judge(worker, round, ITEMS_JUDGE, MUR_FOUND, done, 0);
        }
    }
    return NULL;
}

static MurTable make_table(Gpu *gpu, uint32_t count) {
    const MurTableCreateInfo info = {.capacity = 2ull * ROUNDS * count, .seed = 5};
    return gpu_table(gpu, &info);
}

/* Runs both workers concurrently and judges their results. */
static void run_workers(Worker workers[2]) {
    uint64_t expected = 0;
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        uint32_t passes = (workers[i].inserts ? 1u : 0u) + (workers[i].finds ? 1u : 0u);
        expected = (uint64_t)ROUNDS * passes * workers[i].items.count;
        if (workers[i].wrong) {
            items_require(&workers[i].items, i ? "second queue" : "first queue");
        }
        assert_int_equal(workers[i].wrong, 0);
        assert_int_equal(workers[i].judged, expected);
    }
}

static void open_worker(Gpu *gpu, Worker *worker, bool second, MurTable table) {
    worker->table = table;
    gpu_open_lane(gpu, &worker->lane, second ? gpu->secondQueue : gpu->queue,
                  second ? gpu->secondFamily : gpu->family);
    items_open(&worker->lane, &worker->items, tier_size(1 << 22));
}

static void close_worker(Worker *worker) {
    items_close(&worker->items);
    gpu_close_lane(&worker->lane);
}

static void two_tables_at_once(void **state) {
    Gpu *gpu = *state;
    Worker workers[2] = {{.inserts = true, .finds = true}, {.inserts = true, .finds = true}};
    for (uint32_t i = 0; i < 2; ++i) {
        open_worker(gpu, &workers[i], i == 1, make_table(gpu, tier_size(1 << 22)));
    }
    run_workers(workers);
    for (uint32_t i = 0; i < 2; ++i) {
        const MurStats stats = gpu_stats(gpu, workers[i].table);
        assert_int_equal(stats.live, ROUNDS * workers[i].items.count);
        murDestroyTable(workers[i].table);
        close_worker(&workers[i]);
    }
}

/* The first queue inserts new keys in each round and then signals the semaphore. The second queue
 * waits for the signal and finds these keys, while the first queue inserts those of the next round.
 */
static void one_table_in_turn(void **state) {
    Gpu *gpu = *state;
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    VkSemaphore timeline;
    gpu_require(vkCreateSemaphore(gpu->device, &info, NULL, &timeline));
    MurTable table = make_table(gpu, tier_size(1 << 22));
    Worker workers[2] = {{.inserts = true, .timeline = timeline},
                         {.finds = true, .timeline = timeline}};
    for (uint32_t i = 0; i < 2; ++i) {
        open_worker(gpu, &workers[i], i == 1, table);
    }
    run_workers(workers);
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, ROUNDS * workers[0].items.count);
    for (uint32_t i = 0; i < 2; ++i) {
        close_worker(&workers[i]);
    }
    murDestroyTable(table);
    vkDestroySemaphore(gpu->device, timeline, NULL);
}

/* Records half of an ownership transfer of the table's memory: the release by the previous family,
 * or the acquisition by the next family. */
static void transfer(Gpu *lane, MurTable table, uint32_t from, uint32_t to, bool release) {
    MurBufferRange memory = murGetTableMemory(table);
    const VkBufferMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = release ? MUR_EXIT_ACCESS : 0,
        .dstAccessMask = release ? 0 : MUR_ENTRY_ACCESS,
        .srcQueueFamilyIndex = from,
        .dstQueueFamilyIndex = to,
        .buffer = memory.buffer,
        .offset = memory.offset,
        .size = memory.size,
    };
    vkCmdPipelineBarrier(lane->cmd, release ? MUR_EXIT_STAGES : MUR_ENTRY_STAGES,
                         release ? VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT : MUR_ENTRY_STAGES, 0, 0,
                         NULL, 1, &barrier, 0, NULL);
}

/* Runs one turn of a queue family: acquires the table, or clears it in the first turn, runs a
 * command, and releases the table. */
static void visit(Worker *worker, ItemsCommand command, uint32_t status, uint32_t other,
                  bool first) {
    Gpu *lane = &worker->lane;
    gpu_begin(lane);
    if (first) {
        gpu_require(murCmdClear(lane->cmd, worker->table));
    } else {
        transfer(lane, worker->table, other, lane->family, false);
    }
    items_record_make(&worker->items, worker->table, 1, step_of(&worker->items));
    items_record(&worker->items, worker->table, command);
    const ItemsExpected expected = {ITEMS_JUDGE, 1, step_of(&worker->items), status, 0};
    items_record_judging(&worker->items, worker->table, &expected);
    transfer(lane, worker->table, lane->family, other, true);
    submit(lane, VK_NULL_HANDLE, 0, 0);
    items_require(&worker->items, "after a transfer of ownership");
}

static void ownership_is_transferred(void **state) {
    Gpu *gpu = *state;
    const MurContextCreateInfo info = {
        .instance = gpu->instance,
        .physicalDevice = gpu->physicalDevice,
        .device = gpu->device,
        .getInstanceProcAddr = vkGetInstanceProcAddr,
        .enabledFeatures = MUR_FEATURE_BUFFER_DEVICE_ADDRESS |
                           (gpu->int64Atomics ? MUR_FEATURE_INT64_ATOMICS : 0u),
    };
    MurContext context;
    gpu_require(murCreateContext(&info, &context));
    const MurTableCreateInfo tableInfo = {.capacity = 2ull * tier_size(1 << 22)};
    MurTable table;
    gpu_require(murCreateTable(context, &tableInfo, &table));
    Worker workers[2] = {{.inserts = false}, {.inserts = false}};
    open_worker(gpu, &workers[0], false, table);
    open_worker(gpu, &workers[1], true, table);
    visit(&workers[0], ITEMS_INSERT, MUR_INSERTED, gpu->secondFamily, true);
    visit(&workers[1], ITEMS_FIND, MUR_FOUND, gpu->family, false);
    visit(&workers[0], ITEMS_FIND, MUR_FOUND, gpu->secondFamily, false);
    visit(&workers[1], ITEMS_ERASE, MUR_ERASED, gpu->family, false);
    visit(&workers[0], ITEMS_FIND, MUR_ABSENT, gpu->secondFamily, false);
    visit(&workers[1], ITEMS_INSERT, MUR_INSERTED, gpu->family, false);
    close_worker(&workers[0]);
    close_worker(&workers[1]);
    murDestroyTable(table);
    murDestroyContext(context);
}

static GpuOptions twoQueues = {.secondQueue = true};
static GpuOptions twoFamilies = {.secondFamily = true};

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        {"two_tables_two_queues", two_tables_at_once, open_device, close_device, &twoQueues},
        {"one_table_two_queues", one_table_in_turn, open_device, close_device, &twoQueues},
        {"two_tables_two_families", two_tables_at_once, open_device, close_device, &twoFamilies},
        {"one_table_two_families", one_table_in_turn, open_device, close_device, &twoFamilies},
        {"ownership_is_transferred", ownership_is_transferred, open_device, close_device,
         &twoFamilies},
    };
    tier_arguments(argc, argv);
    return cmocka_run_group_tests_name("queues", tests, NULL, NULL);
}
