/* Runs up to 64 concurrent operations per key. Each operation takes a number from a global counter
 * (a ticket) when it begins and when it ends. One sequential order must explain all results of a
 * key. Also tests the checker with histories that are written by hand.
 * SPDX-License-Identifier: MIT */
#include "cases.h"
#include "linear.h"
#include "support/seed.h"

#include <stdlib.h>

static void print_history(const StormRecord *history, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        print_error("  [%u, %u] operation %u given 0x%x: %s, 0x%x\n", history[i].before,
                    history[i].after, history[i].op, history[i].given,
                    murStatusName(history[i].status), history[i].value);
    }
}

/* Checks the history of each key. Returns how many operations overlapped an earlier one. */
static uint32_t check_histories(const Trial *trial) {
    StormRecord(*histories)[LINEAR_OPERATIONS] = malloc(trial->keyCount * sizeof *histories);
    uint32_t *counts = calloc(trial->keyCount, sizeof *counts);
    uint32_t overlaps = 0;
    for (uint32_t id = 0; id < trial->operations; ++id) {
        const StormRecord *record = &trial->records[id];
        assert_true(counts[record->key] < LINEAR_OPERATIONS);
        histories[record->key][counts[record->key]++] = *record;
    }
    for (uint32_t key = 0; key < trial->keyCount; ++key) {
        uint32_t final = (uint32_t)oracle_value(&trial->table, trial->keys[key]);
        LinearResult result = linear_check(histories[key], counts[key], trial->initial[key], final,
                                           trial_none(trial));
        if (result != LINEAR_YES) {
            trial_describe(trial);
            print_error("key %u: %s; 0x%x initially, 0x%x finally\n", key,
                        result == LINEAR_NO ? "no order explains this" : "gave up",
                        trial->initial[key], final);
            print_history(histories[key], counts[key]);
            fail();
        }
        for (uint32_t i = 1; i < counts[key]; ++i) {
            overlaps += histories[key][i].before < histories[key][i - 1].after;
        }
    }
    free(histories);
    free(counts);
    return overlaps;
}

typedef enum Where { BY_ADDRESS, BOUND, IN_BUCKETS } Where;

static void run_history(Arena *arena, const char *mix, Where where, MurAtomicWidth width) {
    /* In the normal tier, 32-bit atomics run in shaders with and without MUR_INT64_ATOMICS. */
    for (uint32_t i = 0; i < 4; i += test_full() ? 1 : 3) {
        const bool wide = i / 2 != 0 || width == MUR_ATOMIC_WIDTH_64;
        Trial trial = {
            .name = "history",
            .mix = storm_mix(mix),
            .pattern = STORM_EVEN,
            .reserved = i % 2 ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
            .width = width,
            .buckets = where == IN_BUCKETS,
            .bound = where == BOUND,
            .combines = where != IN_BUCKETS && trial_combines(where == BOUND, wide, i % 2 != 0),
            .wideShader = wide,
            .tickets = true,
            .keyCount = trial_operations() / LINEAR_OPERATIONS,
            .present = 3,
            .seed = 0x71C7E700u + i,
        };
        trial_run(arena, &trial);
        trial_check(&trial);
        uint32_t overlaps = check_histories(&trial);
        assert_true(overlaps > trial.operations / 16); /* otherwise the case tests nothing */
        trial_free(&trial);
    }
}

#define HISTORIES(X)                                                 \
    X(history_address_32, "KAFEKAFE", BY_ADDRESS, 32)                \
    X(history_address_64, "KAFEKAFE", BY_ADDRESS, 64)                \
    X(history_buffer_32, "KAFEKAFE", BOUND, 32)                      \
    X(history_buffer_64, "KAFEKAFE", BOUND, 64)                      \
    X(history_with_exchanges_32, "KAFEXTFX", BY_ADDRESS, 32)         \
    X(history_with_exchanges_64, "KAFEXTFX", BY_ADDRESS, 64)         \
    X(history_with_compare_exchanges_32, "KACEXCFC", BY_ADDRESS, 32) \
    X(history_with_compare_exchanges_64, "KACEXCFC", BOUND, 64)      \
    X(history_with_updates_32, "KUFEUAUE", BOUND, 32)                \
    X(history_with_updates_64, "KUFEUAUE", BY_ADDRESS, 64)           \
    X(history_in_buckets_32, "KAFEKAFE", IN_BUCKETS, 32)             \
    X(history_in_buckets_64, "KUFEXTAE", IN_BUCKETS, 64)
