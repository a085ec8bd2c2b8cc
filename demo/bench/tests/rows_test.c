/* What rows there are and what they say, and wrong results.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "murbench.h"
#include "support/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which rows there are ------------------------------------------------------------------- */

typedef struct Wanted {
    const char *suite, *operation, *state;
    size_t least, found;
} Wanted;

static void count_wanted(const CsvLine *line, void *user) {
    for (Wanted *wanted = user; wanted->suite; ++wanted) {
        wanted->found += murbench_is(line, COLUMN_SUITE, wanted->suite) &&
                         murbench_is(line, COLUMN_OPERATION, wanted->operation) &&
                         murbench_is(line, COLUMN_STATE, wanted->state);
    }
}

/* Three sizes; six loads and the top of a staircase of eight steps; seven kinds of keys; six sizes
 * of frames, of which five also come as sixteen commands, inserts with and without statuses; two
 * sizes of two formats that need no 64-bit atomics. Two
 * atomic widths, where there are any, would be twice as many. */
static Wanted wanted[] = {
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
    {"whole", "clear", "unordered", 1, 0},
    {"whole", "extract", "unordered", 1, 0},
    {"whole", "stats", "unordered", 1, 0},
    {"whole", "iterate", "unordered", 1, 0},
    {"keys", "insert", "empty", 7, 0},
    {"keys", "find hit", "unordered", 7, 0},
    {"keys", "find hit", "ordered", 5, 0},
    {"clean", "cycle", "unordered", 9, 0},
    {"clean", "replace", "unordered", 9, 0},
    {"clean", "find after", "unordered", 9, 0},
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
    {"mixed", "mixed", "unordered", 4, 0},
    {"frame", "insert", "unordered", 22, 0},
    {"frame", "insert", "ordered", 22, 0},
    {"frame", "find hit", "unordered", 11, 0},
    {"frame", "find hit", "ordered", 11, 0},
    {"formats", "insert", "empty", 8, 0},
    {"formats", "find hit", "unordered", 4, 0},
    {"formats", "find miss", "unordered", 4, 0},
    {"formats", "contains hit", "unordered", 4, 0},
    {"formats", "contains miss", "unordered", 4, 0},
    {"multi", "multi insert", "empty", 4, 0},
    {"multi", "multi count", "unordered", 4, 0},
    {"multi", "multi count + retrieve", "unordered", 8, 0},
    {"repeat", "keep there", "unordered", 2, 0},
    {"repeat", "assign there", "unordered", 2, 0},
    {"repeat", "keep", "empty", 8, 0},
    {"repeat", "assign", "empty", 8, 0},
    {"repeat", "add", "empty", 8, 0},
    {"inshader", "insert", "empty", 4, 0},
    {"inshader", "keep there", "unordered", 4, 0},
    {"inshader", "add one key", "empty", 1, 0},
    {"inshader", "find hit", "unordered", 6, 0},
    {"inshader", "find hit", "ordered", 6, 0},
    {"inshader", "find miss", "unordered", 6, 0},
    {"inshader", "find miss", "ordered", 6, 0},
    {0},
};

void rows_are_complete(void **state) {
    (void)state;
    (void)murbench_rows(program_file(0, "quick.csv"), count_wanted, wanted);
    for (const Wanted *row = wanted; row->suite; ++row) {
        if (murbench_has_suite(row->suite) && row->found < row->least) {
            fail_msg("suite %s, %s, %s: %zu rows, there should be %zu", row->suite, row->operation,
                     row->state, row->found, row->least);
        }
    }
}

/* ---- What a row says ------------------------------------------------------------------------ */

static void state_what_it_is_of(const CsvLine *line, void *user) {
    const bool of_table = murbench_figure(line, COLUMN_CAPACITY) > 0;
    const bool requirement = murbench_is(line, COLUMN_SUITE, "memory");
    const char *state = line->fields[COLUMN_STATE];
    const bool known = strcmp(state, "empty") == 0 || strcmp(state, "ordered") == 0 ||
                       strcmp(state, "unordered") == 0;
    const double reps = murbench_figure(line, COLUMN_REPS);
    const char *format = line->fields[COLUMN_FORMAT];
    const bool other = strcmp(format, "K64V32") == 0 || strcmp(format, "K64V64") == 0 ||
                       strcmp(format, "K64") == 0 || strcmp(format, "K32") == 0;
    const bool named = murbench_is(line, COLUMN_SUITE, "formats") ? other
                       : murbench_is(line, COLUMN_SUITE, "multi")
                           ? strncmp(format, "K64V32", 6) == 0
                           : strcmp(format, "K32V32") == 0;
    const bool once = murbench_is(line, COLUMN_OPERATION, "insert step") ||
                      murbench_is(line, COLUMN_SUITE, "start");
    (void)user;
    if (known != (of_table && !requirement) || (*state && !known) || named != of_table ||
        (murbench_figure(line, COLUMN_TABLE) > 0) != of_table ||
        (!requirement && (once ? reps != 1 : reps < 7))) {
        fail_msg("%s, %s, %s: state \"%s\", format \"%s\", %s bytes, %s repetitions",
                 line->fields[COLUMN_SUITE], line->fields[COLUMN_OPERATION],
                 line->fields[COLUMN_VARIANT], state, line->fields[COLUMN_FORMAT],
                 line->fields[COLUMN_TABLE], line->fields[COLUMN_REPS]);
    }
}

