/* murbench: options, and the suites in order.
 * SPDX-License-Identifier: MIT */
#include "bench.h"

#include "common/options.h"

#include <stdlib.h>
#include <string.h>

static const Suite suites[] = {
    {"overhead", "the first table; commands of frames", suiteOverhead},
    {"ceilings", "random reads and compare-and-swaps, copies", suiteCeilings},
    {"size", "insert, find, erase and reinsert by size and format, at load 0.5", suiteSize},
    {"load", "insert and find by load", suiteLoad},
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

#define OPTION_INTO BenchOptions
static const Option texts[] = {
    OPTION_HEADING("usage: murbench [OPTION...]\n"
                   "Measures Murmuration on a GPU, by GPU timestamps; every timed result is "
                   "verified.\n"),
    OPTION_NUMBER("device", "N", device, 0, 1000,
                  "the N-th Vulkan device; default a GPU, else the software device"),
    OPTION_TEXT("suite", "NAME[,...]", suites, "only these suites; default all but large"),
    OPTION_NUMBER("min-log2n", "A", minLog2, 1, 28, "smallest size of the size suite; default 16"),
    OPTION_NUMBER("max-log2n", "B", maxLog2, 1, 28,
                  "largest; default 28, or less if memory lacks, 68 bytes a pair"),
    OPTION_NUMBER("reps", "R", reps, 7, BENCH_MAX_REPS, "timed runs a row; default 7"),
    OPTION_TEXT("csv", "FILE", csv, "also write the rows as CSV"),
    OPTION_FLAG("tune", tune, "instead of suites, find the MurTuning of the device, and print it"),
    OPTION_FLAG("quick", quick, "small sizes, for a check of seconds on a software device"),
    OPTION_FLAG("validation", validation, "with the Vulkan validation layers (not for timing)"),
    OPTION_FLAG("list", list, "list the suites"),
    OPTION_HELP("this text"),
};
enum { OPTIONS = sizeof texts / sizeof texts[0] };

static void list(void) {
    for (int i = 0; i < SUITES; ++i) {
        printf("%-10s %s\n", suites[i].name, suites[i].help);
    }
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

/* Returns whether the options fit each other. */
static bool check(const BenchOptions *options) {
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
    if (!(bench->options.tune ? tune : runSuites)(bench) || !reportFile(bench)) {
        return false;
    }
    reportTable(bench);
    tunePrint(bench);
    reportClocks(bench);
    return bench->gpu.messages == 0 || sayError("the validation layers reported messages");
}

int main(int argc, char **argv) {
    BenchOptions options = {.device = -1, .reps = 7};
    int status;
    sayProgram("murbench");
    if (!optionsRead(texts, OPTIONS, argc, argv, 0, &options, &status)) {
        return status;
    }
    if (options.list) {
        list();
        return EXIT_SUCCESS;
    }
    Bench bench;
    if (!check(&options) || !reportTryFile(&options)) {
        return EXIT_FAILURE;
    }
    bool done = benchOpen(&bench, &options) && run(&bench);
    benchClose(&bench);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
