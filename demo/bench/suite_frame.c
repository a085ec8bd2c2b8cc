/* Commands of frames with small and medium sizes: one command alone, and sixteen with barriers
 * between them. Also the host time of recording. SPDX-License-Identifier: MIT */
#include "common/clock.h"
#include "operations.h"

enum { MANY = 16, CALLS = 4096, QUICK_CALLS = 256, CALL_ROUNDS = 9 };

typedef enum Insert { INSERT_PLAIN, INSERT_STATUSES, INSERT_EXCLUSIVE } Insert;

typedef struct Frame {
    Trial trial;   /* the table first contains its pairs; as many others are inserted */
    uint32_t size; /* items per command */
    uint32_t commands;
    Insert insert;
    const char *state;
} Frame;

BENCH_STEP(setupFilled, const Frame, frame) {
    return trialRecordFill(&frame->trial, 0, frame->trial.pairs);
}

static bool recordBarrier(const Trial *trial, uint32_t command) {
    return command == 0 ||
           gpuCheck(murCmdBarrier(trial->bench->gpu.cmd, trial->table), "recording a barrier");
}

/* Returns the pairs of command n, which the table does not contain. */
static MurBatch insertBatch(const Frame *frame, uint32_t n) {
    const Trial *trial = &frame->trial;
    MurBatch items = trialBatch(trial, trial->pairs + n * frame->size, frame->size);
    if (frame->insert == INSERT_EXCLUSIVE) {
        items.flags = MUR_BATCH_EXCLUSIVE;
        trialLend(trial, MUR_COMMAND_INSERT, &items);
    } else if (frame->insert == INSERT_STATUSES) {
        items.statuses.address = trial->statuses.address + 4 * n * (uint64_t)frame->size;
        items.statuses.size = items.keys.size;
    }
    return items;
}

BENCH_STEP(runInserts, const Frame, frame) {
    bool done = true;
    for (uint32_t i = 0; done && i < frame->commands; ++i) {
        const MurBatch items = insertBatch(frame, i);
        done = recordBarrier(&frame->trial, i) && trialRecordInsert(&frame->trial, &items);
    }
    return done;
}

BENCH_STEP(runFinds, const Frame, frame) {
    const Trial *trial = &frame->trial;
    bool done = true;
    for (uint32_t i = 0; done && i < frame->commands; ++i) {
        MurBatch items = trialBatch(trial, i * frame->size, frame->size);
        items.values.address = trial->values.address + 4 * i * (uint64_t)frame->size;
        done = recordBarrier(trial, i) &&
               gpuCheck(murCmdFind(bench->gpu.cmd, trial->table, &items), "finding");
    }
    return done;
}

static bool addRow(const Frame *frame, const char *operation, const char *more, Timing timing) {
    const Trial *trial = &frame->trial;
    Row row = trialRow(trial, operation, frame->state, frame->size, timing);
    row.rate = 1e3 * timing.milliseconds / frame->commands;
    row.unit = "us";
    row.scratch = insertBatch(frame, 0).scratch.size;
    benchSay(&row, "%s, %u command%s", more, frame->commands, frame->commands == 1 ? "" : "s");
    return benchRow(trial->bench, &row);
}

BENCH_STEP(findOthers, const Frame, frame) {
    return trialRecordFind(&frame->trial, frame->trial.pairs);
}

/* Checks that the table has exactly its initial pairs and the inserted pairs, with their values. */
static bool verifyInserts(Frame *frame) {
    static const char what[] = "frame insert";
    Bench *bench = frame->trial.bench;
    const uint32_t items = frame->size * frame->commands;
    Trial more = frame->trial;
    MurStats stats;
    more.entries += items;
    return (frame->insert != INSERT_STATUSES ||
            benchIsAll(bench, what, &more.statuses, 0, items, MUR_INSERTED)) &&
           trialHolds(&more, what, 0, &stats) && benchOnce(bench, findOthers, frame) &&
           benchIsValues(bench, what, &more.values, more.pairs, items);
}

static bool inserts(Frame *frame, Insert insert) {
    static const char *const names[] = {"", ", statuses", ", exclusive, scratch"};
    Trial *trial = &frame->trial;
    Timing timing;
    frame->insert = insert;
    const bool done = trialTime(trial, &(Timed){setupFilled, runInserts, frame}, &frame->state,
                                &timing) &&
                      verifyInserts(frame) && addRow(frame, "insert", names[insert], timing);
    frame->insert = INSERT_PLAIN;
    return done;
}

/* Times finds before the inserts, which would make the table unsorted. */
static bool finds(Frame *frame) {
    Trial *trial = &frame->trial;
    Timing timing;
    return trialFill(trial) &&
           trialTime(trial, &(Timed){NULL, runFinds, frame}, &frame->state, &timing) &&
           benchIsValues(trial->bench, "frame find", &trial->values, 0,
                         frame->size * frame->commands) &&
           addRow(frame, "find hit", "", timing);
}

