/* Shared by the case files of concurrent_test.
 * SPDX-License-Identifier: MIT */
#ifndef CASES_H
#define CASES_H

#include "mix.h"
#include "trial.h"

#define ARENA_TEST(name) GPU_TEST_OF(name, Arena, arena, arena_setup, arena_teardown)

/* A pair of operations in the table of the concurrency contract in murmuration.h. */
typedef struct Cell {
    const char *name;
    const char *mix;
    uint32_t scheme;
    MurEmptyValue reserved;
    uint32_t present;
    uint32_t pattern;
} Cell;

/* Returns a trial (one dispatch of many operations) on a table that shaders access by device
 * address. width: atomic width of the table and of the shader. The caller sets keyCount. */
Trial cell_trial(const Cell *cell, MurAtomicWidth width, uint64_t seed);
void cell_run(Arena *arena, Trial *trial);

#endif
