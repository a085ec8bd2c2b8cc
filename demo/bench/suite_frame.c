/* What a frame records: commands of small and medium size, one alone and sixteen with a barrier
 * between any two; and what recording costs the host. SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/say.h"
#include "operations.h"

#include <stdlib.h>
#include <time.h>

enum { MANY = 16, CALLS = 4096, CALL_ROUNDS = 9 };

typedef struct Frame {
    Trial trial; /* the table starts with the first pairs; the others are there to be inserted */
    uint32_t filled;
    uint32_t size; /* items a command */
    uint32_t commands;
} Frame;

static MurBatch batch(const Frame *frame, uint32_t first) {
    const Trial *trial = &frame->trial;
    const VkDeviceSize offset = 4 * (VkDeviceSize)first;
    const VkDeviceSize size = 4 * (VkDeviceSize)frame->size;
    return (MurBatch){
        .maxCount = frame->size,
        .keys = {trial->source.keys.address + offset, size},
        .values = {trial->source.values.address + offset, size},
    };
}

static bool setupFilled(Bench *bench, void *user) {
    const Frame *frame = user;
    MurBatch items = batch(frame, 0);
    items.maxCount = frame->filled;
    items.keys.size = items.values.size = 4 * (VkDeviceSize)frame->filled;
    bool done = gpuCheck(murCmdClear(bench->gpu.cmd, frame->trial.table), "clearing");
    gpuComputeBarrier(&bench->gpu);
    return done &&
           gpuCheck(murCmdInsert(bench->gpu.cmd, frame->trial.table, MUR_INSERT_ASSIGN, &items),
                    "inserting");
}

static bool runInserts(Bench *bench, void *user) {
    const Frame *frame = user;
    bool done = true;
    for (uint32_t i = 0; done && i < frame->commands; ++i) {
        MurBatch items = batch(frame, frame->filled + i * frame->size);
        items.statuses.address = frame->trial.statuses.address + 4 * i * (uint64_t)frame->size;
        items.statuses.size = items.keys.size;
        done = (i == 0 || gpuCheck(murCmdBarrier(bench->gpu.cmd, bench->gpu.context), "barrier")) &&
               gpuCheck(murCmdInsert(bench->gpu.cmd, frame->trial.table, MUR_INSERT_ASSIGN, &items),
                        "inserting");
    }
    return done;
}

static bool runFinds(Bench *bench, void *user) {
    const Frame *frame = user;
    bool done = true;
    for (uint32_t i = 0; done && i < frame->commands; ++i) {
        MurBatch items = batch(frame, i * frame->size);
        items.values.address = frame->trial.values.address + 4 * i * (uint64_t)frame->size;
        done = (i == 0 || gpuCheck(murCmdBarrier(bench->gpu.cmd, bench->gpu.context), "barrier")) &&
               gpuCheck(murCmdFind(bench->gpu.cmd, frame->trial.table, &items), "finding");
    }
    return done;
}

static bool addRow(const Frame *frame, const char *operation, double milliseconds) {
    const Trial *trial = &frame->trial;
    Row row = {.suite = "frame",
               .operation = operation,
               .pairs = frame->size,
               .capacity = trial->capacity,
               .load = (double)frame->filled / (double)trial->capacity,
               .milliseconds = milliseconds,
               .rate = 1e3 * milliseconds / frame->commands,
               .unit = "us"};
    snprintf(row.variant, sizeof row.variant, "%u command%s, unordered table", frame->commands,
             frame->commands == 1 ? "" : "s");
    return benchRow(trial->bench, &row);
}

