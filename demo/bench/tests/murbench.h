/* murbench as the cases see it: running it, and reading its rows.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MURBENCH_H
#define MUR_TEST_MURBENCH_H

#include "support/cases.h"
#include "voxels/tests/program.h"

#include <stdbool.h>

enum { CSV_COLUMNS = 24 };
extern const char murbench_header[];

typedef struct CsvLine {
    char fields[CSV_COLUMNS][96];
} CsvLine;

/* Runs a program of the test program's own folder: MURBENCH_WRONG is wrong (NULL: empty). It runs
 * on the device that the tests use, with validation layers if that is asked for. */
Program program_run(const char *name, const char *wrong, bool validated, const char *const *args);
/* It ended well and without a word on stderr, but for the sentence on clocks that did not settle,
 * which a device may well cause. */
void program_succeeded(const Program *program);
/* It failed with one line on stderr, and without a figure. */
void program_failed(const Program *program, const char *what);

/* A name in the folder of this run, as pathIn. */
const char *file_in(const char *name);

/* The suites that the run at quick sizes has, for --suite: the normal tier leaves out those whose
 * kernels take a software device long to compile. */
const char *murbench_suites(void);
bool murbench_has_suite(const char *name);

/* Of a column of murbench_header. */
const char *row_text(const CsvLine *line, const char *column);
double row_figure(const CsvLine *line, const char *column);
bool row_is(const CsvLine *line, const char *column, const char *text);
/* Calls back for each row of a CSV file, which must follow the format; gives their number. */
size_t for_each_row(const char *path, void (*visit)(const CsvLine *line, void *user), void *user);

/* Fails the test with what a row is. */
#define ROW_FAIL(line, format, ...)                                                       \
    fail_msg("%s, %s, %s: " format, row_text(line, "suite"), row_text(line, "operation"), \
             row_text(line, "variant"), __VA_ARGS__)

/* The one run at quick sizes, whose rows several cases read, and what all of them leave. */
const Program *quick_run(void);
int run_quick(void **state);
int clean(void **state);

/* rows_test.c: what holds for every row. */
void check_row(const CsvLine *line, void *user);

/* A case, of any file: what follows is its body. */
#define BENCH_TEST(name)                                                        \
    static void name(void **state);                                             \
    __attribute__((constructor)) static void name##_is_a_case(void) {           \
        cases_add((struct CMUnitTest)cmocka_unit_test(name), run_quick, clean); \
    }                                                                           \
    static void name(void **state)

#endif
