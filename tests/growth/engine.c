/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include "support/watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void engine_fail(Engine *engine, const char *format,
                                                              ...) {
    if (engine->failure[0]) {
        return;
    }
    const int at = snprintf(engine->failure, sizeof engine->failure,
                            "seed %u, frame %llu: ", engine->options.seed,
                            (unsigned long long)engine->frame);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(engine->failure + at, sizeof engine->failure - (size_t)at, format, arguments);
    va_end(arguments);
}

static uint32_t format_of(const Engine *engine) {
    return type_format(engine->options.info.table.type);
}

static uint64_t key_of(const Engine *engine, uint32_t item) {
    if (engine->key) {
        return engine->key(item);
    }
    const uint32_t low = mur_hash(item, 0xC0FFEE);
    return MUR_IS_64(format_of(engine)) ? (uint64_t)mur_hash(item, 0xBEEF) << 32 | low : low;
}

static uint32_t none_of(const Engine *engine) {
    return engine->options.info.table.emptyValue == MUR_EMPTY_VALUE_ZERO ? 0 : UINT32_MAX;
}

/* ---- Memory of a frame in flight: arrays of options.batch elements of 8 bytes --------------- */

typedef enum Array {
    ERASE_KEYS,
    INSERT_KEYS,
    INSERT_VALUES,
    INSERT_STATUSES,
    FIND_KEYS,
    FIND_VALUES,
    FIND_STATUSES,
    INSERT_ITEMS, /* from here on, arrays that only the host uses */
    FIND_ITEMS,
    FIND_EXPECTED, /* expected values of the finds */
    ARRAY_COUNT
} Array;

static uint32_t *words_of(const Engine *engine, const Lane *lane, Array array) {
    return (uint32_t *)lane->flight->memory.mapped + 2 * (size_t)engine->options.batch * array;
}

static MurArray array_of(const Engine *engine, const Lane *lane, Array array) {
    return gpu_part(&lane->flight->memory, 2ull * engine->options.batch * array,
                    2ull * engine->options.batch);
}

MurArray engine_found_keys(const Engine *engine) {
    const uint32_t inFlight = engine->options.info.framesInFlight;
    return array_of(engine, &engine->lanes[(engine->frame - 1) % inFlight], FIND_KEYS);
}

static void set_key(const Engine *engine, const Lane *lane, Array array, uint32_t i, uint64_t key) {
    uint32_t *words = words_of(engine, lane, array);
    if (MUR_IS_64(format_of(engine))) {
        words[2 * i] = (uint32_t)key;
        words[2 * i + 1] = (uint32_t)(key >> 32);
    } else {
        words[i] = (uint32_t)key;
    }
}

/* Sets value i of a frame's inserts. Both words of a 64-bit value are equal. */
static void set_value(const Engine *engine, const Lane *lane, uint32_t i, uint32_t value) {
    uint32_t *words = words_of(engine, lane, INSERT_VALUES);
    if (format_of(engine) == MUR_FORMAT_K64V64) {
        words[2 * i] = words[2 * i + 1] = value;
    } else {
        words[i] = value;
    }
}

static bool is_value(const Engine *engine, const Lane *lane, uint32_t i, uint32_t value) {
    const uint32_t *words = words_of(engine, lane, FIND_VALUES);
    return MUR_IS_SET(format_of(engine)) ||
           (format_of(engine) == MUR_FORMAT_K64V64
                ? words[2 * i] == value && words[2 * i + 1] == value
                : words[i] == value);
}

/* ---- Checks of a frame's results ------------------------------------------------------------ */

static void judge_inserts(Engine *engine, Lane *lane) {
    const uint32_t *statuses = words_of(engine, lane, INSERT_STATUSES);
    const uint32_t *items = words_of(engine, lane, INSERT_ITEMS);
    for (uint32_t i = 0; i < lane->inserts; ++i) {
        const bool fresh = i < lane->firstAssign;
        if (statuses[i] == MUR_FULL && engine->options.mayFill) {
            engine->items[items[i]].state = ITEM_ERASED;
            --engine->live;
            ++engine->full;
        } else if (statuses[i] != (fresh ? MUR_INSERTED : MUR_EXISTED) &&
                   (statuses[i] != MUR_INSERTED || engine->exact)) {
            engine_fail(engine, "insert %u of frame %llu, item %u: %s", i,
                        (unsigned long long)lane->flight->frame, items[i],
                        murStatusName(statuses[i]));
        }
    }
}