/* Returns whether exclusive batches with scratch memory have a faster path. */
static bool hasExclusive(Frame *frame) {
    frame->insert = INSERT_EXCLUSIVE;
    const bool has = insertBatch(frame, 0).scratch.size != 0;
    frame->insert = INSERT_PLAIN;
    return has;
}

static bool oneSize(Frame *frame, uint32_t size, uint32_t commands) {
    frame->size = size;
    frame->commands = commands;
    return inserts(frame, INSERT_PLAIN) && inserts(frame, INSERT_STATUSES) &&
           (!hasExclusive(frame) || inserts(frame, INSERT_EXCLUSIVE)) && finds(frame);
}

/* The number of absent pairs limits the size of a command, and of sixteen commands. */
static bool inState(Frame *frame, Fill fill) {
    static const uint32_t sizes[] = {1, 64, 1u << 10, 1u << 14, 1u << 16, 1u << 20};
    static const uint32_t quick[] = {1, 8, 16, 64, 1u << 7, 1u << 11};
    frame->trial.fill = fill;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const uint32_t size = (frame->trial.bench->options.quick ? quick : sizes)[i];
        if (!oneSize(frame, size, 1) ||
            (MANY * size <= frame->trial.pairs && !oneSize(frame, size, MANY))) {
            return false;
        }
    }
    return true;
}

typedef enum Call { CALL_INSERT, CALL_FIND, CALL_ERASE, CALL_CLEAR, CALL_BARRIER } Call;

static VkResult record(const Frame *frame, Call call, const MurBatch *items) {
    const Gpu *gpu = &frame->trial.bench->gpu;
    switch (call) {
    case CALL_INSERT:
        return murCmdInsert(gpu->cmd, frame->trial.table, MUR_MODE_ASSIGN, items);
    case CALL_FIND:
        return murCmdFind(gpu->cmd, frame->trial.table, items);
    case CALL_ERASE:
        return murCmdErase(gpu->cmd, frame->trial.table, items);
    case CALL_CLEAR:
        return murCmdClear(gpu->cmd, frame->trial.table);
    default:
        return murCmdBarrier(gpu->cmd, frame->trial.table);
    }
}

static uint32_t callsOf(const Frame *frame) {
    return frame->trial.bench->options.quick ? QUICK_CALLS : CALLS;
}

/* Measures nanoseconds per call, for many calls into one command buffer that is never submitted. */
static bool timeCalls(const Frame *frame, Call call, double *nanoseconds) {
    Gpu *gpu = &frame->trial.bench->gpu;
    const MurBatch items = trialBatch(&frame->trial, 0, frame->size);
    const uint32_t calls = callsOf(frame);
    if (!gpuBegin(gpu)) {
        return false;
    }
    VkResult result = VK_SUCCESS;
    const double begin = secondsNow();
    for (uint32_t i = 0; i < calls && result == VK_SUCCESS; ++i) {
        result = record(frame, call, &items);
    }
    *nanoseconds = 1e9 * (secondsNow() - begin) / calls;
    return gpuCheck(result, "recording") &&
           gpuCheck(vkEndCommandBuffer(gpu->cmd), "recording commands");
}

static bool recordingRows(Frame *frame) {
    static const char *const names[] = {"murCmdInsert", "murCmdFind", "murCmdErase", "murCmdClear",
                                        "murCmdBarrier"};
    frame->size = 1;
    for (Call call = CALL_INSERT; call <= CALL_BARRIER; ++call) {
        double times[CALL_ROUNDS];
        for (int round = -1; round < CALL_ROUNDS; ++round) { /* the first round grows the pool */
            if (!timeCalls(frame, call, &times[round < 0 ? 0 : round])) {
                return false;
            }
        }
        const Row row = {.suite = "frame",
                         .operation = names[call],
                         .variant = "recording, on the host",
                         .pairs = callsOf(frame),
                         .rate = secondsMedian(times, CALL_ROUNDS),
                         .unit = "ns",
                         .reps = CALL_ROUNDS};
        if (!benchRow(frame->trial.bench, &row)) {
            return false;
        }
    }
    return true;
}

bool suiteFrame(Bench *bench) {
    Frame frame = {.insert = INSERT_PLAIN};
    Trial *trial = &frame.trial;
    const uint32_t pairs = bench->options.quick ? 1u << 11 : 1u << 20;
    const MurTableCreateInfo info = trialInfo(4ull * pairs, trialWidth(bench),
                                              TRIAL_SCRATCH | TRIAL_BUILD);
    bool done = trialOpen(trial, bench, "frame", info, pairs) && inState(&frame, FILL_DIRECT) &&
                (!trialCanOrder(trial) || inState(&frame, FILL_ORDERED)) && recordingRows(&frame);
    trialClose(trial);
    return done;
}
