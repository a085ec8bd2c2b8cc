/* When the clocks count as settled, and what becomes of what was measured meanwhile: the decisions
 * on made-up series of times, and the reference on a device.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ClocksTimes unknown;
static const ClocksTimes good = {0.1, 0.2};
static const ClocksWait start = {.least = 4, .steady = 1, .most = 15};

enum { EACH_MS = 20 }; /* what a reading takes in these series */

static ClocksTimes times(double factor) {
    return (ClocksTimes){good.cached * factor, good.memory * factor};
}

/* A little up and down, as readings of steady clocks are: by 0.5%. */
static double noise(unsigned i) {
    return 1 + 0.0025 * ((double)(i * 7 % 5) - 2) / 2;
}

typedef struct Outcome {
    ClocksState state;
    ClocksRise rise;
} Outcome;

/* Readings until the wait is over; factor(i): how slow the i-th one is. */
static Outcome await(const ClocksWait *wait, const ClocksTimes *best, double (*factor)(unsigned)) {
    Outcome outcome = {CLOCKS_RISING, {0}};
    for (unsigned i = 0; outcome.state == CLOCKS_RISING; ++i) {
        const ClocksReading reading = {times(factor(i)), 1e-3 * EACH_MS};
        assert_true(i < 10000);
        outcome.state = clocksRise(&outcome.rise, wait, best, &reading);
    }
    return outcome;
}

/* ---- Raising -------------------------------------------------------------------------------- */

static double at_once(unsigned i) {
    return noise(i);
}

/* 2.5 s at a third of the clocks, which are steady, too, then a climb of half a second. */
static double from_idle(unsigned i) {
    return i < 125 ? 3.5 * noise(i) : i < 150 ? 3.5 - 0.1 * (i - 125) : noise(i);
}

static double never(unsigned i) {
    return i % 10 < 5 ? 1 : 1.2;
}

/* Slower and slower by 0.1% a reading: no two neighbours tell. */
static double sliding(unsigned i) {
    return 1 + 0.001 * i;
}

static void steady_clocks_settle_after_the_least_wait(void **state) {
    (void)state;
    const Outcome outcome = await(&start, &unknown, at_once);
    assert_int_equal(outcome.state, CLOCKS_SETTLED);
    assert_true(fabs(outcome.rise.busy - 4) < 0.05);
    assert_true(clocksRatio(&outcome.rise.high, &good) < 1.01);
}

static void idle_clocks_are_not_taken_for_steady_ones(void **state) {
    (void)state;
    const Outcome outcome = await(&start, &unknown, from_idle);
    assert_int_equal(outcome.state, CLOCKS_SETTLED);
    assert_true(outcome.rise.busy > 4 && outcome.rise.busy < 4.2);
    assert_true(clocksRatio(&outcome.rise.high, &good) < 1.01);
}

static void a_step_of_the_clocks_begins_the_wait_anew(void **state) {
    const ClocksWait wait = {.least = 0, .steady = 1, .most = 15};
    ClocksRise rise = {0};
    (void)state;
    for (unsigned i = 0; i < 40; ++i) {
        const ClocksReading reading = {times(1.1), 1e-3 * EACH_MS};
        assert_int_equal(clocksRise(&rise, &wait, &unknown, &reading), CLOCKS_RISING);
    }
    const ClocksReading step = {times(1), 1e-3 * EACH_MS};
    assert_int_equal(clocksRise(&rise, &wait, &unknown, &step), CLOCKS_RISING);
    assert_true(rise.alike == 0);
    assert_true(clocksRatio(&rise.high, &good) < 1.01);
}

static void clocks_that_never_settle_are_given_up(void **state) {
    (void)state;
    const Outcome outcome = await(&start, &unknown, never);
    assert_int_equal(outcome.state, CLOCKS_UNSETTLED);
    assert_true(fabs(outcome.rise.busy - start.most) < 0.05);
    assert_int_equal(await(&start, &unknown, sliding).state, CLOCKS_UNSETTLED);
}

/* Either time alone is enough to tell. */
static void both_times_count(void **state) {
    const ClocksTimes cached = {1.5 * good.cached, good.memory};
    const ClocksTimes memory = {good.cached, 1.5 * good.memory};
    (void)state;
    assert_true(fabs(clocksRatio(&cached, &good) - 1.5) < 1e-9);
    assert_true(fabs(clocksRatio(&memory, &good) - 1.5) < 1e-9);
    const ClocksTimes both = clocksSlower(&cached, &memory);
    assert_true(both.cached == cached.cached && both.memory == memory.memory);
    assert_true(clocksRatio(&cached, &unknown) == 0);
    assert_true(clocksRatio(&unknown, &good) == 0);
}

/* Before a row is measured again, steady is not enough: it must be the best clocks. */
static double back_after_a_second(unsigned i) {
    return i < 50 ? 1.3 * noise(i) : noise(i);
}

