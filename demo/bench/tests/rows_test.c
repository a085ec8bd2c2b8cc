/* Tests of murbench's rows and their content, of wrong results and of unsettled clocks.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "murbench.h"
#include "support/seed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Expected rows -------------------------------------------------------------------------- */

/* Smallest numbers of rows per state, on devices with one atomic width. */
static const char *const states[] = {"", "empty", "unordered", "ordered"};
static const struct {
    const char *suite, *operations;
    int least[4]; /* by state, in the order of states */
} wanted[] = {
    {"overhead", "pipelines,cold table,warm table", {2, 0, 0, 0}},
    {"overhead", "insert,find hit", {0, 0, 11, 0}},
    {"size", "insert", {0, 14, 0, 0}},
    {"size", "find hit,find miss", {0, 0, 7, 3}},
    {"size", "erase half,find after erase,insert half", {0, 0, 3, 3}},
    {"size", "reinsert", {0, 0, 3, 0}},
    {"size", "contains hit,contains miss", {0, 0, 4, 0}},
    {"load", "insert", {0, 6, 0, 0}},
    {"load", "find hit,find miss", {0, 0, 6, 6}},
    {"cache", "update,resolve,query,sum", {0, 0, 26, 0}},
    {"cache", "burst", {0, 0, 4, 0}},
    {"repeat", "keep there,assign there", {0, 0, 2, 0}},
    {"repeat", "keep,assign,add", {0, 8, 0, 0}},
    {"inshader", "insert", {0, 4, 0, 0}},
    {"inshader", "insert again", {0, 0, 4, 0}},
    {"inshader", "add one key", {0, 1, 0, 0}},
    {"inshader", "find hit,find miss", {0, 0, 6, 6}},
    {"whole", "clear,extract,stats,iterate", {0, 0, 1, 0}},
    {"whole", "rehash", {0, 0, 16, 3}},
    {"whole", "merge", {0, 0, 2, 0}},
    {"whole", "compact", {0, 0, 3, 0}},
    {"whole", "replace,find after", {0, 0, 9, 0}},
    {"mirror", "mirror update,copy at submit", {0, 0, 2, 0}},
    {"multi", "multi insert", {0, 12, 0, 0}},
    {"multi", "group", {24, 0, 0, 0}},
    {"multi", "visit groups,multi count + retrieve", {0, 0, 8, 0}},
    {"multi", "multi count", {0, 0, 4, 0}},
    {"multi", "insert rows", {0, 4, 0, 0}},
    {"multi", "find rows hit,find rows miss", {0, 0, 4, 0}},
    {"paging", "link in,copy out", {1, 0, 0, 0}},
    {"paging", "flat find,paged insert bulk,paged find bulk", {0, 0, 1, 0}},
    {"paging", "paged find", {0, 0, 2, 0}},
    {"paging", "page in,page in + out", {3, 0, 0, 0}},
    {"paging", "page alone", {7, 0, 0, 0}},
};
enum { WANTED = sizeof wanted / sizeof wanted[0], MOST = 5 };

/* Counts of rows of one suite and state, by the operation's index in its list. */
typedef struct Counted {
    const char *suite, *operations, *state;
    int rows[MOST];
} Counted;

static void count_row(const CsvLine *line, void *user) {
    Counted *counted = user;
    const char *at = counted->operations;
    const char *operation = row_text(line, "operation");
    const size_t length = strlen(operation);
    if (row_is(line, "suite", counted->suite) && row_is(line, "state", counted->state)) {
        for (size_t i = 0; *at; ++i, at += strcspn(at, ","), at += *at == ',') {
            counted->rows[i] += strcspn(at, ",") == length && strncmp(at, operation, length) == 0;
        }
    }
}

BENCH_TEST(rows_are_complete) {
    for (size_t i = 0; i < 4 * WANTED; ++i) {
        Counted counted = {wanted[i / 4].suite, wanted[i / 4].operations, states[i % 4], {0}};
        (void)for_each_row(file_in("quick.csv"), count_row, &counted);
        const char *at = strchr(counted.operations, ',');
        size_t operations = 1;
        for (; at; at = strchr(at + 1, ',')) {
            ++operations;
        }
        for (size_t j = 0; murbench_has_suite(counted.suite) && j < operations; ++j) {
            if (counted.rows[j] < wanted[i / 4].least[i % 4]) {
                fail_msg("suite %s, operation %zu of %s, %s: %d rows only", counted.suite, j,
                         counted.operations, counted.state, counted.rows[j]);
            }
        }
    }
}

/* ---- Content of rows ------------------------------------------------------------------------ */

/* Returns whether two figures are equal, except for the few digits that murbench prints. */
static bool about(double a, double b) {
    return fabs(a - b) <= 1e-3 + 1e-2 * fabs(b);
}

