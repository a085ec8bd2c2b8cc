/* What rows there are and what they say; wrong results, and clocks that did not settle.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "murbench.h"
#include "support/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which rows there are ------------------------------------------------------------------- */

/* Three sizes; six loads and the top of a staircase of eight steps; six sizes of frames, of which
 * five also come as sixteen commands, inserts with and without statuses; two sizes of two formats
 * that need no 64-bit atomics. Two atomic widths, where there are any, would be twice as many. */
static struct {
    const char *suite, *operation, *state;
    size_t least, found;
} wanted[] = {
    {"start", "bytes a pair", "", 12, 0},
    {"size", "insert", "empty", 6, 0},
    {"size", "find hit", "unordered", 3, 0},
    {"size", "find hit", "ordered", 3, 0},
    {"size", "find miss", "unordered", 3, 0},
    {"size", "find miss", "ordered", 3, 0},
    {"size", "erase half", "unordered", 3, 0},
    {"size", "erase half", "ordered", 3, 0},
    {"size", "find after erase", "unordered", 3, 0},
    {"size", "find after erase", "ordered", 3, 0},
    {"size", "reinsert", "unordered", 3, 0},
    {"size", "insert half", "unordered", 3, 0},
    {"size", "insert half", "ordered", 3, 0},
    {"load", "insert", "empty", 6, 0},
    {"load", "find hit", "unordered", 7, 0},
    {"load", "find hit", "ordered", 6, 0},
    {"load", "find miss", "unordered", 7, 0},
    {"load", "find miss", "ordered", 6, 0},
    {"load", "insert step", "unordered", 7, 0},
    {"repeat", "keep there", "unordered", 2, 0},
    {"repeat", "assign there", "unordered", 2, 0},
    {"repeat", "keep", "empty", 8, 0},
    {"repeat", "assign", "empty", 8, 0},
    {"repeat", "add", "empty", 8, 0},
    {"repeat", "insert", "empty", 3, 0},
    {"repeat", "find hit", "unordered", 3, 0},
    {"frame", "insert", "unordered", 22, 0},
    {"frame", "insert", "ordered", 22, 0},
    {"frame", "find hit", "unordered", 11, 0},
    {"frame", "find hit", "ordered", 11, 0},
    {"inshader", "insert", "empty", 4, 0},
    {"inshader", "keep there", "unordered", 4, 0},
    {"inshader", "add one key", "empty", 1, 0},
    {"inshader", "find hit", "unordered", 6, 0},
    {"inshader", "find hit", "ordered", 6, 0},
    {"inshader", "find miss", "unordered", 6, 0},
    {"inshader", "find miss", "ordered", 6, 0},
    {"inshader", "mixed", "unordered", 4, 0},
    {"whole", "clear", "unordered", 1, 0},
    {"whole", "extract", "unordered", 1, 0},
    {"whole", "stats", "unordered", 1, 0},
    {"whole", "iterate", "unordered", 1, 0},
    {"whole", "rehash", "unordered", 12, 0},
    {"whole", "rehash", "ordered", 3, 0},
    {"whole", "merge", "unordered", 2, 0},
    {"whole", "compact", "unordered", 3, 0},
    {"whole", "cycle", "unordered", 9, 0},
    {"whole", "replace", "unordered", 9, 0},
    {"whole", "find after", "unordered", 9, 0},
    {"formats", "insert", "empty", 8, 0},
    {"formats", "find hit", "unordered", 4, 0},
    {"formats", "find miss", "unordered", 4, 0},
    {"formats", "contains hit", "unordered", 4, 0},
    {"formats", "contains miss", "unordered", 4, 0},
    {"multi", "multi insert", "empty", 4, 0},
    {"multi", "multi count", "unordered", 4, 0},
    {"multi", "multi count + retrieve", "unordered", 8, 0},
    {"paging", "link in", "", 1, 0},
    {"paging", "copy out", "", 1, 0},
    {"paging", "flat find", "unordered", 1, 0},
    {"paging", "paged find", "unordered", 2, 0},
    {"paging", "paged find bulk", "unordered", 1, 0},
    {"paging", "paged insert bulk", "empty", 1, 0},
    {"paging", "paged insert bulk", "unordered", 1, 0},
    {"paging", "page in", "", 3, 0},
    {"paging", "page in + out", "", 3, 0},
    {"paging", "page alone", "", 7, 0},
};
enum { WANTED = sizeof wanted / sizeof wanted[0] };

