/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEED = 0x5EED,
    HOST_CAPACITY = 10000 /* The host is slow, so rows with larger tables run on the GPU only. */
};

void rows_open(Rows **rows, Gpu *gpu) {
    *rows = test_allocate(sizeof **rows);
    (*rows)->gpu = gpu;
    (*rows)->runner = runner_open(gpu);
}

/* Returns a value. Some values are frequent. 64-bit values use both words, and their sums carry. */
static uint64_t value_of(const TableKind *kind, const Command *command, uint32_t i) {
    const uint32_t words = kind_value_words(kind);
    const uint32_t random = (uint32_t)oracle_hash(MUR_FORMAT_K32, i, command->salt + 3);
    const uint64_t low = random % 5 == 0 ? 7 : (random & 0x7FFFFFFF) | 1;
    uint64_t value = words == 2 ? (uint64_t)(random >> 8) % 9 << 32 | random | 1 : low;
    if (command->cancels) {
        value = i % 2 ? 0 - (i / 2 + 1ull) : i / 2 + 1ull;
    }
    if (command->invalid && i % command->invalid == command->invalid - 1) {
        value = kind->zero ? 0 : UINT64_MAX;
    }
    return words == 0 ? 1 : words == 1 ? (uint32_t)value : value;
}

static void fill_items(const Sequence *row, Command *command) {
    const OracleConfig config = table_config(&row->tables[0]);
    const uint32_t step = command->step ? command->step : 1;
    const uint32_t times = command->times ? command->times : 1;
    command->items = test_allocate(command->maxCount * sizeof *command->items);
    for (uint32_t i = 0; i < command->maxCount; ++i) {
        const uint32_t turn = command->turn ? i / times % command->turn : i / times;
        const uint32_t number = command->first + turn * step;
        command->items[i] = (Item){
            .key = (command->neighbours ? neighbour_key : numbered_key)(&row->keys, &config,
                                                                        number),
            .value = value_of(row->tables[0].kind, command, i),
        };
    }
}

static void complete_tables(Sequence *row) {
    TableSpec *first = &row->tables[0], *second = &row->tables[1];
    first->kind = first->kind ? first->kind : layout_kind(LAYOUT_k32v32_64, false);
    second->kind = second->kind ? second->kind : kind_without_buckets(first->kind);
    for (uint32_t i = 0; i < 2; ++i) {
        TableSpec *spec = &row->tables[i];
        spec->seed = spec->seed ? spec->seed : SEED;
        spec->uses = true;
        spec->gap = 1;
    }
}

static bool has_items(const Command *command) {
    return command_is_batch(command) || command->kind == COMMAND_PUT;
}

/* Adds finds of all keys of the row's commands, and of keys with neighbouring hashes. */
static void close_row(Sequence *row) {
    uint32_t most = 0;
    const bool set = kind_is_set(row->tables[0].kind);
    for (uint32_t i = 0; i < row->commandCount; ++i) {
        const Command *command = &row->commands[i];
        const uint32_t times = command->times ? command->times : 1;
        const uint32_t all = (command->maxCount + times - 1) / times;
        const uint32_t keys = command->turn && command->turn < all ? command->turn : all;
        const uint32_t end = command->first + keys * (command->step ? command->step : 1);
        if (has_items(command) && end > most) {
            most = end;
        }
    }
    const Command closing[] = {
        {.kind = COMMAND_FIND, .maxCount = most, .values = !set, .statuses = true, .slots = true},
        {.kind = COMMAND_FIND, .maxCount = most, .slots = true, .neighbours = true},
        {.kind = COMMAND_EXTRACT, .maxCount = most, .keys = true, .values = !set, .slots = true},
        {.kind = COMMAND_STATS},
    };
    assert_true(row->commandCount + 4 <= MAX_COMMANDS);
    for (uint32_t i = 0; i < 4; ++i) {
        row->commands[row->commandCount++] = closing[i];
    }
}

static void complete(Sequence *row, bool sorts) {
    complete_tables(row);
    while (row->commands[row->commandCount].kind != COMMAND_END) {
        ++row->commandCount;
    }
    if (!row->bare) {
        close_row(row);
    }
    for (uint32_t i = 0; i < row->commandCount; ++i) {
        Command *command = &row->commands[i];
        command->fit = command->fit ? command->fit : FIT_ALL;
        if (!sorts) { /* the device has neither a sorted nor a partitioned path */
            command->scratch = SCRATCH_ANY;
            command->order = ORDER_ANY;
        }
        if (has_items(command)) {
            fill_items(row, command);
        }
    }
}

static void run_rows(Rows *rows) {
    const bool right = check_runs(rows->runner);
    for (uint32_t i = 0; i < rows->count; ++i) {
        sequence_close(&rows->sequences[i]);
    }
    rows->count = 0;
    assert_true(right);
}

void row_add(Rows *rows, const Sequence *row) {
    if (rows->count == MAX_RUNS) {
        run_rows(rows);
    }
    Sequence *sequence = &rows->sequences[rows->count];
    *sequence = *row;
    complete(sequence, rows->gpu->sharedMemory);
    assert_true(sequence->tables[0].capacity > HOST_CAPACITY || check_on_host(sequence));
    for (uint32_t i = 0; i < 2 && sequence->tables[i].capacity; ++i) {
        const TableKind *kind = sequence->tables[i].kind;
        if (!gpu_offers(rows->gpu, kind->format, kind->width)) {
            sequence_close(sequence);
            return;
        }
    }
    if (!runner_add(rows->runner, sequence)) {
        Sequence *next = test_allocate(sizeof *next);
        *next = *sequence;
        run_rows(rows);
        rows->sequences[0] = *next;
        free(next);
        assert_true(runner_add(rows->runner, &rows->sequences[0]));
    }
    ++rows->count;
}

void rows_close(Rows **rows) {
    run_rows(*rows);
    runner_close((*rows)->runner);
    free(*rows);
}
