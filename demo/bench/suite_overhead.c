/* Fixed costs: the first table of a context (pipelines and their creation), and commands of the
 * sizes that frames record. SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/clock.h"
#include "trial.h"

#include <murmuration/multi.h>

#include <stdlib.h>
#include <string.h>

/* ---- The first table ------------------------------------------------------------------------ */

/* A table type, and a kernel set or NULL. Types share kernels, and drivers may cache them within a
 * process, so the most common type comes first. */
typedef struct Kind {
    const char *name;
    MurType (*type)(void);
    MurKernels (*kernels)(void);
    bool wide; /* requires 64-bit atomics */
} Kind;

static const Kind kinds[] = {
    {"K32V32", murTypeK32V32, NULL, false},
    {"K32V32 for scratch memory", murTypeK32V32, murKernelsLargeBatches, false},
    {"K32V32 for build", murTypeK32V32, murKernelsBuild, false},
    {"K32V32 for rehash", murTypeK32V32, murKernelsRehash, false},
    {"K64V32", murTypeK64V32, NULL, false},
    {"K64V32 for many values a key", murTypeMultiK32, NULL, false},
    {"K64V64", murTypeK64V64, NULL, true},
    {"K64", murTypeK64, NULL, true},
    {"K32", murTypeK32, NULL, false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], QUICK_KINDS = 2 };

/* Counts the pipelines that the library reports. */
static void onLog(void *user, MurLogSeverity severity, const char *message) {
    uint32_t *pipelines = user;
    if (severity == MUR_LOG_INFO) {
        *pipelines += strncmp(message, "pipeline ", 9) == 0;
    } else {
        (void)sayError("%s", message);
    }
}

/* Creates a context and its first table with a pipeline cache of this content, and replaces the
 * content (`data`, which the caller frees) by that of the cache. */
static bool firstTable(const Gpu *gpu, const Kind *kind, void **data, size_t *size,
                       uint32_t *pipelines, double *time) {
    const VkPipelineCacheCreateInfo cacheInfo = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = *size,
        .pInitialData = *data};
    MurContextCreateInfo info = {.instance = gpu->instance,
                                 .physicalDevice = gpu->physicalDevice,
                                 .device = gpu->device,
                                 .getInstanceProcAddr = vkGetInstanceProcAddr,
                                 .enabledFeatures = gpu->features,
                                 .pfnLog = onLog,
                                 .pLogUserData = pipelines};
    const MurTableCreateInfo tableInfo = {
        .capacity = 1024,
        .type = kind->type(),
        .emptyValue = kind->type == murTypeMultiK32 ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
        .kernels = {kind->kernels ? kind->kernels() : NULL},
        .pName = "first table"};
    MurContext context = VK_NULL_HANDLE;
    MurTable table = VK_NULL_HANDLE;
    *pipelines = 0;
    bool done = gpuCheck(vkCreatePipelineCache(gpu->device, &cacheInfo, NULL, &info.pipelineCache),
                         "creating a pipeline cache") &&
                gpuCheck(murCreateContext(&info, &context), "creating a context");
    const double begin = secondsNow();
    done = done && gpuCheck(murCreateTable(context, &tableInfo, &table), "creating a table");
    *time = 1e3 * (secondsNow() - begin);
    murDestroyTable(table);
    murDestroyContext(context);
    free(*data);
    *data = NULL;
    done = done && (*pipelines > 0 || sayError("overhead: the library reports no pipelines")) &&
           gpuCheck(vkGetPipelineCacheData(gpu->device, info.pipelineCache, size, NULL), "a cache");
    *data = done ? malloc(*size + 1) : NULL;
    done = *data && gpuCheck(vkGetPipelineCacheData(gpu->device, info.pipelineCache, size, *data),
                             "reading a pipeline cache");
    vkDestroyPipelineCache(gpu->device, info.pipelineCache, NULL);
    return done;
}

/* Returns text about the driver's disk cache, which must be disabled: it precedes an empty
 * VkPipelineCache. */
static const char *diskCache(void) {
    const char *nvidia = getenv("__GL_SHADER_DISK_CACHE");
    const char *mesa = getenv("MESA_SHADER_CACHE_DISABLE");
    const bool off = (nvidia && strcmp(nvidia, "0") == 0) ||
                     (mesa && (strcmp(mesa, "1") == 0 || strcmp(mesa, "true") == 0));
    return off ? ", driver's cache off" : ", driver's cache not off";
}

static bool startRow(Bench *bench, const Kind *kind, const char *operation, const char *more,
                     double rate, const char *unit, uint32_t reps) {
    Row row = {
        .suite = "overhead", .operation = operation, .rate = rate, .unit = unit, .reps = reps};
    benchSay(&row, "%s%s", kind->name, more);
    return benchRow(bench, &row);
}

