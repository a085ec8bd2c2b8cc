/* Random sequences of bulk commands against the oracle.
 * SPDX-License-Identifier: MIT */
#include "bulk_check.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <stdlib.h>

enum { SEQUENCES = 2000, SAMPLED = 500 };

/* Returns whether only the second table needs 64-bit atomics that the device lacks. */
static bool lacks_second_table(const Gpu *gpu, const Sequence *sequence) {
    const TableSpec *tables = sequence->tables;
    return !gpu->int64Atomics && tables[1].uses && !kind_is_wide(tables[0].kind) &&
           kind_is_wide(tables[1].kind);
}

/* Runs sequences first, first + step, ... below end. Each run has as many as fit into memory. */
static void run_sequences(Gpu *gpu, uint64_t first, uint64_t step, uint64_t end) {
    Runner *runner = runner_open(gpu);
    Sequence *sequences = test_allocate(MAX_RUNS * sizeof *sequences);
    bool right = true;
    watchdog(120 + (first < end ? (unsigned)((end - first) / step / 100) : 0));
    for (uint64_t seed = first; seed < end && right;) {
        for (uint32_t n = 0; n < MAX_RUNS && seed < end; seed += step) {
            sequence_generate(&sequences[n], seed);
            if (lacks_second_table(gpu, &sequences[n])) {
                sequence_close(&sequences[n]);
                continue;
            }
            if (!runner_add(runner, &sequences[n])) {
                break;
            }
            ++n;
        }
        right = check_runs(runner);
        for (uint32_t n = 0; n < MAX_RUNS; ++n) {
            sequence_close(&sequences[n]);
        }
    }
    free(sequences);
    runner_close(runner);
    assert_true(right);
}

static void run_kind(Gpu *gpu, KindName kind) {
    const uint64_t seed = test_seed(0), count = test_full() ? 15000 : SEQUENCES;
    const uint32_t first = (uint32_t)(seed % ALL_KINDS);
    run_sequences(gpu, seed + (kind + ALL_KINDS - first) % ALL_KINDS, ALL_KINDS, seed + count);
}

/* Defines a case for a table type. Its sequences use every probe limit. */
#define KIND_CASE(name)             \
    GPU_TEST(sequences_of_##name) { \
        run_kind(gpu, KIND_##name); \
    }
TABLE_KIND_NAMES(KIND_CASE)
BUCKET_KIND_NAMES(KIND_CASE)

/* Counts of special situations. Each must occur, because otherwise its check would test nothing. */
typedef struct Corners {
    uint32_t statuses[MUR_UNSUPPORTED];
    uint32_t wrapped;     /* tables with wrapped probes */
    uint32_t stuffed;     /* tables in which every slot is claimed */
    uint32_t extra;       /* tables with an entry in a sentinel slot */
    uint32_t reused;      /* inserts that claim the slot that the key had before its erase */
    uint32_t truncated;   /* extractions with arrays that are too small */
    uint32_t erasedWhere; /* entries erased by a predicate */
    uint32_t clampedHigh; /* batches whose GPU count exceeds the maximum */
    uint32_t clampedLow;  /* batches whose GPU count is below the maximum */
    uint32_t second;      /* bucketed tables with an entry in the second bucket of its key */
    uint32_t full;        /* MUR_FULL in bucketed tables */
    uint32_t room;        /* MUR_FULL although buckets of other keys have free slots */
    uint32_t built, moved, merged, compacted; /* commands that leave entries in the table */
    uint32_t ordered;                         /* sorted tables */
} Corners;

/* Returns the table of an image, or an empty table if image is NULL. */
static Oracle oracle_of(const uint32_t *image, const Run *run, uint32_t side) {
    const OracleConfig config = table_config(run->sides[side].spec);
    Oracle oracle;
    oracle_open(&oracle, &config);
    assert_null(image ? oracle_adopt(&oracle, image) : NULL);
    return oracle;
}

static bool in_second(const Oracle *oracle) {
    bool any = false;
    for (uint32_t s = 0; s < oracle->config.slotCount && oracle->config.flags; ++s) {
        any = any || (oracle->slot[s].state == ORACLE_CLAIMED &&
                      s / 16 != oracle_bucket(oracle, oracle->slot[s].key, 0) / 16);
    }
    return any;
}

static void count_image(Corners *corners, const Oracle *oracle) {
    const uint32_t slotCount = oracle->config.slotCount;
    bool stuffed = true;
    for (uint32_t s = 0; s < slotCount; ++s) {
        stuffed = stuffed && oracle->slot[s].state != ORACLE_FREE;
    }
    corners->stuffed += stuffed;
    corners->wrapped += oracle->wrapped;
    corners->second += in_second(oracle);
    corners->extra += oracle->slot[slotCount].value != oracle->none;
}

static void count_command(Corners *corners, const uint32_t *words, const Run *run, uint32_t index) {
    const Command *command = &run->sequence->commands[index];
    const Placement *at = &run->placements[index];
    const uint32_t side = at->changed;
    const bool inserts = command->kind == COMMAND_INSERT;
    Oracle now = oracle_of(words + at->images[side], run, side);
    const bool follows = inserts && index;
    Oracle before = oracle_of(follows ? words + run->placements[index - 1].images[side] : NULL, run,
                              side);
    count_image(corners, &now);
    const uint32_t live = oracle_stats(&now).live != 0;
    corners->built += command->kind == COMMAND_BUILD && live;
    corners->moved += command->kind == COMMAND_REHASH && live;
    corners->merged += command->kind == COMMAND_MERGE && live;
    corners->compacted += command->kind == COMMAND_COMPACT && live;
    corners->ordered += now.ordered && live && !inserts;
    corners->truncated += command->kind == COMMAND_EXTRACT && words[at->count] > command->maxCount;
    corners->erasedWhere += command->kind == COMMAND_EXTRACT && command->erases && words[at->count];
    corners->clampedHigh += command->counted && command->gpuCount > command->maxCount;
    corners->clampedLow += command->counted && command->gpuCount < command->maxCount;
    for (uint32_t i = 0; at->statuses && i < command_items(command); ++i) {
        const uint32_t status = words[at->statuses + i];
        const uint32_t slot = at->slots ? words[at->slots + i] : MUR_NO_SLOT;
        assert_true(status < MUR_UNSUPPORTED);
        ++corners->statuses[status];
        corners->full += now.config.flags && status == MUR_FULL;
        corners->room += now.config.flags && status == MUR_FULL && oracle_stats(&now).freeSlots > 2;
        corners->reused += inserts && status == MUR_INSERTED && slot < now.config.slotCount &&
                           before.slot[slot].state == ORACLE_CLAIMED;
    }
    oracle_close(&now);
    oracle_close(&before);
}

GPU_TEST(sequences_cover_special_situations) {
    Runner *runner = runner_open(gpu);
    Sequence *sequence = test_allocate(sizeof *sequence);
    Corners corners = {0};
    for (uint64_t seed = 0; seed < SAMPLED; ++seed) {
        sequence_generate(sequence, seed);
        runner_reset(runner);
        runner_add(runner, sequence);
        runner_submit(runner);
        for (uint32_t i = 0; i < sequence->commandCount; ++i) {
            count_command(&corners, runner->words, &runner->runs[0], i);
        }
        sequence_close(sequence);
    }
    free(sequence);
    runner_close(runner);
    const uint32_t *counts = (const uint32_t *)&corners;
    for (size_t i = 0; i < sizeof corners / sizeof *counts; ++i) {
        if (counts[i] < 20) {
            fail_msg("corner %zu was reached only %u times", i, counts[i]);
        }
    }
}
