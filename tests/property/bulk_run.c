/* SPDX-License-Identifier: MIT */
#include "bulk_run.h"

#include <stdlib.h>
#include <string.h>

enum { IO_WORDS = 3 << 20, ARENA_BYTES = 1 << 20, PLACED_WORDS = IO_WORDS - ARENA_BYTES / 4 };

Runner *runner_open(Gpu *gpu) {
    Runner *runner = test_allocate(sizeof *runner);
    runner->gpu = gpu;
    runner->arena = gpu_device_buffer(gpu, ARENA_BYTES);
    runner->io = gpu_buffer(gpu, 4ull * IO_WORDS);
    runner->words = malloc(4ull * IO_WORDS);
    runner->arenaWords = malloc(ARENA_BYTES);
    assert_true(runner->words && runner->arenaWords);
    runner_reset(runner);
    return runner;
}

void runner_reset(Runner *runner) {
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        murDestroyTable(runner->runs[i].table);
    }
    runner->runCount = 0;
    runner->used = 1; /* word 0 means "not given" */
    runner->arenaUsed = 0;
}

void runner_close(Runner *runner) {
    runner_reset(runner);
    gpu_free(runner->gpu, &runner->arena);
    gpu_free(runner->gpu, &runner->io);
    free(runner->words);
    free(runner->arenaWords);
    free(runner);
}

uint64_t run_number(const uint32_t *words, uint32_t i, uint32_t elementWords) {
    const uint32_t *at = words + (size_t)elementWords * i;
    return elementWords == 2 ? (uint64_t)at[1] << 32 | at[0] : at[0];
}

static void put_number(uint32_t *words, uint32_t i, uint32_t elementWords, uint64_t number) {
    for (uint32_t w = 0; w < elementWords; ++w) {
        words[(size_t)elementWords * i + w] = (uint32_t)(number >> 32 * w);
    }
}

/* ---- Placing -------------------------------------------------------------------------------- */

static uint32_t place(Runner *runner, bool given, uint32_t words) {
    if (!given) {
        return 0;
    }
    uint32_t at = (runner->used + 1) / 2 * 2; /* elements may be of 8 bytes */
    runner->used = at + words + GUARD_WORDS;
    return at;
}

static void place_command(Runner *runner, Run *run, uint32_t index) {
    const Command *command = &run->sequence->commands[index];
    uint32_t count = command->maxCount;
    bool extract = command->kind == COMMAND_EXTRACT;
    bool batch = command_is_batch(command);
    bool insert = command->kind == COMMAND_INSERT;
    bool values = run->valueWords && (command->values || insert);
    run->placements[index] = (Placement){
        .keys = place(runner, batch || (extract && command->keys), run->keyWords * count),
        .values = place(runner, values, run->valueWords * count),
        .statuses = place(runner, command->statuses, count),
        .slots = place(runner, command->slots, count),
        .oldValues = place(runner, insert && command->oldValues, run->valueWords * count),
        .statusBits = place(runner, command->statusBits, (count + 31) / 32),
        .count = place(runner, extract || command->counted, 1),
        .stats = place(runner, command->kind == COMMAND_STATS, MUR_STATS_WORDS),
        .image = place(runner, true, run->imageWords),
    };
}

/* Everything that place_command will ask for, at most. */
static uint64_t io_need(const Sequence *sequence, uint64_t imageWords) {
    uint64_t need = imageWords + GUARD_WORDS + 1;
    for (uint32_t i = 0; i < sequence->commandCount; ++i) {
        need += imageWords + 9ull * sequence->commands[i].maxCount + MUR_STATS_WORDS + 2 +
                9ull * (GUARD_WORDS + 1);
    }
    return need;
}

