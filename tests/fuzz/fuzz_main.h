/* A fuzzer without libFuzzer: runs the given files unchanged, or rounds of mutated seeds. Included
 * by the fuzzer's only source file.
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

enum { FUZZ_DEFAULT_ROUNDS = 20000, FUZZ_MAX_FILE = 1 << 24, FUZZ_MAX_INPUT = 1 << 16 };

typedef struct Input {
    uint8_t *bytes;
    size_t size;
} Input;

typedef struct Fuzzer {
    const char *name;
    size_t seeds;
    Input (*makeSeed)(size_t number); /* returns a valid input to mutate; its bytes are freed */
    size_t head;                      /* bytes at the start that are mutated more often */
    void (*repair)(Input *input);     /* optional: called for most inputs before their run */
} Fuzzer;

static void putWord(Input *input, size_t at, uint32_t word) {
    for (size_t i = 0; i < 4 && at + i < input->size; i++) {
        input->bytes[at + i] = (uint8_t)(word >> (8 * i));
    }
}

/* Returns a number that is at or near a limit, or a small number. */
static uint32_t oddNumber(void) {
    static const uint32_t odd[] = {0,          1,          2,          3,          4,
                                   7,          8,          12,         255,        256,
                                   257,        65535,      65536,      65537,      0x3FFFFFFF,
                                   0x40000000, 0x7FFFFFFF, 0x80000000, 0xFFFF0000, 0xFFFFFFF0,
                                   0xFFFFFFFE, 0xFFFFFFFF};
    return draw(4) ? odd[draw(sizeof odd / sizeof *odd)] : (uint32_t)draw(1000);
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Replaces bytes of the input, in a buffer of FUZZ_MAX_INPUT, by other bytes. */
static void splice(Input *input, size_t at, size_t removed, const uint8_t *bytes, size_t size) {
    uint8_t copy[64];
    const size_t rest = input->size - at - removed;
    if (at + size + rest <= FUZZ_MAX_INPUT) {
        memcpy(copy, bytes, size); /* the bytes may be the input's own */
        memmove(input->bytes + at + size, input->bytes + at + removed, rest);
        memcpy(input->bytes + at, copy, size);
        input->size = at + size + rest;
    }
}

/* Applies one mutation. */
static void mutate(const Fuzzer *fuzzer, Input *input, const Input *other) {
    if (input->size < 4) {
        return;
    }
    const size_t at = draw(fuzzer->head && draw(4) == 0 ? smaller(input->size, fuzzer->head)
                                                        : input->size);
    const size_t rest = input->size - at, from = draw(other->size) / 4 * 4;
    const size_t size = 1 + draw(smaller(other->size - from, 64));
    switch (draw(8)) {
    case 0:
        input->bytes[at] ^= (uint8_t)(1U << draw(8));
        break;
    case 1:
        input->bytes[at] = (uint8_t)draw(256);
        break;
    case 2:
        putWord(input, at, oddNumber());
        break;
    case 3: /* most fields are 4 bytes apart */
        putWord(input, at / 4 * 4, oddNumber());
        break;
    case 4:
        splice(input, at, draw(4) ? 1 + draw(smaller(rest, 16)) : rest, input->bytes, 0);
        break;
    case 5:
        splice(input, at, 0, other->bytes + from, size);
        break;
    case 6:
        splice(input, at, 0, input->bytes + at, smaller(rest, 64)); /* repeats bytes */
        break;
    default:
        splice(input, at / 4 * 4, smaller(size, rest), other->bytes + from, size);
    }
}

static void runRounds(const Fuzzer *fuzzer, unsigned long rounds) {
    Input seeds[16];
    drawn.state = test_seed(1);
    for (size_t i = 0; i < fuzzer->seeds; i++) {
        seeds[i] = fuzzer->makeSeed(i);
    }
    for (unsigned long round = 0; round < rounds; round++) {
        static uint8_t bytes[FUZZ_MAX_INPUT];
        const Input *seed = &seeds[draw(fuzzer->seeds)];
        Input input = {bytes, seed->size};
        memcpy(bytes, seed->bytes, seed->size);
        for (size_t count = draw(5); count > 0; count--) {
            mutate(fuzzer, &input, &seeds[draw(fuzzer->seeds)]);
        }
        if (fuzzer->repair && draw(8) != 0) {
            fuzzer->repair(&input);
        }
        uint8_t *exact = malloc(input.size ? input.size : 1);
        if (exact == NULL) { /* sanitizers detect reads past its end */
            abort();
        }
        memcpy(exact, bytes, input.size);
        (void)LLVMFuzzerTestOneInput(exact, input.size);
        free(exact);
    }
    for (size_t i = 0; i < fuzzer->seeds; i++) {
        free(seeds[i].bytes);
    }
    (void)printf("%s: %lu rounds\n", fuzzer->name, rounds);
}

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

static int fuzzMain(const Fuzzer *fuzzer, int argc, char **argv) {
    unsigned long rounds = argc == 1 ? FUZZ_DEFAULT_ROUNDS : 0;
    bool done = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") != 0) {
            done = fuzzFile(fuzzer->name, argv[i]) && done;
            continue;
        }
        char *end = NULL;
        i++;
        rounds = i < argc ? strtoul(argv[i], &end, 10) : 0;
        if (end == NULL || end == argv[i] || *end != '\0') {
            (void)fprintf(stderr, "usage: %s [--rounds N] [FILE...]\n", fuzzer->name);
            return EXIT_FAILURE;
        }
    }
    if (rounds > 0) {
        runRounds(fuzzer, rounds);
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