static void count_wanted(const CsvLine *line, void *user) {
    (void)user;
    for (size_t i = 0; i < WANTED; ++i) {
        wanted[i].found += row_is(line, COLUMN_SUITE, wanted[i].suite) &&
                           row_is(line, COLUMN_OPERATION, wanted[i].operation) &&
                           row_is(line, COLUMN_STATE, wanted[i].state);
    }
}

void rows_are_complete(void **state) {
    (void)state;
    (void)for_each_row(file_in("quick.csv"), count_wanted, NULL);
    for (size_t i = 0; i < WANTED; ++i) {
        if (murbench_has_suite(wanted[i].suite) && wanted[i].found < wanted[i].least) {
            fail_msg("suite %s, %s, %s: %zu rows, there should be %zu", wanted[i].suite,
                     wanted[i].operation, wanted[i].state, wanted[i].found, wanted[i].least);
        }
    }
}

/* ---- What a row says ------------------------------------------------------------------------ */

/* A figure that was written with few digits. */
static bool about(double a, double b) {
    return fabs(a - b) <= 1e-3 + 1e-2 * fabs(b);
}

/* Table, state and format go together; a row with a time is a median. */
static void state_what_it_is_of(const CsvLine *line) {
    static const char *const formats[] = {"K32V32", "K64V32", "K64V64",
                                          "K64",    "K32",    "K64V32_MULTI"};
    const bool of_table = row_figure(line, COLUMN_CAPACITY) > 0;
    const bool once = row_is(line, COLUMN_SUITE, "start") ||
                      row_is(line, COLUMN_OPERATION, "insert step");
    const bool needs_state = of_table && !row_is(line, COLUMN_SUITE, "start");
    const bool known = row_is(line, COLUMN_STATE, "empty") ||
                       row_is(line, COLUMN_STATE, "ordered") ||
                       row_is(line, COLUMN_STATE, "unordered");
    const double reps = row_figure(line, COLUMN_REPS);
    bool named = false;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        named = named || row_is(line, COLUMN_FORMAT, formats[i]);
    }
    if (known != needs_state || (*line->fields[COLUMN_STATE] && !known) || named != of_table ||
        (row_figure(line, COLUMN_TABLE) > 0) != of_table || (once ? reps != 1 : reps < 7)) {
        ROW_FAIL(line, "state \"%s\", format \"%s\", %s bytes, %s repetitions",
                 line->fields[COLUMN_STATE], line->fields[COLUMN_FORMAT],
                 line->fields[COLUMN_TABLE], line->fields[COLUMN_REPS]);
    }
}

/* Ratios follow from figures, and rates from times. */
static void check_row(const CsvLine *line, void *user) {
    const double rate = row_figure(line, COLUMN_RATE), ms = row_figure(line, COLUMN_MS);
    const double ceiling = row_figure(line, COLUMN_CEILING);
    const double pairs = row_figure(line, COLUMN_PAIRS);
    const double scratch = row_figure(line, COLUMN_SCRATCH);
    size_t *counts = user;
    state_what_it_is_of(line);
    counts[0] += ceiling > 0;
    counts[1] += scratch > 0;
    if (!about(row_figure(line, COLUMN_OF_CEILING), ceiling > 0 ? rate / ceiling : 0) ||
        !about(row_figure(line, COLUMN_SCRATCH_A_PAIR) * pairs, pairs > 0 ? scratch : 0) ||
        (row_is(line, COLUMN_UNIT, "G/s") && ms > 0 && pairs > 0 &&
         !about(1e-6 * pairs / ms, rate)) ||
        (strstr(line->fields[COLUMN_VARIANT], ", scratch") && scratch <= 0)) {
        ROW_FAIL(line, "rate %f, ceiling %f, %f bytes of scratch memory, but %s of it, %s a pair",
                 rate, ceiling, scratch, line->fields[COLUMN_OF_CEILING],
                 line->fields[COLUMN_SCRATCH_A_PAIR]);
    }
}

