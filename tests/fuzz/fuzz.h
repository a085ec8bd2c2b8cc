/* Shared by all fuzzers. Without libFuzzer, a fuzzer always runs the same rounds of mutated seeds.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_FUZZ_H
#define MUR_FUZZ_H

#include "../support/random.h"
#include "../support/seed.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds, const char *promise) {
    if (!holds) {
        (void)fprintf(stderr, "not so: %s\n", promise);
        abort();
    }
}

#ifndef MUR_LIBFUZZER

/* The random numbers of a round. Each round sets the state. */
static Random drawn;

static size_t draw(size_t bound) {
    return (size_t)(random_next(&drawn) % bound);
}

enum { FUZZ_MAX_INPUT = 1 << 16 };

typedef struct Input {
    uint8_t *bytes;
    size_t size;
} Input;

typedef struct Fuzzer {
    size_t rounds, seeds;
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
    switch (draw(6)) {
    case 0:
        input->bytes[at] ^= (uint8_t)(1U << draw(8));
        break;
    case 1: /* most fields are 4 bytes apart */
        putWord(input, draw(2) ? at : at / 4 * 4, oddNumber());
        break;
    case 2:
        splice(input, at, draw(4) ? 1 + draw(smaller(rest, 16)) : rest, input->bytes, 0);
        break;
    case 3:
        splice(input, at, 0, other->bytes + from, size);
        break;
    case 4:
        splice(input, at, 0, input->bytes + at, smaller(rest, 64)); /* repeats bytes */
        break;
    default:
        splice(input, at / 4 * 4, smaller(size, rest), other->bytes + from, size);
    }
}

static void fuzz(const Fuzzer *fuzzer) {
    Input seeds[16];
    drawn.state = test_seed(1);
    for (size_t i = 0; i < fuzzer->seeds; i++) {
        seeds[i] = fuzzer->makeSeed(i);
    }
    for (size_t round = 0; round < fuzzer->rounds; round++) {
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
        require(exact != NULL, "there is memory"); /* sanitizers detect reads past its end */
        memcpy(exact, bytes, input.size);
        (void)LLVMFuzzerTestOneInput(exact, input.size);
        free(exact);
    }
    for (size_t i = 0; i < fuzzer->seeds; i++) {
        free(seeds[i].bytes);
    }
}

#endif

#endif
