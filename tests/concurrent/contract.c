/* The concurrency contract: each pair of operations in the table of <murmuration/murmuration.h> is
 * a row of CELLS. A pair runs in each access mode and atomic width, on 1, 2, 32 and 10,000 keys, in
 * shaders with and without 64-bit atomics, half of them with MUR_SUBGROUP_COMBINE. In the normal
 * tier, each shader runs one of these numbers of keys on tables with 32-bit atomics, and two of the
 * numbers on tables with 64-bit atomics.
 * SPDX-License-Identifier: MIT */
#include "cases.h"
#include "support/seed.h"

#define MAX  MUR_EMPTY_VALUE_MAX
#define ZERO MUR_EMPTY_VALUE_ZERO

/* Columns: name, mix of operations (mix.h), value scheme, empty value, N (every N-th key is present
 * at first), choice of keys (STORM_SHARED, ...). */
#define CELLS(X)                                                           \
    X(find_and_insert, "FFFFKKKK", TAGGED, MAX, 4, SHARED)                 \
    X(find_and_assign, "FFFFAAAA", TAGGED, MAX, 4, SHARED)                 \
    X(find_and_add, "FFFF++++", MULTIPLE, ZERO, 4, SHARED)                 \
    X(find_and_min, "FFFF<<<<", TAGGED, MAX, 4, SHARED)                    \
    X(find_and_max, "FFFF>>>>", TAGGED, ZERO, 4, SHARED)                   \
    X(find_and_or, "FFFF||||", BITS, ZERO, 4, SHARED)                      \
    X(find_and_erase, "FFFFFFFE", TAGGED, MAX, 1, SHARED)                  \
    X(find_never_goes_back, "FFFFFFFK", TAGGED, ZERO, 0, SHARED)           \
    X(find_sees_own_write, "KFAFKFAF", TAGGED, MAX, 0, SHARED)             \
    X(insert_and_insert, "KKKKKKKK", TAGGED, ZERO, 4, SHARED)              \
    X(insert_and_assign, "KKKKAAAA", TAGGED, MAX, 4, SHARED)               \
    X(insert_and_add, "KKKK++++", MULTIPLE, ZERO, 4, SHARED)               \
    X(insert_and_min, "KKKK<<<<", TAGGED, MAX, 4, SHARED)                  \
    X(insert_and_max, "KKKK>>>>", TAGGED, ZERO, 4, SHARED)                 \
    X(insert_and_or, "KKKK||||", BITS, ZERO, 4, SHARED)                    \
    X(insert_and_erase, "KKKKFEEE", TAGGED, MAX, 4, SHARED)                \
    X(assign_and_assign, "AAAAAAAA", TAGGED, MAX, 4, SHARED)               \
    X(assign_and_add, "AAAF++++", MULTIPLE, ZERO, 4, SHARED)               \
    X(assign_and_min, "AAAF<<<<", TAGGED, MAX, 4, SHARED)                  \
    X(assign_and_max, "AAAF>>>>", TAGGED, ZERO, 4, SHARED)                 \
    X(assign_and_or, "AAAF||||", BITS, ZERO, 4, SHARED)                    \
    X(assign_and_erase, "AAAAFEEE", TAGGED, ZERO, 4, SHARED)               \
    X(add_and_add, "++++++++", MULTIPLE, ZERO, 4, SHARED)                  \
    X(add_and_add_past_32_bits, "+++++++F", CARRY, ZERO, 0, SHARED)        \
    X(add_and_max, "+++F>>>>", MULTIPLE, ZERO, 4, SHARED)                  \
    X(min_and_min, "<<<<<<<<", TAGGED, MAX, 4, SHARED)                     \
    X(max_and_max, ">>>>>>>>", TAGGED, ZERO, 4, SHARED)                    \
    X(or_and_or, "||||||||", BITS, ZERO, 4, SHARED)                        \
    X(add_and_erase, "++++FEEE", MULTIPLE, ZERO, 4, SHARED)                \
    X(add_insert_and_erase, "+++KFEEE", MULTIPLE, ZERO, 4, SHARED)         \
    X(min_and_erase, "<<<<FEEE", TAGGED, MAX, 4, SHARED)                   \
    X(max_and_erase, ">>>>FEEE", TAGGED, ZERO, 4, SHARED)                  \
    X(or_and_erase, "||||FEEE", BITS, ZERO, 4, SHARED)                     \
    X(erase_and_erase, "EEEEEEEE", TAGGED, MAX, 1, SHARED)                 \
    X(exchange_by_slot_and_erase, "XXXFTEEE", TAGGED, MAX, 4, SHARED)      \
    X(exchange_by_slot_and_insert, "XXFTTKKK", TAGGED, ZERO, 4, SHARED)    \
    X(compare_exchange_and_erase, "CCCFTEEE", TAGGED, MAX, 2, SHARED)      \
    X(compare_exchange_and_insert, "CCCCCFKK", TAGGED, ZERO, 4, SHARED)    \
    X(compare_exchange_and_assign, "CCCCFAAE", TAGGED, MAX, 4, SHARED)     \
    X(compare_exchange_and_add, "CCCCXF++", MULTIPLE, ZERO, 4, SHARED)     \
    X(find_and_update, "FFFFUUUU", TAGGED, MAX, 2, SHARED)                 \
    X(insert_and_update, "KKKKUUUU", TAGGED, ZERO, 4, SHARED)              \
    X(assign_and_update, "AAAAUUUU", TAGGED, MAX, 4, SHARED)               \
    X(add_and_update, "+++FUUUU", MULTIPLE, ZERO, 2, SHARED)               \
    X(min_and_update, "<<<FUUUU", TAGGED, MAX, 2, SHARED)                  \
    X(max_and_update, ">>>FUUUU", TAGGED, ZERO, 2, SHARED)                 \
    X(update_and_update, "UUUUUUUU", TAGGED, ZERO, 2, SHARED)              \
    X(update_and_erase, "UUUUUFEE", TAGGED, MAX, 1, SHARED)                \
    X(update_insert_and_erase, "UUUKKFEE", TAGGED, ZERO, 2, SHARED)        \
    X(exchange_by_slot_and_update, "XXTUUUFC", TAGGED, MAX, 2, SHARED)     \
    X(everything_at_once, "AKFEXT<<", TAGGED, MAX, 4, SHARED)              \
    X(everything_with_sums_at_once, "AKFEXT++", MULTIPLE, ZERO, 4, SHARED) \
    X(other_keys_are_not_affected, "AKFE<EFK", TAGGED, MAX, 4, OWN)        \
    X(other_keys_sums_are_not_affected, "A+FE>|FK", TAGGED, ZERO, 4, OWN)