static bool oneSize(Frame *frame, uint32_t size, uint32_t commands) {
    Trial *trial = &frame->trial;
    Bench *bench = trial->bench;
    frame->size = size;
    frame->commands = commands;
    const uint32_t items = size * commands;
    double milliseconds;
    MurStats stats;
    if (!benchTime(bench, &(Timed){setupFilled, runInserts, frame}, &milliseconds) ||
        !trialStats(trial, &stats)) {
        return false;
    }
    if (stats.live != frame->filled + items) {
        return sayError("frame: the table holds %u entries instead of %u", stats.live,
                        frame->filled + items);
    }
    return benchVerify(bench, "frame insert", &trial->statuses, 0, items, EXPECT_CONSTANT,
                       MUR_INSERTED) &&
           addRow(frame, "insert", milliseconds) &&
           benchTime(bench, &(Timed){NULL, runFinds, frame}, &milliseconds) &&
           benchVerify(bench, "frame find", &trial->values, 0, items, EXPECT_VALUES, 0) &&
           addRow(frame, "find hit", milliseconds);
}

/* ---- Recording ------------------------------------------------------------------------------ */

typedef enum Call { CALL_INSERT, CALL_FIND, CALL_ERASE, CALL_CLEAR, CALL_BARRIER } Call;

static VkResult record(const Frame *frame, Call call, const MurBatch *items) {
    const Gpu *gpu = &frame->trial.bench->gpu;
    switch (call) {
    case CALL_INSERT:
        return murCmdInsert(gpu->cmd, frame->trial.table, MUR_INSERT_ASSIGN, items);
    case CALL_FIND:
        return murCmdFind(gpu->cmd, frame->trial.table, items);
    case CALL_ERASE:
        return murCmdErase(gpu->cmd, frame->trial.table, items);
    case CALL_CLEAR:
        return murCmdClear(gpu->cmd, frame->trial.table);
    default:
        return murCmdBarrier(gpu->cmd, gpu->context);
    }
}

/* Nanoseconds a call, over many into one command buffer, which is never submitted. */
static bool timeCalls(const Frame *frame, Call call, double *nanoseconds) {
    Gpu *gpu = &frame->trial.bench->gpu;
    const MurBatch items = batch(frame, 0);
    struct timespec begin, end;
    if (!gpuBegin(gpu)) {
        return false;
    }
    VkResult result = VK_SUCCESS;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (uint32_t i = 0; i < CALLS && result == VK_SUCCESS; ++i) {
        result = record(frame, call, &items);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    *nanoseconds =
        (1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec)) / CALLS;
    return gpuCheck(result, "recording") &&
           gpuCheck(vkEndCommandBuffer(gpu->cmd), "recording commands");
}

static int compareDoubles(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool recordingRows(Frame *frame) {
    static const char *const names[] = {"murCmdInsert", "murCmdFind", "murCmdErase", "murCmdClear",
                                        "murCmdBarrier"};
    frame->size = 1;
    for (Call call = CALL_INSERT; call <= CALL_BARRIER; ++call) {
        double times[CALL_ROUNDS];
        for (int round = -1; round < CALL_ROUNDS; ++round) { /* the first one grows the pool */
            if (!timeCalls(frame, call, &times[round < 0 ? 0 : round])) {
                return false;
            }
        }
        qsort(times, CALL_ROUNDS, sizeof *times, compareDoubles);
        const Row row = {.suite = "frame",
                         .operation = names[call],
                         .variant = "recording, on the host",
                         .pairs = CALLS,
                         .rate = times[CALL_ROUNDS / 2],
                         .unit = "ns"};
        if (!benchRow(frame->trial.bench, &row)) {
            return false;
        }
    }
    return true;
}

bool suiteFrame(Bench *bench) {
    static const uint32_t sizes[] = {1, 64, 1u << 10, 1u << 14, 1u << 16, 1u << 20};
    const bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const uint32_t filled = bench->options.quick ? 1u << 14 : 1u << 20;
    Frame frame = {.filled = filled};
    bool done = trialOpen(&frame.trial, bench, "frame",
                          wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32, 4 * (uint64_t)filled,
                          filled, 0);
    for (size_t i = 0; done && i < sizeof sizes / sizeof sizes[0]; ++i) {
        /* The pairs beside those in the table are as many: a command or a series cannot have
         * more. */
        done = sizes[i] > filled || oneSize(&frame, sizes[i], 1);
        done = done && (MANY * sizes[i] > filled || oneSize(&frame, sizes[i], MANY));
    }
    done = done && recordingRows(&frame);
    trialClose(&frame.trial);
    return done;
}
