/* Random sequences of table commands: generated from a seed, printed for people.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SEQUENCE_H
#define MUR_TEST_SEQUENCE_H

#include "support/cases.h"
#include "support/kinds.h"
#include "support/random.h"

enum { MAX_COMMANDS = 12, MAX_ITEMS = 300 };

typedef enum ProbeLimit { LIMIT_DEFAULT, LIMIT_TINY, LIMIT_WHOLE, LIMIT_COUNT } ProbeLimit;

/* Sequence number n is of kind n % SEQUENCE_KINDS, so that a number says everything. */
enum { SEQUENCE_KINDS = ALL_KINDS * LIMIT_COUNT };

typedef struct TableSpec {
    const TableKind *kind;
    uint32_t capacity;
    uint32_t seed;
    uint64_t probeLimit;
    bool defaultWidth; /* ask for the default width, which is the wide one */
    bool ownMemory;
    bool ages;    /* of tables in buckets; they have no probe limits */
    bool ordered; /* set the state bit after the first clear, as a command that sorts would */
    uint32_t gap; /* engine's memory: this many times 256 bytes before the table */
} TableSpec;
MurTableCreateInfo table_info(const TableSpec *spec);
/* A line without its end, for failure reports. */
void table_print(const TableSpec *spec);

/* A small set of keys that like to meet: special ones, random ones, ones whose homes crowd together
 * somewhere or at the table's end. Returns how many; at least 1, at most capacity of the array. */
uint32_t random_keys(Random *random, const TableSpec *spec, uint64_t *keys, uint32_t most);
/* Small ones, random ones and extremes, the reserved ones among them; as wide as the format's. */
uint64_t random_value(Random *random, const TableKind *kind);
/* A mode that the table offers. */
uint32_t random_mode(Random *random, const TableKind *kind);
TableSpec random_table(Random *random, const TableKind *kind, ProbeLimit limit);

typedef enum CommandKind {
    COMMAND_CLEAR,
    COMMAND_INSERT,
    COMMAND_FIND,
    COMMAND_ERASE,
    COMMAND_EXTRACT,
    COMMAND_STATS,
    COMMAND_REBUILD /* of tables in buckets */
} CommandKind;

enum { INSERT_WAYS = 3 }; /* of support/ways.h: the default one, and two that are direct */

typedef struct Item {
    uint64_t key;
    uint64_t value; /* of sets: 1 */
} Item;

typedef struct Command {
    CommandKind kind;
    uint32_t mode;
    uint32_t way; /* of an insert: which one is forced */
    bool keys;    /* which of the optional arrays are given */
    bool values;
    bool statuses;
    bool slots;
    bool oldValues;
    bool statusBits;
    bool counted; /* the count comes from the GPU */
    uint32_t gpuCount;
    uint32_t maxCount; /* items of a batch; elements of an extraction */
    MurPredicate predicates[MUR_MAX_PREDICATES];
    bool erases; /* what is extracted */
    bool frees;  /* an erase in buckets: with MUR_BATCH_EXCLUSIVE */
    Item items[MAX_ITEMS];
} Command;

typedef struct Sequence {
    uint64_t seed;
    TableSpec table;
    uint32_t commandCount;
    Command commands[MAX_COMMANDS];
} Sequence;

bool command_is_batch(const Command *command); /* an insert, find or erase */
/* Items that a batch really has. */
uint32_t command_items(const Command *command);

void sequence_generate(Sequence *sequence, uint64_t seed);
void sequence_print(const Sequence *sequence);

#endif
