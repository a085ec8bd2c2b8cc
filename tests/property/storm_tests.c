/* Thousands of invocations on few keys, for every format, in one dispatch. Keys share the low
 * halves of their hashes, have sentinel halves, or share a home slot.
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"
#include "support/call_code.h"
#include "support/seed.h"

#include <string.h>

enum {
    TABLES = 12,
    BOUND_TABLES = 4,
    KEYS = 20,
    INVOCATIONS = 1536, /* invocations per table */
    ROUNDS = 4,         /* calls per invocation */
    CALLS = INVOCATIONS * ROUNDS,
    FIND = CALL_MODES, /* operations after MUR_MODE_*; a mix has a bit per operation */
    ERASE,
    OPERATIONS
};

typedef struct Storm {
    Gpu *gpu;
    const TableKind *kind;
    uint32_t mix, tables, seed;
    uint64_t keys[KEYS];
    GpuBuffer memory, calls, answers, refs;
    Pair pairs[TABLES];
} Storm;

static bool has_two_words(const Storm *storm) {
    return storm->kind->format == MUR_FORMAT_K64V64;
}

/* Returns a value that identifies its key, so that values of other keys are detected. The high word
 * of a 64-bit value is the inverted low word. Sums add 1, or in 64 bits 2^32 - 1, which carries
 * into the high word. */
static uint64_t make_value(const Storm *storm, uint32_t op, uint32_t k, uint32_t call) {
    const uint32_t low = (k + 1) << 20 | call;
    if (op == MUR_MODE_ADD) {
        return has_two_words(storm) ? UINT32_MAX : 1;
    }
    return low | (has_two_words(storm) ? (uint64_t)~low << 32 : 0);
}

static bool is_value(const Storm *storm, uint32_t k, uint64_t value) {
    if (storm->mix >> MUR_MODE_ADD & 1) {
        const uint64_t one = make_value(storm, MUR_MODE_ADD, k, 0);
        return value != 0 && value % one == 0 && value / one <= CALLS;
    }
    const uint32_t call = (uint32_t)value & 0xFFFFF;
    return call < CALLS && value == make_value(storm, MUR_MODE_ASSIGN, k, call);
}

/* Fills the list of calls. Odd tables: each invocation uses random keys. Even tables: four
 * neighbours use the same key. Call.other is the key's number, Call.mode the operation. In half of
 * the tables, inserts return the old value and are therefore not merged. */
static void make_calls(Storm *storm, uint32_t table) {
    Random random = {test_seed(storm->seed + 101 * table)};
    Call *calls = (Call *)storm->calls.mapped + table * CALLS;
    const bool olds = !kind_is_set(storm->kind) && table / 2 % 2;
    for (uint32_t i = 0; i < CALLS; ++i) {
        const uint32_t k = (table % 2 ? random_below(&random, KEYS) : i / ROUNDS / 4 + i % ROUNDS) %
                           KEYS;
        uint32_t op;
        do {
            op = random_below(&random, OPERATIONS);
        } while (!(storm->mix >> op & 1));
        const uint32_t find = kind_is_set(storm->kind) ? CALL_FIND_SLOT_BARE : CALL_FIND_SLOT;
        calls[i] = (Call){.key = storm->keys[k],
                          .value = make_value(storm, op, k, i),
                          .call = op == FIND    ? find
                                  : op == ERASE ? CALL_ERASE
                                                : (olds ? CALL_OLD : CALL_MODE) + op,
                          .mode = op,
                          .other = k};
    }
}

static void open_storm(Storm *storm) {
    const PairOptions options = {
        .capacity = kind_is_set(storm->kind) ? 500 : KEYS + 3, /* bucketed: 512, and 128 */
        .seed = storm->seed,
    };
    storm->memory = gpu_buffer(storm->gpu, storm->tables * 8960);
    storm->calls = gpu_buffer(storm->gpu, storm->tables * CALLS * sizeof(Call));
    storm->answers = gpu_buffer(storm->gpu, storm->tables * CALLS * sizeof(Answer));
    storm->refs = gpu_buffer(storm->gpu, storm->tables * INVOCATIONS * sizeof(MurTableRef));
    /* Each run of the test uses other keys of the list of hard keys. */
    uint32_t picked = 0;
    for (uint32_t i = storm->seed % 5; picked < KEYS; i = (i + 5) % HARD_KEYS) {
        storm->keys[picked++] = hard_key(storm->kind->format, storm->seed, i);
    }
    VkDeviceSize offset = 0;
    for (uint32_t t = 0; t < storm->tables; ++t) {
        offset = pair_open_in(storm->gpu, &storm->pairs[t], storm->kind, &options, &storm->memory,
                              offset);
        for (uint32_t i = 0; i < INVOCATIONS; ++i) {
            ((MurTableRef *)storm->refs.mapped)[t * INVOCATIONS + i] = murGetTableRef(
                storm->pairs[t].table);
        }
        make_calls(storm, t);
    }
}

