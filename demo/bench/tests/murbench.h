/* Functions that run murbench and read its rows.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MURBENCH_H
#define MUR_TEST_MURBENCH_H

#include "support/cases.h"
#include "voxels/tests/program.h"

#include <stdbool.h>

enum { CSV_COLUMNS = 22 }; /* at most: those of compare are among them */

typedef struct CsvLine {
    char fields[CSV_COLUMNS][96];
} CsvLine;

/* Runs a program from the test program's folder with MURBENCH_WRONG=wrong (NULL: empty). It uses
 * the device of the tests, with validation layers if requested. */
Program program_run(const char *name, const char *wrong, bool validated, const char *const *args);
/* Checks that the program succeeded, without output on stderr except the sentence on unsettled
 * clocks, which devices may cause. */
void program_succeeded(const Program *program);
/* Checks that the program failed with one line on stderr and printed no figure. */
void program_failed(const Program *program, const char *what);

/* Returns the path of a name in the folder of this run. */
const char *file_in(const char *name);

/* Returns the suites of the run at quick sizes, for --suite: the normal tier omits suites whose
 * kernels compile slowly on a software device. */
const char *murbench_suites(void);
bool murbench_has_suite(const char *name);

/* Returns the text of a column; a column of compare is empty if the file does not have it. */
const char *row_text(const CsvLine *line, const char *column);
double row_figure(const CsvLine *line, const char *column);
bool row_is(const CsvLine *line, const char *column, const char *text);
/* Calls visit for each row of a CSV file of murbench or compare, which must be well-formed. Returns
 * their number. */
size_t for_each_row(const char *path, void (*visit)(const CsvLine *line, void *user), void *user);

/* Fails the test and describes the row. */
#define ROW_FAIL(line, format, ...)                                                       \
    fail_msg("%s, %s, %s: " format, row_text(line, "suite"), row_text(line, "operation"), \
             row_text(line, "variant"), __VA_ARGS__)

/* Returns the run at quick sizes, which several cases share, with its files. */
const Program *quick_run(void);
int run_quick(void **state);
int clean(void **state);

/* rows_test.c: checks invariants of a row. */
void check_row(const CsvLine *line, void *user);

/* Defines a test case, in any file of the program; the body follows. */
#define BENCH_TEST(name)                                                        \
    static void name(void **state);                                             \
    __attribute__((constructor)) static void name##_is_a_case(void) {           \
        cases_add((struct CMUnitTest)cmocka_unit_test(name), run_quick, clean); \
    }                                                                           \
    static void name(void **state)

#endif
