/* Sequences of table commands. They are generated from a seed, or written as rows
 * (tests/semantics). A failure prints the sequence.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SEQUENCE_H
#define MUR_TEST_SEQUENCE_H

#include "oracle/keys.h"
#include "support/cases.h"
#include "support/kinds.h"
#include "support/random.h"
#include "support/ways.h"

enum {
    MAX_COMMANDS = 20,
    RANDOM_COMMANDS = 12,
    MAX_ITEMS = 300
}; /* RANDOM_COMMANDS and MAX_ITEMS: for random sequences */

typedef enum ProbeLimit { LIMIT_DEFAULT, LIMIT_TINY, LIMIT_WHOLE, LIMIT_COUNT } ProbeLimit;

/* Sequence n has the type n % SEQUENCE_KINDS. Its number determines all of a sequence. */
enum { SEQUENCE_KINDS = ALL_KINDS * LIMIT_COUNT };

typedef struct TableSpec {
    const TableKind *kind;
    uint32_t capacity;
    uint32_t seed;
    uint64_t probeLimit;
    bool defaultWidth; /* requests the default width, which is 64 */
    bool ownMemory;
    bool uses;    /* has the kernel sets for builds, rehashes, large batches; only linear */
    bool ages;    /* has ages; only bucketed */
    bool ordered; /* whether the test sets the state bit "ordered" after the first clear */
    uint32_t gap; /* offset in engine memory, in units of 256 bytes */
} TableSpec;
MurTableCreateInfo table_info(const TableSpec *spec);
/* Prints one line for failure reports. */
void table_print(const TableSpec *spec);

/* Creates a small set of keys that collide: special keys, random keys, keys with homes close to
 * each other or at the table's end. Returns their number, from 1 to the capacity of the array. */
uint32_t random_keys(Random *random, const TableSpec *spec, uint64_t *keys, uint32_t most);
/* Returns a value with the width of the format: small, random or extreme, or the empty value. */
uint64_t random_value(Random *random, const TableKind *kind);
TableSpec random_table(Random *random, const TableKind *kind, ProbeLimit limit);

/* A sequence has one or two tables. Commands use the current table. A rehash or merge reads the
 * current table and writes the other table, which then becomes current. */
typedef enum CommandKind {
    COMMAND_END, /* ends the list of commands */
    COMMAND_CLEAR,
    COMMAND_INSERT,
    COMMAND_FIND,
    COMMAND_ERASE,
    COMMAND_BUILD,
    COMMAND_EXTRACT,
    COMMAND_STATS,
    COMMAND_REBUILD, /* a command on bucketed tables only */
    COMMAND_REHASH,
    COMMAND_MERGE,
    COMMAND_COMPACT,
    /* COMMAND_PUT is no command of the library: the oracle inserts the items in order, without a
     * probe limit, and erases some. The test then copies the oracle's memory to the table. */
    COMMAND_PUT
} CommandKind;

typedef struct Item {
    uint64_t key;
    uint64_t value; /* 1 in sequences on sets */
} Item;

/* Expectations of a row in addition to the results. 0: no expectation. */
typedef enum Scratch { SCRATCH_ANY, SCRATCH_NONE, SCRATCH_USED, SCRATCH_SHORT } Scratch;
typedef enum Fit { FIT_ANY, FIT_ALL, FIT_SOME, FIT_NONE, FIT_PERHAPS } Fit;
typedef enum Order { ORDER_ANY, ORDER_YES, ORDER_NO } Order;
/* How a streamed rehash ends. STREAM_FAILED: it gave up and inserted the entries one by one. */
typedef enum Stream { STREAM_ANY, STREAM_SPARSE, STREAM_DENSE, STREAM_FAILED } Stream;

typedef struct Command {
    CommandKind kind;
    uint32_t mode;
    Way way;
    bool keys; /* this member up to statusBits: the command has the array of that name */
    bool values;
    bool statuses;
    bool slots; /* also the slot map of a rehash, merge or compaction */
    bool oldValues;
    bool statusBits;
    bool result;  /* a rehash, merge or compaction returns its result */
    bool counted; /* the item count is in GPU memory (gpuCount) */
    uint32_t gpuCount;
    uint32_t maxCount; /* items of a batch; capacity of an extraction */
    MurPredicate predicates[MUR_MAX_PREDICATES];
    bool erases;            /* an extraction that erases the entries */
    bool exclusive;         /* a batch with MUR_BATCH_EXCLUSIVE */
    bool other;             /* COMMAND_PUT fills the table that is not the current one */
    uint32_t erased;        /* COMMAND_PUT erases the last N of each ten items */
    uint64_t full, refused; /* COMMAND_PUT: the counters of failed inserts */
    Item *items;            /* maxCount elements */
    /* Items of a row have the keys number first, first + step, ... (step 0 means 1). Each key
     * occurs `times` times (0: once). After `turn` keys (0: never) the numbers start at first
     * again. */
    uint32_t first, step, times, turn;
    bool neighbours;  /* uses the keys with neighbouring hashes instead */
    uint32_t salt;    /* a number from which the values are computed */
    uint32_t invalid; /* one of N values is the empty value; 0: none */
    bool cancels;     /* every second value is the negative of the previous */
    Scratch scratch;
    Fit fit;
    Order order;
    Stream stream;
    uint32_t moved; /* number of moved entries that a compaction must report; 0: any number */
} Command;

typedef struct Sequence {
    const char *name;    /* the name of a row */
    uint64_t seed;       /* the seed of a random sequence */
    Keys keys;           /* how the keys of a row are chosen */
    bool bare;           /* true for a row without final finds, extraction and statistics */
    TableSpec tables[2]; /* the second has capacity 0 if there is only one */
    uint32_t commandCount;
    Command commands[MAX_COMMANDS + 1];
} Sequence;

bool command_is_batch(const Command *command);  /* an insert, build, find or erase */
bool command_inserts(const Command *command);   /* an insert or build */
bool command_relocates(const Command *command); /* a rehash, merge or compaction */
bool command_changes_table(
    const Command *command); /* a rehash or merge, after which the other table is current */
/* Returns the actual number of items of a batch. */
uint32_t command_items(const Command *command);

OracleConfig table_config(const TableSpec *spec);
void sequence_generate(Sequence *sequence, uint64_t seed);
void sequence_close(Sequence *sequence);
void sequence_print(const Sequence *sequence);

#endif