static void close_storm(Storm *storm) {
    for (uint32_t t = 0; t < storm->tables; ++t) {
        pair_close(storm->gpu, &storm->pairs[t]);
    }
    gpu_free(storm->gpu, &storm->memory);
    gpu_free(storm->gpu, &storm->calls);
    gpu_free(storm->gpu, &storm->answers);
    gpu_free(storm->gpu, &storm->refs);
}

/* Runs the calls. Neighbouring invocations use the same table. */
static void dispatch(Storm *storm, Layout layout, Access access) {
    GpuKernel kernel = call_kernel(storm->gpu, layout, access, false);
    const bool bound = access == ACCESS_BUFFER;
    CallPush push = {.tables = storm->refs.address,
                     .calls = storm->calls.address,
                     .answers = storm->answers.address,
                     .tableCount = INVOCATIONS * (bound ? 1 : storm->tables),
                     .callCount = ROUNDS};
    for (uint32_t t = 0; t < (bound ? storm->tables : 1); ++t) {
        const MurBufferRange memory = murGetTableMemory(storm->pairs[t].table);
        push.table = murGetTableRef(storm->pairs[t].table);
        call_run(storm->gpu, &kernel, access, &push, &memory);
        push.calls += CALLS * sizeof(Call);
        push.answers += CALLS * sizeof(Answer);
    }
}

/* Sums and extremes of all results of calls on one key of a table. */
typedef struct Told {
    uint32_t inserted, erased, full, slot;
    uint64_t added, taken, least;
} Told;

/* Adds a result to these sums. Returns NULL, or a description of an error. */
static const char *add_up(const Storm *storm, const Call *call, const Answer *answer, Told *told) {
    const bool set = kind_is_set(storm->kind);
    uint32_t status = answer->status;
    if (call->mode == FIND) {
        status = answer->slot != MUR_NO_SLOT ? MUR_FOUND : MUR_ABSENT;
    }
    const bool seeks = call->mode == MUR_MODE_UPDATE || call->mode >= FIND;
    const uint32_t there = call->mode == FIND    ? MUR_FOUND
                           : call->mode == ERASE ? MUR_ERASED
                                                 : MUR_EXISTED;
    if (status != there &&
        (seeks ? status != MUR_ABSENT && (status != MUR_CONTENDED || call->mode != MUR_MODE_UPDATE)
               : status != MUR_INSERTED && status != MUR_FULL)) {
        return "another operation's status";
    }
    const bool says = call->mode >= FIND || call->call >= CALL_OLD;
    if (!set && status == there && says && !is_value(storm, call->other, answer->value)) {
        return "a value that the key cannot have";
    }
    told->inserted += status == MUR_INSERTED;
    told->erased += status == MUR_ERASED;
    told->full += status == MUR_FULL;
    told->added += call->mode == MUR_MODE_ADD ? call->value : 0;
    told->taken += status == MUR_ERASED ? answer->value : 0;
    if (call->mode == MUR_MODE_MIN && call->value < told->least) {
        told->least = call->value;
    }
    if (set || answer->slot == MUR_NO_SLOT) {
        return NULL;
    }
    const bool moved = told->slot != MUR_NO_SLOT && told->slot != answer->slot;
    told->slot = answer->slot;
    return moved ? "several slots" : NULL;
}

static const char *wrong_end(const Storm *storm, const Oracle *model, uint32_t k,
                             const Told *told) {
    const OracleResult found = oracle_find(model, storm->keys[k]);
    const bool present = found.status == MUR_FOUND;
    if (told->inserted - told->erased != present) {
        return "inserts minus erases is not what is there";
    }
    if (kind_is_set(storm->kind)) {
        return NULL;
    }
    if (told->full || model->full) {
        return "full";
    }
    if (present && told->slot != found.slot) {
        return "another slot reported";
    }
    if (present && (storm->mix >> MUR_MODE_MIN & 1) && found.value != told->least) {
        return "not the least value";
    }
    const uint64_t left = told->taken + (present ? found.value : 0) - told->added;
    const bool sums = (storm->mix >> MUR_MODE_ADD & 1) != 0;
    return sums && (has_two_words(storm) ? left : (uint32_t)left) != 0 ? "the sum is not exact"
                                                                       : NULL;
}

