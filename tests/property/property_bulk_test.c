/* Random sequences of bulk commands against the oracle: more than 10,000 in a normal run.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bulk_check.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 10800, FALSIFIED = 240 };

static uint64_t firstSeed = 0;
static uint64_t sequenceCount = SEQUENCES;

/* ---- Running, shrinking, reporting
 * ---------------------------------------------------------------- */

/* Changes results after the GPU wrote them, to see that the checks find it. NULL: the truth. */
typedef bool (*Falsify)(uint32_t *words, const Run *run);

typedef struct Trial {
    Runner *runner;
    Falsify falsify;
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
    Sequence *least = malloc(sizeof *least);
    assert_non_null(least);
    memcpy(least, failed, sizeof *least);
    print_error("sequence %llu failed (kind %u):\n", (unsigned long long)failed->seed,
                (unsigned)(failed->seed % KIND_COUNT));
    report(least, &trial->failure);
    if (fails_alone(trial, least)) {
        gpu_watchdog(600);
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

static void run_batch(Trial *trial) {
    const Sequence *failed;
    runner_submit(trial->runner);
    if (!check_all(trial, &failed)) {
        if (failed) {
            explain(trial, failed);
        } else {
            print_error("%s\n", trial->failure.text);
        }
        fail();
    }
    runner_reset(trial->runner);
}

/* Sequences first, first + step, ... below end. */
static void run_sequences(Gpu *gpu, uint64_t first, uint64_t step, uint64_t end) {
    Trial trial = {.runner = runner_open(gpu)};
    Sequence *sequences = malloc(MAX_RUNS * sizeof *sequences);
    assert_non_null(sequences);
    uint64_t seed = first;
    while (seed < end) {
        for (uint32_t n = 0; seed < end; seed += step, ++n) {
            if (n == MAX_RUNS) {
                break;
            }
            sequence_generate(&sequences[n], seed);
            if (!runner_add(trial.runner, &sequences[n])) {
                break;
            }
        }
        run_batch(&trial);
    }
    free(sequences);
    runner_close(trial.runner);
}

static void run_kind(Gpu *gpu, uint64_t kind) {
    uint64_t first = firstSeed + (kind + KIND_COUNT - firstSeed % KIND_COUNT) % KIND_COUNT;
    run_sequences(gpu, first, KIND_COUNT, firstSeed + sequenceCount);
}

static void replay(void **state) {
    run_sequences(*state, firstSeed, 1, firstSeed + sequenceCount);
}

/* One case a kind; the number is the kind's. */
#define KIND_CASE(name, kind)        \
    static void name(void **state) { \
        run_kind(*state, kind);      \
    }

KIND_CASE(default_limit_max_reserved_32_bit, 0)
KIND_CASE(default_limit_zero_reserved_32_bit, 1)
KIND_CASE(default_limit_max_reserved_64_bit, 2)
KIND_CASE(default_limit_zero_reserved_64_bit, 3)
KIND_CASE(tiny_limit_max_reserved_32_bit, 4)
KIND_CASE(tiny_limit_zero_reserved_32_bit, 5)
KIND_CASE(tiny_limit_max_reserved_64_bit, 6)
KIND_CASE(tiny_limit_zero_reserved_64_bit, 7)
KIND_CASE(whole_limit_max_reserved_32_bit, 8)
KIND_CASE(whole_limit_zero_reserved_32_bit, 9)
KIND_CASE(whole_limit_max_reserved_64_bit, 10)
KIND_CASE(whole_limit_zero_reserved_64_bit, 11)

/* ---- The checks themselves
 * ------------------------------------------------------------------------ */

static const Command *first_of(const Run *run, CommandKind kind, const Placement **at) {
    for (uint32_t i = 0; i < run->sequence->commandCount; ++i) {
        *at = &run->placements[i];
        if (run->sequence->commands[i].kind == kind) {
            return &run->sequence->commands[i];
        }
    }
    return NULL;
}

/* Each tells one lie if the sequence has a place for it, and whether it did. */
static bool deny_insertion(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_INSERT, &at);
    for (uint32_t i = 0; command && command->statuses && i < command_items(command); ++i) {
        if (words[at->statuses + i] == MUR_INSERTED) {
            words[at->statuses + i] = MUR_EXISTED;
            return true;
        }
    }
    return false;
}

static bool insert_twice(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_INSERT, &at);
    for (uint32_t i = 0; command && command->statuses && command->mode != MUR_INSERT_ADD &&
                         i < command_items(command);
         ++i) {
        if (words[at->statuses + i] == MUR_EXISTED) {
            words[at->statuses + i] = MUR_INSERTED;
            return true;
        }
    }
    return false;
}

