/* How a case of concurrent_test says what it runs.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CASES_H
#define CASES_H

#include "trial.h"

#define ARENA_TEST(name) GPU_TEST_OF(name, Arena, arena, arena_setup, arena_teardown)

/* A cell of the contract's table. mix: eight operations, F find, K keep, A assign, + add, < min, >
 * max, | or, U update, E erase, X exchange by slot, T take (erase by slot), C compare and exchange
 * by slot, in bulk W erase where. */
typedef struct Cell {
    const char *name;
    const char *mix;
    uint32_t scheme;
    MurReservedValue reserved;
    uint32_t present;
    uint32_t pattern;
} Cell;

uint32_t parse_mix(const char *text);
/* By device address, in the shader of the width; the caller says on what keys. And: runs it. */
Trial cell_trial(const Cell *cell, MurAtomicWidth width, uint64_t seed);
void cell_run(Arena *arena, Trial *trial);

#endif
