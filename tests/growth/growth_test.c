/* Tests of growable tables: growth under load, the conditions of each move, full tables, threads.
 * SPDX-License-Identifier: MIT */
#include "engine.h"
#include "support/seed.h"

#include <string.h>

static Engine engine; /* too large for the stack */

GPU_TEST(pairs_under_load) {
    const LoadCase test = {
        .format = MUR_FORMAT_K32V32, .inFlight = 2, .from = 1 << 8, .to = 1 << 16, .frames = 300};
    grow_under_load(gpu, &test);
}

GPU_TEST(every_format_under_load) {
    static const LoadCase cases[] = {
        {MUR_FORMAT_K32, MUR_ATOMIC_WIDTH_32, 3, 1 << 6, 1 << 12, 100},
        {MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64, 3, 1 << 6, 1 << 12, 100},
        {MUR_FORMAT_K64V64, MUR_ATOMIC_WIDTH_64, 2, 1 << 6, 1 << 12, 100},
        /* Only in the long tier: more formats and widths. */
        {MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32, 1, 1 << 6, 1 << 12, 100},
        {MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32, 2, 1 << 6, 1 << 12, 100},
        {MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64, 1, 1 << 6, 1 << 12, 100},
    };
    for (uint32_t i = 0; i < (test_full() ? 6 : 3); ++i) {
        if (gpu_offers(gpu, cases[i].format, cases[i].width)) {
            grow_under_load(gpu, &cases[i]);
        }
    }
}

/* ---- Conditions of moves --------------------------------------------------------------------- */

static void open_usual(Gpu *gpu, MurContext context, MurGrowableCreateInfo info) {
    info.framesInFlight = info.framesInFlight ? info.framesInFlight : 2;
    engine_open(&engine, gpu, context,
                &(EngineOptions){.info = info, .items = 40000, .batch = 20000, .seed = 7});
}

/* Opens a growable with these settings, by default with two frames in flight. */
#define OPEN(...) open_usual(gpu, gpu->context, (MurGrowableCreateInfo){__VA_ARGS__})

static void close_usual(void) {
    engine_find_all(&engine);
    engine_close(&engine);
}

static void repeat(const FramePlan *plan, uint32_t frames) {
    for (uint32_t i = 0; i < frames; ++i) {
        engine_frame(&engine, plan);
    }
}

/* Each frame assigns all keys. If no statistics lowered the bound of used slots, this bound would
 * exceed the limit and grow the table. */
GPU_TEST(endless_assigns_never_grow_the_table) {
    OPEN(.table.capacity = 8000);
    engine_frame(&engine, &(const FramePlan){.inserts = 1000});
    repeat(&(const FramePlan){.assigns = 1000, .finds = 100}, 300);
    assert_int_equal(engine.status.moves, 0);
    assert_int_equal(engine.status.capacity, 8000);
    close_usual();
    /* A too small table grows until the assigns of all frames in flight fit, and then never
     * again. */
    OPEN(.table.capacity = 1500);
    engine_frame(&engine, &(const FramePlan){.inserts = 1000});
    repeat(&(const FramePlan){.assigns = 1000}, 20);
    const uint32_t moves = engine.status.moves;
    assert_true(engine.status.capacity <= 12000);
    repeat(&(const FramePlan){.assigns = 1000, .finds = 100}, 300);
    assert_int_equal(engine.status.moves, moves);
    close_usual();
}

GPU_TEST(nearly_empty_tables_shrink) {
    OPEN(.table.capacity = 256);
    repeat(&(const FramePlan){.inserts = 2000, .finds = 500}, 8);
    const uint64_t large = engine.status.capacity;
    assert_true(large >= 16000 / 3 * 4);
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 100, .eraseCount = 15900});
    repeat(&(const FramePlan){.finds = 500}, 200);
    assert_true(engine.status.capacity <= 1024);
    close_usual();
    /* A table does not shrink below its minimum capacity. */
    OPEN(.table.capacity = 4096, .minCapacity = 3000);
    repeat(&(const FramePlan){.finds = 16}, 130);
    assert_int_equal(engine.status.capacity, 3000);
    close_usual();
}

