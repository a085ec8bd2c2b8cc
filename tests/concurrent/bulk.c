/* Tests the concurrency contract of bulk commands: batches with many duplicates, several commands
 * without a barrier between them, and tables that become full.
 * SPDX-License-Identifier: MIT */
#include "cases.h"
#include "trial_check.h"
#include "support/seed.h"

enum { PARTS = 8 };

/* Returns the key of an item. The positions of duplicates change every 1024 items: random, then
 * four adjacent items with one key, then keys that repeat after a workgroup's 256 items. */
static uint32_t pick_key(uint32_t item, uint32_t keyCount, Random *random) {
    switch (item / 1024 % 3) {
    case 0:
        return random_below(random, keyCount);
    case 1:
        return item / 4 % keyCount;
    default:
        return item % 256 % keyCount;
    }
}

/* Fills in the keys, values and records of a trial (a test on one table), except the results. */
static void make_items(Arena *arena, Trial *trial) {
    Random random = {test_seed(trial->seed)};
    uint32_t *keys = arena->keys.mapped;
    uint32_t *values = arena->values.mapped;
    for (uint32_t i = 0; i < trial->operations; ++i) {
        uint32_t op = (trial->mix >> (4 * (i / (trial->operations / PARTS)))) & 15u;
        uint32_t key = pick_key(i, trial->keyCount, &random);
        bool gives = op <= MUR_MODE_UPDATE;
        keys[i] = trial->keys[key];
        values[i] = gives ? storm_value(trial->scheme, i, keys[i]) : trial_none(trial);
        trial->records[i] = (StormRecord){.op = op, .key = key, .given = values[i]};
    }
}

/* Returns a predicate that about half of the values match, whichever key they belong to. */
static MurPredicate where(const Trial *trial) {
    return (MurPredicate){.compare = MUR_COMPARE_EQUAL,
                          .mask = trial->scheme == STORM_TAGGED ? 0x1000 : 1};
}

/* Records murCmdEraseWhere, which stores erased entries in the batch's arrays of keys and values,
 * and their number in statuses[first]. */
static void record_where(Arena *arena, const Trial *trial, MurTable table, uint32_t first,
                         uint32_t count) {
    const MurExtract extract = {
        .maxCount = count,
        .countAddress = gpu_part(&arena->statuses, first, 1).address,
        .keys = gpu_part(&arena->keys, first, count),
        .values = gpu_part(&arena->values, first, count),
        .slots = gpu_part(&arena->slots, first, count),
        .predicates = {where(trial)},
    };
    gpu_require(murCmdEraseWhere(arena->gpu.cmd, table, &extract));
}

static uint32_t index_of(const Trial *trial, uint32_t key) {
    for (uint32_t i = 0; i < trial->keyCount; ++i) {
        if (trial->keys[i] == key) {
            return i;
        }
    }
    fail_msg("0x%x was erased, which is no key", key);
    return 0;
}

/* Converts the results of murCmdEraseWhere to records of erases: the first records are the erased
 * entries, the others are erases of an absent key. */
static void read_where(const Arena *arena, const Trial *trial, uint32_t first, uint32_t count) {
    const uint32_t *keys = arena->keys.mapped, *values = arena->values.mapped;
    const uint32_t *statuses = arena->statuses.mapped, *slots = arena->slots.mapped;
    const uint32_t erased = statuses[first];
    assert_true(erased <= count);
    for (uint32_t i = first; i < first + count; ++i) {
        StormRecord *record = &trial->records[i];
        const bool listed = i < first + erased;
        *record = (StormRecord){.op = STORM_ERASE,
                                .given = trial_none(trial),
                                .status = listed ? MUR_ERASED : MUR_ABSENT,
                                .key = listed ? index_of(trial, keys[i]) : 0,
                                .value = listed ? values[i] : trial_none(trial),
                                .slot = listed ? slots[i] : MUR_NO_SLOT};
        if (listed && (values[i] & where(trial).mask) != 0) {
            fail_msg("0x%x was erased with value 0x%x", keys[i], values[i]);
        }
    }
}

static void record_part(Arena *arena, MurTable table, bool olds, uint32_t op, uint32_t first,
                        uint32_t count) {
    VkCommandBuffer cmd = arena->gpu.cmd;
    const MurBatch batch = {
        .maxCount = count,
        .keys = gpu_part(&arena->keys, first, count),
        .values = gpu_part(&arena->values, first, count),
        .statuses = gpu_part(&arena->statuses, first, count),
        .slots = gpu_part(&arena->slots, first, count),
        .oldValues = olds && op <= MUR_MODE_UPDATE ? gpu_part(&arena->olds, first, count)
                                                   : (MurArray){0, 0},
    };
    if (op == STORM_FIND) {
        gpu_require(murCmdFind(cmd, table, &batch));
    } else if (op == STORM_ERASE) {
        gpu_require(murCmdErase(cmd, table, &batch));
    } else {
        gpu_require(murCmdInsert(cmd, table, (MurInsertMode)op, &batch));
    }
}

