/* Tests murbench as a program: exit status, output and files.
 * SPDX-License-Identifier: MIT */
#include "murbench.h"

#include <stdio.h>
#include <string.h>

BENCH_TEST(quick_run_is_clean) {
    program_succeeded(quick_run());
}

/* Every row is in the CSV file, on standard output, and in the table at the end of the output. */
BENCH_TEST(rows_are_well_formed) {
    const char *table = strstr(quick_run()->out, "every result verified");
    const size_t rows = for_each_row(file_in("quick.csv"), check_row, NULL);
    size_t before = 0, after = 0;
    assert_true(rows > 0);
    assert_non_null(table);
    for (const char *at = quick_run()->out; (at = strchr(at, '\n')); ++at) {
        before += at < table;
        after += at > table;
    }
    /* Before the table come two lines that are no rows: a blank one and one about clocks. */
    assert_int_equal(before, rows + 2);
    assert_int_equal(after, rows + 1);
    assert_non_null(strstr(quick_run()->out, "\nclocks: "));
}

/* Each suite in --list, one per line with a description, must have rows. */
BENCH_TEST(every_suite_has_rows) {
    const char *const args[] = {"--list", NULL};
    Program list = program_run("murbench", NULL, false, args);
    size_t count = 0;
    program_succeeded(&list);
    for (char *line = strtok(list.out, "\n"); line; line = strtok(NULL, "\n"), ++count) {
        char name[32];
        assert_int_equal(sscanf(line, "%31s %*s", name), 1);
        assert_true(strlen(line) > strlen(name) + 10);
        char row[40];
        snprintf(row, sizeof row, "\n%-8s ", name);
        assert_true(!murbench_has_suite(name) || strstr(quick_run()->out, row));
    }
    assert_int_equal(count, 12);
}

BENCH_TEST(mistakes_end_in_one_line) {
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
        {"--tune", "--suite=size"},
        {"--csv", "/nonexistent/rows.csv"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        /* --quick, because a run with an undetected mistake would take minutes. */
        const char *const args[] = {"--quick", mistakes[i][0], mistakes[i][1], NULL};
        Program program = program_run("murbench", NULL, false, args);
        program_failed(&program, mistakes[i][0]);
        assert_string_equal(program.out, "");
    }
}

/* Every option in --help is accepted, with a value if the help shows one. */
BENCH_TEST(help_is_true) {
    const char *const help[] = {"--help", NULL};
    Program program = program_run("murbench", NULL, false, help);
    size_t options = 0;
    program_succeeded(&program);
    for (const char *at = program.out; (at = strstr(at, "\n  --")); ++options) {
        char option[32];
        at += 3;
        assert_int_equal(sscanf(at, "%31s", option), 1);
        const char *value = at + strlen(option) + 1; /* a blank: no value */
        const char *const args[] = {option,
                                    *value == ' '                    ? "--help"
                                    : strncmp(value, "FILE", 4) == 0 ? "/dev/null"
                                    : strncmp(value, "NAME", 4) == 0 ? "size"
                                                                     : "10",
                                    "--help", NULL};
        Program taken = program_run("murbench", NULL, false, args);
        if (taken.status != 0 || *taken.error) {
            fail_msg("%s: exit status %d, stderr %s", option, taken.status, taken.error);
        }
    }
    assert_int_equal(options, 11);
}