/* A table shrinks only while its entries use at most a quarter of the limit of the new capacity. */
GPU_TEST(shrinking_keeps_room_to_fill_up_again) {
    /* At half of the capacity, a quarter of the limit of used slots is 384 entries. */
    OPEN(.table.capacity = 4096, .minCapacity = 2048);
    engine_frame(&engine, &(const FramePlan){.inserts = 500});
    repeat(&(const FramePlan){.finds = 16}, 140);
    const uint64_t capacity = engine.status.capacity;
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 0, .eraseCount = 150});
    repeat(&(const FramePlan){.finds = 16}, 140);
    const uint64_t less = engine.status.capacity;
    close_usual();
    assert_int_equal(capacity, 4096);
    assert_int_equal(less, 2048);
}

/* A frame moves no entries if the move frees too few slots. The old table is freed as soon as
 * possible. */
GPU_TEST(moves_without_gain_do_not_happen) {
    OPEN(.table.capacity = 500, .maxCapacity = 1000);
    engine_frame(&engine, &(const FramePlan){.inserts = 350});
    engine_frame(&engine, &(const FramePlan){.inserts = 350});
    uint32_t retired[3];
    for (uint32_t frame = 0; frame < 3; ++frame) { /* two frames are in flight */
        retired[frame] = engine.status.retired;
        engine_frame(&engine, &(const FramePlan){.assigns = 10});
    }
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 0, .eraseCount = 60});
    repeat(&(const FramePlan){.assigns = 300}, 10);
    const uint32_t moves = engine.status.moves;
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 60, .eraseCount = 60});
    repeat(&(const FramePlan){.assigns = 300}, 10);
    const uint32_t more = engine.status.moves;
    close_usual();
    assert_memory_equal(retired, ((const uint32_t[]){1, 1, 0}), sizeof retired);
    assert_int_equal(moves, 1);
    assert_int_equal(more, 2);
}

/* Each frame erases as many keys as it inserts: the table is cleaned repeatedly and never grows. */
GPU_TEST(tombstones_are_cleaned_without_growth) {
    OPEN(.table.capacity = 4096);
    engine_frame(&engine, &(const FramePlan){.inserts = 1000});
    for (uint32_t i = 0; i < 200; ++i) {
        const FramePlan plan = {
            .inserts = 100, .eraseFrom = 100 * i, .eraseCount = 100, .finds = 200};
        engine_frame(&engine, &plan);
        assert_int_equal(engine.status.capacity, 4096);
        assert_int_equal(engine.use.growth, VK_SUCCESS);
    }
    assert_in_range(engine.status.moves, 11, 14);
    close_usual();
    /* At maxErased, a table is cleaned long before tombstones fill it. */
    OPEN(.table.capacity = 4096, .maxErased = 0.05f, .minCapacity = 4096);
    engine_frame(&engine, &(const FramePlan){.inserts = 1000});
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 0, .eraseCount = 500});
    repeat(&(const FramePlan){.finds = 100}, 130);
    assert_int_equal(engine.status.moves, 1);
    assert_int_equal(engine.status.erased, 0);
    assert_int_equal(engine.status.live, 500);
    close_usual();
}

/* Tables are cleaned at the limit of used slots (maxLoad) and at the limit of tombstones. */
GPU_TEST(nearly_full_tables_are_cleaned_at_their_capacity) {
    static const struct {
        float maxErased;
        uint32_t keys, least, most; /* least, most: limits of the number of moves */
    } limits[] = {{0, 8500, 3, 8}, {0.01f, 8750, 8, 25}};
    for (uint32_t k = 0; k < 2; ++k) {
        OPEN(.table.capacity = 10000, .maxLoad = 0.9f, .maxErased = limits[k].maxErased);
        engine_frame(&engine, &(const FramePlan){.inserts = limits[k].keys});
        for (uint32_t i = 0; i < 100; ++i) {
            engine_frame(&engine,
                         &(const FramePlan){.inserts = 20, .eraseFrom = 20 * i, .eraseCount = 20});
        }
        assert_int_equal(engine.status.capacity, 10000);
        assert_int_equal(engine.status.failures, 0);
        assert_in_range(engine.status.moves, limits[k].least, limits[k].most);
        close_usual();
    }
}