void rows_state_what_they_are_of(void **state) {
    size_t counts[2] = {0};
    (void)state;
    assert_true(for_each_row(file_in("quick.csv"), check_row, counts) > 0);
    assert_true(counts[0] > 0 && counts[1] > 0);
}

/* ---- Start ---------------------------------------------------------------------------------- */

typedef struct Start {
    double pipelines, with_use, cold, warm, size;
} Start;

static void read_start(const CsvLine *line, void *user) {
    static const char *const names[] = {"pipelines", "cold table", "warm table", "linked size"};
    Start *start = user;
    const bool plain = strncmp(line->fields[COLUMN_VARIANT], "K32V32 for", 10) != 0;
    double *const figures[] = {plain ? &start->pipelines : &start->with_use, &start->cold,
                               &start->warm, &start->size};
    for (size_t i = 0; i < 4; ++i) {
        if (row_is(line, COLUMN_SUITE, "start") && row_is(line, COLUMN_OPERATION, names[i])) {
            *figures[i] = row_figure(line, COLUMN_RATE);
        }
    }
}

/* A default table makes some pipelines, which takes time, one with a use makes more; and murminimal
 * lies beside murbench. */
void start_rows_are_complete(void **state) {
    Start start = {0};
    (void)state;
    (void)for_each_row(file_in("quick.csv"), read_start, &start);
    assert_true(start.pipelines >= 1 && start.cold > 0 && start.warm > 0 && start.size > 0.1);
    assert_true(start.with_use > start.pipelines);
}

/* murminimal names no use, so it is linked with the kernels of every table alone. */
void programs_link_what_they_use(void **state) {
    static const char *const names[] = {"mur_spv_find",          "mur_spv_sort_count",
                                        "mur_spv_slices_split",  "mur_spv_build_slices",
                                        "mur_spv_insert_slices", "mur_spv_rehash_prepare",
                                        "mur_spv_multi_find"};
    static char program[1 << 24];
    (void)state;
    FILE *file = fopen(BINARIES "/murminimal", "rb");
    assert_non_null(file);
    const size_t size = fread(program, 1, sizeof program, file);
    assert_true(size < sizeof program);
    fclose(file);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const bool linked = memmem(program, size, names[i], strlen(names[i]) + 1) != NULL;
        if (linked != (i == 0)) {
            fail_msg("murminimal has %s%s", linked ? "" : "no ", names[i]);
        }
    }
}

/* ---- Wrong results -------------------------------------------------------------------------- */

/* What goes wrong, in which suite (NULL: --tune), and the row that must not come of it. The normal
 * tier has one of each way in which suites verify: the first ones. */
