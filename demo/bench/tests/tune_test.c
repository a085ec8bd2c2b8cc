/* Tests of --tune, which measures both paths of each contest and prints the resulting MurTuning.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "murbench.h"
#include "support/gpu.h"
#include "support/seed.h"

#include <murmuration/tuning.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The members of MurTuning in order. unit: of the values of the contest; NULL: no contest. */
static const struct {
    const char *name, *unit;
    size_t offset, size;
    bool ratio;
} fields[] = {
#define FIELD(name, unit, ratio) \
    { #name, unit, offsetof(MurTuning, name), sizeof((MurTuning *)0)->name, ratio }
    FIELD(cacheBytes, NULL, false),
    FIELD(homeFirstMaxCacheRatio, "caches", true),
    FIELD(sortWriteMinCacheRatio, "caches", true),
    FIELD(sortReadMinCacheRatio, "caches", true),
    FIELD(sortMinBatchFraction, "share", true),
    FIELD(sortBinCacheRatio, NULL, true),
    FIELD(partitionInsertMinItems, "items", false),
    FIELD(partitionInsertMinBatchFraction, "share", true),
    FIELD(buildMinItems, "items", false),
    FIELD(partitionBuildMaxLoad, "load", true),
    FIELD(exactBuildMaxLoad, NULL, true),
    FIELD(fullBuildMinLoad, "load", true),
    FIELD(buildMinItemsWhenFull, "items", false),
    FIELD(groupBinMaxPairs, NULL, false),
    FIELD(streamMinSlots, "slots", false),
    FIELD(streamMinGroups, NULL, false),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

typedef struct Printed {
    double values[FIELDS];
    char words[FIELDS][96];
} Printed;

/* Checks that the text compiles as C without warnings. */
static void require_compiles(const char *text) {
    FILE *pipe = popen(COMPILER " -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only " INCLUDES " -",
                       "w");
    assert_non_null(pipe);
    fprintf(pipe, "#include <murmuration/tuning.h>\n#include <stdint.h>\n%s", text);
    assert_int_equal(pclose(pipe), 0);
}

/* Reads the printed MurTuning: every field once, in the order of the struct, with a comment. */
static void read_printed(const Program *program, Printed *printed) {
    const char *at = strstr(program->out, "\nconst MurTuning tuning = {\n");
    assert_non_null(at);
    require_compiles(at);
    at = strstr(at, "{\n") + 2;
    for (size_t i = 0; i < FIELDS; ++i) {
        char name[32], value[32];
        int length = 0;
        if (sscanf(at, " .%31s = %31[^,], /* %95[^*]*/%n", name, value, printed->words[i],
                   &length) != 3 ||
            length == 0 || strcmp(name, fields[i].name) != 0) {
            fail_msg("not a line on %s: %.100s", fields[i].name, at);
        }
        printed->values[i] = strncmp(value, "UINT", 4) == 0 ? INFINITY : strtod(value, NULL);
        at += length;
    }
    assert_string_equal(at, "\n};\n");
}

/* Checks that a row used the path that it names. Partitioned and sorted paths use scratch memory,
 * and partitioned builds leave a sorted table. */
static void check_way(const CsvLine *line, void *user) {
    const char *variant = row_text(line, "variant");
    const bool exclusive = strncmp(variant, "slices,", 7) == 0 ||
                           strncmp(variant, "exact,", 6) == 0;
    const bool scratch = exclusive || strncmp(variant, "sorted,", 7) == 0;
    const bool build = strncmp(row_text(line, "operation"), "build", 5) == 0;
    (void)user;
    assert_true(row_is(line, "suite", "tune"));
    if (row_figure(line, "ms") <= 0) { /* not a measurement */
        return;
    }
    if ((row_figure(line, "scratch_bytes") > 0) != scratch ||
        (build && row_is(line, "state", "ordered") != exclusive)) {
        ROW_FAIL(line, "state %s, %s bytes of scratch memory", row_text(line, "state"),
                 row_text(line, "scratch_bytes"));
    }
}

/* Returns the library's default of a field. */
static double own_value(const MurTuning *own, size_t field) {
    const void *at = (const char *)own + fields[field].offset;
    return fields[field].ratio       ? (double)*(const float *)at
           : fields[field].size == 4 ? (double)*(const uint32_t *)at
                                     : (double)*(const uint64_t *)at;
}

/* In the simulation, the second path of each contest is faster above 1400 pairs: in batches above
 * 2800 pairs, because half of a batch counts. Other fields keep the library's default. */
BENCH_TEST(tune_finds_who_wins) {
    const char *const args[] = {"--quick",           "--tune", "--min-log2n", "10", "--csv",
                                file_in("rows.csv"), NULL};
    Program program = program_run("murbench-wrong", "times", test_full(), args);
    Printed printed;
    size_t held = 0;
    Gpu gpu;
    program_succeeded(&program);
    read_printed(&program, &printed);
    assert_true(for_each_row(file_in("rows.csv"), check_way, NULL) > 0);
    gpu_open(&gpu);
    const MurTuning own = murGetTuning(gpu.context);
    gpu_close(&gpu);
    for (size_t i = 0; i < FIELDS; ++i) {
        const char *unit = fields[i].unit ? fields[i].unit : "";
        const char *words = fields[i].unit ? "crossover: " : "not measured ";
        const bool crosses = fields[i].unit && strncmp(printed.words[i], "no contest: ", 12) != 0;
        const double slots = 2 * 2800 * 9.0 / 8;
        const double expected = !crosses                     ? own_value(&own, i)
                                : strcmp(unit, "items") == 0 ? 2800
                                : strcmp(unit, "share") == 0 ? 1400.0 / 8192
                                : strcmp(unit, "load") == 0  ? 2800.0 / 4096
                                : strcmp(unit, "slots") == 0 ? 2 * slots
                                                             : 8 * slots / printed.values[0];
        const double apart = !crosses ? printed.values[i] / expected - 1
                             : strcmp(unit, "load") == 0
                                 ? (printed.values[i] - expected) / 0.02
                                 : log2(printed.values[i] / expected) / 0.25;
        if (((crosses || !*unit) && strncmp(printed.words[i], words, strlen(words)) != 0) ||
            fabs(apart) > (crosses ? 1 : 1e-4)) {
            fail_msg("%s: %s, %g instead of %g", fields[i].name, printed.words[i],
                     printed.values[i], expected);
        }
        held += crosses;
    }
    assert_true(held >= 2); /* any device has two paths for inserts and rehashes */
}

/* A library that ignores the tuning, or uses another path than the forced one, is detected. */
BENCH_TEST(tune_forces_ways) {
    static const char *const wrong[][2] = {
        {"tuning", "murbench: the library did not take the tuning that was forced\n"},
        {"scratch", "murbench: tune: sortWriteMinCacheRatio, \"direct\" takes scratch memory\n"},
    };
    const char *const args[] = {"--quick", "--tune", NULL};
    for (size_t i = 0; i < 2; ++i) {
        Program program = program_run("murbench-wrong", wrong[i][0], false, args);
        assert_int_equal(program.status, EXIT_FAILURE);
        assert_string_equal(program.error, wrong[i][1]);
        assert_null(strstr(program.out, "MurTuning"));
    }
}
