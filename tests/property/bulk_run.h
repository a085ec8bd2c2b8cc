/* Runs many sequences in one submit, each on its own tables. In each step, the n-th commands of all
 * sequences run concurrently; a barrier and a copy of every table follow. Reads all memory back.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_RUN_H
#define MUR_TEST_BULK_RUN_H

#include "support/gpu.h"

#include "sequence.h"

enum {
    MAX_RUNS = 128,
    GUARD_WORDS = 4, /* unused words after each array, which must not change */
    POISON = 0x5AA5C33C
};

/* Offsets of a command's arrays and of the copied tables, in words. 0: no such array. */
typedef struct Placement {
    uint32_t keys;
    uint32_t values;
    uint32_t statuses;
    uint32_t slots;
    uint32_t oldValues;
    uint32_t statusBits;
    uint32_t count;
    uint32_t stats;
    uint32_t result; /* offset of a MurRehashResult */
    uint32_t slotMap;
    uint32_t put; /* the memory that COMMAND_PUT copies */
    uint32_t scratch, scratchWords;
    VkDeviceSize scratchNeed; /* bytes that the library requests */
    uint32_t current;         /* index of the current table before the command */
    uint32_t changed;         /* index of the table that the command changes */
    uint32_t images[2];       /* copy of each table's memory after the command */
} Placement;

typedef struct Side {
    const TableSpec *spec;
    MurTable table; /* the table on the GPU */
    MurTableRef ref;
    MurBufferRange memory;
    uint32_t imageWords;   /* words of table memory; 0 if there is no such table */
    uint32_t imageCleared; /* offset of the copy after the first clear */
} Side;

typedef struct Run {
    const Sequence *sequence;
    Side sides[2];
    uint32_t keyWords, valueWords; /* per element; valueWords of sets is 0 */
    Placement placements[MAX_COMMANDS];
} Run;

typedef struct Runner {
    Gpu *gpu;
    GpuBuffer arena; /* tables in memory of the engine */
    GpuBuffer io;    /* arrays of all commands, and copies of tables */
    uint32_t *words; /* copy of io after all commands */
    uint32_t *arenaWords;
    uint32_t used, room; /* words of io without the copy of the arena: used, and allocated */
    VkDeviceSize arenaUsed;
    uint32_t runCount;
    Run runs[MAX_RUNS];
} Runner;

/* Returns element i of an array that begins at words. */
uint64_t run_number(const uint32_t *words, uint32_t i, uint32_t elementWords);
void run_put_number(uint32_t *words, uint32_t i, uint32_t elementWords, uint64_t number);

Runner *runner_open(Gpu *gpu);
void runner_close(Runner *runner);
/* Returns whether the table is cleared first. Tables that a build or a rehash fills are not. */
bool run_is_cleared(const Run *run, uint32_t side);
/* Returns the content of a table after COMMAND_PUT, the first command on this table. */
Oracle run_put(const Run *run, const Command *command, uint32_t side);
/* run_place reserves words of io for an array and returns their offset. given: false if the command
 * has no such array; the offset is then 0. run_place_commands reserves the arrays of all commands.
 * run_upload writes the input of all commands. */
uint32_t run_place(Runner *runner, bool given, uint32_t words);
void run_place_commands(Runner *runner, Run *run);
void run_upload(uint32_t *words, const Run *run);
/* Adds a sequence, which the runner uses until runner_reset. Returns false if memory is full: the
 * caller must submit first. */
bool runner_add(Runner *runner, const Sequence *sequence);
/* Runs all added sequences. The results remain valid until runner_reset. */
void runner_submit(Runner *runner);
void runner_reset(Runner *runner);

#endif
