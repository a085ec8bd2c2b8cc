/* Row tables against a model. Commands, shaders (by address and with a bound buffer) and the host
 * use one table in turn. Also moves and snapshots.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include "support/seed.h"

#include <murmuration/growable.h>
#include <murmuration/snapshot.h>

#include <stdlib.h>
#include <string.h>

/* Makes random calls with one verb (insert, find or erase). The calls use rows of the table's
 * array, adjacent or not, or rows of a second array, the queries. A command uses the first ones. */
static uint32_t make_calls(Rows *rows, Random *random, uint32_t verb) {
    const uint32_t count = 1 + random_below(random, 300), all = rows->info.classes + 8;
    const bool queries = verb != CALL_ROW_INSERT && random_below(random, 3) == 0;
    const bool in_order = random_below(random, 4) == 0;
    for (uint32_t i = 0; i < count; ++i) {
        rows_calls(rows)[i] = (Call){
            .call = verb,
            .slot = queries    ? MUR_ROW_QUERY
                    : in_order ? i
                               : random_below(random, rows->info.rowCount),
            .other = verb == CALL_ROW_FIND ? i : random_below(random, all),
        };
    }
    return queries && verb == CALL_ROW_FIND && count > all ? all : count;
}

/* Moves the rows to another table with the same seed, or compacts the table. */
static void move(Rows *rows, bool compacts, uint32_t capacity) {
    Gpu *gpu = rows->gpu;
    MurTable from = rows->table;
    const uint32_t slots = murGetTableRef(from).slotCount;
    const MurStats before = gpu_stats(gpu, from);
    GpuBuffer map = gpu_buffer(gpu, 4ull * slots), result = gpu_buffer(gpu, 256);
    GpuBuffer scratch = gpu_buffer(gpu, murGetScratchSize(from, MUR_COMMAND_COMPACT, 0, NULL));
    const MurRehash rehash = {.slotMap = gpu_array(&map),
                              .result = gpu_array(&result),
                              .scratch = compacts ? gpu_array(&scratch) : (MurArray){0}};
    MurHostTable host = rows_download(rows);
    uint32_t old[4096];
    for (MurHostEntry entry = {0}; murHostNextEntry(&host, &entry);) {
        old[entry.slot] = (uint32_t)entry.key;
    }
    if (!compacts) {
        rows->table = rows_other_table(rows, capacity);
    }
    GPU_RUN(gpu, compacts ? murCmdCompact(gpu->cmd, from, &rehash)
                          : murCmdRehash(gpu->cmd, from, rows->table, &rehash));
    const MurRehashResult *did = result.mapped;
    assert_int_equal(did->moved, before.live);
    assert_int_equal(did->dropped, before.erased);
    assert_int_equal(did->failed, 0);
    memset(rows->used, 0, sizeof rows->used);
    rows->erased = 0;
    host = rows_download(rows);
    uint32_t moved = 0;
    for (uint32_t slot = 0; slot < slots; ++slot) {
        const uint32_t to = ((const uint32_t *)map.mapped)[slot];
        if (to != MUR_NO_SLOT) {
            MurHostEntry entry = {.next = to};
            assert_true(murHostNextEntry(&host, &entry));
            assert_int_equal(entry.slot, to);
            assert_int_equal(entry.key, old[slot]);
            rows->used[to] = true;
            ++moved;
        }
    }
    assert_int_equal(moved, before.live);
    if (!compacts) {
        murDestroyTable(from);
    }
    gpu_free(gpu, &map);
    gpu_free(gpu, &result);
    gpu_free(gpu, &scratch);
}

static void erase_some(Rows *rows, Random *random) {
    const uint32_t limit = random_below(random, rows->info.rowCount);
    const MurPredicate below = {
        .word = MUR_PREDICATE_KEY_LOW, .compare = MUR_COMPARE_LESS, .reference = limit};
    uint32_t count, expected = 0;
    for (uint32_t c = 0; c < rows->info.classes; ++c) {
        if (rows->row[c] < limit) {
            rows->row[c] = MUR_NO_ROW;
            ++expected;
        }
    }
    gpu_require(murBlockingEraseWhere(rows->gpu->blocking, rows->table, 1, &below, 0, NULL, NULL,
                                      NULL, &count));
    assert_int_equal(count, expected);
    rows->erased += count;
}

