/* SPDX-License-Identifier: MIT */
#include "sequence.h"

#include <stdlib.h>
#include <string.h>

static bool chance(Random *random, uint32_t percent) {
    return random_below(random, 100) < percent;
}

static uint32_t between(Random *random, uint32_t low, uint32_t high) {
    return low + random_below(random, high - low + 1);
}

MurTableCreateInfo table_info(const TableSpec *spec) {
    MurTableCreateInfo info = kind_info(spec->kind, spec->capacity);
    info.seed = spec->seed;
    info.probeLimit = spec->probeLimit;
    info.flags |= spec->ages ? MUR_TABLE_AGES : 0;
    if (spec->uses && !spec->kind->flags) {
        info.kernels[0] = murKernelsBuild();
        info.kernels[1] = murKernelsRehash();
        info.kernels[2] = murKernelsLargeBatches();
    }
    info.atomicWidth = spec->defaultWidth ? MUR_ATOMIC_WIDTH_DEFAULT : info.atomicWidth;
    return info;
}

void table_print(const TableSpec *spec) {
    print_error("  table: %s%s, capacity %u, seed 0x%08x, probe limit %llu%s, %s memory\n",
                spec->kind->name, spec->defaultWidth ? " by default" : "", spec->capacity,
                spec->seed, (unsigned long long)spec->probeLimit, spec->ordered ? ", ordered" : "",
                spec->ownMemory ? "own" : "the engine's");
}

/* Returns a capacity. Most are small, so that tables fill up. A few exceed the default limit. */
static uint32_t random_capacity(Random *random) {
    uint32_t size = random_below(random, 1000);
    return size < 940   ? between(random, 1, 80)
           : size < 997 ? between(random, 81, 5000)
                        : between(random, 15000, 20000);
}

TableSpec random_table(Random *random, const TableKind *kind, ProbeLimit limit) {
    const bool sorts = kind->layout <= LAYOUT_k64v32_64; /* formats that can be sorted */
    TableSpec spec = {
        .kind = kind,
        .capacity = random_capacity(random),
        .seed = chance(random, 20) ? 0 : (uint32_t)random_next(random),
        .ownMemory = chance(random, 10),
        .ordered = chance(random, 50) && sorts,
        .gap = random_below(random, 4),
    };
    /* Draws this number for all types, so that tables of both widths are otherwise equal. */
    spec.defaultWidth = chance(random, 50) && kind_is_wide(kind);
    spec.ages = kind->flags && limit == LIMIT_TINY;
    switch (kind->flags ? LIMIT_DEFAULT : limit) {
    case LIMIT_TINY:
        spec.probeLimit = between(random, 1, 9);
        break;
    case LIMIT_WHOLE:
        spec.probeLimit = chance(random, 70) ? spec.capacity : UINT64_MAX;
        break;
    default:
        spec.probeLimit = 0;
        break;
    }
    return spec;
}

/* Returns a hash. In styles 1 and 2, the word that decides the home is in a small range, so that
 * homes are close to each other. */
static uint64_t random_hash(Random *random, uint32_t format, uint32_t style, uint32_t crowd,
                            uint32_t span) {
    const uint32_t word = style == 1   ? crowd + random_below(random, span)
                          : style == 2 ? UINT32_MAX - 1 - random_below(random, span)
                                       : (uint32_t)random_next(random);
    return oracle_hash_of(format, word, (uint32_t)random_next(random));
}

