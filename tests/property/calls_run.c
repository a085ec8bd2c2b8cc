/* SPDX-License-Identifier: MIT */
#include "calls_run.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 40, PRINTED = 16, GAP = 0x5AA5C33C };

typedef struct WorldTable {
    TableSpec spec;
    MurTable table;
    MurTableRef ref;
    MurBufferRange memory;
    Oracle oracle;
    uint32_t keys[MAX_KEYS];
    uint32_t keyCount;
} WorldTable;

struct World {
    Gpu *gpu;
    WorldInfo info;
    WorldTable *tables;
    GpuBuffer arena;
    GpuBuffer calls;
    GpuBuffer answers;
    GpuBuffer refs;
    GpuBuffer copy;   /* of the arena */
    uint32_t *memory; /* what the copy held */
};

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Describes the tables and where they are; returns how much memory they need. */
static VkDeviceSize describe_tables(World *world, VkDeviceSize *offsets) {
    Random random = {world->info.seed * 0xD1342543DE82EF95ull};
    VkDeviceSize used = 0;
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        WorldTable *table = &world->tables[i];
        table->spec = calls_table(&random, world->info.zero, world->info.wide);
        table->keyCount = random_keys(&random, &table->spec, table->keys, MAX_KEYS);
        MurTableCreateInfo info = table_info(&table->spec);
        MurTableRequirements need;
        gpu_require(murGetTableRequirements(world->gpu->context, &info, &need));
        used += 256ull * table->spec.gap;
        offsets[i] = (used + need.alignment - 1) / need.alignment * need.alignment;
        used = offsets[i] + need.size;
    }
    return used;
}

static void create_table(World *world, uint32_t index, VkDeviceSize offset) {
    WorldTable *table = &world->tables[index];
    MurTableCreateInfo info = table_info(&table->spec);
    info.memory = (MurBufferRange){world->arena.buffer, offset, world->arena.size - offset};
    gpu_require(murCreateTable(world->gpu->context, &info, &table->table));
    table->memory = murGetTableMemory(table->table);
    table->ref = murGetTableRef(table->table);
    table->ref.index = index % CALL_ARRAY_TABLES;
    OracleConfig config = calls_config(&table->spec, table->ref.slotCount);
    oracle_open(&table->oracle, &config);
    ((MurTableRef *)world->refs.mapped)[index] = table->ref;
}

World *world_open(Gpu *gpu, const WorldInfo *info) {
    World *world = calloc(1, sizeof *world);
    VkDeviceSize *offsets = calloc(info->tables, sizeof *offsets);
    assert_true(world && offsets && info->tables % CALL_ARRAY_TABLES == 0);
    world->gpu = gpu;
    world->info = *info;
    world->tables = calloc(info->tables, sizeof *world->tables);
    assert_non_null(world->tables);
    VkDeviceSize size = describe_tables(world, offsets);
    VkDeviceSize calls = (VkDeviceSize)info->tables * info->calls;
    world->arena = gpu_device_buffer(gpu, size);
    world->copy = gpu_buffer(gpu, size);
    world->calls = gpu_buffer(gpu, calls * sizeof(Call));
    world->answers = gpu_buffer(gpu, calls * sizeof(Answer));
    world->refs = gpu_buffer(gpu, info->tables * sizeof(MurTableRef));
    world->memory = malloc(size);
    assert_non_null(world->memory);
    for (uint32_t i = 0; i < info->tables; ++i) {
        create_table(world, i, offsets[i]);
    }
    free(offsets);
    world_clear(world);
    return world;
}

void world_close(World *world) {
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        murDestroyTable(world->tables[i].table);
        oracle_close(&world->tables[i].oracle);
    }
    GpuBuffer *buffers[] = {&world->arena, &world->copy, &world->calls, &world->answers,
                            &world->refs};
    for (int i = 0; i < 5; ++i) {
        gpu_free(world->gpu, buffers[i]);
    }
    free(world->memory);
    free(world->tables);
    free(world);
}

/* Gaps between the tables get a pattern. The state bit that no command sets yet is set in some
 * tables, on both sides. */
void world_clear(World *world) {
    VkCommandBuffer cmd = gpu_begin(world->gpu);
    vkCmdFillBuffer(cmd, world->arena.buffer, 0, VK_WHOLE_SIZE, GAP);
    gpu_barrier(world->gpu);
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        gpu_require(murCmdClear(cmd, world->tables[i].table));
    }
    gpu_barrier(world->gpu);
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        WorldTable *table = &world->tables[i];
        oracle_clear(&table->oracle);
        table->oracle.ordered = table->spec.ordered;
        if (table->spec.ordered) {
            vkCmdFillBuffer(cmd, table->memory.buffer, table->memory.offset + 4 * MUR_HEADER_STATE,
                            4, MUR_STATE_ORDERED);
        }
    }
    gpu_submit(world->gpu);
}

