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
    tuning.homeFirstMaxCacheRatio = 0;
    tuning.sortWriteMinCacheRatio = FLT_MAX;
    tuning.sortReadMinCacheRatio = FLT_MAX;
    tuning.partitionInsertMinItems = UINT32_MAX;
    tuning.buildMinItems = UINT32_MAX;
    tuning.buildMinItemsWhenFull = UINT32_MAX;
    tuning.groupBinMaxPairs = UINT32_MAX;
    tuning.streamMinSlots = UINT64_MAX;
    return tuning;
}

MurTuning way_tuning(const MurTuning *own, Way way) {
    if (way == WAY_DEFAULT) {
        return *own;
    }
    MurTuning tuning = direct(own);
    switch (way) {
    case WAY_HOME_FIRST:
        tuning.homeFirstMaxCacheRatio = FLT_MAX;
        break;
    case WAY_SORTED:
        tuning.sortWriteMinCacheRatio = 0;
        tuning.sortReadMinCacheRatio = 0;
        tuning.sortMinBatchFraction = 0;
        tuning.sortBinCacheRatio = 0;
        tuning.groupBinMaxPairs = 0;
        break;
    case WAY_SLICES:
        tuning.partitionInsertMinItems = 0;
        tuning.partitionInsertMinBatchFraction = 0;
        tuning.buildMinItems = 0;
        tuning.partitionBuildMaxLoad = FLT_MAX;
        break;
    case WAY_EXACT:
        tuning.buildMinItems = 0;
        tuning.buildMinItemsWhenFull = 0;
        tuning.partitionBuildMaxLoad = 0;
        tuning.exactBuildMaxLoad = FLT_MAX;
        break;
    case WAY_STREAM:
        tuning.streamMinSlots = 0;
        break;
    default:
        break;
    }
    return tuning;
}
