/* SPDX-License-Identifier: MIT */
#include "bulk_judge.h"

#include "support/image.h"

#include <stdlib.h>
#include <string.h>

/* Changes a sequence of GPU commands so that host functions can run it. Returns false if that is
 * impossible: the host has no builds, compactions or status bits, for example. */
static bool adapt(Sequence *sequence) {
    bool able = true;
    for (uint32_t i = 0; i < sequence->commandCount; ++i) {
        Command *command = &sequence->commands[i];
        const CommandKind kind = command->kind;
        const bool streams = command->stream == STREAM_SPARSE || command->stream == STREAM_DENSE;
        able = able && kind != COMMAND_BUILD && kind != COMMAND_COMPACT &&
               kind != COMMAND_REBUILD && !command->exclusive && !command->erases &&
               !command->statusBits && command->predicates[0].compare == MUR_COMPARE_ALWAYS;
        /* If the GPU's rehash is streamed, the host's rehash also leaves the table sorted. */
        command->order = kind == COMMAND_REHASH && streams ? ORDER_YES : ORDER_ANY;
        command->way = WAY_STREAM;
        command->scratch = SCRATCH_ANY;
        command->stream = STREAM_ANY;
        command->slots = command->slots && kind != COMMAND_MERGE;
    }
    return able;
}

static uint32_t *array(const Runner *runner, uint32_t at) {
    return at ? runner->words + at : NULL;
}

static void run_batch(const Runner *runner, const MurHostTable *table, const Command *command,
                      const Placement *at) {
    static const uint32_t done[] = {
        [COMMAND_INSERT] = MUR_INSERTED, [COMMAND_FIND] = MUR_FOUND, [COMMAND_ERASE] = MUR_ERASED};
    const uint32_t count = command_items(command);
    const uint32_t *keys = array(runner, at->keys);
    uint32_t *values = array(runner, at->values), *statuses = array(runner, at->statuses);
    uint32_t *slots = array(runner, at->slots);
    size_t number = command->kind == COMMAND_INSERT
                        ? murHostInsertBatch(table, (MurInsertMode)command->mode, count, keys,
                                             values, array(runner, at->oldValues), statuses, slots)
                    : command->kind == COMMAND_FIND
                        ? murHostFindBatch(table, count, keys, values, statuses, slots)
                        : murHostEraseBatch(table, count, keys, values, statuses, slots);
    for (uint32_t i = 0; i < count && statuses; ++i) {
        number -= statuses[i] == done[command->kind];
    }
    assert_true(number == 0 || !statuses);
}

static void extract(const Runner *runner, const Run *run, const MurHostTable *table,
                    const Command *command, const Placement *at) {
    uint32_t count = 0;
    for (MurHostEntry entry = {0}; murHostNextEntry(table, &entry); ++count) {
        if (count < command->maxCount && at->keys) {
            run_put_number(runner->words + at->keys, count, run->keyWords, entry.key);
        }
        if (count < command->maxCount && at->values) {
            run_put_number(runner->words + at->values, count, run->valueWords, entry.value);
        }
        if (count < command->maxCount && at->slots) {
            runner->words[at->slots + count] = entry.slot;
        }
    }
    runner->words[at->count] = count;
}

static void relocate(const Runner *runner, const MurHostTable *from, const MurHostTable *to,
                     const Command *command, const Placement *at) {
    MurHostMoved moved;
    uint32_t met = 0;
    if (command->kind == COMMAND_MERGE) {
        for (MurHostEntry entry = {0}; murHostNextEntry(from, &entry);) {
            met += murHostFind(to, entry.key).status == MUR_FOUND;
        }
        assert_int_equal(murHostMerge(from, to, (MurInsertMode)command->mode, &moved), VK_SUCCESS);
    } else {
        assert_int_equal(murHostRehash(from, to, array(runner, at->slotMap), &moved), VK_SUCCESS);
    }
    assert_int_equal(moved.met, met);
    if (at->result) {
        const MurRehashResult result = {
            .moved = (uint32_t)(moved.moved + met),
            .dropped = (uint32_t)moved.dropped,
            .failed = (uint32_t)moved.failed,
            .state = ((const uint32_t *)to->pImage)[MUR_HEADER_STATE],
        };
        memcpy(runner->words + at->result, &result, sizeof result);
    }
}

static void run_command(const Runner *runner, const Run *run, uint32_t index,
                        const Image images[2]) {
    const Command *command = &run->sequence->commands[index];
    const Placement *at = &run->placements[index];
    const MurHostTable *table = &images[at->current].table, *other = &images[at->changed].table;
    MurStats stats;
    switch (command->kind) {
    case COMMAND_CLEAR:
        murHostClear(table);
        break;
    case COMMAND_EXTRACT:
        extract(runner, run, table, command, at);
        break;
    case COMMAND_STATS:
        murHostStats(table, &stats);
        memcpy(runner->words + at->stats, &stats, sizeof stats);
        break;
    case COMMAND_PUT:
        memcpy(other->pImage, runner->words + at->put, (size_t)images[at->changed].size);
        break;
    case COMMAND_REHASH:
    case COMMAND_MERGE:
        relocate(runner, table, other, command, at);
        break;
    default:
        run_batch(runner, table, command, at);
    }
}

/* Tables are not cleared, because the first command replaces their content. */
static void open_images(Runner *runner, Run *run, Image images[2]) {
    for (uint32_t s = 0; s < 2 && run->sequence->tables[s].capacity; ++s) {
        Side *side = &run->sides[s];
        side->spec = &run->sequence->tables[s];
        const MurTableCreateInfo info = table_info(side->spec);
        images[s] = image_open(&info);
        side->ref = images[s].table.ref;
        side->imageWords = (uint32_t)(images[s].size / 4);
        side->imageCleared = run_place(runner, true, side->imageWords);
    }
    run_place_commands(runner, run);
    runner->words = malloc(4ull * runner->used);
    assert_non_null(runner->words);
    for (uint32_t i = 0; i < runner->used; ++i) {
        runner->words[i] = POISON;
    }
    run_upload(runner->words, run);
    for (uint32_t s = 0; s < 2 && images[s].size; ++s) {
        uint32_t *words = images[s].table.pImage;
        if (!run_is_cleared(run, s)) {
            memset(words + MUR_HEADER_WORDS, 0x5A, (size_t)images[s].size - MUR_HEADER_SIZE);
        } else if (s == 0 && run->sides[s].spec->ordered) {
            words[MUR_HEADER_STATE] = MUR_STATE_ORDERED;
        }
        memcpy(runner->words + run->sides[s].imageCleared, words, (size_t)images[s].size);
    }
}

bool check_on_host(const Sequence *sequence) {
    Sequence adapted = *sequence;
    if (!adapt(&adapted)) {
        return true;
    }
    Runner runner = {.used = 1};
    Run run = {.sequence = &adapted,
               .keyWords = kind_key_words(adapted.tables[0].kind),
               .valueWords = kind_value_words(adapted.tables[0].kind)};
    Image images[2] = {0};
    open_images(&runner, &run, images);
    for (uint32_t i = 0; i < adapted.commandCount; ++i) {
        run_command(&runner, &run, i, images);
        for (uint32_t s = 0; s < 2 && images[s].size; ++s) {
            memcpy(runner.words + run.placements[i].images[s], images[s].table.pImage,
                   (size_t)images[s].size);
        }
    }
    const bool right = check_run(&runner, &run, "the host");
    for (uint32_t s = 0; s < 2 && images[s].size; ++s) {
        image_close(&images[s]);
    }
    free(runner.words);
    return right;
}
