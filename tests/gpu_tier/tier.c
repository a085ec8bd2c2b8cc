/* SPDX-License-Identifier: MIT */
#include "tier.h"

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(items_spv);

enum { GROUPS = 1024 };

static unsigned scale;

void tier_arguments(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--scale") == 0 && i + 1 < argc) {
            scale = (unsigned)strtoul(argv[++i], NULL, 10);
        } else {
            cmocka_set_test_filter(argv[i]);
        }
    }
}

bool tier_rehearsal(void) {
    return scale != 0;
}

uint32_t tier_size(uint64_t size) {
    uint64_t scaled = size >> scale;
    assert_true(scaled <= UINT32_MAX);
    return scaled ? (uint32_t)scaled : 1;
}

void items_open(Gpu *gpu, Items *items, uint32_t count) {
    const VkDeviceSize size = 4 * (VkDeviceSize)count;
    *items = (Items){.gpu = gpu, .count = count};
    items->kernel = gpu_kernel(gpu, items_spv, items_spv_size, sizeof(ItemsPush), 0);
    items->keys = gpu_device_buffer(gpu, size);
    items->values = gpu_device_buffer(gpu, size);
    items->statuses = gpu_device_buffer(gpu, size);
    items->slots = gpu_device_buffer(gpu, size);
    items->verdict = gpu_buffer(gpu, 4 * ITEMS_WORDS);
}

void items_close(Items *items) {
    gpu_free(items->gpu, &items->keys);
    gpu_free(items->gpu, &items->values);
    gpu_free(items->gpu, &items->statuses);
    gpu_free(items->gpu, &items->slots);
    gpu_free(items->gpu, &items->verdict);
    if (items->scratch.buffer) {
        gpu_free(items->gpu, &items->scratch);
    }
}

bool items_lend(Items *items, MurTable table) {
    const MurCommand commands[] = {MUR_COMMAND_INSERT, MUR_COMMAND_FIND, MUR_COMMAND_ERASE};
    VkDeviceSize most = 0;
    bool all = true;
    for (int i = 0; i < 3; ++i) {
        const MurBatch batch = items_batch(items);
        const VkDeviceSize size = murGetScratchSize(table, commands[i], MUR_MODE_ASSIGN, &batch);
        most = size > most ? size : most;
        all = all && size != 0;
    }
    if (most) {
        items->scratch = gpu_device_buffer(items->gpu, most);
    }
    return all;
}

MurBatch items_batch(const Items *items) {
    return (MurBatch){
        .maxCount = items->count,
        .keys = gpu_array(&items->keys),
        .values = gpu_array(&items->values),
        .statuses = gpu_array(&items->statuses),
        .slots = gpu_array(&items->slots),
        .scratch = items->scratch.buffer ? gpu_array(&items->scratch) : (MurArray){0},
    };
}

static void record_task(const Items *items, MurTable table, const ItemsExpected *expected) {
    const ItemsPush push = {
        .table = murGetTableRef(table),
        .keys = items->keys.address,
        .values = items->values.address,
        .statuses = items->statuses.address,
        .slots = items->slots.address,
        .verdict = items->verdict.address,
        .count = items->count,
        .task = expected->task,
        .first = expected->first,
        .step = expected->step,
        .status = expected->status,
        .lowest = expected->lowest,
    };
    gpu_dispatch(items->gpu, &items->kernel, &push, GROUPS);
    gpu_barrier(items->gpu);
}

void items_record_make(const Items *items, MurTable table, uint32_t first, uint32_t step) {
    gpu_barrier(items->gpu);
    record_task(items, table, &(ItemsExpected){.task = ITEMS_MAKE, .first = first, .step = step});
}

void items_make(const Items *items, MurTable table, uint32_t first, uint32_t step) {
    gpu_begin(items->gpu);
    items_record_make(items, table, first, step);
    gpu_submit(items->gpu);
}

void items_record(const Items *items, MurTable table, ItemsCommand command) {
    Gpu *gpu = items->gpu;
    const MurBatch batch = items_batch(items);
    const uint32_t unwritten = 0xDEADBEEF;
    gpu_barrier(gpu);
    vkCmdFillBuffer(gpu->cmd, items->statuses.buffer, 0, VK_WHOLE_SIZE, unwritten);
    vkCmdFillBuffer(gpu->cmd, items->slots.buffer, 0, VK_WHOLE_SIZE, unwritten);
    if (command != ITEMS_INSERT) {
        vkCmdFillBuffer(gpu->cmd, items->values.buffer, 0, VK_WHOLE_SIZE, unwritten);
    }
    gpu_barrier(gpu);
    if (command == ITEMS_INSERT) {
        /* The library never sorts batches of MUR_MODE_INSERT. */
        const MurInsertMode mode = items->scratch.buffer ? MUR_MODE_ASSIGN : MUR_MODE_INSERT;
        gpu_require(murCmdInsert(gpu->cmd, table, mode, &batch));
    } else if (command == ITEMS_FIND) {
        gpu_require(murCmdFind(gpu->cmd, table, &batch));
    } else {
        gpu_require(murCmdErase(gpu->cmd, table, &batch));
    }
    gpu_barrier(gpu);
}

void items_record_judging(const Items *items, MurTable table, const ItemsExpected *expected) {
    uint32_t *words = items->verdict.mapped;
    memset(words, 0, 4 * ITEMS_WORDS);
    words[ITEMS_FIRST] = UINT32_MAX;
    record_task(items, table, expected);
}

void items_require(const Items *items, const char *what) {
    const uint32_t *words = items->verdict.mapped;
    if (words[ITEMS_WRONG] != 0) {
        print_error("%s: %u of %u items wrong; item %u got %s (%u), value 0x%x, slot %u\n", what,
                    words[ITEMS_WRONG], words[ITEMS_JUDGED], words[ITEMS_FIRST],
                    murStatusName(words[ITEMS_STATUS]), words[ITEMS_STATUS], words[ITEMS_VALUE],
                    words[ITEMS_SLOT]);
    }
    assert_int_equal(words[ITEMS_WRONG], 0);
    assert_true(words[ITEMS_JUDGED] > 0);
}

void items_run(const Items *items, MurTable table, ItemsCommand command,
               const ItemsExpected *expected, const char *what) {
    gpu_begin(items->gpu);
    items_record(items, table, command);
    items_record_judging(items, table, expected);
    gpu_submit(items->gpu);
    items_require(items, what);
    assert_int_equal(((const uint32_t *)items->verdict.mapped)[ITEMS_JUDGED], items->count);
}