void rows_state_what_they_are_of(void **state) {
    (void)state;
    assert_true(murbench_rows(program_file(0, "quick.csv"), state_what_it_is_of, NULL) > 0);
}

/* A figure that was written with few digits. */
static bool about(double a, double b) {
    return fabs(a - b) <= 1e-3 + 1e-2 * fabs(b);
}

static void state_scratch(const CsvLine *line, void *user) {
    const double scratch = murbench_figure(line, COLUMN_SCRATCH);
    const double pairs = murbench_figure(line, COLUMN_PAIRS);
    const double a_pair = murbench_figure(line, COLUMN_SCRATCH_A_PAIR);
    size_t *rows = user;
    *rows += scratch > 0;
    if (strstr(line->fields[COLUMN_VARIANT], ", scratch") ? scratch <= 0
                                                          : !about(a_pair * pairs, scratch)) {
        fail_msg("%s, %s, %s: %f bytes of scratch memory, %f a pair", line->fields[COLUMN_SUITE],
                 line->fields[COLUMN_OPERATION], line->fields[COLUMN_VARIANT], scratch, a_pair);
    }
}

/* And the table says it of the rows that have some. */
void rows_state_their_scratch(void **state) {
    size_t rows = 0;
    (void)state;
    (void)murbench_rows(program_file(0, "quick.csv"), state_scratch, &rows);
    assert_true(rows > 0);
}

/* ---- Start ---------------------------------------------------------------------------------- */

typedef struct Start {
    double pipelines, with_use, cold, warm, size;
} Start;

static void read_start(const CsvLine *line, void *user) {
    Start *start = user;
    const char *kind = line->fields[COLUMN_VARIANT];
    const double rate = murbench_figure(line, COLUMN_RATE);
    if (!murbench_is(line, COLUMN_SUITE, "start")) {
        return;
    }
    if (murbench_is(line, COLUMN_OPERATION, "pipelines")) {
        *(strcmp(kind, "K32V32") == 0 ? &start->pipelines : &start->with_use) = rate;
    } else if (murbench_is(line, COLUMN_OPERATION, "linked size")) {
        start->size = rate;
    } else {
        assert_non_null(strstr(kind, "driver's cache "));
        *(murbench_is(line, COLUMN_OPERATION, "cold table") ? &start->cold : &start->warm) = rate;
    }
}

/* A default table makes some pipelines, which takes time, one with a use makes more; and murminimal
 * lies beside murbench. */
void start_rows_are_complete(void **state) {
    Start start = {0};
    (void)state;
    (void)murbench_rows(program_file(0, "quick.csv"), read_start, &start);
    assert_true(start.pipelines >= 1 && start.cold > 0 && start.warm > 0 && start.size > 0.1);
    assert_true(start.with_use > start.pipelines);
}

