/* Runs many sequences, each on tables of its own, in one submit: step by step, the n-th
 * commands of all sequences at the same time, then a barrier and a copy of every table. Reads
 * everything back.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_RUN_H
#define MUR_TEST_BULK_RUN_H

#include "support/gpu.h"

#include "sequence.h"

enum {
    MAX_RUNS = 128,
    GUARD_WORDS = 4, /* after each array */
    POISON = 0x5AA5C33C
};

/* Where a command's arrays are among the words, 0 for one that is not given, and the table's
 * memory as it was after the command. */
typedef struct Placement {
    uint32_t keys;
    uint32_t values;
    uint32_t statuses;
    uint32_t slots;
    uint32_t oldValues;
    uint32_t statusBits;
    uint32_t count;
    uint32_t stats;
    uint32_t result; /* a MurRehashResult */
    uint32_t slotMap;
    uint32_t put; /* the memory that COMMAND_PUT copies */
    uint32_t scratch, scratchWords;
    VkDeviceSize scratchNeed; /* bytes that the library asks for */
    uint32_t current;         /* the table that is current before the command, */
    uint32_t changed;         /* and the one that the command may change */
    uint32_t images[2];       /* each table's memory after the command */
} Placement;

typedef struct Side {
    const TableSpec *spec;
    MurTable table; /* on the GPU */
    MurTableRef ref;
    MurBufferRange memory;
    uint32_t imageWords;   /* 0: there is no such table */
    uint32_t imageCleared; /* the image after the clear that comes before the first command */
} Side;

typedef struct Run {
    const Sequence *sequence;
    Side sides[2];
    uint32_t keyWords, valueWords; /* of an element; of sets valueWords is 0 */
    Placement placements[MAX_COMMANDS];
} Run;

typedef struct Runner {
    Gpu *gpu;
    GpuBuffer arena; /* tables of the engine's */
    GpuBuffer io;    /* arrays and images */
    uint32_t *words; /* what io held when all was done */
    uint32_t *arenaWords;
    uint32_t used, room; /* words of io: taken, and there at all, without those for the arena */
    VkDeviceSize arenaUsed;
    uint32_t runCount;
    Run runs[MAX_RUNS];
} Runner;

/* Element i of an array at words. */
uint64_t run_number(const uint32_t *words, uint32_t i, uint32_t elementWords);
void run_put_number(uint32_t *words, uint32_t i, uint32_t elementWords, uint64_t number);

Runner *runner_open(Gpu *gpu);
void runner_close(Runner *runner);
/* Is the table cleared before the first command? One is not that a build or a rehash fills
 * first. */
bool run_is_cleared(const Run *run, uint32_t side);
/* The table as COMMAND_PUT leaves it, which is the first to change it. */
Oracle run_put(const Run *run, const Command *command, uint32_t side);
/* Reserves words for an array and returns their place; 0 if it is not given. The second reserves
 * the arrays of all commands, the third writes their input. */
uint32_t run_place(Runner *runner, bool given, uint32_t words);
void run_place_commands(Runner *runner, Run *run);
void run_upload(uint32_t *words, const Run *run);
/* false: no room, run what is there first. The sequence must outlive the run. */
bool runner_add(Runner *runner, const Sequence *sequence);
/* Runs what was added; words and runs are then valid until runner_reset. */
void runner_submit(Runner *runner);
void runner_reset(Runner *runner);

#endif