static void judge_finds(Engine *engine, Lane *lane) {
    const uint32_t *statuses = words_of(engine, lane, FIND_STATUSES);
    const uint32_t *items = words_of(engine, lane, FIND_ITEMS);
    const uint32_t *expected = words_of(engine, lane, FIND_EXPECTED);
    for (uint32_t i = 0; i < lane->finds; ++i) {
        const bool gone = engine->options.mayFill &&
                          engine->items[items[i]].state != ITEM_LIVE; /* insert reported MUR_FULL */
        const uint32_t value = gone ? none_of(engine) : expected[i];
        const uint32_t status = value == none_of(engine) ? MUR_ABSENT : MUR_FOUND;
        if (statuses[i] != status || !is_value(engine, lane, i, value)) {
            engine_fail(engine, "find %u of frame %llu, item %u: %s, value %u; expected %s, %u", i,
                        (unsigned long long)lane->flight->frame, items[i],
                        murStatusName(statuses[i]), words_of(engine, lane, FIND_VALUES)[i],
                        murStatusName(status), value);
        }
    }
}

static void judge(void *model, uint32_t at) {
    Engine *engine = model;
    judge_inserts(engine, &engine->lanes[at]);
    judge_finds(engine, &engine->lanes[at]);
}

void engine_drain(Engine *engine) {
    frames_drain(&engine->frames);
}

/* ---- Recording of a frame ------------------------------------------------------------------- */

static uint32_t plan_erasures(Engine *engine, Lane *lane, const FramePlan *plan) {
    const uint32_t random = engine->made ? plan->erasures : 0;
    for (uint32_t i = 0; i < random + plan->eraseCount; ++i) {
        const uint32_t number = i < random ? random_below(&engine->random, engine->made)
                                           : plan->eraseFrom + i - random;
        Item *item = &engine->items[number];
        set_key(engine, lane, ERASE_KEYS, i, key_of(engine, number));
        engine->live -= item->state == ITEM_LIVE;
        item->state = item->state == ITEM_NEVER ? ITEM_NEVER : ITEM_ERASED;
    }
    return random + plan->eraseCount;
}

static void plan_insert(Engine *engine, Lane *lane, uint32_t number) {
    const uint32_t i = lane->inserts++;
    Item *item = &engine->items[number];
    engine->live += item->state != ITEM_LIVE;
    *item = (Item){ITEM_LIVE, 1 + random_below(&engine->random, 1u << 30)};
    if (MUR_IS_SET(format_of(engine))) {
        item->value = 1;
    }
    words_of(engine, lane, INSERT_ITEMS)[i] = number;
    set_key(engine, lane, INSERT_KEYS, i, key_of(engine, number));
    set_value(engine, lane, i, item->value);
}

static void plan_inserts(Engine *engine, Lane *lane, const FramePlan *plan) {
    const uint32_t before = engine->made;
    lane->inserts = 0;
    for (uint32_t i = 0; i < plan->inserts && engine->made < engine->options.items; ++i) {
        plan_insert(engine, lane, engine->made++);
        ++engine->newPairs;
    }
    lane->firstAssign = lane->inserts;
    const uint32_t start = before ? random_below(&engine->random, before) : 0;
    for (uint32_t i = 0; i < plan->assigns && i < before; ++i) {
        const uint32_t number = (start + i) % before;
        if (engine->items[number].state == ITEM_LIVE || plan->revive) {
            engine->exact = engine->exact && engine->items[number].state == ITEM_LIVE;
            plan_insert(engine, lane, number);
        }
    }
}

