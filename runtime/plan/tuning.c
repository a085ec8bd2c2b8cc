/* The default tuning. Each number was measured on GPUs of one vendor, with a cache of 50 MB. It is
 * the point at which one path becomes faster than another, within some percent.
 *
 * SPDX-License-Identifier: MIT */
#include "plan.h"

#include <float.h>

MurTuning mur_default_tuning(bool software) {
    MurTuning tuning = {
        .cacheBytes = (VkDeviceSize)48 << 20,
        .homeFirstCaches = 0.7f,
        .sortedWriteCaches = 2.3f,
        .sortedReadCaches = 3.5f,
        .sortedShare = 0.125f,
        .sortedBinCaches = 0.33f,
        .insertSlicesLeast = 1u << 21,
        .insertSlicesShare = 1.0f / 12,
        .buildLeast = 7u << 18,
        .buildSlicesLoad = 0.78f,
        .buildExactLoad = 0.965f,
        .buildFullLoad = 0.85f,
        .buildLeastFull = 1u << 13,
        .groupBinPairs = 768,
        .streamLeastSlots = 5u << 19,
        .streamGroups = 2048,
    };
    /* On a CPU, shared memory is no faster than other memory, the cache is faster in relation to
     * the table's memory than a GPU's, and workgroups run one after another. */
    if (software) {
        tuning.homeFirstCaches = 0;
        tuning.sortedWriteCaches = FLT_MAX;
        tuning.sortedReadCaches = FLT_MAX;
        tuning.insertSlicesLeast = UINT32_MAX;
        tuning.buildLeastFull = 1u << 20;
    }
    return tuning;
}
