/* murbench as the cases see it: running it, and reading its rows.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MURBENCH_H
#define MUR_TEST_MURBENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

typedef struct CsvLine {
    char fields[CSV_COLUMNS][96];
} CsvLine;

typedef struct Program {
    int status;            /* of its exit */
    char *output, *errors; /* to be freed by program_free */
} Program;

/* Runs a program of the test program's own folder: MURBENCH_WRONG is wrong (NULL: not set). It runs
 * on the device that the tests use, with validation layers if that is asked for and they are there.
 * */
Program program_run(const char *name, const char *wrong, bool validated, const char *const *args);
void program_free(Program *program);
/* It ended well and without a word on stderr, but for the sentence on clocks that did not settle,
 * which a device may well cause. */
void program_succeeded(const Program *program);
/* It failed with one line on stderr, and without a figure. */
void program_failed(const Program *program, const char *what);

/* A name in a folder for this run, valid for the next ten calls. */
const char *file_in(const char *name);
char *file_read(const char *path);
void file_write(const char *path, const char *text);
int folder_remove(void **state);

/* The suites that the run at quick sizes has, for --suite: the normal tier leaves out those whose
 * kernels take a software device long to compile. */
const char *murbench_suites(void);
bool murbench_has_suite(const char *name);

double row_figure(const CsvLine *line, unsigned column);
bool row_is(const CsvLine *line, unsigned column, const char *text);
/* Calls back for each row of a CSV file, which must follow the format; gives their number. */
size_t for_each_row(const char *path, void (*visit)(const CsvLine *line, void *user), void *user);

/* Fails the test with what a row is. */
#define ROW_FAIL(line, format, ...)                               \
    fail_msg("%s, %s, %s: " format, (line)->fields[COLUMN_SUITE], \
             (line)->fields[COLUMN_OPERATION], (line)->fields[COLUMN_VARIANT], __VA_ARGS__)

/* compare_test.c: cases on peers. */
void compare_adds_the_peer(void **state);
void compare_adds_what_is_alike(void **state);
void compare_wants_lines(void **state);
void best_peers_are_merged(void **state);
void best_peers_wants_rows(void **state);

/* tune_test.c: cases on --tune. */
void tune_finds_who_wins(void **state);
void tune_prints_what_it_found(void **state);
void tune_forces_ways(void **state);

/* rows_test.c: cases on the rows of the one run at quick sizes, and on rows that must not be. */
void rows_are_complete(void **state);
void rows_state_what_they_are_of(void **state);
void start_rows_are_complete(void **state);
void programs_link_what_they_use(void **state);
void wrong_results_are_an_error(void **state);
void unsettled_clocks_are_told(void **state);

#endif
