/* murCmdAge: a pass over a table whose entries have ten ages, about as many of each.
 *
 * SPDX-License-Identifier: MIT */
#include "trial.h"
#include "common/say.h"

#include <murmuration/age.h>

#include <string.h>

enum { AGES = 10, FRAME = 100 };

typedef struct Aging {
    Trial trial;
    uint32_t slots;
    uint32_t stay; /* ages */
    bool youngest, lists;
    GpuBuffer ages, live, erased, scratch;
    GpuBuffer result; /* host-visible: MurAgeResult */
} Aging;

static bool openAging(Aging *aging, Bench *bench) {
    Gpu *gpu = &bench->gpu;
    Trial *trial = &aging->trial;
    const uint64_t capacity = bench->options.quick ? 1u << 12 : 1u << 25;
    const uint32_t pairs = (uint32_t)(capacity / 2);
    trial->uses = TRIAL_RECLAIM;
    const MurTableCreateInfo info = trialInfo(trial, capacity, trialWidth(bench));
    if (!trialOpenTable(trial, bench, "age", &info, pairs) ||
        !benchPairs(bench, pairs, &trial->source)) {
        return false;
    }
    aging->slots = murGetTableRef(trial->table).slotCount + MUR_EXTRA_SLOTS(MUR_FORMAT_K32V32);
    const VkDeviceSize bytes = 4 * (VkDeviceSize)aging->slots;
    return gpuCreateBuffer(gpu, bytes, GPU_DEVICE, "ages", &aging->ages) &&
           gpuCreateBuffer(gpu, bytes, GPU_DEVICE, "live", &aging->live) &&
           gpuCreateBuffer(gpu, bytes, GPU_DEVICE, "erased", &aging->erased) &&
           gpuCreateBuffer(gpu, MUR_AGE_SCRATCH_SIZE, GPU_DEVICE, "scratch", &aging->scratch) &&
           gpuCreateBuffer(gpu, sizeof(MurAgeResult), GPU_HOST, "result", &aging->result);
}

static void closeAging(Aging *aging) {
    GpuBuffer *const buffers[] = {&aging->ages, &aging->live, &aging->erased, &aging->scratch,
                                  &aging->result};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        gpuDestroyBuffer(&aging->trial.bench->gpu, buffers[i]);
    }
    trialClose(&aging->trial);
}

/* Slots are in the order of hashes, so equal parts of those that are homes have as many keys. Slots
 * without a key have the age that a call before this one has left them. */
static bool setupAge(Bench *bench, void *user) {
    const Aging *aging = user;
    const VkDeviceSize part = aging->trial.capacity / AGES * 4;
    const MurAge before = {.ages = trialArray(&aging->ages), .frame = FRAME, .maxAge = UINT32_MAX};
    for (uint32_t i = 0; i < AGES; ++i) {
        vkCmdFillBuffer(bench->gpu.cmd, aging->ages.buffer, i * part,
                        i + 1 < AGES ? part : VK_WHOLE_SIZE, FRAME - i);
    }
    gpuTransferBarrier(&bench->gpu);
    const bool done = trialRecordFill(&aging->trial, 0, aging->trial.pairs) &&
                      gpuCheck(murCmdAge(bench->gpu.cmd, aging->trial.table, &before), "ageing");
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool runAge(Bench *bench, void *user) {
    const Aging *aging = user;
    const uint64_t most = (uint64_t)aging->trial.pairs * (2 * aging->stay + 1) / (2 * AGES);
    const MurAge age = {
        .ages = trialArray(&aging->ages),
        .frame = FRAME,
        .maxAge = aging->youngest ? UINT32_MAX : aging->stay - 1,
        .flags = aging->youngest ? MUR_AGE_YOUNGEST : 0,
        .maxEntries = (uint32_t)most,
        .live = aging->lists ? trialArray(&aging->live) : (MurArray){0},
        .maxLive = aging->lists ? aging->slots : 0,
        .groupEntries = 64,
        .erased = aging->lists ? trialArray(&aging->erased) : (MurArray){0},
        .maxErased = aging->lists ? aging->slots : 0,
        .result = trialArray(&aging->result),
        .scratch = trialArray(&aging->scratch),
    };
    const bool done = gpuCheck(murCmdAge(bench->gpu.cmd, aging->trial.table, &age), "ageing");
    gpuHostBarrier(&bench->gpu);
    return done;
}

/* What is told is there, and it is the share of the ages, within what chance makes of it. */
static bool verifyAge(Aging *aging) {
    const MurAgeResult *result = aging->result.mapped;
    const uint32_t pairs = aging->trial.pairs;
    const double share = (double)result->live / (double)pairs * AGES / aging->stay;
    MurStats stats;
    if (!trialStats(&aging->trial, &stats)) {
        return false;
    }
    return (result->live + result->erased == pairs && stats.live == result->live &&
            stats.erased == result->reclaim.kept && share > 0.9 && share < 1.1) ||
           sayError("age: %u entries and %u erased of %u; %u entries, %u erased slots instead of "
                    "%u",
                    result->live, result->erased, pairs, stats.live, stats.erased,
                    result->reclaim.kept);
}

static bool pass(Aging *aging, const char *what) {
    Bench *bench = aging->trial.bench;
    const Timed timed = {setupAge, runAge, aging};
    Timing timing;
    memset(aging->result.mapped, 0xFF, sizeof(MurAgeResult));
    if (!benchTime(bench, &timed, &timing) || !verifyAge(aging)) {
        return false;
    }
    Row row = trialRow(&aging->trial, "age", "unordered", aging->trial.pairs, timing);
    row.rate = 1e-6 * (double)(row.tableBytes + aging->ages.size) / timing.milliseconds;
    row.unit = "GB/s";
    snprintf(row.variant, sizeof row.variant, "%s", what);
    return benchCopyCeiling(bench, 1, &row) && benchRow(bench, &row);
}

bool suiteAge(Bench *bench) {
    Aging aging = {.stay = AGES};
    bool done = openAging(&aging, bench) && pass(&aging, "none too old");
    aging.stay = 7;
    done = done && pass(&aging, "30% too old");
    aging.lists = true;
    done = done && pass(&aging, "30% too old, lists");
    aging.youngest = true;
    done = done && pass(&aging, "the youngest 70%, lists");
    closeAging(&aging);
    return done;
}