/* Runs the trial's operations as bulk commands without barriers between them. Each sequence of
 * equal operations is one command. The commands use the home-first and the direct path in turn. */
static void run_bulk(Arena *arena, Trial *trial) {
    MurTable table = trial_begin(arena, trial);
    trial->rounds = 1;
    make_items(arena, trial);
    gpu_begin(&arena->gpu);
    uint32_t part = trial->operations / PARTS;
    for (uint32_t first = 0, last; first < PARTS; first = last) {
        uint32_t op = (trial->mix >> (4 * first)) & 15u;
        for (last = first + 1; last < PARTS && ((trial->mix >> (4 * last)) & 15u) == op; ++last) {
        }
        gpu_take(&arena->gpu, (first + trial->seed) % 2 ? WAY_HOME_FIRST : WAY_DIRECT);
        if (op == STORM_WHERE) { /* one command per part of the items */
            last = first + 1;
            record_where(arena, trial, table, first * part, part);
        } else {
            record_part(arena, table, trial->olds, op, first * part, (last - first) * part);
        }
    }
    gpu_take(&arena->gpu, WAY_DEFAULT);
    trial_end(arena, trial, table);
    const uint32_t *values = arena->values.mapped;
    const uint32_t *statuses = arena->statuses.mapped;
    const uint32_t *slots = arena->slots.mapped, *olds = arena->olds.mapped;
    for (uint32_t i = 0; i < trial->operations; ++i) {
        StormRecord *record = &trial->records[i];
        record->status = statuses[i];
        record->value = record->op > MUR_MODE_UPDATE ? values[i]
                        : trial->olds                ? olds[i]
                                                     : trial_none(trial);
        record->slot = slots[i];
    }
    for (uint32_t i = 0; i < PARTS; ++i) {
        if ((trial->mix >> 4 * i & 15u) == STORM_WHERE) {
            read_where(arena, trial, i * part, part);
            trial->mix ^= (STORM_WHERE ^ STORM_ERASE) << 4 * i;
        }
    }
}

static void run_cell(Arena *arena, const Cell *cell, MurAtomicWidth width) {
    static const uint32_t counts[] = {1, 2, 32, 10000, 32};
    for (uint32_t i = 0; i < 5; ++i) {
        /* Each atomic width runs with and without old values, and once with buckets. */
        const bool usual = i == 4 || (i == 0 || i == 3) == (width == MUR_ATOMIC_WIDTH_32);
        if (!test_full() && !usual) {
            continue;
        }
        Trial trial = cell_trial(cell, width, 0xB01D0000u + i);
        trial.keyCount = counts[i];
        trial.buckets = i == 4;
        trial.olds = (i + (width == MUR_ATOMIC_WIDTH_64)) % 2 != 0;
        if (trial_has(&trial, STORM_WHERE) && trial.keyCount > trial_operations() / PARTS) {
            trial.keyCount = trial_operations() / PARTS; /* one command can list all keys */
        }
        run_bulk(arena, &trial);
        trial_check(&trial);
        trial_free(&trial);
    }
}

/* Fills tables that have fewer slots than keys. sizes: pairs of capacity and number of keys. */
static void run_full(Arena *arena, const Cell *cell, MurAtomicWidth width) {
    const uint32_t operations = trial_operations();
    const uint32_t sizes[][2] = {{1, 32}, {16, 100}, {operations / 17, operations / 4}};
    for (uint32_t i = 0; i < 6; ++i) {
        Trial trial = cell_trial(cell, width, 0xF0110000u + i);
        trial.bound = i % 2 != 0;
        trial.combines = trial_combines(trial.bound, trial.wideShader, i / 2 == 1);
        trial.keyCount = sizes[i / 2][1];
        trial.capacity = sizes[i / 2][0];
        trial_run(arena, &trial);
        trial_check(&trial);
        /* trial_check allows MUR_FULL only if all slots are taken; here they must all be taken. */
        for (uint32_t slot = 0; slot < trial.ref.slotCount; ++slot) {
            assert_int_equal(trial.table.slot[slot].state, ORACLE_CLAIMED);
        }
        assert_true(trial.table.full > 0);
        trial_free(&trial);
    }
}

