/* SPDX-License-Identifier: MIT */
#include "bulk_run.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_WORDS = 11 << 18, ARENA_BYTES = 1 << 20 };

static void open_io(Runner *runner, uint32_t room) {
    runner->room = room;
    runner->io = gpu_buffer(runner->gpu, 4ull * room + ARENA_BYTES);
    runner->words = malloc(4ull * room);
    assert_non_null(runner->words);
}

static void close_io(Runner *runner) {
    gpu_free(runner->gpu, &runner->io);
    free(runner->words);
}

Runner *runner_open(Gpu *gpu) {
    Runner *runner = test_allocate(sizeof *runner);
    runner->gpu = gpu;
    runner->arena = gpu_device_buffer(gpu, ARENA_BYTES);
    open_io(runner, ROOM_WORDS);
    runner->arenaWords = malloc(ARENA_BYTES);
    assert_non_null(runner->arenaWords);
    runner_reset(runner);
    return runner;
}

void runner_reset(Runner *runner) {
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        murDestroyTable(runner->runs[i].sides[0].table);
        murDestroyTable(runner->runs[i].sides[1].table);
    }
    runner->runCount = 0;
    runner->used = 1; /* not 0, because offset 0 means "no such array" */
    runner->arenaUsed = 0;
}

void runner_close(Runner *runner) {
    runner_reset(runner);
    gpu_free(runner->gpu, &runner->arena);
    close_io(runner);
    free(runner->arenaWords);
    free(runner);
}

uint64_t run_number(const uint32_t *words, uint32_t i, uint32_t elementWords) {
    const uint32_t *at = words + (size_t)elementWords * i;
    return elementWords == 2 ? (uint64_t)at[1] << 32 | at[0] : at[0];
}

void run_put_number(uint32_t *words, uint32_t i, uint32_t elementWords, uint64_t number) {
    for (uint32_t w = 0; w < elementWords; ++w) {
        words[(size_t)elementWords * i + w] = (uint32_t)(number >> 32 * w);
    }
}

/* Arrays begin at multiples of 8 bytes, because elements may have 8 bytes; scratch memory at 32. */
uint32_t run_place(Runner *runner, bool given, uint32_t words) {
    if (!given) {
        return 0;
    }
    const uint32_t at = (runner->used + 7) / 8 * 8;
    runner->used = at + words + GUARD_WORDS;
    return at;
}

static MurArray array(const Runner *runner, uint32_t at, uint32_t count) {
    return at ? gpu_part(&runner->io, at, count) : (MurArray){0, 0};
}

static MurBatch batch_of(const Runner *runner, const Run *run, uint32_t index) {
    const Command *command = &run->sequence->commands[index];
    const Placement *at = &run->placements[index];
    return (MurBatch){
        .maxCount = command->maxCount,
        .countAddress = array(runner, at->count, 1).address,
        .keys = array(runner, at->keys, run->keyWords * command->maxCount),
        .values = array(runner, at->values, run->valueWords * command->maxCount),
        .statuses = array(runner, at->statuses, command->maxCount),
        .slots = array(runner, at->slots, command->maxCount),
        .oldValues = array(runner, at->oldValues, run->valueWords * command->maxCount),
        .statusBits = array(runner, at->statusBits, (command->maxCount + 31) / 32),
        .scratch = {at->scratch ? array(runner, at->scratch, 1).address : 0, at->scratchNeed},
        .flags = command->exclusive ? MUR_BATCH_EXCLUSIVE : 0,
    };
}

static void place_scratch(Runner *runner, Run *run, uint32_t index) {
    static const MurCommand names[] = {[COMMAND_INSERT] = MUR_COMMAND_INSERT,
                                       [COMMAND_FIND] = MUR_COMMAND_FIND,
                                       [COMMAND_ERASE] = MUR_COMMAND_ERASE,
                                       [COMMAND_BUILD] = MUR_COMMAND_BUILD};
    const Command *command = &run->sequence->commands[index];
    Placement *at = &run->placements[index];
    const MurTable table = run->sides[at->current].table;
    if (table && command_is_batch(command)) {
        const MurBatch batch = batch_of(runner, run, index);
        gpu_take(runner->gpu, command->way);
        at->scratchNeed = murGetScratchSize(table, names[command->kind],
                                            (MurInsertMode)command->mode, &batch);
    } else if (table && command->kind == COMMAND_COMPACT) {
        at->scratchNeed = murGetScratchSize(table, MUR_COMMAND_COMPACT, 0, NULL);
    }
    at->scratchNeed -= command->scratch == SCRATCH_SHORT && at->scratchNeed;
    at->scratchWords = (uint32_t)((at->scratchNeed + 3) / 4);
    at->scratch = run_place(runner, at->scratchNeed != 0, at->scratchWords);
}