/* Whose name is in the program's table of symbols? */
static bool has_symbol(const char *program, size_t size, const char *name) {
    const size_t length = strlen(name) + 1;
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(program + i, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* murminimal names no use, so it is linked with the kernels of every table alone. */
void programs_link_what_they_use(void **state) {
    static const char *const unused[] = {"mur_spv_sort_count",     "mur_spv_slices_split",
                                         "mur_spv_build_slices",   "mur_spv_insert_slices",
                                         "mur_spv_rehash_prepare", "mur_spv_multi_find"};
    static char program[1 << 24];
    (void)state;
    FILE *file = fopen(MINIMAL, "rb");
    assert_non_null(file);
    const size_t size = fread(program, 1, sizeof program, file);
    assert_true(size < sizeof program);
    fclose(file);
    assert_true(has_symbol(program, size, "mur_spv_find"));
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; ++i) {
        if (has_symbol(program, size, unused[i])) {
            fail_msg("murminimal has %s", unused[i]);
        }
    }
}

static void ratios_follow(const CsvLine *line, void *user) {
    const double rate = murbench_figure(line, COLUMN_RATE);
    const double ceiling = murbench_figure(line, COLUMN_CEILING);
    const double peer = murbench_figure(line, COLUMN_PEER);
    size_t *ceilings = user;
    *ceilings += ceiling > 0;
    if (!about(murbench_figure(line, COLUMN_OF_CEILING), ceiling > 0 ? rate / ceiling : 0) ||
        !about(murbench_figure(line, COLUMN_OF_PEER), peer > 0 ? rate / peer : 0)) {
        fail_msg("%s, %s: rate %f, ceiling %f, peer %f, but ratios %s and %s",
                 line->fields[COLUMN_SUITE], line->fields[COLUMN_OPERATION], rate, ceiling, peer,
                 line->fields[COLUMN_OF_CEILING], line->fields[COLUMN_OF_PEER]);
    }
    /* A pass of small rows takes time in which its operations were done, so the rate is theirs. */
    if (murbench_is(line, COLUMN_UNIT, "G/s") && murbench_figure(line, COLUMN_MS) > 0 &&
        murbench_figure(line, COLUMN_PAIRS) > 0) {
        const double own = 1e-6 * murbench_figure(line, COLUMN_PAIRS) /
                           murbench_figure(line, COLUMN_MS);
        assert_true(about(own, rate));
    }
}

void ratios_follow_from_figures(void **state) {
    size_t ceilings = 0;
    (void)state;
    assert_true(murbench_rows(program_file(0, "quick.csv"), ratios_follow, &ceilings) > 0);
    assert_true(ceilings > 0);
}

/* ---- Wrong results -------------------------------------------------------------------------- */

/* What goes wrong, in which suite, and the row that must not come of it. The normal tier has one of
 * each way in which suites verify: the first ones. */
enum { QUICK_FAULTS = 6 };
static const struct {
    const char *call, *suite, *row;
} faults[] = {
    {"insert", "size", "size     insert "},
    {"find", "keys", "keys     find "},
    {"build", "size", "size     build "},
    {"extract", "whole", "whole    extract "},
    {"clear", "whole", "whole    clear "},
    {"shader", "mixed", "mixed "},
    {"insert", "keys", "keys     insert "},
    {"insert", "mixed", "mixed "},
    {"insert", "frame", "frame    insert "},
    {"insert", "inshader", "inshader insert "},
    {"insert", "repeat", "repeat   add "},
    {"find", "size", "size     find "},
    {"find", "frame", "frame    find "},
    {"find", "inshader", "inshader find "},
    {"erase", "size", "size     erase "},
    {"build", "keys", "keys     build "},
    {"build", NULL, "tune     buildLeast "},
    {"clear", "size", "size     build "},
    {"stats", "whole", "whole    stats "},
    {"rehash", "rehash", "rehash   rehash "},
    {"rehash", "clean", "clean    cycle            unordered rehash"},
    {"compact", "clean", "clean    cycle            unordered compact"},
    {"compact", "rehash", "rehash   compact "},
    {"page", "paging", "paging   page in "},
    {"paged find", "paging", "paging   paged find bulk "},
    {"paged insert", "paging", "paging   paged insert bulk "},
    {"paged find", "large", "large    paged find bulk "},
    {"insert", "formats", "formats  insert "},
    {"find", "formats", "formats  find "},
    {"multi insert", "multi", "multi    multi insert "},
    {"multi count", "multi", "multi    multi count "},
    {"multi retrieve", "multi", "multi    multi count + retrieve "},
    {"shader", "whole", "whole    iterate "},
    {"shader", "inshader", "inshader insert            mur_insert"},
};

static void require_error(size_t fault, const char *csv) {
    const char *const suite[] = {"--quick", "--suite", faults[fault].suite, "--csv", csv, NULL};
    const char *const tune[] = {"--quick", "--tune", "--csv", csv, NULL};
    assert_int_equal(setenv("MURBENCH_WRONG", faults[fault].call, 1), 0);
    Program program = murbench_run_as("murbench-wrong", faults[fault].suite ? suite : tune, false);
    assert_int_equal(unsetenv("MURBENCH_WRONG"), 0);
    char *rows = program_read(csv);
    const char *newline = strchr(program.errors, '\n');
    if (program.status != EXIT_FAILURE || strncmp(program.errors, "murbench: ", 10) != 0 ||
        !newline || newline[1] != '\0' || *rows || strstr(program.output, faults[fault].row)) {
        fail_msg("wrong %s, suite %s: exit status %d, stderr \"%s\", rows \"%.200s\", stdout "
                 "\"%.2000s\"",
                 faults[fault].call, faults[fault].suite ? faults[fault].suite : "(tune)",
                 program.status, program.errors, rows, program.output);
    }
    free(rows);
    program_free(&program);
}

/* One item in a batch goes wrong: murbench says so and fails, and there is no figure of it. The
 * same program is content when nothing is wrong. */
void wrong_results_are_an_error(void **state) {
    char csv[256];
    (void)state;
    snprintf(csv, sizeof csv, "%s", program_file(1, "wrong.csv"));
    const size_t count = test_full() ? sizeof faults / sizeof faults[0] : QUICK_FAULTS;
    for (size_t i = 0; i < count; ++i) {
        require_error(i, csv);
    }
    const char *const args[] = {"--quick", "--suite", test_full() ? "whole,keys" : "whole", NULL};
    Program program = murbench_run_as("murbench-wrong", args, false);
    murbench_succeeded(&program);
    program_free(&program);
}

/* ---- Clocks --------------------------------------------------------------------------------- */

typedef struct Unsettled {
    size_t rows, marked, first_marked, last_marked;
    double worst;
} Unsettled;

static void count_unsettled(const CsvLine *line, void *user) {
    Unsettled *unsettled = user;
    const double ratio = murbench_figure(line, COLUMN_UNSETTLED);
    assert_true(ratio == 0 || ratio > 1);
    if (ratio > 0) {
        unsettled->first_marked = unsettled->marked ? unsettled->first_marked : unsettled->rows;
        unsettled->last_marked = unsettled->rows;
        unsettled->worst = ratio > unsettled->worst ? ratio : unsettled->worst;
        ++unsettled->marked;
    }
    ++unsettled->rows;
}

/* What a run says of its rows when the reference takes these times. */
static Unsettled with_clocks(const char *series) {
    char csv[256];
    Unsettled unsettled = {0};
    snprintf(csv, sizeof csv, "%s", program_file(1, "rows.csv"));
    const char *const args[] = {"--quick", "--suite", "mixed", "--csv", csv, NULL};
    assert_int_equal(setenv("MURBENCH_WRONG", series, 1), 0);
    Program program = murbench_run_as("murbench-wrong", args, false);
    assert_int_equal(unsetenv("MURBENCH_WRONG"), 0);
    murbench_succeeded(&program); /* a mark is no error */
    (void)murbench_rows(csv, count_unsettled, &unsettled);
    char sentence[96];
    snprintf(sentence, sizeof sentence, "did not settle around %zu of %zu rows", unsettled.marked,
             unsettled.rows);
    const char *table = strstr(program.output, "every result verified");
    assert_non_null(table);
    size_t signs = 0;
    for (const char *at = table; (at = strstr(at, "! clocks: reference ")); ++at) {
        ++signs;
    }
    if (signs != unsettled.marked ||
        (unsettled.marked ? !strstr(program.errors, sentence) : *program.errors != '\0')) {
        fail_msg("%s: %zu of %zu rows are marked, %zu in the table; stderr \"%s\"", series,
                 unsettled.marked, unsettled.rows, signs, program.errors);
    }
    assert_non_null(strstr(program.output, "\nclocks: "));
    assert_non_null(strstr(program.output, "random reads in 2 MiB"));
    program_free(&program);
    assert_true(unsettled.rows >= 4);
    return unsettled;
}

void unsettled_clocks_are_told(void **state) {
    (void)state;
    /* Drifts that measuring again gets rid of. */
    assert_int_equal(with_clocks("clocks drifting").marked, 0);
    /* Rows that were measured before the clocks rose are told, those after it are not. */
    const Unsettled late = with_clocks("clocks late");
    assert_true(late.marked > 0 && late.first_marked == 0 && late.last_marked + 1 < late.rows);
    assert_true(fabs(late.worst - 3.5) < 1e-3);
    if (!test_full()) {
        return;
    }
    /* Raised before the first row. */
    assert_int_equal(with_clocks("clocks idle first").marked, 0);
    const Unsettled throttled = with_clocks("clocks throttled");
    assert_true(throttled.marked > 0 && throttled.first_marked > 0 &&
                throttled.last_marked + 1 == throttled.rows);
    assert_true(fabs(throttled.worst - 1.3) < 1e-3);
    const Unsettled never = with_clocks("clocks never");
    assert_int_equal(never.marked, never.rows);
}