/* Checks that a row has a table, a state and a format, or none of them. Some operations on a table
 * have no state. Except for operations that run once, a time is the median of 7 or more runs. */
static void state_what_it_is_of(const CsvLine *line) {
    static const char *const formats[] = {"K32V32", "K64V32",       "K64V64", "K64",
                                          "K32",    "K64V32_MULTI", "R32"};
    const bool of_table = row_figure(line, "capacity") > 0;
    const bool start = row_is(line, "suite", "overhead") && !of_table &&
                       row_figure(line, "pairs") <= 0;
    const bool once = start || row_is(line, "operation", "paged insert bulk");
    const bool needs_state = of_table && !row_is(line, "operation", "group");
    const bool known = row_is(line, "state", "empty") || row_is(line, "state", "ordered") ||
                       row_is(line, "state", "unordered");
    const double reps = row_figure(line, "reps");
    bool named = false;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        named = named || row_is(line, "format", formats[i]);
    }
    if (known != needs_state || (*row_text(line, "state") && !known) || named != of_table ||
        (row_figure(line, "table_bytes") > 0) != of_table ||
        (!row_is(line, "suite", "large") && (once ? reps != 1 : reps < 7))) {
        ROW_FAIL(line, "state \"%s\", format \"%s\", %s bytes, %s repetitions",
                 row_text(line, "state"), row_text(line, "format"), row_text(line, "table_bytes"),
                 row_text(line, "reps"));
    }
}

/* Checks that numbers are well-formed, ratios match the numbers, and rates match the times. */
void check_row(const CsvLine *line, void *user) {
    static const char *const figures[] = {
        "pairs",         "capacity",       "load",        "ms",   "rate", "ceiling",  "of_ceiling",
        "scratch_bytes", "scratch_a_pair", "table_bytes", "reps", "bulk", "unsettled"};
    double values[13];
    (void)user;
    for (size_t i = 0; i < 13; ++i) {
        char *end;
        values[i] = strtod(row_text(line, figures[i]), &end);
        if (*end || end == row_text(line, figures[i]) || !isfinite(values[i]) || values[i] < 0) {
            ROW_FAIL(line, "%s, \"%s\", is not a figure", figures[i], row_text(line, figures[i]));
        }
    }
    const double pairs = values[0], ms = values[3], rate = values[4], ceiling = values[5];
    const double scratch = values[7];
    if (rate <= 0 || row_is(line, "unit", "") ||
        !about(values[6], ceiling > 0 ? rate / ceiling : 0) ||
        !about(values[8] * pairs, pairs > 0 ? scratch : 0) ||
        (row_is(line, "unit", "G/s") && ms > 0 && pairs > 0 && !about(1e-6 * pairs / ms, rate)) ||
        (strstr(row_text(line, "variant"), ", scratch") && scratch <= 0)) {
        ROW_FAIL(line, "rate %f, ceiling %f, %f bytes of scratch memory, but ratios %f, %f", rate,
                 ceiling, scratch, values[6], values[8]);
    }
    if (strncmp(row_text(line, "suite"), "cpu", 3) != 0) {
        state_what_it_is_of(line);
    }
}

/* ---- Wrong results -------------------------------------------------------------------------- */

/* Faults of wrong.c, the suite that detects them (NULL: --tune), and the row that must not appear.
 * The first four faults cover all types of verification and run in the normal tier. */
enum { QUICK_FAULTS = 4 };
static const struct {
    const char *calls, *suite, *row;
} faults[] = {
    {"insert", "size", "size     insert "},
    {"keep", "repeat", ", statuses"},
    {"extract", "whole", "whole    extract "},
    {"shader", "inshader", ", mur_insert"},
    {"cache stay", "cache", "buckets, after 44 frames"},
    {"build", NULL, "tune     buildMinItems "},
    {"cache update", "cache", "cache    update "},
    {"cache resolve", "cache", "cache    resolve "},
    {"cache query", "cache", "cache    query "},
    {"find,erase,build", "size", NULL},
    {"clear", "size", "size     build "},
    {"add", "repeat", NULL},
    {"insert,find", "overhead", NULL},
    {"keep", "inshader", "inshader insert "},
    {"find", "inshader", NULL},
    {"clear,stats,rehash,merge,compact", "whole", NULL},
    {"shader", "whole", "whole    iterate "},
    {"keep", "whole", "whole    replace "},
    {"page", "paging", "paging   page in "},
    {"paged find", "paging", "paging   paged find bulk "},
    {"paged insert", "paging", "paging   paged insert bulk "},
    {"paged find", "large", "large    paged find bulk "},
    {"multi insert,multi count,group", "multi", NULL},
    {"shader", "multi", "multi    visit groups "},
    {"multi retrieve", "multi", "multi    multi count + retrieve "},
    {"insert rows,find rows", "multi", NULL},
};