static void check(const Storm *storm, uint32_t table) {
    const Oracle *model = &storm->pairs[table].oracle;
    const Call *calls = (const Call *)storm->calls.mapped + table * CALLS;
    const Answer *answers = (const Answer *)storm->answers.mapped + table * CALLS;
    Told told[KEYS];
    uint32_t expected = 0, live = 0;
    for (uint32_t k = 0; k < KEYS; ++k) {
        told[k] = (Told){.slot = MUR_NO_SLOT, .least = UINT64_MAX};
    }
    for (uint32_t i = 0; i < CALLS + KEYS; ++i) {
        const uint32_t k = i < CALLS ? calls[i].other : i - CALLS;
        const char *wrong = i < CALLS ? add_up(storm, &calls[i], &answers[i], &told[k])
                                      : wrong_end(storm, model, k, &told[k]);
        if (wrong) {
            fail_msg("%s, mix 0x%x, seed %u, table %u, key %u, call %u: %s", storm->kind->name,
                     storm->mix, storm->seed, table, k, i, wrong);
        }
    }
    for (uint32_t k = 0; k < KEYS; ++k) {
        expected += oracle_find(model, storm->keys[k]).status == MUR_FOUND;
    }
    for (uint32_t s = 0; s < model->slots; ++s) {
        live += model->slot[s].value != model->none;
    }
    assert_int_equal(live, expected); /* no other key is present, and no key is present twice */
}

static void run(Gpu *gpu, Layout layout, Access access, uint32_t mix, uint32_t trials) {
    for (uint32_t trial = 0; trial < trials; ++trial) {
        Storm storm = {.gpu = gpu,
                       .kind = layout_kind(layout, (mix >> MUR_MODE_ADD & 1) != 0),
                       .mix = mix,
                       .seed = 7 * trial + layout,
                       .tables = access == ACCESS_BUFFER ? BOUND_TABLES : TABLES};
        open_storm(&storm);
        dispatch(&storm, layout, access);
        for (uint32_t t = 0; t < storm.tables; ++t) {
            pair_adopt(&storm.pairs[t]);
            check(&storm, t);
        }
        close_storm(&storm);
    }
}

/* Returns whether the tier runs a variant. The normal tier runs tables by device address, and bound
 * tables (whose shaders cannot merge inserts), but few bound bucketed ones. */
static bool is_usual(Layout layout, Access access) {
    const bool bound = layout < LAYOUT_COUNT || layout == LAYOUT_buckets_k64_32;
    return (bound || access == ACCESS_ADDRESS) && call_is_usual(layout, access);
}

static void both_ways(Gpu *gpu, Layout layout, uint32_t mix) {
    if (is_usual(layout, ACCESS_ADDRESS)) {
        run(gpu, layout, ACCESS_ADDRESS, mix, 2);
    }
    if (is_usual(layout, ACCESS_BUFFER)) {
        run(gpu, layout, ACCESS_BUFFER, mix, 1);
    }
}

#define VALUES(X, ...)                \
    X(k64v32_32, __VA_ARGS__)         \
    X(k64v32_64, __VA_ARGS__)         \
    X(k64v64, __VA_ARGS__)            \
    X(buckets_k32v32_32, __VA_ARGS__) \
    X(buckets_k32v32_64, __VA_ARGS__) \
    X(buckets_k64v32_32, __VA_ARGS__) \
    X(buckets_k64v32_64, __VA_ARGS__)
#define ALL(X, ...)             \
    VALUES(X, __VA_ARGS__)      \
    X(k32, __VA_ARGS__)         \
    X(k64, __VA_ARGS__)         \
    X(buckets_k32, __VA_ARGS__) \
    X(buckets_k64_32, __VA_ARGS__) X(buckets_k64_64, __VA_ARGS__)
#define CASE(layout, name, mix)                                                  \
    GPU_TEST_IF(name##_##layout, is_usual(LAYOUT_##layout, ACCESS_ADDRESS) ||    \
                                     is_usual(LAYOUT_##layout, ACCESS_BUFFER)) { \
        both_ways(gpu, LAYOUT_##layout, (mix));                                  \
    }

enum {
    KEEPS = 1 << MUR_MODE_INSERT | 1 << FIND,
    ERASES = KEEPS | 1 << ERASE,
    ASSIGNS = ERASES | 1 << MUR_MODE_ASSIGN | 1 << MUR_MODE_UPDATE,
    ADDS = 1 << MUR_MODE_ADD | 1 << FIND | 1 << ERASE,
    MINIMA = 1 << MUR_MODE_MIN | 1 << FIND
};
ALL(CASE, keep_and_find, KEEPS)
ALL(CASE, keep_find_and_erase, ERASES)
VALUES(CASE, assign_keep_find_and_erase, ASSIGNS)
VALUES(CASE, add_find_and_erase, ADDS)
VALUES(CASE, min_and_find, MINIMA)
