/* murbench: options, and the suites in order.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bench.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const Suite suites[] = {
    {"start", "what the first table costs: pipelines, time, memory, size", suiteStart},
    {"ceilings", "random reads, writes and compare-and-swaps, copies, dispatches", suiteCeilings},
    {"size", "insert, find, erase and reinsert by size, at load 0.5", suiteSize},
    {"load", "insert and find by load; a staircase of inserts with probe lengths", suiteLoad},
    {"formats", "64-bit keys and values, sets: insert and find at load 0.5", suiteFormats},
    {"repeat", "keys that are there already, that repeat, that have a pattern", suiteRepeat},
    {"frame", "commands of the sizes that frames record, and the cost of recording", suiteFrame},
    {"inshader", "a user's shader calling the include, against the bulk command", suiteInShader},
    {"whole", "passes over a table, rehashing, and whether cleaning pays", suiteWhole},
    {"multi", "many values a key: insert, count, retrieve; groups; one hot key", suiteMulti},
    {"cache", "a radiance cache in buckets: update, resolve, query by load; a burst", suiteCache},
    {"paging", "pages to and from host memory, against copies of the same run", suitePaging},
    {"large", "tables in pages of 43 GB of host memory; only if named", suiteLarge},
};
/* The last BY_NAME of them run only if --suite names them. */
enum { SUITES = sizeof suites / sizeof suites[0], BY_NAME = 1 };

enum {
    DEVICE,
    SUITE,
    MIN_LOG2,
    MAX_LOG2,
    REPS,
    CSV,
    COMPARE,
    TUNE,
    QUICK,
    VALIDATION,
    LIST,
    HELP,
    OPTIONS
};

static const struct {
    const char *name, *value, *help; /* value: NULL: it takes none */
} texts[OPTIONS] = {
    [DEVICE] = {"device", "N", "the N-th Vulkan device (default: a GPU, else the software device)"},
    [SUITE] = {"suite", "NAME[,...]", "only these suites (default: all but large)"},
    [MIN_LOG2] = {"min-log2n", "A", "smallest size of the size suite (default 16)"},
    [MAX_LOG2] = {"max-log2n", "B",
                  "largest (default: 28, or less if memory lacks; 68 bytes a pair)"},
    [REPS] = {"reps", "R", "timed runs a row, 7 to 29 (default 7)"},
    [CSV] = {"csv", "FILE", "also write the rows as CSV"},
    [COMPARE] = {"compare", "FILE", "add the ratio to a peer: lines workload,n_or_load,op,rate"},
    [TUNE] = {"tune", NULL, "instead of suites, find the MurTuning of the device, and print it"},
    [QUICK] = {"quick", NULL, "small sizes, for a check of a minute on a software device"},
    [VALIDATION] = {"validation", NULL, "with the Vulkan validation layers (not for timing)"},
    [LIST] = {"list", NULL, "list the suites"},
    [HELP] = {"help", NULL, "this text"},
};

static void help(void) {
    printf("usage: murbench [OPTION...]\n"
           "Measures Murmuration on a GPU, by GPU timestamps; every timed result is verified.\n\n");
    for (int i = 0; i < OPTIONS; ++i) {
        char option[32];
        snprintf(option, sizeof option, "%s %s", texts[i].name,
                 texts[i].value ? texts[i].value : "");
        printf("  --%-18s%s\n", option, texts[i].help);
    }
}

static void list(void) {
    for (int i = 0; i < SUITES; ++i) {
        printf("%-10s %s\n", suites[i].name, suites[i].help);
    }
}

static bool number(const char *name, const char *text, uint32_t least, uint32_t most,
                   uint32_t *value) {
    char *end;
    unsigned long parsed = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || parsed < least || parsed > most) {
        return sayError("--%s: \"%s\" is not a number from %u to %u", name, text, least, most);
    }
    *value = (uint32_t)parsed;
    return true;
}

/* How often a list has this name; NULL: any. */
static size_t listed(const char *list, const char *name) {
    size_t count = 0;
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        const size_t length = strcspn(at, ",");
        count += !name || (strlen(name) == length && strncmp(at, name, length) == 0);
    }
    return count;
}

