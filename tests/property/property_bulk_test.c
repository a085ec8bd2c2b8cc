/* Random sequences of bulk commands against the oracle.
 * SPDX-License-Identifier: MIT */
#include "bulk_check.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 2000, SAMPLED = 500 };

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
        right = run_batch(runner);
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

/* ---- The checks find wrong results ---------------------------------------------------------- */

/* Falsifies a result of a run, in words. Returns false if the run has no result of this type. */
typedef bool (*Falsify)(uint32_t *words, const Run *run);

typedef struct Lie {
    const char *name;
    Falsify falsify;
} Lie;

static const Command *first_of(const Run *run, CommandKind kind, const Placement **at) {
    for (uint32_t i = 0; i < run->sequence->commandCount; ++i) {
        *at = &run->placements[i];
        if (run->sequence->commands[i].kind == kind) {
            return &run->sequence->commands[i];
        }
    }
    return NULL;
}

/* Changes one status of the first command of a kind from `from` to `to`. Skips commands that add:
 * if a sum becomes 0, the number of inserted keys depends on the order. */
static bool restate(uint32_t *words, const Run *run, CommandKind kind, uint32_t from, uint32_t to) {
    const Placement *at;
    const Command *command = first_of(run, kind, &at);
    const bool sums = kind == COMMAND_INSERT && command && command->mode == MUR_MODE_ADD;
    for (uint32_t i = 0; command && command->statuses && !sums && i < command_items(command); ++i) {
        if (words[at->statuses + i] == from) {
            words[at->statuses + i] = to;
            return true;
        }
    }
    return false;
}

/* Defines a falsification of a status. */
#define RESTATES(name, kind, from, to)                        \
    static bool name(uint32_t *words, const Run *run) {       \
        return restate(words, run, COMMAND_##kind, from, to); \
    }
RESTATES(deny_insertion, INSERT, MUR_INSERTED, MUR_EXISTED)
RESTATES(insert_twice, INSERT, MUR_EXISTED, MUR_INSERTED)
RESTATES(forget_find, FIND, MUR_FOUND, MUR_ABSENT)
RESTATES(erase_twice, ERASE, MUR_ABSENT, MUR_ERASED)

/* Defines a function that falsifies one result of the first command of a kind. */
#define CHANGES(name, kind, given, change)                           \
    static bool name(uint32_t *words, const Run *run) {              \
        const Placement *at;                                         \
        const Command *command = first_of(run, COMMAND_##kind, &at); \
        const uint32_t items = command ? command_items(command) : 0; \
        (void)items;                                                 \
        const bool has = command && (given);                         \
        if (has) {                                                   \
            change;                                                  \
        }                                                            \
        return has;                                                  \
    }
CHANGES(move_insertion, INSERT, command->slots &&items, words[at->slots] ^= 1)
CHANGES(forge_old_value, INSERT, command->oldValues &&items,
        words[at->oldValues + run->valueWords * items - 1] ^= 0x10)
CHANGES(flip_bit, FIND, command->statusBits &&items, words[at->statusBits] ^= 1)
CHANGES(set_bit_beyond, ERASE, command->statusBits &&items % 32 != 0,
        words[at->statusBits + items / 32] |= 0x80000000)
CHANGES(write_beyond, FIND, command->values, words[at->values + run->valueWords * items] = 0)
CHANGES(extract_one_more, EXTRACT, true, ++words[at->count])
CHANGES(extract_the_same, EXTRACT, command->slots && command->maxCount > 1 && words[at->count] > 1,
        words[at->slots + 1] = words[at->slots])
CHANGES(lengthen_probes, STATS, true, ++words[at->stats + MUR_STATS_PROBE_SUM])

/* Returns the copy of a table after an insert of several items, or NULL if there is none. The
 * oracle cannot predict all of its words. */
static uint32_t *image_of_batch(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_INSERT, &at);
    const bool has = command && command_items(command) > 1 && at->changed == 0;
    return has ? words + at->images[0] : NULL;
}

static bool miscount_full(uint32_t *words, const Run *run) {
    uint32_t *image = image_of_batch(words, run);
    if (image) {
        ++image[MUR_HEADER_FAILED_INSERTS];
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

/* Returns the words of a slot that are adjacent. Buckets store keys and values apart. */
static uint32_t slot_size(const Run *run) {
    const uint32_t words = oracle_slot_words(run->sequence->tables[0].kind->format);
    return run->sequence->tables[0].kind->flags && words == 4 ? 2 : words;
}

/* Returns the first slot that is claimed or unclaimed, or NULL if there is none. */
static uint32_t *find_slot(uint32_t *image, const Run *run, bool claimed) {
    for (uint32_t s = 0; image && s < run->sides[0].ref.slotCount; ++s) {
        uint32_t *slot = image + MUR_HEADER_WORDS + slot_size(run) * s;
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
        memcpy(to, from, slot_size(run) * sizeof *to);
        return true;
    }
    return false;
}

static bool tear_value(uint32_t *words, const Run *run) {
    uint32_t *slot = find_slot(image_of_batch(words, run), run, true);
    if (slot && run->valueWords) {
        slot[slot_size(run) == 2 ? 1 : 2] ^= 0x00010000u;
    }
    return slot && run->valueWords;
}

static bool lose_slot(uint32_t *words, const Run *run) {
    uint32_t *slot = find_slot(image_of_batch(words, run), run, true);
    if (slot) {
        slot[0] = MUR_EMPTY;
    }
    return slot != NULL;
}

static const Lie lies[] = {
    {"an insertion denied", deny_insertion},
    {"a second insertion", insert_twice},
    {"another slot reported", move_insertion},
    {"another value that was there", forge_old_value},
    {"a wrong bit", flip_bit},
    {"a bit of no item", set_bit_beyond},
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
enum { LIE_COUNT = sizeof lies / sizeof lies[0] };

/* The checks must find each falsification in each sequence to which it applies. */
GPU_TEST(checks_find_falsified_results) {
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
        sequence_close(sequence);
    }
    for (size_t i = 0; i < LIE_COUNT; ++i) {
        if (told[i] < 10) {
            fail_msg("%s: only %u sequences have a place for it", lies[i].name, told[i]);
        }
    }
    free(sequence);
    runner_close(runner);
}

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

static Oracle oracle_of(const uint32_t *image, const Run *run, uint32_t side) {
    Oracle oracle = run_oracle(run, side);
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
    const uint32_t side = at->changed;
    const bool inserts = command->kind == COMMAND_INSERT;
    Oracle now = oracle_of(words + at->images[side], run, side);
    Oracle before = run_oracle(run, side);
    if (inserts && index) {
        oracle_close(&before);
        before = oracle_of(words + run->placements[index - 1].images[side], run, side);
    }
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
