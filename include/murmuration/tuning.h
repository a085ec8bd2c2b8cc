/* Murmuration, optional: thresholds above which another path of a command is expected to be faster.
 * An engine that sets nothing gets defaults. Thresholds change time and scratch sizes. They never
 * change a result, nor the operations that may be concurrent with a command.
 *
 * `murbench --tune` measures a device and prints thresholds for it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TUNING_H
#define MUR_TUNING_H

#include "murmuration.h"

/* A cache ratio is the table's size divided by cacheBytes. To disable a path, set its minimum to
 * UINT32_MAX or to a ratio that no table reaches. 0 selects the path wherever it is possible. */
typedef struct MurTuning {
    VkDeviceSize cacheBytes; /* size of the device's last-level cache */

    /* Inserts into K32V32 tables up to this cache ratio, in modes other than MUR_MODE_INSERT, try
     * to claim the home slot before they read it. */
    float homeFirstMaxCacheRatio;

    /* Sorted path, with scratch memory: batches of at least sortMinBatchFraction of the capacity
     * are sorted by home slot. This path needs tables of at least sortWriteMinCacheRatio for
     * inserts and erases, sortReadMinCacheRatio for finds. Each bin covers slots of about
     * sortBinCacheRatio times cacheBytes. Inserts of MUR_MODE_INSERT, and inserts into tables with
     * slots of 16 bytes, are never sorted: the direct path is faster. */
    float sortWriteMinCacheRatio;
    float sortReadMinCacheRatio;
    float sortMinBatchFraction;
    float sortBinCacheRatio;

    /* Partitioned path of inserts: exclusive inserts with scratch memory, of at least this many
     * items and this fraction of the capacity, are partitioned through shared memory. */
    uint32_t partitionInsertMinItems;
    float partitionInsertMinBatchFraction;

    /* Partitioned paths of builds, with at least buildMinItems items. Up to a load of
     * partitionBuildMaxLoad each partition is built at once; up to exactBuildMaxLoad (useful up to
     * 0.965), each partition is built after a pass that counts slots. From a load of
     * fullBuildMinLoad on, buildMinItemsWhenFull items are sufficient. */
    uint32_t buildMinItems;
    float partitionBuildMaxLoad;
    float exactBuildMaxLoad;
    float fullBuildMinLoad;
    uint32_t buildMinItemsWhenFull;

    /* murCmdGroup splits batches into bins of about this many pairs if keys are distinct. Each bin
     * needs a workgroup, which processes 1,024 pairs at once, so small bins are slow: on a software
     * device, with 100,000 pairs, bins of 64 pairs took 8 times as long as bins of 768, bins of 4
     * pairs 90 times. There are at most 65,536 bins. */
    uint32_t groupBinMaxPairs;

    /* Streamed path of a rehash, which passes over both tables in slot order: used if both tables
     * together have at least streamMinSlots slots. The rehash divides the work so that at least
     * streamMinGroups (1 or more) workgroups remain, if the table is large enough. */
    uint64_t streamMinSlots;
    uint32_t streamMinGroups;
} MurTuning;

/* Returns a context's tuning: that of the last murSetTuning, else the defaults for its device. All
 * zero for NULL. Any thread, but not during murSetTuning. */
MUR_API MurTuning murGetTuning(MurContext context);

/* Sets the tuning of later commands. No thread may record commands or get scratch sizes for the
 * context's tables during the call. Fails with MUR_ERROR_INVALID_ARGUMENT, and changes nothing, if
 * a ratio is negative or not a number, or cacheBytes or streamMinGroups is 0. */
MUR_API VkResult murSetTuning(MurContext context, const MurTuning *pTuning);
#endif