static void place_command(Runner *runner, Run *run, uint32_t index, uint32_t current) {
    const Command *command = &run->sequence->commands[index];
    const uint32_t count = command->maxCount;
    const bool extract = command->kind == COMMAND_EXTRACT, batch = command_is_batch(command);
    const bool inserts = command_inserts(command), relocates = command_relocates(command);
    const bool values = run->valueWords && (command->values || inserts);
    const Side *side = &run->sides[current];
    const uint32_t slots = side->ref.slotCount + MUR_EXTRA_SLOTS(side->spec->kind->format);
    Placement *at = &run->placements[index];
    *at = (Placement){
        .keys = run_place(runner, batch || (extract && command->keys), run->keyWords * count),
        .values = run_place(runner, values, run->valueWords * count),
        .statuses = run_place(runner, command->statuses, count),
        .slots = run_place(runner, command->slots && !relocates, count),
        .oldValues = run_place(runner, inserts && command->oldValues, run->valueWords * count),
        .statusBits = run_place(runner, command->statusBits, (count + 31) / 32),
        .count = run_place(runner, extract || command->counted, 1),
        .stats = run_place(runner, command->kind == COMMAND_STATS, MUR_STATS_WORDS),
        .result = run_place(runner, relocates && command->result, MUR_REHASH_WORDS),
        .slotMap = run_place(runner, relocates && command->slots, slots),
        .put = run_place(runner, command->kind == COMMAND_PUT,
                         run->sides[command->other].imageWords),
        .current = current,
        .changed = current ^ (command_changes_table(command) || command->other),
    };
    place_scratch(runner, run, index);
    for (uint32_t s = 0; s < 2; ++s) {
        at->images[s] = run_place(runner, run->sides[s].imageWords != 0, run->sides[s].imageWords);
    }
}

void run_place_commands(Runner *runner, Run *run) {
    for (uint32_t i = 0, current = 0; i < run->sequence->commandCount; ++i) {
        place_command(runner, run, i, current);
        current ^= command_changes_table(&run->sequence->commands[i]);
    }
}

/* The second table follows the first. */
static bool open_side(Runner *runner, Side *side, const TableSpec *spec) {
    MurTableCreateInfo info = table_info(spec);
    MurTableRequirements need;
    gpu_require(murGetTableRequirements(runner->gpu->context, &info, &need));
    VkDeviceSize offset = runner->arenaUsed + 256ull * spec->gap;
    offset = (offset + need.alignment - 1) / need.alignment * need.alignment;
    const bool own = spec->ownMemory || need.size > ARENA_BYTES / 4;
    if (!own && offset + need.size > ARENA_BYTES) {
        return false;
    }
    if (!own) {
        info.memory = (MurBufferRange){runner->arena.buffer, offset, need.size};
        runner->arenaUsed = offset + need.size;
    }
    gpu_require(murCreateTable(runner->gpu->context, &info, &side->table));
    side->spec = spec;
    side->imageWords = (uint32_t)(need.size / 4);
    side->ref = murGetTableRef(side->table);
    side->memory = murGetTableMemory(side->table);
    assert_int_equal(murGetMaxEntries(side->table),
                     side->ref.slotCount + MUR_EXTRA_SLOTS(spec->kind->format));
    side->imageCleared = run_place(runner, true, side->imageWords);
    return true;
}

static bool open_run(Runner *runner, Run *run, const Sequence *sequence) {
    const TableKind *kind = sequence->tables[0].kind;
    *run = (Run){.sequence = sequence,
                 .keyWords = kind_key_words(kind),
                 .valueWords = kind_value_words(kind)};
    for (uint32_t s = 0; s < 2 && sequence->tables[s].capacity; ++s) {
        if (!open_side(runner, &run->sides[s], &sequence->tables[s])) {
            return false;
        }
    }
    run_place_commands(runner, run);
    gpu_take(runner->gpu, WAY_DEFAULT);
    return runner->used <= runner->room;
}

static void discard(Runner *runner, Run *run, uint32_t used, VkDeviceSize arenaUsed) {
    murDestroyTable(run->sides[0].table);
    murDestroyTable(run->sides[1].table);
    runner->used = used;
    runner->arenaUsed = arenaUsed;
}

