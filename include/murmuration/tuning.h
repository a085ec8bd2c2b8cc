/* Murmuration: thresholds above which another strategy of a command is expected to be faster.
 * Optional: an engine that sets nothing gets defaults. No field changes a result, or which work may
 * run concurrent with a command; fields change time, and scratch sizes.
 *
 * `murbench --tune` measures a device and prints the fields that it would set.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TUNING_H
#define MUR_TUNING_H

#include "murmuration.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "Caches": ratios to cacheBytes. UINT32_MAX, or a ratio that no table reaches, rules a way out; 0
 * takes it wherever it is possible. */
typedef struct MurTuning {
    VkDeviceSize cacheBytes; /* of the device's last-level cache */

    /* Inserts into K32V32 tables up to this many times the cache try to claim the home slot before
     * they read it. */
    float homeFirstMaxCacheRatio;

    /* With scratch memory, inserts and erases in tables of at least sortWriteMinCacheRatio, and
     * finds in those of at least sortReadMinCacheRatio, sort batches by home slot that are at least
     * sortMinBatchFraction of the capacity; into bins that each cover sortBinCacheRatio of the
     * table. Inserts that keep, and those into formats with slots of 16 bytes, are not sorted: they
     * are faster directly. */
    float sortWriteMinCacheRatio;
    float sortReadMinCacheRatio;
    float sortMinBatchFraction;
    float sortBinCacheRatio;

    /* Exclusive inserts with scratch memory of at least this many items, and at least this fraction
     * of the capacity, are partitioned through shared memory. */
    uint32_t partitionInsertMinItems;
    float partitionInsertMinBatchFraction;

    /* Builds of at least buildMinItems items go slice by slice up to a load of
     * partitionBuildMaxLoad, and after counting up to exactBuildMaxLoad (0.965 is the most that can
     * work out); from a load of fullBuildMinLoad on, also those of at least buildMinItemsWhenFull
     * items. */
    uint32_t buildMinItems;
    float partitionBuildMaxLoad;
    float exactBuildMaxLoad;
    float fullBuildMinLoad;
    uint32_t buildMinItemsWhenFull;

    /* murCmdGroup splits batches into bins of at most this many pairs, if keys are distinct. A
     * workgroup takes 1,024 pairs at once. Each bin takes a workgroup, and there are 65,536 bins at
     * most, so small bins are slow: on a software device, with 100,000 pairs, bins of 64 pairs took
     * 8 times as long as bins of 768, bins of 4 pairs 90 times. */
    uint32_t groupBinMaxPairs;

    /* Rehashes go through both tables in order if these have at least this many slots together, and
     * in at least streamMinGroups workgroups (1 at least). */
    uint64_t streamMinSlots;
    uint32_t streamMinGroups;
} MurTuning;

/* A context's tuning: the defaults for its device, unless it has been set. Zeros for NULL. Any
 * thread, but not while another sets it. */
MUR_API MurTuning murGetTuning(MurContext context);

/* Applies to later commands. No thread may record commands or get scratch sizes for the context's
 * tables during the call. MUR_ERROR_INVALID_ARGUMENT, and nothing changed: a ratio is not a number
 * or negative, cacheBytes or streamMinGroups is 0. */
MUR_API VkResult murSetTuning(MurContext context, const MurTuning *pTuning);

#ifdef __cplusplus
}
#endif
#endif