static void upload(Runner *runner, const Run *run) {
    uint32_t *io = runner->io.mapped;
    for (uint32_t c = 0; c < run->sequence->commandCount; ++c) {
        const Command *command = &run->sequence->commands[c];
        const Placement *at = &run->placements[c];
        if (command->kind == COMMAND_EXTRACT) {
            continue;
        }
        for (uint32_t i = 0; at->keys && i < command->maxCount; ++i) {
            put_number(io + at->keys, i, run->keyWords, command->items[i].key);
            if (command->kind == COMMAND_INSERT) {
                put_number(io + at->values, i, run->valueWords, command->items[i].value);
            }
        }
        if (at->count) {
            io[at->count] = command->gpuCount;
        }
    }
}

bool runner_add(Runner *runner, const Sequence *sequence) {
    const TableSpec *spec = &sequence->table;
    MurTableCreateInfo info = table_info(spec);
    MurTableRequirements need;
    gpu_require(murGetTableRequirements(runner->gpu->context, &info, &need));
    VkDeviceSize offset = runner->arenaUsed + 256ull * spec->gap;
    offset = (offset + need.alignment - 1) / need.alignment * need.alignment;
    bool arenaFull = !spec->ownMemory && offset + need.size > ARENA_BYTES;
    if (runner->runCount == MAX_RUNS || arenaFull ||
        runner->used + io_need(sequence, need.size / 4) > PLACED_WORDS) {
        assert_true(runner->runCount > 0); /* a sequence alone always fits */
        return false;
    }
    if (!spec->ownMemory) {
        info.memory = (MurBufferRange){runner->arena.buffer, offset, need.size};
        runner->arenaUsed = offset + need.size;
    }
    Run *run = &runner->runs[runner->runCount++];
    *run = (Run){.sequence = sequence,
                 .imageWords = (uint32_t)(need.size / 4),
                 .keyWords = kind_key_words(spec->kind),
                 .valueWords = kind_value_words(spec->kind)};
    gpu_require(murCreateTable(runner->gpu->context, &info, &run->table));
    run->ref = murGetTableRef(run->table);
    run->memory = murGetTableMemory(run->table);
    run->imageCleared = place(runner, true, run->imageWords);
    for (uint32_t i = 0; i < sequence->commandCount; ++i) {
        place_command(runner, run, i);
    }
    return true;
}

/* ---- Recording ------------------------------------------------------------------------------ */

static MurArray array(const Runner *runner, uint32_t at, uint32_t count) {
    return at ? gpu_part(&runner->io, at, count) : (MurArray){0, 0};
}

static void record_extract(Runner *runner, const Run *run, const Command *command,
                           const Placement *at) {
    MurExtract extract = {
        .maxCount = command->maxCount,
        .countAddress = array(runner, at->count, 1).address,
        .keys = array(runner, at->keys, run->keyWords * command->maxCount),
        .values = array(runner, at->values, run->valueWords * command->maxCount),
        .slots = array(runner, at->slots, command->maxCount),
    };
    memcpy(extract.predicates, command->predicates, sizeof extract.predicates);
    gpu_require((command->erases ? murCmdEraseWhere : murCmdExtract)(runner->gpu->cmd, run->table,
                                                                     &extract));
}

static void record_command(Runner *runner, const Run *run, uint32_t index) {
    const Command *command = &run->sequence->commands[index];
    const Placement *at = &run->placements[index];
    VkCommandBuffer cmd = runner->gpu->cmd;
    const MurBatch batch = {
        .maxCount = command->maxCount,
        .countAddress = array(runner, at->count, 1).address,
        .keys = array(runner, at->keys, run->keyWords * command->maxCount),
        .values = array(runner, at->values, run->valueWords * command->maxCount),
        .statuses = array(runner, at->statuses, command->maxCount),
        .slots = array(runner, at->slots, command->maxCount),
        .oldValues = array(runner, at->oldValues, run->valueWords * command->maxCount),
        .statusBits = array(runner, at->statusBits, (command->maxCount + 31) / 32),
        .flags = command->frees ? MUR_BATCH_EXCLUSIVE : 0,
    };
    switch (command->kind) {
    case COMMAND_CLEAR:
        gpu_require(murCmdClear(cmd, run->table));
        break;
    case COMMAND_INSERT:
        gpu_take(runner->gpu, (Way)command->way);
        gpu_require(murCmdInsert(cmd, run->table, (MurInsertMode)command->mode, &batch));
        gpu_take(runner->gpu, WAY_DEFAULT);
        break;
    case COMMAND_FIND:
        gpu_require(murCmdFind(cmd, run->table, &batch));
        break;
    case COMMAND_ERASE:
        gpu_require(murCmdErase(cmd, run->table, &batch));
        break;
    case COMMAND_EXTRACT:
        record_extract(runner, run, command, at);
        break;
    case COMMAND_STATS:
        gpu_require(murCmdStats(cmd, run->table, array(runner, at->stats, MUR_STATS_WORDS)));
        break;
    case COMMAND_REBUILD:
        gpu_require(murCmdRebuildFilter(cmd, run->table));
        break;
    }
}