const uint32_t *world_memory(const World *world, size_t *words) {
    *words = world->arena.size / 4;
    return world->memory;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void print_table(const World *world, uint32_t index) {
    print_error("world seed %llu, table %u of %u, %u calls; ", (unsigned long long)world->info.seed,
                index, world->info.tables, world->info.calls);
    table_print(&world->tables[index].spec);
    print_error("\n");
}

/* Table index's calls on the oracle, answer by answer. */
static bool check_answers(World *world, uint32_t index, bool writable) {
    Oracle *oracle = &world->tables[index].oracle;
    const Call *calls = (const Call *)world->calls.mapped + (size_t)index * world->info.calls;
    const Answer *answers = (const Answer *)world->answers.mapped +
                            (size_t)index * world->info.calls;
    for (uint32_t i = 0; i < world->info.calls; ++i) {
        Answer got = answers[i];
        Answer expected = calls_expect(oracle, &calls[i], writable);
        if (!calls_agree(&expected, &got)) {
            print_table(world, index);
            for (uint32_t j = i < PRINTED ? 0 : i - PRINTED; j < i; ++j) {
                calls_print(j, &calls[j], &answers[j]);
            }
            print_error("got:\n");
            calls_print(i, &calls[i], &got);
            print_error("expected:\n");
            calls_print(i, &calls[i], &expected);
            return false;
        }
    }
    return true;
}

static bool check_memory(const World *world, uint32_t index) {
    const WorldTable *table = &world->tables[index];
    const uint32_t *got = world->memory + table->memory.offset / 4;
    uint32_t expected[MUR_HEADER_WORDS + 2 * 64];
    size_t words = oracle_image_words(&table->oracle);
    assert_true(words <= sizeof expected / sizeof *expected);
    assert_int_equal(words, table->memory.size / 4);
    oracle_image(&table->oracle, expected);
    for (size_t i = 0; i < words; ++i) {
        if (got[i] != expected[i]) {
            print_table(world, index);
            print_error(
                "word %zu of the table (the slots start at %u): expected 0x%08x, got 0x%08x\n", i,
                MUR_HEADER_WORDS, expected[i], got[i]);
            return false;
        }
    }
    return true;
}

/* No word between the tables has been written. */
static bool check_gaps(const World *world) {
    size_t word = 0;
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        const MurBufferRange *memory = &world->tables[i].memory;
        for (; word < memory->offset / 4; ++word) {
            if (world->memory[word] != GAP) {
                print_table(world, i);
                print_error("word %zu, in the gap before that table, was written\n", word);
                return false;
            }
        }
        word = (memory->offset + memory->size) / 4;
    }
    return true;
}

/* ---- Running --------------------------------------------------------------------------------- */

static void make_calls(World *world, CallSet set, uint32_t round) {
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        const WorldTable *table = &world->tables[i];
        Random random = {(world->info.seed << 32) + ((uint64_t)i << 8) + round};
        calls_generate(&random, set, &table->spec, table->ref.slotCount, table->keys,
                       table->keyCount, (Call *)world->calls.mapped + (size_t)i * world->info.calls,
                       world->info.calls);
    }
    memset(world->answers.mapped, 0xCD, world->answers.size);
}

static VkDescriptorPool create_pool(World *world, uint32_t sets, uint32_t descriptors) {
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * descriptors};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = sets,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkDescriptorPool pool;
    gpu_require(vkCreateDescriptorPool(world->gpu->device, &info, NULL, &pool));
    return pool;
}

/* A set for the tables from first on: calls, answers, and the tables or their references. */
static VkDescriptorSet create_set(World *world, const CallKernel *kernel, VkDescriptorPool pool,
                                  uint32_t first) {
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &kernel->setLayout,
    };
    VkDescriptorSet set;
    gpu_require(vkAllocateDescriptorSets(world->gpu->device, &info, &set));
    VkDescriptorBufferInfo buffers[2 + CALL_ARRAY_TABLES] = {
        {world->calls.buffer, 0, VK_WHOLE_SIZE},
        {world->answers.buffer, 0, VK_WHOLE_SIZE},
        {world->refs.buffer, 0, VK_WHOLE_SIZE},
    };
    uint32_t bound = kernel->access == ACCESS_ARRAY ? CALL_ARRAY_TABLES : 1;
    for (uint32_t i = 0; i < bound && kernel->access != ACCESS_ADDRESS; ++i) {
        MurBufferRange memory = world->tables[first + i].memory;
        buffers[2 + i] = (VkDescriptorBufferInfo){memory.buffer, memory.offset, memory.size};
    }
    for (uint32_t i = 0; i < 3; ++i) {
        const VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = i,
            .descriptorCount = i == 2 ? bound : 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &buffers[i],
        };
        vkUpdateDescriptorSets(world->gpu->device, 1, &write, 0, NULL);
    }
    return set;
}

static void dispatch(World *world, const CallKernel *kernel, VkDescriptorSet set, uint32_t first,
                     uint32_t count, uint32_t groups) {
    VkCommandBuffer cmd = world->gpu->cmd;
    const CallPush push = {
        .table = world->tables[first].ref,
        .first = first,
        .tableCount = count,
        .callCount = world->info.calls,
    };
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1, &set, 0,
                            NULL);
    vkCmdPushConstants(cmd, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(cmd, groups, 1, 1);
}