OBSERVED_CASE(undeclared_inserts_are_reported_and_followed) {
    open_usual(gpu, observed->context,
               (MurGrowableCreateInfo){.table.capacity = 1000, .framesInFlight = 1});
    engine.options.mayFill = true;
    repeat(&(const FramePlan){.inserts = 200, .declared = 200}, 2);
    engine_drain(&engine);
    assert_int_equal(engine.status.undeclared, 0);
    log_book_clear(&observed->log);
    repeat(&(const FramePlan){.inserts = 200, .declared = 1}, 100);
    engine_drain(&engine);
    assert_in_range(engine.status.undeclared, 95 * 199, 100 * 199);
    assert_int_equal(observed->log.infos, 1);
    assert_non_null(strstr(observed->log.lastInfo, "maxInserts of the frames"));
    assert_int_equal(engine.full, 0);
    assert_int_equal(engine.live, 102 * 200);
    close_usual();
}

/* Statistics of a frame before a move count tombstones that it removed. They must be corrected. */
GPU_TEST(statistics_of_the_previous_table_are_corrected) {
    OPEN(.table.capacity = 8192, .maxErased = 0.1f);
    engine_frame(&engine, &(const FramePlan){.inserts = 3000});
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 0, .eraseCount = 2900, .declared = 1600});
    engine_frame(&engine, &(const FramePlan){.declared = 1});
    engine_frame(&engine, &(const FramePlan){.declared = 3000});
    assert_int_equal(engine.status.moves, 1);
    assert_int_equal(engine.status.live, 3000); /* counted in frame 2 */
    engine_frame(&engine, &(const FramePlan){.finds = 500});
    assert_int_equal(engine.status.live, 100);
    assert_int_equal(engine.status.erased, 0);
    assert_int_equal(engine.status.moves, 1);
    close_usual();
}

GPU_TEST(reinserted_keys_reuse_their_slots) {
    OPEN(.table.capacity = 4096);
    engine_frame(&engine, &(const FramePlan){.inserts = 600});
    repeat(&(const FramePlan){.erasures = 200, .assigns = 200, .finds = 100, .revive = true}, 200);
    assert_int_equal(engine.status.moves, 0);
    assert_int_equal(engine.status.newPairs, 600);
    close_usual();
}

/* A frame without inserts records no library commands, except rare statistics. */
OBSERVED_CASE(frames_without_inserts_record_nothing) {
    open_usual(gpu, observed->context, (MurGrowableCreateInfo){.table.capacity = 4096});
    engine_frame(&engine, &(const FramePlan){.inserts = 10});
    repeat(&(const FramePlan){.finds = 10}, 130); /* after these frames, statistics become rare */
    const uint32_t before = interpose_calls(ON_vkCmdDispatch);
    repeat(&(const FramePlan){.finds = 10}, 60);
    assert_int_equal(interpose_calls(ON_vkCmdDispatch), before + 60); /* only 60 finds */
    repeat(&(const FramePlan){.finds = 10}, 64);
    assert_int_equal(interpose_calls(ON_vkCmdDispatch), before + 124 + 2); /* and two statistics */
    close_usual();
}

GPU_TEST(first_frame_grows_a_too_small_first_table) {
    OPEN(.table.capacity = 16);
    engine_frame(&engine, &(const FramePlan){.inserts = 10000, .finds = 100});
    assert_int_equal(engine.status.capacity, 16384);
    assert_int_equal(engine.status.moves, 0);
    assert_null(engine.use.source);
    engine_frame(&engine, &(const FramePlan){.inserts = 10000, .finds = 100});
    assert_int_equal(engine.status.capacity, 32768);
    assert_non_null(engine.use.source);
    close_usual();
}

GPU_TEST(declared_inserts_of_any_number_grow_the_table) {
    OPEN(.table.capacity = 1000, .maxCapacity = 3000, .framesInFlight = 1);
    for (uint32_t i = 0; i < 3; ++i) {
        engine_frame(&engine, &(const FramePlan){.inserts = 100, .declared = UINT64_MAX});
        assert_int_equal(engine.status.capacity, 3000);
        assert_int_equal(engine.use.growth, MUR_ERROR_TOO_LARGE);
    }
    close_usual();
}