/* Copies the table of every run that took the step: step 0 is the first clear. */
static void record_images(Runner *runner, uint32_t step) {
    gpu_barrier(runner->gpu);
    VkBufferCopy regions[MAX_RUNS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        const Run *run = &runner->runs[i];
        if (step > run->sequence->commandCount) {
            continue;
        }
        uint32_t to = step == 0 ? run->imageCleared : run->placements[step - 1].image;
        VkBufferCopy region = {run->memory.offset, 4ull * to, 4ull * run->imageWords};
        if (run->memory.buffer == runner->arena.buffer) {
            regions[count++] = region;
        } else {
            vkCmdCopyBuffer(runner->gpu->cmd, run->memory.buffer, runner->io.buffer, 1, &region);
        }
    }
    if (count) {
        vkCmdCopyBuffer(runner->gpu->cmd, runner->arena.buffer, runner->io.buffer, count, regions);
    }
    gpu_barrier(runner->gpu);
}

/* The clear that a table needs, and the state bit that no command sets yet. */
static void record_clears(Runner *runner) {
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        gpu_require(murCmdClear(runner->gpu->cmd, runner->runs[i].table));
    }
    gpu_barrier(runner->gpu);
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        const Run *run = &runner->runs[i];
        if (run->sequence->table.ordered) {
            vkCmdFillBuffer(runner->gpu->cmd, run->memory.buffer,
                            run->memory.offset + 4 * MUR_HEADER_STATE, 4, MUR_STATE_ORDERED);
        }
    }
}

static void record(Runner *runner, uint32_t arenaCopy) {
    VkCommandBuffer cmd = gpu_begin(runner->gpu);
    vkCmdFillBuffer(cmd, runner->arena.buffer, 0, VK_WHOLE_SIZE, POISON);
    gpu_barrier(runner->gpu);
    record_clears(runner);
    record_images(runner, 0);
    for (uint32_t step = 1; step <= MAX_COMMANDS; ++step) {
        bool any = false;
        for (uint32_t i = 0; i < runner->runCount; ++i) {
            if (step <= runner->runs[i].sequence->commandCount) {
                record_command(runner, &runner->runs[i], step - 1);
                any = true;
            }
        }
        if (!any) {
            break;
        }
        record_images(runner, step);
    }
    if (runner->arenaUsed) {
        const VkBufferCopy region = {0, 4ull * arenaCopy, runner->arenaUsed};
        vkCmdCopyBuffer(cmd, runner->arena.buffer, runner->io.buffer, 1, &region);
    }
    gpu_submit(runner->gpu);
}

void runner_submit(Runner *runner) {
    /* The arena's last state goes behind the arrays, in room that no sequence is given. */
    uint32_t arenaWords = (uint32_t)(runner->arenaUsed / 4);
    uint32_t *io = runner->io.mapped;
    for (uint32_t i = 0; i < runner->used; ++i) {
        io[i] = POISON;
    }
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        upload(runner, &runner->runs[i]);
    }
    record(runner, runner->used);
    memcpy(runner->words, io, 4ull * runner->used);
    memcpy(runner->arenaWords, io + runner->used, 4ull * arenaWords);
}
