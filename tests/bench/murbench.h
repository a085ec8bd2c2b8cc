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
    COLUMN_SCRATCH,
    COLUMN_TABLE,
    COLUMN_REPS,
    COLUMN_PROBE_MEAN,
    COLUMN_PROBE_MAX,
    COLUMN_BULK,
    CSV_COLUMNS
};

extern const char murbench_header[];

/* Runs murbench, or a program that takes its options, on the device that the tests use. */
Program murbench_run_as(const char *program, const char *const *args, bool validated);
Program murbench_run(const char *const *args, bool validated);
/* Fails the test unless the program ended well and without a word on stderr. */
void murbench_succeeded(const Program *program);

double murbench_figure(const CsvLine *line, unsigned column);
bool murbench_is(const CsvLine *line, unsigned column, const char *text);

/* rows_test.c: cases on the rows of the one full run at quick sizes, and of --tune. */
void rows_are_complete(void **state);
void rows_state_what_they_are_of(void **state);
void ratios_follow_from_figures(void **state);
void tune_finds_who_wins(void **state);
void wrong_results_are_an_error(void **state);

#endif