static bool selected(const BenchOptions *options, int suite) {
    return options->suites ? listed(options->suites, suites[suite].name) > 0
                           : suite < SUITES - BY_NAME;
}

/* Every name in the list is a suite's. */
static bool checkSuites(const BenchOptions *options) {
    size_t known = 0;
    for (int i = 0; i < SUITES; ++i) {
        known += listed(options->suites, suites[i].name);
    }
    return known == listed(options->suites, NULL) ||
           sayError("--suite: \"%s\" names a suite that is not in --list", options->suites);
}

static bool option(BenchOptions *options, int code, const char *value) {
    uint32_t device = 0;
    bool good = true;
    switch (code) {
    case DEVICE:
        good = number("device", value, 0, INT_MAX, &device);
        options->device = (int)device;
        return good;
    case SUITE:
        options->suites = value;
        return checkSuites(options);
    case MIN_LOG2:
        return number("min-log2n", value, 1, 28, &options->minLog2);
    case MAX_LOG2:
        return number("max-log2n", value, 1, 28, &options->maxLog2);
    case REPS:
        return number("reps", value, 7, BENCH_MAX_REPS, &options->reps);
    case CSV:
        options->csv = value;
        return true;
    case COMPARE:
        options->compare = value;
        return true;
    case QUICK:
        options->quick = true;
        return true;
    case TUNE:
        options->tune = true;
        return true;
    case VALIDATION:
        options->validation = true;
        return true;
    default:
        return sayError("see --help");
    }
}

/* Returns false, with exitCode set, when the program should end here. */
static bool parse(int argc, char **argv, BenchOptions *options, int *exitCode) {
    struct option longOptions[OPTIONS + 1] = {{0}};
    for (int i = 0; i < OPTIONS; ++i) {
        longOptions[i] = (struct option){texts[i].name,
                                         texts[i].value ? required_argument : no_argument, NULL, i};
    }
    *exitCode = EXIT_FAILURE;
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, "", longOptions, NULL)) != -1;) {
        if (code == HELP || code == LIST) {
            *exitCode = EXIT_SUCCESS;
            (code == HELP ? help : list)();
            return false;
        }
        if (code == '?') {
            return sayError("\"%s\" is not an option, or lacks its value; see --help",
                            argv[optind - 1]);
        }
        if (!option(options, code, optarg)) {
            return false;
        }
    }
    if (optind < argc) {
        return sayError("\"%s\" is not an option; see --help", argv[optind]);
    }
    if (options->tune && options->suites) {
        return sayError("--tune runs no suites: leave --suite out");
    }
    return options->maxLog2 == 0 || options->minLog2 <= options->maxLog2 ||
           sayError("--min-log2n %u is above --max-log2n %u", options->minLog2, options->maxLog2);
}

static bool runSuites(Bench *bench) {
    for (int i = 0; i < SUITES; ++i) {
        if (selected(&bench->options, i)) {
            sayProgress(suites[i].name, (uint32_t)i, SUITES);
            if (!suites[i].run(bench)) {
                return false;
            }
        }
    }
    return true;
}

static bool run(Bench *bench) {
    if (!compareOpen(bench) || !(bench->options.tune ? tune : runSuites)(bench) ||
        !reportFile(bench)) {
        return false;
    }
    reportTable(bench);
    compareBehind(bench);
    tunePrint(bench);
    reportClocks(bench);
    return bench->gpu.messages == 0 || sayError("the validation layers complained");
}

int main(int argc, char **argv) {
    BenchOptions options = {.device = -1, .reps = 7, .program = argv[0]};
    int exitCode;
    sayProgram("murbench");
    if (!parse(argc, argv, &options, &exitCode)) {
        return exitCode;
    }
    Bench bench;
    if (!reportTryFiles(&options)) {
        return EXIT_FAILURE;
    }
    bool done = benchOpen(&bench, &options) && run(&bench);
    benchClose(&bench);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