/* Moves the host's copy of the table through a snapshot, and into a table of another size. */
static void keep(Rows *rows) {
    MurHostTable host = rows_download(rows), other;
    const uint64_t size = murGetSnapshotSize(&host);
    void *file = malloc(size), *image = aligned_alloc(64, 1 << 17);
    assert_true(file && image);
    MurSnapshotInfo info;
    gpu_require(murWriteSnapshot(&host, file, size));
    gpu_require(murReadSnapshotInfoFromMemory(file, size, &info));
    assert_ptr_equal(info.createInfo.type, murHostTypeRows());
    assert_int_equal(info.createInfo.flags, rows->create.flags);
    for (uint32_t way = 0; way < 3; ++way) { /* 0: an equal table; 1: a smaller one; 2: rehash */
        MurTableCreateInfo create = info.createInfo;
        create.capacity -= way == 1 ? 50 : 0;
        gpu_require(murHostCreate(&create, image, 1 << 17, &other));
        gpu_require(way < 2 ? murLoadSnapshotFromMemory(file, size, &other)
                            : murHostRehash(&host, &other, NULL, NULL));
        uint32_t found = 0;
        for (uint32_t c = 0; c < rows->info.classes; ++c) {
            const MurHostRows on = rows_on_host(rows, c);
            const MurHostResult result = murHostFindRow(&other, &on, MUR_ROW_QUERY);
            assert_int_equal((uint32_t)result.value, rows->row[c]);
            found += result.status == MUR_FOUND;
        }
        assert_int_equal(found, info.entries);
        assert_refused(murHostRehash(&host, &other, file, NULL));
        create.seed ^= way == 0; /* another seed, or another row size */
        create.flags = way == 0 ? create.flags : create.flags ? 0 : MUR_ROWS(1, 1);
        gpu_require(murHostCreate(&create, image, 1 << 17, &other));
        assert_refused(murHostRehash(&host, &other, NULL, NULL));
        assert_refused(murHostMerge(&host, &other, MUR_MODE_INSERT, NULL));
        assert_refused(murLoadSnapshotFromMemory(file, size, &other));
    }
    free(file);
    free(image);
}

static void run_trial(Gpu *gpu, RowsInfo info, uint32_t steps) {
    Rows rows;
    rows_open(&rows, gpu, info);
    Random random = {test_seed(info.words + 100 * info.hooks)};
    for (uint32_t step = 0; step < steps; ++step) {
        const uint32_t verb = random_below(&random, 5) % CALL_ROWS;
        const bool by_commands = info.hooks == CALL_HOOKS_BITS && verb != CALL_ROW_ERASE;
        Executor by;
        do {
            by = (Executor)random_below(&random, EXECUTORS);
        } while ((by == BY_COMMAND && !by_commands) || (by == BY_READER && verb != CALL_ROW_FIND));
        const uint32_t count = make_calls(&rows, &random, verb);
        rows_run(&rows, by, count, 1);
        rows_check(&rows, count);
        if (step % 5 == 3) {
            erase_some(&rows, &random);
        }
        if (step % 5 == 4) {
            keep(&rows);
            move(&rows, step % 2 == 0, info.capacity + random_below(&random, 500));
        }
        rows_check(&rows, 0);
    }
    rows_close(&rows);
}

#define TRIAL(...) run_trial(gpu, (RowsInfo){__VA_ARGS__}, test_full() ? 400 : 25)

GPU_TEST(rows_of_any_length) {
    static const uint32_t shapes[][2] = {{1, 1}, {1, 4}, {2, 2},   {2, 3},   {5, 5},
                                         {5, 8}, {4, 4}, {16, 16}, {64, 64}, {64, 2047}};
    for (uint32_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        TRIAL(.words = shapes[i][0], .stride = shapes[i][1], .classes = 200, .rowCount = 1000,
              .capacity = 900);
    }
}

GPU_TEST(rows_with_hooks_are_equal_by_the_engines_rule) {
    TRIAL(.words = 5, .stride = 6, .classes = 200, .rowCount = 1000, .hooks = CALL_HOOKS_SNAP,
          .capacity = 900);
}

GPU_TEST(rows_with_equal_hashes) {
    for (uint32_t zero = 0; zero < 2; ++zero) {
        TRIAL(.words = 9, .stride = 9, .classes = 60, .rowCount = 300, .hooks = CALL_HOOKS_ONE,
              .capacity = 300, .zeroHash = zero);
    }
}

