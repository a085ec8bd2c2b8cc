/* Sequences of table commands: generated from a seed, or written down as rows (tests/semantics);
 * printed for people.
 *
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
}; /* the last two: of random ones */

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
    bool uses;    /* created for builds, rehashes and scratch memory; not for tables in buckets */
    bool ages;    /* of tables in buckets; they have no probe limits */
    bool ordered; /* set the state bit after the first clear, as a command that sorts would */
    uint32_t gap; /* engine's memory: this many times 256 bytes before the table */
} TableSpec;
MurTableCreateInfo table_info(const TableSpec *spec);
/* A line without its end, for failure reports. */
void table_print(const TableSpec *spec);

/* A small set of keys that like to meet: special ones, random ones, ones whose homes crowd
 * together somewhere or at the table's end. Returns how many; at least 1, at most capacity of
 * the array. */
uint32_t random_keys(Random *random, const TableSpec *spec, uint64_t *keys, uint32_t most);
/* Small ones, random ones and extremes, the reserved ones among them; as wide as the format's. */
uint64_t random_value(Random *random, const TableKind *kind);
/* A mode that the table offers. */
uint32_t random_mode(Random *random, const TableKind *kind);
TableSpec random_table(Random *random, const TableKind *kind, ProbeLimit limit);

/* A sequence has one table or two, of which one is current. Commands work on the current
 * table. A rehash and a merge read the current table and write the other one, which then
 * becomes current. */
typedef enum CommandKind {
    COMMAND_END, /* none: the list of commands ends */
    COMMAND_CLEAR,
    COMMAND_INSERT,
    COMMAND_FIND,
    COMMAND_ERASE,
    COMMAND_BUILD,
    COMMAND_EXTRACT,
    COMMAND_STATS,
    COMMAND_REBUILD, /* of tables in buckets */
    COMMAND_REHASH,
    COMMAND_MERGE,
    COMMAND_COMPACT,
    /* Not a command: the oracle inserts the items in order, with no probe limit, and erases some.
     * Its memory becomes the memory of the empty table. */
    COMMAND_PUT
} CommandKind;

typedef struct Item {
    uint64_t key;
    uint64_t value; /* of sets: 1 */
} Item;

/* Expectations beyond the answers, which are always judged. 0: any. */
typedef enum Scratch { SCRATCH_ANY, SCRATCH_NONE, SCRATCH_USED, SCRATCH_SHORT } Scratch;
typedef enum Fit { FIT_ANY, FIT_ALL, FIT_SOME, FIT_NONE, FIT_PERHAPS } Fit;
typedef enum Order { ORDER_ANY, ORDER_YES, ORDER_NO } Order;
/* How a streamed rehash ends: failed means that entries were inserted one by one. */
typedef enum Stream { STREAM_ANY, STREAM_SPARSE, STREAM_DENSE, STREAM_FAILED } Stream;

typedef struct Command {
    CommandKind kind;
    uint32_t mode;
    Way way;
    bool keys; /* which of the optional arrays are given */
    bool values;
    bool statuses;
    bool slots; /* of a rehash, a merge and a compaction: the slot map */
    bool oldValues;
    bool statusBits;
    bool result;  /* of a rehash, a merge and a compaction, which need not have one */
    bool counted; /* the count comes from the GPU */
    uint32_t gpuCount;
    uint32_t maxCount; /* items of a batch; elements of an extraction */
    MurPredicate predicates[MUR_MAX_PREDICATES];
    bool erases;            /* the entries that an extraction finds */
    bool exclusive;         /* a batch with MUR_BATCH_EXCLUSIVE */
    bool other;             /* COMMAND_PUT fills the other table */
    uint32_t erased;        /* COMMAND_PUT erases the last N of each ten items */
    uint64_t full, refused; /* COMMAND_PUT: the counters of failed inserts */
    Item *items;            /* maxCount of them */
    /* The items of a row: keys number first, first + step, ... (0: 1), each the given number
     * of times (0: once) one after another, and again from the first one after so many keys
     * (0: never). */
    uint32_t first, step, times, turn;
    bool neighbours;  /* of these keys, instead */
    uint32_t salt;    /* of the values */
    uint32_t invalid; /* one value in N is the empty value; 0: none */
    bool cancels;     /* each second value is the negative of the one before */
    Scratch scratch;
    Fit fit;
    Order order;
    Stream stream;
    uint32_t moved; /* with a result: the entries that a compaction counts; 0: any */
} Command;

typedef struct Sequence {
    const char *name;    /* of a row */
    uint64_t seed;       /* of a random one */
    Keys keys;           /* of a row */
    bool bare;           /* a row without finds, an extraction and statistics at its end */
    TableSpec tables[2]; /* capacity 0: there is no second one */
    uint32_t commandCount;
    Command commands[MAX_COMMANDS + 1];
} Sequence;

bool command_is_batch(const Command *command);  /* an insert, build, find or erase */
bool command_inserts(const Command *command);   /* an insert or build */
bool command_relocates(const Command *command); /* a rehash, merge or compaction */
bool command_changes_table(
    const Command *command); /* a rehash or merge: the other one is current */
/* Items that a batch really has. */
uint32_t command_items(const Command *command);

OracleConfig table_config(const TableSpec *spec);
void sequence_generate(Sequence *sequence, uint64_t seed);
/* Frees the items. */
void sequence_close(Sequence *sequence);
void sequence_print(const Sequence *sequence);

#endif