uint32_t random_keys(Random *random, const TableSpec *spec, uint64_t *keys, uint32_t most) {
    const uint32_t format = spec->kind->format;
    const uint64_t special[] = {0, 1, 0x80000000u, UINT32_MAX,
                                oracle_extra_key(format, 0, spec->seed)};
    uint32_t wanted = chance(random, 15)   ? between(random, 1, 3)
                      : chance(random, 50) ? between(random, 1, spec->capacity)
                                           : between(random, spec->capacity, 3 * spec->capacity);
    wanted = spec->kind->flags && chance(random, 30) ? most : wanted; /* at least 128 slots */
    wanted = wanted < most ? wanted : most;
    const uint32_t style = random_below(random, 4);
    const uint32_t share = (uint32_t)(UINT32_MAX / spec->capacity);
    const uint32_t span = share < UINT32_MAX / 4 ? 3 * share : UINT32_MAX - 1;
    const uint32_t crowd = (uint32_t)random_next(random);
    uint32_t count = 0;
    for (uint32_t i = 0; i < 5 && count < wanted; ++i) {
        if (chance(random, 30)) {
            keys[count++] = special[i];
        }
    }
    const uint32_t first = random_below(random, HARD_KEYS);
    for (uint32_t i = 0; style == 3 && i < HARD_KEYS && count < wanted; ++i) {
        keys[count++] = hard_key(format, spec->seed, (first + i) % HARD_KEYS);
    }
    while (count < wanted || count == 0) {
        keys[count++] = oracle_key(format, random_hash(random, format, style, crowd, span),
                                   spec->seed);
    }
    return count;
}

uint64_t random_value(Random *random, const TableKind *kind) {
    const uint64_t extremes[] = {
        0,          1,          2,           0x7FFFFFFF,     0x80000000,
        UINT32_MAX, UINT64_MAX, 0x100000000, UINT64_MAX - 1, UINT32_MAX - 1};
    const uint32_t words = kind_value_words(kind);
    const uint64_t value = chance(random, 15) ? extremes[random_below(random, 10)]
                           : chance(random, 50)
                               ? between(random, 1, 9)
                               : random_next(random) >> (words == 2 ? random_below(random, 64) : 0);
    return words == 0 ? 1 : words == 1 ? (uint32_t)value : value;
}

static uint32_t random_mode(Random *random, const TableKind *kind) {
    uint32_t mode;
    do {
        mode = random_below(random, MUR_MODE_UPDATE + 1);
    } while (!kind_offers(kind, mode));
    return mode;
}

OracleConfig table_config(const TableSpec *spec) {
    const TableKind *kind = spec->kind;
    return (OracleConfig){
        .format = kind->format,
        .capacity = spec->capacity,
        .slotCount = kind->flags ? (spec->capacity + 127) / 128 * 128
                                 : oracle_slot_count(kind->format, spec->capacity),
        .seed = spec->seed,
        .probeLimit = spec->probeLimit,
        .zero = kind->zero,
        .wide = kind_is_wide(kind),
        .flags = kind->flags | (spec->ages ? MUR_TABLE_AGES : 0),
    };
}

uint32_t command_items(const Command *command) {
    return command->counted && command->gpuCount < command->maxCount ? command->gpuCount
                                                                     : command->maxCount;
}

bool command_is_batch(const Command *command) {
    return command->kind >= COMMAND_INSERT && command->kind <= COMMAND_BUILD;
}

bool command_inserts(const Command *command) {
    return command->kind == COMMAND_INSERT || command->kind == COMMAND_BUILD;
}

bool command_relocates(const Command *command) {
    return command->kind >= COMMAND_REHASH && command->kind <= COMMAND_COMPACT;
}

bool command_changes_table(const Command *command) {
    return command->kind == COMMAND_REHASH || command->kind == COMMAND_MERGE;
}

static uint32_t random_count(Random *random) {
    uint32_t size = random_below(random, 100);
    return size < 5    ? 0
           : size < 20 ? 1
           : size < 60 ? between(random, 2, 16)
           : size < 85 ? between(random, 17, 64)
                       : between(random, 65, MAX_ITEMS);
}

static void generate_items(Command *command, Random *random, const uint64_t *keys, uint32_t count,
                           const TableKind *kind) {
    /* Sometimes the items of a batch have at most three different keys. */
    uint32_t few = chance(random, 20) ? between(random, 1, count < 3 ? count : 3) : count;
    uint32_t first = random_below(random, count - few + 1);
    bool equal = chance(random, 10);
    command->items = test_allocate(command->maxCount * sizeof *command->items);
    uint64_t value = random_value(random, kind);
    for (uint32_t i = 0; i < command->maxCount; ++i) {
        command->items[i].key = keys[first + random_below(random, few)];
        command->items[i].value = equal ? value : random_value(random, kind);
    }
}

