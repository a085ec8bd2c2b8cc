/* murbench as a program: what it exits with, prints and writes.
 *
 * SPDX-License-Identifier: MIT */
#include "murbench.h"
#include "support/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one run at quick sizes, whose files several cases read. */
static Program quick;

static int run_quick(void **state) {
    (void)state;
    char csv[256], json[256];
    snprintf(csv, sizeof csv, "%s", program_file(0, "quick.csv"));
    snprintf(json, sizeof json, "%s", program_file(1, "rows.json"));
    const char *const args[] = {"--quick", "--csv",           csv, "--json", json,
                                "--suite", murbench_suites(), NULL};
    quick = murbench_run(args, true);
    return 0;
}

static int clean(void **state) {
    (void)state;
    program_free(&quick);
    program_clean();
    return 0;
}

static void quick_run_is_clean(void **state) {
    (void)state;
    murbench_succeeded(&quick);
}

static void csv_is_well_formed(void **state) {
    (void)state;
    char *text = program_read(program_file(0, "quick.csv"));
    CsvLine line;
    assert_memory_equal(text, murbench_header, strlen(murbench_header));
    size_t rows = 0;
    for (const char *at = text + strlen(murbench_header); (at = csv_next(at, &line)); ++rows) {
        assert_int_equal(line.count, CSV_COLUMNS);
        for (size_t i = COLUMN_PAIRS; i < CSV_COLUMNS; ++i) {
            char *end;
            const double value = strtod(line.fields[i], &end);
            if (i != COLUMN_UNIT && i != COLUMN_PEER_DOES &&
                (*end || end == line.fields[i] || !isfinite(value) || value < 0)) {
                fail_msg("row %zu, column %zu: \"%s\" is not a figure", rows, i, line.fields[i]);
            }
        }
        if (strtod(line.fields[COLUMN_RATE], NULL) <= 0 || !*line.fields[COLUMN_UNIT]) {
            fail_msg("row %zu (%s, %s): no rate", rows, line.fields[COLUMN_SUITE],
                     line.fields[COLUMN_OPERATION]);
        }
    }
    assert_true(rows > 0);
    free(text);
}

static void json_is_well_formed(void **state) {
    (void)state;
    char *json = program_read(program_file(1, "rows.json"));
    char *csv = program_read(program_file(0, "quick.csv"));
    const char *end = json_value(json);
    if (!end || strcmp(end, "\n") != 0) {
        fail_msg("not one JSON value: %.200s", json);
    }
    size_t lines = 0;
    size_t objects = 0;
    for (const char *at = csv; (at = strchr(at, '\n')); ++at) {
        ++lines;
    }
    for (const char *at = json; (at = strstr(at, "\"suite\"")); ++at) {
        ++objects;
    }
    assert_int_equal(objects, lines - 1);
    free(json);
    free(csv);
}

/* The names that --list gives, one a line; calls back for each. */
static size_t for_each_suite(void (*visit)(const char *name, void *user), void *user) {
    const char *const args[] = {"--list", NULL};
    Program list = murbench_run(args, false);
    murbench_succeeded(&list);
    size_t count = 0;
    for (char *line = strtok(list.output, "\n"); line; line = strtok(NULL, "\n"), ++count) {
        const size_t length = strcspn(line, " ");
        assert_true(strlen(line) > length + 5); /* it has a description */
        line[length] = '\0';
        visit(line, user);
    }
    program_free(&list);
    return count;
}

static void has_row(const char *name, void *user) {
    CsvLine line;
    if (!murbench_has_suite(name)) {
        return;
    }
    for (const char *at = user; (at = csv_next(at, &line));) {
        if (strcmp(line.fields[COLUMN_SUITE], name) == 0) {
            return;
        }
    }
    fail_msg("suite %s made no row", name);
}

static void every_suite_has_rows(void **state) {
    (void)state;
    char *csv = program_read(program_file(0, "quick.csv"));
    assert_int_equal(for_each_suite(has_row, csv), 17);
    free(csv);
}

/* Long: its tables are made of many pipelines. */
static void large_suite_runs_if_named(void **state) {
    (void)state;
    if (!test_full()) {
        skip();
    }
    const char *const args[] = {"--quick", "--suite", "large", NULL};
    Program program = murbench_run(args, true);
    murbench_succeeded(&program);
    assert_non_null(strstr(program.output, "large find"));
    program_free(&program);
}

/* The table at the end has every row again. */
static void table_repeats_every_row(void **state) {
    (void)state;
    const char *table = strstr(quick.output, "every result verified");
    assert_non_null(table);
    size_t before = 0;
    size_t after = 0;
    for (const char *at = quick.output; (at = strchr(at, '\n')); ++at) {
        before += at < table;
        after += at > table;
    }
    /* A blank line and one on the clocks before the table, its heading's end after "verified". */
    assert_int_equal(before - 2, after - 1);
    assert_non_null(strstr(quick.output, "\nclocks: "));
    assert_non_null(strstr(table, " a pair\n"));
}

static void suites_can_be_chosen(void **state) {
    (void)state;
    char csv[256];
    snprintf(csv, sizeof csv, "%s", program_file(0, "rows.csv"));
    const char *const args[] = {"--quick", "--suite", "memory,mixed", "--reps", "29", "--csv",
                                csv,       NULL};
    Program program = murbench_run(args, true);
    murbench_succeeded(&program);
    char *text = program_read(csv);
    CsvLine line;
    size_t rows = 0;
    for (const char *at = text + strlen(murbench_header); (at = csv_next(at, &line)); ++rows) {
        assert_true(strcmp(line.fields[COLUMN_SUITE], "memory") == 0 ||
                    strcmp(line.fields[COLUMN_SUITE], "mixed") == 0);
    }
    assert_true(rows > 2);
    free(text);
    program_free(&program);
}