static void plan_finds(Engine *engine, Lane *lane, const FramePlan *plan) {
    lane->finds = plan->finds + plan->findCount;
    for (uint32_t i = 0; i < lane->finds; ++i) {
        const uint32_t number = i < plan->finds ? random_below(&engine->random, engine->made + 16)
                                                : plan->findFrom + i - plan->finds;
        const Item *item = &engine->items[number];
        words_of(engine, lane, FIND_ITEMS)[i] = number;
        words_of(engine, lane, FIND_EXPECTED)[i] = item->state == ITEM_LIVE ? item->value
                                                                            : none_of(engine);
        set_key(engine, lane, FIND_KEYS, i, key_of(engine, number));
    }
}

static void record_batches(Engine *engine, Lane *lane, uint32_t erasures) {
    VkCommandBuffer cmd = lane->flight->lane.cmd;
    MurTable table = engine->use.table;
    const bool set = MUR_IS_SET(format_of(engine));
    const MurBatch erase = {.maxCount = erasures, .keys = array_of(engine, lane, ERASE_KEYS)};
    const MurBatch insert = {.maxCount = lane->inserts,
                             .keys = array_of(engine, lane, INSERT_KEYS),
                             .values = set ? (MurArray){0, 0}
                                           : array_of(engine, lane, INSERT_VALUES),
                             .statuses = array_of(engine, lane, INSERT_STATUSES)};
    const MurBatch find = {.maxCount = lane->finds,
                           .keys = array_of(engine, lane, FIND_KEYS),
                           .values = set ? (MurArray){0, 0} : array_of(engine, lane, FIND_VALUES),
                           .statuses = array_of(engine, lane, FIND_STATUSES)};
    gpu_require(murCmdErase(cmd, table, &erase));
    gpu_require(murCmdBarrier(cmd, table));
    gpu_require(murCmdInsert(cmd, table, MUR_MODE_ASSIGN, &insert));
    gpu_require(murCmdBarrier(cmd, table));
    gpu_require(murCmdFind(cmd, table, &find));
}

static void submit(Engine *engine, Gpu *lane) {
    gpu_barrier(lane);
    if (engine->options.queueLock) {
        pthread_mutex_lock(engine->options.queueLock);
    }
    gpu_send(lane);
    if (engine->options.queueLock) {
        pthread_mutex_unlock(engine->options.queueLock);
    }
}

/* Checks that the status describes an earlier state of the table, and its bound of used slots. */
static void judge_status(Engine *engine) {
    MurGrowableStatus *status = &engine->status;
    murGetGrowableStatus(engine->growable, status);
    const float maxLoad = engine->options.info.maxLoad;
    const double most = (maxLoad > 0 ? (double)maxLoad : 0.75) * (double)status->capacity;
    const uint64_t live = engine->liveBefore[status->frame],
                   made = engine->newBefore[status->frame];
    const bool strict = !engine->options.mayFill, whole = strict && status->lost == 0;
    const struct {
        bool wrong;
        const char *what;
        uint64_t got, expected;
    } checks[] = {
        {whole && status->live != live, "entries", status->live, live},
        {strict && engine->exact && status->newPairs != made, "new pairs", status->newPairs, made},
        {strict && status->undeclared != 0, "undeclared pairs", status->undeclared, 0},
        {whole && status->usedAtMost < engine->live, "used slots or more", status->usedAtMost,
         engine->live},
        {engine->use.growth == VK_SUCCESS && (double)status->usedAtMost > most + 1,
         "used slots at most without growth", status->usedAtMost, (uint64_t)most},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i) {
        if (checks[i].wrong) {
            engine_fail(engine, "status of frame %llu: %llu %s, expected %llu",
                        (unsigned long long)status->frame, (unsigned long long)checks[i].got,
                        checks[i].what, (unsigned long long)checks[i].expected);
        }
    }
}

