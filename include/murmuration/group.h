/* Murmuration, optional: value groups. All values of a key are next to each other in an array.
 * Value groups suit tables that are rebuilt in each frame: a grid of particles, lights by cell, the
 * build side of a join.
 *
 *     murCmdGroup   pairs -> a table of groups, and an array of their values
 *
 * Afterwards the table is a table like any other. The value of an entry is the index at which the
 * key's group begins in the array. A group is the number of its values, then the values:
 *
 *     uint first;
 *     if (mur_find(push.table, key, first)) {
 *         uint count = mur_group(push.groups, first);
 *         for (uint i = 0u; i < count; ++i) ... groups.words[first + 1u + i] ...
 *     }
 *
 * host_group.h has the same function for host memory. The manual's page values.md compares value
 * groups with multi-value tables (multi.h). Queues, barriers, errors, threads: see murmuration.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_GROUP_H
#define MURMURATION_GROUP_H

#include <murmuration/murmuration.h>

/* Returns the kernel set of murCmdGroup, for MurTableCreateInfo.kernels of tables of type
 * murTypeK32V32() or murTypeK64V32(), with either empty value (the index of a group never equals
 * it) and either atomic width. Any thread. */
MUR_API MurKernels murKernelsGroup(void);

/* Maximum number of pairs of a batch, because the offsets of groups are 32 bits wide. */
#define MUR_MAX_GROUPED 0x7FFFFFFEu

typedef VkFlags MurGroupFlags;
/* Sorts the values of each group in ascending order as unsigned numbers. Groups of more than
 * MUR_GROUP_MAX_ASCENDING values are in no particular order. If values are item numbers and all
 * pairs fit, repeated commands write equal groups. */
#define MUR_GROUP_ASCENDING     0x00000001u
#define MUR_GROUP_MAX_ASCENDING 3072u

typedef struct MurGroup {
    const void *pNext;
    MurGroupFlags flags; /* MUR_GROUP_ASCENDING, or 0 */
    /* Maximum number of pairs, 0 to MUR_MAX_GROUPED, and minimum length of keys and values. If it
     * is 0, the command empties the table. */
    uint32_t maxCount;
    /* Optional: address of the number of pairs, as MurBatch.countAddress. */
    VkDeviceAddress countAddress;
    /* Required unless maxCount is 0; read. Keys are 32-bit words, or pairs of words, low first, at
     * multiples of 8 bytes. Values are 32-bit words; every value is legal. */
    MurArray keys;
    MurArray values;
    /* Required; written: 32-bit words. Word 0 is the number of words that all groups need,
     * including word 0. If the array has fewer words, some groups are left out. After word 0 come
     * the groups, each a count and its values. 2 * maxCount + 1 words are always enough. Words
     * between and after groups are undefined. */
    MurArray groups;
    /* Required: memory that the command uses during execution, at a multiple of 16 bytes.
     * murGetScratchSize returns the required size. */
    MurArray scratch;
} MurGroup;

/* Replaces the table's content by an entry for each distinct key, and writes each key's values next
 * to each other into the array. The order of the groups is undefined and varies from run to run.
 * The order of a group's values also varies, except with MUR_GROUP_ASCENDING.
 *
 *   Results     each entry's value is the index of its group's first word, 1 or more. If the array
 *               has no room for a group, or the table no slot for its key (probe limit), the whole
 *               group is left out, and its key is absent. MurStats.failedInserts counts its pairs.
 *               Word 0 counts groups without room in the array, but not always groups without
 *               a slot. A key whose group has no room in the array may still use a slot.
 *   Concurrent  nothing.
 *   Dispatches  at most twelve; one more with MUR_GROUP_ASCENDING. */
MUR_API VkResult murCmdGroup(VkCommandBuffer cmd, MurTable table, const MurGroup *pGroup);
#endif