static void generate_batch(Command *command, Random *random, const TableSpec *table,
                           const uint64_t *keys, uint32_t keyCount) {
    const bool set = kind_is_set(table->kind);
    do {
        command->mode = random_mode(random, table->kind);
    } while (command->kind == COMMAND_BUILD && command->mode == MUR_MODE_UPDATE);
    command->way = (Way)random_below(random, WAY_STREAM);
    command->maxCount = random_count(random);
    command->values = chance(random, 70) && !set;
    const bool told = command->kind != COMMAND_BUILD || chance(random, 40);
    command->statuses = told && chance(random, 80);
    command->slots = told && chance(random, 70);
    command->oldValues = told && chance(random, 40) && !set;
    command->statusBits = told && chance(random, 40);
    command->exclusive = command->kind != COMMAND_FIND && chance(random, 30);
    if (command->kind == COMMAND_FIND && !command->values && !command->slots &&
        !command->statusBits) {
        command->statuses = true; /* a find requires one of the four arrays */
    }
    command->counted = chance(random, 40);
    const uint32_t counts[] = {
        random_below(random, command->maxCount + 1),
        random_below(random, command->maxCount + 1),
        command->maxCount,
        command->maxCount + between(random, 1, 1000),
        0,
        UINT32_MAX,
    };
    command->gpuCount = counts[random_below(random, 6)];
    generate_items(command, random, keys, keyCount, table->kind);
    /* Updates that return old values, and updates of 64-bit values, are not merged. More items per
     * key than MUR_UPDATE_TRIES might return MUR_CONTENDED. */
    const bool alone = command->oldValues || table->kind->format == MUR_FORMAT_K64V64;
    if (command->mode == MUR_MODE_UPDATE && alone && command->maxCount > MUR_UPDATE_TRIES) {
        command->maxCount = MUR_UPDATE_TRIES;
    }
}

/* Returns a reference for a predicate: the word of a possible entry, or any value. */
static uint32_t random_reference(Random *random, const TableKind *kind, uint32_t word,
                                 uint64_t key) {
    return word == MUR_PREDICATE_VALUE     ? (uint32_t)random_value(random, kind)
           : word == MUR_PREDICATE_KEY_LOW ? (uint32_t)key
                                           : (uint32_t)(key >> 32);
}

static void generate_extract(Command *command, Random *random, const TableSpec *table,
                             const uint64_t *keys, uint32_t keyCount) {
    const TableKind *kind = table->kind;
    command->keys = chance(random, 70);
    command->values = chance(random, 70) && !kind_is_set(kind);
    command->slots = chance(random, 70);
    command->erases = chance(random, 30);
    command->maxCount = chance(random, 50)   ? random_below(random, 6)
                        : chance(random, 50) ? random_below(random, 401)
                                             : random_below(random, table->capacity + 8);
    const uint32_t masks[] = {0, UINT32_MAX, 1, 0xFF, (uint32_t)random_next(random)};
    const uint32_t first = kind_is_set(kind) ? MUR_PREDICATE_KEY_LOW : MUR_PREDICATE_VALUE;
    const uint32_t words = MUR_PREDICATE_KEY_LOW + kind_key_words(kind) - first;
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        const uint32_t word = first + random_below(random, words);
        const uint32_t mask = masks[random_below(random, 5)];
        const uint64_t key = keys[random_below(random, keyCount)];
        command->predicates[i] = (MurPredicate){
            .word = word,
            .compare = chance(random, i ? 85 : 50) ? MUR_COMPARE_ALWAYS : random_below(random, 5),
            .mask = mask,
            .reference = random_reference(random, kind, word, key) & (mask ? mask : UINT32_MAX),
        };
    }
}

static void generate_relocation(Command *command, Random *random, const TableKind *kind) {
    command->mode = random_mode(random, kind);
    command->way = chance(random, 50) ? WAY_STREAM : WAY_DIRECT;
    command->slots = chance(random, 70);
    /* check_relocation needs the result to decide whether the compaction was possible. */
    command->result = command->kind == COMMAND_COMPACT || chance(random, 70);
}

