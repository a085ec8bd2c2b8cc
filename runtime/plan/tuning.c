/* The default tuning. Each number was measured on GPUs of one vendor, with a cache of 50 MB. It is
 * the point, within some percent, at which one path becomes faster than another.
 * SPDX-License-Identifier: MIT */
#include "plan.h"

#include <float.h>

MurTuning mur_default_tuning(bool software) {
    MurTuning tuning = {
        .cacheBytes = (VkDeviceSize)48 << 20,
        .homeFirstMaxCacheRatio = 0.7f,
        .sortWriteMinCacheRatio = 2.3f,
        .sortReadMinCacheRatio = 3.5f,
        .sortMinBatchFraction = 0.125f,
        .sortBinCacheRatio = 0.33f,
        .partitionInsertMinItems = 1u << 21,
        .partitionInsertMinBatchFraction = 1.0f / 12,
        .buildMinItems = 7u << 18,
        .partitionBuildMaxLoad = 0.78f,
        .exactBuildMaxLoad = 0.965f,
        .fullBuildMinLoad = 0.85f,
        .buildMinItemsWhenFull = 1u << 13,
        .groupBinMaxPairs = 768,
        .streamMinSlots = 5u << 19,
        .streamMinGroups = 2048,
    };
    /* On a CPU, shared memory is no faster than other memory, the cache is relatively faster than
     * on a GPU, and workgroups run in sequence. Paths for shared memory or the cache do not pay. */
    if (software) {
        tuning.homeFirstMaxCacheRatio = 0;
        tuning.sortWriteMinCacheRatio = FLT_MAX;
        tuning.sortReadMinCacheRatio = FLT_MAX;
        tuning.partitionInsertMinItems = UINT32_MAX;
        tuning.buildMinItemsWhenFull = 1u << 20;
    }
    return tuning;
}
