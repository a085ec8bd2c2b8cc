/* Murmuration, optional: groups (group.h) in host memory (host.h).
 *
 *     for (MurHostEntry entry = {0}; murHostNextEntry(&table, &entry);) {
 *         const uint32_t *group = groups + entry.value;
 *         ... entry.key has group[0] values: group[1] ... group[group[0]]
 *     }
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HOST_GROUP_H
#define MURMURATION_HOST_GROUP_H

#include <murmuration/host.h>

/* Replaces the table's content by one entry per distinct key. The entry's value is the index in
 * pGroups at which the key's group begins: a count, then the values. The order of groups and values
 * is unspecified. As in murCmdGroup, a group that does not fit into the table or into pGroups is
 * left out with its key, and MurStats.failedInserts counts its pairs.
 *
 * count: number of pairs, at most MUR_MAX_GROUPED; 0 clears the table. pKeys: uint32_t or uint64_t,
 * by the table's type. pValues: every value is legal. pGroups: groupWords words, at least one. Word
 * 0 is written with the number of words that the groups of all keys in the table need, including
 * word 0; 2 * count + 1 words are always enough.
 *
 * Requires exclusive access to the image. Fails with MUR_ERROR_INVALID_ARGUMENT, and changes
 * nothing, if a pointer is NULL, count is too large, groupWords is 0, or the table's type is not
 * K32V32 or K64V32. */
MUR_API VkResult murHostGroup(const MurHostTable *pTable, size_t count, const void *pKeys,
                              const uint32_t *pValues, uint32_t *pGroups, size_t groupWords);
#endif
