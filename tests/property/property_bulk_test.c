/* Random sequences of bulk commands against the oracle: 6,900, in the long tier 20,700.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bulk_check.h"
#include "bulk_lies.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 4600, SAMPLED = 460 };

static uint64_t firstSeed;
static uint64_t sequenceCount;

/* ---- Running, shrinking, reporting ----------------------------------------------------------- */

typedef struct Trial {
    Runner *runner;
    Falsify falsify; /* NULL: the truth */
    Failure failure;
} Trial;

static bool check_all(Trial *trial, const Sequence **failed) {
    Runner *runner = trial->runner;
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        if (trial->falsify) {
            trial->falsify(runner->words, &runner->runs[i]);
        }
        if (!check_run(runner, &runner->runs[i], &trial->failure)) {
            *failed = runner->runs[i].sequence;
            return false;
        }
    }
    *failed = NULL;
    return check_arena(runner, &trial->failure);
}

/* Does the sequence, alone, fail? It may take several attempts: the GPU's order is its own. */
static bool fails_alone(void *context, const Sequence *sequence) {
    Trial *trial = context;
    bool right = true;
    for (int attempt = 0; attempt < 3 && right; ++attempt) {
        const Sequence *failed;
        runner_reset(trial->runner);
        runner_add(trial->runner, sequence);
        runner_submit(trial->runner);
        right = check_all(trial, &failed);
    }
    return !right;
}

static void report(const Sequence *sequence, const Failure *failure) {
    if (failure->command < sequence->commandCount) {
        print_error("  command %u: ", failure->command + 1);
    }
    print_error("%s\n", failure->text);
}

/* Shrinks a copy of a sequence that failed and says all there is to say. */
static void explain(Trial *trial, const Sequence *failed) {
    Sequence *least = test_allocate(sizeof *least);
    memcpy(least, failed, sizeof *least);
    print_error("sequence %llu failed (kind %u):\n", (unsigned long long)failed->seed,
                (unsigned)(failed->seed % SEQUENCE_KINDS));
    report(least, &trial->failure);
    if (fails_alone(trial, least)) {
        watchdog(600);
        sequence_shrink(least, fails_alone, trial);
        print_error("the least that still fails:\n");
        sequence_print(least);
        if (fails_alone(trial, least)) {
            report(least, &trial->failure);
        }
    } else {
        print_error("it does not fail every time; as it was:\n");
        sequence_print(least);
    }
    print_error("replay: property_bulk_test --seed %llu\n", (unsigned long long)failed->seed);
    free(least);
}

static bool run_batch(Trial *trial) {
    const Sequence *failed;
    runner_submit(trial->runner);
    bool right = check_all(trial, &failed);
    if (!right && failed) {
        explain(trial, failed);
    } else if (!right) {
        print_error("%s\n", trial->failure.text);
    }
    runner_reset(trial->runner);
    return right;
}

/* Sequences first, first + step, ... below end, as many at a time as fit. */
static void run_sequences(Gpu *gpu, uint64_t first, uint64_t step, uint64_t end) {
    Trial trial = {.runner = runner_open(gpu)};
    Sequence *sequences = test_allocate(MAX_RUNS * sizeof *sequences);
    bool right = true;
    watchdog(120 + (first < end ? (unsigned)((end - first) / step / 100) : 0));
    for (uint64_t seed = first; seed < end && right;) {
        for (uint32_t n = 0; n < MAX_RUNS && seed < end; ++n, seed += step) {
            sequence_generate(&sequences[n], seed);
            if (!runner_add(trial.runner, &sequences[n])) {
                break;
            }
        }
        right = run_batch(&trial);
    }
    free(sequences);
    runner_close(trial.runner);
    assert_true(right);
}

static void run_kind(Gpu *gpu, KindName kind) {
    const uint32_t first = (uint32_t)(firstSeed % ALL_KINDS);
    run_sequences(gpu, firstSeed + (kind + ALL_KINDS - first) % ALL_KINDS, ALL_KINDS,
                  firstSeed + sequenceCount);
}

/* main has it, where a sequence is asked for. */
GPU_TEST_IF(replay, false) {
    run_sequences(gpu, firstSeed, 1, firstSeed + sequenceCount);
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

/* A failure that needs one insert of one item, found in long sequences, shrinks to just that. */
GPU_TEST(failures_shrink_to_one_item) {
    Trial trial = {.runner = runner_open(gpu),
                   .falsify = lies[0].falsify /* an insertion denied */};
    Sequence *sequence = test_allocate(sizeof *sequence);
    uint32_t shrunk = 0;
    for (uint64_t seed = 0; shrunk < 6; ++seed) {
        sequence_generate(sequence, seed);
        if (sequence->commandCount < 6 || !fails_alone(&trial, sequence)) {
            continue;
        }
        sequence_shrink(sequence, fails_alone, &trial);
        assert_int_equal(sequence->commandCount, 1);
        assert_int_equal(sequence->commands[0].kind, COMMAND_INSERT);
        assert_int_equal(sequence->commands[0].maxCount, 1);
        assert_false(sequence->commands[0].counted);
        assert_int_equal(sequence->commands[0].items[0].key, 0);
        assert_int_equal(sequence->table.capacity, 1);
        assert_int_equal(sequence->table.seed, 0);
        ++shrunk;
    }
    free(sequence);
    runner_close(trial.runner);
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

/* ---- Program --------------------------------------------------------------------------------- */

static const char usage[] =
    "usage: property_bulk_test [--seed S] [--sequences N]\n"
    "Runs random sequences of table commands and checks them against the oracle.\n"
    "  --seed S        replay sequence S alone, or N sequences from S on\n"
    "  --sequences N   how many (default: 1 with --seed, else 6900)\n"
    "  --help          this text\n";

static uint64_t number(const char *text) {
    char *end;
    uint64_t value = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end) {
        fprintf(stderr, "property_bulk_test: %s is not a number\n%s", text, usage);
        exit(2);
    }
    return value;
}

/* true: replay. */
static bool parse_options(int argc, char **argv) {
    const struct option options[] = {
        {"seed", required_argument, NULL, 's'},
        {"sequences", required_argument, NULL, 'n'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    bool seeded = false;
    firstSeed = test_seed(0);
    bool counted = false;
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 's':
            firstSeed = number(optarg);
            seeded = true;
            break;
        case 'n':
            sequenceCount = number(optarg);
            counted = true;
            break;
        default:
            fputs(usage, option == 'h' ? stdout : stderr);
            exit(option == 'h' ? 0 : 2);
        }
    }
    if (optind != argc) {
        fputs(usage, stderr);
        exit(2);
    }
    if (!counted) {
        sequenceCount = seeded ? 1 : test_full() ? 3 * SEQUENCES : SEQUENCES;
    }
    return seeded;
}

int main(int argc, char **argv) {
    if (parse_options(argc, argv)) {
        cases_add((struct CMUnitTest)cmocka_unit_test_setup_teardown(replay, gpu_test_setup,
                                                                     gpu_test_teardown),
                  gpu_group_setup, gpu_group_teardown);
        cmocka_set_test_filter("replay");
    }
    return cases_run();
}