/* Only the first table can be cold. Each later table uses the cache that its predecessor left. */
static bool firstTables(Bench *bench, const Kind *kind) {
    const uint32_t reps = bench->options.quick ? 1 : bench->options.reps;
    double cold, times[BENCH_MAX_REPS];
    uint32_t pipelines, ignored;
    size_t size = 0;
    void *data = NULL;
    bool done = firstTable(&bench->gpu, kind, &data, &size, &pipelines, &cold) &&
                startRow(bench, kind, "pipelines", "", pipelines, "made", 1) &&
                startRow(bench, kind, "cold table", diskCache(), cold, "ms", 1);
    for (uint32_t i = 0; i < reps && done; ++i) {
        done = firstTable(&bench->gpu, kind, &data, &size, &ignored, &times[i]);
    }
    free(data);
    return done &&
           startRow(bench, kind, "warm table", diskCache(), secondsMedian(times, reps), "ms", reps);
}

/* ---- Commands of frames --------------------------------------------------------------------- */

enum { MANY = 16 };

typedef struct Frame {
    Trial trial;   /* the table first contains its pairs; as many others are inserted */
    uint32_t size; /* items per command */
    uint32_t commands;
    bool finds;
} Frame;

BENCH_STEP(setupFilled, const Frame, frame) {
    return trialRecordFill(&frame->trial, 0, frame->trial.pairs);
}

BENCH_STEP(runCommands, const Frame, frame) {
    const Trial *trial = &frame->trial;
    bool done = true;
    for (uint32_t i = 0; done && i < frame->commands; ++i) {
        const uint32_t first = i * frame->size;
        MurBatch items = trialBatch(trial, frame->finds ? first : trial->pairs + first,
                                    frame->size);
        done = i == 0 || gpuCheck(murCmdBarrier(bench->gpu.cmd, trial->table), "a barrier");
        if (frame->finds) {
            items.values.address = trial->values.address + 4ull * first;
            done = done && gpuCheck(murCmdFind(bench->gpu.cmd, trial->table, &items), "finding");
        } else {
            done = done && trialRecordInsert(trial, &items);
        }
    }
    return done;
}

BENCH_STEP(findOthers, const Frame, frame) {
    return trialRecordFind(&frame->trial, frame->trial.pairs);
}

/* After inserts, the table has its initial pairs and the inserted pairs, with their values. */
static bool verifyFrame(Frame *frame, const char *what) {
    Trial more = frame->trial;
    Bench *bench = more.bench;
    const uint32_t items = frame->size * frame->commands;
    MurStats stats;
    more.entries += items;
    return frame->finds
               ? benchIsValues(bench, what, &more.values, 0, items)
               : trialHolds(&more, what, 0, &stats) && benchOnce(bench, findOthers, frame) &&
                     benchIsValues(bench, what, &more.values, more.pairs, items);
}

static bool frameRow(Frame *frame, uint32_t size, uint32_t commands, bool finds) {
    Trial *trial = &frame->trial;
    const char *state, *operation = finds ? "find hit" : "insert";
    Timing timing;
    frame->size = size;
    frame->commands = commands;
    frame->finds = finds;
    if (!trialTime(trial, &(Timed){setupFilled, runCommands, frame}, &state, &timing) ||
        !verifyFrame(frame, operation)) {
        return false;
    }
    Row row = trialRow(trial, operation, state, size, timing);
    row.rate = 1e3 * timing.milliseconds / commands;
    row.unit = "us";
    benchSay(&row, ", %u command%s", commands, commands == 1 ? "" : "s");
    return benchRow(trial->bench, &row);
}

/* The number of absent pairs limits the size of a command, and of sixteen commands. */
static bool frameRows(Frame *frame) {
    static const uint32_t sizes[] = {1, 64, 1u << 10, 1u << 14, 1u << 16, 1u << 20};
    static const uint32_t quick[] = {1, 4, 8, 16, 32, 512};
    bool done = true;
    for (size_t i = 0; done && i < 2 * sizeof sizes / sizeof sizes[0]; ++i) {
        const uint32_t size = (frame->trial.bench->options.quick ? quick : sizes)[i / 2];
        const uint32_t commands = i % 2 ? MANY : 1;
        done = commands * size > frame->trial.pairs ||
               (frameRow(frame, size, commands, false) && frameRow(frame, size, commands, true));
    }
    return done;
}

bool suiteOverhead(Bench *bench) {
    Frame frame = {.size = 1};
    const uint32_t pairs = bench->options.quick ? 512 : 1u << 20;
    bool done = true;
    for (int i = 0; done && i < (bench->options.quick ? QUICK_KINDS : KINDS); ++i) {
        done = (kinds[i].wide && !trialWide(bench)) || firstTables(bench, &kinds[i]);
    }
    done = done &&
           trialOpen(&frame.trial, bench, "overhead", trialInfo(4ull * pairs, trialWidth(bench), 0),
                     pairs) &&
           frameRows(&frame);
    if (frame.trial.bench) {
        trialClose(&frame.trial);
    }
    return done;
}