static CommandKind random_kind(Random *random, const TableKind *table, bool two) {
    static const CommandKind others[] = {COMMAND_BUILD, COMMAND_COMPACT, COMMAND_BUILD,
                                         COMMAND_REHASH, COMMAND_MERGE};
    const uint32_t first = table->flags ? 3 : 0, end = two ? 5 : 3;
    if (first < end && chance(random, 8 * (end - first))) {
        return others[first + random_below(random, end - first)];
    }
    uint32_t kind = random_below(random, table->flags ? 110 : 100);
    return kind >= 100 ? COMMAND_REBUILD
           : kind < 42 ? COMMAND_INSERT
           : kind < 62 ? COMMAND_FIND
           : kind < 77 ? COMMAND_ERASE
           : kind < 88 ? COMMAND_EXTRACT
           : kind < 96 ? COMMAND_STATS
                       : COMMAND_CLEAR;
}

/* Returns a second table with the same format and empty value. It is linear, because no command
 * moves entries to bucketed tables. */
static TableSpec second_table(Random *random, const TableKind *first) {
    const TableKind *kind = kind_without_buckets(first);
    const uint32_t number = (uint32_t)(kind - table_kinds);
    kind = number < KINDS_WITH_WIDTHS && chance(random, 50) ? &table_kinds[number ^ 2] : kind;
    TableSpec spec = random_table(random, kind, (ProbeLimit)random_below(random, LIMIT_COUNT));
    spec.ordered = false;
    spec.uses = true;
    return spec;
}

void sequence_generate(Sequence *sequence, uint64_t seed) {
    Random random = {seed * 0xD1342543DE82EF95ull}; /* start at distant states of the generator */
    memset(sequence, 0, sizeof *sequence);
    sequence->seed = seed;
    const uint32_t kind = (uint32_t)(seed % SEQUENCE_KINDS);
    TableSpec *tables = sequence->tables;
    tables[0] = random_table(&random, &table_kinds[kind % ALL_KINDS],
                             (ProbeLimit)(kind / ALL_KINDS));
    tables[0].uses = true;
    const bool two = chance(&random, 30);
    if (two) {
        tables[1] = second_table(&random, tables[0].kind);
    }
    uint64_t keys[MAX_ITEMS];
    uint32_t keyCount = random_keys(&random, &tables[0], keys, MAX_ITEMS);
    sequence->commandCount = between(&random, 1, RANDOM_COMMANDS);
    for (uint32_t i = 0, current = 0; i < sequence->commandCount; ++i) {
        Command *command = &sequence->commands[i];
        const TableSpec *table = &tables[current];
        command->kind = random_kind(&random, table->kind, two && !tables[!current].kind->flags);
        if (command->kind == COMMAND_EXTRACT) {
            generate_extract(command, &random, table, keys, keyCount);
        } else if (command_is_batch(command)) {
            generate_batch(command, &random, table, keys, keyCount);
        } else if (command_relocates(command)) {
            generate_relocation(command, &random, table->kind);
        }
        current ^= command_changes_table(command);
    }
}

void sequence_close(Sequence *sequence) {
    for (uint32_t i = 0; i < sequence->commandCount; ++i) {
        free(sequence->commands[i].items);
        sequence->commands[i].items = NULL;
    }
}

void sequence_print(const Sequence *sequence) {
    static const char *const names[] = {"end",   "clear",   "insert", "find",    "erase",
                                        "build", "extract", "stats",  "rebuild", "rehash",
                                        "merge", "compact", "put"};
    print_error("%s, MUR_TEST_SEED=%llu\n", sequence->name ? sequence->name : "a sequence",
                (unsigned long long)sequence->seed);
    for (uint32_t i = 0; i < 2 && sequence->tables[i].capacity; ++i) {
        table_print(&sequence->tables[i]);
    }
    for (uint32_t i = 0; i < sequence->commandCount; ++i) {
        const Command *command = &sequence->commands[i];
        print_error(
            "  %u. %s, mode %u, by way %s, %u of %u items%s%s%s%s\n", i + 1, names[command->kind],
            command->mode, way_name(command->way), command_items(command), command->maxCount,
            command->exclusive ? ", exclusive" : "", command->erases ? ", erases" : "",
            command->oldValues ? ", old values" : "", command->statusBits ? ", status bits" : "");
    }
}