static double throttled(unsigned i) {
    return 1.3 * noise(i);
}

static void measuring_again_waits_for_the_best_clocks(void **state) {
    const ClocksWait *again = &clocksFull.again;
    (void)state;
    const Outcome back = await(again, &good, back_after_a_second);
    assert_int_equal(back.state, CLOCKS_SETTLED);
    assert_true(back.rise.busy >= 1 && back.rise.busy < 1.3);
    const Outcome stays = await(again, &good, throttled);
    assert_int_equal(stays.state, CLOCKS_UNSETTLED);
    assert_true(fabs(stays.rise.busy - again->most) < 0.05);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* How often a row is measured when the times around its tries are these; before and after: factors,
 * two a try. */
static uint32_t tries_of(const double *around, double waited) {
    uint32_t tries = 0;
    ClocksTimes worse;
    do {
        const ClocksTimes before = times(around[2 * tries]);
        const ClocksTimes after = times(around[2 * tries + 1]);
        worse = clocksSlower(&before, &after);
        ++tries;
    } while (clocksAgain(&clocksFull, &good, &worse, waited, tries));
    return tries;
}

static void a_row_is_measured_again_when_clocks_drift(void **state) {
    (void)state;
    assert_int_equal(tries_of((const double[]){1, 1}, 0), 1);
    assert_int_equal(tries_of((const double[]){1.02, 0.99}, 0), 1);
    assert_int_equal(tries_of((const double[]){1, 1.04, 1, 1}, 0), 2);
    assert_int_equal(tries_of((const double[]){1.04, 1, 1, 1}, 0), 2);
    assert_int_equal(tries_of((const double[]){3.5, 3.5, 1, 1.2, 1, 1.01}, 0), 3);
}

static void a_row_is_given_up(void **state) {
    (void)state;
    assert_int_equal(tries_of((const double[]){1.1, 1.1, 1.1, 1.1, 1.1, 1.1}, 0), clocksFull.tries);
    /* All rows together have been waited for long enough: a throttled device. */
    assert_int_equal(tries_of((const double[]){1.1, 1.1}, clocksFull.patience), 1);
}

/* A later row shows that the clocks had not risen all the way: those before it are told. */
static void better_clocks_make_earlier_rows_unsettled(void **state) {
    Clocks clocks = {.best = times(1.5)};
    const ClocksTimes early = times(1.5), late = times(1);
    (void)state;
    assert_true(clocksUnsettled(&clocks, &early) == 0);
    clocksNote(&clocks.best, &late);
    assert_true(fabs(clocksUnsettled(&clocks, &early) - 1.5) < 1e-9);
    assert_true(clocksUnsettled(&clocks, &late) == 0);
}

/* A thousand readings of the same clocks do not make the luckiest of them the measure. */
static void noise_makes_no_better_best(void **state) {
    ClocksTimes best = times(1);
    (void)state;
    for (unsigned i = 0; i < 1000; ++i) {
        const ClocksTimes around = times(1 - 0.00001 * (double)(i * 7919 % 1000));
        clocksNote(&best, &around);
    }
    assert_true(best.cached == good.cached && best.memory == good.memory);
    clocksNote(&best, &unknown);
    assert_true(best.cached == good.cached);
}

static void quick_runs_wait_less(void **state) {
    (void)state;
    assert_true(clocksQuick.start.most < 1);
    assert_true(clocksQuick.start.steady < clocksQuick.start.most);
    assert_true(clocksQuick.patience < 1);
    assert_true(clocksFull.start.least >= 4 && clocksFull.start.most > clocksFull.start.least);
    assert_true(clocksFull.again.steady < clocksFull.again.most);
}

/* ---- A device ------------------------------------------------------------------------------- */

static bool open_device(Gpu *gpu) {
    const char *device = getenv("MUR_TEST_DEVICE");
    const char *none = getenv("MUR_TEST_NO_VALIDATION");
    const GpuOptions options = {
        .application = "clocks_test",
        .device = device ? atoi(device) : -1,
        .validation = !(none && strcmp(none, "1") == 0),
    };
    return gpuOpen(gpu, &options);
}

/* The reference does its work on any device, whether its clocks are watched or not. */
static void the_reference_takes_time(void **state) {
    Gpu gpu;
    (void)state;
    assert_true(open_device(&gpu));
    Clocks clocks = {.gpu = &gpu, .limits = clocksQuick};
    ClocksReading reading, busy;
    assert_true(clocksOpenReference(&clocks));
    assert_true(clocksMeasure(&clocks, 0, &reading));
    assert_true(reading.times.cached > 0 && reading.times.memory > 0 && reading.seconds > 0);
    /* Four rounds of each are in it, of which the median was given: at least two are no faster. */
    assert_true(1e3 * reading.seconds > 2 * (reading.times.cached + reading.times.memory));
    clocks.before = reading.times;
    assert_true(clocksMeasure(&clocks, 3.5 * reading.times.memory, &busy));
    assert_true(1e3 * busy.seconds > 2 * (busy.times.cached + busy.times.memory));
    clocksClose(&clocks);
    assert_null(clocks.gpu);
    gpuClose(&gpu);
    assert_int_equal(gpu.messages, 0);
}

/* The whole way: the first row raises the clocks, within their limit. */
static void watched_clocks_are_raised_once(void **state) {
    Gpu gpu;
    char text[CLOCKS_TEXT];
    (void)state;
    assert_true(open_device(&gpu));
    Clocks clocks = {.gpu = &gpu, .limits = clocksQuick};
    ClocksTimes around;
    clocks.limits.start.most = 1e-3; /* one reading: software devices are slow */
    assert_true(clocksOpenReference(&clocks));
    clocksDescribe(&clocks, text);
    assert_non_null(strstr(text, "not raised"));
    assert_true(clocksBefore(&clocks, 0));
    const double busy = clocks.start.busy;
    assert_true(busy > 0 && clocks.best.cached > 0);
    assert_true(clocksBefore(&clocks, 0) && clocksAfter(&clocks, &around));
    assert_true(clocks.start.busy == busy);
    assert_true(around.cached > 0 && around.memory > 0);
    clocksDescribe(&clocks, text);
    assert_non_null(strstr(text, "random reads in 2 MiB"));
    clocksClose(&clocks);
    gpuClose(&gpu);
    assert_int_equal(gpu.messages, 0);
}

/* Software devices and queues without timestamps: nothing is done, nothing is unsettled. */
static void devices_without_clocks_are_not_watched(void **state) {
    Gpu gpu = {.timestampMask = UINT64_MAX};
    Clocks clocks;
    ClocksTimes around = good;
    char text[CLOCKS_TEXT];
    (void)state;
    gpu.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    assert_true(clocksWatched(&gpu));
    gpu.timestampMask = 0;
    assert_false(clocksWatched(&gpu));
    gpu.timestampMask = UINT64_MAX;
    gpu.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    assert_false(clocksWatched(&gpu));
    assert_true(clocksOpen(&gpu, &clocksFull, &clocks));
    assert_true(clocksBefore(&clocks, 0) && clocksAfter(&clocks, &around));
    assert_true(around.cached == 0 && around.memory == 0);
    assert_false(clocksRepeat(&clocks, &around, 1));
    assert_true(clocksUnsettled(&clocks, &around) == 0);
    clocksDescribe(&clocks, text);
    assert_non_null(strstr(text, "not watched"));
    clocksClose(&clocks);
}

/* What a program says on stderr. */
static void says(const Clocks *clocks, const ClocksTimes *around, const char *expected) {
    char text[512];
    FILE *file = tmpfile();
    assert_non_null(file);
    const int kept = dup(STDERR_FILENO);
    assert_true(kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    clocksSay(clocks, around, "a part");
    (void)fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (expected ? !strstr(text, expected) || !strstr(text, "a part: ") : *text != '\0') {
        fail_msg("\"%s\" should say \"%s\"", text, expected ? expected : "");
    }
}

static void programs_say_what_is_unsettled(void **state) {
    Clocks clocks = {.best = good, .start = {.busy = 1}, .settled = true};
    const ClocksTimes worse = times(1.25);
    (void)state;
    says(&clocks, &good, NULL);
    says(&clocks, &worse, "1.25 times as long");
    clocks.settled = false;
    says(&clocks, &good, "did not settle before");
    clocks = (Clocks){0}; /* not watched */
    says(&clocks, &unknown, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_clocks_settle_after_the_least_wait),
        cmocka_unit_test(idle_clocks_are_not_taken_for_steady_ones),
        cmocka_unit_test(a_step_of_the_clocks_begins_the_wait_anew),
        cmocka_unit_test(clocks_that_never_settle_are_given_up),
        cmocka_unit_test(both_times_count),
        cmocka_unit_test(measuring_again_waits_for_the_best_clocks),
        cmocka_unit_test(a_row_is_measured_again_when_clocks_drift),
        cmocka_unit_test(a_row_is_given_up),
        cmocka_unit_test(better_clocks_make_earlier_rows_unsettled),
        cmocka_unit_test(noise_makes_no_better_best),
        cmocka_unit_test(quick_runs_wait_less),
        cmocka_unit_test(programs_say_what_is_unsettled),
        cmocka_unit_test(the_reference_takes_time),
        cmocka_unit_test(watched_clocks_are_raised_once),
        cmocka_unit_test(devices_without_clocks_are_not_watched),
    };
    return cmocka_run_group_tests_name("clocks", tests, NULL, NULL);
}