static bool move_insertion(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_INSERT, &at);
    if (command && command->slots && command_items(command)) {
        words[at->slots] ^= 1;
        return true;
    }
    return false;
}

static bool write_beyond(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_FIND, &at);
    if (command && command->values) {
        words[at->values + command_items(command)] = 0;
        return true;
    }
    return false;
}

static bool forget_find(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_FIND, &at);
    for (uint32_t i = 0; command && command->statuses && i < command_items(command); ++i) {
        if (words[at->statuses + i] == MUR_FOUND) {
            words[at->statuses + i] = MUR_ABSENT;
            return true;
        }
    }
    return false;
}

static bool erase_twice(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_ERASE, &at);
    for (uint32_t i = 0; command && command->statuses && i < command_items(command); ++i) {
        if (words[at->statuses + i] == MUR_ABSENT) {
            words[at->statuses + i] = MUR_ERASED;
            return true;
        }
    }
    return false;
}

static bool extract_one_more(uint32_t *words, const Run *run) {
    const Placement *at;
    if (first_of(run, COMMAND_EXTRACT, &at)) {
        ++words[at->count];
        return true;
    }
    return false;
}

static bool extract_the_same(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_EXTRACT, &at);
    if (command && command->slots && command->maxCount > 1 && words[at->count] > 1) {
        words[at->slots + 1] = words[at->slots];
        return true;
    }
    return false;
}

static bool lengthen_probes(uint32_t *words, const Run *run) {
    const Placement *at;
    if (first_of(run, COMMAND_STATS, &at)) {
        ++words[at->stats + MUR_STATS_PROBE_SUM];
        return true;
    }
    return false;
}

/* Of the copy of the table after an insert with several items, where not every word is predicted.
 */
static uint32_t *image_of_batch(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_INSERT, &at);
    return command && command_items(command) > 1 ? words + at->image : NULL;
}

static bool miscount_full(uint32_t *words, const Run *run) {
    uint32_t *image = image_of_batch(words, run);
    if (image) {
        ++image[MUR_HEADER_FULL];
    }
    return image != NULL;
}

static bool stay_ordered(uint32_t *words, const Run *run) {
    uint32_t *image = image_of_batch(words, run);
    if (image && !(image[MUR_HEADER_STATE] & MUR_STATE_ORDERED)) {
        image[MUR_HEADER_STATE] |= MUR_STATE_ORDERED;
        return true;
    }
    return false;
}

/* The first slot that has an entry, or has none and is unclaimed; NULL if there is no such slot. */
static uint32_t *find_slot(uint32_t *image, const Run *run, bool claimed) {
    for (uint32_t s = 0; image && s < run->ref.slotCount; ++s) {
        uint32_t *slot = image + MUR_HEADER_WORDS + 2 * s;
        if ((slot[0] != MUR_EMPTY) == claimed) {
            return slot;
        }
    }
    return NULL;
}

static bool double_key(uint32_t *words, const Run *run) {
    uint32_t *image = image_of_batch(words, run);
    uint32_t *from = find_slot(image, run, true);
    uint32_t *to = find_slot(image, run, false);
    if (from && to) {
        memcpy(to, from, 2 * sizeof *to);
        return true;
    }
    return false;
}

static bool tear_value(uint32_t *words, const Run *run) {
    uint32_t *slot = find_slot(image_of_batch(words, run), run, true);
    if (slot) {
        slot[1] ^= 0x00010000u;
    }
    return slot != NULL;
}