enum { QUICK_FAULTS = 4 };
static const struct {
    const char *call, *suite, *row;
} faults[] = {
    {"insert", "size", "size     insert "},
    {"keep", "repeat", ", statuses"},
    {"extract", "whole", "whole    extract "},
    {"shader", "inshader", "inshader insert           empty     mur_insert"},
    {"build", NULL, "tune     buildLeast "},
    {"find", "size", "size     find "},
    {"erase", "size", "size     erase "},
    {"build", "size", "size     build "},
    {"clear", "size", "size     build "},
    {"add", "repeat", "repeat   add "},
    {"find", "repeat", "repeat   find "},
    {"build", "repeat", "repeat   build "},
    {"insert", "frame", "frame    insert "},
    {"find", "frame", "frame    find "},
    {"keep", "inshader", "inshader insert "},
    {"find", "inshader", "inshader find "},
    {"mixed", "inshader", "inshader mixed "},
    {"clear", "whole", "whole    clear "},
    {"stats", "whole", "whole    stats "},
    {"shader", "whole", "whole    iterate "},
    {"rehash", "whole", "whole    rehash "},
    {"merge", "whole", "whole    merge "},
    {"compact", "whole", "whole    compact "},
    {"keep", "whole", "whole    cycle "},
    {"page", "paging", "paging   page in "},
    {"paged find", "paging", "paging   paged find bulk "},
    {"paged insert", "paging", "paging   paged insert bulk "},
    {"paged find", "large", "large    large find "},
    {"insert", "formats", "formats  insert "},
    {"find", "formats", "formats  find "},
    {"multi insert", "multi", "multi    multi insert "},
    {"multi count", "multi", "multi    multi count "},
    {"multi retrieve", "multi", "multi    multi count + retrieve "},
};

/* One item in a batch goes wrong: murbench says so and fails, and there is no figure of it. The
 * same program is content when nothing is wrong. */
void wrong_results_are_an_error(void **state) {
    const char *const clean[] = {"--quick", "--suite", test_full() ? "whole,repeat" : "size", NULL};
    const size_t count = test_full() ? sizeof faults / sizeof faults[0] : QUICK_FAULTS;
    (void)state;
    for (size_t i = 0; i < count; ++i) {
        const char *const args[] = {
            "--quick",       "--csv", file_in("wrong.csv"), faults[i].suite ? "--suite" : "--tune",
            faults[i].suite, NULL};
        Program program = program_run("murbench-wrong", faults[i].call, false, args);
        char *rows = file_read(file_in("wrong.csv"));
        program_failed(&program, faults[i].call);
        if (*rows || strstr(program.output, faults[i].row)) {
            fail_msg("wrong %s: rows \"%.200s\", stdout \"%.2000s\"", faults[i].call, rows,
                     program.output);
        }
        free(rows);
        program_free(&program);
    }
    Program program = program_run("murbench-wrong", NULL, false, clean);
    program_succeeded(&program);
    program_free(&program);
}

/* ---- Clocks --------------------------------------------------------------------------------- */

typedef struct Unsettled {
    size_t rows, marked, first, last;
    double worst;
} Unsettled;

static void count_unsettled(const CsvLine *line, void *user) {
    Unsettled *unsettled = user;
    const double ratio = row_figure(line, COLUMN_UNSETTLED);
    if (ratio > 0) {
        assert_true(ratio > 1);
        unsettled->first = unsettled->marked++ ? unsettled->first : unsettled->rows;
        unsettled->last = unsettled->rows;
        unsettled->worst = fmax(unsettled->worst, ratio);
    }
    ++unsettled->rows;
}

/* What a run says of its rows when the reference takes these times; a mark is no error. */
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
    for (const char *at = strstr(program.output, "every result verified");
         at && (at = strstr(at, "! clocks: reference ")); ++at) {
        ++signs;
    }
    if (signs != unsettled.marked || unsettled.rows < 10 ||
        (unsettled.marked ? !strstr(program.errors, sentence) : *program.errors != '\0')) {
        fail_msg("%s: %zu of %zu rows are marked, %zu in the table; stderr \"%s\"", series,
                 unsettled.marked, unsettled.rows, signs, program.errors);
    }
    assert_non_null(strstr(program.output, " s of busy work; reference "));
    program_free(&program);
    return unsettled;
}

void unsettled_clocks_are_told(void **state) {
    (void)state;
    /* The reference itself, on any device. */
    assert_true(with_clocks("clocks real").rows > 0);
    /* Raised before the first row, though they were steady below for a while; and drifts that
     * measuring again gets rid of. */
    assert_int_equal(with_clocks("clocks idle first").marked, 0);
    assert_int_equal(with_clocks("clocks drifting").marked, 0);
    /* Rows that were measured before the clocks rose are told, those after it are not. */
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