static void mistakes_end_in_one_line(void **state) {
    static const char *const mistakes[][2] = {
        {"--frobnicate"},
        {"size"},
        {"--suite"},
        {"--suite", "size,nonsense"},
        {"--suite", ""},
        {"--suite", "size,"},
        {"--reps", "6"},
        {"--reps", "30"},
        {"--reps", "7x"},
        {"--reps", "-7"},
        {"--min-log2n", "0"},
        {"--max-log2n", "29"},
        {"--min-log2n=20", "--max-log2n=18"},
        {"--device", "31"},
        {"--device", "two"},
        {"--quick=1"},
        {"--tune=1"},
        {"--tune", "--suite=size"},
        {"--csv", "/nonexistent/rows.csv"},
        {"--json", "/nonexistent/rows.json"},
        {"--compare", "/nonexistent/peers.csv"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        /* Quick, so that a mistake which is not noticed does not take minutes. */
        const char *const args[] = {"--quick", mistakes[i][0], mistakes[i][1], NULL};
        Program program = program_run("murbench", args);
        const char *newline = strchr(program.errors, '\n');
        if (program.status != EXIT_FAILURE || strncmp(program.errors, "murbench: ", 10) != 0 ||
            !newline || newline[1] != '\0' || *program.output) {
            fail_msg("murbench %s %s: exit status %d, stdout \"%s\", stderr \"%s\"", mistakes[i][0],
                     mistakes[i][1] ? mistakes[i][1] : "", program.status, program.output,
                     program.errors);
        }
        program_free(&program);
    }
}

/* Every option that --help names is taken, with a value if the help shows one. */
static void help_is_true(void **state) {
    (void)state;
    const char *const help[] = {"--help", NULL};
    Program program = murbench_run(help, false);
    murbench_succeeded(&program);
    size_t options = 0;
    for (const char *at = program.output; (at = strstr(at, "\n  --")); ++options) {
        char option[32], value[32];
        at += 3;
        assert_int_equal(sscanf(at, "%31s", option), 1);
        const char *after = at + strlen(option);
        const bool valued = after[0] == ' ' && after[1] != ' ';
        snprintf(value, sizeof value, "%s", strncmp(option, "--suite", 7) == 0 ? "size" : "10");
        const bool file = valued && strncmp(after + 1, "FILE", 4) == 0;
        const char *const args[] = {option,
                                    !valued ? "--help"
                                    : file  ? "/dev/null"
                                            : value,
                                    "--help", NULL};
        Program taken = program_run("murbench", args);
        if (taken.status != 0 || *taken.errors) {
            fail_msg("%s: exit status %d, stderr %s", option, taken.status, taken.errors);
        }
        program_free(&taken);
    }
    assert_int_equal(options, 13);
    program_free(&program);
}

#ifdef HAS_MURBENCH_CPU
static void cpu_rows_have_the_same_columns(void **state) {
    (void)state;
    char csv[256];
    snprintf(csv, sizeof csv, "%s", program_file(0, "rows.csv"));
    const char *const args[] = {"--quick", "--csv", csv, NULL};
    Program program = program_run("murbench-cpu", args);
    murbench_succeeded(&program);
    char *text = program_read(csv);
    CsvLine line;
    size_t rows = 0;
    assert_memory_equal(text, murbench_header, strlen(murbench_header));
    for (const char *at = text + strlen(murbench_header); (at = csv_next(at, &line)); ++rows) {
        assert_int_equal(line.count, CSV_COLUMNS);
        assert_true(strtod(line.fields[COLUMN_RATE], NULL) > 0);
    }
    assert_true(rows > 0);
    free(text);
    program_free(&program);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick_run_is_clean),
        cmocka_unit_test(csv_is_well_formed),
        cmocka_unit_test(json_is_well_formed),
        cmocka_unit_test(every_suite_has_rows),
        cmocka_unit_test(large_suite_runs_if_named),
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(rows_state_what_they_are_of),
        cmocka_unit_test(rows_state_their_scratch),
        cmocka_unit_test(start_rows_are_complete),
        cmocka_unit_test(programs_link_what_they_use),
        cmocka_unit_test(ratios_follow_from_figures),
        cmocka_unit_test(table_repeats_every_row),
        cmocka_unit_test(suites_can_be_chosen),
        cmocka_unit_test(compare_adds_the_peer),
        cmocka_unit_test(compare_adds_what_is_alike),
        cmocka_unit_test(compare_wants_lines),
        cmocka_unit_test(best_peers_are_merged),
        cmocka_unit_test(best_peers_wants_rows),
        cmocka_unit_test(tune_prints_what_it_found),
        cmocka_unit_test(tune_finds_who_wins),
        cmocka_unit_test(tune_forces_ways),
        cmocka_unit_test(wrong_results_are_an_error),
        cmocka_unit_test(unsettled_clocks_are_told),
        cmocka_unit_test(mistakes_end_in_one_line),
        cmocka_unit_test(help_is_true),
#ifdef HAS_MURBENCH_CPU
        cmocka_unit_test(cpu_rows_have_the_same_columns),
#endif
    };
    return cmocka_run_group_tests_name("bench", tests, run_quick, clean);
}
