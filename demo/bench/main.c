/* murbench: options, and the suites in order.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bench.h"

#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const Suite suites[] = {
    {"overhead", "the first table; commands of frames", suiteOverhead},
    {"ceilings", "random reads, writes and compare-and-swaps, copies, dispatches", suiteCeilings},
    {"size", "insert, find, erase and reinsert by size and format, at load 0.5", suiteSize},
    {"load", "insert and find by load; a staircase of inserts with probe lengths", suiteLoad},
    {"repeat", "keys that are there already, and keys that repeat", suiteRepeat},
    {"inshader", "a user's shader calling the include, against the bulk command", suiteInShader},
    {"whole", "passes over a table, rehashing, and whether cleaning pays", suiteWhole},
    {"multi", "many values a key, groups; rows of 4 and 16 words as keys", suiteMulti},
    {"mirror", "a table that the host writes: updates by changes, against full copies",
     suiteMirror},
    {"cache", "a radiance cache in buckets: update, resolve, query by load; a burst", suiteCache},
    {"paging", "pages to and from host memory, against copies of the same run", suitePaging},
    {"large", "tables in pages of 43 GB of host memory; only if named", suiteLarge},
};
/* The last BY_NAME suites run only if --suite names them. */
enum { SUITES = sizeof suites / sizeof suites[0], BY_NAME = 1 };

static void help(void);
static void list(void);

/* Options. An option sets a number from least to most, a text or a flag, or prints a text. */
static const struct {
    const char *name, *value, *help; /* value: NULL if it has none */
    size_t at;
    uint32_t least, most; /* 0: no number */
    void (*print)(void);
} texts[] = {
#define AT(member) offsetof(BenchOptions, member)
    {"device", "N", "the N-th Vulkan device (default: a GPU, else the software device)", AT(device),
     0, INT_MAX, NULL},
    {"suite", "NAME[,...]", "only these suites (default: all but large)", AT(suites), 0, 0, NULL},
    {"min-log2n", "A", "smallest size of the size suite (default 16)", AT(minLog2), 1, 28, NULL},
    {"max-log2n", "B", "largest (default: 28, or less if memory lacks; 68 bytes a pair)",
     AT(maxLog2), 1, 28, NULL},
    {"reps", "R", "timed runs a row, 7 to 29 (default 7)", AT(reps), 7, BENCH_MAX_REPS, NULL},
    {"csv", "FILE", "also write the rows as CSV", AT(csv), 0, 0, NULL},
    {"compare", "FILE", "add the ratio to a peer: lines workload,n_or_load,op,rate", AT(compare), 0,
     0, NULL},
    {"tune", NULL, "instead of suites, find the MurTuning of the device, and print it", AT(tune), 0,
     0, NULL},
    {"quick", NULL, "small sizes, for a check of seconds on a software device", AT(quick), 0, 0,
     NULL},
    {"validation", NULL, "with the Vulkan validation layers (not for timing)", AT(validation), 0, 0,
     NULL},
    {"list", NULL, "list the suites", 0, 0, 0, list},
    {"help", NULL, "this text", 0, 0, 0, help},
#undef AT
};
enum { OPTIONS = sizeof texts / sizeof texts[0] };

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

/* Returns how often a list contains this name. NULL: counts all names. */
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

/* Returns whether the list contains only names of suites. */
static bool checkSuites(const BenchOptions *options) {
    size_t known = 0;
    for (int i = 0; i < SUITES; ++i) {
        known += listed(options->suites, suites[i].name);
    }
    return known == listed(options->suites, NULL) ||
           sayError("--suite: \"%s\" names a suite that is not in --list", options->suites);
}

static bool option(BenchOptions *options, int which, const char *value) {
    void *at = (char *)options + texts[which].at;
    if (texts[which].most) {
        return number(texts[which].name, value, texts[which].least, texts[which].most, at);
    }
    if (value) {
        *(const char **)at = value;
    } else {
        *(bool *)at = true;
    }
    return true;
}

/* Returns false, with exitCode set, if the program must end. */
static bool parse(int argc, char **argv, BenchOptions *options, int *exitCode) {
    struct option longOptions[OPTIONS + 1] = {{0}};
    for (int i = 0; i < OPTIONS; ++i) {
        longOptions[i] = (struct option){texts[i].name,
                                         texts[i].value ? required_argument : no_argument, NULL, i};
    }
    *exitCode = EXIT_FAILURE;
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, "", longOptions, NULL)) != -1;) {
        if (code == '?') {
            return sayError("\"%s\" is not an option, or lacks its value; see --help",
                            argv[optind - 1]);
        }
        if (texts[code].print) {
            *exitCode = EXIT_SUCCESS;
            texts[code].print();
            return false;
        }
        if (!option(options, code, optarg)) {
            return false;
        }
    }
    if (optind < argc) {
        return sayError("\"%s\" is not an option; see --help", argv[optind]);
    }
    if (!checkSuites(options)) {
        return false;
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
    tunePrint(bench);
    reportClocks(bench);
    return bench->gpu.messages == 0 || sayError("the validation layers reported messages");
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