bool runner_add(Runner *runner, const Sequence *sequence) {
    const uint32_t used = runner->used;
    const VkDeviceSize arenaUsed = runner->arenaUsed;
    if (runner->runCount == MAX_RUNS) {
        return false;
    }
    Run *run = &runner->runs[runner->runCount];
    if (!open_run(runner, run, sequence)) {
        const uint32_t room = runner->used;
        discard(runner, run, used, arenaUsed);
        if (runner->runCount != 0) {
            return false;
        }
        close_io(runner); /* memory grows if even one sequence does not fit */
        open_io(runner, room);
        assert_true(open_run(runner, run, sequence));
    }
    ++runner->runCount;
    return true;
}

bool run_is_cleared(const Run *run, uint32_t side) {
    for (uint32_t i = 0; i < run->sequence->commandCount; ++i) {
        const CommandKind kind = run->sequence->commands[i].kind;
        if (run->placements[i].current == side || run->placements[i].changed == side) {
            return run->placements[i].changed != side ||
                   (kind != COMMAND_BUILD && kind != COMMAND_REHASH);
        }
    }
    return true;
}

Oracle run_put(const Run *run, const Command *command, uint32_t side) {
    const OracleConfig config = table_config(run->sides[side].spec);
    Oracle oracle;
    oracle_open(&oracle, &config);
    const uint32_t sectors = oracle.probeSectors;
    oracle.probeSectors = config.flags & MUR_TABLE_BUCKETS ? sectors : config.slotCount;
    for (uint32_t i = 0; i < command->maxCount; ++i) {
        const Item *item = &command->items[i];
        if (oracle_insert(&oracle, MUR_MODE_ASSIGN, item->key, item->value).status == MUR_FULL) {
            fail_msg("%s: key %u of %u does not fit", run->sequence->name, i, command->maxCount);
        }
        if (9 - i % 10 < command->erased) {
            oracle_erase(&oracle, item->key);
        }
    }
    oracle.probeSectors = sectors;
    oracle.full = command->full;
    oracle.refused = command->refused;
    return oracle;
}

void run_upload(uint32_t *io, const Run *run) {
    for (uint32_t c = 0; c < run->sequence->commandCount; ++c) {
        const Command *command = &run->sequence->commands[c];
        const Placement *at = &run->placements[c];
        if (at->put) {
            Oracle oracle = run_put(run, command, at->changed);
            oracle_image(&oracle, io + at->put);
            oracle_close(&oracle);
        }
        if (command->kind == COMMAND_EXTRACT) {
            continue;
        }
        for (uint32_t i = 0; at->keys && i < command->maxCount; ++i) {
            run_put_number(io + at->keys, i, run->keyWords, command->items[i].key);
            if (command_inserts(command)) {
                run_put_number(io + at->values, i, run->valueWords, command->items[i].value);
            }
        }
        if (at->count) {
            io[at->count] = command->gpuCount;
        }
    }
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
    gpu_require((command->erases ? murCmdEraseWhere : murCmdExtract)(
        runner->gpu->cmd, run->sides[at->current].table, &extract));
}

static void record_relocation(Runner *runner, const Run *run, const Command *command,
                              const Placement *at) {
    const VkCommandBuffer cmd = runner->gpu->cmd;
    const MurTable from = run->sides[at->current].table, to = run->sides[at->changed].table;
    const Side *side = &run->sides[at->current];
    const uint32_t slots = side->ref.slotCount + MUR_EXTRA_SLOTS(side->spec->kind->format);
    const MurRehash rehash = {
        .slotMap = array(runner, at->slotMap, slots),
        .result = array(runner, at->result, MUR_REHASH_WORDS),
        .scratch = {array(runner, at->scratch, 1).address, at->scratchNeed},
    };
    const MurRehash *outputs = command->slots || command->result ? &rehash : NULL;
    gpu_require(command->kind == COMMAND_COMPACT ? murCmdCompact(cmd, from, &rehash)
                : command->kind == COMMAND_REHASH
                    ? murCmdRehash(cmd, from, to, outputs)
                    : murCmdMerge(cmd, from, to, (MurInsertMode)command->mode, outputs));
}

static void record_put(Runner *runner, const Run *run, const Placement *at) {
    const Side *side = &run->sides[at->changed];
    const VkBufferCopy region = {4ull * at->put, side->memory.offset, 4ull * side->imageWords};
    vkCmdCopyBuffer(runner->gpu->cmd, runner->io.buffer, side->memory.buffer, 1, &region);
}

