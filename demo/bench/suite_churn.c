/* Keys that come and go: what murCmdReclaim takes for a pass, and what becomes of a table in which
 * a share of the keys is replaced by fresh ones in every frame, with a reclaim in each frame and
 * without. SPDX-License-Identifier: MIT */
#include "trial.h"
#include "common/say.h"

#include <string.h>

#include <murmuration/reclaim.h>

typedef struct Churn {
    Trial trial;
    bool erases, lists, reclaims;
    GpuBuffer slots;   /* freed */
    GpuBuffer result;  /* host-visible: MurReclaimResult */
    uint32_t first;    /* of the pairs that are there */
    uint32_t replaced; /* in each frame */
} Churn;

static MurBatch part(const Churn *churn, uint32_t first, uint32_t count) {
    return trialBatch(&churn->trial, first, count);
}

static bool erase(const Churn *churn, uint32_t first, uint32_t count) {
    Gpu *gpu = &churn->trial.bench->gpu;
    MurBatch items = part(churn, first, count);
    items.values = (MurArray){0};
    const bool done = gpuCheck(murCmdErase(gpu->cmd, churn->trial.table, &items), "erasing");
    gpuComputeBarrier(gpu);
    return done;
}

static bool reclaim(const Churn *churn) {
    const MurReclaim arguments = {
        .maxCount = churn->lists ? churn->trial.pairs : 0,
        .slots = churn->lists ? trialArray(&churn->slots) : (MurArray){0},
        .result = trialArray(&churn->result),
    };
    return gpuCheck(murCmdReclaim(churn->trial.bench->gpu.cmd, churn->trial.table, &arguments),
                    "reclaiming");
}

static bool openChurn(Churn *churn, Bench *bench, uint64_t capacity, double load, double replaced,
                      uint32_t frames) {
    Trial *trial = &churn->trial;
    const uint32_t pairs = (uint32_t)((double)capacity * load);
    trial->uses = TRIAL_RECLAIM;
    churn->replaced = (uint32_t)((double)pairs * replaced);
    const MurTableCreateInfo info = trialInfo(trial, capacity, trialWidth(bench));
    return trialOpenTable(trial, bench, "churn", &info, pairs) &&
           benchPairs(bench, pairs + frames * churn->replaced, &trial->source) &&
           gpuCreateBuffer(&bench->gpu, 4 * (VkDeviceSize)pairs, GPU_DEVICE, "slots",
                           &churn->slots) &&
           gpuCreateBuffer(&bench->gpu, sizeof(MurReclaimResult), GPU_HOST, "result",
                           &churn->result);
}

static void closeChurn(Churn *churn) {
    gpuDestroyBuffer(&churn->trial.bench->gpu, &churn->slots);
    gpuDestroyBuffer(&churn->trial.bench->gpu, &churn->result);
    trialClose(&churn->trial);
}

/* ---- A pass --------------------------------------------------------------------------------- */

static bool setupPass(Bench *bench, void *user) {
    const Churn *churn = user;
    (void)bench;
    return trialRecordFill(&churn->trial, 0, churn->trial.pairs) &&
           (!churn->erases || erase(churn, 0, churn->replaced));
}

static bool runPass(Bench *bench, void *user) {
    const bool done = reclaim(user);
    gpuHostBarrier(&bench->gpu);
    return done;
}

/* Nothing is lost, and no slot but those that it tells. */
static bool verifyPass(Churn *churn) {
    Trial *trial = &churn->trial;
    const MurReclaimResult *result = churn->result.mapped;
    const uint32_t erased = churn->erases ? churn->replaced : 0;
    MurStats stats;
    if (!trialStats(trial, &stats)) {
        return false;
    }
    if (result->freed + result->kept != erased || stats.erased != result->kept ||
        stats.live != trial->pairs - erased) {
        return sayError("reclaim: %u slots freed and %u kept of %u; %u erased ones and %u entries",
                        result->freed, result->kept, erased, stats.erased, stats.live);
    }
    return trialForget(trial) && gpuBegin(&trial->bench->gpu) && trialRecordFind(trial, 0) &&
           gpuSubmit(&trial->bench->gpu) &&
           (!erased || benchVerify(trial->bench, "reclaim", &trial->values, 0, erased,
                                   EXPECT_CONSTANT, UINT32_MAX)) &&
           benchVerify(trial->bench, "reclaim", &trial->values, erased, trial->pairs - erased,
                       EXPECT_VALUES, 0);
}

