/* Random in-shader calls against the oracle, slot by slot: every call of the include, in every way
 * of reaching a table. Tables come out the same, bit by bit, whichever way it was.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "calls_run.h"
#include "support/seed.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A dispatch by device address takes all its tables; bound tables come one by one, so they are
 * fewer and their sequences longer. */
enum {
    ADDRESS_TABLES = 512, /* long tier: 2,048 */
    ADDRESS_CALLS = 64,
    BOUND_TABLES = 64,
    BOUND_CALLS = 320,
    EQUAL_TABLES = 48,
    EQUAL_CALLS = 80
};

static uint64_t seed;
static CallKernel kernels[ACCESS_COUNT][WIDTH_COUNT];

static const CallKernel *kernel_of(Gpu *gpu, Access access, Width width) {
    CallKernel *kernel = &kernels[access][width];
    if (!kernel->pipeline) {
        *kernel = call_kernel_open(gpu, access, width);
    }
    return kernel;
}

static int teardown(void **state) {
    for (Access access = 0; access < ACCESS_COUNT; ++access) {
        for (Width width = 0; width < WIDTH_COUNT; ++width) {
            call_kernel_close(*state, &kernels[access][width]);
        }
    }
    return gpu_group_teardown(state);
}

/* Shaders take longer to compile than all of their cases; the normal tier has some of them. */
static bool is_usual(Access access, Width width) {
    return access == ACCESS_ADDRESS || width == READ_ONLY ||
           width == (access == ACCESS_BUFFER ? WIDTH_32 : WIDTH_64);
}

static World *open_world(Gpu *gpu, Access access, bool zero, bool wide) {
    bool address = access == ACCESS_ADDRESS;
    const WorldInfo info = {
        .seed = seed,
        .tables = !address      ? BOUND_TABLES
                  : test_full() ? 4 * ADDRESS_TABLES
                                : ADDRESS_TABLES,
        .calls = address ? ADDRESS_CALLS : BOUND_CALLS,
        .zero = zero,
        .wide = wide,
    };
    return world_open(gpu, &info);
}

/* Calls of every kind, twice, with lookups by a read-only shader in between. */
static void calls_agree_with_oracle(Gpu *gpu, Access access, Width shader, bool wide, bool zero) {
    World *world = open_world(gpu, access, zero, wide);
    bool right = world_run(world, kernel_of(gpu, access, shader), CALLS_ALL, 0, true) &&
                 world_run(world, kernel_of(gpu, access, READ_ONLY), CALLS_LOOKUPS, 1, true) &&
                 world_run(world, kernel_of(gpu, access, shader), CALLS_ALL, 2, true);
    world_close(world);
    assert_true(right);
}

/* A shader without 64-bit atomics finds everything in a table that was written with them, by device
 * address, and every write says so and changes nothing. */
static void narrow_shader_leaves_wide_table(Gpu *gpu, Access access, bool zero) {
    World *world = open_world(gpu, access, zero, true);
    bool right = world_run(world, kernel_of(gpu, ACCESS_ADDRESS, WIDTH_64), CALLS_ALL, 0, true) &&
                 world_run(world, kernel_of(gpu, access, WIDTH_32), CALLS_ALL, 1, false);
    world_close(world);
    assert_true(right);
}

/* ---- Equality of access ---------------------------------------------------------------------- */

/* A world's memory as it was the first time, without the flag that says which atomics wrote it. */
typedef struct Reference {
    uint32_t *memory;
    size_t words;
} Reference;

static bool compare_with(Reference *reference, const World *world, const char *way) {
    size_t words;
    const uint32_t *memory = world_memory(world, &words);
    if (!reference->memory) {
        reference->words = words;
        reference->memory = malloc(4 * words);
        assert_non_null(reference->memory);
        memcpy(reference->memory, memory, 4 * words);
        return true;
    }
    assert_int_equal(words, reference->words);
    for (size_t i = 0; i < words; ++i) {
        uint32_t differs = memory[i] ^ reference->memory[i];
        bool flags = i >= MUR_HEADER_FLAGS && differs == MUR_TABLE_INT64 &&
                     memory[i - MUR_HEADER_FLAGS] == MUR_LAYOUT_MAGIC;
        if (differs && !flags) {
            print_error("seed %llu: %s: word %zu of the tables: 0x%08x, the first way had 0x%08x\n",
                        (unsigned long long)seed, way, i, memory[i], reference->memory[i]);
            return false;
        }
    }
    return true;
}

