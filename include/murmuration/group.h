/* Murmuration: groups: all values of a key side by side, for tables that are rebuilt each frame: a
 * grid of particles, lights by cell, the build side of a join.
 *
 *     murCmdGroup   pairs -> a table of groups, and an array of their values
 *
 * Afterwards it is a table like any other: a lookup gives where the key's group begins in the
 * array, and there lie the number of its values, and then the values:
 *
 *     uint first;
 *     if (mur_find(push.table, key, first)) {
 *         uint count = mur_group(push.groups, first);
 *         for (uint i = 0u; i < count; ++i) ... groups.words[first + 1u + i] ...
 *     }
 *
 * In host memory: host_group.h. The manual's page values.md compares groups with tables that take
 * values one by one (multi.h).
 *
 * For all else (queues, barriers, errors, threads) see murmuration.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_GROUP_H
#define MURMURATION_GROUP_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For MurTableCreateInfo.kernels of tables of type murTypeK32V32() or murTypeK64V32(); either
 * empty value, which no group begins at, and either atomic width. */
MUR_API MurKernels murKernelsGroup(void);

/* Most pairs of a batch: offsets are 32 bits wide. */
#define MUR_MAX_GROUPED 0x7FFFFFFEu

typedef VkFlags MurGroupFlags;
/* The values of each group ascend as unsigned numbers, in groups of up to MUR_GROUP_MAX_ASCENDING
 * values. If values are item numbers and all pairs fit, repeated commands give equal groups. */
#define MUR_GROUP_ASCENDING     0x00000001u
#define MUR_GROUP_MAX_ASCENDING 3072u

typedef struct MurGroup {
    const void *pNext;
    MurGroupFlags flags; /* MUR_GROUP_ASCENDING, or 0 */
    /* Pairs at most, up to MUR_MAX_GROUPED: keys and values hold as many. 0 makes an empty
     * table. */
    uint32_t maxCount;
    /* Optional: address of the number of pairs, as MurBatch.countAddress. */
    VkDeviceAddress countAddress;
    /* Required unless maxCount is 0; read. Keys are words, or pairs of words, low first, at
     * multiples of 8 bytes; values are words, of which every one is legal. */
    MurArray keys;
    MurArray values;
    /* Required; words, written. Word 0: the number of words that all groups need, itself included;
     * if it exceeds the array's, some group was left out. Then the groups, each a count and as many
     * values. 2 * maxCount + 1 words are always enough. Words between and after groups are
     * undefined. */
    MurArray groups;
    /* Required: memory that the command uses during execution, at a multiple of 16 bytes.
     * murGetScratchSize returns the required size. */
    MurArray scratch;
} MurGroup;

/* Replaces the table's content by an entry for each distinct key, and writes its values into the
 * array, side by side. The order of the groups is undefined and varies from run to run. So does the
 * order of a group's values, except with MUR_GROUP_ASCENDING.
 *
 *   Results     each key's value is the index of its group's first word, 1 at least. A group for
 *               which the array has no room, or its key the table (the probe limit), is left out
 *               whole, its key too, and each of its pairs is counted as one that does not fit
 *               (murCmdStats). In word 0 it is counted, in a table that is too small perhaps not. A
 *               key that the array has no room for may take a slot all the same.
 *   Concurrent  nothing.
 *   Dispatches  at most twelve; one more with MUR_GROUP_ASCENDING. */
MUR_API VkResult murCmdGroup(VkCommandBuffer cmd, MurTable table, const MurGroup *pGroup);

#ifdef __cplusplus
}
#endif
#endif