static bool pass(Churn *churn, const char *what) {
    Bench *bench = churn->trial.bench;
    const Timed timed = {setupPass, runPass, churn};
    Timing timing;
    memset(churn->result.mapped, 0xFF, sizeof(MurReclaimResult));
    if (!benchTime(bench, &timed, &timing) || !verifyPass(churn)) {
        return false;
    }
    Row row = trialRow(&churn->trial, "reclaim", "unordered", churn->trial.pairs, timing);
    row.rate = 1e-6 * (double)row.tableBytes / timing.milliseconds;
    row.unit = "GB/s";
    snprintf(row.variant, sizeof row.variant, "%s, %d-bit atomics", what, (int)churn->trial.width);
    return benchCopyCeiling(bench, 1, &row) && benchRow(bench, &row);
}

static bool passes(Bench *bench, double load) {
    Churn churn = {0};
    const uint64_t capacity = bench->options.quick ? 1u << 12 : 1u << 25;
    bool done = openChurn(&churn, bench, capacity, load, 0.3, 0) && pass(&churn, "none erased");
    churn.erases = true;
    done = done && pass(&churn, "30% erased");
    churn.lists = true;
    done = done && pass(&churn, "30% erased, freed slots");
    closeChurn(&churn);
    return done;
}

/* ---- Frame by frame ------------------------------------------------------------------------- */

/* Its time is that of the reclaim. */
static bool frame(Churn *churn, Timing *timing) {
    Trial *trial = &churn->trial;
    Gpu *gpu = &trial->bench->gpu;
    const MurBatch fresh = part(churn, churn->first + trial->pairs, churn->replaced);
    bool done = clocksBefore(&trial->bench->clocks, 0) && gpuBegin(gpu) &&
                erase(churn, churn->first, churn->replaced);
    gpuTimestamp(gpu, 0);
    done = done && (!churn->reclaims || reclaim(churn));
    gpuTimestamp(gpu, 1);
    gpuComputeBarrier(gpu);
    done = done && trialRecordInsert(trial, &fresh) && gpuSubmit(gpu) &&
           clocksAfter(&trial->bench->clocks, &timing->clocks);
    timing->milliseconds = churn->reclaims ? gpuMilliseconds(gpu, 0, 1) : 0;
    churn->first += churn->replaced;
    return done;
}

static bool addRow(Churn *churn, uint32_t number, Timing timing, const MurStats *stats) {
    Row row = trialRow(&churn->trial, "churn", "unordered", churn->replaced, timing);
    row.rate = (double)stats->erased / (double)churn->trial.capacity;
    row.unit = "erased";
    row.probeMean = (double)stats->probeSum / (double)stats->live;
    row.probeMax = stats->probeMax;
    row.reps = 1;
    snprintf(row.variant, sizeof row.variant, "%s, frame %u%s",
             churn->reclaims ? "reclaim" : "no cleaning", number, stats->full ? ", MUR_FULL" : "");
    return benchRow(churn->trial.bench, &row);
}

/* All that came last are there, each once: as many slots live as there are keys found. */
static bool holds(Churn *churn, const MurStats *stats) {
    Trial *trial = &churn->trial;
    Bench *bench = trial->bench;
    return (stats->live + stats->full == trial->pairs ||
            sayError("churn: %u entries and %llu that found no slot, of %u", stats->live,
                     (unsigned long long)stats->full, trial->pairs)) &&
           (stats->full ||
            (trialForget(trial) && gpuBegin(&bench->gpu) && trialRecordFind(trial, churn->first) &&
             gpuSubmit(&bench->gpu) &&
             benchVerifyFrom(bench, "churn", &trial->values, churn->first, trial->pairs)));
}

/* Until keys find no slot any longer. */
static bool series(Bench *bench, double load, bool reclaims) {
    const uint32_t frames = bench->options.quick ? 16 : 64;
    Churn churn = {.reclaims = reclaims};
    MurStats stats = {0};
    bool done = openChurn(&churn, bench, bench->options.quick ? 1u << 12 : 1u << 20, load, 0.3,
                          frames) &&
                trialFill(&churn.trial);
    for (uint32_t i = 1; done && i <= frames && !stats.full; ++i) {
        Timing timing;
        done = frame(&churn, &timing) && trialStats(&churn.trial, &stats) &&
               holds(&churn, &stats) && addRow(&churn, i, timing, &stats);
    }
    closeChurn(&churn);
    return done;
}

bool suiteChurn(Bench *bench) {
    static const double loads[] = {0.1, 0.25, 0.5, 0.6, 0.7, 0.8};
    if (!passes(bench, 0.5) || !passes(bench, 0.8)) {
        return false;
    }
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; ++i) {
        if (!series(bench, loads[i], false) || !series(bench, loads[i], true)) {
            return false;
        }
    }
    return true;
}