static void record_command(Runner *runner, const Run *run, uint32_t index) {
    const Command *command = &run->sequence->commands[index];
    const Placement *at = &run->placements[index];
    const VkCommandBuffer cmd = runner->gpu->cmd;
    const MurTable table = run->sides[at->current].table;
    const MurInsertMode mode = (MurInsertMode)command->mode;
    const MurBatch batch = batch_of(runner, run, index);
    gpu_take(runner->gpu, command->way);
    switch (command->kind) {
    case COMMAND_CLEAR:
        gpu_require(murCmdClear(cmd, table));
        break;
    case COMMAND_INSERT:
        gpu_require(murCmdInsert(cmd, table, mode, &batch));
        break;
    case COMMAND_BUILD:
        gpu_require(murCmdBuild(cmd, table, mode, &batch));
        break;
    case COMMAND_FIND:
        gpu_require(murCmdFind(cmd, table, &batch));
        break;
    case COMMAND_ERASE:
        gpu_require(murCmdErase(cmd, table, &batch));
        break;
    case COMMAND_EXTRACT:
        record_extract(runner, run, command, at);
        break;
    case COMMAND_STATS:
        gpu_require(murCmdStats(cmd, table, array(runner, at->stats, MUR_STATS_WORDS)));
        break;
    case COMMAND_REBUILD:
        gpu_require(murCmdRebuildFilter(cmd, table));
        break;
    case COMMAND_PUT:
        record_put(runner, run, at);
        break;
    default:
        record_relocation(runner, run, command, at);
    }
}

/* Copies the tables after this step of every run. Step 0 is the first clear. */
static void record_images(Runner *runner, uint32_t step) {
    gpu_barrier(runner->gpu);
    VkBufferCopy regions[2 * MAX_RUNS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * runner->runCount; ++i) {
        const Run *run = &runner->runs[i / 2];
        const Side *side = &run->sides[i % 2];
        if (step > run->sequence->commandCount || !side->table) {
            continue;
        }
        const uint32_t to = step == 0 ? side->imageCleared
                                      : run->placements[step - 1].images[i % 2];
        const VkBufferCopy region = {side->memory.offset, 4ull * to, 4ull * side->imageWords};
        if (side->memory.buffer == runner->arena.buffer) {
            regions[count++] = region;
        } else {
            vkCmdCopyBuffer(runner->gpu->cmd, side->memory.buffer, runner->io.buffer, 1, &region);
        }
    }
    if (count) {
        vkCmdCopyBuffer(runner->gpu->cmd, runner->arena.buffer, runner->io.buffer, count, regions);
    }
    gpu_barrier(runner->gpu);
}

/* Clears the tables that need it. Sets MUR_STATE_ORDERED, because no command sets it. */
static void record_clears(Runner *runner) {
    for (uint32_t i = 0; i < 2 * runner->runCount; ++i) {
        const Side *side = &runner->runs[i / 2].sides[i % 2];
        if (side->table && run_is_cleared(&runner->runs[i / 2], i % 2)) {
            gpu_require(murCmdClear(runner->gpu->cmd, side->table));
        }
    }
    gpu_barrier(runner->gpu);
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        const Side *side = &runner->runs[i].sides[0];
        if (side->spec->ordered && run_is_cleared(&runner->runs[i], 0)) {
            vkCmdFillBuffer(runner->gpu->cmd, side->memory.buffer,
                            side->memory.offset + 4 * MUR_HEADER_STATE, 4, MUR_STATE_ORDERED);
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
        gpu_take(runner->gpu, WAY_DEFAULT);
        record_images(runner, step);
    }
    if (runner->arenaUsed) {
        const VkBufferCopy region = {0, 4ull * arenaCopy, runner->arenaUsed};
        vkCmdCopyBuffer(cmd, runner->arena.buffer, runner->io.buffer, 1, &region);
    }
    gpu_submit(runner->gpu);
}

void runner_submit(Runner *runner) {
    /* The arena (all tables) is copied to the end of io, after the arrays of all sequences. */
    uint32_t arenaWords = (uint32_t)(runner->arenaUsed / 4);
    uint32_t *io = runner->io.mapped;
    for (uint32_t i = 0; i < runner->used; ++i) {
        io[i] = POISON;
    }
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        run_upload(io, &runner->runs[i]);
    }
    record(runner, runner->used);
    memcpy(runner->words, io, 4ull * runner->used);
    memcpy(runner->arenaWords, io + runner->used, 4ull * arenaWords);
}
