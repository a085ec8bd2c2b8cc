/* murbench as the cases see it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MURBENCH_H
#define MUR_TEST_MURBENCH_H

#include "program.h"
#include "text.h"

#include <stdbool.h>

/* Of murbench_header. */
enum {
    COLUMN_SUITE,
    COLUMN_OPERATION,
    COLUMN_VARIANT,
    COLUMN_STATE,
    COLUMN_FORMAT,
    COLUMN_PAIRS,
    COLUMN_CAPACITY,
    COLUMN_LOAD,
    COLUMN_MS,
    COLUMN_RATE,
    COLUMN_UNIT,
    COLUMN_CEILING,
    COLUMN_OF_CEILING,
    COLUMN_PEER,
    COLUMN_OF_PEER,
    COLUMN_PEER_DOES,
    COLUMN_SCRATCH,
    COLUMN_SCRATCH_A_PAIR,
    COLUMN_TABLE,
    COLUMN_REPS,
    COLUMN_PROBE_MEAN,
    COLUMN_PROBE_MAX,
    COLUMN_BULK,
    COLUMN_UNSETTLED,
    CSV_COLUMNS
};

extern const char murbench_header[];

/* Runs murbench, or a program that takes its options, on the device that the tests use. */
Program murbench_run_as(const char *program, const char *const *args, bool validated);
Program murbench_run(const char *const *args, bool validated);

/* The suites that the run at quick sizes has, for --suite: the normal tier leaves out those whose
 * kernels take a software device long to compile. */
const char *murbench_suites(void);
bool murbench_has_suite(const char *name);
/* Fails the test unless the program ended well and without a word on stderr, but for the sentence
 * on clocks that did not settle, which a device may well cause. */
void murbench_succeeded(const Program *program);

double murbench_figure(const CsvLine *line, unsigned column);
/* Calls back for each row of a CSV file; gives their number. */
size_t murbench_rows(const char *path, void (*visit)(const CsvLine *line, void *user), void *user);
bool murbench_is(const CsvLine *line, unsigned column, const char *text);

/* compare_test.c: cases on peers. */
void compare_adds_the_peer(void **state);
void compare_adds_what_is_alike(void **state);
void compare_wants_lines(void **state);
void best_peers_are_merged(void **state);
void best_peers_wants_rows(void **state);

/* tune_test.c: cases on --tune. */
void tune_prints_what_it_found(void **state);
void tune_finds_who_wins(void **state);
void tune_forces_ways(void **state);

/* rows_test.c: cases on the rows of the one full run at quick sizes, and on clocks. */
void rows_are_complete(void **state);
void rows_state_what_they_are_of(void **state);
void rows_state_their_scratch(void **state);
void start_rows_are_complete(void **state);
void programs_link_what_they_use(void **state);
void ratios_follow_from_figures(void **state);
void wrong_results_are_an_error(void **state);
void unsettled_clocks_are_told(void **state);

#endif