#define HISTORY(name, mix, where, width)                          \
    ARENA_TEST(name) {                                            \
        run_history(arena, mix, where, MUR_ATOMIC_WIDTH_##width); \
    }
HISTORIES(HISTORY)

static LinearResult judge(const StormRecord *history, uint32_t count, uint32_t final) {
    return linear_check(history, count, UINT32_MAX, final, UINT32_MAX);
}

#define TOLD(op_, status_, given_, value_, before_, after_)                                \
    {                                                                                      \
        .op = op_, .status = status_, .given = given_, .value = value_, .before = before_, \
        .after = after_                                                                    \
    }
#define KEEP(status, given, ...)   TOLD(MUR_MODE_INSERT, status, given, UINT32_MAX, __VA_ARGS__)
#define ASSIGN(status, given, ...) TOLD(MUR_MODE_ASSIGN, status, given, UINT32_MAX, __VA_ARGS__)
#define REPLACED(old, given, ...)  TOLD(MUR_MODE_ASSIGN, MUR_EXISTED, given, old, __VA_ARGS__)
#define FOUND(value, ...)          TOLD(STORM_FIND, MUR_FOUND, 0, value, __VA_ARGS__)
#define ABSENT(...)                TOLD(STORM_FIND, MUR_ABSENT, 0, UINT32_MAX, __VA_ARGS__)
#define ERASED(value, ...)         TOLD(STORM_ERASE, MUR_ERASED, 0, value, __VA_ARGS__)

PLAIN_TEST(checker_accepts_histories_with_a_valid_order) {
    /* The find returns "absent", which is valid: it began during the insert (times 0 to 5). */
    const StormRecord overlap[] = {KEEP(MUR_INSERTED, 7, 0, 5), ABSENT(1, 2), FOUND(7, 3, 4)};
    assert_int_equal(judge(overlap, 3, 7), LINEAR_YES);
    /* All four writes overlap, and only one order of writes is valid: 1, 2, erase 2, 3. */
    const StormRecord writes[] = {ASSIGN(MUR_INSERTED, 3, 0, 9), ERASED(2, 1, 10),
                                  REPLACED(1, 2, 2, 11), ASSIGN(MUR_INSERTED, 1, 3, 12)};
    assert_int_equal(judge(writes, 4, 3), LINEAR_YES);
    assert_int_equal(judge(NULL, 0, UINT32_MAX), LINEAR_YES);
    const StormRecord full[] = {KEEP(MUR_FULL, 7, 0, 1), KEEP(MUR_INSERTED, 8, 2, 3)};
    assert_int_equal(judge(full, 2, 8), LINEAR_YES);
}

PLAIN_TEST(checker_rejects_histories_without_a_valid_order) {
    const StormRecord stale[] = {KEEP(MUR_INSERTED, 7, 0, 1), ABSENT(2, 3)};
    assert_int_equal(judge(stale, 2, 7), LINEAR_NO);
    const StormRecord back[] = {KEEP(MUR_INSERTED, 7, 0, 9), FOUND(7, 1, 2), ABSENT(3, 4)};
    assert_int_equal(judge(back, 3, 7), LINEAR_NO);
    const StormRecord twice[] = {KEEP(MUR_INSERTED, 7, 0, 9), KEEP(MUR_INSERTED, 8, 1, 8)};
    assert_int_equal(judge(twice, 2, 7), LINEAR_NO);
    const StormRecord doubled[] = {KEEP(MUR_INSERTED, 7, 0, 9), ERASED(7, 1, 8), ERASED(7, 2, 7)};
    assert_int_equal(judge(doubled, 3, UINT32_MAX), LINEAR_NO);
    const StormRecord lost[] = {KEEP(MUR_INSERTED, 7, 0, 1)};
    assert_int_equal(judge(lost, 1, UINT32_MAX), LINEAR_NO);
    const StormRecord full[] = {KEEP(MUR_INSERTED, 8, 0, 1), KEEP(MUR_FULL, 7, 2, 3)};
    assert_int_equal(judge(full, 2, 8), LINEAR_NO);
    /* Two operations report that they replaced value 1, which was written once. */
    const StormRecord replaced[] = {ASSIGN(MUR_INSERTED, 1, 0, 1), REPLACED(1, 2, 2, 9),
                                    REPLACED(1, 3, 3, 8)};
    assert_int_equal(judge(replaced, 3, 3), LINEAR_NO);
}