static void require_fault(const char *call, const char *suite, const char *row) {
    const char *const args[] = {
        "--quick", "--csv", file_in("wrong.csv"), suite ? "--suite" : "--tune", suite, NULL};
    const Program program = program_run("murbench-wrong", call, false, args);
    const char *rows = fileRead(file_in("wrong.csv"));
    program_failed(&program, call);
    if (*rows || strstr(program.out, row)) {
        fail_msg("wrong %s: rows \"%.200s\", stdout \"%.2000s\"", call, rows, program.out);
    }
}

/* If one item of a batch is wrong, murbench reports the error and fails without printing a figure.
 * Without a fault, the same program succeeds. */
BENCH_TEST(wrong_results_are_an_error) {
    const char *const right[] = {"--quick", "--suite", test_full() ? "whole,repeat" : "mirror",
                                 NULL};
    const size_t count = test_full() ? sizeof faults / sizeof faults[0] : QUICK_FAULTS;
    for (size_t i = 0; i < count; ++i) {
        char calls[64];
        snprintf(calls, sizeof calls, "%s", faults[i].calls);
        for (char *call = strtok(calls, ","); call; call = strtok(NULL, ",")) {
            char row[64];
            snprintf(row, sizeof row, "%-8s %s ", faults[i].suite ? faults[i].suite : "", call);
            require_fault(call, faults[i].suite, faults[i].row ? faults[i].row : row);
        }
    }
    const Program program = program_run("murbench-wrong", NULL, false, right);
    program_succeeded(&program);
}

/* ---- Unsettled clocks ----------------------------------------------------------------------- */

typedef struct Unsettled {
    size_t rows, marked, first, last;
    double worst;
} Unsettled;

static void count_unsettled(const CsvLine *line, void *user) {
    Unsettled *unsettled = user;
    const double ratio = row_figure(line, "unsettled");
    if (ratio > 0) {
        assert_true(ratio > 1);
        unsettled->first = unsettled->marked++ ? unsettled->first : unsettled->rows;
        unsettled->last = unsettled->rows;
        unsettled->worst = fmax(unsettled->worst, ratio);
    }
    ++unsettled->rows;
}

/* Runs murbench with a series of times (wrong.c). Returns the marked rows. A mark is no error. */
static Unsettled with_clocks(const char *series) {
    const char *const args[] = {"--quick", "--suite",           "ceilings",
                                "--csv",   file_in("rows.csv"), NULL};
    Program program = program_run("murbench-wrong", series, false, args);
    Unsettled unsettled = {0};
    char sentence[96];
    size_t signs = 0;
    program_succeeded(&program);
    (void)for_each_row(file_in("rows.csv"), count_unsettled, &unsettled);
    snprintf(sentence, sizeof sentence, "did not settle around %zu of %zu rows", unsettled.marked,
             unsettled.rows);
    for (const char *at = strstr(program.out, "every result verified");
         at && (at = strstr(at, "! clocks: reference ")); ++at) {
        ++signs;
    }
    if (signs != unsettled.marked || unsettled.rows < 10 ||
        (unsettled.marked ? !strstr(program.error, sentence) : *program.error != '\0')) {
        fail_msg("%s: %zu of %zu rows are marked, %zu in the table; stderr \"%s\"", series,
                 unsettled.marked, unsettled.rows, signs, program.error);
    }
    assert_non_null(strstr(program.out, " s of busy work; reference "));
    return unsettled;
}

BENCH_TEST(unsettled_clocks_are_told) {
    /* Measures the real reference, which works on any device. */
    assert_true(with_clocks("clocks real").rows > 0);
    /* No row is marked if low clocks rise before the first row, or if a drift is short enough to
     * repeat. */
    assert_int_equal(with_clocks("clocks idle first").marked, 0);
    assert_int_equal(with_clocks("clocks drifting").marked, 0);
    /* If the clocks rise later, the rows before that are marked, and the rows after it are not. */
    const Unsettled late = with_clocks("clocks late");
    assert_true(late.marked > 0 && late.first == 0 && late.last + 1 < late.rows);
    assert_true(fabs(late.worst - 3.5) < 1e-3);
    const Unsettled throttled = with_clocks("clocks throttled");
    assert_true(throttled.marked > 0 && throttled.first > 0 &&
                throttled.last + 1 == throttled.rows);
    assert_true(fabs(throttled.worst - 1.3) < 1e-3);
    const Unsettled never = with_clocks("clocks never");
    assert_int_equal(never.marked, never.rows);
}
