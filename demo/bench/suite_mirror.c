/* A table that the host writes: updates of a mirror after few and many changes, against a full
 * copy, and against copying the whole table at each submit. The Khronos validation layers copy
 * their descriptor table in this way (gpu_av_descriptor_hashing.md).
 * SPDX-License-Identifier: MIT */
#include "trial.h"

#include "common/clock.h"

#include <murmuration/mirror.h>

#include <string.h>

enum { IN_FLIGHT = MUR_MIRROR_FRAMES };

typedef struct Mirrored {
    Bench *bench;
    MurMirror mirror;
    MurTable plain;                  /* of the copies */
    GpuBuffer staging, seen;         /* of the copies; what the GPU has at the end */
    uint32_t entries, changes, next; /* changes: before each update; next: value */
    uint64_t frame;
    bool all; /* marks everything */
    double host[BENCH_MAX_REPS + BENCH_WARMUP];
    uint32_t hostCount; /* of the last times, round and round */
} Mirrored;

static const MurHostTable *hostOf(const Mirrored *mirrored) {
    return murGetMirrorHostTable(mirrored->mirror);
}

static void note(Mirrored *mirrored, double begin) {
    const uint32_t most = mirrored->bench->options.reps;
    mirrored->host[mirrored->hostCount++ % most] = 1e6 * (secondsNow() - begin);
}

/* Random keys get new values. */
BENCH_STEP(setupChanges, Mirrored, mirrored) {
    for (uint32_t i = 0; i < mirrored->changes; ++i) {
        const uint32_t key = mur_hash(mirrored->next, 7) % mirrored->entries;
        murHostInsert(hostOf(mirrored), MUR_MODE_ASSIGN, key, ++mirrored->next);
    }
    if (mirrored->all) {
        murMirrorMarkDirty(mirrored->mirror, MUR_MIRROR_TABLE, 0, 0);
    }
    return true;
}

/* A submission has at most as many runs as frames may be in flight, and the next one begins when it
 * is completed. */
BENCH_STEP(runUpdate, Mirrored, mirrored) {
    const uint64_t frame = ++mirrored->frame;
    const MurMirrorUpdate update = {.frame = frame,
                                    .completedFrame = frame > IN_FLIGHT ? frame - IN_FLIGHT : 0};
    const double begin = secondsNow();
    const VkResult result = murCmdUpdateMirror(bench->gpu.cmd, mirrored->mirror, &update);
    note(mirrored, begin);
    return gpuCheck(result, "murCmdUpdateMirror");
}

/* All runs of a submission copy from the same memory: it has the last one's state. */
BENCH_STEP(runCopy, Mirrored, mirrored) {
    const MurBufferRange memory = murGetTableMemory(mirrored->plain);
    const double begin = secondsNow();
    memcpy(mirrored->staging.mapped, hostOf(mirrored)->pImage, memory.size);
    const VkBufferCopy region = {0, memory.offset, memory.size};
    vkCmdCopyBuffer(bench->gpu.cmd, mirrored->staging.buffer, memory.buffer, 1, &region);
    note(mirrored, begin);
    return true;
}

/* The GPU's table is the host's, byte for byte. */
static bool verify(Mirrored *mirrored, const char *what, MurTable table) {
    Bench *bench = mirrored->bench;
    const MurBufferRange memory = murGetTableMemory(table);
    const VkBufferCopy region = {memory.offset, 0, memory.size};
    if (!gpuBegin(&bench->gpu)) {
        return false;
    }
    gpuFullBarrier(&bench->gpu);
    vkCmdCopyBuffer(bench->gpu.cmd, memory.buffer, mirrored->seen.buffer, 1, &region);
    gpuFullBarrier(&bench->gpu);
    gpuHostBarrier(&bench->gpu);
    return gpuSubmit(&bench->gpu) &&
           (memcmp(mirrored->seen.mapped, hostOf(mirrored)->pImage, memory.size) == 0 ||
            sayError("%s: the GPU's table is not the host's", what));
}

static bool oneWay(Mirrored *mirrored, const char *operation, uint32_t changes, bool copies) {
    Bench *bench = mirrored->bench;
    const MurTable table = copies ? mirrored->plain : murGetMirrorTable(mirrored->mirror);
    Timing timing;
    mirrored->changes = changes;
    mirrored->all = !copies && strcmp(operation, "mirror all") == 0;
    mirrored->hostCount = 0;
    if (!benchTime(bench, &(Timed){setupChanges, copies ? runCopy : runUpdate, mirrored},
                   &timing) ||
        !verify(mirrored, operation, table)) {
        return false;
    }
    const double bytes = copies ? (double)murGetTableMemory(table).size
                                : (double)murGetMirrorCopiedSize(mirrored->mirror);
    Row row = tableRow(table, "mirror", operation, "unordered", changes, timing);
    row.load = 0.5;
    row.rate = 1e3 * timing.milliseconds;
    row.unit = "us";
    row.reps = bench->options.reps;
    benchSay(&row, "%u changes, %.0f bytes, host %.1f us", changes, bytes,
             secondsMedian(mirrored->host, bench->options.reps));
    return benchRow(bench, &row);
}

static bool openMirrored(Mirrored *mirrored) {
    Bench *bench = mirrored->bench;
    MurTableCreateInfo info = trialInfo(2ull * mirrored->entries, trialWidth(bench), 0);
    info.type = murTypeK64V32();
    const MurMirrorCreateInfo mirror = {.table = info, .framesInFlight = IN_FLIGHT};
    if (!gpuCheck(murCreateMirror(bench->gpu.context, &mirror, &mirrored->mirror), "a mirror") ||
        !benchTable(bench, &info, &mirrored->plain)) {
        return false;
    }
    for (uint32_t key = 0; key < mirrored->entries; ++key) {
        murHostInsert(hostOf(mirrored), MUR_MODE_ASSIGN, key, key);
    }
    const VkDeviceSize size = murGetTableMemory(mirrored->plain).size;
    return benchBuffer(bench, size, GPU_HOST, "staging", &mirrored->staging) &&
           benchBuffer(bench, size, GPU_HOST, "seen", &mirrored->seen) &&
           benchOnce(bench, runUpdate, mirrored);
}

bool suiteMirror(Bench *bench) {
    const uint32_t made = bench->madeCount, reps = bench->options.reps;
    const uint32_t entries = bench->options.quick ? 2000 : 1000000;
    const uint32_t few = entries / 1000, many = entries / 10;
    Mirrored mirrored = {.bench = bench, .entries = entries};
    if (reps > IN_FLIGHT - BENCH_WARMUP) {
        bench->options.reps = IN_FLIGHT - BENCH_WARMUP;
    }
    const bool done = openMirrored(&mirrored) && oneWay(&mirrored, "mirror update", few, false) &&
                      oneWay(&mirrored, "mirror update", many, false) &&
                      oneWay(&mirrored, "mirror all", few, false) &&
                      oneWay(&mirrored, "copy at submit", few, true) &&
                      oneWay(&mirrored, "copy at submit", many, true);
    bench->options.reps = reps;
    murDestroyMirror(mirrored.mirror);
    benchRelease(bench, made);
    return done;
}
