/* Thousands of invocations on few keys of every format, in one dispatch: keys that share a low half
 * of their hashes, keys with halves equal to the markers, one home slot for several.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"
#include "support/seed.h"
#include "storm.h"

#include <stdlib.h>
#include <string.h>

/* So few tables that no invocation makes 65,535 iterations in all its loops together, not in sets
 * either, which fill up: tests/limits/README.md says why. */
enum { TABLES = 12, SETS = 6, BOUND_TABLES = 4, GROUPS = 24, KEYS = 20 };

#define DECLARE(name)                  \
    GPU_SPIRV(storm_##name##_address); \
    GPU_SPIRV(storm_##name##_buffer);  \
    GPU_SPIRV(storm_##name##_combined)
DECLARE(k64v32_32);
DECLARE(k64v32_64);
DECLARE(k64v64);
DECLARE(k32);
DECLARE(k64);
#define DECLARE_BUCKETS(name) GPU_SPIRV(storm_##name##_address);
BUCKET_LAYOUTS(DECLARE_BUCKETS)

typedef enum Mode { ADDRESS, BOUND, COMBINED, MODES } Mode;

static GpuKernel kernels[ALL_LAYOUTS][MODES]; /* made when first used: that takes longest */

static GpuKernel *open_kernel(Gpu *gpu, Layout kind, Mode mode) {
#define CODE(name) \
    { name, &name##_size }
#define CODES(name) \
    { CODE(storm_##name##_address), CODE(storm_##name##_buffer), CODE(storm_##name##_combined) }
    const struct {
        const uint32_t *words;
        const size_t *size;
#define BUCKETS(name) [LAYOUT_##name] = {CODE(storm_##name##_address)},
    } codes[ALL_LAYOUTS][MODES] = {BUCKET_LAYOUTS(BUCKETS)[LAYOUT_k64v32_32] = CODES(k64v32_32),
                                   [LAYOUT_k64v32_64] = CODES(k64v32_64), [LAYOUT_k32] = CODES(k32),
                                   [LAYOUT_k64] = CODES(k64), [LAYOUT_k64v64] = CODES(k64v64)};
    GpuKernel *kernel = &kernels[kind][mode];
    if (!kernel->pipeline) {
        *kernel = gpu_kernel(gpu, codes[kind][mode].words, *codes[kind][mode].size,
                             sizeof(StormPush), mode == BOUND ? 1 : 0);
    }
    return kernel;
}

static int close_kernels(void **state) {
    for (uint32_t i = 0; i < ALL_LAYOUTS * MODES; ++i) {
        gpu_kernel_free(*state, &kernels[i / MODES][i % MODES]);
    }
    return gpu_group_teardown(state);
}

typedef struct Storm {
    Gpu *gpu;
    const TableKind *kind;
    uint32_t mix, tables, seed;
    bool bound;
    uint64_t keys[KEYS];
    GpuBuffer memory, keyBuffer, tallies, refs;
    Pair pairs[TABLES];
} Storm;

/* Some of the hard keys, other ones in each trial. */
static void choose_keys(Storm *storm) {
    uint32_t picked = 0;
    for (uint32_t i = storm->seed % 5; picked < KEYS; i = (i + 5) % HARD_KEYS) {
        storm->keys[picked++] = hard_key(storm->kind->format, storm->seed, i);
    }
    memcpy(storm->keyBuffer.mapped, storm->keys, sizeof storm->keys);
}

static void open_storm(Storm *storm) {
    const bool set = oracle_is_set(storm->kind->format);
    const PairOptions options = {
        .capacity = set ? 500 : KEYS + 3, /* in buckets: 512, and 128 */
        .seed = storm->seed,
    };
    storm->memory = gpu_buffer(storm->gpu, storm->tables * 6912);
    storm->keyBuffer = gpu_buffer(storm->gpu, sizeof storm->keys);
    storm->tallies = gpu_buffer(storm->gpu, storm->tables * KEYS * sizeof(Tally));
    storm->refs = gpu_buffer(storm->gpu, storm->tables * sizeof(MurTableRef));
    memset(storm->tallies.mapped, 0, storm->tables * KEYS * sizeof(Tally));
    choose_keys(storm);
    VkDeviceSize offset = 0;
    for (uint32_t t = 0; t < storm->tables; ++t) {
        offset = pair_open_in(storm->gpu, &storm->pairs[t], storm->kind, &options, &storm->memory,
                              offset);
        ((MurTableRef *)storm->refs.mapped)[t] = murGetTableRef(storm->pairs[t].table);
    }
}

static void close_storm(Storm *storm) {
    for (uint32_t t = 0; t < storm->tables; ++t) {
        pair_close(storm->gpu, &storm->pairs[t]);
    }
    gpu_free(storm->gpu, &storm->memory);
    gpu_free(storm->gpu, &storm->keyBuffer);
    gpu_free(storm->gpu, &storm->tallies);
    gpu_free(storm->gpu, &storm->refs);
}

static void dispatch(Storm *storm, GpuKernel *kernel) {
    StormPush push = {
        .tables = storm->refs.address,
        .keys = storm->keyBuffer.address,
        .tallies = storm->tallies.address,
        .tableCount = storm->bound ? 1 : storm->tables,
        .keyCount = KEYS,
        .mix = storm->mix,
        .seed = storm->seed,
    };
    for (uint32_t t = 0; t < (storm->bound ? storm->tables : 1); ++t) {
        if (storm->bound) {
            push.table = murGetTableRef(storm->pairs[t].table);
            gpu_bind(storm->gpu, kernel, 0, murGetTableMemory(storm->pairs[t].table));
        }
        gpu_begin(storm->gpu);
        gpu_dispatch(storm->gpu, kernel, &push, GROUPS);
        gpu_submit(storm->gpu);
        push.tallies += KEYS * sizeof(Tally);
        push.seed += 101;
    }
}

static void check_key(const Storm *storm, uint32_t table, uint32_t k) {
    const Oracle *model = &storm->pairs[table].oracle;
    const Tally *tally = (const Tally *)storm->tallies.mapped + table * KEYS + k;
    const OracleResult found = oracle_find(model, storm->keys[k]);
    const bool present = found.status == MUR_FOUND;
    const bool set = oracle_is_set(storm->kind->format);
    const char *wrong = NULL;
    if (tally->wrong) {
        wrong = "wrong values or statuses";
    } else if (tally->inserted != tally->erased + (present ? 1 : 0)) {
        wrong = "inserts minus erases is not what is there";
    } else if (!set && (tally->full != 0 || model->full != 0)) {
        wrong = "full";
    } else if (!set && tally->last != 0 && UINT32_MAX - tally->elsewhere != tally->last) {
        wrong = "several slots reported";
    } else if (present && !set && tally->last != found.slot) {
        wrong = "another slot reported";
    }
    if (!set && !wrong && (storm->mix >> STORM_ADD & 1)) {
        const uint32_t low = present ? (uint32_t)found.value : 0;
        const uint32_t high = present ? (uint32_t)(found.value >> 32) : 0;
        const bool wide = storm->kind->format == MUR_FORMAT_K64V64;
        /* n times 2^32 - 1 has the words -n and n - 1. */
        const uint32_t values = tally->erased + (present ? 1 : 0);
        const uint32_t sum = wide ? 0u - tally->adds : tally->adds;
        if (tally->sumLow + low != sum || (wide && tally->sumHigh + high != tally->adds - values)) {
            wrong = "the sum is not exact";
        }
    }
    if (!wrong && (storm->mix >> STORM_MIN & 1) && present) {
        const bool wide = storm->kind->format == MUR_FORMAT_K64V64;
        const uint32_t low = (uint32_t)found.value;
        if (low != (wide ? tally->least : ~tally->least) ||
            (wide && (uint32_t)(found.value >> 32) != ~low)) {
            wrong = "not the least value";
        }
    }
    if (wrong) {
        fail_msg("%s, mix 0x%x, seed %u, table %u, key %u: %s: inserted %u, erased %u, full %u, "
                 "wrong %u, slots %u to %u, adds %u, sum %u, %u; there: %u in slot %u with 0x%llx",
                 storm->kind->name, storm->mix, storm->seed, table, k, wrong, tally->inserted,
                 tally->erased, tally->full, tally->wrong, UINT32_MAX - tally->elsewhere,
                 tally->last, tally->adds, tally->sumLow, tally->sumHigh, present, found.slot,
                 (unsigned long long)found.value);
    }
}

/* No key but these is in the table. */
static void check_rest(const Storm *storm, uint32_t table) {
    const Oracle *model = &storm->pairs[table].oracle;
    uint32_t expected = 0, live = 0;
    for (uint32_t k = 0; k < KEYS; ++k) {
        expected += oracle_find(model, storm->keys[k]).status == MUR_FOUND;
    }
    for (uint32_t s = 0; s < model->slots; ++s) {
        live += model->slot[s].value != model->none;
    }
    assert_int_equal(live, expected);
}

static void run(Gpu *gpu, Layout layout, Mode mode, uint32_t mix, uint32_t trials) {
    const TableKind *kind = layout_kind(layout, (mix >> STORM_ADD & 1) != 0);
    const bool set = kind_is_set(kind);
    if (set && (mix & (1u << STORM_ASSIGN | 1u << STORM_ADD | 1u << STORM_MIN))) {
        return; /* sets have no such operations */
    }
    GpuKernel *kernel = open_kernel(gpu, layout, mode);
    for (uint32_t trial = 0; trial < trials; ++trial) {
        Storm storm = {.gpu = gpu,
                       .kind = kind,
                       .mix = mix,
                       .seed = 7 * trial + layout,
                       .tables = mode == BOUND ? BOUND_TABLES
                                 : set         ? SETS
                                               : TABLES,
                       .bound = mode == BOUND};
        open_storm(&storm);
        dispatch(&storm, kernel);
        for (uint32_t t = 0; t < storm.tables; ++t) {
            pair_adopt(&storm.pairs[t]);
            for (uint32_t k = 0; k < KEYS; ++k) {
                check_key(&storm, t, k);
            }
            check_rest(&storm, t);
        }
        close_storm(&storm);
    }
}

enum {
    KEEPS = 1 << STORM_KEEP | 1 << STORM_FIND,
    KEEPS_AND_ERASES = KEEPS | 1 << STORM_ERASE,
    ASSIGNS = KEEPS_AND_ERASES | 1 << STORM_ASSIGN | 1 << STORM_UPDATE,
    ADDS = 1 << STORM_ADD | 1 << STORM_FIND | 1 << STORM_ERASE,
    MINIMA = 1 << STORM_MIN | 1 << STORM_FIND
};

/* In buckets by address alone. Else besides, in the normal tier either in a bound buffer or
 * combined: of values whose keys are wide by atomics alone, and of sets, one kind each. */
static void all_modes(Gpu *gpu, Layout kind, uint32_t mix) {
    static const bool bound[LAYOUT_COUNT] = {[LAYOUT_k64v32_64] = true, [LAYOUT_k64] = true};
    run(gpu, kind, ADDRESS, mix, 2);
    if (kind >= LAYOUT_COUNT) {
        return;
    }
    if (bound[kind] || test_full()) {
        run(gpu, kind, BOUND, mix, 1);
    }
    if (!bound[kind] || test_full()) {
        run(gpu, kind, COMBINED, mix, 1);
    }
}

#define CASES(name, kind)                                  \
    static void keep_and_find_##name(void **state) {       \
        all_modes(*state, kind, KEEPS);                    \
    }                                                      \
    static void keep_find_and_erase_##name(void **state) { \
        all_modes(*state, kind, KEEPS_AND_ERASES);         \
    }
#define VALUE_CASES(name, kind)                                   \
    CASES(name, kind)                                             \
    static void assign_keep_find_and_erase_##name(void **state) { \
        all_modes(*state, kind, ASSIGNS);                         \
    }                                                             \
    static void add_find_and_erase_##name(void **state) {         \
        all_modes(*state, kind, ADDS);                            \
    }                                                             \
    static void min_and_find_##name(void **state) {               \
        all_modes(*state, kind, MINIMA);                          \
    }
VALUE_CASES(k64v32_32, LAYOUT_k64v32_32)
VALUE_CASES(k64v32_64, LAYOUT_k64v32_64)
VALUE_CASES(k64v64, LAYOUT_k64v64)
CASES(k32, LAYOUT_k32)
CASES(k64, LAYOUT_k64)
VALUE_CASES(buckets_k32v32_32, LAYOUT_buckets_k32v32_32)
VALUE_CASES(buckets_k32v32_64, LAYOUT_buckets_k32v32_64)
VALUE_CASES(buckets_k64v32_32, LAYOUT_buckets_k64v32_32)
VALUE_CASES(buckets_k64v32_64, LAYOUT_buckets_k64v32_64)
CASES(buckets_k32, LAYOUT_buckets_k32)
CASES(buckets_k64_32, LAYOUT_buckets_k64_32)
CASES(buckets_k64_64, LAYOUT_buckets_k64_64)

int main(void) {
#define TESTS(name) gpu_test(keep_and_find_##name), gpu_test(keep_find_and_erase_##name)
#define VALUE_TESTS(name)                                                                          \
    TESTS(name), gpu_test(assign_keep_find_and_erase_##name), gpu_test(add_find_and_erase_##name), \
        gpu_test(min_and_find_##name)
    const struct CMUnitTest tests[] = {VALUE_TESTS(k64v32_32),
                                       VALUE_TESTS(k64v32_64),
                                       VALUE_TESTS(k64v64),
                                       TESTS(k32),
                                       TESTS(k64),
                                       VALUE_TESTS(buckets_k32v32_32),
                                       VALUE_TESTS(buckets_k32v32_64),
                                       VALUE_TESTS(buckets_k64v32_32),
                                       VALUE_TESTS(buckets_k64v32_64),
                                       TESTS(buckets_k32),
                                       TESTS(buckets_k64_32),
                                       TESTS(buckets_k64_64)};
    return cmocka_run_group_tests_name("format storm", tests, gpu_group_setup, close_kernels);
}
