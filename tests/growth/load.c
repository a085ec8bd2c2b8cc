/* SPDX-License-Identifier: MIT */
#include "load.h"
#include "support/watchdog.h"

static void expect_no_waits(void) {
    if (interpose_waits() != 0) {
        fail_msg("the library has waited for the GPU, or asked it, %u times", interpose_waits());
    }
}

void grow_under_load(Gpu *gpu, const LoadCase *test) {
    static Engine engine;
    Observed observed;
    observe_open(&observed, gpu);
    /* An eighth of what is inserted is erased again. */
    const uint32_t perFrame = (uint32_t)((test->to - test->from) * 8ull / 7 / test->frames) + 1;
    const uint32_t batch = test->from > 2 * perFrame ? test->from : 2 * perFrame;
    const EngineOptions options = {
        .info = {.table = {.capacity = test->from,
                           .seed = 99,
                           .format = test->format,
                           .atomicWidth = test->width},
                 .framesInFlight = test->inFlight},
        .items = test->from + perFrame * test->frames,
        .batch = batch,
        .seed = 1,
    };
    engine_open(&engine, gpu, observed.context, &options);
    engine_frame(&engine, &(const FramePlan){.inserts = test->from / 2});
    engine_frame(&engine, &(const FramePlan){.inserts = test->from / 2});
    const FramePlan plan = {
        .erasures = perFrame / 8, .inserts = perFrame, .upserts = perFrame / 2, .finds = perFrame};
    for (uint32_t i = 2; i < test->frames; ++i) {
        engine_frame(&engine, &plan);
        watchdog(300);
    }
    engine_drain(&engine);
    expect_no_waits();
    print_message("  %u entries after %u frames: capacity %llu, %u moves\n", engine.live,
                  test->frames, (unsigned long long)engine.status.capacity, engine.status.moves);
    engine_find_all(&engine);
    engine_require(&engine);
    assert_true(engine.live > test->to / 10 * 9);
    assert_int_equal(engine.status.failures, 0);
    assert_int_equal(engine.status.lost, 0);
    assert_true(engine.status.capacity >= engine.live / 3 * 4);
    assert_true(engine.status.capacity <= 4ull * engine.live);
    const MurStats stats = gpu_stats(gpu, engine.use.table);
    assert_int_equal(stats.live, engine.live);
    assert_int_equal(stats.full + stats.refused, 0);
    expect_no_waits();
    engine_close(&engine);
    expect_no_waits();
    observe_close(&observed);
}