static bool run_shaders(Gpu *gpu, World *world, bool wide, Reference *reference) {
    for (Access access = 0; access < ACCESS_COUNT; ++access) {
        for (Width width = wide ? WIDTH_64 : WIDTH_32; width <= WIDTH_64; ++width) {
            if (!is_usual(access, width) && !test_full()) {
                continue;
            }
            world_clear(world);
            if (!world_run(world, kernel_of(gpu, access, width), CALLS_BULK, 0, true) ||
                !compare_with(reference, world, call_kernel_name(access, width))) {
                return false;
            }
        }
    }
    return true;
}

static bool run_every_way(Gpu *gpu, bool zero, bool wide, Reference *reference) {
    const WorldInfo info = {
        .seed = seed,
        .tables = EQUAL_TABLES,
        .calls = EQUAL_CALLS,
        .zero = zero,
        .wide = wide,
    };
    World *world = world_open(gpu, &info);
    bool right = run_shaders(gpu, world, wide, reference);
    world_clear(world);
    right = right && world_run_bulk(world, 0) &&
            compare_with(reference, world, wide ? "bulk, 64-bit atomics" : "bulk, 32-bit atomics");
    world_close(world);
    return right;
}

static void every_way_leaves_the_same_memory(Gpu *gpu, bool zero) {
    Reference reference = {0};
    bool right = run_every_way(gpu, zero, false, &reference) &&
                 run_every_way(gpu, zero, true, &reference);
    free(reference.memory);
    assert_true(right);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

#define CASE(name, call)             \
    static void name(void **state) { \
        Gpu *gpu = *state;           \
        call;                        \
    }

/* Both reserved values; the shader's atomics on the table's. */
#define CASES(access, ACCESS)                                                                 \
    CASE(access##_32_on_32_max, calls_agree_with_oracle(gpu, ACCESS, WIDTH_32, false, false)) \
    CASE(access##_32_on_32_zero, calls_agree_with_oracle(gpu, ACCESS, WIDTH_32, false, true)) \
    CASE(access##_64_on_32_max, calls_agree_with_oracle(gpu, ACCESS, WIDTH_64, false, false)) \
    CASE(access##_64_on_32_zero, calls_agree_with_oracle(gpu, ACCESS, WIDTH_64, false, true)) \
    CASE(access##_64_on_64_max, calls_agree_with_oracle(gpu, ACCESS, WIDTH_64, true, false))  \
    CASE(access##_64_on_64_zero, calls_agree_with_oracle(gpu, ACCESS, WIDTH_64, true, true))  \
    CASE(access##_32_on_64_max, narrow_shader_leaves_wide_table(gpu, ACCESS, false))          \
    CASE(access##_32_on_64_zero, narrow_shader_leaves_wide_table(gpu, ACCESS, true))

CASES(address, ACCESS_ADDRESS)
CASES(buffer, ACCESS_BUFFER)
CASES(array, ACCESS_ARRAY)
CASE(every_way_leaves_the_same_memory_max, every_way_leaves_the_same_memory(gpu, false))
CASE(every_way_leaves_the_same_memory_zero, every_way_leaves_the_same_memory(gpu, true))

static const char usage[] =
    "usage: property_shader_test [--seed S]\n"
    "Runs random in-shader calls on small tables and checks them against the oracle.\n"
    "  --seed S   of all tables and calls (default: 1)\n"
    "  --help     this text\n";

static void parse_options(int argc, char **argv) {
    seed = test_seed(1);
    const struct option options[] = {
        {"seed", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        char *end = NULL;
        if (option == 's') {
            seed = strtoull(optarg, &end, 0);
        }
        if (option != 's' || end == optarg || *end) {
            fputs(usage, option == 'h' ? stdout : stderr);
            exit(option == 'h' ? 0 : 2);
        }
    }
    if (optind != argc) {
        fputs(usage, stderr);
        exit(2);
    }
}

#define TESTS_32(access)                                               \
    gpu_test(access##_32_on_32_max), gpu_test(access##_32_on_32_zero), \
        gpu_test(access##_32_on_64_max), gpu_test(access##_32_on_64_zero)
#define TESTS_64(access)                                               \
    gpu_test(access##_64_on_32_max), gpu_test(access##_64_on_32_zero), \
        gpu_test(access##_64_on_64_max), gpu_test(access##_64_on_64_zero)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        TESTS_32(address),
        TESTS_64(address),
        TESTS_32(buffer),
        TESTS_64(array),
        gpu_test(every_way_leaves_the_same_memory_max),
        gpu_test(every_way_leaves_the_same_memory_zero),
        TESTS_64(buffer),
        TESTS_32(array),
    };
    const size_t others = 8; /* those of shaders that are not usual */
    const size_t count = sizeof tests / sizeof tests[0] - (test_full() ? 0 : others);
    parse_options(argc, argv);
    return _cmocka_run_group_tests("property, in-shader", tests, count, gpu_group_setup, teardown);
}