/* Fills tables whose probe limit is below the slot count. All keys have one home slot, so only as
 * many keys fit as the probe limit allows. */
static void run_limited(Arena *arena, const Cell *cell, MurAtomicWidth width) {
    for (uint32_t limit = 1; limit <= 17; limit += 4) {
        Trial trial = cell_trial(cell, width, 0x11317000u + limit);
        trial.combines = trial_combines(false, trial.wideShader, limit % 8 == 1);
        trial.keyCount = 32;
        trial.capacity = 64 + limit; /* over all limits, home slots at all positions in sectors */
        trial.probeLimit = limit;
        trial_run(arena, &trial);
        trial_check(&trial);
        /* All slots within the probe limit are used, and no others. */
        const uint32_t home = oracle_home(&trial.table, trial.keys[0]);
        uint32_t taken = 0;
        while (trial.table.slot[(home + taken) % trial.ref.slotCount].state == ORACLE_CLAIMED) {
            ++taken;
        }
        assert_int_equal(taken,
                         MUR_SECTOR_SLOTS * trial.ref.probeSectors - home % MUR_SECTOR_SLOTS);
        assert_in_range(taken, limit, limit + 2 * MUR_SECTOR_SLOTS);
        trial_free(&trial);
    }
}

/* Columns: name, mix (mix.h), value scheme, empty value, N (every N-th key is initially present) */
#define BULK(X)                                                \
    X(bulk_insert, "KKKKKKKK", TAGGED, ZERO, 4)                \
    X(bulk_assign, "AAAAAAAA", TAGGED, MAX, 4)                 \
    X(bulk_add, "++++++++", MULTIPLE, ZERO, 4)                 \
    X(bulk_add_past_32_bits, "++++++++", CARRY, ZERO, 0)       \
    X(bulk_min, "<<<<<<<<", TAGGED, MAX, 4)                    \
    X(bulk_max, ">>>>>>>>", TAGGED, ZERO, 4)                   \
    X(bulk_or, "||||||||", BITS, ZERO, 4)                      \
    X(bulk_update, "UUUUUUUU", TAGGED, ZERO, 2)                \
    X(bulk_update_and_insert, "UUKKUUFF", TAGGED, MAX, 4)      \
    X(bulk_update_and_erase, "UUEEUUEE", TAGGED, MAX, 1)       \
    X(bulk_erase, "EEEEEEEE", TAGGED, MAX, 1)                  \
    X(bulk_find_and_assign, "AAAAFFFF", TAGGED, MAX, 4)        \
    X(bulk_insert_and_erase, "KKEEKKEE", TAGGED, MAX, 4)       \
    X(bulk_add_and_erase, "++EE++EE", MULTIPLE, ZERO, 4)       \
    X(bulk_erase_where, "WWFFWWFF", TAGGED, MAX, 1)            \
    X(bulk_erase_where_and_insert, "KKWWKKWW", TAGGED, MAX, 4) \
    X(bulk_erase_where_and_add, "++WW++WE", MULTIPLE, ZERO, 4) \
    X(bulk_erase_where_and_all, "KAWF>AWE", TAGGED, ZERO, 4)   \
    X(bulk_everything, "KAEF>AEF", TAGGED, ZERO, 4)

#define FULL(X)                                       \
    X(full_table_keeps, "KKKKKKKK", TAGGED, MAX, 0)   \
    X(full_table_adds, "++++++FF", MULTIPLE, ZERO, 0) \
    X(full_table_with_erases, "AAKKFEEE", TAGGED, MAX, 0)

#define LIMITED(X) X(probe_limit_is_used_up, "KKKKFFFF", TAGGED, MAX, 0)

#define MAX  MUR_EMPTY_VALUE_MAX
#define ZERO MUR_EMPTY_VALUE_ZERO

#define CELL(run, cell_, mix_, scheme_, reserved_, present_)                                      \
    static const Cell cell_ = {#cell_, mix_, STORM_##scheme_, reserved_, present_, STORM_SHARED}; \
    ARENA_TEST(cell_##_32) {                                                                      \
        run(arena, &cell_, MUR_ATOMIC_WIDTH_32);                                                  \
    }                                                                                             \
    ARENA_TEST(cell_##_64) {                                                                      \
        run(arena, &cell_, MUR_ATOMIC_WIDTH_64);                                                  \
    }
#define BULK_CELL(...)    CELL(run_cell, __VA_ARGS__)
#define FULL_CELL(...)    CELL(run_full, __VA_ARGS__)
#define LIMITED_CELL(...) CELL(run_limited, __VA_ARGS__)
BULK(BULK_CELL)
FULL(FULL_CELL)
LIMITED(LIMITED_CELL)
