/* The main function of a fuzzer without libFuzzer: runs the given files unchanged, or mutation
 * rounds. Included by the fuzzer's only source file.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_FUZZ_MAIN_H
#define MUR_FUZZ_MAIN_H

#include "../support/random.h"
#include "../support/seed.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The random numbers of a round. Each round sets the state. */
static Random drawn;

static size_t draw(size_t bound) {
    return (size_t)(random_next(&drawn) % bound);
}

enum { FUZZ_DEFAULT_ROUNDS = 20000, FUZZ_MAX_FILE = 1 << 24 };

static bool fuzzFile(const char *fuzzer, const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = file != NULL ? malloc(FUZZ_MAX_FILE) : NULL;
    if (bytes == NULL) {
        (void)fprintf(stderr, "%s: %s: %s\n", fuzzer, path, strerror(errno));
        if (file != NULL) {
            (void)fclose(file);
        }
        return false;
    }
    const size_t size = fread(bytes, 1, FUZZ_MAX_FILE, file);
    const bool isWhole = ferror(file) == 0 && fgetc(file) == EOF;
    (void)fclose(file);
    /* A block of the input's exact size, so that sanitizers detect reads past its end. */
    uint8_t *input = isWhole ? realloc(bytes, size > 0 ? size : 1) : NULL;
    if (input != NULL) {
        (void)LLVMFuzzerTestOneInput(input, size);
        (void)printf("%s: %s\n", fuzzer, path);
    } else {
        (void)fprintf(stderr, "%s: %s: cannot be read, or is too large\n", fuzzer, path);
    }
    free(input != NULL ? input : bytes);
    return input != NULL;
}

static int fuzzMain(const char *fuzzer, int argc, char **argv,
                    void (*runRounds)(unsigned long rounds)) {
    unsigned long rounds = argc == 1 ? FUZZ_DEFAULT_ROUNDS : 0;
    bool done = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") != 0) {
            done = fuzzFile(fuzzer, argv[i]) && done;
            continue;
        }
        char *end = NULL;
        i++;
        rounds = i < argc ? strtoul(argv[i], &end, 10) : 0;
        if (end == NULL || end == argv[i] || *end != '\0') {
            (void)fprintf(stderr, "usage: %s [--rounds N] [FILE...]\n", fuzzer);
            return EXIT_FAILURE;
        }
    }
    if (rounds > 0) {
        runRounds(rounds);
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
