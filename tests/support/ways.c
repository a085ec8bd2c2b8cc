/* SPDX-License-Identifier: MIT */
#include "ways.h"

#include <float.h>

const char *way_name(Way way) {
    static const char *const names[WAY_COUNT] = {"default", "direct", "home first", "sorted",
                                                 "slices",  "exact",  "stream"};
    return names[way];
}

static MurTuning direct(const MurTuning *own) {
    MurTuning tuning = *own;
    tuning.homeFirstCaches = 0;
    tuning.sortedWriteCaches = FLT_MAX;
    tuning.sortedReadCaches = FLT_MAX;
    tuning.insertSlicesLeast = UINT32_MAX;
    tuning.buildLeast = UINT32_MAX;
    tuning.buildLeastFull = UINT32_MAX;
    tuning.groupBinPairs = UINT32_MAX;
    tuning.streamLeastSlots = UINT64_MAX;
    return tuning;
}

MurTuning way_tuning(const MurTuning *own, Way way) {
    if (way == WAY_DEFAULT) {
        return *own;
    }
    MurTuning tuning = direct(own);
    switch (way) {
    case WAY_HOME_FIRST:
        tuning.homeFirstCaches = FLT_MAX;
        break;
    case WAY_SORTED:
        tuning.sortedWriteCaches = 0;
        tuning.sortedReadCaches = 0;
        tuning.sortedShare = 0;
        tuning.sortedBinCaches = 0;
        tuning.groupBinPairs = 0;
        break;
    case WAY_SLICES:
        tuning.insertSlicesLeast = 0;
        tuning.insertSlicesShare = 0;
        tuning.buildLeast = 0;
        tuning.buildSlicesLoad = FLT_MAX;
        break;
    case WAY_EXACT:
        tuning.buildLeast = 0;
        tuning.buildLeastFull = 0;
        tuning.buildSlicesLoad = 0;
        tuning.buildExactLoad = FLT_MAX;
        break;
    case WAY_STREAM:
        tuning.streamLeastSlots = 0;
        break;
    default:
        break;
    }
    return tuning;
}
