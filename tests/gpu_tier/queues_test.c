/* Tests of several queues of one device and one context: concurrently on two tables, alternately on
 * one table, and of two families with concurrent sharing and with ownership transfer.
 * SPDX-License-Identifier: MIT */
#include "tier.h"

#include "support/watchdog.h"

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

/* One queue's commands on a table. */
typedef struct Side {
    Gpu lane;
    Items items;
    MurTable table;
    bool pending; /* the last commands are submitted, and not judged yet */
} Side;

static void open_side(Gpu *gpu, Side *side, bool second, MurTable table) {
    *side = (Side){.table = table};
    gpu_open_lane(gpu, &side->lane, second ? gpu->secondQueue : gpu->queue,
                  second ? gpu->secondFamily : gpu->family);
    items_open(&side->lane, &side->items, tier_size(1 << 22));
}

/* Waits for the side's last commands, and judges their results. */
static void finish(Side *side) {
    if (side->pending) {
        gpu_wait(&side->lane);
        items_require(&side->items, "a queue");
        const uint32_t *words = side->items.verdict.mapped;
        assert_int_equal(words[ITEMS_JUDGED], side->items.count);
        side->pending = false;
    }
}

static void close_side(Side *side) {
    finish(side);
    items_close(&side->items);
    gpu_close_lane(&side->lane);
}

/* Records a command on the keys of one round, which must have this status. */
static void record(const Side *side, ItemsCommand command, uint32_t round, uint32_t status) {
    const ItemsExpected expected = {ITEMS_JUDGE, 1 + round, step_of(&side->items), status, 0};
    items_record_make(&side->items, side->table, 1 + round, step_of(&side->items));
    items_record(&side->items, side->table, command);
    items_record_judging(&side->items, side->table, &expected);
}

/* Submits the side's commands. wait, signal: values of the timeline, or 0 for none. */
static void submit(Side *side, VkSemaphore timeline, uint64_t wait, uint64_t signal) {
    const Gpu *lane = &side->lane;
    gpu_barrier(&side->lane);
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
    gpu_require(vkQueueSubmit(lane->queue, 1, &info, lane->fence));
    side->pending = true;
}

/* Runs a command after the side's previous one. Does not wait for its end. */
static void run(Side *side, ItemsCommand command, uint32_t round, uint32_t status,
                VkSemaphore timeline, uint64_t wait, uint64_t signal) {
    finish(side);
    gpu_begin(&side->lane);
    record(side, command, round, status);
    submit(side, timeline, wait, signal);
}

static MurTable make_table(Gpu *gpu) {
    return GPU_TABLE(gpu, .capacity = 2ull * ROUNDS * tier_size(1 << 22), .seed = 5);
}

static void check_table(Gpu *gpu, MurTable table) {
    assert_int_equal(gpu_stats(gpu, table).live, ROUNDS * tier_size(1 << 22));
    murDestroyTable(table);
}

static void two_tables_at_once(void **state) {
    Gpu *gpu = *state;
    Side sides[2];
    for (uint32_t i = 0; i < 2; ++i) {
        open_side(gpu, &sides[i], i == 1, make_table(gpu));
    }
    for (uint32_t i = 0; i < 4 * ROUNDS; ++i) {
        const bool finds = i / 2 % 2;
        run(&sides[i % 2], finds ? ITEMS_FIND : ITEMS_INSERT, i / 4,
            finds ? MUR_FOUND : MUR_INSERTED, VK_NULL_HANDLE, 0, 0);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        close_side(&sides[i]);
        check_table(gpu, sides[i].table);
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
    MurTable table = make_table(gpu);
    Side first, second;
    open_side(gpu, &first, false, table);
    open_side(gpu, &second, true, table);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        run(&first, ITEMS_INSERT, round, MUR_INSERTED, timeline, 0, round + 1);
        run(&second, ITEMS_FIND, round, MUR_FOUND, timeline, round + 1, 0);
    }
    close_side(&first);
    close_side(&second);
    check_table(gpu, table);
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
static void visit(Side *side, ItemsCommand command, uint32_t status, uint32_t other, bool first) {
    Gpu *lane = &side->lane;
    gpu_begin(lane);
    if (first) {
        gpu_require(murCmdClear(lane->cmd, side->table));
    } else {
        transfer(lane, side->table, other, lane->family, false);
    }
    record(side, command, 0, status);
    transfer(lane, side->table, lane->family, other, true);
    submit(side, VK_NULL_HANDLE, 0, 0);
    finish(side);
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
    Side sides[2];
    open_side(gpu, &sides[0], false, table);
    open_side(gpu, &sides[1], true, table);
    static const struct {
        ItemsCommand command;
        uint32_t status;
    } turns[] = {{ITEMS_INSERT, MUR_INSERTED}, {ITEMS_FIND, MUR_FOUND},
                 {ITEMS_FIND, MUR_FOUND},      {ITEMS_ERASE, MUR_ERASED},
                 {ITEMS_FIND, MUR_ABSENT},     {ITEMS_INSERT, MUR_INSERTED}};
    for (uint32_t i = 0; i < sizeof turns / sizeof turns[0]; ++i) {
        visit(&sides[i % 2], turns[i].command, turns[i].status,
              i % 2 ? gpu->family : gpu->secondFamily, i == 0);
    }
    close_side(&sides[0]);
    close_side(&sides[1]);
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