/* All tables in one dispatch by their addresses; bound, one table after another. */
static VkDescriptorPool record_calls(World *world, const CallKernel *kernel) {
    uint32_t tables = world->info.tables;
    if (kernel->access == ACCESS_ADDRESS) {
        VkDescriptorPool pool = create_pool(world, 1, 3);
        dispatch(world, kernel, create_set(world, kernel, pool, 0), 0, tables,
                 (tables + CALL_GROUP_TABLES - 1) / CALL_GROUP_TABLES);
        return pool;
    }
    uint32_t bound = kernel->access == ACCESS_ARRAY ? CALL_ARRAY_TABLES : 1;
    VkDescriptorPool pool = create_pool(world, tables / bound, 2 + bound);
    VkDescriptorSet set = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < tables; ++i) {
        if (i % bound == 0) {
            set = create_set(world, kernel, pool, i);
        }
        dispatch(world, kernel, set, i, 1, 1);
        gpu_barrier(world->gpu); /* all write the same binding of answers */
    }
    return pool;
}

static void record_copy(World *world) {
    const VkBufferCopy region = {0, 0, world->arena.size};
    gpu_barrier(world->gpu);
    vkCmdCopyBuffer(world->gpu->cmd, world->arena.buffer, world->copy.buffer, 1, &region);
}

bool world_run(World *world, const CallKernel *kernel, CallSet set, uint32_t round, bool writable) {
    make_calls(world, set, round);
    gpu_begin(world->gpu);
    VkDescriptorPool pool = record_calls(world, kernel);
    record_copy(world);
    gpu_submit(world->gpu);
    vkDestroyDescriptorPool(world->gpu->device, pool, NULL);
    memcpy(world->memory, world->copy.mapped, world->copy.size);
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        if (!check_answers(world, i, writable) || !check_memory(world, i)) {
            return false;
        }
    }
    return check_gaps(world);
}

/* ---- The same as bulk commands --------------------------------------------------------------- */

/* One call as a batch of one item, its arrays being the words of the call and of its answer. */
static void record_item(World *world, uint32_t index, uint32_t i) {
    uint64_t at = (uint64_t)index * world->info.calls + i;
    const Call *call = (const Call *)world->calls.mapped + at;
    VkCommandBuffer cmd = world->gpu->cmd;
    MurTable table = world->tables[index].table;
    MurBatch batch = {
        .maxCount = 1,
        .keys = gpu_part(&world->calls, 4 * at + offsetof(Call, at) / 4, 1),
        .statuses = gpu_part(&world->answers, 4 * at + offsetof(Answer, status) / 4, 1),
        .slots = gpu_part(&world->answers, 4 * at + offsetof(Answer, slot) / 4, 1),
    };
    const MurArray value = gpu_part(&world->answers, 4 * at + offsetof(Answer, value) / 4, 1);
    uint32_t mode;
    if (calls_mode(call, &mode)) {
        batch.values = gpu_part(&world->calls, 4 * at + offsetof(Call, value) / 4, 1);
        gpu_require(murCmdInsert(cmd, table, (MurInsertMode)mode, &batch));
    } else {
        batch.values = value;
        gpu_require(call->call == CALL_FIND ? murCmdFind(cmd, table, &batch)
                                            : murCmdErase(cmd, table, &batch));
    }
}

static bool check_items(World *world, uint32_t index) {
    Oracle *oracle = &world->tables[index].oracle;
    const Call *calls = (const Call *)world->calls.mapped + (size_t)index * world->info.calls;
    const Answer *answers = (const Answer *)world->answers.mapped +
                            (size_t)index * world->info.calls;
    for (uint32_t i = 0; i < world->info.calls; ++i) {
        uint32_t mode;
        bool insert = calls_mode(&calls[i], &mode);
        OracleResult expected = insert ? oracle_insert(oracle, mode, calls[i].at, calls[i].value)
                                : calls[i].call == CALL_FIND ? oracle_find(oracle, calls[i].at)
                                                             : oracle_erase(oracle, calls[i].at);
        bool right = expected.status == answers[i].status && expected.slot == answers[i].slot &&
                     (insert || expected.value == answers[i].value);
        if (!right) {
            print_table(world, index);
            calls_print(i, &calls[i], &answers[i]);
            print_error("expected status %u, value 0x%08x, slot 0x%08x\n", expected.status,
                        expected.value, expected.slot);
            return false;
        }
    }
    return true;
}

bool world_run_bulk(World *world, uint32_t round) {
    make_calls(world, CALLS_BULK, round);
    VkCommandBuffer cmd = gpu_begin(world->gpu);
    for (uint32_t i = 0; i < world->info.calls; ++i) {
        for (uint32_t t = 0; t < world->info.tables; ++t) {
            record_item(world, t, i);
        }
        gpu_require(murCmdBarrier(cmd, world->tables[0].table));
    }
    record_copy(world);
    gpu_submit(world->gpu);
    memcpy(world->memory, world->copy.mapped, world->copy.size);
    for (uint32_t i = 0; i < world->info.tables; ++i) {
        if (!check_items(world, i) || !check_memory(world, i)) {
            return false;
        }
    }
    return check_gaps(world);
}
