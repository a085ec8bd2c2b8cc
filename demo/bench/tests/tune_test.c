/* --tune: what it prints is a MurTuning that follows from its own rows.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "murbench.h"
#include "support/gpu.h"
#include "support/seed.h"

#include <murmuration/tuning.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 32 };

/* Of MurTuning, in order; unit: of the contest, NULL: there is none. */
static const struct {
    const char *name, *unit;
    size_t offset, size;
} fields[] = {
#define FIELD(name, unit) \
    { #name, unit, offsetof(MurTuning, name), sizeof((MurTuning *)0)->name }
    FIELD(cacheBytes, NULL),
    FIELD(homeFirstCaches, "caches"),
    FIELD(sortedWriteCaches, "caches"),
    FIELD(sortedReadCaches, "caches"),
    FIELD(sortedShare, "share"),
    FIELD(sortedBinCaches, NULL),
    FIELD(insertSlicesLeast, "items"),
    FIELD(insertSlicesShare, "share"),
    FIELD(buildLeast, "items"),
    FIELD(buildSlicesLoad, "load"),
    FIELD(buildExactLoad, NULL),
    FIELD(buildFullLoad, "load"),
    FIELD(buildLeastFull, "items"),
    FIELD(streamLeastSlots, "slots"),
    FIELD(streamGroups, NULL),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* ---- What was printed ----------------------------------------------------------------------- */

/* The text in the end, as it could be pasted; to be freed. */
static char *printed_text(const Program *program) {
    static const char head[] = "#include <murmuration/tuning.h>\n#include <stdint.h>\n";
    const char *begin = strstr(program->output, "\nconst MurTuning tuning = {\n");
    assert_non_null(begin);
    const char *end = strstr(begin, "\n};\n");
    assert_non_null(end);
    assert_int_equal(end[4], '\0'); /* nothing comes after it */
    const size_t size = sizeof head + strlen(begin);
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s", head, begin);
    return text;
}

/* A C compiler takes it, without a warning. */
static void require_compiles(const char *text) {
    char command[1024];
    snprintf(command, sizeof command, "%s -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only %s -",
             COMPILER, INCLUDES);
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    fputs(text, pipe);
    assert_int_equal(pclose(pipe), 0);
}

typedef struct Printed {
    double values[FIELDS];
    char words[FIELDS][96];
} Printed;

static double number(const char *text) {
    char *end;
    const double value = strcmp(text, "UINT32_MAX") == 0   ? UINT32_MAX
                         : strcmp(text, "UINT64_MAX") == 0 ? (double)UINT64_MAX
                                                           : strtod(text, &end);
    return value;
}

/* Every field once, in the order of the struct, with a word on it. */
static Printed read_printed(const Program *program) {
    char *text = printed_text(program);
    const char *at = strstr(text, "{\n") + 2;
    Printed printed;
    require_compiles(text);
    for (size_t i = 0; i < FIELDS; ++i) {
        char name[32], value[32];
        int length = 0;
        const int read = sscanf(at, " .%31s = %31[^,], /* %95[^*]*/%n", name, value,
                                printed.words[i], &length);
        if (read != 3 || length == 0 || strcmp(name, fields[i].name) != 0) {
            fail_msg("not a line on %s: %.100s", fields[i].name, at);
        }
        printed.values[i] = number(value);
        at += length;
    }
    free(text);
    return printed;
}

static double own_value(const MurTuning *own, size_t field) {
    const void *at = (const char *)own + fields[field].offset;
    const bool ratio = strstr(fields[field].name, "Caches") || strstr(fields[field].name, "Load") ||
                       strstr(fields[field].name, "Share");
    return ratio                     ? (double)*(const float *)at
           : fields[field].size == 4 ? (double)*(const uint32_t *)at
                                     : (double)*(const uint64_t *)at;
}

static bool same(double a, double b) {
    return fabs(a - b) <= 1e-4 * fabs(b);
}

/* ---- What the rows say ---------------------------------------------------------------------- */

typedef struct Place {
    CsvLine first; /* of its rows */
    double milliseconds[2];
} Place;

/* The contest that is being read, and what came of those before. */
typedef struct Contests {
    Place places[PLACES];
    size_t count, coarse; /* of all; of those before the stretch between two was halved */
    char ways[2][32];
    double cacheBytes;
    size_t field, held;
    struct {
        char operation[CSV_FIELD], words[CSV_FIELD];
        double rate;
    } verdicts[FIELDS];
} Contests;

static size_t field_of(const char *name, size_t length) {
    for (size_t i = 0; i < FIELDS; ++i) {
        if (strlen(fields[i].name) == length && strncmp(fields[i].name, name, length) == 0) {
            return i;
        }
    }
    fail_msg("%.*s is no field of MurTuning", (int)length, name);
    return 0;
}

static double quantity(const Contests *contests, const Place *place) {
    const char *unit = fields[contests->field].unit;
    const double table = murbench_figure(&place->first, COLUMN_TABLE);
    const double pairs = murbench_figure(&place->first, COLUMN_PAIRS);
    return strcmp(unit, "caches") == 0  ? table / contests->cacheBytes
           : strcmp(unit, "items") == 0 ? pairs
           : strcmp(unit, "slots") == 0 ? (table - MUR_HEADER_SIZE) / MUR_SLOT_SIZE * 2
           : strcmp(unit, "share") == 0 ? pairs / murbench_figure(&place->first, COLUMN_CAPACITY)
                                        : murbench_figure(&place->first, COLUMN_LOAD);
}

/* Each way is what its name says: those through shared memory and sorted ones take scratch memory,
 * and builds through shared memory leave an order. */
static void require_way(const CsvLine *line, const char *way) {
    const bool exclusive = strcmp(way, "slices") == 0 || strcmp(way, "exact") == 0;
    const bool scratch = exclusive || strcmp(way, "sorted") == 0;
    const bool build = strncmp(line->fields[COLUMN_OPERATION], "build", 5) == 0;
    if ((murbench_figure(line, COLUMN_SCRATCH) > 0) != scratch ||
        (build && murbench_is(line, COLUMN_STATE, "ordered") != exclusive)) {
        fail_msg("tune, %s, %s: state %s, %s bytes of scratch memory",
                 line->fields[COLUMN_OPERATION], line->fields[COLUMN_VARIANT],
                 line->fields[COLUMN_STATE], line->fields[COLUMN_SCRATCH]);
    }
}

/* "WAY, OPERATION, 64-bit atomics": at each place all of one way, then all of the other. */
static void read_measured(const CsvLine *line, Contests *contests) {
    const size_t field = field_of(line->fields[COLUMN_OPERATION],
                                  strlen(line->fields[COLUMN_OPERATION]));
    char way[32];
    assert_int_equal(sscanf(line->fields[COLUMN_VARIANT], "%31[^,]", way), 1);
    require_way(line, way);
    if (contests->count == 0 || field != contests->field) {
        contests->field = field;
        contests->count = contests->coarse = 0;
        ++contests->held;
        snprintf(contests->ways[0], sizeof contests->ways[0], "%s", way);
        contests->ways[1][0] = '\0';
    }
    const bool second = strcmp(way, contests->ways[0]) != 0;
    const size_t count = contests->count;
    if (second) {
        snprintf(contests->ways[1], sizeof contests->ways[1], "%s", way);
    } else if (count == 0 || contests->places[count - 1].milliseconds[1] > 0) {
        assert_true(count < PLACES);
        contests->places[contests->count++] = (Place){.first = *line};
    }
    contests->places[contests->count - 1].milliseconds[second] += murbench_figure(line, COLUMN_MS);
}

/* The first way throughout: what all places lose by it is no more than by the second one; and so
 * on. */
static void require_winner(const Contests *contests, const char *operation, const char *words,
                           double value) {
    char expected[96];
    double loss = 0;
    bool below = false, above = false;
    for (size_t i = 0; i < contests->count; ++i) {
        const Place *place = &contests->places[i];
        const double *times = place->milliseconds;
        loss += i < contests->coarse ? log(times[0] / times[1]) : 0;
        below = below || (times[0] < times[1] && quantity(contests, place) <= value * 1.0001);
        above = above || (times[1] <= times[0] && quantity(contests, place) >= value * 0.9999);
    }
    if (strcmp(operation, "crossover") == 0) {
        snprintf(expected, sizeof expected, "%s before, %s after", contests->ways[0],
                 contests->ways[1]);
        assert_true(below && above);
    } else {
        const int second = strncmp(words, contests->ways[1], strlen(contests->ways[1])) == 0;
        snprintf(expected, sizeof expected, "%s throughout", contests->ways[second]);
        assert_true(second ? loss > -1e-3 : loss < 1e-3);
    }
    assert_string_equal(words, expected);
}

static void read_verdict(const CsvLine *line, Contests *contests) {
    const char *operation = line->fields[COLUMN_OPERATION];
    const char *words = strstr(line->fields[COLUMN_VARIANT], ": ");
    assert_non_null(words);
    const size_t field = field_of(line->fields[COLUMN_VARIANT],
                                  (size_t)(words - line->fields[COLUMN_VARIANT]));
    const double rate = murbench_figure(line, COLUMN_RATE);
    words += 2;
    if (strcmp(operation, "default") == 0) {
        assert_int_equal(field, contests->field);
        assert_true(rate > 0 && rate <= 1);
        contests->coarse = contests->count;
        return;
    }
    if (strcmp(operation, "no contest") == 0) {
        assert_true(contests->count == 0 || field != contests->field);
    } else {
        assert_int_equal(field, contests->field);
        require_winner(contests, operation, words, rate);
    }
    assert_true(murbench_is(line, COLUMN_UNIT, fields[field].unit));
    snprintf(contests->verdicts[field].operation, CSV_FIELD, "%s", operation);
    snprintf(contests->verdicts[field].words, CSV_FIELD, "%s", words);
    contests->verdicts[field].rate = rate;
}

static void read_row(const CsvLine *line, void *user) {
    const char *operation = line->fields[COLUMN_OPERATION];
    const bool verdict = strcmp(operation, "crossover") == 0 || strcmp(operation, "default") == 0 ||
                         strncmp(operation, "no ", 3) == 0;
    assert_true(murbench_is(line, COLUMN_SUITE, "tune"));
    (verdict ? read_verdict : read_measured)(line, user);
}

/* ---- Both together -------------------------------------------------------------------------- */

/* A field that was not measured, or that no contest could be held for, keeps the library's own
 * value; the others have what their contest found. */
static void require_value(const Contests *contests, const Printed *printed, const MurTuning *own,
                          size_t field) {
    const char *operation = contests->verdicts[field].operation;
    const double value = printed->values[field];
    char words[2 * CSV_FIELD];
    const bool throughout = strcmp(operation, "no crossover") == 0;
    const bool crossover = strcmp(operation, "crossover") == 0;
    const double most = own_value(own, field);
    snprintf(words, sizeof words, *operation ? "%s: %s " : "not measured%s%s ", operation,
             contests->verdicts[field].words);
    assert_string_equal(printed->words[field], words);
    assert_true((*operation != '\0') == (fields[field].unit != NULL));
    const bool good = crossover    ? fabs(value / contests->verdicts[field].rate - 1) < 1e-2
                      : throughout ? value == 0 || value >= UINT32_MAX
                                   : same(value, most);
    if (!good) {
        fail_msg("%s is %g, of contest \"%s\", %g", fields[field].name, value, words,
                 contests->verdicts[field].rate);
    }
}

static void tune(const char *program_name, Contests *contests, Printed *printed) {
    char csv[256];
    snprintf(csv, sizeof csv, "%s", program_file(1, "rows.csv"));
    const char *const args[] = {"--quick", "--tune", "--min-log2n", "10", "--csv", csv, NULL};
    Program program = murbench_run_as(program_name, args, test_full());
    murbench_succeeded(&program);
    *printed = read_printed(&program);
    *contests = (Contests){.cacheBytes = printed->values[0]};
    (void)murbench_rows(csv, read_row, contests);
    program_free(&program);
    Gpu gpu;
    gpu_open(&gpu);
    const MurTuning own = murGetTuning(gpu.context);
    gpu_close(&gpu);
    for (size_t i = 0; i < FIELDS; ++i) {
        require_value(contests, printed, &own, i);
    }
    assert_true(contests->held >= 2); /* any device inserts and rehashes in two ways */
}

/* On its own times, in the long tier: the others are made up. */
void tune_prints_what_it_found(void **state) {
    static Contests contests;
    Printed printed;
    (void)state;
    if (test_full()) {
        tune("murbench", &contests, &printed);
    }
}

/* On made-up times, the second way of each contest is the faster one of more than 1400 pairs at a
 * time: of batches of twice as many, since they are half of what is counted. */
void tune_finds_who_wins(void **state) {
    static Contests contests;
    Printed printed;
    (void)state;
    assert_int_equal(setenv("MURBENCH_WRONG", "times", 1), 0);
    tune("murbench-wrong", &contests, &printed);
    assert_int_equal(unsetenv("MURBENCH_WRONG"), 0);
    for (size_t i = 0; i < FIELDS; ++i) {
        const char *unit = fields[i].unit;
        if (!unit || strcmp(contests.verdicts[i].operation, "no contest") == 0) {
            continue;
        }
        const double slots = 2 * 2800 * 9.0 / 8;
        const double expected = strcmp(unit, "items") == 0   ? 2800
                                : strcmp(unit, "share") == 0 ? 1400.0 / 8192
                                : strcmp(unit, "load") == 0  ? 2800.0 / 4096
                                : strcmp(unit, "slots") == 0 ? 2 * slots
                                                             : 8 * slots / printed.values[0];
        const double apart = strcmp(unit, "load") == 0
                                 ? fabs(printed.values[i] - expected) / 0.02
                                 : fabs(log2(printed.values[i] / expected)) / 0.25;
        if (strcmp(contests.verdicts[i].operation, "crossover") != 0 || apart > 1) {
            fail_msg("%s: %s, %g instead of %g", fields[i].name, contests.verdicts[i].operation,
                     printed.values[i], expected);
        }
    }
}

/* A library that takes no tuning, or goes another way than the one that was forced, is found
 * out. */
void tune_forces_ways(void **state) {
    static const char *const wrong[][2] = {
        {"tuning", "murbench: the library did not take the tuning that was forced\n"},
        {"scratch", "murbench: tune: sortedWriteCaches, \"direct\" takes scratch memory\n"},
    };
    const char *const args[] = {"--quick", "--tune", NULL};
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        assert_int_equal(setenv("MURBENCH_WRONG", wrong[i][0], 1), 0);
        Program program = murbench_run_as("murbench-wrong", args, false);
        assert_int_equal(unsetenv("MURBENCH_WRONG"), 0);
        assert_int_equal(program.status, EXIT_FAILURE);
        assert_string_equal(program.errors, wrong[i][1]);
        assert_null(strstr(program.output, "MurTuning"));
        program_free(&program);
    }
}