void engine_frame(Engine *engine, const FramePlan *plan) {
    const uint64_t number = ++engine->frame;
    const uint32_t inFlight = engine->options.info.framesInFlight;
    assert_true(number < ENGINE_FRAMES);
    const uint32_t at = frames_begin(&engine->frames, number);
    Lane *lane = &engine->lanes[at];
    Gpu *gpu = &engine->frames.flights[at].lane;
    engine->liveBefore[number] = engine->live;
    engine->newBefore[number] = engine->newPairs;
    const uint32_t erasures = plan_erasures(engine, lane, plan);
    plan_inserts(engine, lane, plan);
    plan_finds(engine, lane, plan);
    assert_true(erasures <= engine->options.batch && lane->inserts <= engine->options.batch &&
                lane->finds <= engine->options.batch);
    const MurGrowableFrame frame = {
        .frame = number,
        .completedFrame = number > inFlight ? number - inFlight : 0,
        .maxInserts = plan->declared ? plan->declared : lane->inserts,
    };
    gpu_barrier(gpu);
    gpu_require(murCmdBeginGrowableFrame(gpu->cmd, engine->growable, &frame, &engine->use));
    gpu_require(murCmdBarrier(gpu->cmd, engine->use.table));
    record_batches(engine, lane, erasures);
    submit(engine, gpu);
    judge_status(engine);
}

void engine_find_all(Engine *engine) {
    const uint32_t batch = engine->options.batch;
    for (uint32_t first = 0; first < engine->made; first += batch) {
        const uint32_t left = engine->made - first;
        const FramePlan plan = {.findFrom = first, .findCount = left < batch ? left : batch};
        engine_frame(engine, &plan);
    }
    engine_drain(engine);
}

/* ---- Opening and closing an engine ---------------------------------------------------------- */

void engine_open(Engine *engine, Gpu *gpu, MurContext context, const EngineOptions *options) {
    memset(engine, 0, sizeof *engine);
    engine->gpu = gpu;
    engine->context = context;
    engine->options = *options;
    engine->random.state = options->seed;
    engine->exact = true;
    engine->items = test_allocate(((size_t)options->items + 16) * sizeof *engine->items);
    assert_true(!options->mayFill || options->info.framesInFlight == 1);
    frames_open(&engine->frames, gpu, options->info.framesInFlight,
                8ull * options->batch * ARRAY_COUNT);
    engine->frames.judge = judge;
    engine->frames.model = engine;
    for (uint32_t i = 0; i < FRAMES_MAX; ++i) {
        engine->lanes[i].flight = &engine->frames.flights[i];
    }
    gpu_require(murCreateGrowable(context, &options->info, &engine->growable));
}

void engine_close(Engine *engine) {
    engine_drain(engine);
    murDestroyGrowable(engine->growable);
    frames_close(&engine->frames);
    free(engine->items);
    if (engine->failure[0]) {
        fail_msg("%s", engine->failure);
    }
}

/* ---- Growth under load ---------------------------------------------------------------------- */

static void expect_no_waits(void) {
    if (interpose_waits() != 0) {
        fail_msg("the library has waited for the GPU, or asked it, %u times", interpose_waits());
    }
}

void grow_under_load(Gpu *gpu, const LoadCase *test) {
    static Engine engine;
    Observed observed;
    observe_open(&observed, gpu);
    /* An eighth of the inserted keys is erased later. */
    const uint32_t perFrame = (uint32_t)((test->to - test->from) * 8ull / 7 / test->frames) + 1;
    const uint32_t batch = test->from > 2 * perFrame ? test->from : 2 * perFrame;
    const EngineOptions options = {
        .info = {.table = {.capacity = test->from,
                           .seed = 99,
                           .type = format_type(test->format, 0),
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
        .erasures = perFrame / 8, .inserts = perFrame, .assigns = perFrame / 2, .finds = perFrame};
    for (uint32_t i = 2; i < test->frames; ++i) {
        engine_frame(&engine, &plan);
        watchdog(300);
    }
    engine_drain(&engine);
    expect_no_waits();
    engine_find_all(&engine);
    assert_true(engine.live > test->to / 10 * 9);
    assert_int_equal(engine.status.failures, 0);
    assert_int_equal(engine.status.lost, 0);
    assert_true(engine.status.capacity >= engine.live / 3 * 4);
    assert_true(engine.status.capacity <= 4ull * engine.live);
    const MurStats stats = gpu_stats(gpu, engine.use.table);
    assert_int_equal(stats.live, engine.live);
    assert_int_equal(stats.failedInserts + stats.invalidValues, 0);
    expect_no_waits();
    engine_close(&engine);
    expect_no_waits();
    observe_close(&observed);
}