enum { CALLS = 4998, ROUNDS = 3, TRIALS = 3 };

/* Makes calls. Commands have one verb each, so their calls are first inserts, then finds. */
static void make_storm(Rows *rows, Random *random, bool commands, uint32_t mix) {
    for (uint32_t i = 0; i < CALLS; ++i) {
        uint32_t verb = i < CALLS / 2 ? CALL_ROW_INSERT : CALL_ROW_FIND;
        while (!commands && !(mix >> (verb = random_below(random, CALL_ROWS)) & 1)) {
        }
        const bool query = !commands && verb != CALL_ROW_INSERT && random_below(random, 4) == 0;
        rows_calls(rows)[i] = (Call){.call = verb,
                                     .slot = query ? MUR_ROW_QUERY
                                                   : random_below(random, rows->info.rowCount),
                                     .other = random_below(random, rows->info.classes)};
    }
}

/* Runs thousands of concurrent calls on rows of few classes. Each mix of verbs tests some cells of
 * the concurrency contract. The first run begins with an empty table, and each later run continues
 * with the same table. */
static void storm(Gpu *gpu, uint32_t hooks, uint32_t classes) {
    static const Executor executors[] = {BY_HOST, BY_SHADER, BY_BOUND, BY_COMMAND};
    const RowsInfo info = {.words = 5,
                           .stride = 5,
                           .classes = classes,
                           .rowCount = 64 * classes,
                           .hooks = hooks,
                           .capacity = 3800};
    for (uint32_t by = 0; by < (hooks == CALL_HOOKS_BITS ? 4 : 3); ++by) {
        Random random = {test_seed(by + 10 * hooks)};
        for (uint32_t mix = 1; mix < 1 << CALL_ROWS; ++mix) {
            Rows rows;
            rows_open(&rows, gpu, info);
            const bool churns = mix >> CALL_ROW_INSERT & mix >> CALL_ROW_ERASE & 1; /* tombstones */
            for (uint32_t trial = 0; trial < (churns ? 1 : TRIALS); ++trial) {
                make_storm(&rows, &random, executors[by] == BY_COMMAND, mix);
                rows_run(&rows, executors[by], CALLS, ROUNDS);
                rows_check(&rows, CALLS);
            }
            rows_close(&rows);
        }
    }
}

GPU_TEST(storms_of_equal_rows) {
    storm(gpu, CALL_HOOKS_BITS, 1);
    storm(gpu, CALL_HOOKS_BITS, 30);
    storm(gpu, CALL_HOOKS_SNAP, 7);
}

GPU_TEST(storms_of_rows_with_equal_hashes) {
    storm(gpu, CALL_HOOKS_ONE, 7);
}

/* A growable counts declared inserts of rows, and moves rows, in the same way as keys. */
GPU_TEST(rows_grow) {
    Rows rows;
    ROWS_OPEN(&rows, .words = 2, .stride = 2, .classes = 250, .rowCount = 500, .capacity = 64);
    const MurGrowableCreateInfo info = {.table = rows.create, .framesInFlight = 1};
    MurGrowable growable;
    gpu_require(murCreateGrowable(gpu->context, &info, &growable));
    MurTable own = rows.table;
    uint32_t moves = 0;
    for (uint32_t frame = 1; frame <= 10; ++frame) {
        MurGrowableFrameTable use;
        const MurGrowableFrame begun = {
            .frame = frame, .completedFrame = frame - 1, .maxInserts = 50};
        for (uint32_t i = 0; i < 50; ++i) {
            rows_calls(&rows)[i] = (Call){.call = CALL_ROW_INSERT, .slot = 50 * (frame - 1) + i};
        }
        gpu_begin(gpu);
        gpu_require(murCmdBeginGrowableFrame(gpu->cmd, growable, &begun, &use));
        gpu_require(use.growth);
        gpu_submit(gpu);
        rows.table = use.table;
        moves += use.source != VK_NULL_HANDLE;
        memset(rows.used, 0, sizeof rows.used);
        rows_run(&rows, BY_COMMAND, 50, 1);
        rows_check(&rows, 50);
    }
    assert_true(moves >= 2);
    murDestroyGrowable(growable);
    rows.table = own;
    rows_close(&rows);
}
