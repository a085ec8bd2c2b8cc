/* The cases of concurrent_test, one list a source file, and how a case says what it runs.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CASES_H
#define CASES_H

#include "trial.h"

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

/* The cells of the table, in a shader. */
extern const struct CMUnitTest contract_tests[];
extern const size_t contract_count;
/* The same with the bulk commands, and full tables. */
extern const struct CMUnitTest bulk_tests[];
extern const size_t bulk_count;
/* Histories that a single order must explain. */
extern const struct CMUnitTest linear_tests[];
extern const size_t linear_count;
/* What only the validation layer can see. */
extern const struct CMUnitTest hazard_tests[];
extern const size_t hazard_count;

#endif
