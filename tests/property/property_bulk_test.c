/* Random sequences of bulk commands against the oracle.
 *
 * SPDX-License-Identifier: MIT */
#include "bulk_check.h"
#include "bulk_lies.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 4600, SAMPLED = 460 };

/* ---- Running, reporting ---------------------------------------------------------------------- */

static void report(const Sequence *sequence, const Failure *failure) {
    print_error("sequence %llu failed (kind %u):\n", (unsigned long long)sequence->seed,
                (unsigned)(sequence->seed % SEQUENCE_KINDS));
    sequence_print(sequence);
    if (failure->command < sequence->commandCount) {
        print_error("  command %u: ", failure->command + 1);
    }
    print_error("%s\nagain, first of its kind: MUR_TEST_SEED=%llu property_bulk_test\n",
                failure->text, (unsigned long long)sequence->seed);
}

static bool run_batch(Runner *runner) {
    Failure failure;
    bool right = true;
    runner_submit(runner);
    for (uint32_t i = 0; i < runner->runCount && right; ++i) {
        right = check_run(runner, &runner->runs[i], &failure);
        if (!right) {
            report(runner->runs[i].sequence, &failure);
        }
    }
    if (right && !check_arena(runner, &failure)) {
        print_error("%s\n", failure.text);
        right = false;
    }
    runner_reset(runner);
    return right;
}

/* Sequences first, first + step, ... below end, as many at a time as fit. */
static void run_sequences(Gpu *gpu, uint64_t first, uint64_t step, uint64_t end) {
    Runner *runner = runner_open(gpu);
    Sequence *sequences = test_allocate(MAX_RUNS * sizeof *sequences);
    bool right = true;
    watchdog(120 + (first < end ? (unsigned)((end - first) / step / 100) : 0));
    for (uint64_t seed = first; seed < end && right;) {
        for (uint32_t n = 0; n < MAX_RUNS && seed < end; ++n, seed += step) {
            sequence_generate(&sequences[n], seed);
            if (!runner_add(runner, &sequences[n])) {
                break;
            }
        }
        right = run_batch(runner);
    }
    free(sequences);
    runner_close(runner);
    assert_true(right);
}

static void run_kind(Gpu *gpu, KindName kind) {
    const uint64_t seed = test_seed(0), count = test_full() ? 3 * SEQUENCES : SEQUENCES;
    const uint32_t first = (uint32_t)(seed % ALL_KINDS);
    run_sequences(gpu, seed + (kind + ALL_KINDS - first) % ALL_KINDS, ALL_KINDS, seed + count);
}

/* One case a kind: by every probe limit. */
#define KIND_CASE(name)             \
    GPU_TEST(sequences_of_##name) { \
        run_kind(gpu, KIND_##name); \
    }
TABLE_KIND_NAMES(KIND_CASE)
BUCKET_KIND_NAMES(KIND_CASE)

/* ---- The checks themselves ------------------------------------------------------------------- */

/* Each lie, told in every sequence that has a place for it, is found in every one. */
GPU_TEST(falsified_results_are_found) {
    Runner *runner = runner_open(gpu);
    Sequence *sequence = test_allocate(sizeof *sequence);
    uint32_t told[LIE_COUNT] = {0};
    for (uint64_t seed = 0; seed < SAMPLED; ++seed) {
        sequence_generate(sequence, seed);
        runner_reset(runner);
        runner_add(runner, sequence);
        runner_submit(runner);
        uint32_t *truth = test_allocate(4ull * runner->used);
        memcpy(truth, runner->words, 4ull * runner->used);
        Failure failure;
        assert_true(check_run(runner, &runner->runs[0], &failure));
        for (size_t i = 0; i < LIE_COUNT; ++i) {
            memcpy(runner->words, truth, 4ull * runner->used);
            bool lied = lies[i].falsify(runner->words, &runner->runs[0]);
            told[i] += lied;
            if (lied && check_run(runner, &runner->runs[0], &failure)) {
                print_error("sequence %llu: %s: not found\n", (unsigned long long)seed,
                            lies[i].name);
                sequence_print(sequence);
                fail();
            }
        }
        free(truth);
    }
    for (size_t i = 0; i < LIE_COUNT; ++i) {
        if (told[i] < 10) {
            fail_msg("%s: only %u sequences have a place for it", lies[i].name, told[i]);
        }
    }
    free(sequence);
    runner_close(runner);
}

/* What the sequences come upon, so that no check passes for want of something to check. */
typedef struct Corners {
    uint32_t statuses[MUR_UNSUPPORTED];
    uint32_t wrapped;     /* images of tables whose probes went round the end */
    uint32_t stuffed;     /* without an unclaimed slot */
    uint32_t extra;       /* with an entry in the extra slot */
    uint32_t reused;      /* inserts into the slot that the key had before it was erased */
    uint32_t truncated;   /* extractions with less room than entries */
    uint32_t erasedWhere; /* entries that a predicate erased */
    uint32_t clampedHigh; /* batches whose GPU count is above the maximum */
    uint32_t clampedLow;  /* and below */
    uint32_t second;      /* images with an entry in its second bucket */
    uint32_t full;        /* keys told so in buckets, */
    uint32_t room;        /* where others had free slots */
} Corners;

static Oracle oracle_of(const uint32_t *image, const Run *run) {
    Oracle oracle = run_oracle(run);
    assert_null(oracle_adopt(&oracle, image));
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
    Oracle now = oracle_of(words + at->image, run);
    Oracle before = oracle_of(
        words + (index ? run->placements[index - 1].image : run->imageCleared), run);
    count_image(corners, &now);
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
        corners->room += now.config.flags && status == MUR_FULL && oracle_stats(&now).free > 2;
        corners->reused += status == MUR_INSERTED && slot < run->ref.slotCount &&
                           before.slot[slot].state == ORACLE_CLAIMED;
    }
    oracle_close(&now);
    oracle_close(&before);
}

GPU_TEST(sequences_reach_every_corner) {
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