static bool lose_slot(uint32_t *words, const Run *run) {
    uint32_t *slot = find_slot(image_of_batch(words, run), run, true);
    if (slot) {
        slot[0] = MUR_EMPTY;
    }
    return slot != NULL;
}

static const struct {
    const char *name;
    Falsify falsify;
} lies[] = {
    {"an insertion denied", deny_insertion},
    {"a second insertion", insert_twice},
    {"another slot reported", move_insertion},
    {"a write beyond the count", write_beyond},
    {"an entry not found", forget_find},
    {"a second erasure", erase_twice},
    {"one entry too many", extract_one_more},
    {"an entry extracted twice", extract_the_same},
    {"a probe too long", lengthen_probes},
    {"a failure counted twice", miscount_full},
    {"an order that is none", stay_ordered},
    {"a key with two slots", double_key},
    {"a torn value", tear_value},
    {"a key lost", lose_slot},
};

/* Each lie, told in every sequence that has a place for it, is found in every one. */
static void falsified_results_are_found(void **state) {
    Runner *runner = runner_open(*state);
    Sequence *sequence = malloc(sizeof *sequence);
    assert_non_null(sequence);
    uint32_t told[sizeof lies / sizeof lies[0]] = {0};
    for (uint64_t seed = 0; seed < FALSIFIED; ++seed) {
        sequence_generate(sequence, seed);
        runner_reset(runner);
        runner_add(runner, sequence);
        runner_submit(runner);
        uint32_t *truth = malloc(4ull * runner->used);
        assert_non_null(truth);
        memcpy(truth, runner->words, 4ull * runner->used);
        for (size_t i = 0; i < sizeof lies / sizeof lies[0]; ++i) {
            Failure failure;
            memcpy(runner->words, truth, 4ull * runner->used);
            assert_true(check_run(runner, &runner->runs[0], &failure));
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
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; ++i) {
        if (told[i] < 10) {
            fail_msg("%s: only %u sequences have a place for it", lies[i].name, told[i]);
        }
    }
    free(sequence);
    runner_close(runner);
}

/* A failure that needs one insert of one item, found in long sequences, shrinks to just that. */
static void failures_shrink_to_one_item(void **state) {
    Trial trial = {.runner = runner_open(*state), .falsify = deny_insertion};
    Sequence *sequence = malloc(sizeof *sequence);
    assert_non_null(sequence);
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

/* ---- Program
 * -------------------------------------------------------------------------------------- */

static const char usage[] =
    "usage: property_bulk_test [--seed S] [--sequences N]\n"
    "Runs random sequences of table commands and checks them against the oracle.\n"
    "  --seed S        replay sequence S alone, or N sequences from S on\n"
    "  --sequences N   how many (default: 1 with --seed, else 10800)\n"
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
    sequenceCount = seeded && !counted ? 1 : sequenceCount;
    return seeded;
}

int main(int argc, char **argv) {
    const struct CMUnitTest replays[] = {gpu_test(replay)};
    const struct CMUnitTest tests[] = {
        gpu_test(default_limit_max_reserved_32_bit), gpu_test(default_limit_zero_reserved_32_bit),
        gpu_test(default_limit_max_reserved_64_bit), gpu_test(default_limit_zero_reserved_64_bit),
        gpu_test(tiny_limit_max_reserved_32_bit),    gpu_test(tiny_limit_zero_reserved_32_bit),
        gpu_test(tiny_limit_max_reserved_64_bit),    gpu_test(tiny_limit_zero_reserved_64_bit),
        gpu_test(whole_limit_max_reserved_32_bit),   gpu_test(whole_limit_zero_reserved_32_bit),
        gpu_test(whole_limit_max_reserved_64_bit),   gpu_test(whole_limit_zero_reserved_64_bit),
        gpu_test(falsified_results_are_found),       gpu_test(failures_shrink_to_one_item),
    };
    if (parse_options(argc, argv)) {
        return cmocka_run_group_tests_name("property, bulk, replay", replays, gpu_group_setup,
                                           gpu_group_teardown);
    }
    return cmocka_run_group_tests_name("property, bulk", tests, gpu_group_setup,
                                       gpu_group_teardown);
}