GPU_TEST(growth_stops_at_the_largest_capacity) {
    OPEN(.table.capacity = 1000, .maxCapacity = 3000, .framesInFlight = 1);
    engine.options.mayFill = true;
    for (uint32_t i = 0; i < 40; ++i) {
        engine_frame(&engine, &(const FramePlan){.inserts = 100, .finds = 500});
        engine_drain(&engine);
        assert_int_equal(engine.use.growth,
                         100 * (i + 1) > 2250 ? MUR_ERROR_TOO_LARGE : VK_SUCCESS);
    }
    assert_int_equal(engine.status.capacity, 3000);
    assert_int_equal(engine.status.lastFailure, MUR_ERROR_TOO_LARGE);
    assert_true(engine.live >= 3000 && engine.full > 0);
    assert_int_equal(engine.live + engine.full, 4000);
    /* A full table that cannot grow is cleaned if that frees slots. */
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 0, .eraseCount = 2900});
    repeat(&(const FramePlan){.inserts = 1}, 3); /* statistics arrive two frames later */
    engine_drain(&engine);
    const uint64_t full = engine.full;
    repeat(&(const FramePlan){.inserts = 50, .finds = 500}, 20);
    engine_drain(&engine);
    assert_int_equal(engine.full, full);
    assert_int_equal(engine.use.growth, VK_SUCCESS);
    close_usual();
}

GPU_TEST(cleaning_frees_slots_at_the_largest_capacity) {
    OPEN(.table.capacity = 3000, .maxCapacity = 3000);
    engine_frame(&engine, &(const FramePlan){.inserts = 2190});
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 0, .eraseCount = 290});
    repeat(&(const FramePlan){.finds = 100}, 130);
    assert_int_equal(engine.status.moves, 0);
    assert_int_equal(engine.status.erased, 290);
    engine_frame(&engine, &(const FramePlan){.inserts = 200, .finds = 500});
    assert_int_equal(engine.use.growth, VK_SUCCESS);
    assert_int_equal(engine.status.moves, 1);
    assert_int_equal(engine.status.capacity, 3000);
    close_usual();
}

/* Returns keys that almost collide. With a short probe limit, they do not fit a smaller table. */
static uint64_t crowded_key(uint32_t item) {
    const uint32_t group = item % 4, rank = item / 4;
    if (rank < 40) { /* 40 keys at each of four homes, 64 slots apart in 2^14 slots */
        return mur_key((4096 + 64 * group) << 18 | rank, 0);
    }
    return mur_key(mur_hash(item, 5), 0);
}

GPU_TEST(inserts_without_room_are_reported) {
    OPEN(.table.capacity = 256, .table.probeLimit = 64, .minCapacity = 16);
    engine.key = crowded_key;
    engine_frame(&engine, &(const FramePlan){.inserts = 4096, .declared = 12000});
    assert_int_equal(engine.status.capacity, 16384);
    engine_frame(&engine, &(const FramePlan){.eraseFrom = 160, .eraseCount = 3936});
    repeat(&(const FramePlan){.erasures = 0}, 140);
    assert_true(engine.status.capacity < 4096);
    engine_drain(&engine);
    const MurStats stats = gpu_stats(engine.gpu, engine.use.table);
    assert_int_equal(stats.live + engine.status.lost, 160);
    assert_true(engine.status.lost > 0);
    engine_close(&engine);
}

/* ---- Growable tables in several threads ----------------------------------------------------- */

typedef struct Worker {
    Engine engine;
    pthread_t thread;
} Worker;

static void *work(void *argument) {
    Engine *mine = argument;
    for (uint32_t i = 0; i < 150; ++i) {
        const FramePlan plan = {.inserts = 40, .assigns = 20, .erasures = 10, .finds = 40};
        engine_frame(mine, &plan);
    }
    return NULL;
}

GPU_TEST(two_threads_use_a_growable_each) {
    static Worker workers[2];
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    for (uint32_t i = 0; i < 2; ++i) {
        const EngineOptions options = {
            .info = {.table = {.capacity = 64}, .framesInFlight = 2, .slotMap = i == 1},
            .items = 20000,
            .batch = 4096,
            .seed = 50 + i,
            .queueLock = &lock,
        };
        engine_open(&workers[i].engine, gpu, gpu->context, &options);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i].engine), 0);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        pthread_join(workers[i].thread, NULL);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        Engine *mine = &workers[i].engine;
        engine_find_all(mine);
        assert_true(mine->status.moves >= 5);
        engine_close(mine);
    }
    pthread_mutex_destroy(&lock);
}