/* Runs a row of CELLS in bucketed tables. With 64-bit atomics there are 10,000 keys, else 32. */
static void run_in_buckets(Arena *arena, const Cell *cell) {
    const uint32_t own = 2 * trial_operations() / TRIAL_ROUNDS;
    const bool shared = cell->pattern == STORM_SHARED;
    for (uint32_t wide = 0; wide <= arena->gpu.int64Atomics; ++wide) {
        Trial trial = cell_trial(cell, wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32,
                                 0xB0C0E700u + wide);
        trial.buckets = true;
        trial.keyCount = !shared ? own : wide ? 10000 : 32;
        cell_run(arena, &trial);
    }
}

static void run_cell(Arena *arena, const Cell *cell, bool bound, MurAtomicWidth width) {
    static const uint32_t counts[] = {1, 2, 32, 10000};
    const uint32_t own = 2 * trial_operations() / TRIAL_ROUNDS; /* two keys per invocation */
    bool shared = cell->pattern == STORM_SHARED;
    /* Shaders with 64-bit atomics write tables of both widths, other shaders only 32-bit tables. */
    const uint32_t last = width == MUR_ATOMIC_WIDTH_64 || arena->gpu.int64Atomics;
    for (uint32_t wide = width == MUR_ATOMIC_WIDTH_64; wide <= last; ++wide) {
        for (uint32_t i = 0; i < (shared ? 4u : 1u); ++i) {
            const bool usual = width == MUR_ATOMIC_WIDTH_64 ? i % 2 != bound
                                                            : i == 2u * !bound + !wide;
            if (shared && !test_full() && !usual) {
                continue;
            }
            Trial trial = cell_trial(cell, width, 0x5EED0000u + 16 * i + wide);
            trial.bound = bound;
            trial.combines = trial_combines(bound, wide != 0, (i & 1) != 0);
            trial.wideShader = wide != 0;
            trial.keyCount = shared ? counts[i] : own;
            cell_run(arena, &trial);
        }
    }
}

#define CELL_CASE(cell_, way, bound, width)                       \
    ARENA_TEST(cell_##_##way##_##width) {                         \
        run_cell(arena, &cell_, bound, MUR_ATOMIC_WIDTH_##width); \
    }
#define CELL(cell_, mix_, scheme_, reserved_, present_, pattern_)      \
    static const Cell cell_ = {#cell_,    mix_,     STORM_##scheme_,   \
                               reserved_, present_, STORM_##pattern_}; \
    CELL_CASE(cell_, address, false, 32)                               \
    CELL_CASE(cell_, address, false, 64)                               \
    CELL_CASE(cell_, buffer, true, 32)                                 \
    CELL_CASE(cell_, buffer, true, 64)                                 \
    ARENA_TEST(cell_##_buckets) {                                      \
        run_in_buckets(arena, &cell_);                                 \
    }
CELLS(CELL)
